/*
 * QEMU's monitor, by its protocol QMP over a socket: QEMU Machine Protocol Specification, in its
 * docs/interop. Messages are JSON, one a line. Only one program at a time can be connected; events,
 * which come at any time, are passed over.
 */
#ifndef TOOLS_GUEST_QMP_H
#define TOOLS_GUEST_QMP_H

#include <jansson.h>
#include <stddef.h>
#include "tools/complaint.h"

/* A connection. */
struct qmp {
	const char *path; /* of the socket, for messages */
	int fd;
	char *text; /* what has come and was not looked at, n bytes of it */
	size_t n, room;
};

/* Connect to the socket and agree on the protocol; `path` must last. Return 0, or -1 and *why. */
int qmp_open(struct qmp *q, const char *path, struct complaint *why);
void qmp_close(struct qmp *q);

/*
 * Have QEMU execute a command with arguments, or NULL, and wait some seconds for its end. The
 * arguments are released. Return 0, or -1 and *why: what QEMU answered, or that it has gone. If
 * signals are held back (tools/ending.h), one of them ends the wait.
 */
int qmp_execute(struct qmp *q, const char *command, json_t *arguments, struct complaint *why);

/* Do so with a command for people, and return the text that it prints, to be freed; or NULL. */
char *qmp_monitor(struct qmp *q, const char *line, struct complaint *why);

#endif
