x/kernel/vm.o: kernel/vm.c kernel/vm.h kernel/account.h \
 kernel/abi/stat.h kernel/memory.h kernel/abi/errno.h kernel/i386.h \
 kernel/lib.h kernel/prof/hooks.h kernel/abi/memprof.h kernel/proc.h \
 kernel/abi/time.h kernel/abi/wait.h kernel/cpu.h kernel/check.h \
 kernel/prof/state.h kernel/lock.h kernel/spin.h kernel/trap.h \
 kernel/smp.h
kernel/vm.h:
kernel/account.h:
kernel/abi/stat.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/i386.h:
kernel/lib.h:
kernel/prof/hooks.h:
kernel/abi/memprof.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/cpu.h:
kernel/check.h:
kernel/prof/state.h:
kernel/lock.h:
kernel/spin.h:
kernel/trap.h:
kernel/smp.h:
