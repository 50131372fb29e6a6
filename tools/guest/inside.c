/* What the profilers have counted inside a guest: see inside.h. */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "prof/files/gmonout.h"
#include "tools/guest/inside.h"
#include "prof/stack.h"

#define MAXTABLE (64u << 20) /* bytes of a table: more is not believed */

/* Where the kernel has them. */
#define GMON "prof/gmon.c:gmon[%u]"
#define ALL "kernel/proc.c:all"
#define STACK "kernel/prof/userprof.c:profilers.stack"

/* The kernel's build id is a note that is in memory as in the file: both must be one. */
static int check_kernel(struct inside *in, struct complaint *why)
{
	Elf *elf = dwarf_getelf(in->layout.dwarf);
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

void inside_close(struct inside *in)
{
	layout_close(&in->layout);
	in->ram->close(in->ram);
}

/* A number of the kernel's, at most max. */
static int number(struct inside *in, const char *path, unsigned i, uint64_t max, uint64_t *value,
		  struct complaint *why)
{
	char name[96];

	snprintf(name, sizeof(name), path, i);
	if (layout_number(&in->layout, in->ram, value, why, "%s", name) < 0)
		return -1;
	return *value <= max ? 0
		: complain(why, "%s is %llu: damaged", name, (unsigned long long)*value);
}

static int number32(struct inside *in, const char *path, unsigned i, uint32_t *value,
		    struct complaint *why)
{
	uint64_t v = 0;
	int bad = number(in, path, i, UINT32_MAX, &v, why);

	*value = (uint32_t)v;
	return bad;
}

/* The table that a pointer of the kernel's leads to. */
static int table(struct inside *in, const char *path, unsigned i, void *to, size_t n,
		 struct complaint *why)
{
	uint32_t address;

	if (number32(in, path, i, &address, why) < 0)
		return -1;
	return ram_kernel(in->ram, address, to, n, why);
}

/* How long the ticks were. */
static int pace(struct inside *in, const char *of, unsigned i, struct prof_pace *pace,
		struct complaint *why)
{
	char us[96], ticks[96], before[96];

	snprintf(us, sizeof(us), "%s.us", of);
	snprintf(ticks, sizeof(ticks), "%s.ticks_before", of);
	snprintf(before, sizeof(before), "%s.us_before", of);
	if (number32(in, us, i, &pace->us, why) < 0 ||
	    number32(in, ticks, i, &pace->ticks_before, why) < 0)
		return -1;
	return number(in, before, i, UINT64_MAX, &pace->us_before, why);
}

/* Tables as those in the guest, empty. */
static int kprof_like(struct inside *in, struct prof *p, struct complaint *why)
{
	uint32_t first, size;
	uint64_t ncpu;

	if (number32(in, "profilers.kprof.first", 0, &first, why) < 0 ||
	    number32(in, "profilers.kprof.size", 0, &size, why) < 0 ||
	    number(in, "profilers.kprof.ncpu", 0, PROF_MAXCPU, &ncpu, why) < 0)
		return -1;
	first -= KPROF_SPECIAL << KPROF_LOG2;
	size += KPROF_SPECIAL << KPROF_LOG2;
	if (size > MAXTABLE || !kprof_init(p, first, first + size, (unsigned)ncpu))
		return complain(why, "kprof was not ready in the guest");
	return pace(in, "profilers.kprof.pace", 0, &p->kprof.pace, why);
}

void inside_free(struct prof *p)
{
	unsigned cpu;

	for (cpu = 0; cpu < PROF_MAXCPU; cpu++)
		free(p->kprof.cell[cpu]);
}

int inside_kprof(struct inside *in, struct prof *p, struct complaint *why)
{
	unsigned cpu;
	int bad = p->kprof.ncpu > 0 ? 0 : kprof_like(in, p, why);

	for (cpu = 0; !bad && cpu < p->kprof.ncpu; cpu++)
		bad = table(in, "profilers.kprof.cell[%u]", cpu, p->kprof.cell[cpu],
			    kprof_length(p), why);
	return bad;
}

int inside_kpdata(struct inside *in, uint8_t **data, size_t *size, struct complaint *why)
{
	struct prof p = {0};
	int bad = inside_kprof(in, &p, why);

	*size = bad ? 0 : kprof_length(&p);
	*data = bad ? NULL : malloc(*size);
	if (*data)
		kprof_picture(&p, *data);
	else if (!bad)
		bad = complain(why, "%s", strerror(ENOMEM));
	inside_free(&p);
	return bad;
}

/* One CPU's tables. */
static int gmon_copy(struct inside *in, unsigned cpu, struct complaint *why)
{
	struct gmon_cpu *c = gmon_cpu(cpu);
	struct gmonparam *g = &c->param;

	if (table(in, GMON ".param.kcount", cpu, g->kcount, g->kcountsize, why) < 0 ||
	    table(in, GMON ".arc", cpu, c->arc, g->tolimit * sizeof(*c->arc), why) < 0 ||
	    number32(in, GMON ".param.lost", cpu, &g->lost, why) < 0)
		return -1;
	return pace(in, GMON ".pace", cpu, &c->pace, why);
}

/* Tables as those in the guest, and what is in them, in prof/'s own variables. */
static int gmon_like(struct inside *in, struct complaint *why)
{
	uint32_t lo, hi, limit;
	uint64_t ncpu;
	unsigned cpu;
	int bad = 0;

	if (number32(in, "_gmonparam.lowpc", 0, &lo, why) < 0 ||
	    number32(in, "_gmonparam.highpc", 0, &hi, why) < 0 ||
	    number32(in, "_gmonparam.tolimit", 0, &limit, why) < 0 ||
	    number(in, "gmon_ncpu", 0, PROF_MAXCPU, &ncpu, why) < 0)
		return -1;
	if (lo > hi || hi - lo > MAXTABLE || !kmstartup(lo, hi, (unsigned)ncpu) ||
	    _gmonparam.tolimit != limit)
		return complain(why, "gmon was not ready in the guest");
	for (cpu = 0; !bad && cpu < ncpu; cpu++)
		bad = gmon_copy(in, cpu, why);
	return bad;
}

/* For struct gmonout. */
static int put(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) == n ? 0 : errno;
}

/* The pictures that the guest's kernel would give, as a file. */
static int gmon_write(FILE *to, struct complaint *why)
{
	struct gmonout out = {put, to};
	struct gmonparam g;
	uint32_t *count;
	uint16_t *froms;
	struct tostruct *tos;
	int err = ENOMEM;

	gmon_param(GMON_ALL, &g);
	count = malloc(g.kcountsize);
	froms = malloc(g.fromssize);
	tos = malloc(g.tossize);
	if (count && froms && tos) {
		gmon_count(GMON_ALL, count);
		gmon_arcs(GMON_ALL, froms, tos);
		err = gmonout_head(&out);
		if (!err)
			err = gmonout_count(&out, &g, count);
		if (!err)
			err = gmonout_arcs(&out, &g, froms, tos);
	}
	free(count);
	free(froms);
	free(tos);
	return err ? complain(why, "%s", err < 0 ? "its arcs are damaged" : strerror(err)) : 0;
}

/* An entry's slot is where its list begins: beyond the table it is no slot. */
static bool sound(void)
{
	unsigned cpu;
	uint32_t i;

	for (cpu = 0; cpu < PROF_MAXCPU && gmon_cpu(cpu)->arc; cpu++) {
		const struct gmon_cpu *c = gmon_cpu(cpu);

		if (c->arc[0].link >= c->param.tolimit)
			return false;
		for (i = 1; i <= c->arc[0].link; i++)
			if (c->arc[i].slot >= c->param.fromssize / sizeof(*c->param.froms))
				return false;
	}
	return true;
}

static void free_gmon(void)
{
	unsigned cpu;

	for (cpu = 0; cpu < PROF_MAXCPU; cpu++) {
		struct gmon_cpu *c = gmon_cpu(cpu);

		free(c->param.kcount);
		free(c->param.froms);
		free(c->arc);
		*c = (struct gmon_cpu){0};
	}
}

int inside_gmon(struct inside *in, FILE *to, struct complaint *why)
{
	int bad = gmon_like(in, why);

	if (!bad && !sound())
		bad = complain(why, "gmon's tables are damaged");
	if (!bad)
		bad = gmon_write(to, why);
	free_gmon();
	return bad;
}

/* One CPU's table of paths. Nothing in it may lead out of it. */
static int stack_copy(struct inside *in, struct stacks *k, unsigned cpu, struct complaint *why)
{
	struct stack_cpu *c = &k->cpu[cpu];
	uint32_t at, i, nslot = (UINT32_MAX >> k->shift) + 1;

	if (table(in, STACK ".cpu[%u].slot", cpu, c->slot, nslot * sizeof(*c->slot), why) < 0 ||
	    table(in, STACK ".cpu[%u].word", cpu, c->word, k->nword * sizeof(*c->word), why) < 0 ||
	    number32(in, STACK ".cpu[%u].used", cpu, &c->used, why) < 0)
		return -1;
	if (c->used > k->nword)
		return complain(why, "the table of paths is damaged");
	for (at = STACK_FIRST; at < c->used; at += stack_entry_size(c->word[at + STACK_SHAPE]) + 1)
		if (c->used - at <= STACK_BODY ||
		    stack_entry_size(c->word[at + STACK_SHAPE]) >= c->used - at)
			return complain(why, "the table of paths is damaged");
	for (i = 0; i < nslot; i++)
		if (c->slot[i] >= c->used && c->slot[i] != 0)
			return complain(why, "the table of paths is damaged");
	return 0;
}

/* Tables as those in the guest, and what is in them. 1: they are off. */
static int stack_like(struct inside *in, struct prof *p, struct complaint *why)
{
	struct stacks *k = &p->stack;
	uint32_t there, nword, shift;
	uint64_t ncpu;
	unsigned cpu;
	int bad;

	if (number32(in, STACK ".cpu[0].word", 0, &there, why) < 0 ||
	    number(in, STACK ".ncpu", 0, PROF_MAXCPU, &ncpu, why) < 0 ||
	    number32(in, STACK ".nword", 0, &nword, why) < 0 ||
	    number32(in, STACK ".shift", 0, &shift, why) < 0)
		return -1;
	if (there == 0 || ncpu == 0)
		return complain(why, "stacks are off in the guest"), 1;
	stack_init(p, (unsigned)ncpu, 0);
	if (!stack_open(p) || k->nword != nword || k->shift != shift)
		return complain(why, "the table of paths is damaged");
	bad = number32(in, STACK ".depth", 0, &k->depth, why) < 0 ||
	      pace(in, STACK ".pace", 0, &k->pace, why) < 0;
	for (cpu = 0; !bad && cpu < ncpu; cpu++)
		bad = stack_copy(in, k, cpu, why) < 0;
	return bad ? -1 : 0;
}

int inside_stacks(struct inside *in, FILE *to, struct complaint *why)
{
	const unsigned char *id;
	struct prof p = {0};
	struct stack_look look;
	char *text = NULL;
	int bad = stack_like(in, &p, why);
	ssize_t i, n;

	if (!bad) {
		text = malloc(stack_look(&p, &look));
		bad = text ? 0 : complain(why, "%s", strerror(ENOMEM));
	}
	if (!bad) {
		n = dwelf_elf_gnu_build_id(dwarf_getelf(in->layout.dwarf), (const void **)&id);
		fputs("# kpstack version=1 build=", to);
		for (i = 0; i < n; i++)
			fprintf(to, "%02x", id[i]);
		fputc('\n', to);
		fwrite(text, 1, stack_text(&p, &look, text), to);
	}
	free(text);
	stack_close(&p);
	return bad;
}

int inside_log(struct inside *in, uint8_t **text, size_t *size, struct complaint *why)
{
	struct location ring;
	uint64_t logged, i, n;
	uint8_t *raw;

	if (layout_find(&in->layout, in->ram, "kernel/print.c:log", &ring, why) < 0 ||
	    number(in, "kernel/print.c:logged", 0, UINT64_MAX, &logged, why) < 0)
		return -1;
	n = logged < ring.size ? logged : ring.size;
	raw = malloc(ring.size);
	*text = malloc(n + 1);
	if (!raw || !*text || ram_kernel(in->ram, ring.address, raw, ring.size, why) < 0) {
		free(raw);
		free(*text);
		return -1;
	}
	for (i = 0; i < n; i++)
		(*text)[i] = raw[(logged - n + i) % ring.size];
	(*text)[n] = 0;
	*size = n;
	free(raw);
	return 0;
}

/* Where things are within a struct proc. */
struct offsets {
	struct location whole, pid, name, utime, stime, next;
};

static int process_layout(struct inside *in, struct offsets *o, struct complaint *why)
{
	const struct {
		const char *path;
		struct location *at;
	} all[] = {
		{ALL "[0]", &o->whole},	    {ALL ".pid", &o->pid},
		{ALL ".name", &o->name},    {ALL ".utime", &o->utime},
		{ALL ".stime", &o->stime},  {ALL ".all", &o->next},
	};
	uint32_t base = 0;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (layout_find(&in->layout, in->ram, all[i].path, all[i].at, why) < 0)
			return -1;
		base = i == 0 ? o->whole.address : base;
		all[i].at->address -= base;
		if (i > 0 && (all[i].at->size > 32 || all[i].at->address > o->whole.size - 32))
			return complain(why, "%s: not of a size known", all[i].path);
	}
	return 0;
}

/* One of a struct's numbers. */
static uint64_t pick(const uint8_t *from, const struct location *at)
{
	uint64_t value = 0;

	memcpy(&value, from + at->address, at->size < sizeof(value) ? at->size : sizeof(value));
	return value;
}

int inside_processes(struct inside *in, struct inside_process *list, int max,
		     struct complaint *why)
{
	uint8_t raw[4096];
	struct offsets o;
	uint32_t at;
	int n = 0;

	if (number32(in, ALL, 0, &at, why) < 0)
		return -1;
	if (at == 0)
		return 0;
	if (process_layout(in, &o, why) < 0)
		return -1;
	if (o.whole.size > sizeof(raw))
		return complain(why, "struct proc: %u bytes", o.whole.size);
	for (; at != 0 && n < max; at = (uint32_t)pick(raw, &o.next), n++) {
		if (ram_kernel(in->ram, at, raw, o.whole.size, why) < 0)
			return -1;
		list[n] = (struct inside_process){
			.pid = (uint32_t)pick(raw, &o.pid),
			.time = pick(raw, &o.utime) + pick(raw, &o.stime),
		};
		memcpy(list[n].name, raw + o.name.address, o.name.size);
		list[n].name[sizeof(list[n].name) - 1] = 0;
	}
	return n;
}

int inside_khz(struct inside *in, uint32_t *khz, struct complaint *why)
{
	if (number32(in, "kernel/clock.c:tsc_khz", 0, khz, why) < 0)
		return -1;
	return *khz > 0 ? 0 : complain(why, "the guest's clocks do not run yet");
}
