x/drivers/clock/pit.o: drivers/clock/pit.c drivers/clock/pit.h \
 kernel/clock.h drivers/clock/i8254.h drivers/clock/ioapic.h \
 kernel/trap.h kernel/i386.h drivers/clock/tsc.h kernel/lib.h
drivers/clock/pit.h:
kernel/clock.h:
drivers/clock/i8254.h:
drivers/clock/ioapic.h:
kernel/trap.h:
kernel/i386.h:
drivers/clock/tsc.h:
kernel/lib.h:
