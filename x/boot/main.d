x/boot/main.o: boot/main.c boot/ap.h boot/devtab.h kernel/clock.h \
 kernel/dev.h kernel/abi/fcntl.h kernel/abi/stat.h kernel/lock.h \
 kernel/abi/errno.h kernel/spin.h kernel/check.h kernel/cpu.h \
 kernel/i386.h kernel/prof/state.h boot/memory.h drivers/bus/acpi.h \
 drivers/bus/pci.h drivers/clock/ioapic.h kernel/trap.h \
 drivers/clock/lapic.h drivers/clock/pit.h drivers/clock/rtc.h \
 drivers/clock/tsc.h drivers/console/cons.h drivers/console/uart.h \
 drivers/files/devroot.h kernel/cmdline.h kernel/image.h kernel/lib.h \
 kernel/print.h kernel/proc.h kernel/abi/time.h kernel/abi/wait.h \
 kernel/account.h kernel/prof/userprof.h prof/prof.h prof/gmon.h \
 prof/sample.h prof/kprof.h prof/module.h prof/prf.h prof/profil.h \
 prof/stack.h kernel/smp.h
boot/ap.h:
boot/devtab.h:
kernel/clock.h:
kernel/dev.h:
kernel/abi/fcntl.h:
kernel/abi/stat.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/i386.h:
kernel/prof/state.h:
boot/memory.h:
drivers/bus/acpi.h:
drivers/bus/pci.h:
drivers/clock/ioapic.h:
kernel/trap.h:
drivers/clock/lapic.h:
drivers/clock/pit.h:
drivers/clock/rtc.h:
drivers/clock/tsc.h:
drivers/console/cons.h:
drivers/console/uart.h:
drivers/files/devroot.h:
kernel/cmdline.h:
kernel/image.h:
kernel/lib.h:
kernel/print.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/prof/userprof.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
kernel/smp.h:
