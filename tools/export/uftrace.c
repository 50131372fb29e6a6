/*
 * uftrace's folder, of a time line of functions: a file of the records of each task, a process or,
 * where these are not told, a CPU; the names of functions; and what there is. In TASK.dat each
 * entry and each return is 16 bytes:
 *
 *	u64 time in nanoseconds
 *	u64 2 bits of kind: 0 entry, 1 return; a bit that arguments follow; 3 bits, always 5;
 *	    10 bits of depth; 48 of address
 *
 * Where instructions are counted, one is a microsecond, as in the other exports.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tools/export/export.h"
#include "tools/export/timeline.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/outfile.h"

#define VERSION 4
#define DEEPEST 1023 /* what a record has room for */
#define SESSION "676e6f6d6f6e0001"

/* What a folder can have: records are of a session, and there are calls of how many levels. */
enum { HAS_SESSION = 1 << 1, HAS_DEPTH = 1 << 6 };
enum { SAYS_EXECUTABLE = 1 << 0, SAYS_COMMAND = 1 << 3, SAYS_TASKS = 1 << 7 };

/* Where functions of programs are: each program begins at the same address, but a name has one. */
#define ELSEWHERE (1ull << 44)
#define APART 16
#define END (1ull << 46)

/* What the file info begins with; its numbers are in the order of this machine's bytes. */
struct info {
	char magic[8];
	uint32_t version;
	uint16_t size; /* of this */
	uint8_t little_endian, class; /* 2: addresses of 64 bits, whatever the kernel's are */
	uint64_t has, says;
	uint16_t depth, unused[3];
};

/* The records of a task, as they are in its file. There may be very many tasks, with a few each. */
struct records {
	uint64_t (*record)[2];
	size_t n, room;
};

struct writer {
	struct export *x;
	const char *folder; /* that is being filled */
	struct complaint *why;
	struct timeline_threads threads;
	struct records *records;	/* of each */
	size_t at;			/* which of them has a call or a return */
	uint32_t idle;			/* the task of the first CPU's */
	uint32_t *task; /* those that have some */
	size_t ntask;
	uint64_t first, last; /* times of the first record and of the last of all */
};

/* Return the number of a task: of its process, or of a CPU after all of these. 0 is none. */
static uint32_t task_of(const struct writer *w, const struct timeline_thread *t)
{
	if (t->pid)
		return t->pid;
	return w->idle + t->cpu;
}

/* Store a file of the folder, and free its text. */
static int store_file(struct writer *w, const char *name, struct memory_stream *text)
{
	char *path = memory_format("%s/%s", w->folder, name);
	int bad;

	memory_stream_close(text);
	bad = outfile_store(path, text->data, text->n, w->why);
	free(text->data);
	free(path);
	return bad;
}

/* Return the address by which a function has its name. */
static uint64_t function_address(const struct writer *w, uint32_t function)
{
	const struct function *f = &w->x->functions.function[function];
	bool known = f->start != 0 && f->start < ELSEWHERE && f->image != PROFDATA_NONE;

	if (known && w->x->prof.image[f->image].kernel)
		return f->start;
	return ELSEWHERE + (uint64_t)function * APART;
}

/* Write a record: `kind` is 0 for an entry, 1 for a return. What is too deep is left out. */
static void put_record(struct writer *w, unsigned kind, uint32_t function, uint64_t time)
{
	uint64_t depth = w->threads.thread[w->at].stack.n;
	struct records *r = &w->records[w->at];

	if (depth > DEEPEST)
		return;
	r->record = memory_grow(r->record, &r->room, r->n + 1, sizeof(*r->record));
	r->record[r->n][0] = timeline_ns(&w->x->prof, time);
	r->record[r->n++][1] =
		kind | 5u << 3 | depth << 6 | function_address(w, function) << 16;
}

static void enter_function(void *arg, uint32_t function, uint64_t time)
{
	put_record(arg, 0, function, time);
}

static void leave_function(void *arg, uint32_t function, uint64_t time)
{
	put_record(arg, 1, function, time);
}

/* Find the tasks, and when the first and the last record was. 0, or -1 and why: none is free. */
static int find_tasks(struct writer *w, const struct timeline_span *span)
{
	const struct profdata *p = &w->x->prof;
	uint32_t highest = 0;
	size_t i;

	w->first = span[0].begin;
	for (i = 0; i < p->nrecord; i++) {
		timeline_thread(&w->threads, p, &span[i]);
		w->last = order_max(w->last, span[i].end);
	}
	for (i = 0; i < w->threads.n; i++)
		highest = (uint32_t)order_max(highest, w->threads.thread[i].pid);
	w->task = memory_zeroed(w->threads.n, sizeof(*w->task));
	w->records = memory_zeroed(w->threads.n, sizeof(*w->records));
	if (highest >= INT32_MAX)
		return complain(w->why, "%s: process %" PRIu32 ": uftrace has no task above "
				"2147483647", w->x->file, highest);
	w->idle = highest + 1;
	return 0;
}

/* Return from all functions at a moment, from which on it is not known what runs. */
static void leave_all(struct writer *w, uint64_t time)
{
	struct timeline_open *open = &w->threads.open;
	size_t i;

	for (i = 0; i < open->n; i++) {
		w->at = open->at[i];
		if (timeline_of_processes(&w->x->prof))
			timeline_stay(&w->threads.thread[w->at].stack, time);
		timeline_finish(&w->threads.thread[w->at].stack, leave_function, w);
	}
	open->n = 0;
}

/* Put all entries and returns into the records of their tasks. */
static void put_records(struct writer *w, const struct timeline_span *span)
{
	const struct profdata *p = &w->x->prof;
	size_t i;

	for (i = 0; i < p->nrecord; i++) {
		if (timeline_of_processes(p) && profdata_is_off(p, &p->record[span[i].record])) {
			leave_all(w, span[i].begin);
			continue;
		}
		w->at = timeline_thread(&w->threads, p, &span[i]);
		timeline_functions(&w->threads.thread[w->at].stack, w->x, &span[i], enter_function,
				   leave_function, w);
	}
	leave_all(w, w->last);
}

/* Store the records of the tasks that have some. */
static int store_records(struct writer *w)
{
	int bad = 0;
	size_t i;

	for (i = 0; i < w->threads.n && !bad; i++) {
		const struct records *r = &w->records[i];
		uint32_t task = task_of(w, &w->threads.thread[i]);
		char *path;

		if (r->n == 0)
			continue;
		w->task[w->ntask++] = task;
		path = memory_format("%s/%" PRIu32 ".dat", w->folder, task);
		bad = outfile_store(path, r->record, r->n * sizeof(*r->record), w->why);
		free(path);
	}
	return bad;
}

/* Free the records of all tasks. */
static void free_records(struct writer *w)
{
	size_t i;

	for (i = 0; i < w->threads.n; i++)
		free(w->records[i].record);
	free(w->records);
}

/* For qsort_r: functions by address. */
static int compare_functions(const void *va, const void *vb, void *writer)
{
	return order(function_address(writer, *(const uint32_t *)va),
		     function_address(writer, *(const uint32_t *)vb));
}

/* Write what the functions are called, in the order of their addresses. */
static int put_symbols(struct writer *w)
{
	const struct functions *f = &w->x->functions;
	uint32_t *number = memory_zeroed(f->n, sizeof(*number));
	struct memory_stream text;
	char name[512];
	size_t i;

	for (i = 0; i < f->n; i++)
		number[i] = (uint32_t)i;
	qsort_r(number, f->n, sizeof(*number), compare_functions, w);
	memory_stream_open(&text);
	for (i = 0; i < f->n; i++)
		fprintf(text.f, "%016" PRIx64 " T %s\n", function_address(w, number[i]),
			export_name(w->x, number[i], name, sizeof(name)));
	fprintf(text.f, "%016llx T __sym_end\n", (unsigned long long)END);
	free(number);
	return store_file(w, "kernel.sym", &text);
}

/* Write which addresses have these names. A stack above all tells that no others do. */
static int put_map(struct writer *w)
{
	struct memory_stream text;

	memory_stream_open(&text);
	fprintf(text.f, "000000000000-%012llx r-xp 00000000 00:00 0 /kernel\n",
		(unsigned long long)END);
	fputs("7ffffffde000-7ffffffff000 rw-p 00000000 00:00 0 [stack]\n", text.f);
	return store_file(w, "sid-" SESSION ".map", &text);
}

/* Write which tasks there are. */
static int put_tasks(struct writer *w)
{
	uint64_t first = timeline_ns(&w->x->prof, w->first);
	uint64_t s = first / 1000000000, ns = first % 1000000000;
	struct memory_stream text;
	size_t i;

	memory_stream_open(&text);
	fprintf(text.f, "SESS timestamp=%" PRIu64 ".%09" PRIu64 " pid=%" PRIu32 " sid=" SESSION
		" exename=\"/kernel\"\n", s, ns, w->task[0]);
	for (i = 0; i < w->ntask; i++)
		fprintf(text.f, "TASK timestamp=%" PRIu64 ".%09" PRIu64 " tid=%" PRIu32 " pid=%"
			PRIu32 "\n", s, ns, w->task[i], w->task[0]);
	return store_file(w, "task.txt", &text);
}

/* Write what is in the folder, by bits, and then in words. */
static int put_info(struct writer *w)
{
	struct info head = {
		.magic = "Ftrace!", .version = VERSION, .size = sizeof(head), .little_endian = 1,
		.class = 2, .has = HAS_SESSION | HAS_DEPTH,
		.says = SAYS_EXECUTABLE | SAYS_COMMAND | SAYS_TASKS, .depth = DEEPEST + 1,
	};
	struct memory_stream text;
	size_t i;

	memory_stream_open(&text);
	fwrite(&head, 1, sizeof(head), text.f);
	fputs("exename:/kernel\ncmdline:gnomon export\n", text.f);
	fprintf(text.f, "taskinfo:lines=2\ntaskinfo:nr_tid=%zu\ntaskinfo:tids=", w->ntask);
	for (i = 0; i < w->ntask; i++)
		fprintf(text.f, "%s%" PRIu32, i > 0 ? "," : "", w->task[i]);
	putc('\n', text.f);
	return store_file(w, "info", &text);
}

/* Fill the folder. */
static int put_files(struct writer *w)
{
	struct timeline_span *span = timeline_spans(&w->x->prof);
	int bad = find_tasks(w, span);

	if (!bad)
		put_records(w, span);
	free(span);
	if (bad)
		return -1;
	if (store_records(w) < 0)
		return -1;
	if (w->ntask == 0)
		return complain(w->why, "%s: no function was entered in it", w->x->file);
	if (put_symbols(w) < 0 || put_map(w) < 0 || put_tasks(w) < 0)
		return -1;
	return put_info(w);
}

int export_uftrace(struct export *x, const char *folder, struct complaint *why)
{
	struct writer w = {.x = x, .folder = folder, .why = why};
	int bad;

	if (x->prof.nrecord == 0 || timeline_of_ticks(&x->prof))
		return complain(why, "%s: uftrace's folder holds functions that were entered and "
				"left, as gnomon record --functions or kptrace(5) with calls have "
				"them, not %s", x->file,
				profdata_unit_name[x->prof.unit]);
	bad = put_files(&w);
	free(w.task);
	free_records(&w);
	timeline_threads_free(&w.threads);
	return bad;
}
