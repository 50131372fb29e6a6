x/boot/trampoline.o : boot/trampoline.asm

boot/trampoline.asm :

