x/kernel/smp.o: kernel/smp.c kernel/smp.h kernel/lib.h \
 kernel/lock.h kernel/abi/errno.h kernel/spin.h kernel/check.h \
 kernel/cpu.h kernel/i386.h kernel/prof/state.h kernel/trap.h
kernel/smp.h:
kernel/lib.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/trap.h:
