/* QEMU as a child process that never outlives us. */
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
	pid_t pid;  /* 0: none, or reaped */
	int status; /* of one that is reaped, as waitpid(2) gives it */
};

/*
 * Start QEMU in directory dir, in a process group of its own, with the signal
 * mask; what it says goes to QEMU_MESSAGES. 0, or the error number for which it
 * could not be executed (why).
 */
int qemu_start(struct qemu *q, const struct machine *m, const char *dir, const sigset_t *mask,
	       struct complaint *why);

/* Whether it has ended; then it is reaped and whatever it left behind is killed. */
bool qemu_ended(struct qemu *q);

/* End it, and its process group, now; fine when it has ended. */
void qemu_kill(struct qemu *q);

#endif
