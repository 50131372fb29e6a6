x/kernel/prof/stack.o: kernel/prof/stack.c kernel/image.h \
 kernel/lib.h kernel/prof/patch.h kernel/prof/profil.h kernel/proc.h \
 kernel/abi/time.h kernel/abi/wait.h kernel/account.h kernel/abi/stat.h \
 kernel/cpu.h kernel/check.h kernel/i386.h kernel/prof/state.h \
 kernel/lock.h kernel/abi/errno.h kernel/spin.h prof/prof.h prof/gmon.h \
 prof/sample.h prof/kprof.h prof/module.h prof/prf.h prof/profil.h \
 prof/stack.h kernel/prof/userprof.h prof/port.h
kernel/image.h:
kernel/lib.h:
kernel/prof/patch.h:
kernel/prof/profil.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/abi/stat.h:
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
kernel/prof/userprof.h:
prof/port.h:
