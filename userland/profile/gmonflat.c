/* Reads a gmon.out, gmon(5), and prints what it says of each function. */
#include "userland/profile/gmonflat.h"

#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "userland/formats/le.h"
#include "userland/command/memory.h"
#include "userland/files/whole.h"
#include "userland/profile/columns.h"
#include "userland/profile/symtab.h"

enum { TAG_HISTOGRAM, TAG_ARC }; /* the first byte of a record */

/* Sizes of what gmon(5) has, in bytes. */
#define HEAD 20
#define HISTOGRAM 32 /* before the bins */
#define ARC 12

#define ENTRY 32 /* bytes of a function in which its call of mcount may be */

struct function {
	const char *name;
	uint64_t samples, calls;
};

struct profile {
	const char *program, *file;
	const uint8_t *at, *end; /* the rest of the file */
	struct symtab symbols;
	struct function *function; /* one for what is in none, then the symbols' */
	uint64_t samples;
	uint32_t rate; /* samples a second; 0 before the first histogram */
};

/* Take the next n bytes of the file. */
static const uint8_t *take(struct profile *p, size_t n)
{
	const uint8_t *at = p->at;

	if ((size_t)(p->end - at) < n)
		errx(1, "%s: it ends in the middle of a record", p->file);
	p->at += n;
	return at;
}

/* End the program: the file tells of addresses that the program does not have. */
static void __attribute__((noreturn)) stranger(const struct profile *p)
{
	errx(1, "%s: it is not of %s, or of another build of it", p->file, p->program);
}

/* Return where a function's figures are; NULL is what is before all functions. */
static struct function *figures(struct profile *p, const struct symtab_function *f)
{
	return &p->function[f ? f - p->symbols.function + 1 : 0];
}

/* Take the bins of a histogram; several of one range add up: a bin has only 16 bits. */
static void read_histogram(struct profile *p)
{
	const uint8_t *b = take(p, HISTOGRAM);
	uint32_t lo = le_get32(b), hi = le_get32(b + 4), n = le_get32(b + 8);
	uint32_t rate = le_get32(b + 12), end = (p->symbols.etext + 3) & ~3u, width;

	/* An odd width of bins, or another rate than before, cannot be what was written. */
	if (lo >= hi || n == 0 || n > INT32_MAX || (hi - lo) % n != 0 || rate == 0 ||
	    (p->rate && p->rate != rate))
		errx(1, "%s: a histogram's head makes no sense", p->file);
	if (lo < p->symbols.text || hi > end)
		stranger(p);
	p->rate = rate;
	width = (hi - lo) / n;
	b = take(p, 2 * (size_t)n);
	for (uint32_t i = 0; i < n; i++, b += 2) {
		unsigned count = le_get16(b);

		/* A bin is charged to the function that its first byte is in. */
		if (count == 0)
			continue;
		figures(p, symtab_find(&p->symbols, lo + i * width))->samples += count;
		p->samples += count;
	}
}

/*
 * Take an arc. Where it leads to is what gives another build away most surely. As in gprof, a
 * function that calls itself is not called once more by that.
 */
static void read_arc(struct profile *p)
{
	const uint8_t *b = take(p, ARC);
	uint32_t self = le_get32(b + 4);
	const struct symtab_function *f = symtab_find(&p->symbols, self);

	if (!f || self - f->address >= ENTRY)
		stranger(p);
	if (symtab_find(&p->symbols, le_get32(b)) != f)
		figures(p, f)->calls += le_get32(b + 8);
}

/* Take the head and all records. */
static void read_records(struct profile *p)
{
	const uint8_t *b;

	if (p->end - p->at < HEAD || memcmp(p->at, "gmon", 4) != 0 || le_get32(p->at + 4) != 1)
		errx(1, "%s: not a gmon.out", p->file);
	take(p, HEAD);
	while (p->at < p->end) {
		b = take(p, 1);
		if (*b == TAG_HISTOGRAM)
			read_histogram(p);
		else if (*b == TAG_ARC)
			read_arc(p);
		else
			errx(1, "%s: it has a record of an unknown kind, %u", p->file, *b);
	}
	if (p->rate == 0)
		errx(1, "%s: it has no histogram", p->file);
}

static void open_file(struct profile *p)
{
	size_t n;

	p->at = (const uint8_t *)whole_need(p->file, &n);
	p->end = p->at + n;
}

/* Read the program's symbols, and make room for the figures of each function. */
static void open_program(struct profile *p)
{
	const char *bad = symtab_load(&p->symbols, p->program);

	if (!bad && p->symbols.etext == 0)
		bad = "it does not say where its text ends";
	if (bad)
		errx(1, "%s: %s", p->program, bad);
	p->function = memory(calloc(p->symbols.n + 1, sizeof(*p->function)));
	p->function[0].name = "?";
	for (size_t i = 0; i < p->symbols.n; i++)
		p->function[i + 1].name = p->symbols.function[i].name;
}

/* For qsort: by samples, then by calls, then by name. */
static int most_first(const void *va, const void *vb)
{
	const struct function *a = va, *b = vb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Print samples as seconds: the format has whole ones, and thousandths. */
static void print_seconds(const char *format, uint64_t samples, uint32_t rate)
{
	uint64_t ms = (samples * 1000 + rate / 2) / rate;

	printf(format, (unsigned long long)(ms / 1000), (unsigned)(ms % 1000));
}

static void print(const struct profile *p)
{
	printf("%s: %llu samples, ", p->program, (unsigned long long)p->samples);
	print_seconds("%llu.%03u", p->samples, p->rate);
	printf(" s\n%10s %6s %10s  %s\n", "seconds", "%", "calls", "function");
	for (size_t i = 0; i <= p->symbols.n; i++) {
		const struct function *f = &p->function[i];
		char share[8];

		if (f->samples == 0 && f->calls == 0)
			continue;
		print_seconds("%6llu.%03u", f->samples, p->rate);
		*columns_percent(share, f->samples, p->samples) = '\0';
		if (f->calls > 0)
			printf(" %s %10llu  %s\n", share, (unsigned long long)f->calls, f->name);
		else
			printf(" %s %10s  %s\n", share, "-", f->name);
	}
}

void gmonflat(const char *program, const char *file)
{
	struct profile p = {.program = program, .file = file};

	open_program(&p);
	open_file(&p);
	read_records(&p);
	qsort(p.function, p.symbols.n + 1, sizeof(*p.function), most_first);
	print(&p);
}
