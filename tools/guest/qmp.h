/* QEMU's monitor, by its protocol QMP over a socket: QEMU Machine Protocol Specification. */
#ifndef TOOLS_GUEST_QMP_H
#define TOOLS_GUEST_QMP_H

#include <jansson.h>
#include <stdio.h>
#include "tools/complaint.h"

struct qmp {
	FILE *in;
	const char *path;
	int fd;
};

/* Connect to the socket, and agree on the protocol. 0, or -1 and why. */
int qmp_open(struct qmp *q, const char *path, struct complaint *why);
void qmp_close(struct qmp *q);

/*
 * Have a command executed, with arguments, which are let go of, or NULL, and wait for its
 * end, but not for ever. 0, or -1 and why: what QEMU said, or that it is gone.
 */
int qmp_execute(struct qmp *q, const char *command, json_t *arguments, struct complaint *why);

#endif
