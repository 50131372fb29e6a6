x/kernel/prof/patch.o: kernel/prof/patch.c kernel/prof/patch.h \
 kernel/cpu.h kernel/check.h kernel/i386.h kernel/prof/state.h \
 kernel/image.h kernel/memory.h kernel/abi/errno.h kernel/lib.h \
 kernel/smp.h
kernel/prof/patch.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/image.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/lib.h:
kernel/smp.h:
