x/kernel/file.o: kernel/file.c kernel/ns.h kernel/dev.h \
 kernel/abi/fcntl.h kernel/abi/stat.h kernel/lock.h kernel/abi/errno.h \
 kernel/spin.h kernel/check.h kernel/cpu.h kernel/i386.h \
 kernel/prof/state.h kernel/memory.h kernel/lib.h kernel/proc.h \
 kernel/abi/time.h kernel/abi/wait.h kernel/account.h kernel/sys.h
kernel/ns.h:
kernel/dev.h:
kernel/abi/fcntl.h:
kernel/abi/stat.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/memory.h:
kernel/lib.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/sys.h:
