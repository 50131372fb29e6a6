x/drivers/files/deveia.o: drivers/files/deveia.c \
 drivers/console/uart.h drivers/files/devices.h kernel/dev.h \
 kernel/abi/fcntl.h kernel/abi/stat.h kernel/lock.h kernel/abi/errno.h \
 kernel/spin.h kernel/check.h kernel/cpu.h kernel/i386.h \
 kernel/prof/state.h kernel/lib.h
drivers/console/uart.h:
drivers/files/devices.h:
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
