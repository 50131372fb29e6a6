x/kernel/clock.o: kernel/clock.c kernel/clock.h kernel/lib.h \
 kernel/print.h kernel/proc.h kernel/abi/time.h kernel/abi/wait.h \
 kernel/account.h kernel/abi/stat.h kernel/cpu.h kernel/check.h \
 kernel/i386.h kernel/prof/state.h kernel/lock.h kernel/abi/errno.h \
 kernel/spin.h kernel/trap.h
kernel/clock.h:
kernel/lib.h:
kernel/print.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/abi/stat.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/trap.h:
