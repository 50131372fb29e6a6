/* What the profilers have counted inside a guest: see inside.h. Here are kprof and the log. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/guest/inside.h"
#include "tools/memory.h"

#define MAXSHIFT 16 /* of buckets: see kpdata(5) */

/* Check that the kernel in memory is the image's: by the build ids, or by where its block is. */
static int check_kernel(struct inside *in, struct complaint *why)
{
	const struct symbols *s = &in->symbols;
	bool same = s->width == in->block.width;

	if (*s->buildid && *in->build)
		same = same && strcmp(s->buildid, in->build) == 0;
	else if (s->block)
		same = same && s->block == in->block.self;
	if (same)
		return 0;
	return complain(why, "the kernel in memory is another than %s; --kernel names its image, "
			"or is none", in->kernel);
}

/* Find out what is in the memory, and whether it is the kernel whose image is open. */
static int inside_look(struct inside *in, struct complaint *why)
{
	const struct symbols *s = NULL;

	if (in->kernel)
		s = &in->symbols;
	if (block_find(&in->block, in->ram, s, why) < 0)
		return -1;
	if (block_build(&in->block, in->build, why) < 0)
		return -1;
	if (!in->kernel)
		return 0;
	return check_kernel(in, why);
}

const char *inside_kernel(const char *given, char *path, size_t size)
{
	struct complaint none;

	if (given) {
		if (strcmp(given, "none") == 0)
			return NULL;
		return given;
	}
	if (buildtree_file(path, size, NULL, "gnomon.elf", &none) < 0)
		return NULL;
	if (access(path, F_OK) < 0)
		return NULL;
	return path;
}

/* The memory is ours from here on, whatever happens. */
int inside_open(struct inside *in, const char *kernel, struct ram *ram, struct complaint *why)
{
	struct complaint none;

	*in = (struct inside){.ram = ram};
	if (kernel) {
		if (symbols_load(&in->symbols, kernel, why) < 0) {
			ram->close(ram);
			return -1;
		}
		in->has_layout = layout_open(&in->layout, kernel, &none) == 0;
	}
	in->kernel = kernel;
	if (inside_look(in, why) == 0)
		return 0;
	inside_close(in);
	return -1;
}

/* The memory was given to inside_open(). */
void inside_close(struct inside *in)
{
	if (in->has_layout)
		layout_close(&in->layout);
	if (in->kernel)
		symbols_free(&in->symbols);
	in->ram->close(in->ram);
}

/* Return how many buckets of 2^shift bytes the kernel's text needs. */
static uint64_t inside_buckets(const struct inside_kprof *k, unsigned shift)
{
	return ((uint64_t)k->size + (1u << shift) - 1) >> shift;
}

/* Find the size of a bucket by how many there are. False: no size makes that number. */
static bool find_shift(struct inside_kprof *k)
{
	uint64_t most = (uint64_t)k->nbucket - PROF_KPROF_SPECIAL; /* buckets of text */

	if (k->nbucket <= PROF_KPROF_SPECIAL)
		return false;
	if (k->nbucket > BLOCK_MAXTABLE / sizeof(uint32_t))
		return false;
	while (k->shift < MAXSHIFT && inside_buckets(k, k->shift) > most)
		k->shift++;
	return inside_buckets(k, k->shift) == most;
}

/* Read what does not change, and make empty tables as large as the guest's. */
static int kprof_like(struct inside *in, struct inside_kprof *k, struct complaint *why)
{
	const struct block *b = &in->block;
	uint64_t ncpu, bytes = 0;
	unsigned cpu;

	if (block_number(b, PROF_BLOCK_KPROF_FIRST, 0, UINT64_MAX, &k->first, why) < 0)
		return -1;
	if (block_number32(b, PROF_BLOCK_KPROF_SIZE, 0, &k->size, why) < 0)
		return -1;
	if (block_number32(b, PROF_BLOCK_KPROF_NBUCKET, 0, &k->nbucket, why) < 0)
		return -1;
	if (block_number(b, PROF_BLOCK_KPROF_NCPU, 0, BLOCK_MAXCPU, &ncpu, why) < 0)
		return -1;
	if (ncpu == 0)
		return complain(why, "kprof was not ready in the guest");
	if (!find_shift(k))
		return complain(why, "kprof's tables are damaged");
	if (block_add_table(b, &bytes, ncpu * k->nbucket * sizeof(uint32_t), why) < 0)
		return -1;
	for (cpu = 0; cpu < ncpu; cpu++)
		k->cell[cpu] = memory_zeroed(k->nbucket, sizeof(uint32_t));
	k->ncpu = (unsigned)ncpu;
	return 0;
}

void inside_free(struct inside_kprof *k)
{
	unsigned cpu;

	for (cpu = 0; cpu < k->ncpu; cpu++)
		free(k->cell[cpu]);
}

/* Make the tables the first time, then only copy the counts: they keep their size. */
int inside_kprof(struct inside *in, struct inside_kprof *k, struct complaint *why)
{
	unsigned cpu;
	int bad = 0;

	if (k->ncpu == 0)
		bad = kprof_like(in, k, why); /* once is enough */
	if (!bad)
		bad = block_pace(&in->block, PROF_BLOCK_KPROF_PACE, 0, &k->pace, why);
	for (cpu = 0; !bad && cpu < k->ncpu; cpu++)
		bad = block_table(&in->block, PROF_BLOCK_KPROF_CELL, cpu, k->cell[cpu],
				  k->nbucket * sizeof(uint32_t), why);
	return bad;
}

/* Return a cell of all CPUs together. */
static uint64_t inside_sum(const struct inside_kprof *k, uint32_t i)
{
	uint64_t n = 0;
	unsigned cpu;

	for (cpu = 0; cpu < k->ncpu; cpu++)
		n += k->cell[cpu][i];
	return n;
}

/* Write a number of 32 bits, the most significant byte first. */
static void inside_put(FILE *to, uint64_t v)
{
	int shift;

	for (shift = 24; shift >= 0; shift -= 8)
		putc(v >> shift & 0xff, to);
}

/* The picture is the one that a reader of /dev/kpdata in the guest would get. */
int inside_kpdata(struct inside *in, FILE *to, struct complaint *why)
{
	struct inside_kprof k = {0};
	uint64_t total = 0;
	uint32_t i;
	int bad = inside_kprof(in, &k, why);

	if (!bad) {
		total = inside_sum(&k, PROF_KPROF_OUTSIDE);
		for (i = PROF_KPROF_SPECIAL; i < k.nbucket; i++)
			total += inside_sum(&k, i);
		if (total > UINT32_MAX)
			bad = complain(why, "kprof's ticks are %" PRIu64 ", for which kpdata has "
				       "no room", total);
	}
	if (!bad) {
		inside_put(to, total);
		inside_put(to, inside_sum(&k, PROF_KPROF_OUTSIDE));
		inside_put(to, prof_pace_mean(&k.pace, (uint32_t)total));
		inside_put(to, k.nbucket);
		inside_put(to, sizeof(uint32_t));
		inside_put(to, k.shift);
		for (i = PROF_KPROF_SPECIAL; i < k.nbucket; i++)
			inside_put(to, inside_sum(&k, i));
	}
	inside_free(&k);
	return bad;
}

/* The kernel counts every byte it prints; a ring holds the last of them. */
int inside_log(struct inside *in, FILE *to, struct complaint *why)
{
	struct location ring;
	uint64_t logged, i = 0;
	uint8_t *text;
	int bad = -1;

	if (in->has_layout)
		bad = layout_find(&in->layout, in->ram, "kernel/machine/print.c:log", &ring, why);
	if (bad) {
		complain(why, "where the kernel's console is kept is known of Gnomon alone, whose "
			 "image --kernel names");
		return 1;
	}
	if (layout_number(&in->layout, in->ram, &logged, why, "kernel/machine/print.c:logged") < 0)
		return -1;
	text = memory_zeroed(1, ring.size);
	bad = ram_kernel(in->ram, ring.address, text, ring.size, why);
	if (logged > ring.size)
		i = logged - ring.size;
	for (; !bad && i < logged; i++)
		putc(text[i % ring.size], to);
	free(text);
	return bad;
}

/* It is 0 until the kernel has measured it, early in its start. */
int inside_khz(struct inside *in, uint32_t *khz, struct complaint *why)
{
	uint64_t v = 0;

	if (!in->has_layout)
		return complain(why, "how fast its clocks run is known of Gnomon alone");
	if (layout_number(&in->layout, in->ram, &v, why, "kernel/machine/time.c:tsc_khz") < 0)
		return -1;
	*khz = (uint32_t)v;
	if (*khz == 0)
		return complain(why, "the guest's clocks do not run yet");
	return 0;
}
