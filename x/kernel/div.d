x/kernel/div.o: kernel/div.c kernel/lib.h
kernel/lib.h:
