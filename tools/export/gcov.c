/*
 * Coverage as gcov --json-format writes it; gcov(1) has the format. What is known is there: a line
 * has the count that gnomon report --lines gives it, and of a function how often it was entered,
 * but nothing of blocks, branches or where a function ends.
 */
#include <jansson.h>
#include <stdlib.h>
#include "tools/export/export.h"
#include "tools/export/sources.h"
#include "tools/memory.h"
#include "tools/printable.h"

/* Return text as a string of JSON's, which is UTF-8. */
static json_t *string_of(const char *text)
{
	char *valid = printable(text);
	json_t *s = json_string(valid);

	free(valid);
	return s;
}

static json_t *function_of(const struct sources_row *row)
{
	json_t *f = json_object();

	json_object_set_new(f, "name", string_of(row->function));
	json_object_set_new(f, "demangled_name", string_of(row->function));
	json_object_set_new(f, "start_line", json_integer(row->line));
	json_object_set_new(f, "execution_count", json_integer((json_int_t)row->count));
	return f;
}

static json_t *line_of(const struct sources_row *row)
{
	json_t *l = json_object();

	json_object_set_new(l, "line_number", json_integer(row->line));
	json_object_set_new(l, "count", json_integer((json_int_t)row->count));
	json_object_set_new(l, "unexecuted_block", json_false());
	json_object_set_new(l, "branches", json_array());
	return l;
}

/* Return the objects of n rows, each made by make(). */
static json_t *array_of(const struct sources_row *row, size_t n,
			json_t *make(const struct sources_row *row))
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < n; i++)
		json_array_append_new(array, make(&row[i]));
	return array;
}

/* Add a file to those in the array at arg. */
static void add_file(void *arg, const struct sources_file *file)
{
	json_t *f = json_object();

	json_object_set_new(f, "file", string_of(file->path));
	json_object_set_new(f, "functions", array_of(file->function, file->nfunction, function_of));
	json_object_set_new(f, "lines", array_of(file->line, file->nline, line_of));
	json_array_append_new(arg, f);
}

int export_gcov(struct export *x, FILE *to, struct complaint *why)
{
	struct sources sources;
	json_t *root, *files;

	if (sources_open(&sources, x, "gcov", why) < 0)
		return -1;
	root = json_object();
	files = json_array();
	json_object_set_new(root, "format_version", json_string("1"));
	json_object_set_new(root, "gcc_version", json_string("unknown"));
	json_object_set_new(root, "current_working_directory", json_string("/"));
	json_object_set_new(root, "data_file", string_of(x->file));
	sources_each(&sources, add_file, files);
	json_object_set_new(root, "files", files);
	if (json_dumpf(root, to, JSON_COMPACT) < 0)
		memory_out();
	putc('\n', to);
	json_decref(root);
	sources_close(&sources);
	return 0;
}
