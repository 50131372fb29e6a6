/*
 * Measure how long the words take that start, stop and change the profiling clock, beside a process
 * that makes system calls and nothing else (C17). Prints for each word its name, how
 * often it was said, in how many times it took no more than SOON, and the longest time, in
 * microseconds.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 52
#define SOON 5000 /* us */

static const char *const words[] = {
	"startclr", "hz 1000", "clock irq", "clock nmi", "stop", "clock irq", "clock nmi",
};

#define NWORDS (sizeof(words) / sizeof(words[0]))

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Return how long a word takes, in microseconds. */
static uint32_t measure(int ctl, const char *word)
{
	uint64_t from = now();

	if (write(ctl, word, strlen(word)) < 0)
		err(1, "%s", word);
	return (uint32_t)((now() - from) / 1000);
}

int main(void)
{
	uint32_t longest[NWORDS] = {0};
	unsigned soon[NWORDS] = {0};
	int ctl = open("/dev/kpctl", O_WRONLY);
	pid_t busy = fork();

	if (ctl < 0)
		err(1, "/dev/kpctl");
	while (busy == 0)
		getppid();
	for (unsigned i = 0; i < ROUNDS; i++)
		for (unsigned w = 0; w < NWORDS; w++) {
			uint32_t took = measure(ctl, words[w]);

			soon[w] += took <= SOON;
			if (took > longest[w])
				longest[w] = took;
			for (uint64_t end = now() + 1000000 + 700000 * (i * 7 % 13); now() < end;)
				getppid();
		}
	kill(busy, SIGTERM);
	for (unsigned w = 0; w < NWORDS; w++)
		printf("%s: %u %u %u\n", words[w], ROUNDS, soon[w], (unsigned)longest[w]);
	return 0;
}
