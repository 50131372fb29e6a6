x/kernel/user.o : kernel/user.asm

kernel/user.asm :

