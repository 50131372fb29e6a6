x/drivers/bus/virtio.o: drivers/bus/virtio.c drivers/bus/virtio.h \
 drivers/bus/pci.h kernel/memory.h kernel/abi/errno.h kernel/i386.h \
 kernel/lib.h
drivers/bus/virtio.h:
drivers/bus/pci.h:
kernel/memory.h:
kernel/abi/errno.h:
kernel/i386.h:
kernel/lib.h:
