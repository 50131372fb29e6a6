/*
 * compare: a profile beside the truth, which is what plugin.c counted meanwhile.
 *
 *	compare sampled IMAGE TRUTH PROFILE LABEL	its functions' shares, a line of a table
 *	compare head					the table's head
 *	compare calls IMAGE TRUTH PROFILE LOST		gmon's arcs, and calls that entries made
 *	compare covered IMAGE TRUTH PROFILE		coverage, instruction by instruction
 *
 * The image is the kernel's, or a program's that alone runs at its addresses. Exit status:
 * 0; 1 the profile misses its target; 2 an error.
 *
 * For n samples, chance alone makes a distance between their shares and the true ones (half
 * the sum of all differences) whose mean is known. A profile misses its target when its own
 * is more than RATIO times that and less than one of a hundred sets of n samples drawn by
 * chance is as far off; or if a function is FAR standard errors off, and that too is more
 * than chance does to one of so many functions once in a hundred times.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "chance.h"
#include "memory.h"
#include "profread.h"

#define KERNBASE 0xc0000000u
#define RATIO 1.2
#define FAR 4.0
#define RARE 0.01
#define DRAWS 4000000.0 /* samples drawn by chance, for one profile */
#define EXPECTED 5.0	/* chi-square takes functions together that have fewer samples */
#define CALL 0xe8	/* a call's first byte: an entry that is patched in */

/* A function, or what is in none. */
struct bin {
	const char *name;
	uint64_t start; /* its address; 0: what is outside the image */
	uint64_t truth, samples, calls, arcs;
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
static struct bin *bins; /* one for each symbol, and the last for the rest */
static size_t nbin;
static struct truth *truths;
static size_t ntruth;

static void fail(const char *what)
{
	fprintf(stderr, "compare: %s\n", what);
	exit(2);
}

/* The bin of an address. */
static struct bin *bin_at(uint32_t pc)
{
	const struct symbol *s = image_symbol(image, pc);

	if (pc < image->text || pc >= image->etext)
		return &bins[nbin - 1];
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
	nbin = image->symbols.n + 1;
	bins = memory_zeroed(nbin, sizeof(*bins));
	for (i = 0; i < nbin - 1; i++) {
		bins[i].name = image->symbols.sym[i].name;
		bins[i].start = image->symbols.sym[i].start;
	}
	bins[i].name = "[outside]";
}

/*
 * Whether a call at a function's very start is the profiler's: a program's always is, and the
 * kernel's is this nop in the file.
 */
static bool has_pad(FILE *elf, const struct bin *b)
{
	static const uint8_t nop[] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
	uint32_t offset = b->start ? image_offset(image, (uint32_t)b->start) : 0;
	uint8_t code[sizeof(nop)];

	if (!image->kernel)
		return true;
	return offset && fseek(elf, offset, SEEK_SET) == 0 &&
	       fread(code, sizeof(code), 1, elf) == 1 && memcmp(code, nop, sizeof(nop)) == 0;
}

/* What ran elsewhere counts where the profile counts that, too. */
static void read_truth(const char *path, bool outside)
{
	FILE *f = fopen(path, "r");
	size_t room = 0;
	struct truth t;
	unsigned long long n, in_ticks;
	struct bin *b;

	if (!f)
		fail(path);
	while (fscanf(f, "%x %x %llu %llu", &t.pc, &t.byte, &n, &in_ticks) == 4) {
		t.n = n;
		b = bin_at(t.pc);
		if (b != &bins[nbin - 1] || outside)
			b->truth += n - in_ticks;
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

	if (profread(&profile, path, &images, &why) < 0)
		fail(why.text);
}

/* Whether an address of the profile is one of the image's. */
static bool ours(uint32_t i)
{
	return i != PROFDATA_NONE && profile.image[i].elf == image;
}

/* Whether the profile counts what runs outside the image. */
static bool counts_outside(void)
{
	return image->kernel && strcmp(profile.format, "gmon.out") != 0 &&
	       strcmp(profile.format, "modules") != 0;
}

/* Its samples by function; how many. prf(7) tells idle time by its reason, not its address. */
static uint64_t sum_samples(void)
{
	struct bin *outside = &bins[nbin - 1], *idle = outside, *to;
	const struct profdata_frame *leaf;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < nbin - 1; i++)
		if (strcmp(bins[i].name, "cpu_idle") == 0)
			idle = &bins[i];
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
		if (to == outside && !counts_outside())
			continue;
		to->samples += s->count;
		n += s->count;
	}
	return n;
}

/* The logarithm of the probability that k of n samples are there, where p of the time is. */
static double log_binomial(double k, double n, double p)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
	       (n - k) * log1p(-p);
}

/* The mean of |k - n p|: de Moivre's formula. */
static double mean_deviation(double n, double p)
{
	double m = floor(n * p) + 1;

	if (p <= 0 || p >= 1)
		return 0;
	return 2 * m * (1 - p) * exp(log_binomial(m, n, p));
}

/* How far k is from n p in standard errors: by the probability of that or more. */
static double deviation(double k, double n, double p)
{
	double mean = n * p, variance = mean * (1 - p), sum = 0, term = 1, i = k;

	if (p <= 0)
		return k > 0 ? 38 : 0;
	if (variance > 1000 || p >= 1)
		return variance > 0 ? (k - mean) / sqrt(variance) : 0;
	while (term > sum * 1e-12) {
		sum += term;
		if (k > mean)
			term *= i < n ? (n - i) / (i + 1) * p / (1 - p) : 0;
		else
			term *= i > 0 ? i / (n - i + 1) * (1 - p) / p : 0;
		i += k > mean ? 1 : -1;
	}
	sum = fmin(1, 2 * sum * exp(log_binomial(k, n, p)));
	return copysign(sum > 1e-300 ? chance_z(sum) : 38, k - mean);
}

/* Half the sum of all differences of shares. */
static double distance(const uint32_t *samples, const double *share, double n)
{
	double d = 0;
	size_t i;

	for (i = 0; i < nbin; i++)
		d += fabs(samples[i] / n - share[i]);
	return d / 2;
}

/* The part of sets of n samples, drawn by chance, that is as far off or farther. */
static double part_farther(double d, const double *share, uint32_t n)
{
	uint32_t *samples = memory_zeroed(nbin, sizeof(*samples)), i;
	double *below = memory_zeroed(nbin, sizeof(*below)), sum = 0;
	unsigned set, sets = (unsigned)fmin(1000, fmax(100, DRAWS / n)), farther = 0;

	for (i = 0; i < nbin; i++)
		below[i] = sum += share[i];
	srand48(1);
	for (set = 0; set < sets; set++) {
		memset(samples, 0, nbin * sizeof(*samples));
		for (i = 0; i < n; i++) {
			double u = drand48() * sum;
			size_t lo = 0, hi = nbin - 1;

			while (lo < hi) {
				size_t middle = (lo + hi) / 2;

				if (u < below[middle])
					hi = middle;
				else
					lo = middle + 1;
			}
			samples[lo]++;
		}
		farther += distance(samples, share, n) >= d;
	}
	free(samples);
	free(below);
	return (farther + 1.0) / (sets + 1.0);
}

/* Pearson's test of samples against shares: the probability of such a chi-square or more. */
static double chi_square(const double *share, double n)
{
	double few = 0, few_samples = 0, chi2 = 0, df = -1, e;
	size_t i;

	for (i = 0; i < nbin; i++) {
		e = share[i] * n;
		if (e < EXPECTED) {
			few += e;
			few_samples += bins[i].samples;
			continue;
		}
		chi2 += (bins[i].samples - e) * (bins[i].samples - e) / e;
		df++;
	}
	if (few >= EXPECTED) {
		chi2 += (few_samples - few) * (few_samples - few) / few;
		df++;
	}
	return df > 0 ? chance_of_chi2(chi2, df) : 1;
}

/* A line of the table; whether the target is met. */
static bool sampled(const char *label)
{
	double n = sum_samples(), all = 0, expected = 0, d = 0, far = 0, z, p, ratio;
	double *share = memory_zeroed(nbin, sizeof(*share));
	size_t i, worst = 0, ran = 0;
	bool ok;

	for (i = 0; i < nbin; i++)
		all += bins[i].truth;
	if (n == 0 || all == 0)
		fail("there are no samples");
	for (i = 0; i < nbin; i++) {
		share[i] = bins[i].truth / all;
		ran += bins[i].truth > 0;
		expected += mean_deviation(n, share[i]) / n / 2;
		d += fabs(bins[i].samples / n - share[i]) / 2;
		z = deviation(bins[i].samples, n, share[i]);
		if (fabs(z) > fabs(far)) {
			far = z;
			worst = i;
		}
	}
	p = part_farther(d, share, (uint32_t)n);
	ratio = d / expected;
	ok = !(ratio > RATIO && p < RARE) &&
	     !(fabs(far) > FAR && chance_of_z(far) * (double)ran < RARE);
	printf("%-34s %7.0f %8.4f %8.4f %6.2f %6.3f %6.3f %7.1f %-20s %s\n", label, n, d, expected,
	       ratio, p, chi_square(share, n), far, bins[worst].name, ok ? "ok" : "off");
	if (!ok)
		printf("%34s %.2f %% of the samples, where it ran %.2f %% of the time\n", "",
		       100 * bins[worst].samples / n, 100 * share[worst]);
	free(share);
	return ok;
}

/* All calls that an entry made are arcs into its function, but for so many that were lost. */
static bool calls(uint64_t lost)
{
	uint64_t made = 0, counted = 0, functions = 0, different = 0;
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
		different++;
		printf("%s: %llu calls, %llu in arcs\n", b->name, (unsigned long long)b->calls,
		       (unsigned long long)b->arcs);
	}
	fclose(elf);
	printf("calls of %llu functions: %llu made, %llu in arcs, %llu lost\n",
	       (unsigned long long)functions, (unsigned long long)made,
	       (unsigned long long)counted, (unsigned long long)lost);
	return made > 0 && different == 0 && made == counted + lost;
}

static int by_pc(const void *a, const void *b)
{
	uint32_t x = ((const struct truth *)a)->pc, y = ((const struct truth *)b)->pc;

	return x < y ? -1 : x > y;
}

/* QEMU counts the rounds of such an instruction, and coverage that it ran. */
static bool repeats(const struct truth *t)
{
	return t->byte == 0xf2 || t->byte == 0xf3;
}

/* Every instruction that ran is counted as often, and none besides. */
static bool covered(void)
{
	uint64_t ran = 0, times = 0, different = 0, counted = 0;
	size_t i;

	qsort(truths, ntruth, sizeof(*truths), by_pc);
	for (i = 0; i < profile.nsample; i++) {
		const struct profdata_frame *leaf = profdata_leaf(&profile, &profile.sample[i]);
		struct truth key = {.pc = leaf ? leaf->pc : 0}, *t;

		if (!leaf || !ours(leaf->image))
			continue;
		t = bsearch(&key, truths, ntruth, sizeof(*truths), by_pc);
		counted++;
		if (t && (repeats(t) ? t->n >= profile.sample[i].count :
				      t->n == profile.sample[i].count))
			continue;
		different++;
		printf("%08x %s: counted %llu times, ran %llu times\n", key.pc,
		       bin_at(key.pc)->name, (unsigned long long)profile.sample[i].count,
		       (unsigned long long)(t ? t->n : 0));
	}
	for (i = 0; i < ntruth; i++) {
		if (bin_at(truths[i].pc) == &bins[nbin - 1])
			continue;
		ran++;
		times += truths[i].n;
	}
	printf("coverage: %llu instructions ran, %llu times together; "
	       "%llu are counted, %llu wrongly\n",
	       (unsigned long long)ran, (unsigned long long)times, (unsigned long long)counted,
	       (unsigned long long)different);
	return ran > 0 && counted == ran && different == 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "head") == 0) {
		printf("%-34s %7s %8s %8s %6s %6s %6s %7s %s\n", "", "samples", "distance",
		       "expected", "ratio", "p", "chi2 p", "most", "errors off, where");
		return 0;
	}
	if (argc < 5)
		fail("usage: compare sampled|calls|covered IMAGE TRUTH PROFILE [LABEL|LOST]");
	open_image(argv[2]);
	read_profile(argv[4]);
	read_truth(argv[3], counts_outside());
	if (strcmp(what, "sampled") == 0)
		return !sampled(argc > 5 ? argv[5] : argv[4]);
	if (strcmp(what, "calls") == 0)
		return !calls(argc > 5 ? strtoull(argv[5], NULL, 10) : 0);
	if (strcmp(what, "covered") == 0)
		return !covered();
	fail(what);
}
