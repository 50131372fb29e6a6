/* Time from the cycle counter. */
#include "kernel/machine/time.h"
#include "kernel/abi/errno.h"
#include "kernel/abi/timepage.h"
#include "kernel/machine/i386.h"

/* Constant after time_init(): */
static union {
	struct time_page t;
	uint8_t page[PAGE]; /* that programs can read */
} clock __attribute__((aligned(PAGE)));
static uint32_t tsc_khz;

/* Begin to tell the time: the cycle counter runs at tsc_hz, and it is unix_time now. */
void time_init(uint64_t tsc_hz, int64_t unix_time)
{
	uint64_t m;

	clock.t.shift = 32;
	while ((m = (1000000000ull << clock.t.shift) / tsc_hz) > UINT32_MAX)
		clock.t.shift--;
	clock.t.mult = (uint32_t)m;
	tsc_khz = (uint32_t)(tsc_hz / 1000);
	clock.t.unix_start = unix_time;
	clock.t.start = rdtsc();
}

/* Convert cycles of the TSC to nanoseconds; 0 before time_init(). */
uint64_t time_cycles(uint64_t cycles)
{
	return time_page_ns(&clock.t, cycles);
}

/* Return the nanoseconds since time_init(); 0 before. Any context. */
uint64_t time_ns(void)
{
	return time_cycles(rdtsc() - clock.t.start);
}

/* Return the seconds since 1970. */
int64_t time_unix(void)
{
	uint64_t ns = time_ns();

	div64(&ns, 1000000000);
	return clock.t.unix_start + (int64_t)ns;
}

uint64_t time_start(void)
{
	return clock.t.start;
}

/*
 * Compute when a time span that begins now ends: sec seconds and part of parts (10^6 or 10^9)
 * of one. Longer ones are cut to 2^31 - 1 seconds. -EINVAL if either is out of range.
 */
int time_after(int64_t sec, int32_t part, uint32_t parts, uint64_t *deadline)
{
	if (sec < 0 || (uint32_t)part >= parts) /* which a negative one is, too */
		return -EINVAL;
	if (sec > INT32_MAX)
		sec = INT32_MAX;
	*deadline = time_ns() + (uint64_t)sec * 1000000000u +
		    (uint32_t)part * (1000000000u / parts);
	return 0;
}

const void *time_page(void)
{
	return &clock;
}

/* Return the cycle counter's rate. */
uint32_t time_tsc_khz(void)
{
	return tsc_khz;
}
