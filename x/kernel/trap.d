x/kernel/trap.o: kernel/trap.c kernel/trap.h kernel/i386.h \
 kernel/print.h kernel/prof/hooks.h kernel/abi/memprof.h kernel/proc.h \
 kernel/abi/time.h kernel/abi/wait.h kernel/account.h kernel/abi/stat.h \
 kernel/cpu.h kernel/check.h kernel/prof/state.h kernel/lock.h \
 kernel/abi/errno.h kernel/spin.h kernel/smp.h kernel/sys.h \
 kernel/memory.h kernel/lib.h
kernel/trap.h:
kernel/i386.h:
kernel/print.h:
kernel/prof/hooks.h:
kernel/abi/memprof.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/abi/stat.h:
kernel/cpu.h:
kernel/check.h:
kernel/prof/state.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/smp.h:
kernel/sys.h:
kernel/memory.h:
kernel/lib.h:
