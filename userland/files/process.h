/* The processes, from proc(4). */
#ifndef USERLAND_FILES_PROCESS_H
#define USERLAND_FILES_PROCESS_H

#include <stddef.h>

/* A line of /proc/N/status. */
struct process {
	char name[64], user[16], state[16];
	char args[512]; /* with blanks between them */
	long pid, parent, group;
	unsigned long user_ms, kernel_ms; /* of its time on processors */
	unsigned long pages;		  /* of its memory; 0: a thread of the kernel */
};

/* Return all processes, by number, for the caller to free, or end the program. */
struct process *process_list(size_t *n);

#endif
