/* The paths of a profile from elsewhere: see import.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/import/import.h"
#include "tools/order.h"
#include "tools/profile/textline.h"

/* Where functions are said to be: each has 16 bytes, and counts are in its middle. */
#define KERNEL_TEXT 0xc0000000u
#define PROGRAM_TEXT 0x00400000u
#define FUNCTION 16u
#define MIDDLE 8u
#define FUNCTIONS_MOST ((UINT32_MAX - KERNEL_TEXT) / FUNCTION)
#define LINE 11 /* characters of a line of a list, without the name */

#define PROGRAM_MOST 200 /* characters of a program's name: with them it is a file's name */

/* The name of the list of many programs, which is no process's: process_name() makes no dot. */
#define MANY ".others"

/* Characters of names to write for a file of so many bytes: no honest one needs as many. */
#define CHARACTERS(bytes) ((64u << 20) + 8 * (bytes))

/* Where a path has what. */
enum { PROGRAM, MODE, STEPS };

static const char *const mode[] = {"[kernel]", "[interrupt]", "[user]", "[idle]"};
enum { IN_KERNEL, IN_INTERRUPT, IN_PROGRAM, IDLE, AS_STEPS };

/* Return where the functions of a list begin. */
static uint32_t text_of(size_t list)
{
	if (list == IMPORT_KERNEL)
		return KERNEL_TEXT;
	return PROGRAM_TEXT;
}

/* Return the list of a program's functions. */
static uint32_t list_of(uint32_t program)
{
	return (uint32_t)order_min(program, IMPORT_LISTS);
}

void import_init(struct import *im, size_t bytes)
{
	*im = (struct import){.most = CHARACTERS(bytes)};
	im->known = (struct distinct){
		.size = sizeof(*im->function), .key = 2 * sizeof(uint32_t),
	};
	texts_number(&im->programs, "kernel", strlen("kernel"));
	im->nlist = 1;
	im->list = memory_grow_zeroed(NULL, &im->room_list, im->nlist, sizeof(*im->list));
}

/*
 * Return a process's name as the kernel would write it, and fit for a file; to be freed. A folded
 * path of another tool's may begin with a function, and so with a long name.
 */
static char *process_name(const char *name, size_t n)
{
	char *s;
	size_t i;

	n = order_min(n, PROGRAM_MOST);

	if (n == 0 || *name == '.')
		s = memory_format("_%.*s", (int)n, name);
	else
		s = memory_string(name, n);
	for (i = 0; s[i]; i++)
		if ((unsigned char)s[i] <= ' ' || strchr(";[]#/\x7f", s[i]))
			s[i] = '_';
	if (strcmp(s, "kernel") == 0)
		*s = '_';
	return s;
}

uint32_t import_program(struct import *im, const char *process, size_t n)
{
	char *name = process_name(process, n);
	size_t i = texts_number(&im->programs, name, strlen(name));

	free(name);
	return (uint32_t)i;
}

/* Blanks would end a name in the list of functions. */
uint32_t import_name(struct import *im, const char *name, size_t n)
{
	size_t i;
	char *s;

	if (n == 0)
		s = memory_string("[unknown]", strlen("[unknown]"));
	else
		s = memory_string(name, n);
	for (i = 0; s[i]; i++)
		if ((unsigned char)s[i] <= ' ')
			s[i] = '_';
	i = texts_number(&im->names, s, strlen(s));
	im->idle_name = memory_grow(im->idle_name, &im->room_idle, i + 1, sizeof(bool));
	im->idle_name[i] = strstr(s, "idle") != NULL;
	free(s);
	return (uint32_t)i;
}

/* Append a number to the path. */
static void append(struct import *im, uint32_t number)
{
	im->step = memory_grow(im->step, &im->room_step, im->n + 1, sizeof(*im->step));
	im->step[im->n++] = number;
}

void import_begin(struct import *im, uint32_t program)
{
	im->n = 0;
	append(im, program);
	append(im, AS_STEPS);
	im->kernel = im->idle = false;
}

bool import_mode(struct import *im, const char *word, size_t n)
{
	uint32_t i;

	for (i = 0; i < sizeof(mode) / sizeof(mode[0]); i++) {
		if (!textline_is(word, n, mode[i]))
			continue;
		im->step[MODE] = i;
		return true;
	}
	return false;
}

/* Append a new function to its list. */
static void add_function(struct import *im, const struct import_function *key)
{
	struct import_list *list;
	uint32_t here = (uint32_t)im->nfunction + 1;

	im->list = memory_grow_zeroed(im->list, &im->room_list, key->list + 1, sizeof(*list));
	im->nlist = order_max(im->nlist, key->list + 1);
	list = &im->list[key->list];
	im->function = memory_grow(im->function, &im->room_function, here, sizeof(*key));
	im->function[here - 1] = *key;
	im->function[here - 1].number = list->n++;
	if (list->last)
		im->function[list->last - 1].next = here;
	else
		list->first = here;
	list->last = here;
	im->written += LINE + im->names.text[key->name].n;
	im->nfunction = here;
}

void import_step(struct import *im, uint32_t name, bool kernel)
{
	struct import_function key = {.list = list_of(im->step[PROGRAM]), .name = name};
	size_t i;

	if (kernel)
		key.list = IMPORT_KERNEL;
	i = distinct_index(&im->known, im->function, &key, im->nfunction);
	if (i == im->nfunction)
		add_function(im, &key);
	append(im, text_of(key.list) + im->function[i].number * FUNCTION + MIDDLE);
	im->kernel = kernel;
	im->idle |= im->idle_name[name];
}

/* Return the mode of the path, as its second word has it: Linux calls what is idle swapper. */
static uint32_t mode_of(const struct import *im)
{
	const char *process = im->programs.text[im->step[PROGRAM]].text;
	bool waits = strcmp(process, "idle") == 0;

	if (im->step[MODE] != AS_STEPS)
		return im->step[MODE];
	if (strcmp(process, "swapper") == 0)
		waits = true;
	if (waits && im->idle)
		return IDLE;
	if (im->kernel)
		return IN_KERNEL;
	return IN_PROGRAM;
}

/* Check that what will be written is no more than the file can be the reason of. */
static int check_names(const struct import *im, struct complaint *why)
{
	const struct import_function *last = &im->function[im->nfunction - 1];

	if (im->list[last->list].n > FUNCTIONS_MOST)
		return complain(why, "there are more than %u functions", FUNCTIONS_MOST);
	if (im->written > im->most)
		return complain(why, "its programs have more functions than a profile of that "
				"length can have");
	return 0;
}

int import_count(struct import *im, uint64_t count, struct complaint *why)
{
	size_t number, known = im->paths.n;

	if (count > UINT64_MAX - im->total)
		return complain(why, "the counts add up to 2^64 or more");
	if (im->n == STEPS)
		import_step(im, import_name(im, "", 0), false);
	im->step[MODE] = mode_of(im);
	number = texts_number(&im->paths, (const char *)im->step, im->n * sizeof(*im->step));
	if (number == known)
		im->written += im->programs.text[im->step[PROGRAM]].n;
	im->count = memory_grow_zeroed(im->count, &im->room_count, number + 1, sizeof(*im->count));
	im->count[number] += count;
	im->total += count;
	im->deepest = order_max(im->deepest, im->n - STEPS);
	return check_names(im, why);
}

const char *import_list_name(const struct import *im, size_t list)
{
	if (list == IMPORT_LISTS)
		return MANY;
	return im->programs.text[list].text;
}

void import_functions(const struct import *im, size_t list, struct memory_stream *to)
{
	uint32_t at;

	memory_stream_open(to);
	for (at = im->list[list].first; at > 0; at = im->function[at - 1].next)
		fprintf(to->f, "%08x T %s\n",
			text_of(list) + im->function[at - 1].number * FUNCTION,
			im->names.text[im->function[at - 1].name].text);
	memory_stream_close(to);
}

/* Write the first lines: where the functions are. */
static void put_head(const struct import *im, const char *folder, FILE *to)
{
	uint32_t i, list;

	fprintf(to, "# kpstack version=1 text=0x%08x-0x%08x\n", KERNEL_TEXT,
		KERNEL_TEXT + (im->list[IMPORT_KERNEL].n + 1) * FUNCTION);
	if (im->list[IMPORT_KERNEL].n > 0)
		fprintf(to, "# kernel=%s/kernel\n", folder);
	for (i = 1; i < im->programs.n; i++) {
		list = list_of(i);
		if (list < im->nlist && im->list[list].n > 0)
			fprintf(to, "# program=%s %s/%s\n", im->programs.text[i].text, folder,
				import_list_name(im, list));
	}
}

/* Write a path. */
static void put_path(const struct import *im, size_t number, FILE *to)
{
	const struct text *path = &im->paths.text[number];
	const uint32_t *step = (const void *)path->text, *at;

	fprintf(to, "%s;%s", im->programs.text[step[PROGRAM]].text, mode[step[MODE]]);
	for (at = step + STEPS; at < step + path->n / sizeof(*step); at++)
		fprintf(to, ";0x%08" PRIx32, *at);
	fprintf(to, " %" PRIu64 "\n", im->count[number]);
}

void import_paths(const struct import *im, const char *folder, FILE *to)
{
	size_t i;

	put_head(im, folder, to);
	for (i = 0; i < im->paths.n; i++)
		put_path(im, i, to);
	fprintf(to, "# period_us=0 ticks=%" PRIu64 " overflow=0 depth=%zu\n", im->total,
		im->deepest);
}

void import_free(struct import *im)
{
	texts_free(&im->programs);
	texts_free(&im->names);
	texts_free(&im->paths);
	distinct_free(&im->known);
	free(im->idle_name);
	free(im->function);
	free(im->list);
	free(im->count);
	free(im->step);
}
