/* The kernel that gnomon record looks at: see kernel.h. */
#include <fnmatch.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/memory.h"
#include "tools/record/kernel.h"

#define KERNEL_BYTES 16	/* of a function, by which it is known: MOVED_BYTES of plugin/moved.h */
#define KERNEL_MOST 10000 /* functions */
#define SEGMENTS 1000 /* that a file may have: for each the symbols are gone through */
#define REACH ((code_addr)1 << 30) /* what is farther off is another part, such as the start */

/* Find the i-th segment (ELF's program header, elf(5)). Return whether it has code. */
static bool kernel_segment(const struct symbols *s, size_t i, GElf_Phdr *head)
{
	if (!gelf_getphdr(s->elf, (int)i, head))
		return false;
	if (head->p_type != PT_LOAD)
		return false;
	return head->p_flags & PF_X;
}

/* Return how many functions a segment has; 0: it has no code. */
static size_t kernel_functions(const struct symbols *s, size_t i, GElf_Phdr *head)
{
	size_t k, n = 0;

	if (!kernel_segment(s, i, head))
		return 0;
	for (k = 0; k < s->n; k++)
		n += s->sym[k].start - head->p_vaddr < head->p_memsz;
	return n;
}

/* Find the segment with most functions, and the others with code that are not far off. */
static void kernel_text(struct kernel *k, const struct symbols *s)
{
	size_t i, n, some, best = 0;
	GElf_Phdr head;

	if (elf_getphdrnum(s->elf, &n) != 0)
		n = 0;
	for (i = 0; i < n; i++) {
		some = kernel_functions(s, i, &head);
		if (some <= best)
			continue;
		best = some;
		k->lo = head.p_vaddr;
		k->hi = head.p_vaddr + head.p_memsz;
	}
	for (i = 0; i < n; i++) {
		if (!kernel_functions(s, i, &head))
			continue;
		if (head.p_vaddr > k->hi && head.p_vaddr - k->hi < REACH)
			k->hi = head.p_vaddr + head.p_memsz;
		if (head.p_vaddr < k->lo && k->lo - head.p_vaddr < REACH)
			k->lo = head.p_vaddr;
	}
}

int kernel_read(struct kernel *k, const char *path, struct complaint *why)
{
	struct symbols s;
	size_t n;

	if (symbols_load(&s, path, why) < 0)
		return -1;
	if (elf_getphdrnum(s.elf, &n) != 0)
		n = 0;
	if (n > SEGMENTS) {
		symbols_free(&s);
		return complain(why, "%s: it has more than %d segments", path, SEGMENTS);
	}
	*k = (struct kernel){.width = s.width};
	strcpy(k->buildid, s.buildid);
	if (s.has_text) {
		k->lo = s.ktzero;
		k->hi = s.etext;
	} else {
		kernel_text(k, &s);
	}
	symbols_free(&s);
	if (k->lo >= k->hi)
		return complain(why, "%s: it has no functions in a segment with code", path);
	k->path = realpath(path, NULL);
	if (!k->path)
		return complain_errno(why, path);
	return 0;
}

int kernel_address(const struct kernel *k, const char *name, code_addr *address,
		   struct complaint *why)
{
	const struct symbol *first = NULL;
	struct symbols s;
	char *end;
	size_t i;
	int bad = 0;

	if (strncmp(name, "0x", 2) == 0) {
		*address = strtoull(name, &end, 16);
		if (!*end && *address)
			return 0;
		return complain(why, "%s: a symbol or an address expected", name);
	}
	if (symbols_load(&s, k->path, why) < 0)
		return -1;
	*address = 0;
	for (i = 0; i < s.n && !bad; i++) {
		if (!symbol_means(&s.sym[i], name))
			continue;
		if (first)
			bad = complain(why, "%s: %s has '%s' at 0x%" PRIx64 " and '%s' at 0x%"
				       PRIx64 "; give the address of one, or its name", name,
				       k->path, first->name, (uint64_t)first->start,
				       s.sym[i].name, (uint64_t)s.sym[i].start);
		first = &s.sym[i];
		*address = first->start;
	}
	symbols_free(&s);
	if (bad)
		return -1;
	if (*address)
		return 0;
	return complain(why, "%s: %s has no such function", name, k->path);
}

/* Return whether a pattern matches one of a function's names. */
static bool kernel_matches(const struct symbol *s, const char *pattern)
{
	if (fnmatch(pattern, s->name, 0) == 0)
		return true;
	return fnmatch(pattern, s->plain, 0) == 0;
}

/* Return whether a function has a name that is one of the patterns. */
static bool kernel_chosen(const struct symbol *s, const char *patterns)
{
	char *copy = memory_string(patterns, strlen(patterns)), *at = copy, *pattern;
	bool is = false;

	while (!is && (pattern = strsep(&at, ",")))
		is = kernel_matches(s, pattern);
	free(copy);
	return is;
}

int kernel_print(const struct kernel *k, const char *patterns, FILE *to, struct complaint *why)
{
	struct symbols s;
	size_t i, n = 0;

	if (symbols_load(&s, k->path, why) < 0)
		return -1;
	for (i = 0; i < s.n; i++) {
		if (!kernel_chosen(&s.sym[i], patterns))
			continue;
		fprintf(to, "function %" PRIx64 "\n", kernel_runs(k, s.sym[i].start));
		n++;
	}
	symbols_free(&s);
	if (n > 0)
		return 0;
	return complain(why, "%s: %s has no such functions", patterns, k->path);
}

/* Return an address with as many bits as the machine's have. */
static code_addr kernel_wrap(const struct kernel *k, code_addr at)
{
	if (k->width == 4)
		return at & UINT32_MAX;
	return at;
}

uint64_t kernel_runs(const struct kernel *k, code_addr at)
{
	return kernel_wrap(k, at + k->offset);
}

code_addr kernel_file(const struct kernel *k, uint64_t at)
{
	return kernel_wrap(k, at - k->offset);
}

/*
 * Read the first bytes of a function, which begins that far behind the beginning of a segment.
 * Return whether the file has them: what it says of itself may be wrong.
 */
static bool kernel_bytes(const struct symbols *s, const GElf_Phdr *head, uint64_t behind,
			 uint8_t byte[static KERNEL_BYTES])
{
	if (behind >= head->p_filesz || head->p_filesz - behind < KERNEL_BYTES)
		return false;
	return pread(s->fd, byte, KERNEL_BYTES, (off_t)(head->p_offset + behind)) == KERNEL_BYTES;
}

/* Print the first bytes of a function, if the file has them. */
static void kernel_print_bytes(const struct kernel *k, const struct symbols *s,
			       const struct symbol *sym, FILE *to)
{
	uint8_t byte[KERNEL_BYTES];
	GElf_Phdr head;
	size_t n, i, j;

	if (elf_getphdrnum(s->elf, &n) != 0)
		n = 0;
	for (i = 0; i < n; i++) {
		if (!kernel_segment(s, i, &head))
			continue;
		if (!kernel_bytes(s, &head, sym->start - head.p_vaddr, byte))
			continue;
		fprintf(to, "code %" PRIx64 " ", kernel_runs(k, sym->start));
		for (j = 0; j < KERNEL_BYTES; j++)
			fprintf(to, "%02x", byte[j]);
		putc('\n', to);
		return;
	}
}

int kernel_print_code(const struct kernel *k, FILE *to, struct complaint *why)
{
	struct symbols s;
	size_t i;

	if (symbols_load(&s, k->path, why) < 0)
		return -1;
	for (i = 0; s.elf && i < s.n; i += 1 + s.n / KERNEL_MOST)
		kernel_print_bytes(k, &s, &s.sym[i], to);
	symbols_free(&s);
	return 0;
}
