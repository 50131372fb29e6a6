x/kernel/prof/module.o: kernel/prof/module.c kernel/prof/module.h \
 prof/prof.h prof/gmon.h prof/sample.h prof/kprof.h prof/module.h \
 prof/prf.h prof/profil.h prof/stack.h kernel/dev.h kernel/abi/fcntl.h \
 kernel/abi/stat.h kernel/lock.h kernel/abi/errno.h kernel/spin.h \
 kernel/check.h kernel/cpu.h kernel/i386.h kernel/prof/state.h \
 kernel/image.h kernel/memory.h kernel/lib.h kernel/prof/hooks.h \
 kernel/abi/memprof.h kernel/proc.h kernel/abi/time.h kernel/abi/wait.h \
 kernel/account.h kernel/trap.h kernel/prof/memprof.h kernel/prof/patch.h \
 kernel/prof/userprof.h prof/port.h
kernel/prof/module.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
kernel/dev.h:
kernel/abi/fcntl.h:
kernel/abi/stat.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/image.h:
kernel/memory.h:
kernel/lib.h:
kernel/prof/hooks.h:
kernel/abi/memprof.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/trap.h:
kernel/prof/memprof.h:
kernel/prof/patch.h:
kernel/prof/userprof.h:
prof/port.h:
