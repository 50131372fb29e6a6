/*
 * trace-cmd's file: see tracefile.h. All numbers are little-endian, as they are in memory here. A
 * page of a ring buffer is a head of 16 bytes and events, each after a word: 5 bits of its kind or
 * length and 27 of the nanoseconds since the event before.
 */
#include <stdlib.h>
#include <string.h>
#include "tools/export/tracefile.h"
#include "tools/order.h"

#define HEAD 16 /* bytes of a page before its events */
#define ROOM (TRACEFILE_PAGE - HEAD)
#define LOST (1ull << 31)    /* in a page's length: events were lost before it */
#define COUNTED (1ull << 30) /* and how many stands after the page's events */

/* The kinds of the word before an event; a smaller number is the length of a short one in words. */
enum { SHORTEST = 1, LONGEST = 28, TIME_EXTEND = 30 };
#define DELTA_BITS 27
#define WORD 4

static const char page_layout[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char event_layout[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n"
				   "\n"
				   "\tpadding     : type == 29\n"
				   "\ttime_extend : type == 30\n"
				   "\ttime_stamp : type == 31\n"
				   "\tdata max type_len  == 28\n";

/* struct tracefile_common */
static const char common_fields[] =
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n";

void tracefile_init(struct tracefile *f, const struct tracefile_kind *kind, size_t nkind,
		    size_t ncpu)
{
	size_t i;

	*f = (struct tracefile){.kind = kind, .nkind = nkind, .nring = ncpu};
	memory_stream_open(&f->symbols);
	memory_stream_open(&f->processes);
	f->ring = memory_zeroed(ncpu, sizeof(*f->ring));
	for (i = 0; i < ncpu; i++)
		memory_stream_open(&f->ring[i].pages);
}

/* Finish the page being filled, and begin the next. */
static void end_page(struct tracefile_ring *r)
{
	uint64_t length = r->used;

	if (r->used == 0)
		return;
	if (r->lost > 0)
		length |= LOST;
	if (r->lost > 0 && ROOM - r->used >= sizeof(r->lost)) {
		length |= COUNTED;
		memcpy(r->page + HEAD + r->used, &r->lost, sizeof(r->lost));
	}
	memcpy(r->page, &r->first, sizeof(r->first));
	memcpy(r->page + sizeof(r->first), &length, sizeof(length));
	fwrite(r->page, 1, sizeof(r->page), r->pages.f);
	memset(r->page, 0, sizeof(r->page));
	r->used = 0;
	r->lost = 0;
}

/* Add a word to the page. */
static void put_word(struct tracefile_ring *r, uint32_t word)
{
	memcpy(r->page + HEAD + r->used, &word, WORD);
	r->used += WORD;
}

/* Return an event's head: its kind, and the low bits of the time since the one before. */
static uint32_t event_head(uint32_t kind, uint64_t delta)
{
	uint32_t low = (uint32_t)delta & ((1u << DELTA_BITS) - 1);

	return kind | low << 5;
}

void tracefile_add(struct tracefile *f, uint32_t cpu, uint64_t ns, const void *event, size_t n)
{
	struct tracefile_ring *r = &f->ring[cpu];
	size_t words = (n + WORD - 1) / WORD;
	uint64_t delta;

	/* Beside it, at most: two words of time, two of length, two of how many were lost. */
	if (r->used + (words + 6) * WORD > ROOM)
		end_page(r);
	if (r->used == 0)
		r->first = r->ns = ns;
	delta = ns - r->ns;
	r->ns = ns;
	if (delta >> DELTA_BITS > 0) {
		put_word(r, event_head(TIME_EXTEND, delta));
		put_word(r, (uint32_t)(delta >> DELTA_BITS));
		delta = 0;
	}
	if (words <= LONGEST) {
		put_word(r, event_head((uint32_t)words, delta));
	} else {
		put_word(r, event_head(0, delta));
		put_word(r, (uint32_t)(words + 1) * WORD);
	}
	memcpy(r->page + HEAD + r->used, event, n);
	r->used += words * WORD;
}

/* Write bytes after their number, which takes as many bytes as `size`. */
static void put_sized(FILE *to, size_t size, const char *data, size_t n)
{
	uint64_t count = n;

	fwrite(&count, size, 1, to);
	fwrite(data, 1, n, to);
}

static void put_number(FILE *to, uint32_t n)
{
	fwrite(&n, sizeof(n), 1, to);
}

/* Write a string with the 0 at its end. */
static void put_string(FILE *to, const char *s)
{
	fwrite(s, 1, strlen(s) + 1, to);
}

/* Write the format file of a kind. */
static void put_format(const struct tracefile *f, size_t kind, FILE *to)
{
	const struct tracefile_kind *k = &f->kind[kind];
	char *text = memory_format("name: %s\nID: %zu\nformat:\n%s\n%s\nprint fmt: %s\n", k->name,
				   TRACEFILE_FIRST + kind, common_fields, k->fields, k->print);

	put_sized(to, sizeof(uint64_t), text, strlen(text));
	free(text);
}

/* Return the end of the kinds of one system that begin there. */
static size_t system_end(const struct tracefile *f, size_t kind)
{
	const char *system = f->kind[kind].system;

	while (kind < f->nkind && strcmp(f->kind[kind].system, system) == 0)
		kind++;
	return kind;
}

/* Write the formats of a system's events from `kind` on. Return where the next one's begin. */
static size_t put_system(const struct tracefile *f, size_t kind, FILE *to)
{
	size_t end = system_end(f, kind);

	put_number(to, (uint32_t)(end - kind));
	for (; kind < end; kind++)
		put_format(f, kind, to);
	return end;
}

/* Write all formats: those of ftrace's own, then the systems with their names. */
static void put_formats(const struct tracefile *f, FILE *to)
{
	size_t first = put_system(f, 0, to), i;
	uint32_t nsystem = 0;

	for (i = first; i < f->nkind; i = system_end(f, i))
		nsystem++;
	put_number(to, nsystem);
	for (i = first; i < f->nkind;) {
		put_string(to, f->kind[i].system);
		i = put_system(f, i, to);
	}
}

/* Write all that stands before the places of the rings. */
static void put_head(struct tracefile *f, FILE *to)
{
	static const char magic[] = "\x17\x08\x44tracing6";
	static const char little_long64[] = {0, 8}; /* the order of bytes, and those of a long */

	put_string(to, magic);
	fwrite(little_long64, 1, sizeof(little_long64), to);
	put_number(to, TRACEFILE_PAGE);
	put_string(to, "header_page");
	put_sized(to, sizeof(uint64_t), page_layout, strlen(page_layout));
	put_string(to, "header_event");
	put_sized(to, sizeof(uint64_t), event_layout, strlen(event_layout));
	put_formats(f, to);
	put_sized(to, sizeof(uint32_t), f->symbols.data, f->symbols.n);
	put_number(to, 0); /* formats of trace_printk() */
	put_sized(to, sizeof(uint64_t), f->processes.data, f->processes.n);
	put_number(to, (uint32_t)f->nring);
	put_string(to, "flyrecord");
}

/* Write where each ring is: at the next multiple of a page, one after the other. Then, they. */
static void put_rings(const struct tracefile *f, size_t head, FILE *to)
{
	static const char zero[TRACEFILE_PAGE];
	size_t end = head + f->nring * 2 * sizeof(uint64_t), i;
	uint64_t at = (end + TRACEFILE_PAGE - 1) / TRACEFILE_PAGE * TRACEFILE_PAGE, n;
	size_t gap = at - end;

	for (i = 0; i < f->nring; i++) {
		n = f->ring[i].pages.n;
		fwrite(&at, sizeof(at), 1, to);
		fwrite(&n, sizeof(n), 1, to);
		at += n;
	}
	fwrite(zero, 1, gap, to);
	for (i = 0; i < f->nring; i++)
		fwrite(f->ring[i].pages.data, 1, f->ring[i].pages.n, to);
}

void tracefile_finish(struct tracefile *f, FILE *to)
{
	struct memory_stream head;
	size_t i;

	memory_stream_close(&f->symbols);
	memory_stream_close(&f->processes);
	for (i = 0; i < f->nring; i++) {
		end_page(&f->ring[i]);
		memory_stream_close(&f->ring[i].pages);
	}
	memory_stream_open(&head);
	put_head(f, head.f);
	memory_stream_close(&head);
	fwrite(head.data, 1, head.n, to);
	put_rings(f, head.n, to);
	free(head.data);
	free(f->symbols.data);
	free(f->processes.data);
	for (i = 0; i < f->nring; i++)
		free(f->ring[i].pages.data);
	free(f->ring);
}
