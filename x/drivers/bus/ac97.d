x/drivers/bus/ac97.o: drivers/bus/ac97.c drivers/bus/ac97.h \
 drivers/bus/pci.h kernel/clock.h kernel/lock.h kernel/abi/errno.h \
 kernel/spin.h kernel/check.h kernel/cpu.h kernel/i386.h \
 kernel/prof/state.h kernel/memory.h kernel/lib.h kernel/print.h
drivers/bus/ac97.h:
drivers/bus/pci.h:
kernel/clock.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/memory.h:
kernel/lib.h:
kernel/print.h:
