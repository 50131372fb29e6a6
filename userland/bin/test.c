/*
 * test: says by its exit status whether something is so. The number of operands tells what is
 * meant, as in POSIX; there is no -a, -o or parenthesis, for the shell has && and ||.
 */
#include <sys/stat.h>
#include <err.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/usage.h"

static const char synopsis[] =
	"test [!] -[Lcdefhrswx] file\n"
	"       test [!] -[nz] string\n"
	"       test [!] string (= | !=) string\n"
	"       test [!] number -(eq | ne | lt | le | gt | ge) number";

/* Return a file's mode, which says what kind it is; 0 if there is no such file. */
static unsigned mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_mode : 0;
}

static bool exists(const char *path)
{
	return mode_of(path) != 0;
}

static bool is_dir(const char *path)
{
	return S_ISDIR(mode_of(path));
}

static bool is_file(const char *path)
{
	return S_ISREG(mode_of(path));
}

static bool is_device(const char *path)
{
	return S_ISCHR(mode_of(path));
}

static bool is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Whether a file has a size above 0, which devices have not, whatever they hold. */
static bool has_bytes(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_size > 0;
}

/* What may be done is what a file's mode lets this user do: nobody is above that here. */
static bool may_read(const char *path)
{
	return access(path, R_OK) == 0;
}

static bool may_write(const char *path)
{
	return access(path, W_OK) == 0;
}

static bool may_execute(const char *path)
{
	return access(path, X_OK) == 0;
}

static bool is_text(const char *s)
{
	return s[0] != '\0';
}

static bool is_empty(const char *s)
{
	return s[0] == '\0';
}

/* The tests of one operand: a path, or with -n and -z a string. */
static const struct {
	const char *name;
	bool (*holds)(const char *operand);
} unary[] = {
	{ "-d", is_dir },    { "-e", exists },	{ "-f", is_file },
	{ "-s", has_bytes }, { "-n", is_text }, { "-z", is_empty },
	{ "-c", is_device }, { "-r", may_read }, { "-w", may_write }, { "-x", may_execute },
	{ "-h", is_link },   { "-L", is_link },
};

/* The comparisons of numbers: they hold if the first is less (1), equal (2) or greater (4). */
static const struct {
	const char *name;
	unsigned holds;
} numeric[] = {
	{ "-lt", 1 }, { "-eq", 2 }, { "-le", 3 }, { "-gt", 4 }, { "-ne", 5 }, { "-ge", 6 },
};

/* Return a whole number, or end the program. */
static long long parse(const char *text)
{
	char *end;
	long long n = strtoll(text, &end, 10);

	if (end == text || *end != '\0')
		errx(2, "%s: not a number", text);
	return n;
}

/* Return what a test says of one operand; one that does not exist ends the program. */
static bool test_unary(const char *op, const char *operand)
{
	for (size_t i = 0; i < sizeof(unary) / sizeof(unary[0]); i++)
		if (strcmp(op, unary[i].name) == 0)
			return unary[i].holds(operand);
	warnx("%s: no such test", op);
	usage('?', synopsis);
}

/* Compare two strings, or two numbers. */
static bool test_binary(const char *a, const char *op, const char *b)
{
	if (strcmp(op, "=") == 0)
		return strcmp(a, b) == 0;
	if (strcmp(op, "!=") == 0)
		return strcmp(a, b) != 0;
	for (size_t i = 0; i < sizeof(numeric) / sizeof(numeric[0]); i++) {
		if (strcmp(op, numeric[i].name) == 0) {
			long long x = parse(a), y = parse(b);

			return numeric[i].holds & (x < y ? 1 : x == y ? 2 : 4);
		}
	}
	warnx("%s: no such test", op);
	usage('?', synopsis);
}

int main(int argc, char **argv)
{
	bool not = false, result;

	argc--;
	argv++;
	/* A lone -h is no string, as it would be by POSIX; test -n -h asks about that. */
	if (argc == 1 && strcmp(argv[0], "-h") == 0)
		usage('h', synopsis);
	if (argc > 1 && strcmp(argv[0], "!") == 0) {
		not = true;
		argc--;
		argv++;
	}
	if (argc == 0)
		result = false;
	else if (argc == 1)
		result = is_text(argv[0]);
	else if (argc == 2)
		result = test_unary(argv[0], argv[1]);
	else if (argc == 3)
		result = test_binary(argv[0], argv[1], argv[2]);
	else
		usage('?', synopsis);
	return result == not; /* status 0 is true */
}
