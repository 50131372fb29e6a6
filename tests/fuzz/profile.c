/*
 * See profile.h.
 * Links: tests/tools/elfdata.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "tests/fuzz/profile.h"
#include "tests/tools/elfdata.h"
#include "tools/export/export.h"
#include "tools/memory.h"
#include "tools/profile/bind.h"
#include "tools/profile/graph.h"
#include "tools/report/page/page.h"
#include "tools/report/places.h"
#include "tools/report/report.h"

#define TEXT 0xc0100000u

/* In the place of page.c: the page of gnomon report --html without what does not change. */
__asm__(".pushsection .rodata\n"
	".globl page_begin, page_end\n"
	"page_begin: .ascii \"@data@\"\n"
	"page_end: .byte 0\n"
	".popsection\n");

static struct images images;

/* Make the kernel that was measured, the first time. */
static void make_kernel(void)
{
	static const struct elfdata_symbol sym[] = {
		{"ktzero", TEXT, 0, 'n'},	  {"etext", TEXT + 0x100, 0, 'n'},
		{"memcpy", TEXT + 0x30, 64, 'F'}, {"sched", TEXT + 0x70, 64, 'f'},
		{"idle", TEXT + 0xb0, 80, 'F'},
	};
	static const uint8_t id[20] = {0xab, 0xcd};
	struct complaint why;
	char path[64];

	if (images.n)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", memfd_create("kernel", 0));
	elfdata_write(path, sym, sizeof(sym) / sizeof(sym[0]), id);
	if (images_add(&images, path, &why) < 0)
		abort();
}

/* Print every report that needs no name of a function. */
static void report_all(struct profdata *p)
{
	struct report r = {
		.options = {.limit = {.rows = 40}, .images = images}, .file = "fuzz", .prof = *p,
		.parts = 1,
	};
	struct complaint why;

	functions_init(&r.functions, &r.prof, false);
	report_flat(&r, &why);
	report_graph(&r, &why);
	r.options.function = "memcpy";
	report_callers(&r, &why);
	report_callees(&r, &why);
	report_annotate(&r, &why);
	report_calls(&r, &why);
	report_histogram(&r, &why);
	report_slices(&r, &why);
	if (report_has_wakeups(&r.prof))
		report_wakeups(&r, &why);
	functions_free(&r.functions);
	r.options.page = "/dev/null";
	functions_init(&r.functions, &r.prof, true);
	report_lines(&r, &why);
	if (report_html(&r, &why) == 0)
		page_write(r.options.page, r.profiles, &why);
	functions_free(&r.functions);
	sources_free(&r.sources);
	report_missing_free(&r);
}

/* Write the profile in a form for other programs. */
static void export_one(struct profdata *p, int (*write)(struct export *x, FILE *to,
							struct complaint *why))
{
	struct export x = {.options.images = images, .file = "fuzz", .prof = *p};
	struct memory_stream to;
	struct complaint why;

	memory_stream_open(&to);
	functions_init(&x.functions, p, false);
	progress_init(&x.progress);
	write(&x, to.f, &why);
	memory_stream_close(&to);
	free(to.data);
	free(x.path);
	free(x.origin);
	functions_free(&x.functions);
}

/* Add the input to itself. What comes out must be such a file again. */
static void merge_both(const struct profdata *p, const struct profread_file *f,
		       profread_reader *read, fuzz_merge *merge)
{
	struct merge_file file = {
		.path = "fuzz", .data = (uint8_t *)f->data, .n = f->n, .prof = *p,
	};
	struct merge_file both[2] = {file, file};
	struct merge m = {.us = p->us};
	void *adding = memory_zeroed(1, merge->size);
	struct memory_stream to;
	struct profdata sum;
	struct complaint why;

	memory_stream_open(&to);
	if (merge->add(adding, &both[0], &why) == 0 && merge->add(adding, &both[1], &why) == 0) {
		struct profread_file out = {.n = 0};
		unsigned i;

		for (i = 0; merge->add_bytes && i < 2; i++)
			merge->add_bytes(adding, &both[i]);

		merge->write(adding, &m, to.f);
		memory_stream_close(&to);
		out.data = (uint8_t *)to.data;
		out.n = to.n;
		if (read(&sum, &out, &why) < 0) {
			fprintf(stderr, "the sum cannot be read: %s\n", why.text);
			abort();
		}
		profdata_free(&sum);
	} else {
		memory_stream_close(&to);
	}
	merge->free(adding);
	free(adding);
	free(to.data);
}

/* The copy ends where its memory ends, so that reading too much is noticed. */
void fuzz_profile(profread_reader *read, fuzz_merge *merge, const uint8_t *data, size_t n)
{
	struct profread_file f = {.n = n};
	struct complaint why;
	struct profdata p;
	uint8_t *copy = malloc(n + 1);

	make_kernel();
	memcpy(copy, data, n);
	copy[n] = 0;
	f.data = copy;
	if (read(&p, &f, &why) == 0) {
		if (merge)
			merge_both(&p, &f, read, merge);
		if (bind_images(&p, &images, "", &why) == 0) {
			profdata_split(&p);
			report_all(&p);
			export_one(&p, export_folded);
			if (p.total < 1u << 22) /* a cell holds 16 bits: others are large files */
				export_one(&p, export_gmon);
			export_settle(&p);
			export_one(&p, export_callgrind);
			export_one(&p, export_speedscope);
			export_one(&p, export_chrome);
		}
		profdata_free(&p);
	}
	free(copy);
}
