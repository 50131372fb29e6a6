x/kernel/print.o: kernel/print.c kernel/print.h kernel/clock.h \
 kernel/image.h kernel/lib.h kernel/lock.h kernel/abi/errno.h \
 kernel/spin.h kernel/check.h kernel/cpu.h kernel/i386.h \
 kernel/prof/state.h
kernel/print.h:
kernel/clock.h:
kernel/image.h:
kernel/lib.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/i386.h:
kernel/prof/state.h:
