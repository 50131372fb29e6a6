x/drivers/clock/tsc.o: drivers/clock/tsc.c drivers/clock/tsc.h \
 drivers/clock/i8254.h kernel/i386.h kernel/print.h
drivers/clock/tsc.h:
drivers/clock/i8254.h:
kernel/i386.h:
kernel/print.h:
