/*
 * ksyms: writes the kernel's own table of functions, for its back traces, as C
 * source on the standard output.
 *
 * The kernel is linked twice: first with the empty table that ksyms writes without KERNEL, then
 * with the table of that first kernel. The table is read-only data, which comes after the text,
 * so no function moves in between.
 */
#include <inttypes.h>
#include <stdio.h>
#include "tools/code/symbols.h"
#include "tools/outfile.h"
#include "tools/version.h"

static const char usage[] = "usage: ksyms [KERNEL]\n";

/* Move the functions inside the kernel's text to the front. Return how many there are. */
static size_t in_text(struct symbols *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->n; i++)
		if (code_within(s->sym[i].start, s->ktzero, s->etext - s->ktzero))
			s->sym[n++] = s->sym[i];
	return n;
}

/* Print an array of the functions' addresses, or of where their names begin; C wants an element. */
static void print_array(const char *type_and_name, const struct symbols *s, size_t n, int offsets)
{
	uint32_t at = 0;
	size_t i;

	printf("\nconst %s[] = {\n", type_and_name);
	for (i = 0; i < n; i++) {
		if (offsets)
			printf("\t0x%08" PRIx32 ",\n", at);
		else
			printf("\t0x%08" PRIx32 ",\n", (uint32_t)s->sym[i].start);
		at += snprintf(NULL, 0, "%s", s->sym[i].plain) + 1;
	}
	if (n == 0)
		printf("\t0,\n");
	printf("};\n");
}

/* Print the C source. */
static void ksyms_print(const struct symbols *s, size_t n)
{
	size_t i;

	printf("/* The kernel's functions, ascending by address. Made by tools/build/ksyms.c. */\n"
	       "#include \"kernel/machine/image.h\"\n\n"
	       "const uint32_t ksym_count = %zu;\n", n);
	print_array("uint32_t ksym_addr", s, n, 0);
	print_array("uint32_t ksym_off", s, n, 1);
	printf("\nconst char ksym_names[] =");
	for (i = 0; i < n; i++)
		printf("\n\t\"%s\\0\"", s->sym[i].plain);
	if (n == 0)
		printf(" \"\"");
	printf(";\n");
}

int main(int argc, char **argv)
{
	int asked = version_asked("ksyms", usage, argc, argv);
	struct symbols s = {0};
	struct complaint why;
	size_t n = 0;

	if (asked >= 0)
		return asked;
	if (!version_operands(argc, argv, 0, 1)) {
		fputs(usage, stderr);
		return 2;
	}
	if (argc == 2) {
		if (symbols_load(&s, argv[1], &why) < 0) {
			fprintf(stderr, "ksyms: %s\n", why.text);
			return 1;
		}
		if (s.has_text)
			n = in_text(&s);
		if (n == 0) {
			fprintf(stderr, "ksyms: %s: no functions between ktzero and etext\n",
				argv[1]);
			return 1;
		}
	}
	ksyms_print(&s, n);
	if (argc == 2)
		symbols_free(&s);
	return outfile_standard("ksyms", 0);
}
