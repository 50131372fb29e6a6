x/kernel/cmd.o: kernel/cmd.c kernel/dev.h kernel/abi/fcntl.h \
 kernel/abi/stat.h kernel/lock.h kernel/abi/errno.h kernel/spin.h \
 kernel/check.h kernel/cpu.h kernel/i386.h kernel/prof/state.h \
 kernel/lib.h
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
kernel/lib.h:
