x/kernel/heap.o: kernel/heap.c kernel/frame.h kernel/check.h \
 kernel/i386.h kernel/memory.h kernel/abi/errno.h kernel/lib.h \
 kernel/print.h kernel/prof/hooks.h kernel/abi/memprof.h kernel/proc.h \
 kernel/abi/time.h kernel/abi/wait.h kernel/account.h kernel/abi/stat.h \
 kernel/cpu.h kernel/prof/state.h kernel/lock.h kernel/spin.h \
 kernel/trap.h
kernel/frame.h:
kernel/check.h:
kernel/i386.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/lib.h:
kernel/print.h:
kernel/prof/hooks.h:
kernel/abi/memprof.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/abi/stat.h:
kernel/cpu.h:
kernel/prof/state.h:
kernel/lock.h:
kernel/spin.h:
kernel/trap.h:
