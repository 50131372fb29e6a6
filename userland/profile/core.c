/*
 * The call graph profile in a memory dump. The tables in it are those of prof/prof_gmon.c,
 * which this program has too: they are copied, and its functions do the rest.
 */
#include "userland/profile/core.h"

#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/profile/elf.h"
#include "userland/profile/symtab.h"

#define KERNBASE 0xC0000000u
#define MAXSEGMENT 64
#define NOTE_HEAD 16 /* bytes before a build id */

static struct {
	const char *path;
	int fd;
	unsigned n;
	struct elf64_segment segment[MAXSEGMENT];
} dump;

/* Read n bytes of the file, or end the program. */
static void read_file(void *to, size_t n, uint64_t at)
{
	ssize_t got = 0;

	if (lseek(dump.fd, (off_t)at, SEEK_SET) < 0)
		err(1, "%s", dump.path);
	for (; n > 0; n -= (size_t)got, to = (char *)to + got) {
		got = read(dump.fd, to, n);
		if (got < 0)
			err(1, "%s", dump.path);
		if (got == 0)
			errx(1, "%s: it is cut off", dump.path);
	}
}

/* Read n bytes of memory, all in one segment, at an address of the kernel's. */
static void read_memory(void *to, size_t n, uint32_t va)
{
	uint64_t pa = va - KERNBASE;
	unsigned i;

	for (i = 0; i < dump.n; i++) {
		const struct elf64_segment *s = &dump.segment[i];

		if (s->type == PT_LOAD && pa >= s->paddr && pa - s->paddr <= s->filesz &&
		    n <= s->filesz - (pa - s->paddr)) {
			read_file(to, n, s->offset + (pa - s->paddr));
			return;
		}
	}
	errx(1, "%s: it has no memory at %08lx", dump.path, (unsigned long)va);
}

/* Open the dump and read its segments: pieces of physical memory. */
static void open_dump(const char *path)
{
	struct elf64_head h;

	dump.path = path;
	dump.fd = open(path, O_RDONLY);
	if (dump.fd < 0)
		err(1, "%s", path);
	read_file(&h, sizeof(h), 0);
	if (h.ident.magic != ELF_MAGIC || h.ident.class != ELFCLASS64 ||
	    h.ident.data != ELFDATA2LSB || h.type != ET_CORE ||
	    h.phentsize != sizeof(struct elf64_segment) || h.phnum > MAXSEGMENT)
		errx(1, "%s: not a memory dump (an ELF core, by dump-guest-memory)", path);
	dump.n = h.phnum;
	read_file(dump.segment, dump.n * sizeof(struct elf64_segment), h.phoff);
}

/* Return the address of a variable of the kernel's, or end the program. */
static uint32_t variable(const struct symtab *s, const char *name, const char *system)
{
	uint32_t address = symtab_variable(s, name);

	if (!address)
		errx(1, "%s: it has no %s: not a kernel of ours", system, name);
	return address;
}

/* Copy the tables of one CPU, which have the sizes that they have here. */
static void copy_tables(struct prof_gmon_param *ours, const struct prof_gmon_param *theirs)
{
	uint32_t i;

	if (theirs->kcountsize != ours->kcountsize || theirs->tolimit != ours->tolimit)
		errx(1, "%s: profiling was not set up, or the dump is of another kernel",
		     dump.path);
	read_memory(ours->kcount, ours->kcountsize, (uintptr_t)theirs->kcount);
	read_memory(ours->tos, ours->tossize, (uintptr_t)theirs->tos);
	/* What comes from outside must not lead prof_gmon_arcs() out of its tables. */
	for (i = 1; i <= ours->tos[0].link; i++)
		if (i >= ours->tolimit || ours->tos[i].slot >= ours->fromssize / 2)
			errx(1, "%s: its list of arcs is damaged", dump.path);
	ours->state = theirs->state;
	ours->lost = theirs->lost;
}

/* End the program unless the kernel that left the dump is that of the image. */
static void check_kernel(const struct symtab *s, const char *system)
{
	uint8_t id[SYMTAB_ID / 2];
	char text[SYMTAB_ID + 1];
	unsigned i;

	read_memory(id, sizeof(id), variable(s, "build_id_note", system) + NOTE_HEAD);
	for (i = 0; i < sizeof(id); i++)
		snprintf(text + 2 * i, 3, "%02x", id[i]);
	if (strcmp(text, s->buildid) != 0)
		errx(1, "%s: of another kernel than %s", dump.path, system);
}

unsigned core_read(struct prof *p, const char *core, const char *system)
{
	struct prof_gmon theirs;
	struct prof_gmon_param g;
	struct symtab s;
	unsigned cpu;

	symtab_read(&s, system);
	open_dump(core);
	check_kernel(&s, system);
	read_memory(&g, sizeof(g), variable(&s, "_gmonparam", system));
	read_memory(&theirs, sizeof(theirs),
		    variable(&s, "profilers", system) + offsetof(struct prof, gmon));
	if (theirs.ncpu > PROF_MAXCPU || !prof_gmon_init(p, g.lowpc, g.highpc, theirs.ncpu, NULL))
		errx(1, "%s: profiling was not set up, or the dump is of another kernel", core);
	for (cpu = 0; cpu < theirs.ncpu; cpu++) {
		read_memory(&g, sizeof(g), (uintptr_t)theirs.cpu[cpu].param);
		copy_tables(p->gmon.cpu[cpu].param, &g);
		p->gmon.cpu[cpu].pace = theirs.cpu[cpu].pace;
	}
	return theirs.ncpu;
}
