/*
 * The rings of ticks, changes of process and calls inside a guest: inside_trace() of inside.h. It
 * writes what prof_trace_write() of prof/prof_trace.c would, but for marks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "prof/prof_stacktable.h"
#include "tools/guest/inside.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "userland/formats/le.h"

#define RECORD 16u		 /* bytes of a struct prof_trace_record */
#define OFF UINT32_MAX		 /* in place of an entry: nothing is recorded any more */
#define WOKEN (UINT32_MAX - 2)	 /* the same: the process is woken */
#define CALLS (PROF_CALL_TABLE * PROF_CALL_CELL) /* bytes of the pairs of caller and callee */
#define WORDS_LEAST (8u << 20)	 /* of entries, however little memory there is */
#define PAGE 4096u		 /* bytes of memory that are read at a time... */
#define PAGES 64u		 /* ...of which so many are kept */

/* A record. */
struct record {
	uint64_t time;
	uint32_t pid, entry;
	size_t order; /* as it is found, the owner's before others' */
	bool others;
};

/* A page of the guest's memory. */
struct page {
	code_addr at;
	bool read;
	uint8_t byte[PAGE];
};

/* What all CPUs have together. */
struct total {
	uint64_t bytes; /* of rings */
	uint64_t words; /* of entries that may still be read, by as many records */
};

/* What is read of a CPU. */
struct ring {
	struct inside *in;
	struct total *total;
	unsigned cpu, width;
	struct record *record;
	size_t n, room;
	uint64_t overwritten, own; /* own: of those, the owner's */
	uint32_t per_ms;
	uint64_t start;
	code_addr table[PROF_BLOCK_TABLES]; /* where tables begin; 0: not known yet */
	struct page *page; /* PAGES of what was read: a running guest takes long to answer */
};

/* Read n bytes at an address, perhaps of a moment ago. */
static int read_page_wise(const struct ring *r, code_addr at, void *to, size_t n,
			  struct complaint *why)
{
	uint8_t *byte = to;

	while (n > 0) {
		struct page *p = &r->page[at / PAGE % PAGES];
		size_t in = at % PAGE, k = n < PAGE - in ? n : PAGE - in;

		if (!p->read || p->at != at - in) {
			p->at = at - in;
			p->read = ram_kernel(r->in->ram, p->at, p->byte, PAGE, why) == 0;
			if (!p->read)
				return -1;
		}
		memcpy(byte, p->byte + in, k);
		byte += k;
		at += k;
		n -= k;
	}
	return 0;
}

/* Find where the CPU's table begins that the block describes. */
static int find_table(struct ring *r, unsigned field, code_addr *at, struct complaint *why)
{
	uint64_t word;

	if (!r->table[field]) {
		if (block_number(&r->in->block, field, r->cpu, UINT64_MAX, &word, why) < 0)
			return -1;
		r->table[field] = word;
	}
	*at = r->table[field];
	return 0;
}

/* Return whether that is the entry of a call, or of a return. */
static bool is_call(uint32_t entry)
{
	return entry - PROF_TRACE_CALL < CALLS;
}

/* Return the nanoseconds of a time. */
static uint64_t ns_of(const struct ring *r, uint64_t time)
{
	uint64_t n = time - r->start, ms = n / r->per_ms;

	return ms * 1000000 + (n - ms * r->per_ms) * 1000000 / r->per_ms;
}

/* For qsort: by time, then as they were found. */
static int compare_records(const void *va, const void *vb)
{
	const struct record *a = va, *b = vb;

	if (a->time != b->time)
		return order(a->time, b->time);
	return order(a->order, b->order);
}

/*
 * Read the ring of a class, which `raw` describes: how many records so far, how many there is room
 * for less one, and where they are. Return 1 if there is one, 0, or -1 and *why.
 */
static int read_class(struct ring *r, const uint8_t *raw, bool others, struct complaint *why)
{
	uint32_t n = le_get32(raw), mask = le_get32(raw + 4), i, first = 0;
	code_addr at = le_get_word(raw + 8, r->width);
	size_t bytes = ((size_t)mask + 1) * RECORD;
	uint8_t *data;

	if (!at)
		return 0;
	if (bytes > BLOCK_MAXTABLE * 4 || (mask & (mask + 1)))
		return complain(why, "the table of records is damaged");
	if (block_add_table(&r->in->block, &r->total->bytes, bytes, why) < 0)
		return -1;
	data = memory_zeroed(bytes, 1);
	if (ram_kernel(r->in->ram, at, data, bytes, why) < 0) {
		free(data);
		return -1;
	}
	if (n > mask)
		first = n - mask - 1;
	r->overwritten += first;
	if (!others)
		r->own = first;
	r->record = memory_grow(r->record, &r->room, r->n + (n - first), sizeof(*r->record));
	for (i = first; i != n; i++) {
		const uint8_t *p = data + (size_t)(i & mask) * RECORD;

		r->record[r->n] = (struct record){
			le_get64(p), le_get32(p + 8), le_get32(p + 12), r->n, others,
		};
		r->n++;
	}
	free(data);
	return 1;
}

/*
 * Leave out what others did before the first of the owner's records that are left: what she did
 * then is not known.
 */
static void leave_out(struct ring *r)
{
	size_t first = 0, i;

	if (r->own == 0)
		return;
	while (first < r->n && r->record[first].others)
		first++;
	for (i = first; i < r->n; i++)
		r->record[i - first] = r->record[i];
	r->n -= first;
	r->overwritten += first;
}

/*
 * Return how many words entries may have, all records' together: a record of 16 bytes may stand for
 * an entry of hundreds, and for the same as others do. Rings in a quarter of memory have half as
 * many words as it has bytes, where each record has 32.
 */
static uint64_t most_words(const struct ram *ram)
{
	return WORDS_LEAST + order_min(ram_bytes(ram), UINT64_MAX / 2) / 2;
}

/* Take the words of an entry from those that there may be. 0, or -1 and *why. */
static int take_words(struct ring *r, uint32_t words, struct complaint *why)
{
	if (words > r->total->words)
		return complain(why, "the records stand for more than memory can have: damaged");
	r->total->words -= words;
	return 0;
}

/* Read an entry of a table of paths. Return it, to be freed; or NULL and *why. */
static uint8_t *read_entry(struct ring *r, unsigned field, uint32_t place, uint32_t *shape,
			   struct complaint *why)
{
	size_t head = PROF_STACK_BODY * r->width, size;
	code_addr at;
	uint8_t *entry;

	if (find_table(r, field, &at, why) < 0)
		return NULL;
	at += (code_addr)place * r->width;
	entry = memory_zeroed(head, 1);
	if (read_page_wise(r, at, entry, head, why) < 0) {
		free(entry);
		return NULL;
	}
	*shape = (uint32_t)le_get_word(entry + PROF_STACK_SHAPE * r->width, r->width);
	free(entry);
	if (take_words(r, prof_stack_entry_size(*shape), why) < 0)
		return NULL;
	size = (size_t)prof_stack_entry_size(*shape) * r->width;
	entry = memory_zeroed(size, 1);
	if (read_page_wise(r, at, entry, size, why) == 0)
		return entry;
	free(entry);
	return NULL;
}

/* Write a tick's path. */
static int put_tick(struct ring *r, FILE *to, uint32_t place, struct complaint *why)
{
	uint32_t shape;
	uint8_t *entry;
	char *text;

	if (place == 0) {
		fputs("?;[overflow]", to);
		return 0;
	}
	entry = read_entry(r, PROF_BLOCK_STACK_WORD, place, &shape, why);
	if (!entry)
		return -1;
	text = inside_path(entry, r->width);
	fputs(text, to);
	free(text);
	free(entry);
	return 0;
}

/* Write who runs after a change of process, and what it has waited for, if it has. */
static int put_switch(struct ring *r, FILE *to, uint32_t entry, struct complaint *why)
{
	enum prof_cause what;
	uint32_t shape;
	uint8_t *words;
	char *name;

	if (entry == OFF || entry >> 1 == 0) {
		fputs(entry == OFF ? "off;[switch]" : "?;[switch]", to);
		return 0;
	}
	words = read_entry(r, PROF_BLOCK_WAIT_WORD, entry >> 1, &shape, why);
	if (!words)
		return -1;
	name = inside_name(words, r->width);
	fprintf(to, "%s;[switch]", name);
	what = prof_stack_entry_cause(shape);
	if (prof_cause_waits(what))
		fprintf(to, "\n# wait=%s", prof_cause_step[what]);
	free(name);
	free(words);
	return 0;
}

/* Write an entry to a function, or a return from it. */
static int put_call(struct ring *r, FILE *to, const struct record *now,
		    struct complaint *why)
{
	uint32_t at = (now->entry - PROF_TRACE_CALL) & ~1u;
	uint8_t pair[16];
	code_addr arc;

	if (find_table(r, PROF_BLOCK_CALL_ARC, &arc, why) < 0)
		return -1;
	if (read_page_wise(r, arc + at, pair, 2 * r->width, why) < 0)
		return -1;
	fprintf(to, "\n# %s=%" PRIu32 " ns=%" PRIu64 ";0x%0*" PRIx64,
		now->entry & 1 ? "return" : "call", now->pid, ns_of(r, now->time),
		(int)(2 * r->width), le_get_word(pair + r->width, r->width));
	return 0;
}

static int put_record(struct ring *r, FILE *to, const struct record *now,
		      struct complaint *why)
{
	uint64_t us = ns_of(r, now->time) / 1000;

	if (is_call(now->entry))
		return put_call(r, to, now, why);
	if (now->entry == WOKEN) {
		fprintf(to, "\n# woken=%" PRIu32 " us=%" PRIu64, now->pid, us);
		return 0;
	}
	fprintf(to, "\n%" PRIu64 " %u %" PRIu32 " ", us, r->cpu, now->pid);
	if (now->entry & 1)
		return put_switch(r, to, now->entry, why);
	return put_tick(r, to, now->entry >> 1, why);
}

/* Write a CPU's records, the oldest first. */
static int put_cpu(struct ring *r, FILE *to, struct complaint *why)
{
	size_t told = 0, i;

	if (r->n)
		qsort(r->record, r->n, sizeof(*r->record), compare_records);
	leave_out(r);
	for (i = 0; i < r->n; i++)
		told += r->record[i].entry != WOKEN && !is_call(r->record[i].entry);
	fprintf(to, "# cpu=%u records=%zu overwritten=%" PRIu64, r->cpu, told, r->overwritten);
	for (i = 0; i < r->n; i++)
		if (put_record(r, to, &r->record[i], why) < 0)
			return -1;
	putc('\n', to);
	return 0;
}

/* Read a CPU's rings, and write them. Return 1 if there are any, 0, or -1 and *why. */
static int copy_cpu(struct ring *r, FILE *to, struct complaint *why)
{
	const struct block_field *f = &r->in->block.field[PROF_BLOCK_TRACE_RING];
	unsigned size = 8 + r->width, i;
	uint8_t raw[PROF_TRACE_CLASSES * (8 + 8)];
	int there = 1;

	if (f->size != PROF_TRACE_CLASSES * size)
		return complain(why, "the kernel's described block tells of no rings");
	if (ram_kernel(r->in->ram, f->at + r->cpu * f->step, raw, f->size, why) < 0)
		return -1;
	for (i = 0; i < PROF_TRACE_CLASSES && there > 0; i++)
		there = read_class(r, raw + i * size, i > 0, why);
	r->page = memory_zeroed(PAGES, sizeof(*r->page));
	if (there > 0 && put_cpu(r, to, why) < 0)
		there = -1;
	free(r->page);
	free(r->record);
	return there;
}

int inside_trace(struct inside *in, FILE *to, struct complaint *why)
{
	struct total total = {.words = most_words(in->ram)};
	struct ring like = {.in = in, .total = &total, .width = in->block.width};
	struct complaint none;
	struct runinfo clock;
	uint64_t ncpu;
	unsigned i;
	int there;

	if (block_number(&in->block, PROF_BLOCK_STACK_NCPU, 0, BLOCK_MAXCPU, &ncpu, why) < 0)
		return -1;
	if (block_number32(&in->block, PROF_BLOCK_TRACE_PER_MS, 0, &like.per_ms, why) < 0)
		return -1;
	if (block_number(&in->block, PROF_BLOCK_TRACE_START, 0, UINT64_MAX, &like.start, why) < 0)
		return -1;
	fputs("# kptrace version=1", to);
	if (*in->build)
		fprintf(to, " build=%s", in->build);
	fprintf(to, " cpus=%" PRIu64, ncpu);
	if (inside_clock(in, "kprof", &clock, &none) == 0)
		fprintf(to, " period_us=%u", (unsigned)clock.period_us);
	putc('\n', to);
	for (i = 0; i < ncpu; i++) {
		struct ring r = like;

		r.cpu = i;
		there = like.per_ms > 0 ? copy_cpu(&r, to, why) : 0;
		if (there < 0)
			return -1;
		if (there == 0) {
			complain(why, "nothing is recorded in the guest");
			return 1;
		}
	}
	return 0;
}
