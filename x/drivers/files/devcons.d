x/drivers/files/devcons.o: drivers/files/devcons.c \
 drivers/console/cons.h kernel/dev.h kernel/abi/fcntl.h kernel/abi/stat.h \
 kernel/lock.h kernel/abi/errno.h kernel/spin.h kernel/check.h \
 kernel/cpu.h kernel/i386.h kernel/prof/state.h drivers/console/uart.h \
 drivers/files/devices.h drivers/files/limits.h drivers/files/picture.h \
 kernel/clock.h kernel/cmdline.h kernel/image.h kernel/lib.h \
 kernel/print.h kernel/proc.h kernel/abi/time.h kernel/abi/wait.h \
 kernel/account.h
drivers/console/cons.h:
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
drivers/console/uart.h:
drivers/files/devices.h:
drivers/files/limits.h:
drivers/files/picture.h:
kernel/clock.h:
kernel/cmdline.h:
kernel/image.h:
kernel/lib.h:
kernel/print.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
