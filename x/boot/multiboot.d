x/boot/multiboot.o : boot/multiboot.asm

boot/multiboot.asm :

