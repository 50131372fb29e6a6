/* W3: memory in pages, empty or with what a file has. */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tests/guest/tap.h"

#define PAGE 4096
#define PRIVATE (MAP_PRIVATE | MAP_ANONYMOUS)
#define ALL (PROT_READ | PROT_WRITE)

#define must_not_map(n, prot, flags, fd, offset, err)                                              \
	must(mmap(NULL, n, prot, flags, fd, offset) == MAP_FAILED && errno == (err))

/* Map memory, which must be had. */
static char *map(size_t n, int flags, int fd, off_t offset)
{
	char *p = mmap(NULL, n, ALL, flags, fd, offset);

	must(p != MAP_FAILED && (uintptr_t)p % PAGE == 0);
	return p;
}

static void empty_pages(void)
{
	char *a = map(3 * PAGE, PRIVATE, -1, 0), *b = map(1, PRIVATE, -1, 0);

	for (size_t i = 0; i < 3 * PAGE; i++)
		must(a[i] == 0);
	memset(a, 'a', 3 * PAGE);
	memset(b, 'b', PAGE);
	must(a[0] == 'a' && a[3 * PAGE - 1] == 'a' && b[0] == 'b' && b[PAGE - 1] == 'b');
	must(munmap(a, 3 * PAGE) == 0 && b[PAGE - 1] == 'b' && munmap(b, PAGE) == 0);
	a = map(3 * PAGE, PRIVATE, -1, 0);
	must(a[0] == 0 && a[2 * PAGE] == 0);
}

static void pages_of_a_file(void)
{
	static char text[PAGE + 10];
	int fd = open("f", O_RDWR | O_CREAT, 0644);
	char *p;

	memset(text, 'x', sizeof(text));
	text[PAGE] = 'y';
	must(write(fd, text, sizeof(text)) == sizeof(text) && lseek(fd, 7, SEEK_SET) == 7);
	p = map(sizeof(text), MAP_PRIVATE, fd, 0);
	must(memcmp(p, text, sizeof(text)) == 0 && p[sizeof(text)] == 0);
	must(lseek(fd, 0, SEEK_CUR) == 7);
	p[0] = 'z';
	must(tap_read("f")[0] == 'x');
	p = map(PAGE, MAP_PRIVATE, fd, PAGE);
	must(p[0] == 'y' && p[9] == 'x' && p[10] == 0);
	p = mmap(NULL, 10, PROT_READ, MAP_SHARED, fd, 0);
	must(p != MAP_FAILED && memcmp(p, text, 10) == 0);
	must(close(fd) == 0 && p[9] == 'x');
}

static void what_cannot_be_mapped(void)
{
	int fd = open("f", O_WRONLY | O_CREAT, 0644), pipes[2];

	must(pipe(pipes) == 0);
	must_not_map(0, ALL, PRIVATE, -1, 0, EINVAL);
	must_not_map(PAGE, ALL, MAP_ANONYMOUS, -1, 0, EINVAL);
	must_not_map(PAGE, ALL, MAP_PRIVATE, fd, 100, EINVAL);
	must_not_map(PAGE, ALL, PRIVATE | MAP_FIXED, -1, 0, ENOTSUP);
	must_not_map(PAGE, ALL, MAP_SHARED | MAP_ANONYMOUS, -1, 0, ENOTSUP);
	must_not_map(PAGE, PROT_EXEC, PRIVATE, -1, 0, ENOTSUP);
	must_not_map(PAGE, ALL, MAP_PRIVATE, -1, 0, EBADF);
	must_not_map(PAGE, ALL, MAP_PRIVATE, fd, 0, EBADF);
	must_not_map(PAGE, ALL, MAP_PRIVATE, pipes[0], 0, ESPIPE);
	must_not_map((size_t)-1, ALL, PRIVATE, -1, 0, ENOMEM);
	must_not_map((size_t)-2 * PAGE, ALL, PRIVATE, -1, 0, ENOMEM);
	must_not_map((size_t)3 << 30, ALL, PRIVATE, -1, 0, ENOMEM);
}

static void pages_are_unmapped(void)
{
	size_t before = tap_memory_left();
	char *p;

	for (int i = 0; i < 50; i++) {
		/* From both ends, and a hole; whoever rounds up by hand does that. */
		p = map(256 * PAGE, PRIVATE, -1, 0);
		must(munmap(p, 64 * PAGE) == 0 && munmap(p + 250 * PAGE, 6 * PAGE) == 0);
		must(munmap(p + 100 * PAGE, PAGE) == 0);
		p[64 * PAGE] = p[250 * PAGE - 1] = 1;
		must(munmap(p + 60 * PAGE, 200 * PAGE) == 0);
	}
	must(munmap(p, 256 * PAGE) == 0);
	must(tap_memory_back(before, 64));
	must_fail(munmap(p, 0), EINVAL);
	must_fail(munmap(p + 1, PAGE), EINVAL);
	must_fail(munmap(p, (size_t)-PAGE), EINVAL);
	must_fail(munmap(p, (size_t)-1), EINVAL);
}

static void rights(void)
{
	char *p = map(PAGE, PRIVATE, -1, 0);

	must(mprotect(p, PAGE, ALL) == 0);
	must_fail(mprotect(p, PAGE, ALL | PROT_EXEC), ENOTSUP);
	must_fail(mprotect(p, PAGE, PROT_READ), ENOTSUP);
	must_fail(mprotect(p, PAGE, PROT_NONE), ENOTSUP);
}

static const struct tap_case cases[] = {
	{"W3 mmap of empty pages", empty_pages},
	{"W3 mmap of a file", pages_of_a_file},
	{"what cannot be mapped", what_cannot_be_mapped},
	{"W3 munmap gives memory back", pages_are_unmapped},
	{"W3 mprotect", rights},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
