/* Writing the page: see page.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/outfile.h"
#include "tools/printable.h"
#include "tools/report/page/page.h"

#define MARK "@data@" /* where in the page the data go */

extern const char page_begin[], page_end[]; /* page.c */

/*
 * Write a part of the data, which are in a <script>. What ends that element, or begins a comment or
 * an element in it, begins with "<", which JSON has in strings only, where it may have a number.
 */
static int put_data(const char *data, size_t n, void *to)
{
	for (; n > 0; n--, data++) {
		if (*data == '<')
			fputs("\\u003c", to);
		else
			putc(*data, to);
	}
	return 0;
}

/* Write the page with the data in the place of its mark. */
static void put_page(FILE *to, const json_t *data)
{
	const char *mark = memmem(page_begin, (size_t)(page_end - page_begin), MARK, strlen(MARK));

	fwrite(page_begin, 1, (size_t)(mark - page_begin), to);
	json_dump_callback(data, put_data, to, JSON_COMPACT | JSON_REAL_PRECISION(6));
	mark += strlen(MARK);
	fwrite(mark, 1, (size_t)(page_end - mark), to);
}

int page_write(const char *path, json_t *profiles, struct complaint *why)
{
	struct memory_stream to;
	int bad;

	memory_stream_open(&to);
	put_page(to.f, profiles);
	json_decref(profiles);
	memory_stream_close(&to);
	bad = outfile_store(path, to.data, to.n, why);
	free(to.data);
	return bad;
}

json_t *page_names(struct tree *t, uint32_t rows, uint32_t most,
		   const char *(*name)(const void *arg, uint32_t label), const void *arg)
{
	uint32_t *place = memory_zeroed(most, sizeof(*place)), *label; /* plus 1 */
	json_t *names = json_array();
	size_t i;

	for (i = 1; i < t->n; i++) {
		label = &t->node[i].label;
		if (*label < rows)
			continue;
		if (!place[*label]) {
			json_array_append_new(names, page_text(name(arg, *label)));
			place[*label] = rows + (uint32_t)json_array_size(names);
		}
		*label = place[*label] - 1;
	}
	free(place);
	return names;
}

json_t *page_text(const char *text)
{
	char *shown = printable(text);
	json_t *value = json_string(shown);

	free(shown);
	return value;
}

json_t *page_count(uint64_t count)
{
	if (count <= INT64_MAX)
		return json_integer((json_int_t)count);
	return json_real(count);
}

char *page_amount(uint64_t count, enum profdata_unit unit)
{
	if (unit == PROFDATA_MICROSECONDS)
		return memory_format("%.3f s", (double)count / 1e6);
	if (unit == PROFDATA_NANOSECONDS)
		return memory_format("%.6f s", (double)count / 1e9);
	return memory_format("%" PRIu64 " %s", count, profdata_unit_name[unit]);
}

void page_fact(json_t *facts, const char *what, char *value)
{
	json_array_append_new(facts, json_pack("[o, o]", page_text(what), page_text(value)));
	free(value);
}

void page_fact_folded(json_t *facts, const struct tree *t)
{
	double total = (double)(t->total[0] + t->total[1]);

	if (t->folded == 0)
		return;
	page_fact(facts, "Folded", memory_format(
		"%zu frames of at most %.2g %% each, and what they called: %.2f %% of all, in "
		"(others)",
		t->folded, t->largest,
		100 * (double)(t->folded_count[0] + t->folded_count[1]) / total));
}
