x/kernel/cpu.o: kernel/cpu.c kernel/cpu.h kernel/check.h \
 kernel/i386.h kernel/prof/state.h kernel/memory.h kernel/abi/errno.h \
 kernel/lib.h kernel/print.h kernel/trap.h kernel/vm.h
kernel/cpu.h:
kernel/check.h:
kernel/i386.h:
kernel/prof/state.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/lib.h:
kernel/print.h:
kernel/trap.h:
kernel/vm.h:
