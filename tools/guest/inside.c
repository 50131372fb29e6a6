/* What the profilers have counted inside a guest: see inside.h. Here are kprof and the log. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "prof/prof_tick.h"
#include "tools/buildtree.h"
#include "tools/guest/inside.h"
#include "tools/memory.h"

#define MAXSHIFT 16 /* of buckets: see kpdata(5) */

/* Check that the kernel in memory is the image's: by the build ids, or by where its block is. */
static int check_kernel(struct inside *in, struct complaint *why)
{
	const struct symbols *s = &in->symbols;
	bool same = s->width == in->block.width;

	if (same && *s->buildid && *in->build)
		same = strcmp(s->buildid, in->build) == 0;
	else if (same && s->block)
		same = s->block == in->block.self;
	return same ? 0 : complain(why, "the kernel in memory is another than %s; --kernel names "
				   "its image, or is none", in->kernel);
}

/* Find out what is in the memory, and whether it is the kernel whose image is open. */
static int look(struct inside *in, struct complaint *why)
{
	if (block_find(&in->block, in->ram, in->kernel ? &in->symbols : NULL, why) < 0 ||
	    block_build(&in->block, in->build, why) < 0)
		return -1;
	return in->kernel ? check_kernel(in, why) : 0;
}

const char *inside_kernel(const char *given, char *path, size_t size)
{
	struct complaint none;

	if (given)
		return strcmp(given, "none") == 0 ? NULL : given;
	if (buildtree_file(path, size, NULL, "gnomon.elf", &none) < 0 || access(path, F_OK) < 0)
		return NULL;
	return path;
}

/* The memory is ours from here on, whatever happens. */
int inside_open(struct inside *in, const char *kernel, struct ram *ram, struct complaint *why)
{
	struct complaint none;

	*in = (struct inside){.ram = ram};
	if (kernel && symbols_load(&in->symbols, kernel, why) < 0) {
		ram->close(ram);
		return -1;
	}
	in->kernel = kernel;
	in->has_layout = kernel && layout_open(&in->layout, kernel, &none) == 0;
	if (look(in, why) == 0)
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

/* Read what does not change, and make empty tables as large as the guest's. */
static int kprof_like(struct inside *in, struct inside_kprof *k, struct complaint *why)
{
	const struct block *b = &in->block;
	uint64_t ncpu, most;
	unsigned cpu;

	if (block_number(b, PROF_BLOCK_KPROF_FIRST, 0, UINT64_MAX, &k->first, why) < 0 ||
	    block_number32(b, PROF_BLOCK_KPROF_SIZE, 0, &k->size, why) < 0 ||
	    block_number32(b, PROF_BLOCK_KPROF_NBUCKET, 0, &k->nbucket, why) < 0 ||
	    block_number(b, PROF_BLOCK_KPROF_NCPU, 0, BLOCK_MAXCPU, &ncpu, why) < 0)
		return -1;
	most = (uint64_t)k->nbucket - PROF_KPROF_SPECIAL; /* buckets of text */
	while (k->shift < MAXSHIFT && k->nbucket > PROF_KPROF_SPECIAL &&
	       ((uint64_t)k->size + (1u << k->shift) - 1) >> k->shift > most)
		k->shift++;
	if (ncpu == 0)
		return complain(why, "kprof was not ready in the guest");
	if (k->nbucket <= PROF_KPROF_SPECIAL || k->nbucket > BLOCK_MAXTABLE / sizeof(uint32_t) ||
	    ((uint64_t)k->size + (1u << k->shift) - 1) >> k->shift != most)
		return complain(why, "kprof's tables are damaged");
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
	int bad = k->ncpu > 0 ? 0 : kprof_like(in, k, why); /* once is enough */

	if (!bad)
		bad = block_pace(&in->block, PROF_BLOCK_KPROF_PACE, 0, &k->pace, why);
	for (cpu = 0; !bad && cpu < k->ncpu; cpu++)
		bad = block_table(&in->block, PROF_BLOCK_KPROF_CELL, cpu, k->cell[cpu],
				  k->nbucket * sizeof(uint32_t), why);
	return bad;
}

/* Return a cell of all CPUs together. */
static uint32_t sum(const struct inside_kprof *k, uint32_t i)
{
	uint32_t n = 0;
	unsigned cpu;

	for (cpu = 0; cpu < k->ncpu; cpu++)
		n += k->cell[cpu][i];
	return n;
}

/* Write a number, the most significant byte first. */
static void put(FILE *to, uint32_t v)
{
	int shift;

	for (shift = 24; shift >= 0; shift -= 8)
		putc(v >> shift & 0xff, to);
}

/* The picture is the one that a reader of /dev/kpdata in the guest would get. */
int inside_kpdata(struct inside *in, FILE *to, struct complaint *why)
{
	struct inside_kprof k = {0};
	uint32_t total, i;
	int bad = inside_kprof(in, &k, why);

	if (!bad) {
		total = sum(&k, PROF_KPROF_OUTSIDE);
		for (i = PROF_KPROF_SPECIAL; i < k.nbucket; i++)
			total += sum(&k, i);
		put(to, total);
		put(to, sum(&k, PROF_KPROF_OUTSIDE));
		put(to, prof_pace_mean(&k.pace, total));
		put(to, k.nbucket);
		put(to, sizeof(uint32_t));
		put(to, k.shift);
		for (i = PROF_KPROF_SPECIAL; i < k.nbucket; i++)
			put(to, sum(&k, i));
	}
	inside_free(&k);
	return bad;
}

/* The kernel counts every byte it prints; a ring holds the last of them. */
int inside_log(struct inside *in, FILE *to, struct complaint *why)
{
	struct location ring;
	uint64_t logged, i;
	uint8_t *text;
	int bad;

	if (!in->has_layout ||
	    layout_find(&in->layout, in->ram, "kernel/print.c:log", &ring, why) < 0) {
		complain(why, "where the kernel's console is kept is known of Gnomon alone, whose "
			 "image --kernel names");
		return 1;
	}
	if (layout_number(&in->layout, in->ram, &logged, why, "kernel/print.c:logged") < 0)
		return -1;
	text = memory_zeroed(1, ring.size);
	bad = ram_kernel(in->ram, ring.address, text, ring.size, why);
	for (i = logged < ring.size ? 0 : logged - ring.size; !bad && i < logged; i++)
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
	if (layout_number(&in->layout, in->ram, &v, why, "kernel/clock.c:tsc_khz") < 0)
		return -1;
	*khz = (uint32_t)v;
	return *khz > 0 ? 0 : complain(why, "the guest's clocks do not run yet");
}
