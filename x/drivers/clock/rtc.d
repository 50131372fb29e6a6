x/drivers/clock/rtc.o: drivers/clock/rtc.c drivers/clock/rtc.h \
 drivers/bus/acpi.h kernel/cpu.h kernel/check.h kernel/i386.h \
 kernel/prof/state.h kernel/lib.h
drivers/clock/rtc.h:
drivers/bus/acpi.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/lib.h:
