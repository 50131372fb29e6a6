x/kernel/prof/cover.o: kernel/prof/cover.c kernel/prof/module.h \
 prof/prof.h prof/gmon.h prof/sample.h prof/kprof.h prof/module.h \
 prof/prf.h prof/profil.h prof/stack.h kernel/lib.h kernel/prof/hooks.h \
 kernel/abi/memprof.h kernel/proc.h kernel/abi/time.h kernel/abi/wait.h \
 kernel/account.h kernel/abi/stat.h kernel/cpu.h kernel/check.h \
 kernel/i386.h kernel/prof/state.h kernel/lock.h kernel/abi/errno.h \
 kernel/spin.h kernel/trap.h
kernel/prof/module.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
kernel/lib.h:
kernel/prof/hooks.h:
kernel/abi/memprof.h:
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
kernel/trap.h:
