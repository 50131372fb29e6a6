x/kernel/prof/userprof.o: kernel/prof/userprof.c \
 kernel/prof/userprof.h kernel/cpu.h kernel/check.h kernel/i386.h \
 kernel/prof/state.h kernel/lock.h kernel/abi/errno.h kernel/spin.h \
 prof/prof.h prof/gmon.h prof/sample.h prof/kprof.h prof/module.h \
 prof/prf.h prof/profil.h prof/stack.h kernel/cmdline.h kernel/image.h \
 kernel/lib.h kernel/memory.h kernel/print.h kernel/trap.h
kernel/prof/userprof.h:
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
kernel/cmdline.h:
kernel/image.h:
kernel/lib.h:
kernel/memory.h:
kernel/print.h:
kernel/trap.h:
