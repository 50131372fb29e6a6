x/offsets.inc: kernel/prof/offsets.c kernel/cpu.h kernel/check.h \
 kernel/i386.h kernel/prof/state.h kernel/trap.h prof/prof.h prof/gmon.h \
 prof/sample.h prof/kprof.h prof/module.h prof/prf.h prof/profil.h \
 prof/stack.h
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/trap.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
