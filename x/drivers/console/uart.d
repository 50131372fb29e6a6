x/drivers/console/uart.o: drivers/console/uart.c \
 drivers/console/uart.h drivers/console/ring.h kernel/lock.h \
 kernel/abi/errno.h kernel/spin.h kernel/check.h kernel/cpu.h \
 kernel/i386.h kernel/prof/state.h kernel/print.h kernel/trap.h
drivers/console/uart.h:
drivers/console/ring.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/print.h:
kernel/trap.h:
