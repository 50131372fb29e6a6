x/kernel/account.o: kernel/account.c kernel/account.h \
 kernel/abi/stat.h kernel/proc.h kernel/abi/time.h kernel/abi/wait.h \
 kernel/cpu.h kernel/check.h kernel/i386.h kernel/prof/state.h \
 kernel/lock.h kernel/abi/errno.h kernel/spin.h
kernel/account.h:
kernel/abi/stat.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
