/*
 * trace-cmd's file, for trace-cmd report and KernelShark, of a time line: who ran on which CPU, as
 * the event sched_switch of Linux's, and what was seen there. A tick is an event of its own with
 * its path; entries and returns that gnomon record saw are those of Linux's function_graph.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/export/export.h"
#include "tools/export/timeline.h"
#include "tools/export/tracefile.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/printable.h"

#define COMM 16	      /* bytes of a process' name, with the 0 at its end */
#define MARK_MOST 200    /* of the text of a mark, with the 0 at its end */
#define NS_OF_US 1000 /* of an instruction, too, if these are the unit of time */

/* Where functions of programs are: each program begins at the same address, but a name has one. */
#define ELSEWHERE (1ull << 62)
#define APART 16

enum { ENTRY, RETURN, SWITCH, TICK, OFF, MARK };

static const struct tracefile_kind kinds[] = {
	[ENTRY] =
		{
			"ftrace",
			"funcgraph_entry",
			"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
			"\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n",
			"\"--> %ps (%d)\", (void *)REC->func, REC->depth",
		},
	[RETURN] =
		{
			"ftrace",
			"funcgraph_exit",
			"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
			"\tfield:unsigned long long calltime;\toffset:16;\tsize:8;\tsigned:0;\n"
			"\tfield:unsigned long long rettime;\toffset:24;\tsize:8;\tsigned:0;\n"
			"\tfield:unsigned long overrun;\toffset:32;\tsize:8;\tsigned:0;\n"
			"\tfield:int depth;\toffset:40;\tsize:4;\tsigned:1;\n",
			"\"<-- %ps (%d)\", (void *)REC->func, REC->depth",
		},
	[SWITCH] =
		{
			"sched",
			"sched_switch",
			"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
			"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
			"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
			"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
			"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n",
			"\"%s:%d ==> %s:%d\", REC->prev_comm, REC->prev_pid, REC->next_comm, "
			"REC->next_pid",
		},
	[TICK] =
		{
			"gnomon",
			"tick",
			"\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
			"\tfield:__data_loc char[] path;\toffset:16;\tsize:4;\tsigned:0;\n",
			"\"%s\", __get_str(path)",
		},
	[OFF] =
		{
			"gnomon",
			"off",
			"",
			"\"recording was stopped here\"",
		},
	[MARK] =
		{
			"gnomon",
			"mark",
			"\tfield:__data_loc char[] text;\toffset:8;\tsize:4;\tsigned:0;\n",
			"\"%s\", __get_str(text)",
		},
};

#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The events, as `kinds` describes them. */
struct entry {
	struct tracefile_common common;
	uint64_t func;
	int32_t depth;
};

struct returned {
	struct tracefile_common common;
	uint64_t func, calltime, rettime, overrun;
	int32_t depth;
};

struct switched {
	struct tracefile_common common;
	char prev_comm[COMM];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
	char next_comm[COMM];
	int32_t next_pid, next_prio;
};

struct tick {
	struct tracefile_common common;
	uint64_t ip;
	uint16_t path_at, path_size;
	char path[TRACEFILE_LARGEST - 24];
};

struct mark {
	struct tracefile_common common;
	uint16_t text_at, text_size;
	char text[MARK_MOST];
};

struct writer {
	struct export *x;
	struct tracefile file;
	uint32_t cpu, pid; /* whose events they are */
	size_t mark;	   /* the next one to be added */
	uint32_t process;  /* which of the names it has; PROFDATA_NONE: not known who runs */
	struct timeline_stack stack;
	uint64_t *entered; /* when, in nanoseconds, by the depth of the stack */
	size_t room_entered;
};

/* Return what the event of a kind begins with. */
static struct tracefile_common common(const struct writer *w, unsigned kind)
{
	return (struct tracefile_common){
		.type = (uint16_t)(TRACEFILE_FIRST + kind),
		.pid = (int32_t)w->pid,
	};
}

/* Return the address by which a function has its name. */
static uint64_t function_place(const struct writer *w, uint32_t function)
{
	const struct function *f = &w->x->functions.function[function];

	if (f->start != 0 && f->image != PROFDATA_NONE && w->x->prof.image[f->image].kernel)
		return f->start;
	return ELSEWHERE + (uint64_t)function * APART;
}

/* A function is called. */
static void enter_function(void *arg, uint32_t function, uint64_t us)
{
	struct writer *w = arg;
	size_t depth = w->stack.n;
	struct entry e = {
		.common = common(w, ENTRY),
		.func = function_place(w, function),
		.depth = (int32_t)depth,
	};

	w->entered = memory_grow(w->entered, &w->room_entered, depth + 1, sizeof(*w->entered));
	w->entered[depth] = us * NS_OF_US;
	tracefile_add(&w->file, w->cpu, us * NS_OF_US, &e, sizeof(e));
}

/* A function returns. */
static void leave_function(void *arg, uint32_t function, uint64_t us)
{
	struct writer *w = arg;
	size_t depth = w->stack.n;
	struct returned r = {
		.common = common(w, RETURN),
		.func = function_place(w, function),
		.calltime = w->entered[depth],
		.rettime = us * NS_OF_US,
		.depth = (int32_t)depth,
	};

	tracefile_add(&w->file, w->cpu, us * NS_OF_US, &r, sizeof(r));
}

/* Copy the name of a process, as far as there is room. */
static void copy_name(char to[COMM], const char *name)
{
	char *valid = printable(name);

	snprintf(to, COMM, "%s", valid);
	free(valid);
}

/* Another process runs from now on, if it is known which one did. Why that stopped is not. */
static void change_process(struct writer *w, const struct profdata_record *r)
{
	const struct profdata *p = &w->x->prof;
	struct switched s = {
		.common = common(w, SWITCH),
		.prev_pid = (int32_t)w->pid,
		.next_pid = (int32_t)r->pid,
	};

	if (w->process != PROFDATA_NONE) {
		copy_name(s.prev_comm, p->name[w->process]);
		copy_name(s.next_comm, p->name[r->process]);
		tracefile_add(&w->file, r->cpu, r->us * NS_OF_US, &s, sizeof(s));
	}
	w->pid = r->pid;
	w->process = r->process;
}

/* Write a path into a stream, the outermost function first. */
static void put_path(struct writer *w, const struct step *step, size_t n, FILE *to)
{
	char name[512];
	size_t i;

	for (i = 0; i < n; i++) {
		if (i > 0)
			putc(';', to);
		fputs(export_name(w->x, step[i].function, name, sizeof(name)), to);
	}
}

/* Add a tick. A path that is too long loses its outer end. */
static void add_tick(struct writer *w, const struct profdata_record *r)
{
	struct tick t = {.common = common(w, TICK), .path_at = offsetof(struct tick, path)};
	size_t n, skip = 0;
	const struct step *step = export_path(w->x, &w->x->prof.sample[r->sample], &n);
	struct memory_stream path;

	memory_stream_open(&path);
	put_path(w, step, n, path.f);
	memory_stream_close(&path);
	if (path.n >= sizeof(t.path))
		skip = path.n + 1 - sizeof(t.path);
	memcpy(t.path, path.data + skip, path.n - skip);
	free(path.data);
	t.path_size = (uint16_t)(path.n - skip + 1);
	t.ip = step[n - 1].pc;
	tracefile_add(&w->file, r->cpu, r->us * NS_OF_US, &t, t.path_at + t.path_size);
}

/* Recording was stopped: nothing is known of this CPU until its next record. */
static void add_off(struct writer *w, const struct profdata_record *r)
{
	struct tracefile_common off = common(w, OFF);

	tracefile_add(&w->file, r->cpu, r->us * NS_OF_US, &off, sizeof(off));
	w->process = PROFDATA_NONE;
}

/* Add the marks of the CPU up to a moment. A text that is too long is cut. */
static void add_marks(struct writer *w, uint64_t us)
{
	const struct profdata *p = &w->x->prof;
	struct mark e = {.common = common(w, MARK), .text_at = offsetof(struct mark, text)};
	const struct profdata_mark *m;

	for (; w->mark < p->nmark && p->mark[w->mark].us <= us; w->mark++) {
		m = &p->mark[w->mark];
		if (m->cpu != w->cpu)
			continue;
		e.common.pid = (int32_t)m->pid;
		snprintf(e.text, sizeof(e.text), "%s", m->text);
		e.text_size = (uint16_t)(strlen(e.text) + 1);
		tracefile_add(&w->file, w->cpu, m->us * NS_OF_US, &e, e.text_at + e.text_size);
	}
}

/* Add what a record tells. */
static void add_record(struct writer *w, size_t record)
{
	const struct profdata *p = &w->x->prof;
	const struct profdata_record *r = &p->record[record];

	if (profdata_is_off(p, r)) {
		add_off(w, r);
		return;
	}
	if (w->process == PROFDATA_NONE || w->pid != r->pid)
		change_process(w, r);
	w->process = r->process;
	if (!timeline_of_ticks(p))
		timeline_functions(&w->stack, w->x, record, enter_function, leave_function, w);
	else if (r->sample != PROFDATA_NONE)
		add_tick(w, r);
}

/* Add the records of a CPU, which begin with that one. Return where they end. */
static size_t add_cpu(struct writer *w, size_t first)
{
	const struct profdata *p = &w->x->prof;
	size_t end = profdata_cpu_end(p, first), i;

	w->cpu = p->record[first].cpu;
	w->process = PROFDATA_NONE;
	w->mark = 0;
	for (i = first; i < end; i++) {
		add_marks(w, p->record[i].us);
		add_record(w, i);
	}
	add_marks(w, UINT64_MAX);
	timeline_finish(&w->stack, leave_function, w);
	return end;
}

/* Name all functions that were met. */
static void name_functions(struct writer *w)
{
	const struct functions *f = &w->x->functions;
	char name[512];
	size_t i;

	for (i = 0; i < f->n; i++)
		fprintf(w->file.symbols.f, "%016llx T %s\n",
			(unsigned long long)function_place(w, i),
			export_name(w->x, i, name, sizeof(name)));
}

/* For qsort: by number, and then by time. */
static int compare_pids(const void *va, const void *vb)
{
	const struct profdata_record *a = va, *b = vb;

	if (a->pid != b->pid)
		return order(a->pid, b->pid);
	return order(a->us, b->us);
}

/* Name all processes, each by the last name that it had. */
static void name_processes(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	struct profdata_record *r = memory_zeroed(p->nrecord, sizeof(*r));
	char name[COMM];
	size_t i;

	memcpy(r, p->record, p->nrecord * sizeof(*r));
	qsort(r, p->nrecord, sizeof(*r), compare_pids);
	for (i = 0; i < p->nrecord; i++) {
		if (i + 1 < p->nrecord && r[i + 1].pid == r[i].pid)
			continue;
		copy_name(name, p->name[r[i].process]);
		fprintf(w->file.processes.f, "%u %s\n", (unsigned)r[i].pid, name);
	}
	free(r);
}

/* Begin the file, with a ring for each CPU up to the last. */
static void begin_file(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	size_t ncpu = 0, i;

	for (i = 0; i < p->non; i++)
		ncpu = order_max(ncpu, (size_t)p->on[i].cpu + 1);
	tracefile_init(&w->file, kinds, NKINDS, ncpu);
	for (i = 0; i < p->non; i++)
		w->file.ring[p->on[i].cpu].lost = p->on[i].overwritten;
}

int export_tracedat(struct export *x, FILE *to, struct complaint *why)
{
	struct writer w = {.x = x};
	size_t i = 0;

	if (strcmp(x->prof.format, "trace") != 0)
		return complain(why,
				"trace.dat holds a time line, as kptrace(5) has it, not %s "
				"without times",
				profdata_unit_name[x->prof.unit]);
	if (x->prof.nrecord == 0)
		return complain(why, "there is nothing in it");
	begin_file(&w);
	while (i < x->prof.nrecord)
		i = add_cpu(&w, i);
	name_functions(&w);
	name_processes(&w);
	tracefile_finish(&w.file, to);
	free(w.entered);
	return 0;
}
