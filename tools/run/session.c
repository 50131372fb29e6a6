/*
 * One run of the guest: see session.h.
 *
 * QEMU writes the serial ports to files. A file never makes it wait, so what the host does
 * cannot change what the guest does. We read the files as they grow. Signals are blocked
 * except while we wait.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include "tools/moment.h"
#include "tools/order.h"
#include "tools/run/session.h"

#define NAP_NS 10000000u
#define ROOM_NS 250000000u /* between two looks for room */
#define LINGER_NS 10000000000u /* QEMU's time to end after the script, on a busy host */

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
#define NENDING (sizeof(ending) / sizeof(ending[0]))

static volatile sig_atomic_t caught;
static sigset_t waiting; /* the mask while waiting */

/* Remember the first signal; SIGCHLD need only interrupt the wait. */
static void on_signal(int sig)
{
	if (sig != SIGCHLD && !caught)
		caught = sig;
}

/* Catch a signal and add it to those to block, unless it is ignored. */
static void catch_signal(int sig, sigset_t *block)
{
	struct sigaction sa = {.sa_handler = on_signal}, old;

	sigaction(sig, NULL, &old);
	if (old.sa_handler == SIG_IGN && sig != SIGCHLD)
		return;
	sigaction(sig, &sa, NULL);
	sigaddset(block, sig);
}

void session_block_signals(sigset_t *before)
{
	sigset_t block;
	size_t i;

	sigemptyset(&block);
	for (i = 0; i < NENDING; i++)
		catch_signal(ending[i], &block);
	catch_signal(SIGCHLD, &block);
	sigprocmask(SIG_BLOCK, &block, before);
	/* If they were blocked when we started, a run can be stopped all the same. */
	waiting = *before;
	for (i = 0; i < NENDING; i++)
		sigdelset(&waiting, ending[i]);
	sigdelset(&waiting, SIGCHLD);
}

int session_signal(void)
{
	return caught;
}

/* Wait for ns, or a signal, or until fd (-1: none) can be written. Return 1 in that last case. */
static int session_nap(int fd, uint64_t ns)
{
	struct timespec t = {.tv_sec = ns / 1000000000u, .tv_nsec = ns % 1000000000u};
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	return ppoll(&p, 1, &t, &waiting);
}

/* Complain that one of our outputs cannot be written, by errno. */
static int not_written(struct session *s, int fd)
{
	const char *what = "cannot write the standard error";

	s->unheard = true;
	if (fd == STDOUT_FILENO)
		what = "cannot write the standard output";
	return complain_errno(&s->why, what);
}

/* Write to one of our outputs, but not past the deadline, however slow its reader is. */
static int write_patiently(struct session *s, int fd, const uint8_t *p, size_t n)
{
	uint64_t now;
	ssize_t w;

	for (; n > 0; p += w, n -= (size_t)w) {
		w = 0;
		now = moment_ns();
		if (caught || now >= s->deadline)
			return complain(&s->why, "the output was not taken in time");
		if (session_nap(fd, s->deadline - now) < 1)
			continue;
		/* A pipe that is ready takes this much without blocking: pipe(7). */
		w = write(fd, p, order_min(n, 4096));
		if (w >= 0)
			continue;
		w = 0;
		if (errno == EPIPE)
			session_nap(-1, 0); /* SIGPIPE is pending, unless it is ignored */
		if (errno != EAGAIN && errno != EINTR)
			return not_written(s, fd);
	}
	return 0;
}

/* Pass on what the script printed; a fetch's output function. */
static int put_output(void *session, const uint8_t *p, size_t n)
{
	return write_patiently(session, STDOUT_FILENO, p, n);
}

/* Take what has come of the data, at most a buffer. Return the bytes taken, or -1 and why. */
static ssize_t take_data(struct session *s)
{
	uint8_t buf[65536];
	ssize_t n = pread(s->data, buf, sizeof(buf), s->data_at);

	if (n < 0)
		return complain(&s->why, "the guest's data: %s", strerror(errno));
	s->data_at += n;
	if (frames_feed(&s->frames, buf, n, fetch_frame, s->fetch) == 0)
		return n;
	if (s->frames.damaged)
		return complain(&s->why, "the guest's data: %s", s->frames.why.text);
	/* Either the frame made no sense, or put_output() has left its own reason. */
	if (s->fetch->why.text[0])
		s->why = s->fetch->why;
	return -1;
}

/* Show what has come of the console, at most a buffer. Return its bytes, or -1 and why. */
static ssize_t take_console(struct session *s)
{
	uint8_t buf[4096];
	ssize_t n;

	if (!s->show_console)
		return 0;
	n = pread(s->console, buf, sizeof(buf), s->console_at);
	if (n <= 0)
		return 0;
	s->console_at += n;
	if (write_patiently(s, STDERR_FILENO, buf, n) < 0)
		return -1;
	return n;
}

/* Move the deadline once the script has ended: QEMU then has only a little time left. */
static void session_linger(struct session *s)
{
	uint64_t until = moment_ns() + LINGER_NS;

	if (s->lingering)
		return;
	if (!s->fetch->ended)
		return;
	s->lingering = true;
	if (until < s->deadline)
		s->deadline = until;
}

/* Say how it went when QEMU has ended and all was read; why, if the data end inside a frame. */
static enum outcome session_judge(struct session *s)
{
	if (s->fetch->ended)
		return SESSION_DONE;
	if (frames_end(&s->frames) < 0)
		complain(&s->why, "the guest's data: %s", s->frames.why.text);
	return SESSION_DIED;
}

/* Look from time to time whether QEMU has room for its files. */
static bool has_room(struct session *s)
{
	uint64_t now = moment_ns();

	if (now - s->looked < ROOM_NS)
		return true;
	s->looked = now;
	return workdir_room(s->work, &s->why) == 0;
}

/* Take what has come of the data and of the console. Return its bytes, or -1 and why. */
static ssize_t take_all(struct session *s)
{
	ssize_t data = take_data(s), console;

	if (data < 0)
		return -1;
	console = take_console(s);
	if (console < 0)
		return -1;
	return data + console;
}

/* Return how a run ends whose time is over. */
static enum outcome session_late(const struct session *s)
{
	if (s->fetch->ended)
		return SESSION_DONE;
	return SESSION_LIMIT;
}

/* Return how a run ends of whose data something cannot be taken or passed on. */
static enum outcome session_broken(const struct session *s)
{
	if (s->unheard)
		return SESSION_UNHEARD;
	return SESSION_DAMAGED;
}

/* Follow the guest to its end, or until something else ends the run. */
static enum outcome session_follow(struct session *s)
{
	uint64_t pause;
	bool ended;
	ssize_t n;

	for (;;) {
		ended = qemu_ended(s->qemu); /* asked before reading, so that nothing is missed */
		n = take_all(s);
		session_linger(s);
		pause = 0;
		if (n == 0 && !ended)
			pause = NAP_NS;
		session_nap(-1, pause);
		if (caught)
			return SESSION_SIGNALLED;
		if (moment_ns() >= s->deadline)
			return session_late(s);
		if (n < 0)
			return session_broken(s);
		if (!has_room(s))
			return SESSION_FULL;
		if (ended && n == 0)
			return session_judge(s);
	}
}

/* Return whether such an end cannot come of a lack of room. */
static bool is_sure(enum outcome how)
{
	switch (how) {
	case SESSION_DONE:
	case SESSION_SIGNALLED:
	case SESSION_UNHEARD:
	case SESSION_FULL:
		return true;
	default:
		return false;
	}
}

/* What is missing for want of room looks like damage, or like a guest that has died. */
enum outcome session_run(struct session *s)
{
	struct complaint full;
	enum outcome how;

	frames_init(&s->frames);
	s->fetch->output = put_output;
	s->fetch->arg = s;
	how = session_follow(s);
	if (is_sure(how) || workdir_room(s->work, &full) == 0)
		return how;
	s->why = full;
	return SESSION_FULL;
}
