x/drivers/files/limits.o: drivers/files/limits.c \
 drivers/files/limits.h kernel/dev.h kernel/abi/fcntl.h kernel/abi/stat.h \
 kernel/lock.h kernel/abi/errno.h kernel/spin.h kernel/check.h \
 kernel/cpu.h kernel/i386.h kernel/prof/state.h kernel/account.h \
 kernel/lib.h
drivers/files/limits.h:
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
kernel/account.h:
kernel/lib.h:
