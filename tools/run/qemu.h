/*
 * QEMU as a child process that never outlives us: Linux kills it when we die, however that happens
 * (PR_SET_PDEATHSIG of prctl(2)). What it is to do is on its command line; it is told nothing
 * afterwards.
 */
#ifndef TOOLS_RUN_QEMU_H
#define TOOLS_RUN_QEMU_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include "tools/complaint.h"

/* The machine; numbers are passed on as the user wrote them, once checked. */
struct machine {
	const char *qemu;   /* the program */
	const char *accel, *cpu, *smp, *mem;
	const char *icount; /* the shift, or "off" */
	const char *append; /* more words for the kernel's command line; may be empty */
	bool folder;	    /* the guest has the folder QEMU_FOLDER */
	const char *gdb;    /* the TCP port at which it waits for gdb; NULL: it does not */
	bool sound;	    /* a sound card, which plays into QEMU_SOUND */
};

/* The files that QEMU finds, or makes, in its working directory. */
#define QEMU_KERNEL "gnomon.elf"
#define QEMU_INITRD "initrd.cpio"
#define QEMU_SCRIPT "script.cpio"
#define QEMU_CONSOLE "console.log"
#define QEMU_DATA "data"
#define QEMU_FOLDER "remote"
#define QEMU_SOUND "sound.wav"
#define QEMU_MESSAGES "qemu.log"

struct qemu {
	pid_t pid;  /* 0: none, or it has ended */
	int status; /* once it has ended, as waitpid(2) gives it */
};

/*
 * Start QEMU in directory dir, in a process group of its own and with that signal mask; what
 * it prints goes to QEMU_MESSAGES. 0, or why it could not be executed, and the error number.
 */
int qemu_start(struct qemu *q, const struct machine *m, const char *dir, const sigset_t *mask,
	       struct complaint *why);

/* Return whether it has ended. If so, take its status and kill the rest of its group. */
bool qemu_ended(struct qemu *q);

/* Kill it and its process group; harmless when it has ended. */
void qemu_kill(struct qemu *q);

#endif
