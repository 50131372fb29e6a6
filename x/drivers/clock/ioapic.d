x/drivers/clock/ioapic.o: drivers/clock/ioapic.c \
 drivers/clock/ioapic.h kernel/trap.h kernel/i386.h drivers/bus/acpi.h \
 kernel/cpu.h kernel/check.h kernel/prof/state.h drivers/clock/lapic.h \
 kernel/clock.h kernel/lock.h kernel/abi/errno.h kernel/spin.h \
 kernel/memory.h kernel/lib.h kernel/print.h
drivers/clock/ioapic.h:
kernel/trap.h:
kernel/i386.h:
drivers/bus/acpi.h:
kernel/cpu.h:
kernel/check.h:
kernel/prof/state.h:
drivers/clock/lapic.h:
kernel/clock.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/memory.h:
kernel/lib.h:
kernel/print.h:
