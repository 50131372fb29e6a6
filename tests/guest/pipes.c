/* Pipes: ends, waiting, whole messages, much data. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define HOLDS 16384 /* bytes in a pipe */

static void make(int fd[2])
{
	must(pipe(fd) == 0);
}

static void ends(void)
{
	struct stat st;
	char buf[8];
	int fd[2];

	make(fd);
	must(write(fd[1], "abc", 3) == 3 && write(fd[1], "de", 2) == 2);
	must(fstat(fd[0], &st) == 0 && S_ISFIFO(st.st_mode) && st.st_size == 5);
	must(read(fd[0], buf, 4) == 4 && memcmp(buf, "abcd", 4) == 0);
	must(read(fd[0], buf, 8) == 1 && buf[0] == 'e');
	must_fail(read(fd[1], buf, 1), EBADF);
	must_fail(write(fd[0], buf, 1), EBADF);
	must(read(fd[0], buf, 0) == 0 && write(fd[1], buf, 0) == 0);
}

static void end_of_file(void)
{
	char buf[8];
	int fd[2], copy;

	make(fd);
	copy = dup(fd[1]);
	must(write(fd[1], "x", 1) == 1 && close(fd[1]) == 0);
	must(read(fd[0], buf, 8) == 1);
	must(write(copy, "y", 1) == 1 && close(copy) == 0);
	must(read(fd[0], buf, 8) == 1 && buf[0] == 'y');
	must(read(fd[0], buf, 8) == 0 && read(fd[0], buf, 8) == 0);
}

/* A waiting reader gets the end of file when the last writer dies. */
static void writer_dies(void)
{
	char c;
	int fd[2];
	pid_t pid;

	make(fd);
	pid = tap_sleeper();
	must(close(fd[1]) == 0);
	if (fork() == 0) {
		tap_sleep(50);
		kill(pid, SIGKILL);
		_exit(0);
	}
	must(read(fd[0], &c, 1) == 0);
}

static void write_without_reader(uintptr_t fd)
{
	write((int)fd, "x", 1);
}

static void no_reader(void)
{
	int fd[2];

	make(fd);
	close(fd[0]);
	must(tap_status(write_without_reader, (uintptr_t)fd[1]) == SIGPIPE);
	signal(SIGPIPE, SIG_IGN);
	must_fail(write(fd[1], "x", 1), EPIPE);
}

/* A writer waiting for room is told that the reader has gone. */
static void reader_dies(void)
{
	static char block[HOLDS];
	int fd[2];
	pid_t pid;

	make(fd);
	signal(SIGPIPE, SIG_IGN);
	pid = tap_sleeper();
	must(close(fd[0]) == 0);
	if (fork() == 0) {
		tap_sleep(50);
		kill(pid, SIGKILL);
		_exit(0);
	}
	must(write(fd[1], block, HOLDS) == HOLDS);
	must_fail(write(fd[1], block, 1), EPIPE);
}

static void reader_waits(void)
{
	int64_t start = tap_now();
	char c;
	int fd[2];

	make(fd);
	if (fork() == 0) {
		tap_sleep(100);
		write(fd[1], "x", 1);
		_exit(0);
	}
	must(read(fd[0], &c, 1) == 1 && c == 'x');
	must(tap_now() - start >= 100000000);
}

static void writer_waits(void)
{
	static char block[3 * HOLDS];
	int64_t start = tap_now();
	int fd[2];

	make(fd);
	if (fork() == 0) {
		close(fd[1]);
		tap_sleep(100);
		while (read(fd[0], block, sizeof(block)) > 0)
			;
		_exit(0);
	}
	must(write(fd[1], block, HOLDS) == HOLDS);
	must(tap_now() - start < 90000000);
	must(write(fd[1], block, sizeof(block)) == sizeof(block));
	must(tap_now() - start >= 100000000);
}

/* A signal kills a process that waits for a pipe. */
static void signal_ends_wait(void)
{
	char c;
	int fd[2], status;
	pid_t pid;

	make(fd);
	pid = fork();
	if (pid == 0) {
		read(fd[0], &c, 1);
		_exit(1);
	}
	tap_sleep(30);
	must(kill(pid, SIGTERM) == 0);
	must(waitpid(pid, &status, 0) == pid && status == SIGTERM);
}

/* ---- much */

/* Write the sequence in pieces of odd lengths. */
static void send(int fd, size_t total)
{
	static char buf[10000];
	uint32_t data = 1, length = 2;

	for (size_t done = 0, n; done < total; done += n) {
		n = tap_random(&length) % sizeof(buf) + 1;
		if (n > total - done)
			n = total - done;
		for (size_t i = 0; i < n; i++)
			buf[i] = (char)tap_random(&data);
		must(write(fd, buf, n) == (ssize_t)n);
	}
}

/* Read it in other pieces and check it; return how much came. */
static size_t receive(int fd)
{
	static char buf[7000];
	uint32_t data = 1, length = 3;
	size_t done = 0;
	ssize_t n;

	while ((n = read(fd, buf, tap_random(&length) % sizeof(buf) + 1)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			must(buf[i] == (char)tap_random(&data));
		done += (size_t)n;
	}
	must(n == 0);
	return done;
}

static void a_megabyte(void)
{
	int fd[2];
	pid_t pid;

	make(fd);
	pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		close(fd[0]);
		send(fd[1], 1 << 20);
		_exit(0);
	}
	close(fd[1]);
	must(receive(fd[0]) == 1 << 20);
	tap_join(pid);
}

enum { WRITERS = 5, MESSAGES = 300, LENGTH = 100 };

/* Write messages that consist of one letter each. */
static void write_messages(int fd, int letter)
{
	char message[LENGTH];

	memset(message, letter, sizeof(message));
	for (int i = 0; i < MESSAGES; i++)
		must(write(fd, message, sizeof(message)) == sizeof(message));
}

enum { PAIRS = 2, MANY = 400 };

/* What a process that reads has found of what each has written. */
struct found {
	unsigned bytes[PAIRS];
};

/* Write n bytes at a time, all of them this process's letter. */
static void write_pieces(int fd, int i, size_t n)
{
	static char piece[3 * HOLDS];

	memset(piece, 'a' + i, n);
	for (int k = 0; k < MANY; k++)
		must(write(fd, piece, n) == (ssize_t)n);
}

/* Count the letters that come; if n is more than 0, they do in messages of that length. */
static void count_letters(int fd, int to, size_t n)
{
	static char buf[HOLDS];
	struct found f = {{0}};
	ssize_t r;

	while ((r = read(fd, buf, n ? n : sizeof(buf))) > 0) {
		must(n == 0 || (size_t)r == n);
		for (ssize_t i = 0; i < r; i++) {
			must(n == 0 || buf[i] == buf[0]);
			f.bytes[buf[i] - 'a']++;
		}
	}
	must(r == 0 && write(to, &f, sizeof(f)) == sizeof(f));
}

/* Have two processes write pieces of n bytes, and two read what they write; all must arrive. */
static void two_and_two(size_t n, size_t message)
{
	pid_t pid[2 * PAIRS];
	unsigned sum[PAIRS] = {0};
	struct found f;
	int fd[2], result[2];

	make(fd);
	make(result);
	for (int i = 0; i < 2 * PAIRS; i++) {
		pid[i] = fork();
		must(pid[i] >= 0);
		if (pid[i] != 0)
			continue;
		close(fd[i < PAIRS ? 0 : 1]);
		if (i < PAIRS)
			write_pieces(fd[1], i, n);
		else
			count_letters(fd[0], result[1], message);
		_exit(0);
	}
	close(fd[0]);
	close(fd[1]);
	for (int i = 0; i < 2 * PAIRS; i++)
		tap_join(pid[i]);
	for (int i = 0; i < PAIRS; i++) {
		must(read(result[0], &f, sizeof(f)) == sizeof(f));
		for (int k = 0; k < PAIRS; k++)
			sum[k] += f.bytes[k];
	}
	for (int k = 0; k < PAIRS; k++)
		must(sum[k] == MANY * n);
}

/* Readers and writers at the same time, by what they write at once. */
static void many_at_once(void)
{
	two_and_two(100, 100);
	two_and_two(5000, 0);
	two_and_two(3 * HOLDS, 0);
}

/* Return the end of the program's memory, with some of it before that. */
static char *edge(void)
{
	char *end = sbrk(2 * HOLDS);

	must(end != (char *)-1);
	end += 2 * HOLDS - (uintptr_t)(end + 2 * HOLDS) % 4096;
	must(brk(end) == 0);
	return end;
}

static size_t held(int fd)
{
	struct stat st;

	must(fstat(fd, &st) == 0);
	return (size_t)st.st_size;
}

/* Return how many bytes a transfer has moved that had not memory enough. */
static size_t moved(ssize_t r)
{
	must(r > 0 || (r == -1 && errno == EFAULT));
	return r > 0 ? (size_t)r : 0;
}

/* What a transfer returns has moved, and no more, wherever memory ends. */
static void faults(void)
{
	static char buf[HOLDS];
	char *end = edge();
	size_t in, out;
	int fd[2];

	make(fd);
	must_fail(write(fd[1], end - 100, 101), EFAULT);
	must_fail(write(fd[1], end - 4095, 4096), EFAULT);
	must_fail(write(fd[1], end, HOLDS), EFAULT);
	for (int have = 0; have < HOLDS; have += 777) {
		must(held(fd[0]) == 0);
		for (int i = 0; i < have; i++)
			end[i - have] = (char)(i % 251);
		in = moved(write(fd[1], end - have, HOLDS));
		must(held(fd[0]) == in && in + 4096 > (size_t)have);
		if (in == 0)
			continue;
		must_fail(read(fd[0], end, 10), EFAULT);
		must_fail(read(fd[0], end - 1, 2), EFAULT);
		out = moved(read(fd[0], end - have / 2, HOLDS));
		must(held(fd[0]) == in - out && out + 4096 > (size_t)have / 2);
		must(read(fd[0], buf, in - out + 1) == (ssize_t)(in - out));
		for (size_t i = 0; i < in; i++)
			must((i < out ? end[i - have / 2] : buf[i - out]) == (char)(i % 251));
	}
}

static void read_whole(int fd, char *buf, size_t n)
{
	for (ssize_t r; n > 0; buf += r, n -= (size_t)r) {
		r = read(fd, buf, n);
		must(r > 0);
	}
}

static void whole_messages(void)
{
	char message[LENGTH];
	int fd[2], seen[WRITERS] = { 0 };

	make(fd);
	for (int i = 0; i < WRITERS; i++) {
		if (fork() == 0) {
			write_messages(fd[1], 'a' + i);
			_exit(0);
		}
	}
	close(fd[1]);
	for (int i = 0; i < WRITERS * MESSAGES; i++) {
		read_whole(fd[0], message, sizeof(message));
		for (int k = 1; k < LENGTH; k++)
			must(message[k] == message[0]);
		seen[message[0] - 'a']++;
	}
	must(read(fd[0], message, 1) == 0);
	for (int i = 0; i < WRITERS; i++)
		must(seen[i] == MESSAGES);
}

/* Return how often CPUs have changed from one process to another. */
static unsigned long long switches(void)
{
	unsigned long long sum = 0;
	const char *line = tap_read("/dev/sysstat");

	for (; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (strncmp(line, "cpu", 3) == 0)
			sum += strtoull(strchr(line, ' '), NULL, 10);
	return sum;
}

enum { CROWD = 100 };
static int there[2], back[2]; /* what its readers are sent, and send */
static pid_t reader[CROWD];
static int readers; /* as many as a small machine has memory for */

/* Fork readers that echo bytes. */
static void crowd(void)
{
	char c;

	make(there);
	make(back);
	for (readers = 0; readers < CROWD && (reader[readers] = fork()) > 0;)
		readers++;
	if (readers < CROWD && reader[readers] == 0) {
		close(there[1]);
		while (read(there[0], &c, 1) == 1)
			must(write(back[1], &c, 1) == 1);
		_exit(0);
	}
	must(readers-- >= 20); /* one less, to leave memory for what is asked for next */
	must(!kill(reader[readers], SIGKILL) && waitpid(reader[readers], NULL, 0) > 0);
	tap_sleep(200);
}

/* A byte wakes one reader of many, and several bytes as many as there are bytes. */
static void wakes_one(void)
{
	char buf[CROWD];

	crowd();
	unsigned long long before = switches();
	for (int i = 0; i < readers; i++)
		must(write(there[1], "x", 1) == 1 && read(back[0], buf, 1) == 1);
	must(switches() - before < 10 * (unsigned)readers);
	must(write(there[1], buf, readers) == readers);
	read_whole(back[0], buf, readers);
	must(close(there[1]) == 0);
	for (int i = 0; i < readers; i++)
		tap_join(reader[i]);
}

/* Wait until the process waits for something. */
static void until_waiting(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	for (int i = 0; strstr(tap_read(path), " waiting ") == NULL; i++) {
		must(i < 500);
		tap_sleep(10);
	}
}

/* Who is woken for a byte and ended before it reads that, or cannot, keeps it from nobody. */
static void wakes_another(void)
{
	char c;

	crowd();
	for (int i = 0; i < readers - 1; i++) {
		if (i % 2)
			must(kill(reader[i], SIGKILL) == 0 && write(there[1], "x", 1) == 1);
		else
			must(write(there[1], "x", 1) == 1 && kill(reader[i], SIGKILL) == 0);
	}
	while (held(there[0]) > 0)
		tap_sleep(10);
	for (int i = 0; i < readers - 1; i++)
		must(waitpid(reader[i], NULL, 0) == reader[i]); /* it may read until it is over */
	pid_t faulty = fork();
	if (faulty == 0)
		_exit(read(there[0], (char *)16, 1) == -1 ? 0 : 1);
	until_waiting(faulty); /* else its "z" may go to the other, and nothing to it */
	must(write(there[1], "y", 1) == 1);
	do
		must(read(back[0], &c, 1) == 1);
	while (c != 'y');
	must(write(there[1], "z", 1) == 1);
	tap_join(faulty);
	must(close(there[1]) == 0);
	tap_join(reader[readers - 1]);
}

/* A process at each end of a chain of pipes. */
static void chain(void)
{
	enum { LINKS = 20 };
	int first[2], fd[2], from;
	char buf[64];
	ssize_t n;

	make(first);
	from = first[0];
	for (int i = 0; i < LINKS; i++) {
		make(fd);
		if (fork() == 0) {
			close(first[1]);
			close(fd[0]);
			while ((n = read(from, buf, sizeof(buf))) > 0)
				must(write(fd[1], buf, (size_t)n) == n);
			_exit(0);
		}
		close(from);
		close(fd[1]);
		from = fd[0];
	}
	must(write(first[1], "through all of them", 19) == 19 && close(first[1]) == 0);
	read_whole(from, buf, 19);
	must(memcmp(buf, "through all of them", 19) == 0 && read(from, buf, 1) == 0);
}

static void pipes_do_not_leak(void)
{
	size_t before = tap_memory_left();
	int fd[2];

	for (int i = 0; i < 300; i++) {
		make(fd);
		must(write(fd[1], "left behind", 11) == 11);
		must(close(fd[i % 2]) == 0 && close(fd[1 - i % 2]) == 0);
	}
	must(tap_memory_back(before, 4));
}

#define READERS 16

/* Return the pages taken by processes that wait to read n bytes. */
static size_t taken(size_t n)
{
	static char buf[65536];
	size_t before = tap_memory_left(), left;
	pid_t pid[READERS];
	int fd[2];

	make(fd);
	for (int i = 0; i < READERS; i++) {
		pid[i] = fork();
		if (pid[i] == 0)
			_exit(read(fd[0], buf, n) == 0 ? 0 : 1);
	}
	for (int i = 0; i < READERS; i++)
		until_waiting(pid[i]);
	left = tap_memory_left();
	must(close(fd[1]) == 0 && close(fd[0]) == 0);
	for (int i = 0; i < READERS; i++)
		tap_finish(pid[i]);
	return before - left;
}

/* A process waiting for a large read holds no more memory than a pipe, for it may wait long. */
static void waiting_is_cheap(void)
{
	size_t one;

	taken(1);
	one = taken(1);
	must(taken(65536) < one + 2 * READERS);
}

/* A full pipe has four pages, and an empty one keeps no more than one of them. */
static void gives_pages_back(void)
{
	static char buf[16384];
	size_t empty, full;
	int fd[2];

	make(fd);
	must(write(fd[1], "x", 1) == 1 && read(fd[0], buf, 1) == 1);
	empty = tap_memory_left();
	must(write(fd[1], buf, sizeof(buf)) == (ssize_t)sizeof(buf));
	full = tap_memory_left();
	must(full + 3 <= empty);
	for (size_t got = 0; got < sizeof(buf); got += 4096)
		must(read(fd[0], buf, 4096) == 4096);
	must(tap_memory_left() >= full + 3 && close(fd[1]) == 0 && close(fd[0]) == 0);
}

static const struct tap_case cases[] = {
	{ "data go from one end of a pipe to the other", ends },
	{ "the end of the file", end_of_file },
	{ "the writer dies", writer_dies },
	{ "writing without a reader is EPIPE", no_reader },
	{ "the reader dies", reader_dies },
	{ "the reader waits", reader_waits },
	{ "the writer waits", writer_waits },
	{ "a signal ends a wait", signal_ends_wait },
	{ "a megabyte goes through a pipe", a_megabyte },
	{ "messages stay whole", whole_messages },
	{ "two write and two read at the same time", many_at_once },
	{ "a transfer ends where memory does", faults },
	{ "a chain of 20 pipes", chain },
	{ "a byte wakes one of many readers", wakes_one },
	{ "a reader that is ended keeps its byte from nobody", wakes_another },
	{ "waiting to read much takes little memory", waiting_is_cheap },
	{ "an empty pipe gives its pages back", gives_pages_back },
	{ "300 pipes leak no memory", pipes_do_not_leak },
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
