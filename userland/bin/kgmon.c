/* kgmon: controls the kernel's call graph profiling and writes its data to gmon.out. */
#include <sys/sysctl.h>
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prof/files/gmonout.h"
#include "userland/command/memory.h"
#include "userland/profile/buildid.h"
#include "userland/profile/core.h"

#define NAME_SIZE 64
#define NO_CPU "-c %s: there is no such processor"

/* What is worked on: all processors together, or one; and what becomes of it. */
struct target {
	char node[40]; /* its variables' names up to the last dot */
	char out[24];
	char of[24]; /* for messages */
	bool dead;	/* of a memory dump... */
	unsigned which; /* ...this CPU's, or GMON_ALL */
	int state;   /* before */
	int want;    /* after */
};

struct work {
	bool halt, begin, print, zero;
};

static void usage(void)
{
	fprintf(stderr, "usage: kgmon [-bhpr] [-c id | all] [-M core] [-N system]\n");
	exit(2);
}

/* A variable's whole name. */
static const char *name_of(const struct target *t, const char *last)
{
	static char name[NAME_SIZE];

	snprintf(name, sizeof(name), "%s.%s", t->node, last);
	return name;
}

/* A variable whose size is known. */
static void get(const char *name, void *value, size_t size)
{
	size_t n = size;

	if (sysctlbyname(name, value, &n, NULL, 0) < 0)
		err(1, "%s", name);
	if (n != size)
		errx(1, "%s: %u bytes where %u were expected", name, (unsigned)n, (unsigned)size);
}

static int get_state(const struct target *t)
{
	int32_t state;

	get(name_of(t, "state"), &state, sizeof(state));
	return state;
}

static void set_state(const struct target *t, int32_t state)
{
	if (sysctlbyname(name_of(t, "state"), NULL, NULL, &state, sizeof(state)) < 0)
		err(1, "cannot turn profiling%s %s", t->of,
		    state == GMON_PROF_OFF ? "off" : "on");
}

/* One data set, in memory of its own. */
static void *get_data(const char *name, size_t size)
{
	void *data = memory(malloc(size));

	get(name, data, size);
	return data;
}

static int put(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) == n ? 0 : 1;
}

/* A data set as it is in one moment. */
struct picture {
	struct gmonparam g;
	uint32_t *kcount;
	uint16_t *froms;
	struct tostruct *tos;
};

/* Profiling is stopped: else froms and tos, read one after the other, need not agree. */
static void look_live(const struct target *t, struct picture *p)
{
	get(name_of(t, "gmonparam"), &p->g, sizeof(p->g));
	p->kcount = get_data(name_of(t, "count"), p->g.kcountsize);
	p->froms = get_data(name_of(t, "froms"), p->g.fromssize);
	p->tos = get_data(name_of(t, "tos"), p->g.tossize);
}

/* The same of a memory dump, which core_read() has read. */
static void look_dead(const struct target *t, struct picture *p)
{
	gmon_param(t->which, &p->g);
	p->kcount = memory(calloc(1, p->g.kcountsize));
	p->froms = memory(calloc(1, p->g.fromssize));
	p->tos = memory(calloc(1, p->g.tossize));
	gmon_count(t->which, p->kcount);
	gmon_arcs(t->which, p->froms, p->tos);
}

/* Write the data to the target's file. */
static void dump(const struct target *t)
{
	FILE *file = fopen(t->out, "w");
	struct gmonout out = {put, file};
	struct picture p;
	int error;

	if (!file)
		err(1, "%s", t->out);
	if (t->dead)
		look_dead(t, &p);
	else
		look_live(t, &p);
	error = gmonout_head(&out);
	if (!error)
		error = gmonout_count(&out, &p.g, p.kcount);
	if (!error)
		error = gmonout_arcs(&out, &p.g, p.froms, p.tos);
	if (error == GMONOUT_EDAMAGED)
		errx(1, "the kernel's list of arcs is damaged");
	if (fclose(file) != 0 || error)
		err(1, "%s", t->out);
	if (p.g.lost == 1)
		warnx("1 call%s was not counted: it came while another was being counted", t->of);
	else if (p.g.lost)
		warnx("%u calls%s were not counted: they came while others were being counted",
		      (unsigned)p.g.lost, t->of);
	free(p.kcount);
	free(p.froms);
	free(p.tos);
}

/* Zeros, however few, clear the whole of a data set. */
static void reset(const struct target *t)
{
	static const char *const name[] = {"count", "froms", "tos"};
	uint32_t zero = 0;

	for (unsigned i = 0; i < sizeof(name) / sizeof(name[0]); i++)
		if (sysctlbyname(name_of(t, name[i]), NULL, NULL, &zero, sizeof(zero)) < 0)
			err(1, "%s", name_of(t, name[i]));
}

/* The state that is found, and the one that is to be. */
static void look(struct target *t, const struct work *w)
{
	t->state = get_state(t);
	t->want = t->state == GMON_PROF_ERROR ? GMON_PROF_OFF : t->state;
	if (t->state == GMON_PROF_ERROR)
		warnx("profiling tos overflow%s", t->of);
	if (w->halt || w->begin)
		t->want = w->halt ? GMON_PROF_OFF : GMON_PROF_ON;
}

/* The last step: the state, and a word about it. Nonzero if it is an error that was asked for. */
static int finish(const struct target *t, const struct work *w)
{
	if (w->halt || w->begin || w->print || w->zero)
		set_state(t, t->want);
	else if (t->state == GMON_PROF_ERROR)
		return 1;
	printf("kgmon: kernel profiling%s is %s.\n", t->of,
	       t->want == GMON_PROF_OFF ? "off" : "running");
	return 0;
}

/* What is asked for is done in a fixed order, each step for all: -p, -r, and last the state. */
static int work(struct target *t, unsigned n, const struct work *w)
{
	unsigned i;
	int status = 0;

	for (i = 0; i < n; i++)
		look(&t[i], w);
	for (i = 0; i < n && (w->print || w->zero); i++)
		set_state(&t[i], GMON_PROF_OFF);
	for (i = 0; i < n && w->print; i++)
		dump(&t[i]);
	for (i = 0; i < n && w->zero; i++)
		reset(&t[i]);
	for (i = 0; i < n; i++)
		status |= finish(&t[i], w);
	return status;
}

/* That processor; false if there is none. */
static bool target_cpu(struct target *t, unsigned cpu)
{
	snprintf(t->node, sizeof(t->node), "kern.profiling.percpu.cpu%u", cpu);
	snprintf(t->out, sizeof(t->out), "gmon-%u.out", cpu);
	snprintf(t->of, sizeof(t->of), " of cpu%u", cpu);
	return sysctlbyname(name_of(t, "state"), NULL, NULL, NULL, 0) == 0;
}

/* The number of a processor, below n. */
static unsigned cpu_number(const char *id, unsigned n)
{
	char *end;
	unsigned long cpu = strtoul(id, &end, 10);

	if (!isdigit((unsigned char)*id) || *end != '\0' || cpu >= n)
		errx(1, NO_CPU, id);
	return (unsigned)cpu;
}

/* What -c names; how many that are. */
static unsigned find_targets(struct target *t, const char *id)
{
	unsigned n = 0;

	if (!id) {
		*t = (struct target){.node = "kern.profiling", .out = "gmon.out"};
		return 1;
	}
	if (strcmp(id, "all") == 0) {
		while (n < PROF_MAXCPU && target_cpu(&t[n], n))
			n++;
		return n;
	}
	if (target_cpu(t, cpu_number(id, PROF_MAXCPU)))
		return 1;
	errx(1, NO_CPU, id);
}

/* A memory dump: its state is told, and its data are written; it cannot be changed. */
static int work_dead(const char *core, const char *system, const char *id, const struct work *w)
{
	static const char *const state[] = {"running", "running", "in error", "off"};
	unsigned cpu = 0, last, ncpu = core_read(core, system ? system : "/boot/gnomon");
	struct target t = {.dead = true, .which = GMON_ALL, .out = "gmon.out"};

	last = id && strcmp(id, "all") == 0 ? ncpu - 1 : 0;
	if (id && last == 0 && strcmp(id, "all") != 0)
		cpu = last = cpu_number(id, ncpu);
	for (; cpu <= last; cpu++) {
		if (id) {
			t.which = cpu;
			snprintf(t.out, sizeof(t.out), "gmon-%u.out", cpu);
			snprintf(t.of, sizeof(t.of), " of cpu%u", cpu);
		}
		if (w->print)
			dump(&t);
		printf("kgmon: kernel profiling%s was %s.\n", t.of, state[gmon_state(t.which) & 3]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static struct target targets[PROF_MAXCPU];
	struct work w = {false, false, false, false};
	struct symtab symbols;
	const char *system = NULL, *id = NULL, *core = NULL;
	int c;

	while ((c = getopt(argc, argv, "bc:hprM:N:")) != -1) {
		switch (c) {
		case 'b':
			w.begin = true;
			break;
		case 'c':
			id = optarg;
			break;
		case 'h':
			w.halt = true;
			break;
		case 'p':
			w.print = true;
			break;
		case 'r':
			w.zero = true;
			break;
		case 'N':
			system = optarg;
			break;
		case 'M':
			core = optarg;
			break;
		default:
			usage();
		}
	}
	if (optind < argc)
		usage();
	if (core && (w.begin || w.halt || w.zero))
		errx(2, "-M %s: a memory dump can be read, not changed: no -b, -h or -r", core);
	if (core)
		return work_dead(core, system, id, &w);
	if (system) {
		symtab_read(&symbols, system);
		buildid_check(&symbols, system);
		symtab_free(&symbols);
	}
	return work(targets, find_targets(targets, id), &w);
}
