/*
 * The system calls of processes and files, and a few functions like them. Unless it says otherwise,
 * a function that fails returns -1 with errno.
 */
#ifndef UNISTD_H
#define UNISTD_H

#include <sys/types.h>
#include "kernel/abi/fcntl.h"
#include <getopt.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4

extern char **environ;

pid_t fork(void);
int execve(const char *path, char *const *argv, char *const *envp);
int execv(const char *path, char *const *argv);
int execvp(const char *name, char *const *argv); /* along $PATH, or in /bin */
int execl(const char *path, const char *arg0, ...) __attribute__((sentinel));
int execlp(const char *name, const char *arg0, ...) __attribute__((sentinel));
void _exit(int status) __attribute__((noreturn));
pid_t getpid(void);
pid_t getppid(void);
int setpgid(pid_t pid, pid_t pgid);
uid_t getuid(void);
int setuid(uid_t uid);

int close(int fd);
ssize_t read(int fd, void *buf, size_t n);
ssize_t write(int fd, const void *buf, size_t n);
off_t lseek(int fd, off_t offset, int whence);
int ftruncate(int fd, off_t size);
int dup(int fd);
int dup2(int fd, int newfd);
int pipe(int fd[2]);
int isatty(int fd);

int access(const char *path, int mode);
int link(const char *path, const char *newpath);
int symlink(const char *target, const char *path);
ssize_t readlink(const char *path, char *buf, size_t n);
int unlink(const char *path);
int rmdir(const char *path);
int chdir(const char *path);
char *getcwd(char *buf, size_t size);

int brk(void *end);
void *sbrk(intptr_t increment);

unsigned sleep(unsigned seconds);
int usleep(unsigned microseconds);
unsigned alarm(unsigned seconds);
int pause(void);

#endif
