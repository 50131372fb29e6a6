x/kernel/frame.o: kernel/frame.c kernel/account.h \
 kernel/abi/stat.h kernel/frame.h kernel/check.h kernel/i386.h \
 kernel/lock.h kernel/abi/errno.h kernel/spin.h kernel/cpu.h \
 kernel/prof/state.h kernel/memory.h kernel/lib.h kernel/print.h \
 kernel/proc.h kernel/abi/time.h kernel/abi/wait.h
kernel/account.h:
kernel/abi/stat.h:
kernel/frame.h:
kernel/check.h:
kernel/i386.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/cpu.h:
kernel/prof/state.h:
kernel/memory.h:
kernel/lib.h:
kernel/print.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
