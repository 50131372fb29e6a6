x/kernel/sysproc.o: kernel/sysproc.c kernel/args.h \
 kernel/abi/stat.h kernel/memory.h kernel/abi/errno.h kernel/i386.h \
 kernel/lib.h kernel/clock.h kernel/dev.h kernel/abi/fcntl.h \
 kernel/lock.h kernel/spin.h kernel/check.h kernel/cpu.h \
 kernel/prof/state.h kernel/sys.h kernel/proc.h kernel/abi/time.h \
 kernel/abi/wait.h kernel/account.h
kernel/args.h:
kernel/abi/stat.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/i386.h:
kernel/lib.h:
kernel/clock.h:
kernel/dev.h:
kernel/abi/fcntl.h:
kernel/lock.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/prof/state.h:
kernel/sys.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
