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

#define LIMIT_S 10 /* seconds, for an answer */

/* Say why nothing can be sent or received, by an error number. QEMU serves one client at a time. */
static int lost(const struct qmp *q, int error, struct complaint *why)
{
	if (error == 0 || error == ECONNRESET || error == EPIPE)
		return complain(why, "%s: QEMU has gone", q->path);
	if (error == EAGAIN)
		return complain(why, "%s: QEMU does not answer; does another program use it?",
				q->path);
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
		return lost(q, EINTR, why);
	if (now >= until)
		return lost(q, EAGAIN, why);
	if (!ending_wait(q->fd, POLLIN, (int)((until - now) / 1000000) + 1))
		return 0;
	q->text = memory_grow(q->text, &q->room, q->n + 4096, 1);
	n = recv(q->fd, q->text + q->n, q->room - q->n, MSG_DONTWAIT);
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		return lost(q, n < 0 ? errno : 0, why);
	q->n += n > 0 ? (size_t)n : 0;
	return 0;
}

/* Wait for a message, which is a line of JSON. NULL and why. */
static json_t *receive(struct qmp *q, struct complaint *why)
{
	uint64_t until = moment_ns() + LIMIT_S * 1000000000ull;
	char *end = NULL;
	json_t *message;

	while (!end) {
		end = q->n > 0 ? memchr(q->text, '\n', q->n) : NULL;
		if (!end && receive_more(q, until, why) < 0)
			return NULL;
	}
	message = json_loadb(q->text, (size_t)(end - q->text), 0, NULL);
	q->n -= (size_t)(end + 1 - q->text);
	memmove(q->text, end + 1, q->n);
	if (!message)
		complain(why, "%s: no QMP: not JSON", q->path);
	return message;
}

/* Send a message as a line, and release it. */
static int transmit(struct qmp *q, json_t *message, struct complaint *why)
{
	char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
	size_t n = text ? strlen(text) : 0, sent = 0;
	int error = text ? 0 : ENOMEM;
	ssize_t w;

	json_decref(message);
	if (text)
		text[n++] = '\n';
	while (sent < n && !error) {
		w = send(q->fd, text + sent, n - sent, MSG_NOSIGNAL);
		sent += w > 0 ? (size_t)w : 0; /* no signal if QEMU has gone, but EPIPE */
		error = w < 0 && errno != EINTR ? errno : 0;
	}
	free(text);
	return error ? lost(q, error, why) : 0;
}

/* Tell an answer from an event. Return 0, or -1 and why if it is an answer, and an error. */
static int judge(struct qmp *q, const char *command, json_t *message, bool *answer,
		 struct complaint *why)
{
	const char *text;

	*answer = json_object_get(message, "return") || json_object_get(message, "error");
	if (!json_object_get(message, "error"))
		return 0;
	text = json_string_value(json_object_get(json_object_get(message, "error"), "desc"));
	return complain(why, "%s: %s: %s", q->path, command, text ? text : "refused");
}

/*
 * Skip events until the answer comes; each message must come in time. Return the answer, to be
 * released, or NULL and why.
 */
static json_t *ask(struct qmp *q, const char *command, json_t *arguments, struct complaint *why)
{
	json_t *message = json_pack("{s:s}", "execute", command);
	bool answer = false;

	if (message && arguments)
		json_object_set_new(message, "arguments", arguments);
	if (transmit(q, message, why) < 0)
		return NULL;
	while (!answer) {
		message = receive(q, why);
		if (!message)
			return NULL;
		if (judge(q, command, message, &answer, why) < 0) {
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
	json_t *answer = ask(q, command, arguments, why);

	json_decref(answer);
	return answer ? 0 : -1;
}

char *qmp_monitor(struct qmp *q, const char *line, struct complaint *why)
{
	static const char command[] = "human-monitor-command";
	json_t *answer = ask(q, command, json_pack("{s:s}", "command-line", line), why);
	const char *text = json_string_value(json_object_get(answer, "return"));
	char *copy = text ? memory_string(text, strlen(text)) : NULL;

	if (answer && !text)
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
	if (fd >= 0 && connect(fd, (struct sockaddr *)&name, sizeof(name)) == 0)
		return fd;
	if (errno == ENOENT || errno == ECONNREFUSED)
		complain(why, "%s: no guest runs there; `make run' in another terminal starts one, "
			 "as does QEMU with -qmp unix:%s,server=on,wait=off", path, path);
	else
		lost(&(struct qmp){.path = path}, errno, why);
	if (fd >= 0)
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
	greeting = receive(q, why);
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
