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

/* Return where the functions of a program begin. */
static uint32_t text_of(size_t program)
{
	if (program == IMPORT_KERNEL)
		return KERNEL_TEXT;
	return PROGRAM_TEXT;
}

/* Return the number of a program. */
static size_t program_number(struct import *im, const char *name, size_t n)
{
	size_t i = texts_number(&im->programs, name, n);

	im->functions = memory_grow_zeroed(im->functions, &im->room_functions, i + 1,
					   sizeof(*im->functions));
	return i;
}

void import_init(struct import *im)
{
	*im = (struct import){.n = 0};
	program_number(im, "kernel", strlen("kernel"));
}

/* Return a process's name as the kernel would write it, and fit for a file; to be freed. */
static char *process_name(const char *name, size_t n)
{
	char *s;
	size_t i;

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

void import_begin(struct import *im, const char *process, size_t n)
{
	char *name = process_name(process, n);

	im->program = program_number(im, name, strlen(name));
	im->n = 0;
	im->mode = NULL;
	im->kernel = im->idle = false;
	free(name);
}

bool import_mode(struct import *im, const char *word, size_t n)
{
	static const char *const mode[] = {"[kernel]", "[interrupt]", "[user]", "[idle]"};
	size_t i;

	for (i = 0; i < sizeof(mode) / sizeof(mode[0]); i++) {
		if (!textline_is(word, n, mode[i]))
			continue;
		im->mode = mode[i];
		return true;
	}
	return false;
}

/* Blanks would end a name in the list of functions. */
void import_step(struct import *im, const char *name, size_t n, bool kernel)
{
	size_t i, program = im->program;
	char *s;

	if (n == 0)
		s = memory_string("[unknown]", strlen("[unknown]"));
	else
		s = memory_string(name, n);
	for (i = 0; s[i]; i++)
		if ((unsigned char)s[i] <= ' ')
			s[i] = '_';
	if (kernel)
		program = IMPORT_KERNEL;
	i = texts_number(&im->functions[program], s, strlen(s));
	im->step = memory_grow(im->step, &im->room_step, im->n + 1, sizeof(*im->step));
	im->step[im->n++] = (uint32_t)(text_of(program) + i * FUNCTION + MIDDLE);
	im->kernel = kernel;
	im->idle |= strstr(s, "idle") != NULL;
	free(s);
}

/* Return the mode of the path, as its second word has it: Linux calls what is idle swapper. */
static const char *mode_of(const struct import *im)
{
	const char *process = im->programs.text[im->program].text;
	bool waits = strcmp(process, "idle") == 0;

	if (im->mode)
		return im->mode;
	if (strcmp(process, "swapper") == 0)
		waits = true;
	if (waits && im->idle)
		return "[idle]";
	if (im->kernel)
		return "[kernel]";
	return "[user]";
}

/* Return the number of the path that was made. */
static size_t path_number(struct import *im)
{
	struct memory_stream s;
	size_t i, number;

	memory_stream_open(&s);
	fprintf(s.f, "%s;%s", im->programs.text[im->program].text, mode_of(im));
	for (i = 0; i < im->n; i++)
		fprintf(s.f, ";0x%08" PRIx32, im->step[i]);
	memory_stream_close(&s);
	number = texts_number(&im->paths, s.data, s.n);
	free(s.data);
	return number;
}

int import_count(struct import *im, uint64_t count, struct complaint *why)
{
	size_t number;

	if (count > UINT64_MAX - im->total)
		return complain(why, "the counts add up to 2^64 or more");
	if (im->n == 0)
		import_step(im, "", 0, false);
	if (order_max(im->functions[im->program].n, im->functions->n) > FUNCTIONS_MOST)
		return complain(why, "there are more than %u functions", FUNCTIONS_MOST);
	number = path_number(im);
	im->count = memory_grow_zeroed(im->count, &im->room_count, number + 1, sizeof(*im->count));
	im->count[number] += count;
	im->total += count;
	im->deepest = order_max(im->deepest, im->n);
	return 0;
}

void import_functions(const struct import *im, size_t program, struct memory_stream *to)
{
	const struct texts *functions = &im->functions[program];
	size_t i;

	memory_stream_open(to);
	for (i = 0; i < functions->n; i++)
		fprintf(to->f, "%08zx T %s\n", text_of(program) + i * FUNCTION,
			functions->text[i].text);
	memory_stream_close(to);
}

/* Write the first lines: where the functions are. */
static void put_head(const struct import *im, const char *folder, FILE *to)
{
	size_t i;

	fprintf(to, "# kpstack version=1 text=0x%08x-0x%08zx\n", KERNEL_TEXT,
		KERNEL_TEXT + (im->functions->n + 1) * FUNCTION);
	if (im->functions->n > 0)
		fprintf(to, "# kernel=%s/kernel\n", folder);
	for (i = 1; i < im->programs.n; i++)
		if (im->functions[i].n > 0)
			fprintf(to, "# program=%s %s/%s\n", im->programs.text[i].text, folder,
				im->programs.text[i].text);
}

void import_paths(const struct import *im, const char *folder, struct memory_stream *to)
{
	size_t i;

	memory_stream_open(to);
	put_head(im, folder, to->f);
	for (i = 0; i < im->paths.n; i++)
		fprintf(to->f, "%s %" PRIu64 "\n", im->paths.text[i].text, im->count[i]);
	fprintf(to->f, "# period_us=0 ticks=%" PRIu64 " overflow=0 depth=%zu\n", im->total,
		im->deepest);
	memory_stream_close(to);
}

void import_free(struct import *im)
{
	size_t i;

	for (i = 0; i < im->programs.n; i++)
		texts_free(&im->functions[i]);
	free(im->functions);
	texts_free(&im->programs);
	texts_free(&im->paths);
	free(im->count);
	free(im->step);
}
