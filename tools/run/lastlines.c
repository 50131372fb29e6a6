/* The last lines that a guest, or QEMU, wrote: see lastlines.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/image.h"
#include "tools/printable.h"
#include "tools/run/lastlines.h"
#include "tools/slurp.h"

#define LAST 12	   /* lines that are shown */
#define LONGEST 60 /* the same where the kernel says what went wrong */

/* Return whether the kernel begins to say so in this line. */
static bool is_failure(const char *line)
{
	static const char *const first[] = {
		"kernel fault ", "double fault ", "panic: ", "gnomon: ",
	};
	size_t i;

	for (i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		if (strncmp(line, first[i], strlen(first[i])) == 0)
			return true;
	return false;
}

/* Return where the last n lines begin. */
static char *find_last(char *text, size_t size, unsigned n)
{
	char *p;

	for (p = text + size; p > text; p--)
		if (p[-1] == '\n' && --n == 0)
			break;
	return p;
}

/* Return the line where the kernel begins to say what went wrong, or NULL. */
static char *find_failure(char *text, size_t size)
{
	char *line = find_last(text, size, LONGEST);

	while (line && !is_failure(line)) {
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return line;
}

/* Print where an address is in the source: the function that was inlined there first. */
static void print_places(struct image *kernel, uint32_t pc)
{
	struct place place[IMAGE_PLACES];
	size_t i, n = image_places(kernel, pc, place);
	const char *before = "  ";

	for (i = 0; i < n && place[i].file; i++) {
		fprintf(stderr, "%s%s:%u", before, place[i].file, place[i].line);
		if (i + 1 < n)
			fprintf(stderr, " (%s)", place[i].function);
		before = ", ";
	}
}

/*
 * Print lines, and after each function of a back trace where it is in the source. An address is
 * that after a call, except for that of a fault, which is the first one after the message.
 */
static void print_lines(char *text, struct image *kernel)
{
	bool fault = false;
	unsigned pc = 0;
	char *line, *shown;
	int digits, named;

	while ((line = strsep(&text, "\n")) != NULL) {
		digits = named = 0;
		line[strcspn(line, "\r")] = '\0';
		sscanf(line, "  %8x%n %*[^ +]+0x%n", &pc, &digits, &named);
		shown = printable(line);
		fprintf(stderr, "  | %s", shown);
		free(shown);
		if (!fault)
			pc--;
		if (kernel && named > 0)
			print_places(kernel, pc);
		if (is_failure(line))
			fault = strstr(line, " fault ") != NULL;
		else if (digits == 10)
			fault = false;
		fputc('\n', stderr);
	}
}

static bool ends_line(char c)
{
	return memchr("\r\n", c, 2);
}

bool lastlines_print(const char *path, const char *title, const char *kernel)
{
	struct complaint why;
	struct images images;
	struct image *image = NULL;
	char *text, *lines, *failure;
	uint8_t *data;
	size_t n;

	if (slurp(path, &data, &n, &why) < 0)
		return false;
	text = (char *)data;
	while (n > 0 && ends_line(text[n - 1]))
		text[--n] = '\0';
	images_init(&images);
	lines = find_last(text, n, LAST);
	if (kernel && (failure = find_failure(text, n)) != NULL) {
		lines = failure;
		images_add(&images, kernel, &why);
	}
	if (images.n > 0)
		image = images.image[0];
	if (n > 0) {
		fprintf(stderr, "gnomon run: %s:\n", title);
		print_lines(lines, image);
	}
	images_free(&images);
	free(data);
	return n > 0;
}
