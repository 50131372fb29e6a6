/* The profiles that gnomon record writes: see counted.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/outfile.h"
#include "tools/profile/gmonfile.h"
#include "tools/profile/textline.h"
#include "tools/ending.h"
#include "tools/progress.h"
#include "tools/record/counted.h"
#include "tools/record/program.h"
#include "tools/slurp.h"

#define CELLS ((size_t)1 << 22) /* of an empty histogram, at most */

/* How often the instruction at an address ran. */
struct pair {
	uint64_t at, count;
};

/* Calls from a return address to a function's first. */
struct arc {
	uint64_t from, to, count;
};

/* What is being read. */
struct counted {
	struct kernel kernel;
	struct textline t;
	struct counted_sums *sums;
	struct memory_stream path; /* that is read */
	FILE *to, *trace;	   /* where all paths go, and the records of the time line */
	uint64_t cpu;		   /* of these records */
	struct arc *arc;
	struct pair *pc;
	size_t narc, npc, room_arc, room_pc;
	bool user; /* the path is outside of the kernel, whose addresses stay as they are */
	struct texts names; /* of programs that ran */
	bool ended;
};

/*
 * Read n numbers that are the rest of the line, each with a blank before it, behind the first
 * `skip` bytes. The first `hex` of them are addresses, which begin with 0x and become those of the
 * kernel's file, unless the path is a program's. False: the line is not so.
 */
static bool counted_numbers(const struct counted *c, size_t skip, size_t n, unsigned hex,
			    uint64_t *v)
{
	const char *at = c->t.line + skip, *end = c->t.line + c->t.n;
	size_t i;

	for (i = 0; i < n; i++) {
		unsigned base = 10;

		if (at == end)
			return false;
		if (*at++ != ' ')
			return false;
		if (i < hex) {
			base = 16;
			at += 2;
		}
		if (at >= end)
			return false;
		if (!textline_number(&at, end, base, UINT64_MAX, &v[i]))
			return false;
		if (i < hex && !c->user)
			v[i] = kernel_file(&c->kernel, v[i]);
	}
	return at == end;
}

/*
 * Keep a path, its addresses with all their digits, for the lines that follow. Its first two steps,
 * up to the first address, are as the plugin wrote them.
 */
static bool counted_path(struct counted *c)
{
	const char *at = c->t.line + strlen("path "), *end = c->t.line + c->t.n, *step;
	uint64_t v = 0;

	memory_stream_close(&c->path);
	free(c->path.data);
	memory_stream_open(&c->path);
	step = memmem(at, end - at, ";0x", 3);
	if (!step)
		step = end;
	fwrite(at, 1, step - at, c->path.f);
	c->user = memmem(at, step - at, ";[user]", 7) != NULL;
	if (c->user)
		texts_number(&c->names, at, strcspn(at, ";"));
	for (at = step; at < end && *at == ';';) {
		at += 3;
		textline_number(&at, end, 16, UINT64_MAX, &v);
		fprintf(c->path.f, ";0x%0*" PRIx64, (int)(2 * c->kernel.width),
			kernel_file(&c->kernel, v));
	}
	fflush(c->path.f);
	return true;
}

/* Print a path with its last address and what was counted there. */
static bool counted_at(struct counted *c)
{
	uint64_t v[2];

	if (!counted_numbers(c, strlen("at"), 2, 1, v))
		return false;
	fwrite(c->path.data, 1, c->path.n, c->to);
	fprintf(c->to, ";0x%0*" PRIx64 " %" PRIu64 "\n", (int)(2 * c->kernel.width), v[0], v[1]);
	if (v[1] > UINT64_MAX - c->sums->instructions)
		return false;
	c->sums->instructions += v[1];
	if (!c->user && v[0] - c->kernel.lo < c->kernel.hi - c->kernel.lo)
		c->sums->kernel += v[1];
	return true;
}

/* Keep a call: they are sorted by path here, but gmon.out wants them in a record each. */
static bool counted_arc(struct counted *c)
{
	uint64_t v[3];

	c->user = false;
	if (!counted_numbers(c, strlen("arc"), 3, 2, v))
		return false;
	c->arc = memory_grow(c->arc, &c->room_arc, c->narc + 1, sizeof(*c->arc));
	c->arc[c->narc++] = (struct arc){v[0], v[1], v[2]};
	c->sums->calls += v[2];
	return true;
}

/* Keep an instruction's count: modules(5) wants them by address, but blocks were in no order. */
static bool counted_pc(struct counted *c)
{
	uint64_t v[2];

	c->user = false;
	if (!counted_numbers(c, strlen("pc"), 2, 1, v))
		return false;
	c->pc = memory_grow(c->pc, &c->room_pc, c->npc + 1, sizeof(*c->pc));
	c->pc[c->npc++] = (struct pair){v[0], v[1]};
	return true;
}

/* Print how much a CPU ran, as a comment of kpstack(5). */
static bool counted_cpu(struct counted *c)
{
	uint64_t v[2];

	if (!counted_numbers(c, strlen("cpu"), 2, 0, v))
		return false;
	fprintf(c->to, "# cpu=%" PRIu64 " instructions=%" PRIu64 "\n", v[0], v[1]);
	return true;
}

/* Begin with the records of a CPU. */
static bool counted_trace(struct counted *c)
{
	uint64_t v[3];

	if (!counted_numbers(c, strlen("trace"), 3, 0, v))
		return false;
	c->cpu = v[0];
	fprintf(c->trace, "# cpu=%" PRIu64 " records=%" PRIu64 " overwritten=%" PRIu64 "\n", v[0],
		v[1], v[2]);
	return true;
}

/* Print a record with its path. */
static bool counted_go(struct counted *c)
{
	uint64_t v[2];

	if (!counted_numbers(c, strlen("go"), 2, 1, v))
		return false;
	fprintf(c->trace, "%" PRIu64 " %" PRIu64 " 0 ", v[1], c->cpu);
	fwrite(c->path.data, 1, c->path.n, c->trace);
	fprintf(c->trace, ";0x%0*" PRIx64 "\n", (int)(2 * c->kernel.width), v[0]);
	return true;
}

/* Print that nothing is known of the CPU from then on: kptrace(5). */
static bool counted_off(struct counted *c)
{
	uint64_t v[1];

	if (!counted_numbers(c, strlen("off"), 1, 0, v))
		return false;
	fprintf(c->trace, "%" PRIu64 " %" PRIu64 " 0 off;[switch]\n", v[0], c->cpu);
	return true;
}

/* The last line, by which it is known that the plugin came to its end. */
static bool counted_end(struct counted *c)
{
	uint64_t v[6];

	c->ended = counted_numbers(c, strlen("end"), 6, 0, v);
	c->sums->returns = v[0];
	c->sums->begun = v[1];
	c->sums->jumps = v[2];
	c->sums->unmatched = v[3];
	c->sums->late = v[4];
	c->sums->kept = v[5];
	return c->ended;
}

/* The kernel, or a part of it, ran elsewhere than it was told. */
static bool counted_moved(struct counted *c)
{
	uint64_t v[2];

	if (!counted_numbers(c, strlen("moved"), 2, 0, v))
		return false;
	c->kernel.offset += v[0];
	c->sums->moved = v[0];
	c->sums->elsewhere = v[1];
	return true;
}

/* The first line, which the plugin writes as it is loaded: without it QEMU has refused it. */
static bool counted_begun(struct counted *c)
{
	return c->t.number == 1;
}

/* Read a line. What it begins with tells which: plugin/counts.h has them all. */
static bool counted_line(struct counted *c)
{
	static const struct {
		const char *word;
		bool (*take)(struct counted *c);
	} lines[] = {
		{"at ", counted_at}, {"path ", counted_path}, {"arc ", counted_arc},
		{"pc ", counted_pc}, {"go ", counted_go}, {"off ", counted_off},
		{"cpu ", counted_cpu}, {"trace ", counted_trace}, {"end ", counted_end},
		{"begun", counted_begun}, {"moved ", counted_moved},
	};
	size_t i;

	if (c->ended)
		return false;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (textline_begins(&c->t, lines[i].word))
			return lines[i].take(c);
	return false;
}

/*
 * Print the comments before all paths of a file. `name` is that of the format; a period above 0 is
 * how many instructions each count stands for.
 */
static void counted_head(const struct counted *c, const char *name,
			 const struct counted_files *files, unsigned period, FILE *to)
{
	const struct kernel *k = &c->kernel;
	int digits = (int)(2 * k->width);

	fprintf(to, "# %s version=2 unit=instructions text=0x%0*" PRIx64 "-0x%0*" PRIx64, name,
		digits, (uint64_t)k->lo, digits, (uint64_t)k->hi);
	if (period)
		fprintf(to, " period=%u", period);
	if (*k->buildid)
		fprintf(to, " build=%s", k->buildid);
	fprintf(to, "\n# kernel=%s\n", k->path);
	if (files->programs)
		program_print_names(files->programs, to);
	if (files->firmware)
		fprintf(to, "# program=firmware %s\n", files->firmware);
}

static int compare_pairs(const void *va, const void *vb)
{
	const struct pair *a = va, *b = vb;

	return order(a->at, b->at);
}

/* Print the comment after all paths. */
static void counted_tail(const struct counted *c)
{
	const struct counted_sums *s = c->sums;

	fprintf(c->to, "# instructions=%" PRIu64 " returns=%" PRIu64 " begun=%" PRIu64
		" jumps=%" PRIu64 " unmatched=%" PRIu64 "\n", s->instructions, s->returns,
		s->begun, s->jumps, s->unmatched);
}

/* Write what a stream has, and free it. 0, or -1 and *why. */
static int counted_store(const char *path, struct memory_stream *s, struct complaint *why)
{
	int bad;

	memory_stream_close(s);
	bad = outfile_store(path, s->data, s->n, why);
	free(s->data);
	return bad;
}

/*
 * Write the calls. The histogram before them, which gprof wants, is empty. A call that never
 * returns may be a function's last instruction, and its return address then is the next one's: the
 * address before it is in the call.
 */
static int counted_store_arcs(const struct counted *c, const char *path, struct complaint *why)
{
	const struct kernel *k = &c->kernel;
	code_addr lo = k->lo & ~(code_addr)3;
	size_t i, n = order_min((k->hi - lo + 3) / 4, CELLS);
	uint32_t *cell = memory_zeroed(n, sizeof(*cell));
	struct gmonfile f = {.width = k->width, .rate = 1};
	struct memory_stream s;

	memory_stream_open(&s);
	f.to = s.f;
	gmonfile_head(&f);
	gmonfile_ticks(&f, lo, cell, n);
	free(cell);
	for (i = 0; i < c->narc; i++)
		gmonfile_arc(&f, c->arc[i].from - 1, c->arc[i].to, c->arc[i].count, INT32_MAX);
	if (gmonfile_check(&f, why) == 0)
		return counted_store(path, &s, why);
	memory_stream_close(&s);
	free(s.data);
	return -1;
}

/* Write how often each instruction ran. */
static int counted_store_coverage(struct counted *c, const char *path, struct complaint *why)
{
	const struct kernel *k = &c->kernel;
	const char *id = k->buildid;
	struct memory_stream s;
	size_t i, lines = 2;

	if (!*id)
		id = "-";
	if (c->npc)
		qsort(c->pc, c->npc, sizeof(*c->pc), compare_pairs);
	memory_stream_open(&s);
	fprintf(s.f, "gnomon modules 2 executed 0\nmodule kernel %s %0*" PRIx64 " %s\n", k->path,
		(int)(2 * k->width), (uint64_t)k->lo, id);
	for (i = 0; i < c->npc; i++) {
		if (!c->pc[i].count || c->pc[i].at >= k->hi)
			continue;
		fprintf(s.f, "%" PRIu64 " %" PRIu64 "\n", c->pc[i].at - k->lo, c->pc[i].count);
		lines++;
	}
	fprintf(s.f, "end %zu\n", lines);
	return counted_store(path, &s, why);
}

/* Complain that the plugin has left nothing. */
static int counted_nothing(struct complaint *why)
{
	return complain(why, "QEMU did not load the plugin: it did not start, or has no plugins, "
			"or refused this one, as its own message tells");
}

/* Read all lines. */
static int counted_read(struct counted *c, const char *raw, struct complaint *why)
{
	uint8_t *data;
	size_t n;
	bool good = true, begun, more = false;
	size_t number;
	struct progress bar;

	if (!slurp_has(raw))
		return counted_nothing(why);
	if (slurp(raw, &data, &n, why) < 0)
		return -1;
	progress_init(&bar);
	progress_start(&bar, "what QEMU counted", n);
	textline_init(&c->t, data, n);
	begun = textline_starts(data, n, "begun\n");
	while (good && !ending_came() && textline_next(&c->t)) {
		good = counted_line(c);
		progress_add(&bar, c->t.n + 1);
	}
	progress_stop(&bar);
	number = c->t.number;
	if (!good && begun)
		more = textline_next(&c->t);
	free(data);
	if (ending_came())
		return complain(why, "a signal has ended it: nothing is written");
	if (good && c->ended)
		return 0;
	if (more)
		return complain(why, "line %zu of what QEMU left is not the plugin's", number);
	if (begun)
		return complain(why, "QEMU left no counts, or not all of them: it was killed");
	return counted_nothing(why);
}

/* Write the paths as they are read: they are most of it, and need not be in memory twice. */
static int counted_store_paths(struct counted *c, const char *raw,
			       const struct counted_files *files, struct complaint *why)
{
	struct outfile out;
	int bad;

	if (outfile_open(&out, files->paths, why) < 0)
		return -1;
	c->to = fdopen(dup(out.fd), "w");
	memory_stream_open(&c->path);
	counted_head(c, "kpstack", files, files->period, c->to);
	bad = counted_read(c, raw, why);
	counted_tail(c);
	memory_stream_close(&c->path);
	free(c->path.data);
	if (fclose(c->to) != 0 && !bad)
		bad = complain_errno(why, files->paths);
	if (!bad)
		return outfile_close(&out, why);
	outfile_drop(&out);
	return -1;
}

int counted_write(const char *raw, const struct kernel *kernel, const struct counted_files *files,
		  struct counted_sums *sums, struct complaint *why)
{
	struct counted c = {.kernel = *kernel, .sums = sums};
	struct memory_stream trace;
	int bad;

	*sums = (struct counted_sums){.calls = 0};
	memory_stream_open(&trace);
	c.trace = trace.f;
	counted_head(&c, "kptrace", files, 0, c.trace);
	bad = counted_store_paths(&c, raw, files, why);
	if (!bad && files->arcs)
		bad = counted_store_arcs(&c, files->arcs, why);
	if (!bad && files->coverage)
		bad = counted_store_coverage(&c, files->coverage, why);
	if (!bad && files->programs)
		program_tell_unrun(files->programs, &c.names);
	texts_free(&c.names);
	free(c.arc);
	free(c.pc);
	if (!bad && files->trace)
		return counted_store(files->trace, &trace, why);
	memory_stream_close(&trace);
	free(trace.data);
	return bad;
}
