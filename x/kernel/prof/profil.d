x/kernel/prof/profil.o: kernel/prof/profil.c kernel/prof/profil.h \
 kernel/proc.h kernel/abi/time.h kernel/abi/wait.h kernel/account.h \
 kernel/abi/stat.h kernel/cpu.h kernel/check.h kernel/i386.h \
 kernel/prof/state.h kernel/lock.h kernel/abi/errno.h kernel/spin.h \
 prof/prof.h prof/gmon.h prof/sample.h prof/kprof.h prof/module.h \
 prof/prf.h prof/profil.h prof/stack.h kernel/abi/profil.h \
 kernel/abi/select.h kernel/prof/hooks.h kernel/abi/memprof.h \
 kernel/trap.h kernel/prof/userprof.h kernel/sys.h kernel/memory.h \
 kernel/lib.h
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
kernel/abi/profil.h:
kernel/abi/select.h:
kernel/prof/hooks.h:
kernel/abi/memprof.h:
kernel/trap.h:
kernel/prof/userprof.h:
kernel/sys.h:
kernel/memory.h:
kernel/lib.h:
