/*
 * The arguments of profil(2) and sprofil(2), and the regions in a program's memory: they may be
 * anything, and no count may go where it does not belong.
 * Runs: 40000
 * Links: tests/fuzz/mutate.c tests/kernel/fakes.c prof/prof_profil.c
 * Flags: -Wno-shadow -D_SYS_SELECT_H -D__timeval_defined
 */
#include "tests/kernel/fakes.h"
#include "tests/fuzz/fuzz.h"
#include "kernel/prof/hooks.h"

/* An instruction that this machine has not got, and nobody executes. */
#define read_eflags() 0u
#include "kernel/prof/profil.c"
#include "prof/prof_profilers.h"

#define ARGS 4u /* words, after one that says which call it is */
#define PCS 8u  /* addresses of samples, before the memory */

struct prof profilers, *const prof = &profilers;
struct mutex prof_lock;
static unsigned held; /* how often the clock was started and not stopped */

/* There are no ticks here, so nothing of theirs is due or switched. */
void prof_switch(struct prof *p, uint32_t mask, bool on)
{
}

void calls_give(struct proc *child)
{
}

void prof_beat_begin(struct prof_beat *b, uint32_t period, uint32_t seed)
{
	*b = (struct prof_beat){.left = (int32_t)period, .period = period, .random = seed};
}

uint32_t prof_beat_due(struct prof_beat *b, uint32_t us)
{
	return 0;
}

static void change(int more, void (*then)(void *arg), void *arg)
{
	held += more;
}

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	for (size_t at = 0; at < n; at += 4)
		fuzz_field(f, n, at, 4, FUZZ_LITTLE);
}

void fuzz_seal(uint8_t *data, size_t n)
{
}

/* Count samples at those addresses, as ticks would note them. */
static void sample(const uint32_t *pc)
{
	struct profiled *d = fake_self->prof.profil;

	if (!d)
		return;
	for (uint32_t i = 0; i < PCS; i++) {
		d->noted.queue[i].pc = pc[i];
		d->noted.queue[i].n = pc[i] % 70000;
	}
	d->noted.queued = PCS;
	profil_off();
}

/* A word that says which call; its arguments; addresses; then the user's memory. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint32_t word[1 + ARGS + PCS] = {0}, arg[5] = {0};
	long before = fake_allocs;
	int32_t r;

	if (n < sizeof(word) || n > 4096)
		return -1;
	memcpy(word, data, sizeof(word));
	memcpy(arg, word + 1, ARGS * sizeof(*arg));
	memset(fake_user, 0, sizeof(fake_user));
	memcpy(fake_user, data + sizeof(word), n - sizeof(word));
	profil_clock(change);
	r = word[0] & 1 ? sys_sprofil(arg) : sys_profil(arg);
	if (r > 0 || (r < 0 && (!(word[0] & 1) || fake_self->prof.profil)))
		abort();
	sample(word + 1 + ARGS);
	if (fake_self->prof.profil || held || fake_allocs != before || fake_locks || fake_mutexes)
		abort();
	return 0;
}
