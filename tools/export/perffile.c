/* perf's own file: see perffile.h. */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include "tools/export/perffile.h"
#include "tools/order.h"

/*
 * Features that the file has, by their bits in its head: those of more than this file's are absent.
 * Each is a section; the table of these follows the records.
 */
#define FEATURE_BUILD_ID 2
#define FEATURE_ARCH 6
#define FEATURE_NRCPUS 7
#define FEATURE_CMDLINE 11
#define FEATURE_EVENT_DESC 12
#define NFEATURES 5

/* What perf.data has besides the records that are the kernel's. */
#define ATTR_SIZE PERF_ATTR_SIZE_VER0 /* bytes of the attributes, which all versions of perf read */
#define BUILDID_ROOM 24		      /* for 20 bytes and, as the kernel has it, their number */
#define BUILDID_BYTES 20
#define BUILDID_SIZED (1u << 15) /* a bit of `misc': the number is there */
#define ALL_PROCESSES UINT32_MAX
#define NO_PROCESS UINT32_MAX
#define EVENT_ID 1 /* the number of the only event */

/* A place in the file. */
struct section {
	uint64_t offset, size;
};

/* The head. */
struct head {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

/* A record being made. Its size stands in its beginning, and is known at the end. */
struct record {
	struct perf_event_header header;
	uint8_t bytes[UINT16_MAX + 1 - sizeof(struct perf_event_header)];
	size_t n; /* of the bytes */
};

/* Begin a record: PERF_RECORD_..., and the bits of `misc' of its head. */
static void record_begin(struct record *r, uint32_t type, uint16_t misc)
{
	r->header.type = type;
	r->header.misc = misc;
	r->n = 0;
}

static void record_bytes(struct record *r, const void *data, size_t n)
{
	memcpy(r->bytes + r->n, data, n);
	r->n += n;
}

static void record_u32(struct record *r, uint32_t v)
{
	record_bytes(r, &v, sizeof(v));
}

static void record_u64(struct record *r, uint64_t v)
{
	record_bytes(r, &v, sizeof(v));
}

/* Add a path or name, with zeros up to a multiple of eight bytes. What is too long is cut off. */
static void record_text(struct record *r, const char *text)
{
	char room[4096] = {0};
	size_t n = order_min(strlen(text), sizeof(room) - 1);

	memcpy(room, text, n);
	record_bytes(r, room, (n + 8) / 8 * 8);
}

/* Add a process and its thread, which has the same number. */
static void record_process(struct record *r, uint32_t pid)
{
	record_u32(r, pid);
	record_u32(r, pid);
}

/* What all records but samples end with. */
static void record_moment(struct record *r, const struct perffile *f,
			  const struct perffile_moment *at)
{
	record_process(r, at->pid);
	record_u64(r, at->ns);
	record_u64(r, EVENT_ID);
	if (f->cpus)
		record_u64(r, at->cpu);
}

static void record_put(struct record *r, FILE *to)
{
	r->header.size = sizeof(r->header) + r->n;
	fwrite(&r->header, sizeof(r->header), 1, to);
	fwrite(r->bytes, r->n, 1, to);
}

static uint16_t mode_of(bool kernel)
{
	if (kernel)
		return PERF_RECORD_MISC_KERNEL;
	return PERF_RECORD_MISC_USER;
}

void perffile_open(struct perffile *f, bool cpus)
{
	f->cpus = cpus;
	f->ncpu = 1;
	memory_stream_open(&f->records);
	memory_stream_open(&f->buildids);
}

/*
 * perf takes a process for one of the machine that it runs on, and as root looks for files where
 * that one sees them, unless it hears of the process before it hears the number.
 */
void perffile_process(struct perffile *f, const struct perffile_moment *at)
{
	struct record r;

	record_begin(&r, PERF_RECORD_COMM, 0);
	record_u32(&r, NO_PROCESS);
	record_u32(&r, at->pid);
	record_text(&r, "");
	record_moment(&r, f, at);
	record_put(&r, f->records.f);
}

void perffile_name(struct perffile *f, const struct perffile_moment *at, const char *name)
{
	struct record r;

	record_begin(&r, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	record_process(&r, at->pid);
	record_text(&r, name);
	record_moment(&r, f, at);
	record_put(&r, f->records.f);
}

/*
 * The kernel's process has the number -1. A symbol follows its name, whose address tells readers
 * whether a kernel runs where it was linked; ours do.
 */
void perffile_text(struct perffile *f, const struct perffile_moment *at,
		   const struct perffile_text *text)
{
	struct record r;
	const char *path = text->path;
	char name[512];

	record_begin(&r, PERF_RECORD_MMAP, mode_of(text->kernel));
	if (text->kernel) {
		record_u32(&r, ALL_PROCESSES);
		record_u32(&r, 0);
		snprintf(name, sizeof(name), "%s%s", text->path, text->symbol);
		path = name;
	} else {
		record_process(&r, at->pid);
	}
	record_u64(&r, text->start);
	record_u64(&r, text->size);
	record_u64(&r, text->offset);
	record_text(&r, path);
	record_moment(&r, f, at);
	record_put(&r, f->records.f);
}

void perffile_buildid(struct perffile *f, const struct perffile_text *text, const char *buildid)
{
	struct record r;
	uint8_t room[BUILDID_ROOM] = {0};
	char digits[3] = {0};
	size_t n = order_min(strlen(buildid) / 2, BUILDID_BYTES);
	size_t i;

	if (n == 0)
		return;
	record_begin(&r, 0, mode_of(text->kernel) | BUILDID_SIZED);
	for (i = 0; i < n; i++) {
		memcpy(digits, buildid + 2 * i, 2);
		room[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	room[BUILDID_BYTES] = (uint8_t)n;
	record_u32(&r, ALL_PROCESSES);
	record_bytes(&r, room, sizeof(room));
	record_text(&r, text->path);
	record_put(&r, f->buildids.f);
}

/* Return the mark that stands before steps of one kind. */
static uint64_t context_of(bool kernel)
{
	if (kernel)
		return (uint64_t)PERF_CONTEXT_KERNEL;
	return (uint64_t)PERF_CONTEXT_USER;
}

/* Add the path: its steps, and before those of the kernel and those of programs a mark. */
static void record_path(struct record *r, const struct perffile_step *step, size_t n)
{
	size_t i, number = n;

	for (i = 0; i < n; i++)
		number += i == 0 || step[i].kernel != step[i - 1].kernel;
	record_u64(r, number);
	for (i = 0; i < n; i++) {
		if (i == 0 || step[i].kernel != step[i - 1].kernel)
			record_u64(r, context_of(step[i].kernel));
		record_u64(r, step[i].pc);
	}
}

void perffile_sample(struct perffile *f, const struct perffile_moment *at, uint64_t period,
		     const struct perffile_step *step, size_t n)
{
	struct record r;
	const struct perffile_step nowhere = {.kernel = true};
	const struct perffile_step *leaf = step;

	f->ncpu = (uint32_t)order_max(f->ncpu, at->cpu + 1ull);
	if (n == 0)
		leaf = &nowhere;
	record_begin(&r, PERF_RECORD_SAMPLE, mode_of(leaf->kernel));
	record_u64(&r, leaf->pc);
	record_moment(&r, f, at);
	record_u64(&r, period);
	record_path(&r, step, n);
	record_put(&r, f->records.f);
}

void perffile_lost(struct perffile *f, uint64_t lost)
{
	const struct perffile_moment start = {.pid = 0};
	struct record r;

	record_begin(&r, PERF_RECORD_LOST_SAMPLES, 0);
	record_u64(&r, lost);
	record_moment(&r, f, &start);
	record_put(&r, f->records.f);
}

/* Write a string as features have them: its length, itself, and zeros. */
static void put_string(FILE *to, const char *s)
{
	struct record r;

	record_begin(&r, 0, 0);
	record_text(&r, s);
	fwrite(&(uint32_t){(uint32_t)r.n}, sizeof(uint32_t), 1, to);
	fwrite(r.bytes, r.n, 1, to);
}

/*
 * Write what made the file. Hotspot takes a file without a command line for one of the other byte
 * order, and then its numbers of processors for whatever is in its memory.
 */
static void put_command(FILE *to)
{
	static const char *const word[] = {"gnomon", "export", "-f", "perf.data"};
	const uint32_t n = sizeof(word) / sizeof(word[0]);

	fwrite(&n, sizeof(n), 1, to);
	for (uint32_t i = 0; i < n; i++)
		put_string(to, word[i]);
}

static void put_attr(FILE *to, const struct perf_event_attr *attr)
{
	fwrite(attr, ATTR_SIZE, 1, to);
}

/* Write the event with its number and its name. */
static void put_event(FILE *to, const struct perf_event_attr *attr, const char *name)
{
	const uint32_t begin[] = {1, ATTR_SIZE}, numbers = 1;
	const uint64_t id = EVENT_ID;

	fwrite(begin, sizeof(begin), 1, to);
	put_attr(to, attr);
	fwrite(&numbers, sizeof(numbers), 1, to);
	put_string(to, name);
	fwrite(&id, sizeof(id), 1, to);
}

/*
 * Return what perf would have asked the kernel for: by `sample_type' readers know which numbers a
 * sample has, and by `sample_id_all' that other records end with the same.
 */
static struct perf_event_attr attr_of(const struct perffile *f, const struct perffile_event *event)
{
	struct perf_event_attr attr = {
		.type = event->type, .size = ATTR_SIZE, .config = event->config,
		.sample_period = 1, .mmap = 1, .comm = 1, .comm_exec = 1, .sample_id_all = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_ID | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
	};

	if (f->cpus)
		attr.sample_type |= PERF_SAMPLE_CPU;
	return attr;
}

/* Write the table of n sections that follow it one after the other, then these; free them. */
static void put_features(FILE *to, uint64_t offset, struct memory_stream *feature[NFEATURES])
{
	struct section s = {.offset = offset + NFEATURES * sizeof(s)};
	int i;

	for (i = 0; i < NFEATURES; i++) {
		s.size = feature[i]->n;
		fwrite(&s, sizeof(s), 1, to);
		s.offset += s.size;
	}
	for (i = 0; i < NFEATURES; i++) {
		fwrite(feature[i]->data, feature[i]->n, 1, to);
		free(feature[i]->data);
	}
}

void perffile_write(struct perffile *f, const struct perffile_event *event, const char *machine,
		    FILE *to)
{
	struct perf_event_attr attr = attr_of(f, event);
	const uint64_t id = EVENT_ID;
	const uint32_t cpus[] = {f->ncpu, f->ncpu}; /* that could be, and are, in use */
	struct section numbers = {.size = sizeof(id)};
	struct memory_stream arch, desc, ncpus, command, *feature[NFEATURES] = {
		&f->buildids, &arch, &ncpus, &command, &desc,
	};
	struct head head = {
		.magic = {'P', 'E', 'R', 'F', 'I', 'L', 'E', '2'}, .size = sizeof(head),
		.attr_size = ATTR_SIZE + sizeof(numbers),
		.attrs = {sizeof(head), ATTR_SIZE + sizeof(numbers)},
		.features = {1 << FEATURE_BUILD_ID | 1 << FEATURE_ARCH | 1 << FEATURE_NRCPUS |
			     1 << FEATURE_CMDLINE | 1 << FEATURE_EVENT_DESC},
	};

	memory_stream_open(&arch);
	put_string(arch.f, machine);
	memory_stream_open(&ncpus);
	fwrite(cpus, sizeof(cpus), 1, ncpus.f);
	memory_stream_close(&ncpus);
	memory_stream_open(&command);
	put_command(command.f);
	memory_stream_close(&command);
	memory_stream_open(&desc);
	put_event(desc.f, &attr, event->name);
	memory_stream_close(&arch);
	memory_stream_close(&desc);
	memory_stream_close(&f->records);
	memory_stream_close(&f->buildids);
	numbers.offset = head.attrs.offset + head.attrs.size;
	head.data = (struct section){numbers.offset + numbers.size, f->records.n};
	fwrite(&head, sizeof(head), 1, to);
	put_attr(to, &attr);
	fwrite(&numbers, sizeof(numbers), 1, to);
	fwrite(&id, sizeof(id), 1, to);
	fwrite(f->records.data, f->records.n, 1, to);
	put_features(to, head.data.offset + head.data.size, feature);
	free(f->records.data);
}
