x/drivers/clock/profclock.o: drivers/clock/profclock.c \
 drivers/clock/profclock.h kernel/clock.h kernel/cpu.h kernel/check.h \
 kernel/i386.h kernel/prof/state.h drivers/clock/tsc.h kernel/abi/errno.h \
 kernel/lib.h kernel/print.h kernel/prof/userprof.h kernel/lock.h \
 kernel/spin.h prof/prof.h prof/gmon.h prof/sample.h prof/kprof.h \
 prof/module.h prof/prf.h prof/profil.h prof/stack.h kernel/smp.h \
 kernel/trap.h
drivers/clock/profclock.h:
kernel/clock.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
drivers/clock/tsc.h:
kernel/abi/errno.h:
kernel/lib.h:
kernel/print.h:
kernel/prof/userprof.h:
kernel/lock.h:
kernel/spin.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
kernel/smp.h:
kernel/trap.h:
