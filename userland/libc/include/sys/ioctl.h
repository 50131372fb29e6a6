/* Commands to a device. Each device declares its own, as sys/prf.h does. */
#ifndef SYS_IOCTL_H
#define SYS_IOCTL_H

int ioctl(int fd, unsigned long command, ...);

#endif
