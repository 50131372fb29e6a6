/*
 * Order the files of an archive for the guest so that the text of programs lies in its pages as it
 * will in memory: then the kernel need not copy it (kernel/process/elf.c). What is in the way of
 * that, up to a page before each program, is filled with other files, and what is left of it with
 * zeros after the program's name. The archive is loaded at the beginning of a page.
 *
 * usage: align <ARCHIVE >ARCHIVE
 */
#include <elf.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/memory.h"
#include "tools/outfile.h"
#include "tools/run/cpio.h"
#include "tools/version.h"

#define PAGE 4096u
#define BLOCK 512u   /* archives are a multiple of this */
#define NAMESIZE 94u /* where a header tells the length of the name, as 8 digits */
#define HEADER 110u

/* A file of the archive, as it lies there. */
struct file {
	const uint8_t *from;
	size_t n;
	struct cpio_entry entry;
	bool written;
};

static struct file *file;
static size_t nfile;
static size_t at; /* bytes that have been written */

static void put(const void *p, size_t n)
{
	if (fwrite(p, 1, n, stdout) != n)
		err(1, "the archive cannot be written");
	at += n;
}

static void put_zeros(size_t n)
{
	static const char zeros[PAGE + 8];

	put(zeros, n);
}

/* Write a file as it is. */
static void put_file(struct file *f)
{
	put(f->from, f->n);
	f->written = true;
}

/* Return whether it is a name of a file whose content comes with another name. */
static bool is_name(const struct file *f)
{
	return S_ISREG(f->entry.mode) && f->entry.links > 1 && f->entry.n == 0;
}

/* Write the other names of a file: the kernel looks for the content in what comes after them. */
static void put_names(const struct file *f)
{
	size_t i;

	for (i = 0; i < nfile; i++)
		if (is_name(&file[i]) && file[i].entry.inode == f->entry.inode)
			put_file(&file[i]);
}

/* Return the segment of a program that can be executed; NULL: it is none. */
static const Elf32_Phdr *text_of(const struct cpio_entry *e)
{
	const Elf32_Ehdr *head = (const void *)e->data;
	unsigned i;

	if (e->n < sizeof(*head) || !(e->mode & 0111))
		return NULL;
	if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
		return NULL;
	if (head->e_phoff > e->n || head->e_phnum > (e->n - head->e_phoff) / sizeof(Elf32_Phdr))
		return NULL;
	for (i = 0; i < head->e_phnum; i++) {
		const Elf32_Phdr *s = (const void *)(e->data + head->e_phoff);

		if (s[i].p_type != PT_LOAD || !(s[i].p_flags & PF_X))
			continue;
		if ((s[i].p_vaddr - s[i].p_offset) % 4 == 0)
			return &s[i];
	}
	return NULL;
}

/* Return how many bytes are to come before a program, for its text to be where it is wanted. */
static size_t gap(const struct file *f, const Elf32_Phdr *text)
{
	size_t data = at + (size_t)(f->entry.data - f->from) + text->p_offset;

	return (text->p_vaddr - data) % PAGE;
}

/* Return the largest of the files that are no programs and fit; NULL: none does. */
static struct file *largest(size_t room)
{
	struct file *best = NULL;
	size_t i;

	for (i = 0; i < nfile; i++) {
		struct file *f = &file[i];

		if (f->written || f->n > room || f->entry.links > 1 || text_of(&f->entry))
			continue;
		if (!best || f->n > best->n)
			best = f;
	}
	return best;
}

/* Write a program, with others before it. */
static void put_program(struct file *f, const Elf32_Phdr *text)
{
	size_t name = strlen(f->entry.path), before = HEADER + name, zeros;
	char digits[9];
	struct file *other;

	put_names(f);
	while ((other = largest(gap(f, text))))
		put_file(other);
	zeros = gap(f, text) + (size_t)(f->entry.data - f->from) - before;
	snprintf(digits, sizeof(digits), "%08zX", name + zeros);
	put(f->from, NAMESIZE);
	put(digits, 8);
	put(f->from + NAMESIZE + 8, HEADER - NAMESIZE - 8);
	put(f->entry.path, name);
	put_zeros(zeros);
	put(f->entry.data, f->n - (size_t)(f->entry.data - f->from));
	f->written = true;
}

/* Read standard input as a whole; not by slurp.h, a change of which is to make no new image. */
static uint8_t *read_all(size_t *n)
{
	uint8_t *all = NULL;
	size_t room = 0, got;

	*n = 0;
	do {
		all = memory_grow(all, &room, *n + 65536, 1);
		got = fread(all + *n, 1, room - *n, stdin);
		*n += got;
	} while (got > 0);
	if (ferror(stdin))
		err(1, "standard input");
	return all;
}

/* Read the files of an archive. Return where its end stands, and move *past beyond that. */
static size_t read_files(const uint8_t *archive, size_t n, size_t *past)
{
	struct cpio_entry e = {.path = ""};
	size_t from, room = 0;

	*past = 0;
	for (from = 0; cpio_next(archive, n, past, &e); from = *past) {
		file = memory_grow(file, &room, nfile + 1, sizeof(*file));
		file[nfile++] = (struct file){archive + from, *past - from, e, false};
	}
	if (strcmp(e.path, "TRAILER!!!") != 0)
		errx(1, "standard input: no archive, or cut short, at byte %zu", from);
	return from;
}

/* Write the archive so ordered. */
static void align(const uint8_t *archive, size_t n)
{
	size_t past, from = read_files(archive, n, &past), i;

	for (i = 0; i < nfile; i++)
		if (S_ISDIR(file[i].entry.mode))
			put_file(&file[i]);
	for (i = 0; i < nfile; i++)
		if (text_of(&file[i].entry))
			put_program(&file[i], text_of(&file[i].entry));
	for (i = 0; i < nfile; i++) {
		if (file[i].written || is_name(&file[i]))
			continue;
		put_names(&file[i]);
		put_file(&file[i]);
	}
	put(archive + from, past - from);
	put_zeros(-at % BLOCK);
	free(file);
}

int main(int argc, char **argv)
{
	static const char usage[] = "usage: align <ARCHIVE >ARCHIVE\n";
	int asked = version_asked("align", usage, argc, argv);
	uint8_t *archive;
	size_t n;

	if (asked >= 0)
		return asked;
	if (argc > 1) {
		fputs(usage, stderr);
		return 2;
	}
	archive = read_all(&n);
	align(archive, n);
	free(archive);
	return outfile_standard("align", 0);
}
