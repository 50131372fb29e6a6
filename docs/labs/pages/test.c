/*
 * Tries the profiler of lab 8: edges of the text, sums, and four CPUs that count while somebody
 * reads. What is wrong is printed, and the exit status is then 1. docs/labs/check runs it with
 * sanitizers, which see races between threads, too.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "pages.h"

#define TEXT 0x100400u
#define PAGES 5u
#define ETEXT (TEXT + 4 * PAGES_BYTES + 100) /* the last page is not whole */
#define TICKS 200000u

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);

static int started; /* memory may be allocated no longer */
static int failed;

static void check(int right, const char *what)
{
	if (right)
		return;
	printf("%s\n", what);
	failed = 1;
}

void *__wrap_malloc(size_t n)
{
	check(!started, "memory is allocated after the start");
	return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	check(!started, "memory is allocated after the start");
	return __real_calloc(n, size);
}

static uint64_t total(void)
{
	uint64_t counts[PAGES + 1] = { 0 }, sum = 0;

	pages_read(counts, PAGES + 1);
	for (size_t i = 0; i <= PAGES; i++)
		sum += counts[i];
	return sum;
}

/* A tick at an address is counted there, and nowhere else. */
static void lands(uintptr_t pc, size_t where, const char *what)
{
	uint64_t before[PAGES + 1] = { 0 }, after[PAGES + 1] = { 0 };

	pages_read(before, PAGES + 1);
	pages_tick(1, pc);
	pages_read(after, PAGES + 1);
	for (size_t i = 0; i <= PAGES; i++)
		check(after[i] == before[i] + (i == where), what);
}

static void *run_cpu(void *arg)
{
	unsigned cpu = (unsigned)(uintptr_t)arg;

	for (unsigned i = 0; i < TICKS; i++)
		pages_tick(cpu, TEXT + i * 64 % (6 * PAGES_BYTES));
	return NULL;
}

int main(void)
{
	pthread_t cpus[PAGES_CPUS];
	uint64_t some[2] = { 0, 77 }, last = 0, begun;

	check(pages_start(TEXT, ETEXT) == 0, "pages_start() fails");
	started = 1;
	check(pages_read(some, 1) == PAGES + 1,
	      "pages_read() has to say how many counts there are in all");
	check(some[1] == 77, "pages_read() writes more counts than were asked for");
	lands(TEXT, 1, "the first byte of the text is in the first page");
	lands(TEXT + PAGES_BYTES - 1, 1, "the last byte of a page is in that page");
	lands(TEXT + PAGES_BYTES, 2, "the first byte of the second page is in the second");
	lands(ETEXT - 1, PAGES, "the last byte of the text is in the last page");
	lands(ETEXT, 0, "what is behind the text is outside");
	lands(TEXT - 1, 0, "what is before the text is outside");
	lands(0, 0, "the address 0 is outside");
	lands(UINTPTR_MAX, 0, "the last address is outside");

	begun = total();
	for (uintptr_t i = 0; i < PAGES_CPUS; i++)
		pthread_create(&cpus[i], NULL, run_cpu, (void *)i);
	for (int i = 0; i < 100; i++) {
		uint64_t now = total();

		check(now >= last, "a sum that is read while CPUs count becomes smaller");
		last = now;
	}
	for (unsigned i = 0; i < PAGES_CPUS; i++)
		pthread_join(cpus[i], NULL);
	check(total() == begun + PAGES_CPUS * TICKS, "ticks of several CPUs are lost");
	return failed;
}
