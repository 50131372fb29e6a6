x/kernel/prof/mcount.o : kernel/prof/mcount.asm

kernel/prof/mcount.asm :

