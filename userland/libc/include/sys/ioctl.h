/* Commands to a device, each declared where the device is: see sys/prf.h. */
#ifndef SYS_IOCTL_H
#define SYS_IOCTL_H

int ioctl(int fd, unsigned long command, ...);

#endif
