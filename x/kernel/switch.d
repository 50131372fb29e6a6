x/kernel/switch.o : kernel/switch.asm

kernel/switch.asm :

