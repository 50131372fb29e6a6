/*
 * pprof's format: the message Profile of pprof.proto, compressed. Everything in it has a number
 * by which the rest refers to it: strings from 0 on, in which 0 must be "", and mappings,
 * locations and functions from 1 on, for 0 is none. Samples, of which there may be very many, are
 * written one by one, before the rest: a message in pieces is the same message.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "pprof.pb-c.h"
#include "tools/distinct.h"
#include "tools/export/export.h"
#include "tools/export/names.h"
#include "tools/export/pprof.h"
#include "tools/memory.h"

typedef Perftools__Profiles__Profile profile_msg;
typedef Perftools__Profiles__ValueType type_msg;
typedef Perftools__Profiles__Sample sample_msg;
typedef Perftools__Profiles__Label label_msg;
typedef Perftools__Profiles__Mapping mapping_msg;
typedef Perftools__Profiles__Location location_msg;
typedef Perftools__Profiles__Line line_msg;
typedef Perftools__Profiles__Function function_msg;

#define MAXTYPES 4 /* values of a sample */

/* The profile being made. Its lists grow by memory_grow(), with room_* as their rooms. */
struct writer {
	struct export *x;
	profile_msg profile;
	struct names strings;
	struct place_key {
		code_addr address;
		uint32_t image;
		uint32_t function; /* where there is no address */
	} *place;		   /* of the locations */
	struct distinct places;
	size_t room_type, room_mapping, room_location, room_place, room_comment;
	uint64_t *ids; /* of the current sample's locations */
	size_t room_ids;
	bool has_times; /* each sample tells how many waits it is of */
	bool compressed;
	z_stream z; /* compresses, if that is wanted, for... */
	FILE *to;
	uint8_t *packed; /* a piece of the message */
	size_t room_packed;
};

/* Write a piece of the message; Z_FINISH: the last. */
static void put_piece(struct writer *w, const profile_msg *piece, int flush)
{
	size_t n = perftools__profiles__profile__get_packed_size(piece);
	uint8_t buf[65536];
	int status;

	w->packed = memory_grow(w->packed, &w->room_packed, n, 1);
	perftools__profiles__profile__pack(piece, w->packed);
	if (!w->compressed) {
		fwrite(w->packed, 1, n, w->to);
		return;
	}
	w->z.next_in = w->packed;
	w->z.avail_in = n;
	do {
		w->z.next_out = buf;
		w->z.avail_out = sizeof(buf);
		status = deflate(&w->z, flush);
		fwrite(buf, 1, sizeof(buf) - w->z.avail_out, w->to);
	} while (status == Z_OK && w->z.avail_out == 0);
}

/* Return the number of a string. */
static int64_t string_number(struct writer *w, const char *s)
{
	return names_number(&w->strings, s);
}

/* Make a type of values, such as "time" in "nanoseconds". */
static type_msg *new_type(struct writer *w, const char *type, const char *unit)
{
	type_msg *t = memory_zeroed(1, sizeof(*t));

	perftools__profiles__value_type__init(t);
	t->type = string_number(w, type);
	t->unit = string_number(w, unit);
	return t;
}

/* Add a type: each sample has a value of it. */
static void add_type(struct writer *w, const char *type, const char *unit)
{
	profile_msg *p = &w->profile;

	p->sample_type = memory_grow(p->sample_type, &w->room_type, p->n_sample_type + 1,
				     sizeof(*p->sample_type));
	p->sample_type[p->n_sample_type++] = new_type(w, type, unit);
}

/* Add those of waits, by the names that profiles of contention have. */
static void add_wait_types(struct writer *w)
{
	const struct profdata *p = &w->x->prof;
	size_t i;

	for (i = 0; i < p->nsample && !w->has_times; i++)
		w->has_times = p->sample[i].times > 0;
	if (w->has_times)
		add_type(w, "contentions", "count");
	add_type(w, "delay", "nanoseconds");
}

/* Add those of memory, by the names and in the order that profiles of Go's heap have. */
static void add_memory_types(struct writer *w)
{
	bool paths = w->x->prof.by_mode[PROFDATA_IN_USE] + w->x->prof.by_mode[PROFDATA_FREED] > 0;

	if (w->x->prof.nmemory == 0) {
		if (paths)
			add_type(w, "alloc_space", "bytes");
		add_type(w, "inuse_space", "bytes");
		return;
	}
	add_type(w, "alloc_objects", "count");
	add_type(w, "alloc_space", "bytes");
	add_type(w, "inuse_objects", "count");
	add_type(w, "inuse_space", "bytes");
	w->profile.default_sample_type = string_number(w, "inuse_space");
}

/* Add the types: what was counted and, of ticks of a known length, how much time that is. */
static void add_types(struct writer *w)
{
	const struct profdata *p = &w->x->prof;

	if (p->unit == PROFDATA_BYTES)
		add_memory_types(w);
	else if (p->unit == PROFDATA_MICROSECONDS)
		add_wait_types(w);
	else if (p->unit == PROFDATA_NANOSECONDS)
		add_type(w, "time", "nanoseconds");
	else
		add_type(w, profdata_unit_name[p->unit], "count");
	if (p->us > 0 && p->unit == PROFDATA_TICKS) {
		add_type(w, "time", "nanoseconds");
		w->profile.period_type = new_type(w, "time", "nanoseconds");
		w->profile.period = llround(p->us * 1000);
		w->profile.default_sample_type = string_number(w, "time");
	}
}

/* Add a line to a location, which has room for it. */
static void add_line(location_msg *l, const struct step *step)
{
	line_msg *line = memory_zeroed(1, sizeof(*line));

	perftools__profiles__line__init(line);
	line->function_id = step->function + 1;
	line->line = step->line;
	l->line[l->n_line++] = line;
}

/*
 * Find or make the location of n steps, the outermost first, which are at one address: a
 * function and those inlined in it. Return its id.
 */
static uint64_t location_of(struct writer *w, const struct step *step, size_t n, bool last)
{
	struct place_key key = {
		.image = w->x->functions.function[step->function].image,
		.address = export_address(step, last),
	};
	profile_msg *p = &w->profile;
	location_msg *l;
	size_t number;

	if (key.address == 0)
		key.function = step->function;
	number = distinct_index(&w->places, w->place, &key, p->n_location);
	if (number < p->n_location)
		return number + 1;
	w->place = memory_grow(w->place, &w->room_place, number + 1, sizeof(*w->place));
	w->place[number] = key;
	l = memory_zeroed(1, sizeof(*l));
	perftools__profiles__location__init(l);
	l->id = number + 1;
	if (key.image != PROFDATA_NONE)
		l->mapping_id = key.image + 1;
	l->address = key.address;
	l->line = memory_zeroed(n, sizeof(*l->line));
	while (n-- > 0)
		add_line(l, &step[n]);
	p->location = memory_grow(p->location, &w->room_location, p->n_location + 1,
				  sizeof(*p->location));
	p->location[p->n_location++] = l;
	return l->id;
}

/*
 * Find the locations of a path, the innermost first, into w->ids. Return how many: inlined
 * functions share that of the function around them.
 */
static size_t find_locations(struct writer *w, const struct profdata_sample *s)
{
	const struct functions *f = &w->x->functions;
	size_t n, i, end, count = 0;
	const struct step *step = export_path(w->x, s, &n);

	w->ids = memory_grow(w->ids, &w->room_ids, n, sizeof(*w->ids));
	for (end = n; end > 0; end = i) {
		for (i = end - 1; f->function[step[i].function].inlined; i--)
			;
		w->ids[count++] = location_of(w, &step[i], end - i, end == n);
	}
	return count;
}

/* Make a label whose value is a text. */
static label_msg *new_label(struct writer *w, const char *key, const char *value)
{
	label_msg *l = memory_zeroed(1, sizeof(*l));

	perftools__profiles__label__init(l);
	l->key = string_number(w, key);
	l->str = string_number(w, value);
	return l;
}

/* Give a sample its process and mode as labels. */
static void add_labels(struct writer *w, sample_msg *m, const struct profdata_sample *s)
{
	const struct profdata *p = &w->x->prof;

	if (s->process != PROFDATA_NONE)
		m->label[m->n_label++] = new_label(w, "process", p->name[s->process]);
	if (profdata_is_time(p) || PROFDATA_MEMORY >> s->mode & 1)
		m->label[m->n_label++] = new_label(w, "mode", profdata_mode_name[s->mode]);
}

/* Find the values of memory. */
static void memory_values(const struct profdata *p, const struct profdata_sample *s, int64_t *value)
{
	const struct profdata_memory *memory = &p->memory[s->memory - 1];

	value[0] = (int64_t)memory->allocated;
	value[1] = (int64_t)memory->total;
	value[2] = (int64_t)memory->blocks;
	value[3] = (int64_t)s->count;
}

/* Find a sample's values, one of each type. False: a value is too large. */
static bool find_values(const struct writer *w, const struct profdata_sample *s,
			int64_t value[MAXTYPES])
{
	const struct profdata *p = &w->x->prof;
	double ns = s->count * p->us * 1000;

	if (s->count > INT64_MAX || ns >= (double)INT64_MAX)
		return false;
	if (s->memory > 0) {
		memory_values(p, s, value);
	} else if (p->unit == PROFDATA_MICROSECONDS) {
		value[0] = s->times;
		value[w->has_times] = (int64_t)s->count * 1000;
	} else if (PROFDATA_MEMORY >> s->mode & 1) {
		value[0] = (int64_t)s->count;
		value[1] = s->mode == PROFDATA_IN_USE ? (int64_t)s->count : 0;
	} else {
		value[0] = (int64_t)s->count;
		value[1] = llround(ns);
	}
	return true;
}

/* Write a sample. -1 and why: its count is too large. */
static int put_sample(struct writer *w, const struct profdata_sample *s, struct complaint *why)
{
	profile_msg piece = PERFTOOLS__PROFILES__PROFILE__INIT;
	int64_t value[MAXTYPES];
	label_msg *label[2];
	sample_msg m = PERFTOOLS__PROFILES__SAMPLE__INIT, *only = &m;

	if (!find_values(w, s, value))
		return complain(why, "pprof cannot hold a count of %" PRIu64, s->count);
	m.n_location_id = find_locations(w, s);
	m.location_id = w->ids;
	m.n_value = w->profile.n_sample_type;
	m.value = value;
	m.label = label;
	add_labels(w, &m, s);
	piece.n_sample = 1;
	piece.sample = &only;
	put_piece(w, &piece, Z_NO_FLUSH);
	while (m.n_label > 0)
		free(label[--m.n_label]);
	return 0;
}

/* Tell where an image lies in memory and in its file, and what that knows. */
static void describe_elf(mapping_msg *m, const struct image *elf)
{
	m->memory_start = elf->text;
	m->memory_limit = elf->etext;
	m->file_offset = image_offset(elf, elf->text);
	m->has_functions = m->has_filenames = m->has_line_numbers = true;
	m->has_inline_frames = true;
}

/* Add an image. */
static void add_mapping(struct writer *w, const struct profdata_image *image)
{
	mapping_msg *m = memory_zeroed(1, sizeof(*m));
	profile_msg *p = &w->profile;
	char *file = export_image_file(image); /* the host's: pprof can disassemble it */

	perftools__profiles__mapping__init(m);
	m->id = p->n_mapping + 1;
	m->filename = string_number(w, file);
	free(file);
	if (image->elf) {
		m->build_id = string_number(w, image->elf->symbols.buildid);
		describe_elf(m, image->elf);
	} else {
		m->build_id = string_number(w, image->buildid);
	}
	p->mapping = memory_grow(p->mapping, &w->room_mapping, p->n_mapping + 1,
				 sizeof(*p->mapping));
	p->mapping[p->n_mapping++] = m;
}

/* Add all functions that were met, in the order of their numbers. */
static void add_functions(struct writer *w)
{
	size_t i, n = w->x->functions.n;
	profile_msg *p = &w->profile;
	struct export_origin origin;
	function_msg *m;
	char buf[512];

	p->function = memory_zeroed(n, sizeof(*p->function));
	for (i = 0; i < n; i++) {
		m = memory_zeroed(1, sizeof(*m));
		origin = export_origin(w->x, i);
		perftools__profiles__function__init(m);
		m->id = i + 1;
		m->name = string_number(w, export_name(w->x, i, buf, sizeof(buf)));
		m->system_name = m->name;
		if (origin.file)
			m->filename = string_number(w, origin.file);
		m->start_line = origin.line;
		p->function[p->n_function++] = m;
	}
}

/* Add a fact about the run. */
static void add_comment(void *arg, const char *fact)
{
	struct writer *w = arg;
	profile_msg *p = &w->profile;

	p->comment = memory_grow(p->comment, &w->room_comment, p->n_comment + 1,
				 sizeof(*p->comment));
	p->comment[p->n_comment++] = string_number(w, fact);
}

/* Write all but the samples. The message borrows the strings from their table. */
static void put_rest(struct writer *w)
{
	profile_msg *p = &w->profile;

	p->string_table = w->strings.name;
	p->n_string_table = w->strings.n;
	put_piece(w, p, Z_FINISH);
	p->string_table = NULL;
	p->n_string_table = 0;
}

/*
 * Free the profile. All of its parts are on the heap, as in one that protobuf-c has unpacked,
 * so protobuf-c can free them; it expects the message itself there, too.
 */
static void free_writer(struct writer *w)
{
	profile_msg *copy = memory_zeroed(1, sizeof(*copy));

	*copy = w->profile;
	perftools__profiles__profile__free_unpacked(copy, NULL);
	names_free(&w->strings);
	distinct_free(&w->places);
	free(w->place);
	free(w->ids);
	free(w->packed);
	deflateEnd(&w->z);
}

int pprof_write(struct export *x, bool compressed, FILE *to, struct complaint *why)
{
	struct writer w = {
		.x = x, .to = to, .compressed = compressed,
		.profile = PERFTOOLS__PROFILES__PROFILE__INIT,
		.places = {.size = sizeof(*w.place), .key = sizeof(*w.place)},
	};
	int bad = 0;
	size_t i;

	/* 15 is the largest window; 16 more ask for gzip's head */
	if (deflateInit2(&w.z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		memory_out();
	string_number(&w, "");
	x->options.inlined = true;
	add_types(&w);
	export_facts(x, add_comment, &w);
	for (i = 0; i < x->prof.nimage; i++)
		add_mapping(&w, &x->prof.image[i]);
	for (i = 0; i < x->prof.nsample && !bad; i++) {
		bad = put_sample(&w, &x->prof.sample[i], why);
		progress_add(&x->progress, 1);
	}
	add_functions(&w);
	if (!bad)
		put_rest(&w);
	free_writer(&w);
	return bad;
}

int export_pprof(struct export *x, FILE *to, struct complaint *why)
{
	return pprof_write(x, true, to, why);
}
