x/boot/devtab.o: boot/devtab.c boot/devtab.h kernel/clock.h \
 kernel/dev.h kernel/abi/fcntl.h kernel/abi/stat.h kernel/lock.h \
 kernel/abi/errno.h kernel/spin.h kernel/check.h kernel/cpu.h \
 kernel/i386.h kernel/prof/state.h drivers/clock/profclock.h \
 drivers/console/uart.h drivers/files/devices.h drivers/files/devroot.h \
 kernel/cmdline.h kernel/lib.h kernel/print.h kernel/prof/profil.h \
 kernel/proc.h kernel/abi/time.h kernel/abi/wait.h kernel/account.h \
 prof/prof.h prof/gmon.h prof/sample.h prof/kprof.h prof/module.h \
 prof/prf.h prof/profil.h prof/stack.h
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
drivers/clock/profclock.h:
drivers/console/uart.h:
drivers/files/devices.h:
drivers/files/devroot.h:
kernel/cmdline.h:
kernel/lib.h:
kernel/print.h:
kernel/prof/profil.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
