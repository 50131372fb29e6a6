x/kernel/dev.o: kernel/dev.c kernel/account.h kernel/abi/stat.h \
 kernel/dev.h kernel/abi/fcntl.h kernel/lock.h kernel/abi/errno.h \
 kernel/spin.h kernel/check.h kernel/cpu.h kernel/i386.h \
 kernel/prof/state.h kernel/ns.h kernel/memory.h kernel/lib.h \
 kernel/proc.h kernel/abi/time.h kernel/abi/wait.h
kernel/account.h:
kernel/abi/stat.h:
kernel/dev.h:
kernel/abi/fcntl.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/ns.h:
kernel/memory.h:
kernel/lib.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
