/*
 * mmap(3), by memory from malloc(3): what is private may be a copy, made at once. There is nothing
 * that others could see, and no memory at a given place; all of it may be read and written, but
 * not executed.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096u

/* What is mapped, whole pages, of a block of memory. */
struct map {
	struct map *next;
	char *memory, *start, *end;
};

static struct map *maps;

static void *failed(int error)
{
	errno = error;
	return MAP_FAILED;
}

/* Read what a file has from `offset' on, at most n bytes. Its own offset stays. */
static int fill(int fd, char *to, size_t n, off_t offset)
{
	off_t before = lseek(fd, 0, SEEK_CUR);
	ssize_t got = 1;

	if (before < 0 || lseek(fd, offset, SEEK_SET) < 0)
		return -1;
	for (; n > 0 && got > 0; n -= (size_t)got, to += got)
		got = read(fd, to, n);
	if (lseek(fd, before, SEEK_SET) < 0)
		return -1;
	return got < 0 ? -1 : 0;
}

/* Free a map, which is no longer in the list. */
static void map_free(struct map *m)
{
	free(m->memory);
	free(m);
}

/* Return n bytes of a file from `offset' on, or zeros, in whole pages. */
void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	size_t bytes = (n + PAGE - 1) & ~(size_t)(PAGE - 1);
	struct map *m;

	(void)at; /* a wish */
	if (n == 0 || offset % PAGE || !(flags & (MAP_PRIVATE | MAP_SHARED)))
		return failed(EINVAL);
	if (prot & PROT_EXEC || flags & MAP_FIXED || (flags & MAP_SHARED && prot & PROT_WRITE))
		return failed(ENOTSUP);
	m = bytes < n || bytes > SIZE_MAX - PAGE ? NULL : malloc(sizeof(*m));
	if (!m)
		return failed(ENOMEM);
	m->memory = malloc(bytes + PAGE);
	m->start = m->memory + (-(uintptr_t)m->memory & (PAGE - 1));
	m->end = m->start + bytes;
	if (m->memory)
		memset(m->start, 0, bytes);
	if (!m->memory || (!(flags & MAP_ANONYMOUS) && fill(fd, m->start, n, offset) < 0)) {
		map_free(m);
		return MAP_FAILED;
	}
	m->next = maps;
	maps = m;
	return m->start;
}

/*
 * Unmap what is mapped from `at' on for n bytes. Memory comes back when all of a map is gone; and
 * a hole in the middle of one is none.
 */
int munmap(void *at, size_t n)
{
	char *from = at, *to = from + ((n + PAGE - 1) & ~(size_t)(PAGE - 1));
	struct map **link = &maps, *m;

	if ((uintptr_t)at % PAGE || to <= from) {
		errno = EINVAL;
		return -1;
	}
	while ((m = *link)) {
		if (from <= m->start && to > m->start)
			m->start = to < m->end ? to : m->end;
		else if (to >= m->end && from < m->end)
			m->end = from > m->start ? from : m->start;
		if (m->start == m->end) {
			*link = m->next;
			map_free(m);
		} else {
			link = &m->next;
		}
	}
	return 0;
}

/* Agree to what all memory is like, and refuse anything else. */
int mprotect(void *at, size_t n, int prot)
{
	(void)at;
	(void)n;
	if (prot == (PROT_READ | PROT_WRITE))
		return 0;
	errno = ENOTSUP;
	return -1;
}
