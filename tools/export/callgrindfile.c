/*
 * The body of a file in callgrind's format: see callgrindfile.h. Each function is a block:
 *
 *	ob=(1) gnomon.elf		the image,
 *	fl=(1) kernel/process/proc.c		the file and
 *	fn=(1) fork			the function, whose number stands for it from then on
 *	0xc0101230 212 30		a cost of its own: address, line, count
 *	cob=(1)				a call: image, file and function that it leads to,
 *	cfi=(2) kernel/memory/vm.c
 *	cfn=(2) vm_copy
 *	calls=30 0xc0104560 88		how often, and where that begins;
 *	+8 +2 12			where the call is, and the cost of what it led to
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/export/callgrindfile.h"
#include "tools/export/names.h"
#include "tools/order.h"
#include "tools/sorted.h"

/* Return a file's name, or what stands for an unknown one. */
static const char *file_name(const char *file)
{
	if (!file)
		return "???";
	return file;
}

/* Compare two files, which mostly are the same pointer. */
static int compare_files(const char *a, const char *b)
{
	if (a == b)
		return 0;
	return strcmp(file_name(a), file_name(b));
}

/* For qsort: by function and file, then by place, a function's own cost before calls. */
static int compare_costs(const void *va, const void *vb)
{
	const struct callgrind_cost *a = va, *b = vb;
	int d;

	if (a->function != b->function)
		return order(a->function, b->function);
	d = compare_files(a->file, b->file);
	if (d)
		return d;
	if (a->pc != b->pc)
		return order(a->pc, b->pc);
	if (a->line != b->line)
		return order(a->line, b->line);
	/* CALLGRIND_SELF + 1 is 0 */
	return order(a->callee + 1, b->callee + 1);
}

/* Add a cost to another of the same place. */
static void add_cost(void *vto, const void *vfrom)
{
	const struct callgrind_cost *from = vfrom;
	struct callgrind_cost *to = vto;

	to->cost += from->cost;
	to->calls += from->calls;
}

size_t callgrind_merge(struct callgrind_cost *cost, size_t n)
{
	return sorted_sum(cost, n, sizeof(*cost), compare_costs, add_cost);
}

/* What has been written so far, which the next line may refer to. */
struct writer {
	const struct callgrind_file *file;
	FILE *to;
	struct names objects, files, functions;
	bool begun; /* there is a line of costs, with the two that follow */
	code_addr pc;
	uint64_t line;
};

/* Write KEY=(NUMBER) NAME, or, if the name is known already, KEY=(NUMBER). */
static void put_name(struct writer *w, const char *key, struct names *names, const char *name)
{
	uint32_t known = names->n, number = names_number(names, name);

	fprintf(w->to, "%s=(%" PRIu32 ")", key, number + 1);
	if (number == known)
		fprintf(w->to, " %s", name);
	putc('\n', w->to);
}

/*
 * Write a number, relative to the last one where that is shorter: "*" is the same, "+8". An unknown
 * one is 0, to which no other is near.
 */
static void put_position(struct writer *w, const char *form, uint64_t v, uint64_t last)
{
	int64_t by = (int64_t)(v - last);
	bool known = v && last, near = by > -1000 && by < 1000;

	if (!w->begun)
		fprintf(w->to, form, v);
	else if (by == 0)
		fputs("* ", w->to);
	else if (known && near)
		fprintf(w->to, "%+" PRId64 " ", by);
	else
		fprintf(w->to, form, v);
}

/* Write a line of costs. */
static void put_cost(struct writer *w, const struct callgrind_cost *c)
{
	if (w->file->addresses)
		put_position(w, "0x%" PRIx64 " ", c->pc, w->pc);
	put_position(w, "%" PRIu64 " ", c->line, w->line);
	fprintf(w->to, "%" PRIu64 "\n", c->cost);
	w->pc = c->pc;
	w->line = c->line;
	w->begun = true;
}

/* Write which function a call leads to. */
static void put_callee(struct writer *w, const struct callgrind_function *f, uint64_t calls)
{
	put_name(w, "cob", &w->objects, f->object);
	put_name(w, "cfi", &w->files, file_name(f->file));
	put_name(w, "cfn", &w->functions, f->name);
	fprintf(w->to, "calls=%" PRIu64 " ", calls);
	if (w->file->addresses)
		fprintf(w->to, "0x%" PRIx64 " ", f->pc);
	fprintf(w->to, "%u\n", f->line);
}

/*
 * Write a cost, and before it what has changed since the last one. A place may be in another
 * file than its function, which fi= says.
 */
static void put_line(struct writer *w, const struct callgrind_cost *c,
		     const struct callgrind_cost *last)
{
	char buf[512];
	struct callgrind_function f;
	const char *file;

	if (last && last->function == c->function) {
		file = file_name(last->file);
	} else {
		f = w->file->describe(w->file->arg, c->function, buf);
		file = file_name(f.file);
		putc('\n', w->to);
		put_name(w, "ob", &w->objects, f.object);
		put_name(w, "fl", &w->files, file);
		put_name(w, "fn", &w->functions, f.name);
	}
	if (strcmp(file, file_name(c->file)) != 0)
		put_name(w, "fi", &w->files, file_name(c->file));
	if (c->callee != CALLGRIND_SELF) {
		f = w->file->describe(w->file->arg, c->callee, buf);
		put_callee(w, &f, c->calls);
	}
	put_cost(w, c);
}

void callgrind_write(const struct callgrind_file *file, const struct callgrind_cost *cost,
		     size_t n)
{
	struct writer w = {.file = file, .to = file->to};
	const struct callgrind_cost *last = NULL;
	const char *positions = "line";
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (cost[i].callee == CALLGRIND_SELF)
			sum += cost[i].cost;
	if (file->addresses)
		positions = "instr line";
	fprintf(w.to, "positions: %s\nevents: %s\nsummary: %" PRIu64 "\n", positions, file->event,
		sum);
	for (i = 0; i < n; i++) {
		put_line(&w, &cost[i], last);
		last = &cost[i];
	}
	fprintf(w.to, "\ntotals: %" PRIu64 "\n", sum);
	names_free(&w.objects);
	names_free(&w.files);
	names_free(&w.functions);
}
