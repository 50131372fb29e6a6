x/drivers/bus/pci.o: drivers/bus/pci.c drivers/bus/pci.h \
 drivers/clock/ioapic.h kernel/trap.h kernel/i386.h kernel/abi/errno.h \
 kernel/lock.h kernel/spin.h kernel/check.h kernel/cpu.h \
 kernel/prof/state.h kernel/print.h
drivers/bus/pci.h:
drivers/clock/ioapic.h:
kernel/trap.h:
kernel/i386.h:
kernel/abi/errno.h:
kernel/lock.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/prof/state.h:
kernel/print.h:
