/* pprof's profiles: the message Profile of tools/export/pprof.proto, mostly compressed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "pprof.pb-c.h"
#include "tools/import/import.h"
#include "tools/order.h"
#include "tools/slurp.h"

typedef Perftools__Profiles__Profile profile_msg;
typedef Perftools__Profiles__Sample sample_msg;
typedef Perftools__Profiles__Mapping mapping_msg;
typedef Perftools__Profiles__Location location_msg;
typedef Perftools__Profiles__Function function_msg;

#define UNPACKED_LEAST (64u << 20)
#define UNPACKED_TIMES 64 /* as long as what is packed, at most; some 10 are usual */

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

struct reader {
	struct import *im;
	profile_msg *profile;
	struct index mappings, locations, functions;
	size_t value; /* which one of a sample's counts */
	size_t steps; /* that the paths may still have: a few bytes can stand for many */
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

/* Return the message of an id; NULL: there is none. */
static void *by_id(const struct index *index, uint64_t id)
{
	const struct named key = {.id = id}, *found;

	found = bsearch(&key, index->named, index->n, sizeof(key), compare_ids);
	if (!found)
		return NULL;
	return found->message;
}

/* Return a string by its number; "" for one that is not there. */
static const char *string_of(const struct reader *r, int64_t number)
{
	if (number < 0)
		return "";
	if ((uint64_t)number >= r->profile->n_string_table)
		return "";
	return r->profile->string_table[number];
}

/* Return the last part of the path of a location's file; "" if it is not known. */
static const char *file_of(const struct reader *r, const location_msg *l)
{
	const mapping_msg *m = by_id(&r->mappings, l->mapping_id);
	const char *path, *slash;

	if (!m)
		return "";
	path = string_of(r, m->filename);
	if (strnlen(path, TEXTS_NAME) == TEXTS_NAME)
		return "";
	slash = strrchr(path, '/');
	if (slash)
		return slash + 1;
	return path;
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

/* Add the steps of a location: a function, and after it those that are inlined there. */
static int take_location(struct reader *r, const location_msg *l)
{
	const char *file = file_of(r, l), *name;
	const function_msg *f;
	size_t i;

	if (l->n_line >= r->steps)
		return complain(r->why, "its samples have more steps than a profile of that "
				"length can have");
	r->steps -= l->n_line + 1;
	if (l->n_line == 0)
		import_step(r->im, file, strnlen(file, TEXTS_NAME), is_kernel(file));
	for (i = l->n_line; i > 0; i--) {
		name = "";
		f = by_id(&r->functions, l->line[i - 1]->function_id);
		if (f)
			name = string_of(r, f->name);
		import_step(r->im, name, strnlen(name, TEXTS_NAME), is_kernel(file));
	}
	return 0;
}

/* Return the text of a sample's label; NULL: it has none. */
static const char *label_of(const struct reader *r, const sample_msg *s, const char *key)
{
	size_t i;

	for (i = 0; i < s->n_label; i++)
		if (strcmp(string_of(r, s->label[i]->key), key) == 0)
			return string_of(r, s->label[i]->str);
	return NULL;
}

/* Return the process of a sample: by its label, or the program that the profile is of. */
static const char *process_of(const struct reader *r, const sample_msg *s)
{
	static const char *const key[] = {"process", "comm", "command"};
	location_msg first = {.mapping_id = 1};
	const char *name;
	size_t i;

	for (i = 0; i < sizeof(key) / sizeof(key[0]); i++) {
		name = label_of(r, s, key[i]);
		if (name)
			return name;
	}
	return file_of(r, &first);
}

/* Take the mode that our own profiles tell. */
static void take_mode(struct import *im, const char *mode)
{
	char *step = memory_format("[%s]", mode);

	import_mode(im, step, strlen(step));
	free(step);
}

/* Take a sample. */
static int take_sample(struct reader *r, const sample_msg *s)
{
	const char *process = process_of(r, s), *mode = label_of(r, s, "mode");
	const location_msg *l;
	size_t i;

	if (s->n_value <= r->value)
		return complain(r->why, "a sample has %zu values, and there are %zu types of them",
				s->n_value, r->profile->n_sample_type);
	if (s->value[r->value] <= 0)
		return 0;
	import_begin(r->im, process, strnlen(process, TEXTS_NAME));
	if (mode)
		take_mode(r->im, mode);
	for (i = s->n_location_id; i > 0; i--) {
		l = by_id(&r->locations, s->location_id[i - 1]);
		if (!l)
			return complain(r->why, "there is no location %" PRIu64,
					s->location_id[i - 1]);
		if (take_location(r, l) < 0)
			return -1;
	}
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

/* Read the message. */
static int take_profile(struct reader *r)
{
	profile_msg *p = r->profile;
	int bad = choose_value(r);
	size_t i;

	r->mappings = index_of(p->mapping, p->n_mapping, offsetof(mapping_msg, id));
	r->locations = index_of(p->location, p->n_location, offsetof(location_msg, id));
	r->functions = index_of(p->function, p->n_function, offsetof(function_msg, id));
	for (i = 0; !bad && i < p->n_sample; i++)
		bad = take_sample(r, p->sample[i]);
	free(r->mappings.named);
	free(r->locations.named);
	free(r->functions.named);
	return bad;
}

/* Unpack what gzip has packed: *size bytes, which the caller frees. */
static uint8_t *unpack(const uint8_t *data, size_t n, size_t *size, struct complaint *why)
{
	z_stream z = {.next_in = (uint8_t *)data, .avail_in = (unsigned)n};
	size_t room = 0, most = UNPACKED_LEAST + UNPACKED_TIMES * n;
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

int import_pprof(struct import *im, const char *text, size_t n, struct complaint *why)
{
	struct reader r = {.im = im, .why = why};
	const uint8_t *data = (const uint8_t *)text;
	uint8_t *unpacked = NULL;
	int bad;

	if (import_is_gzip(text, n)) {
		unpacked = unpack(data, n, &n, why);
		if (!unpacked)
			return -1;
		data = unpacked;
	}
	r.steps = 4 * n + 65536;
	r.profile = perftools__profiles__profile__unpack(NULL, n, data);
	free(unpacked);
	if (!r.profile)
		return complain(why, "not a profile of pprof's, or damaged");
	bad = take_profile(&r);
	perftools__profiles__profile__free_unpacked(r.profile, NULL);
	return bad;
}
