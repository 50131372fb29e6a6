x/drivers/console/cons.o: drivers/console/cons.c \
 drivers/console/cons.h kernel/dev.h kernel/abi/fcntl.h kernel/abi/stat.h \
 kernel/lock.h kernel/abi/errno.h kernel/spin.h kernel/check.h \
 kernel/cpu.h kernel/i386.h kernel/prof/state.h \
 drivers/console/consline.h drivers/console/ring.h kernel/proc.h \
 kernel/abi/time.h kernel/abi/wait.h kernel/account.h
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
drivers/console/consline.h:
drivers/console/ring.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
