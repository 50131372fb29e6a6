/*
 * compare: compares a profile with the truth, which plugin.c counted meanwhile. Prints a record
 * for tests/bench/results, with tabs between its fields:
 *
 *	compare functions IMAGE TRUTH PROFILE MACHINE WHAT judged|shown
 *	compare buckets IMAGE TRUTH PROFILE MACHINE WHAT judged|shown
 *	compare busy IMAGE TRUTH PROFILE MACHINE WHAT judged|shown	functions but for cpu_idle
 *		profile MACHINE WHAT judged|shown SAMPLES DISTANCE EXPECTED P CHI2P MOST WHERE RAN
 *	compare calls IMAGE TRUTH PROFILE MACHINE [LOST]	gmon's arcs, by the functions called
 *	compare covered IMAGE TRUTH PROFILE MACHINE		coverage, by instructions
 *		count MACHINE WHAT THINGS TRUTH COUNTED LOST WRONG
 *
 * If PROFILE is -, the samples are those of a sampler that can only interrupt between QEMU's
 * translated blocks. The image is the kernel, or a program at whose addresses no other runs.
 * Wrong counts are listed on the standard error. Exit status: 0, or 2 after an error.
 * Links: tests/truth/sampling.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/profread.h"
#include "tests/truth/sampling.h"

#define CALL 0xe8 /* a call's first byte: an entry that is patched in */
#define BUCKET 8u /* bytes of text, of those that samples are told apart by */

/* A function, or a bucket, or all that is in none. */
struct bin {
	uint32_t start; /* its address; 0: what is outside the image */
	uint64_t truth, between, calls, arcs;
};

/* An instruction of the image. */
struct truth {
	uint32_t pc;
	unsigned byte;
	uint64_t n; /* times that it ran */
};

static struct images images;
static struct image *image;
static struct profdata profile;
static bool buckets;	 /* bins are these, and not functions */
static bool busy;	 /* what idle CPUs do is left out */
static struct bin *bins; /* the last is for the rest */
static size_t nbin;
static struct truth *truths;
static size_t ntruth;

static void fail(const char *what)
{
	fprintf(stderr, "compare: %s\n", what);
	exit(2);
}

/* Return the bin that an address is in. */
static struct bin *bin_at(uint32_t pc)
{
	const struct symbol *s;

	if (pc < image->text || pc >= image->etext)
		return &bins[nbin - 1];
	if (buckets)
		return &bins[(pc - image->text) / BUCKET];
	s = image_symbol(image, pc);
	return s ? &bins[s - image->symbols.sym] : &bins[nbin - 1];
}

static void open_image(const char *path)
{
	struct complaint why;
	size_t i;

	images_init(&images);
	if (images_add(&images, path, &why) < 0)
		fail(why.text);
	image = images.image[images.n - 1];
	nbin = buckets ? (image->etext - image->text + BUCKET - 1) / BUCKET : image->symbols.n;
	bins = memory_zeroed(++nbin, sizeof(*bins));
	for (i = 0; i < nbin - 1; i++)
		bins[i].start = buckets ? image->text + BUCKET * (uint32_t)i
					: (uint32_t)image->symbols.sym[i].start;
}

/* Name a bin for people. */
static void put_bin(FILE *to, const struct bin *b)
{
	const struct symbol *s = b->start ? image_symbol(image, b->start) : NULL;

	if (s && buckets)
		fprintf(to, "%s+%#x", s->name, (unsigned)(b->start - s->start));
	else
		fputs(s ? s->name : "[outside]", to);
}

/*
 * Whether a function begins with a call of the profiler: all functions of a program do, and
 * those of the kernel have this nop in its place in the file.
 */
static bool has_pad(FILE *elf, const struct bin *b)
{
	static const uint8_t nop[] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
	uint32_t offset = b->start ? image_offset(image, b->start) : 0;
	uint8_t code[sizeof(nop)];

	if (!image->kernel)
		return true;
	return offset && fseek(elf, offset, SEEK_SET) == 0 &&
	       fread(code, sizeof(code), 1, elf) == 1 && memcmp(code, nop, sizeof(nop)) == 0;
}

/* Count what ran outside the image too, if the profile does. */
static void read_truth(const char *path, bool outside)
{
	FILE *f = fopen(path, "r");
	size_t room = 0;
	struct truth t;
	unsigned long long n, in_ticks, between;
	struct bin *b;

	if (!f)
		fail(path);
	while (fscanf(f, "%x %x %llu %llu %llu", &t.pc, &t.byte, &n, &in_ticks, &between) == 5) {
		t.n = n;
		b = bin_at(t.pc);
		if (b != &bins[nbin - 1] || outside) {
			b->truth += n - in_ticks;
			b->between += between;
		}
		if (t.pc == b->start && t.byte == CALL)
			b->calls += n;
		truths = memory_grow(truths, &room, ntruth + 1, sizeof(*truths));
		truths[ntruth++] = t;
	}
	if (!feof(f) || ntruth == 0)
		fail(path);
	fclose(f);
}

static void read_profile(const char *path)
{
	struct complaint why;

	if (strcmp(path, "-") != 0 && profread(&profile, path, &images, &why) < 0)
		fail(why.text);
}

/* Whether an address of the profile is in the image. */
static bool ours(uint32_t i)
{
	return i != PROFDATA_NONE && profile.image[i].elf == image;
}

/* Whether the profile counts what runs outside the image. */
static bool counts_outside(void)
{
	return image->kernel && profile.format && strcmp(profile.format, "gmon.out") != 0 &&
	       strcmp(profile.format, "modules") != 0;
}

/* prf(7) gives idle time a reason, not an address: this is where it is spent. */
static struct bin *idle_bin(void)
{
	size_t i;

	for (i = 0; i < image->symbols.n; i++)
		if (strcmp(image->symbols.sym[i].name, "cpu_idle") == 0)
			return bin_at((uint32_t)image->symbols.sym[i].start);
	return &bins[nbin - 1];
}

/* Take the profile's samples by bin; without a profile, what is found between QEMU's blocks. */
static void sum_samples(uint64_t *samples)
{
	struct bin *outside = &bins[nbin - 1], *idle = idle_bin(), *to;
	const struct profdata_frame *leaf;
	size_t i;

	for (i = 0; i < nbin && !profile.format; i++)
		samples[i] = bins[i].between;
	for (i = 0; i < profile.nsample; i++) {
		const struct profdata_sample *s = &profile.sample[i];

		leaf = profdata_leaf(&profile, s);
		if (leaf && ours(leaf->image))
			to = bin_at(leaf->pc);
		else if (leaf || s->mode == PROFDATA_USER || s->mode == PROFDATA_OUTSIDE)
			to = outside;
		else if (s->mode == PROFDATA_IDLE)
			to = idle;
		else
			continue; /* no room for its path: nobody knows where */
		if (to != outside || counts_outside())
			samples[to - bins] += s->count;
	}
}

/*
 * Leave out what idle CPUs do. Where CPUs take turns an idle one gives up each of its own, so that
 * it has as many ticks as a busy one, but few instructions that these could be held against.
 */
static void leave_out_idle(uint64_t *samples)
{
	struct bin *idle = idle_bin();

	if (idle == &bins[nbin - 1])
		fail("the image has no cpu_idle");
	idle->truth = 0;
	samples[idle - bins] = 0;
}

/* Compare the profile's samples with the shares of what ran. */
static void sampled(const char *machine, const char *what, const char *judged)
{
	uint64_t *samples = memory_zeroed(nbin, sizeof(*samples));
	double *share = memory_zeroed(nbin, sizeof(*share)), all = 0;
	struct sampling s;
	size_t i;

	sum_samples(samples);
	if (busy)
		leave_out_idle(samples);
	for (i = 0; i < nbin; i++)
		all += (double)bins[i].truth;
	for (i = 0; i < nbin && all > 0; i++)
		share[i] = (double)bins[i].truth / all;
	sampling_compare(&s, samples, share, nbin);
	if (s.n == 0 || all == 0)
		fail("there are no samples");
	printf("profile\t%s\t%s\t%s\t%.0f\t%.6f\t%.6f\t%.6f\t%.6f\t%.2f\t", machine, what,
	       judged, s.n, s.distance, s.expected, s.p, s.chi2_p, s.most);
	put_bin(stdout, &bins[s.where]);
	printf("\t%zu\n", s.ran);
	free(samples);
	free(share);
}

static void put_count(const char *machine, const char *what, uint64_t things, uint64_t truth,
		      uint64_t counted, uint64_t lost, uint64_t wrong)
{
	printf("count\t%s\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\n", machine, what,
	       (unsigned long long)things, (unsigned long long)truth,
	       (unsigned long long)counted, (unsigned long long)lost, (unsigned long long)wrong);
}

/* Compare arcs with entries: each entry is a call in an arc, except for those that were lost. */
static void calls(const char *machine, uint64_t lost)
{
	uint64_t made = 0, counted = 0, functions = 0, wrong = 0;
	FILE *elf = fopen(image->path, "r");
	size_t i;

	if (!elf)
		fail(image->path);
	for (i = 0; i < profile.narc; i++)
		bin_at(profile.arc[i].selfpc)->arcs += profile.arc[i].count;
	for (i = 0; i < nbin; i++) {
		struct bin *b = &bins[i];

		if (!has_pad(elf, b))
			b->calls = 0; /* another call stands there */
		made += b->calls;
		counted += b->arcs;
		functions += b->calls > 0;
		if (b->calls == b->arcs || (b->calls > b->arcs && b->calls - b->arcs <= lost))
			continue;
		wrong++;
		put_bin(stderr, b);
		fprintf(stderr, ": %llu calls, %llu in arcs\n", (unsigned long long)b->calls,
			(unsigned long long)b->arcs);
	}
	fclose(elf);
	if (wrong == 0 && made != counted + lost)
		wrong = 1; /* nobody knows which */
	put_count(machine, "calls", functions, made, counted, lost, wrong);
}

static int by_pc(const void *a, const void *b)
{
	uint32_t x = ((const struct truth *)a)->pc, y = ((const struct truth *)b)->pc;

	return x < y ? -1 : x > y;
}

/* Whether QEMU counts an instruction's repetitions, of which coverage sees one. */
static bool repeats(const struct truth *t)
{
	return t->byte == 0xf2 || t->byte == 0xf3;
}

/* Whether a count is what ran there; c is NULL where nothing ran. */
static bool right(const struct truth *t, uint64_t count)
{
	if (t && repeats(t))
		return t->n >= count;
	return t && t->n == count;
}

/* Compare coverage: each instruction must be counted as often as it ran, and no other. */
static void covered(const char *machine)
{
	uint64_t ran = 0, times = 0, wrong = 0, counted = 0, found = 0;
	size_t i;

	qsort(truths, ntruth, sizeof(*truths), by_pc);
	for (i = 0; i < profile.nsample; i++) {
		const struct profdata_frame *leaf = profdata_leaf(&profile, &profile.sample[i]);
		struct truth key = {.pc = leaf ? leaf->pc : 0}, *t;

		if (!leaf || !ours(leaf->image))
			continue;
		t = bsearch(&key, truths, ntruth, sizeof(*truths), by_pc);
		counted++;
		found += t != NULL;
		if (right(t, profile.sample[i].count))
			continue;
		wrong++;
		put_bin(stderr, bin_at(key.pc));
		fprintf(stderr, ", %08x: counted %llu times, ran %llu times\n", key.pc,
			(unsigned long long)profile.sample[i].count,
			(unsigned long long)(t ? t->n : 0));
	}
	for (i = 0; i < ntruth; i++) {
		if (bin_at(truths[i].pc) == &bins[nbin - 1])
			continue;
		ran++;
		times += truths[i].n;
	}
	wrong += ran - found; /* not counted at all */
	put_count(machine, "coverage", ran, times, counted, 0, wrong);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	bool samples;

	buckets = strcmp(what, "buckets") == 0;
	busy = strcmp(what, "busy") == 0;
	samples = buckets || busy || strcmp(what, "functions") == 0;
	if (argc < 6 || (samples && argc != 8))
		fail("usage: compare functions|buckets|busy|calls|covered IMAGE TRUTH PROFILE "
		     "MACHINE [WHAT judged|shown | LOST]");
	open_image(argv[2]);
	read_profile(argv[4]);
	read_truth(argv[3], counts_outside());
	if (samples)
		sampled(argv[5], argv[6], argv[7]);
	else if (strcmp(what, "calls") == 0)
		calls(argv[5], argc > 6 ? strtoull(argv[6], NULL, 10) : 0);
	else if (strcmp(what, "covered") == 0)
		covered(argv[5]);
	else
		fail(what);
	return 0;
}
