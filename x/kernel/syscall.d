x/kernel/syscall.o: kernel/syscall.c kernel/abi/stat.h \
 kernel/abi/syscall.h kernel/prof/hooks.h kernel/abi/memprof.h \
 kernel/proc.h kernel/abi/time.h kernel/abi/wait.h kernel/account.h \
 kernel/cpu.h kernel/check.h kernel/i386.h kernel/prof/state.h \
 kernel/lock.h kernel/abi/errno.h kernel/spin.h kernel/trap.h \
 kernel/sys.h kernel/memory.h kernel/lib.h
kernel/abi/stat.h:
kernel/abi/syscall.h:
kernel/prof/hooks.h:
kernel/abi/memprof.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/trap.h:
kernel/sys.h:
kernel/memory.h:
kernel/lib.h:
