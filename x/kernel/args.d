x/kernel/args.o: kernel/args.c kernel/args.h kernel/abi/stat.h \
 kernel/memory.h kernel/abi/errno.h kernel/i386.h kernel/lib.h \
 kernel/proc.h kernel/abi/time.h kernel/abi/wait.h kernel/account.h \
 kernel/cpu.h kernel/check.h kernel/prof/state.h kernel/lock.h \
 kernel/spin.h kernel/vm.h
kernel/args.h:
kernel/abi/stat.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/i386.h:
kernel/lib.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/cpu.h:
kernel/check.h:
kernel/prof/state.h:
kernel/lock.h:
kernel/spin.h:
kernel/vm.h:
