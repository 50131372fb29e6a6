x/kernel/isr.o : kernel/isr.asm

kernel/isr.asm :

