x/kernel/cmdline.o: kernel/cmdline.c kernel/cmdline.h \
 kernel/lib.h
kernel/cmdline.h:
kernel/lib.h:
