x/prof/stack.o: prof/stack.c prof/port.h prof/prof.h prof/gmon.h \
 prof/sample.h prof/kprof.h prof/module.h prof/prf.h prof/profil.h \
 prof/stack.h prof/stacktable.h prof/tick.h
prof/port.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
prof/stacktable.h:
prof/tick.h:
