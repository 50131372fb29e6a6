x/drivers/files/ninep.o: drivers/files/ninep.c \
 drivers/files/ninep.h kernel/dev.h kernel/abi/fcntl.h kernel/abi/stat.h \
 kernel/lock.h kernel/abi/errno.h kernel/spin.h kernel/check.h \
 kernel/cpu.h kernel/i386.h kernel/prof/state.h drivers/bus/le.h \
 drivers/bus/virtio.h drivers/bus/pci.h drivers/bus/virtio9p.h \
 kernel/lib.h
drivers/files/ninep.h:
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
drivers/bus/le.h:
drivers/bus/virtio.h:
drivers/bus/pci.h:
drivers/bus/virtio9p.h:
kernel/lib.h:
