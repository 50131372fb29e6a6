x/drivers/bus/acpi.o: drivers/bus/acpi.c drivers/bus/acpi.h \
 kernel/cpu.h kernel/check.h kernel/i386.h kernel/prof/state.h \
 drivers/bus/le.h kernel/memory.h kernel/abi/errno.h kernel/lib.h \
 kernel/print.h
drivers/bus/acpi.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
drivers/bus/le.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/lib.h:
kernel/print.h:
