x/drivers/bus/virtio9p.o: drivers/bus/virtio9p.c \
 drivers/bus/virtio9p.h drivers/bus/virtio.h drivers/bus/pci.h \
 kernel/clock.h kernel/memory.h kernel/abi/errno.h kernel/i386.h \
 kernel/lib.h kernel/print.h kernel/proc.h kernel/abi/time.h \
 kernel/abi/wait.h kernel/account.h kernel/abi/stat.h kernel/cpu.h \
 kernel/check.h kernel/prof/state.h kernel/lock.h kernel/spin.h
drivers/bus/virtio9p.h:
drivers/bus/virtio.h:
drivers/bus/pci.h:
kernel/clock.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/i386.h:
kernel/lib.h:
kernel/print.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
kernel/abi/stat.h:
kernel/cpu.h:
kernel/check.h:
kernel/prof/state.h:
kernel/lock.h:
kernel/spin.h:
