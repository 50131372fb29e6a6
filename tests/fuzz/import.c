/*
 * Profiles of other systems: what perf script prints, folded stacks, and pprof's. What is read is
 * written as call paths, which must be readable, and have as many counts.
 * Runs: 5000
 */
#include <stdlib.h>
#include <string.h>
#include "tests/fuzz/fuzz.h"
#include "tools/import/import.h"
#include "tools/profile/profread.h"

/* Write what was read, and read that. */
static void check(const struct import *im)
{
	struct profread_file file;
	struct memory_stream s;
	struct complaint why;
	struct profdata p;

	memory_stream_open(&s);
	import_paths(im, "/tmp", s.f);
	memory_stream_close(&s);
	file = (struct profread_file){.data = (uint8_t *)s.data, .n = s.n};
	if (profread_stacks(&p, &file, &why) < 0)
		abort();
	if (p.total != im->total)
		abort();
	profdata_free(&p);
	free(s.data);
	import_functions(im, IMPORT_KERNEL, &s);
	free(s.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	int (*const form[])(struct import *, const char *, size_t, struct complaint *) = {
		import_perf, import_folded, import_pprof,
	};
	char *copy = malloc(n ? n : 1);
	struct complaint why;
	struct import im;
	size_t i;

	memcpy(copy, data, n);
	for (i = 0; i < 3; i++) {
		if (i < 2 && memchr(copy, 0, n))
			continue; /* no text */
		import_init(&im, n);
		im.periods = n % 2;
		if (form[i](&im, copy, n, &why) == 0)
			check(&im);
		import_free(&im);
	}
	free(copy);
	return 0;
}
