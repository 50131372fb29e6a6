x/kernel/elf.o: kernel/elf.c kernel/abi/elf.h kernel/args.h \
 kernel/abi/stat.h kernel/memory.h kernel/abi/errno.h kernel/i386.h \
 kernel/lib.h kernel/dev.h kernel/abi/fcntl.h kernel/lock.h kernel/spin.h \
 kernel/check.h kernel/cpu.h kernel/prof/state.h kernel/prof/hooks.h \
 kernel/abi/memprof.h kernel/proc.h kernel/abi/time.h kernel/abi/wait.h \
 kernel/account.h kernel/trap.h kernel/vm.h
kernel/abi/elf.h:
kernel/args.h:
kernel/abi/stat.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/i386.h:
kernel/lib.h:
kernel/dev.h:
kernel/abi/fcntl.h:
kernel/lock.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/prof/state.h:
kernel/prof/hooks.h:
kernel/abi/memprof.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/trap.h:
kernel/vm.h:
