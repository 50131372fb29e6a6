/*
 * trace-cmd's file, for trace-cmd report and KernelShark, of a time line: who ran on which CPU, as
 * the event sched_switch of Linux's, and what was seen there. A tick is an event of its own with
 * its path; entries and returns are those of Linux's function_graph.
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

/*
 * Functions are named by a list of addresses as /proc/kallsyms has it. There a program's would be
 * taken for those of another program at the same place, so they are said to be elsewhere.
 */

#define ELSEWHERE (1ull << 62) /* that of the function with number 0 */
#define APART 16	       /* bytes from one to the next */

enum { ENTRY, RETURN, SWITCH, TICK, OFF, MARK };

/* The events: funcgraph_... and sched_switch are those of Linux, which readers know by name. */
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
	uint16_t path_at, path_size; /* __data_loc: where in the event, and bytes with the NUL */
	char path[TRACEFILE_LARGEST - 24];
};

struct mark {
	struct tracefile_common common;
	uint16_t text_at, text_size;
	char text[MARK_MOST];
};

/* What a CPU does. */
struct cpu {
	size_t mark;	  /* the next one to be added */
	uint32_t pid;
	uint32_t process; /* which of the names it has; PROFDATA_NONE: not known who runs */
};

/* When the functions were entered in which a process or a CPU is, by the depth of its stack. */
struct entered {
	uint64_t *at;
	size_t room;
};

struct writer {
	struct export *x;
	struct tracefile file;
	struct cpu *cpus;  /* by number */
	uint32_t cpu, pid; /* whose events they are */
	struct timeline_threads threads;
	struct entered *entered; /* of each */
	size_t room_entered;
	size_t at; /* which of them has a call or a return */
	uint64_t last; /* the time of the last record of all */
};

/* Return a time of the time line in nanoseconds. */
static uint64_t ns(const struct writer *w, uint64_t time)
{
	return timeline_ns(&w->x->prof, time);
}

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
static void enter_function(void *arg, uint32_t function, uint64_t time)
{
	struct writer *w = arg;
	size_t depth = w->threads.thread[w->at].stack.n;
	struct entry e = {
		.common = common(w, ENTRY),
		.func = function_place(w, function),
		.depth = (int32_t)depth,
	};
	struct entered *in;

	tracefile_add(&w->file, w->cpu, ns(w, time), &e, sizeof(e));
	w->entered = memory_grow_zeroed(w->entered, &w->room_entered, w->at + 1,
					sizeof(*w->entered));
	in = &w->entered[w->at];
	in->at = memory_grow(in->at, &in->room, depth + 1, sizeof(*in->at));
	in->at[depth] = ns(w, time);
}

/* A function returns. */
static void leave_function(void *arg, uint32_t function, uint64_t time)
{
	struct writer *w = arg;
	size_t depth = w->threads.thread[w->at].stack.n;
	struct returned r = {
		.common = common(w, RETURN),
		.func = function_place(w, function),
		.calltime = w->entered[w->at].at[depth],
		.rettime = ns(w, time),
		.depth = (int32_t)depth,
	};

	tracefile_add(&w->file, w->cpu, ns(w, time), &r, sizeof(r));
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
	struct cpu *c = &w->cpus[w->cpu];
	struct switched s = {
		.common = common(w, SWITCH),
		.prev_pid = (int32_t)c->pid,
		.next_pid = (int32_t)r->pid,
	};

	if (c->process != PROFDATA_NONE) {
		s.common.pid = s.prev_pid;
		copy_name(s.prev_comm, p->name[c->process]);
		copy_name(s.next_comm, p->name[r->process]);
		tracefile_add(&w->file, r->cpu, ns(w, r->us), &s, sizeof(s));
	}
	c->pid = r->pid;
	c->process = r->process;
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
	tracefile_add(&w->file, r->cpu, ns(w, r->us), &t, t.path_at + t.path_size);
}

/* Recording was stopped: nothing is known of this CPU until its next record. */
static void add_off(struct writer *w, const struct profdata_record *r)
{
	struct tracefile_common off;

	w->pid = w->cpus[w->cpu].pid;
	off = common(w, OFF);
	tracefile_add(&w->file, r->cpu, ns(w, r->us), &off, sizeof(off));
	w->cpus[w->cpu].process = PROFDATA_NONE;
}

/* Add the marks of the CPU up to a moment. A text that is too long is cut. */
static void add_marks(struct writer *w, uint64_t time)
{
	const struct profdata *p = &w->x->prof;
	struct mark e = {.common = common(w, MARK), .text_at = offsetof(struct mark, text)};
	size_t *next = &w->cpus[w->cpu].mark;
	const struct profdata_mark *m;

	for (; *next < p->nmark && p->mark[*next].us <= time; ++*next) {
		m = &p->mark[*next];
		if (m->cpu != w->cpu)
			continue;
		e.common.pid = (int32_t)m->pid;
		snprintf(e.text, sizeof(e.text), "%s", m->text);
		e.text_size = (uint16_t)(strlen(e.text) + 1);
		tracefile_add(&w->file, w->cpu, ns(w, m->us), &e, e.text_at + e.text_size);
	}
}

/* Return from all functions at a moment, from which on it is not known what runs. */
static void leave_all(struct writer *w, uint64_t time)
{
	struct timeline_open *open = &w->threads.open;
	struct timeline_thread *t;
	size_t i;

	for (i = 0; i < open->n; i++) {
		w->at = open->at[i];
		t = &w->threads.thread[w->at];
		if (timeline_of_processes(&w->x->prof))
			timeline_stay(&t->stack, time);
		w->cpu = t->on;
		w->pid = t->pid;
		add_marks(w, t->stack.end);
		timeline_finish(&t->stack, leave_function, w);
	}
	open->n = 0;
}

/* Add the functions that run from a record on. */
static void add_functions(struct writer *w, const struct timeline_span *span)
{
	w->at = timeline_thread(&w->threads, &w->x->prof, span);
	timeline_functions(&w->threads.thread[w->at].stack, w->x, span, enter_function,
			   leave_function, w);
}

/* Add what a record tells. */
static void add_record(struct writer *w, const struct timeline_span *span)
{
	const struct profdata *p = &w->x->prof;
	const struct profdata_record *r = &p->record[span->record];
	struct cpu *c = &w->cpus[r->cpu];

	if (profdata_is_off(p, r) && timeline_of_processes(p))
		leave_all(w, r->us);
	w->cpu = r->cpu;
	w->pid = r->pid;
	add_marks(w, r->us);
	if (profdata_is_off(p, r)) {
		add_off(w, r);
		return;
	}
	if (c->process == PROFDATA_NONE || c->pid != r->pid)
		change_process(w, r);
	c->process = r->process;
	if (!timeline_of_ticks(p))
		add_functions(w, span);
	else if (r->sample != PROFDATA_NONE)
		add_tick(w, r);
}

/* Add the records of all CPUs in the order of time. */
static void add_records(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	struct timeline_span *span = timeline_spans(p);
	size_t i;

	for (i = 0; i < p->nrecord; i++) {
		add_record(w, &span[i]);
		w->last = order_max(w->last, span[i].end);
	}
	leave_all(w, w->last);
	for (i = 0; i < p->non; i++) {
		w->cpu = p->on[i].cpu;
		add_marks(w, UINT64_MAX);
	}
	free(span);
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
	w->cpus = memory_zeroed(ncpu, sizeof(*w->cpus));
	for (i = 0; i < p->non; i++) {
		w->file.ring[p->on[i].cpu].lost = p->on[i].overwritten;
		w->cpus[p->on[i].cpu].process = PROFDATA_NONE;
	}
}

int export_tracedat(struct export *x, FILE *to, struct complaint *why)
{
	struct writer w = {.x = x};
	size_t i;

	if (strcmp(x->prof.format, "trace") != 0)
		return complain(why,
				"trace.dat holds a time line, as kptrace(5) has it, not %s "
				"without times",
				profdata_unit_name[x->prof.unit]);
	if (x->prof.nrecord == 0)
		return complain(why, "there is nothing in it");
	begin_file(&w);
	add_records(&w);
	name_functions(&w);
	name_processes(&w);
	tracefile_finish(&w.file, to);
	free(w.cpus);
	for (i = 0; i < w.room_entered; i++)
		free(w.entered[i].at);
	free(w.entered);
	timeline_threads_free(&w.threads);
	return 0;
}
