x/drivers/files/devaudio.o: drivers/files/devaudio.c \
 drivers/bus/ac97.h drivers/files/devices.h kernel/dev.h \
 kernel/abi/fcntl.h kernel/abi/stat.h kernel/lock.h kernel/abi/errno.h \
 kernel/spin.h kernel/check.h kernel/cpu.h kernel/i386.h \
 kernel/prof/state.h kernel/lib.h
drivers/bus/ac97.h:
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
kernel/lib.h:
