x/boot/memory.o: boot/memory.c boot/memory.h kernel/cmdline.h \
 kernel/frame.h kernel/check.h kernel/i386.h kernel/image.h \
 kernel/memory.h kernel/abi/errno.h kernel/lib.h kernel/print.h
boot/memory.h:
kernel/cmdline.h:
kernel/frame.h:
kernel/check.h:
kernel/i386.h:
kernel/image.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/lib.h:
kernel/print.h:
