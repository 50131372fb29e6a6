x/drivers/files/rootfile.o: drivers/files/rootfile.c \
 drivers/files/rootfile.h kernel/dev.h kernel/abi/fcntl.h \
 kernel/abi/stat.h kernel/lock.h kernel/abi/errno.h kernel/spin.h \
 kernel/check.h kernel/cpu.h kernel/i386.h kernel/prof/state.h \
 kernel/memory.h kernel/lib.h
drivers/files/rootfile.h:
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
