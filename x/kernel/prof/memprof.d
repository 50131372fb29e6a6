x/kernel/prof/memprof.o: kernel/prof/memprof.c \
 kernel/prof/memprof.h kernel/lock.h kernel/abi/errno.h kernel/spin.h \
 kernel/check.h kernel/cpu.h kernel/i386.h kernel/prof/state.h \
 kernel/abi/memprof.h kernel/prof/hooks.h kernel/proc.h kernel/abi/time.h \
 kernel/abi/wait.h kernel/account.h kernel/abi/stat.h kernel/trap.h \
 kernel/prof/userprof.h prof/prof.h prof/gmon.h prof/sample.h \
 prof/kprof.h prof/module.h prof/prf.h prof/profil.h prof/stack.h \
 kernel/sys.h kernel/memory.h kernel/lib.h kernel/vm.h
kernel/prof/memprof.h:
kernel/lock.h:
kernel/abi/errno.h:
kernel/spin.h:
kernel/check.h:
kernel/cpu.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/abi/memprof.h:
kernel/prof/hooks.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/abi/stat.h:
kernel/trap.h:
kernel/prof/userprof.h:
prof/prof.h:
prof/gmon.h:
prof/sample.h:
prof/kprof.h:
prof/module.h:
prof/prf.h:
prof/profil.h:
prof/stack.h:
kernel/sys.h:
kernel/memory.h:
kernel/lib.h:
kernel/vm.h:
