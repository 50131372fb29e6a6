x/kernel/string.o: kernel/string.c kernel/lib.h
kernel/lib.h:
