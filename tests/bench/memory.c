/* Cases of bench: page faults, and the C library's heap. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/bench/bench.h"

#define PAGE 4096
#define PAGES 256
#define LARGEST 4096 /* bytes of a block of the heap */
#define AGED 10	     /* how often each block has been replaced */

static char *page; /* the next to be touched */

/* Get pages that nobody has touched yet, the first WARM of them to be touched unmeasured. */
static void fault_start(void)
{
	page = sbrk(2 * PAGES * PAGE);
	bench_want(page != (char *)-1, "sbrk");
}

/* The same, but touched, and shared with another process from then on. */
static void copy_start(void)
{
	fault_start();
	memset(page, 1, 2 * PAGES * PAGE);
	bench_sleepers(1);
}

static void touch(unsigned n)
{
	for (; n-- > 0; page += PAGE)
		*(volatile char *)page = 1;
}

/* Return the next of a row of pseudo-random numbers. */
static unsigned random_below(unsigned end)
{
	static unsigned long x = 1;

	x = x * 1103515245 + 12345;
	return (x >> 16) % end;
}

static void **blocks; /* bench_size in use */

/* Replace blocks here and there by blocks of other sizes. */
static void mallocs(unsigned n)
{
	while (n-- > 0) {
		void **block = &blocks[random_below(bench_size)];

		free(*block);
		*block = malloc(1 + random_below(LARGEST));
	}
}

/* Have a heap with about as many free blocks between those in use as long use leaves there. */
static void heap_start(void)
{
	blocks = calloc(bench_size, sizeof(*blocks));
	bench_want(blocks, "calloc");
	mallocs(AGED * bench_size);
}

const struct bench_case bench_memory[] = {
	{"fault", fault_start, touch, NULL, .times = PAGES},
	{"copy", copy_start, touch, bench_wake, .times = PAGES},
	{"malloc", heap_start, mallocs, NULL, .times = 1000, .sizes = {10, 100, 1000, 4000, 16000}},
	{NULL},
};
