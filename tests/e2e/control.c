/*
 * Measure how long the words take that start, stop and change the profiling clock, beside a process
 * that makes system calls and nothing else (C17). Prints for each word its name and, of ROUNDS
 * times, the one that three of four are within, and the longest, in microseconds.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 52

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

static int ascending(const void *a, const void *b)
{
	return *(const uint32_t *)a < *(const uint32_t *)b ? -1 : 1;
}

int main(void)
{
	static uint32_t took[NWORDS][ROUNDS];
	int ctl = open("/dev/kpctl", O_WRONLY);
	pid_t busy = fork();

	if (ctl < 0)
		err(1, "/dev/kpctl");
	while (busy == 0)
		getppid();
	for (unsigned i = 0; i < ROUNDS; i++)
		for (unsigned w = 0; w < NWORDS; w++) {
			took[w][i] = measure(ctl, words[w]);
			for (uint64_t end = now() + 1000000 + 700000 * (i * 7 % 13); now() < end;)
				getppid();
		}
	kill(busy, SIGTERM);
	for (unsigned w = 0; w < NWORDS; w++) {
		qsort(took[w], ROUNDS, sizeof(took[w][0]), ascending);
		printf("%s: %u %u\n", words[w], (unsigned)took[w][ROUNDS * 3 / 4],
		       (unsigned)took[w][ROUNDS - 1]);
	}
	return 0;
}
