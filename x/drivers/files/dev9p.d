x/drivers/files/dev9p.o: drivers/files/dev9p.c \
 drivers/bus/virtio9p.h drivers/files/devices.h kernel/dev.h \
 kernel/abi/fcntl.h kernel/abi/stat.h kernel/lock.h kernel/abi/errno.h \
 kernel/spin.h kernel/check.h kernel/cpu.h kernel/i386.h \
 kernel/prof/state.h drivers/files/ninep.h kernel/memory.h kernel/lib.h \
 kernel/proc.h kernel/abi/time.h kernel/abi/wait.h kernel/account.h
drivers/bus/virtio9p.h:
drivers/files/devices.h:
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
drivers/files/ninep.h:
kernel/memory.h:
kernel/lib.h:
kernel/proc.h:
kernel/abi/time.h:
kernel/abi/wait.h:
kernel/account.h:
