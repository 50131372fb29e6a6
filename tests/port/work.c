/* Work whose profile is known. */
#include "tests/port/host.h"

#define WORK __attribute__((noinline)) static
#define OFTEN 200 /* calls of step() in a round */

/* Each in a cache line of its own, or processors that work at once would wait for each other. */
static struct {
	volatile uint32_t n __attribute__((aligned(64)));
} sum[CPUS];

WORK void light(void)
{
	volatile uint32_t *s = &sum[machine_cpu()].n;
	uint32_t n;

	for (n = 0; n < 1000; n++)
		*s += n;
}

/* Takes three times as long. */
WORK void heavy(void)
{
	volatile uint32_t *s = &sum[machine_cpu()].n;
	uint32_t n;

	for (n = 0; n < 3000; n++)
		*s += n;
}

WORK void both(void)
{
	light();
	heavy();
	sum[0].n++;
}

/* Calls itself so often, and light() at the end. */
WORK void deep(uint32_t times)
{
	if (times > 0)
		deep(times - 1);
	else
		light();
	sum[0].n++;
}

/* So little that what the calls themselves cost is seen. */
WORK void step(volatile uint32_t *own)
{
	(*own)++;
}

/* It calls nothing, not even what counts calls: on some machines it has no frame. */
WORK __attribute__((no_instrument_function)) void quiet(volatile uint32_t *own)
{
	uint32_t n;

	for (n = 0; n < 1000; n++)
		*own += n;
}

__attribute__((noinline)) void work(void)
{
	volatile uint32_t *own = &sum[machine_cpu()].n;
	uint32_t i;

	for (i = 0; i < 5 * ROUNDS; i++)
		both();
	for (i = 0; i < ROUNDS; i++)
		deep(3);
	for (i = 0; i < OFTEN * ROUNDS; i++)
		step(own);
	for (i = 0; i < ROUNDS; i++)
		quiet(own);
}

__attribute__((noinline)) void serve(void)
{
	uint32_t n;

	for (n = 0; n < 100; n++)
		sum[0].n += n;
}

bool run(void)
{
	bool good = profile_start() && machine_start();

	work();
	machine_program();
	machine_wait();
	return profile_write() && good;
}
