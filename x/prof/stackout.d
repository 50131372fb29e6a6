x/prof/stackout.o: prof/stackout.c prof/stacktable.h prof/prof.h \
 prof/gmon.h prof/sample.h prof/kprof.h prof/module.h prof/prf.h \
 prof/profil.h prof/stack.h prof/tick.h
prof/stacktable.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
prof/tick.h:
