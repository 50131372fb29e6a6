/* What the profilers have counted inside a guest: see inside.h. Here are kprof and the log. */
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include "tools/guest/peek.h"
#include "tools/memory.h"

/* Check that the kernel in memory is this image: its build id is a note that is in both. */
static int check_kernel(struct inside *in, struct complaint *why)
{
	Elf *elf = in->layout.elf;
	Elf_Scn *section = NULL;
	Elf32_Shdr *head;
	Elf_Data *note;
	uint8_t there[64];

	while ((section = elf_nextscn(elf, section)) != NULL) {
		head = elf32_getshdr(section);
		if (!head || head->sh_type != SHT_NOTE || !(head->sh_flags & SHF_ALLOC) ||
		    !(note = elf_getdata(section, NULL)) || note->d_size > sizeof(there))
			continue;
		if (ram_kernel(in->ram, head->sh_addr, there, note->d_size, why) < 0)
			return -1;
		return memcmp(there, note->d_buf, note->d_size) == 0 ? 0
			: complain(why, "the kernel in memory is another than %s, or none",
				   in->layout.path);
	}
	return complain(why, "%s: it has no build id", in->layout.path);
}

const char *inside_build(const struct inside *in, char buf[static RUNINFO_TEXT])
{
	const unsigned char *id;
	ssize_t i, n = dwelf_elf_gnu_build_id(in->layout.elf, (const void **)&id);

	*buf = 0;
	for (i = 0; i < n && 2 * i + 3 <= RUNINFO_TEXT; i++)
		sprintf(buf + 2 * i, "%02x", id[i]);
	return buf;
}

/* The memory is ours from here on, whatever happens. */
int inside_open(struct inside *in, const char *kernel, struct ram *ram, struct complaint *why)
{
	in->ram = ram;
	if (layout_open(&in->layout, kernel, why) < 0) {
		ram->close(ram);
		return -1;
	}
	if (check_kernel(in, why) == 0)
		return 0;
	inside_close(in);
	return -1;
}

/* The memory was given to inside_open(). */
void inside_close(struct inside *in)
{
	layout_close(&in->layout);
	in->ram->close(in->ram);
}

/* Make empty tables as large as the guest's. */
static int kprof_like(struct inside *in, struct prof *p, struct complaint *why)
{
	uint32_t first, size;
	uint64_t ncpu;

	if (peek_number32(in, "profilers.kprof.first", 0, &first, why) < 0 ||
	    peek_number32(in, "profilers.kprof.size", 0, &size, why) < 0 ||
	    peek_number(in, "profilers.kprof.ncpu", 0, PROF_MAXCPU, &ncpu, why) < 0)
		return -1;
	first -= PROF_KPROF_SPECIAL << PROF_KPROF_LOG2;
	size += PROF_KPROF_SPECIAL << PROF_KPROF_LOG2;
	if (size > PEEK_MAXTABLE || !prof_kprof_init(p, first, first + size, (unsigned)ncpu))
		return complain(why, "kprof was not ready in the guest");
	return peek_pace(in, "profilers.kprof.pace", 0, &p->kprof.pace, why);
}

/* prof_kprof_init() got these from prof_hook_alloc() of offline.c. */
void inside_free(struct prof *p)
{
	unsigned cpu;

	for (cpu = 0; cpu < PROF_MAXCPU; cpu++)
		free(p->kprof.cell[cpu]);
}

/* Make the tables the first time, then only copy the counts: they keep their size. */
int inside_kprof(struct inside *in, struct prof *p, struct complaint *why)
{
	unsigned cpu;
	int bad = p->kprof.ncpu > 0 ? 0 : kprof_like(in, p, why); /* once is enough */

	for (cpu = 0; !bad && cpu < p->kprof.ncpu; cpu++)
		bad = peek_table(in, "profilers.kprof.cell[%u]", cpu, p->kprof.cell[cpu],
				 prof_kprof_length(p), why);
	return bad;
}

/* The picture is the one that a reader of /dev/kpdata in the guest would get. */
int inside_kpdata(struct inside *in, FILE *to, struct complaint *why)
{
	struct prof p = {0};
	uint8_t *data;
	int bad = inside_kprof(in, &p, why);

	if (!bad) {
		data = memory_zeroed(1, prof_kprof_length(&p));
		prof_kprof_picture(&p, data);
		fwrite(data, 1, prof_kprof_length(&p), to);
		free(data);
	}
	inside_free(&p);
	return bad;
}

/* The kernel counts every byte it prints; a ring holds the last of them. */
int inside_log(struct inside *in, FILE *to, struct complaint *why)
{
	struct location ring;
	uint64_t logged, i;
	uint8_t *text;
	int bad;

	if (layout_find(&in->layout, in->ram, "kernel/print.c:log", &ring, why) < 0 ||
	    peek_number(in, "kernel/print.c:logged", 0, UINT64_MAX, &logged, why) < 0)
		return -1;
	text = memory_zeroed(1, ring.size);
	bad = ram_kernel(in->ram, ring.address, text, ring.size, why);
	for (i = logged < ring.size ? 0 : logged - ring.size; !bad && i < logged; i++)
		putc(text[i % ring.size], to);
	free(text);
	return bad;
}

/* It is 0 until the kernel has measured it, early in its start. */
int inside_khz(struct inside *in, uint32_t *khz, struct complaint *why)
{
	if (peek_number32(in, "kernel/clock.c:tsc_khz", 0, khz, why) < 0)
		return -1;
	return *khz > 0 ? 0 : complain(why, "the guest's clocks do not run yet");
}
