/* The processes, as the files /proc/N/status tell of them: proc(4). */
#ifndef USERLAND_FILES_PROCESS_H
#define USERLAND_FILES_PROCESS_H

#include <stddef.h>

struct process {
	char name[64], user[16], state[16], args[512];
	long pid, parent, group;
	unsigned long user_ms, kernel_ms, pages;
};

/* All of them, by number, for free(); ends the program when they cannot be listed. */
struct process *process_list(size_t *n);

#endif
