/* Waiting for children. */
#ifndef SYS_WAIT_H
#define SYS_WAIT_H

#include <sys/types.h>
#include "kernel/abi/wait.h"

#define WTERMSIG(status) ((status)&0x7f)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSTOPPED(status) (WTERMSIG(status) == 0x7f)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0 && !WIFSTOPPED(status))
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WSTOPSIG(status) WEXITSTATUS(status)

pid_t wait(int *status);
pid_t waitpid(pid_t pid, int *status, int options);

#endif
