/* pprof's profiles: the message Profile of tools/export/pprof.proto, mostly compressed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "pprof.pb-c.h"
#include "tools/import/import.h"
#include "tools/import/protoroom.h"
#include "tools/order.h"
#include "tools/slurp.h"

typedef Perftools__Profiles__Profile profile_msg;
typedef Perftools__Profiles__Sample sample_msg;
typedef Perftools__Profiles__Mapping mapping_msg;
typedef Perftools__Profiles__Location location_msg;
typedef Perftools__Profiles__Function function_msg;

/*
 * What a file may stand for, by its bytes: a few can be unpacked to very many, and these stand for
 * even more. Honest ones are some ten times as long when they are unpacked.
 */
#define UNPACKED_MOST(bytes) ((64u << 20) + 20 * (bytes))
#define ROOM_MOST(bytes) ((384u << 20) + 40 * (bytes)) /* memory, all in all */
#define STEPS_MOST(bytes) order_min((4u << 20) + 16 * (bytes), 64u << 20)

/* A message that others name by its id. */
struct named {
	uint64_t id;
	void *message;
};

/* All of one kind, by id. */
struct index {
	struct named *named;
	size_t n;
};

/* What a location stands for: steps, of which the first is the outermost. */
struct steps {
	size_t first, n; /* of the names */
	bool kernel;
};

/* What is known of a text of the profile, each a number plus 1: names are looked up once a text. */
struct known {
	uint32_t function, file, process;
};

struct reader {
	struct import *im;
	profile_msg *profile;
	struct index mappings, locations, functions;
	struct steps *steps; /* of the locations, as these are sorted */
	uint32_t *name;	     /* of the steps' functions */
	size_t nname, room_name;
	struct known *known; /* by text */
	uint32_t program;    /* of samples whose process is not known */
	size_t value; /* which one of a sample's counts */
	size_t left; /* steps that the paths may still have */
	struct complaint *why;
};

/* For qsort and bsearch: by id. */
static int compare_ids(const void *va, const void *vb)
{
	const struct named *a = va, *b = vb;

	return order(a->id, b->id);
}

/* Make an index of n messages, in each of which the id is at that offset. */
static struct index index_of(const void *message, size_t n, size_t offset)
{
	struct index index = {.named = memory_zeroed(n, sizeof(struct named)), .n = n};
	const char *at = message;
	size_t i;

	for (i = 0; i < n; i++) {
		struct named *named = &index.named[i];

		memcpy(&named->message, at + i * sizeof(void *), sizeof(void *));
		memcpy(&named->id, (const char *)named->message + offset, sizeof(named->id));
	}
	qsort(index.named, n, sizeof(struct named), compare_ids);
	return index;
}

/* Return where the message of an id is; NULL: there is none. Mostly ids are 1, 2, 3 and so on. */
static const struct named *find_id(const struct index *index, uint64_t id)
{
	const struct named key = {.id = id};

	if (id - 1 < index->n && index->named[id - 1].id == id)
		return &index->named[id - 1];
	return bsearch(&key, index->named, index->n, sizeof(key), compare_ids);
}

/* Return the message of an id; NULL: there is none. */
static void *by_id(const struct index *index, uint64_t id)
{
	const struct named *found = find_id(index, id);

	if (!found)
		return NULL;
	return found->message;
}

/* Return the number of a text; that of the first, which is "", for one that is not there. */
static size_t text_number(const struct reader *r, int64_t number)
{
	if (number < 0)
		return 0;
	if ((uint64_t)number >= r->profile->n_string_table)
		return 0;
	return (size_t)number;
}

/* Return a text by its number; "" if there are none. */
static const char *string_of(const struct reader *r, int64_t number)
{
	if (r->profile->n_string_table == 0)
		return "";
	return r->profile->string_table[text_number(r, number)];
}

/* Return the last part of a path; "" of one that is too long. */
static const char *file_of(const char *path)
{
	const char *slash;

	if (strnlen(path, TEXTS_NAME) == TEXTS_NAME)
		return "";
	slash = strrchr(path, '/');
	if (slash)
		return slash + 1;
	return path;
}

/* Return the number of the path of a mapping's file; 0, of "", if it is not known. */
static size_t path_of(const struct reader *r, uint64_t mapping)
{
	const mapping_msg *m = by_id(&r->mappings, mapping);

	if (!m)
		return 0;
	return text_number(r, m->filename);
}

/* Return whether a file is a kernel: Linux's, by what tools call it, or ours. */
static bool is_kernel(const char *file)
{
	static const char *const begin[] = {"[kernel", "[guest.kernel", "vmlinux", "gnomon.elf"};
	size_t i;

	for (i = 0; i < sizeof(begin) / sizeof(begin[0]); i++)
		if (strncmp(file, begin[i], strlen(begin[i])) == 0)
			return true;
	return false;
}

/* Return the number of a name, of a function or of what stands for it. */
static uint32_t name_of(struct reader *r, const char *name)
{
	return import_name(r->im, name, strnlen(name, TEXTS_NAME));
}

/* Return the number of the name of a location's file, by the number of its path. */
static uint32_t name_of_file(struct reader *r, size_t path)
{
	uint32_t *known = &r->known[path].file;

	if (*known == 0)
		*known = name_of(r, file_of(string_of(r, (int64_t)path))) + 1;
	return *known - 1;
}

/* Return the number of the name of a line's function; of one that is not there it is "". */
static uint32_t name_of_function(struct reader *r, uint64_t id)
{
	const function_msg *f = by_id(&r->functions, id);
	size_t text = 0;

	if (!f)
		return import_name(r->im, "", 0);
	text = text_number(r, f->name);
	if (r->known[text].function == 0)
		r->known[text].function = name_of(r, string_of(r, f->name)) + 1;
	return r->known[text].function - 1;
}

/* Append a name to those of the locations' steps. */
static void add_name(struct reader *r, uint32_t name)
{
	r->name = memory_grow(r->name, &r->room_name, r->nname + 1, sizeof(*r->name));
	r->name[r->nname++] = name;
}

/* Find the steps of a location: a function, and after it those that are inlined there. */
static void find_steps(struct reader *r, const location_msg *l, struct steps *s)
{
	size_t path = path_of(r, l->mapping_id), i;

	s->first = r->nname;
	s->kernel = is_kernel(file_of(string_of(r, (int64_t)path)));
	if (l->n_line == 0)
		add_name(r, name_of_file(r, path));
	for (i = l->n_line; i > 0; i--)
		add_name(r, name_of_function(r, l->line[i - 1]->function_id));
	s->n = r->nname - s->first;
}

/* Add the steps of a location. */
static int take_location(struct reader *r, uint64_t id)
{
	const struct named *l = find_id(&r->locations, id);
	const struct steps *s;
	size_t i;

	if (!l)
		return complain(r->why, "there is no location %" PRIu64, id);
	s = &r->steps[l - r->locations.named];
	if (s->n >= r->left)
		return complain(r->why, "its samples have more steps than a profile of that "
				"length can have");
	r->left -= s->n;
	for (i = 0; i < s->n; i++)
		import_step(r->im, r->name[s->first + i], s->kernel);
	return 0;
}

/* Return the number of the text of a sample's label. False: it has none. */
static bool find_label(const struct reader *r, const sample_msg *s, const char *key, size_t *text)
{
	size_t i;

	for (i = 0; i < s->n_label; i++) {
		if (strcmp(string_of(r, s->label[i]->key), key) != 0)
			continue;
		*text = text_number(r, s->label[i]->str);
		return true;
	}
	return false;
}

/* Return the program of a process's name. */
static uint32_t program_of(struct reader *r, const char *name)
{
	return import_program(r->im, name, strnlen(name, TEXTS_NAME));
}

/* Return the program of a sample: by its label, or what the profile is of. */
static uint32_t process_of(struct reader *r, const sample_msg *s)
{
	static const char *const key[] = {"process", "comm", "command"};
	struct known *known;
	size_t i, text;

	for (i = 0; i < sizeof(key) / sizeof(key[0]); i++) {
		if (!find_label(r, s, key[i], &text))
			continue;
		known = &r->known[text];
		if (known->process == 0)
			known->process = program_of(r, string_of(r, (int64_t)text)) + 1;
		return known->process - 1;
	}
	return r->program;
}

/* Take the mode that our own profiles tell. */
static void take_mode(struct reader *r, const sample_msg *s)
{
	char step[16];
	size_t text;
	int n;

	if (!find_label(r, s, "mode", &text))
		return;
	n = snprintf(step, sizeof(step), "[%s]", string_of(r, (int64_t)text));
	if (n < (int)sizeof(step))
		import_mode(r->im, step, (size_t)n);
}

/* Take a sample. */
static int take_sample(struct reader *r, const sample_msg *s)
{
	size_t i;

	if (s->n_value <= r->value)
		return complain(r->why, "a sample has %zu values, and there are %zu types of them",
				s->n_value, r->profile->n_sample_type);
	if (s->value[r->value] <= 0)
		return 0;
	import_begin(r->im, process_of(r, s));
	take_mode(r, s);
	for (i = s->n_location_id; i > 0; i--)
		if (take_location(r, s->location_id[i - 1]) < 0)
			return -1;
	return import_count(r->im, (uint64_t)s->value[r->value], r->why);
}

/* Choose what is counted: what has no unit, for ticks have none either; or else the last. */
static int choose_value(struct reader *r)
{
	const profile_msg *p = r->profile;
	size_t i;

	if (p->n_sample_type == 0)
		return complain(r->why, "it does not say what its samples count");
	r->value = p->n_sample_type - 1;
	for (i = 0; i < p->n_sample_type && !r->im->periods; i++) {
		if (strcmp(string_of(r, p->sample_type[i]->unit), "count") != 0)
			continue;
		r->value = i;
		break;
	}
	return 0;
}

/* Find out what the samples name by numbers. */
static void open_profile(struct reader *r)
{
	const profile_msg *p = r->profile;
	size_t i;

	r->mappings = index_of(p->mapping, p->n_mapping, offsetof(mapping_msg, id));
	r->locations = index_of(p->location, p->n_location, offsetof(location_msg, id));
	r->functions = index_of(p->function, p->n_function, offsetof(function_msg, id));
	r->known = memory_zeroed(p->n_string_table + 1, sizeof(*r->known));
	r->steps = memory_zeroed(p->n_location, sizeof(*r->steps));
	for (i = 0; i < p->n_location; i++)
		find_steps(r, r->locations.named[i].message, &r->steps[i]);
	r->program = program_of(r, file_of(string_of(r, (int64_t)path_of(r, 1))));
}

static void close_profile(struct reader *r)
{
	free(r->mappings.named);
	free(r->locations.named);
	free(r->functions.named);
	free(r->known);
	free(r->steps);
	free(r->name);
}

/* Read the message. */
static int take_profile(struct reader *r)
{
	const profile_msg *p = r->profile;
	int bad = choose_value(r);
	size_t i;

	open_profile(r);
	for (i = 0; !bad && i < p->n_sample; i++)
		bad = take_sample(r, p->sample[i]);
	close_profile(r);
	return bad;
}

/* Unpack what gzip has packed: *size bytes, which the caller frees. */
static uint8_t *unpack(const uint8_t *data, size_t n, size_t *size, struct complaint *why)
{
	z_stream z = {.next_in = (uint8_t *)data, .avail_in = (unsigned)n};
	size_t room = 0, most = UNPACKED_MOST(n);
	uint8_t *out = NULL;
	int status;

	/* 15 is the largest window; 16 more ask for gzip's head */
	if (inflateInit2(&z, 15 + 16) != Z_OK) {
		complain(why, "it cannot be unpacked");
		return NULL;
	}
	do {
		out = memory_grow(out, &room, z.total_out + 65536, 1);
		z.next_out = out + z.total_out;
		z.avail_out = 65536;
		status = inflate(&z, Z_NO_FLUSH);
	} while (status == Z_OK && z.total_out <= order_min(most, SLURP_MAX));
	*size = z.total_out;
	inflateEnd(&z);
	if (status == Z_STREAM_END)
		return out;
	free(out);
	complain(why, "it is compressed, and damaged, cut off or too large");
	return NULL;
}

/* Read what is not compressed, of a file of so many bytes. */
static int take_data(struct reader *r, const uint8_t *data, size_t n, size_t bytes)
{
	const ProtobufCMessageDescriptor *profile = &perftools__profiles__profile__descriptor;

	if (import_room(profile, data, n) > ROOM_MOST(bytes))
		return complain(r->why, "it is larger in memory than a profile of that length can "
				"be");
	r->left = order_min(4 * n + 65536, STEPS_MOST(bytes));
	r->profile = perftools__profiles__profile__unpack(NULL, n, data);
	if (!r->profile)
		return complain(r->why, "not a profile of pprof's, or damaged");
	return 0;
}

int import_pprof(struct import *im, const char *text, size_t n, struct complaint *why)
{
	struct reader r = {.im = im, .why = why};
	const uint8_t *data = (const uint8_t *)text;
	uint8_t *unpacked = NULL;
	size_t size = n;
	int bad;

	if (import_is_gzip(text, n)) {
		unpacked = unpack(data, n, &size, why);
		if (!unpacked)
			return -1;
		data = unpacked;
	}
	bad = take_data(&r, data, size, n);
	free(unpacked);
	if (bad)
		return -1;
	bad = take_profile(&r);
	perftools__profiles__profile__free_unpacked(r.profile, NULL);
	return bad;
}
