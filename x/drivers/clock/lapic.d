x/drivers/clock/lapic.o: drivers/clock/lapic.c \
 drivers/clock/lapic.h kernel/clock.h drivers/bus/acpi.h kernel/cpu.h \
 kernel/check.h kernel/i386.h kernel/prof/state.h drivers/clock/tsc.h \
 kernel/memory.h kernel/abi/errno.h kernel/lib.h kernel/print.h \
 kernel/trap.h
drivers/clock/lapic.h:
kernel/clock.h:
drivers/bus/acpi.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
drivers/clock/tsc.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/lib.h:
kernel/print.h:
kernel/trap.h:
