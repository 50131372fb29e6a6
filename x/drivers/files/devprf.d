x/drivers/files/devprf.o: drivers/files/devprf.c \
 drivers/clock/profclock.h kernel/clock.h kernel/cpu.h kernel/check.h \
 kernel/i386.h kernel/prof/state.h drivers/files/devices.h kernel/dev.h \
 kernel/abi/fcntl.h kernel/abi/stat.h kernel/lock.h kernel/abi/errno.h \
 kernel/spin.h kernel/abi/prf.h kernel/memory.h kernel/lib.h \
 kernel/prof/userprof.h prof/prof.h prof/gmon.h prof/sample.h \
 prof/kprof.h prof/module.h prof/prf.h prof/profil.h prof/stack.h
drivers/clock/profclock.h:
kernel/clock.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
drivers/files/devices.h:
kernel/dev.h:
kernel/abi/fcntl.h:
kernel/abi/stat.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/abi/prf.h:
kernel/memory.h:
kernel/lib.h:
kernel/prof/userprof.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
