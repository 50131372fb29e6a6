x/boot/ap.o: boot/ap.c boot/ap.h drivers/bus/acpi.h kernel/cpu.h \
 kernel/check.h kernel/i386.h kernel/prof/state.h drivers/clock/lapic.h \
 kernel/clock.h kernel/cmdline.h kernel/memory.h kernel/abi/errno.h \
 kernel/lib.h kernel/print.h kernel/proc.h kernel/abi/time.h \
 kernel/abi/wait.h kernel/account.h kernel/abi/stat.h kernel/lock.h \
 kernel/spin.h kernel/trap.h
boot/ap.h:
drivers/bus/acpi.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
drivers/clock/lapic.h:
kernel/clock.h:
kernel/cmdline.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/lib.h:
kernel/print.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/abi/stat.h:
kernel/lock.h:
kernel/spin.h:
kernel/trap.h:
