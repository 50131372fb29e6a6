/*
 * Calls of POSIX that the kernel lacks: each says so once and fails with ENOSYS. The headers that
 * declare them are not included here: to fail they need no arguments.
 */
int __lacks(const char *call, char *said);

#define LACKS(name)                                                                                \
	int name(void);                                                                            \
	int name(void)                                                                             \
	{                                                                                          \
		static char said;                                                                  \
		return __lacks(#name, &said);                                                      \
	}

LACKS(chown) LACKS(chroot) LACKS(fchown) LACKS(getgroups) LACKS(getpgrp) LACKS(getrusage)
LACKS(lchown) LACKS(mkfifo) LACKS(mknod)
LACKS(setgid) LACKS(setrlimit) LACKS(setsid) LACKS(tcgetpgrp) LACKS(tcsetpgrp)
LACKS(truncate) LACKS(utimes)
