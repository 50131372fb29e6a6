/*
 * QEMU's monitor: see qmp.h.
 *
 * A message is a JSON object on a line. QEMU greets with {"QMP": ...}; after the command
 * qmp_capabilities it takes others. It answers each with {"return": ...} or {"error": {"class":
 * ..., "desc": ...}}. {"event": ...} may come at any time, and is skipped.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "tools/ending.h"
#include "tools/guest/qmp.h"
#include "tools/memory.h"
#include "tools/moment.h"
#include "tools/order.h"

#define LIMIT_S 10 /* seconds, for an answer and the events before it */
#define MOST (4u << 20) /* bytes of a message; as JSON one may take eighty times as many */

/* Say why nothing can be sent or received, by an error number. QEMU serves one client at a time. */
static int qmp_lost(const struct qmp *q, int error, struct complaint *why)
{
	switch (error) {
	case 0:
	case ECONNRESET:
	case EPIPE:
		return complain(why, "%s: QEMU has gone", q->path);
	case EAGAIN:
		return complain(why, "%s: QEMU does not answer; does another program use it?",
				q->path);
	}
	return complain(why, "%s: %s", q->path, strerror(error));
}

/*
 * Add what has come to the text, or wait until something comes. That the process was stopped and
 * goes on ends a wait, too, and is no error; that it shall end is one.
 */
static int receive_more(struct qmp *q, uint64_t until, struct complaint *why)
{
	uint64_t now = moment_ns();
	ssize_t n;

	if (ending_came())
		return qmp_lost(q, EINTR, why);
	if (now >= until)
		return qmp_lost(q, EAGAIN, why);
	if (q->n > MOST)
		return complain(why, "%s: no QMP: a message without an end", q->path);
	if (!ending_wait(q->fd, POLLIN, (int)((until - now) / 1000000) + 1))
		return 0;
	q->text = memory_grow(q->text, &q->room, q->n + 4096, 1);
	n = recv(q->fd, q->text + q->n, order_min(q->room - q->n, MOST + 1 - q->n), MSG_DONTWAIT);
	if (n == 0)
		return qmp_lost(q, 0, why);
	if (n > 0)
		q->n += (size_t)n;
	else if (errno != EAGAIN && errno != EINTR)
		return qmp_lost(q, errno, why);
	return 0;
}

/* Return the end of the first line that has come, NULL if none has. */
static char *line_end(const struct qmp *q)
{
	if (q->n == 0)
		return NULL;
	return memchr(q->text, '\n', q->n);
}

/* Return until when what is asked for now must have come. */
static uint64_t answer_until(void)
{
	return moment_ns() + LIMIT_S * 1000000000ull;
}

/* Wait for a message, which is a line of JSON. NULL and why: it has not come in time, for one. */
static json_t *qmp_receive(struct qmp *q, uint64_t until, struct complaint *why)
{
	json_t *message;
	char *end;

	if (moment_ns() >= until) {
		qmp_lost(q, EAGAIN, why);
		return NULL;
	}
	while ((end = line_end(q)) == NULL)
		if (receive_more(q, until, why) < 0)
			return NULL;
	message = json_loadb(q->text, (size_t)(end - q->text), 0, NULL);
	q->n -= (size_t)(end + 1 - q->text);
	memmove(q->text, end + 1, q->n);
	if (!message)
		complain(why, "%s: no QMP: not JSON", q->path);
	return message;
}

/* Send n bytes. Return 0 or an error number: EPIPE, without a signal, if QEMU has gone. */
static int send_all(struct qmp *q, const char *text, size_t n)
{
	ssize_t w;

	for (; n > 0; text += w, n -= (size_t)w) {
		w = send(q->fd, text, n, MSG_NOSIGNAL);
		if (w < 0 && errno != EINTR)
			return errno;
		if (w < 0)
			w = 0;
	}
	return 0;
}

/* Send a message as a line, and release it. */
static int qmp_transmit(struct qmp *q, json_t *message, struct complaint *why)
{
	char *text = json_dumps(message, JSON_COMPACT);
	int error = ENOMEM;
	size_t n;

	json_decref(message);
	if (text) {
		n = strlen(text);
		text[n++] = '\n';
		error = send_all(q, text, n);
	}
	free(text);
	if (error)
		return qmp_lost(q, error, why);
	return 0;
}

/* Tell an answer from an event. Return 0, or -1 and why if it is an answer, and an error. */
static int qmp_judge(struct qmp *q, const char *command, json_t *message, bool *answer,
		     struct complaint *why)
{
	json_t *error = json_object_get(message, "error");
	const char *text;

	*answer = error || json_object_get(message, "return");
	if (!error)
		return 0;
	text = json_string_value(json_object_get(error, "desc"));
	if (!text)
		text = "refused";
	return complain(why, "%s: %s: %s", q->path, command, text);
}

/*
 * Skip events until the answer comes, which must be in time, however many they are. Return the
 * answer, to be released, or NULL and why.
 */
static json_t *qmp_ask_for(struct qmp *q, const char *command, json_t *arguments,
			   struct complaint *why)
{
	json_t *message = json_pack("{s:s}", "execute", command);
	uint64_t until = answer_until();
	bool answer = false;

	if (message && arguments)
		json_object_set_new(message, "arguments", arguments);
	if (qmp_transmit(q, message, why) < 0)
		return NULL;
	while (!answer) {
		message = qmp_receive(q, until, why);
		if (!message)
			return NULL;
		if (qmp_judge(q, command, message, &answer, why) < 0) {
			json_decref(message);
			return NULL;
		}
		if (!answer)
			json_decref(message);
	}
	return message;
}

int qmp_execute(struct qmp *q, const char *command, json_t *arguments, struct complaint *why)
{
	json_t *answer = qmp_ask_for(q, command, arguments, why);

	if (!answer)
		return -1;
	json_decref(answer);
	return 0;
}

char *qmp_monitor(struct qmp *q, const char *line, struct complaint *why)
{
	static const char command[] = "human-monitor-command";
	json_t *answer = qmp_ask_for(q, command, json_pack("{s:s}", "command-line", line), why);
	const char *text = json_string_value(json_object_get(answer, "return"));
	char *copy = NULL;

	if (text)
		copy = memory_string(text, strlen(text));
	else if (answer)
		complain(why, "%s: %s: no text came", q->path, command);
	json_decref(answer);
	return copy;
}

/* Connect to a socket. Return its descriptor, or -1 and why. */
static int connect_to(const char *path, struct complaint *why)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	int fd;

	if (strlen(path) >= sizeof(name.sun_path))
		return complain(why, "%s: %s", path, strerror(ENAMETOOLONG));
	strcpy(name.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return qmp_lost(&(struct qmp){.path = path}, errno, why);
	if (connect(fd, (struct sockaddr *)&name, sizeof(name)) == 0)
		return fd;
	if (errno == ENOENT || errno == ECONNREFUSED)
		complain(why, "%s: no guest runs there; `make run' in another terminal starts one, "
			 "as does QEMU with -qmp unix:%s,server=on,wait=off", path, path);
	else
		qmp_lost(&(struct qmp){.path = path}, errno, why);
	close(fd);
	return -1;
}

/* The greeting must come first, which tells a monitor from whatever else may listen there. */
int qmp_open(struct qmp *q, const char *path, struct complaint *why)
{
	json_t *greeting;
	bool known;

	*q = (struct qmp){.path = path, .fd = connect_to(path, why)};
	if (q->fd < 0)
		return -1;
	greeting = qmp_receive(q, answer_until(), why);
	known = json_object_get(greeting, "QMP");
	if (greeting && !known)
		complain(why, "%s: no QMP: no greeting", path);
	json_decref(greeting);
	if (known && qmp_execute(q, "qmp_capabilities", NULL, why) == 0)
		return 0;
	qmp_close(q);
	return -1;
}

void qmp_close(struct qmp *q)
{
	close(q->fd);
	free(q->text);
}
