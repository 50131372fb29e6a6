x/kernel/prof/profport.o: kernel/prof/profport.c kernel/cpu.h \
 kernel/check.h kernel/i386.h kernel/prof/state.h kernel/memory.h \
 kernel/abi/errno.h kernel/lib.h kernel/prof/patch.h kernel/smp.h \
 prof/port.h prof/prof.h prof/gmon.h prof/sample.h prof/kprof.h \
 prof/module.h prof/prf.h prof/profil.h prof/stack.h
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/lib.h:
kernel/prof/patch.h:
kernel/smp.h:
prof/port.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
