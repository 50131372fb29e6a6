x/drivers/files/picture.o: drivers/files/picture.c \
 drivers/files/picture.h kernel/dev.h kernel/abi/fcntl.h \
 kernel/abi/stat.h kernel/lock.h kernel/abi/errno.h kernel/spin.h \
 kernel/check.h kernel/cpu.h kernel/i386.h kernel/prof/state.h \
 kernel/memory.h kernel/lib.h
drivers/files/picture.h:
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
