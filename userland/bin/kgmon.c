/*
 * kgmon: controls the kernel's call graph profiling and writes its data to gmon.out. It is
 * NetBSD's kgmon(8): it asks the kernel by sysctl(3) for kern.profiling.state, count, froms, tos
 * and gmonparam, and for the same of one processor under kern.profiling.percpu.cpuN.
 * Host: no
 */
#include <sys/sysctl.h>
#include <ctype.h>
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prof/files/prof_gmonout.h"
#include "userland/command/memory.h"
#include "userland/command/usage.h"
#include "userland/profile/buildid.h"
#include "userland/profile/core.h"
#include "userland/profile/loss.h"

#define NAME_SIZE 64 /* bytes of a variable's name */
#define NO_CPU "-c %s: there is no such processor"

static const char synopsis[] = "kgmon [-bhpr] [-c id | all] [-M core] [-N system]";

/* What the command line says. */
struct options {
	bool halt, begin, print, zero; /* -h, -b, -p and -r */
	const char *id;		       /* of -c; NULL: all processors together */
	const char *core;	       /* a memory dump to read instead of the running kernel */
	const char *system;	       /* the kernel's image, or NULL */
};

/* What is worked on, all processors together or one, and what becomes of it. */
struct target {
	unsigned which; /* a processor, or PROF_GMON_ALL */
	char node[40];	/* its variables' names up to the last dot */
	char out[24];	/* the file for its data */
	char of[24];	/* names it in messages */
	int state;	/* GMON_PROF_..., as it was found */
	int want;	/* the state that is set last */
	bool halted;	/* for a while */
};

static struct target targets[PROF_MAXCPU];

/* Return a variable's whole name, which lasts until the next call. */
static const char *name_of(const struct target *t, const char *last)
{
	static char name[NAME_SIZE];

	snprintf(name, sizeof(name), "%s.%s", t->node, last);
	return name;
}

/* Get a variable whose size is known. */
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
		err(1, "cannot turn profiling%s %s", t->of, state == PROF_GMON_OFF ? "off" : "on");
}

/* Halt the target until its data are dealt with. */
static void halt(struct target *t)
{
	set_state(t, PROF_GMON_OFF);
	t->halted = t->state == PROF_GMON_ON;
}

/* For atexit(): leave profiling as it was, if the program ends while it is halted. */
static void resume(void)
{
	int32_t on = PROF_GMON_ON;

	for (unsigned i = 0; i < PROF_MAXCPU; i++)
		if (targets[i].halted)
			sysctlbyname(name_of(&targets[i], "state"), NULL, NULL, &on, sizeof(on));
}

/* Get one data set, in memory of its own. */
static void *get_data(const char *name, size_t size)
{
	void *data = memory(malloc(size));

	get(name, data, size);
	return data;
}

static struct prof dumped; /* what a memory dump has; filled by core_read() */

/* The data of a target as they were at one moment. */
struct picture {
	struct prof_gmon_param g;
	uint32_t *kcount;
	uint16_t *froms;
	struct prof_tostruct *tos;
};

/*
 * Get the data of the running kernel. Profiling is stopped by now: else froms and tos, which are
 * read one after the other, need not agree.
 */
static void look_live(const struct target *t, struct picture *p)
{
	get(name_of(t, "gmonparam"), &p->g, sizeof(p->g));
	p->kcount = get_data(name_of(t, "count"), p->g.kcountsize);
	p->froms = get_data(name_of(t, "froms"), p->g.fromssize);
	p->tos = get_data(name_of(t, "tos"), p->g.tossize);
}

/* Get the same of the memory dump. */
static void look_dead(const struct target *t, struct picture *p)
{
	prof_gmon_param(&dumped, t->which, &p->g);
	p->kcount = memory(calloc(1, p->g.kcountsize));
	p->froms = memory(calloc(1, p->g.fromssize));
	p->tos = memory(calloc(1, p->g.tossize));
	prof_gmon_count(&dumped, t->which, p->kcount);
	prof_gmon_arcs(&dumped, t->which, p->froms, p->tos);
}

/* For prof_gmonout_head() and its kin: write to the file, and return nonzero if that fails. */
static int put(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) == n ? 0 : 1;
}

/* Write a gmon.out, gmon(5). */
static void write_file(const struct picture *p, const char *name)
{
	FILE *file = fopen(name, "w");
	struct prof_sink out = {.write = put, .arg = file};
	int error;

	if (!file)
		err(1, "%s", name);
	error = prof_gmonout_head(&out);
	if (!error)
		error = prof_gmonout_count(&out, &p->g, p->kcount);
	if (!error)
		error = prof_gmonout_arcs(&out, &p->g, p->froms, p->tos);
	if (error == PROF_GMONOUT_EDAMAGED)
		errx(1, "the kernel's list of arcs is damaged");
	if (fclose(file) != 0 || error)
		err(1, "%s", name);
}

/* Say how many ticks are missing from all that was counted, if they are many. */
static void warn_lost(void)
{
	char line[TICKS_LINE];
	struct loss l;

	if (loss_read(&l, "gmon") && *loss_line(&l, "times", line))
		warnx("%s", line);
}

/* Write the target's data to its file, and say what is missing from them. */
static void dump(const struct target *t, const struct options *o)
{
	struct picture p;

	if (o->core)
		look_dead(t, &p);
	else
		look_live(t, &p);
	write_file(&p, t->out);
	if (p.g.lost == 1)
		warnx("1 call%s was not counted: it came while another was being counted", t->of);
	else if (p.g.lost)
		warnx("%u calls%s were not counted: they came while others were being counted",
		      (unsigned)p.g.lost, t->of);
	if (p.g.mixed)
		warnx("the clock's rate was changed: %s has the mean, %u Hz", t->out,
		      (unsigned)p.g.profrate);
	free(p.kcount);
	free(p.froms);
	free(p.tos);
}

/* Clear the target's data: zeros, however few, clear the whole of a data set. */
static void reset(const struct target *t)
{
	static const char *const name[] = {"count", "froms", "tos"};
	uint32_t zero = 0;

	for (unsigned i = 0; i < sizeof(name) / sizeof(name[0]); i++)
		if (sysctlbyname(name_of(t, name[i]), NULL, NULL, &zero, sizeof(zero)) < 0)
			err(1, "%s", name_of(t, name[i]));
}

/* Find the target's state, and decide which one is to be set last: -h beats -b. */
static void look(struct target *t, const struct options *o)
{
	t->state = get_state(t);
	t->want = t->state == PROF_GMON_ERROR ? PROF_GMON_OFF : t->state;
	if (t->state == PROF_GMON_ERROR)
		warnx("profiling tos overflow%s", t->of);
	if (o->halt || o->begin)
		t->want = o->halt ? PROF_GMON_OFF : PROF_GMON_ON;
}

/* Set the state and tell it. Return 1 if it was only to be told, and is an error. */
static int finish(struct target *t, const struct options *o)
{
	t->halted = false;
	if (o->halt || o->begin || o->print || o->zero)
		set_state(t, t->want);
	else if (t->state == PROF_GMON_ERROR)
		return 1;
	printf("kgmon: kernel profiling%s is %s.\n", t->of,
	       t->want == PROF_GMON_OFF ? "off" : "running");
	return 0;
}

/* Do what was asked for in a fixed order, each step for all targets: -p, -r, last the state. */
static int work(struct target *t, unsigned n, const struct options *o)
{
	unsigned i;
	int status = 0;

	for (i = 0; i < n; i++)
		look(&t[i], o);
	for (i = 0; i < n && (o->print || o->zero); i++)
		halt(&t[i]);
	for (i = 0; i < n && o->print; i++)
		dump(&t[i], o);
	if (o->print)
		warn_lost();
	for (i = 0; i < n && o->zero; i++)
		reset(&t[i]);
	for (i = 0; i < n; i++)
		status |= finish(&t[i], o);
	return status;
}

/* Make all processors together the target. */
static void target_all(struct target *t)
{
	*t = (struct target){.which = PROF_GMON_ALL, .node = "kern.profiling", .out = "gmon.out"};
}

/* Make one processor the target. */
static void target_cpu(struct target *t, unsigned cpu)
{
	t->which = cpu;
	snprintf(t->node, sizeof(t->node), "kern.profiling.percpu.cpu%u", cpu);
	snprintf(t->out, sizeof(t->out), "gmon-%u.out", cpu);
	snprintf(t->of, sizeof(t->of), " of cpu%u", cpu);
}

/* Return whether the kernel has the target's variables: it has those of its processors. */
static bool exists(const struct target *t)
{
	return sysctlbyname(name_of(t, "state"), NULL, NULL, NULL, 0) == 0;
}

/* Return the number of a processor, which is below n, or end the program. */
static unsigned cpu_number(const char *id, unsigned n)
{
	char *end;
	unsigned long cpu = strtoul(id, &end, 10);

	if (!isdigit((unsigned char)*id) || *end != '\0' || cpu >= n)
		errx(1, NO_CPU, id);
	return (unsigned)cpu;
}

/*
 * Find what -c names among ncpu processors, of which a running kernel may have fewer. Return how
 * many targets that are.
 */
static unsigned find_targets(struct target *t, const struct options *o, unsigned ncpu)
{
	unsigned n;

	if (!o->id) {
		target_all(t);
		return 1;
	}
	if (strcmp(o->id, "all") != 0) {
		target_cpu(t, cpu_number(o->id, ncpu));
		if (!o->core && !exists(t))
			errx(1, NO_CPU, o->id);
		return 1;
	}
	for (n = 0; n < ncpu; n++) {
		target_cpu(&t[n], n);
		if (!o->core && !exists(&t[n]))
			break;
	}
	return n;
}

/* Tell the state in a memory dump and write its data; it cannot be changed. */
static void work_dead(const struct target *t, unsigned n, const struct options *o)
{
	static const char *const state[] = {"running", "running", "in error", "off"};

	for (; n > 0; t++, n--) {
		if (o->print)
			dump(t, o);
		printf("kgmon: kernel profiling%s was %s.\n", t->of,
		       state[prof_gmon_state(&dumped, t->which) & 3]);
	}
}

/* Take the options; -h is none for help here. */
static void take_options(struct options *o, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "bc:hprM:N:")) != -1) {
		if (c == 'b')
			o->begin = true;
		else if (c == 'c')
			o->id = optarg;
		else if (c == 'h')
			o->halt = true;
		else if (c == 'p')
			o->print = true;
		else if (c == 'r')
			o->zero = true;
		else if (c == 'M')
			o->core = optarg;
		else if (c == 'N')
			o->system = optarg;
		else
			usage('?', synopsis);
	}
	if (optind < argc)
		usage('?', synopsis);
	if (o->core && (o->begin || o->halt || o->zero))
		errx(2, "-M %s: a memory dump can be read, not changed: no -b, -h or -r", o->core);
}

int main(int argc, char **argv)
{
	struct options o = {.halt = false};
	struct symtab symbols;
	unsigned ncpu;

	take_options(&o, argc, argv);
	if (o.core) {
		ncpu = core_read(&dumped, o.core, o.system ? o.system : "/boot/gnomon");
		work_dead(targets, find_targets(targets, &o, ncpu), &o);
		return 0;
	}
	if (o.system) {
		symtab_read(&symbols, o.system);
		buildid_check(&symbols, o.system);
		symtab_free(&symbols);
	}
	atexit(resume);
	return work(targets, find_targets(targets, &o, PROF_MAXCPU), &o);
}
