/*
 * OpenTelemetry's profiles: the message ProfilesData of otlp.proto, made of pprof's profile. What
 * that names by ids, which begin with 1, are places in lists here, each of which begins with an
 * empty one, so the numbers stay. A profile has one value a sample: of ticks and of their time
 * there are two profiles.
 *
 * What is profiled is told by the environment: OTEL_RESOURCE_ATTRIBUTES, a list NAME=VALUE,... in
 * which %2C is a comma: https://opentelemetry.io/docs/specs/otel/resource/sdk/
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "otlp.pb-c.h"
#include "pprof.pb-c.h"
#include "tools/export/pprof.h"
#include "tools/memory.h"
#include "tools/texts.h"

typedef Perftools__Profiles__Profile pprof_msg;
typedef Perftools__Profiles__Sample pprof_sample;

struct writer {
	struct export *x;
	const pprof_msg *from;
	Otlp__ProfilesDictionary *to;
	struct texts stacks, attributes; /* those in the dictionary, after the empty ones */
	size_t room_stack, room_attribute, room_string;
};

/* Make an empty message. */
static void *new_message(const ProtobufCMessageDescriptor *kind)
{
	void *m = memory_zeroed(1, kind->sizeof_message);

	protobuf_c_message_init(kind, m);
	return m;
}

/* Return a text that a message can own. */
static char *owned(const char *text)
{
	return memory_string(text, strlen(text));
}

/* Append a string to the dictionary. Return its number. */
static int32_t add_string(struct writer *w, const char *text)
{
	Otlp__ProfilesDictionary *d = w->to;

	d->string_table = memory_grow(d->string_table, &w->room_string, d->n_string_table + 1,
				      sizeof(*d->string_table));
	d->string_table[d->n_string_table] = owned(text);
	return (int32_t)d->n_string_table++;
}

/* Return a value that is a text. */
static Otlp__AnyValue *new_value(const char *text)
{
	Otlp__AnyValue *v = new_message(&otlp__any_value__descriptor);

	v->string_value = owned(text);
	return v;
}

/* Append an attribute to the dictionary. */
static Otlp__KeyValueAndUnit *append_attribute(struct writer *w)
{
	Otlp__KeyValueAndUnit *a = new_message(&otlp__key_value_and_unit__descriptor);
	Otlp__ProfilesDictionary *d = w->to;

	d->attribute_table = memory_grow(d->attribute_table, &w->room_attribute,
					 d->n_attribute_table + 1, sizeof(*d->attribute_table));
	d->attribute_table[d->n_attribute_table++] = a;
	return a;
}

/* Find an attribute, or add it, whose name is that string. Return its number. */
static int32_t attribute_of(struct writer *w, int32_t name, const char *value)
{
	char *key = memory_format("%d=%s", name, value);
	size_t known = w->attributes.n, i = texts_number(&w->attributes, key, strlen(key));
	Otlp__KeyValueAndUnit *a;

	free(key);
	if (i == known) {
		a = append_attribute(w);
		a->key_strindex = name;
		a->value = new_value(value);
	}
	return (int32_t)i + 1;
}

/* Append a stack to the dictionary. */
static Otlp__Stack *append_stack(struct writer *w)
{
	Otlp__Stack *s = new_message(&otlp__stack__descriptor);
	Otlp__ProfilesDictionary *d = w->to;

	d->stack_table = memory_grow(d->stack_table, &w->room_stack, d->n_stack_table + 1,
				     sizeof(*d->stack_table));
	d->stack_table[d->n_stack_table++] = s;
	return s;
}

/* Find a sample's stack, or add it. Return its number. */
static int32_t stack_of(struct writer *w, const pprof_sample *from)
{
	size_t n = from->n_location_id, known = w->stacks.n, i;
	size_t number = texts_number(&w->stacks, (const char *)from->location_id,
				     n * sizeof(*from->location_id));
	Otlp__Stack *s;

	if (number == known) {
		s = append_stack(w);
		s->location_indices = memory_zeroed(n, sizeof(*s->location_indices));
		s->n_location_indices = n;
		for (i = 0; i < n; i++)
			s->location_indices[i] = (int32_t)from->location_id[i];
	}
	return (int32_t)number + 1;
}

/* Begin the dictionary: the strings, and what all other lists begin with. */
static void begin_dictionary(struct writer *w)
{
	const pprof_msg *p = w->from;
	Otlp__ProfilesDictionary *d = w->to;
	size_t i;

	for (i = 0; i < p->n_string_table; i++)
		add_string(w, p->string_table[i]);
	append_stack(w);
	append_attribute(w);
	d->mapping_table = memory_zeroed(p->n_mapping + 1, sizeof(*d->mapping_table));
	d->location_table = memory_zeroed(p->n_location + 1, sizeof(*d->location_table));
	d->function_table = memory_zeroed(p->n_function + 1, sizeof(*d->function_table));
	d->link_table = memory_zeroed(1, sizeof(*d->link_table));
	d->mapping_table[d->n_mapping_table++] = new_message(&otlp__mapping__descriptor);
	d->location_table[d->n_location_table++] = new_message(&otlp__location__descriptor);
	d->function_table[d->n_function_table++] = new_message(&otlp__function__descriptor);
	d->link_table[d->n_link_table++] = new_message(&otlp__link__descriptor);
}

/* Add the images. */
static void add_mappings(struct writer *w)
{
	int32_t build_id = add_string(w, "process.executable.build_id.gnu");
	const pprof_msg *p = w->from;
	const Perftools__Profiles__Mapping *from;
	Otlp__Mapping *m;
	size_t i;

	for (i = 0; i < p->n_mapping; i++) {
		from = p->mapping[i];
		m = new_message(&otlp__mapping__descriptor);
		m->memory_start = from->memory_start;
		m->memory_limit = from->memory_limit;
		m->file_offset = from->file_offset;
		m->filename_strindex = (int32_t)from->filename;
		if (*p->string_table[from->build_id]) {
			m->attribute_indices = memory_zeroed(1, sizeof(*m->attribute_indices));
			m->attribute_indices[m->n_attribute_indices++] =
				attribute_of(w, build_id, p->string_table[from->build_id]);
		}
		w->to->mapping_table[w->to->n_mapping_table++] = m;
	}
}

/* Copy a location. */
static Otlp__Location *new_location(const Perftools__Profiles__Location *from)
{
	Otlp__Location *l = new_message(&otlp__location__descriptor);
	Otlp__Line *line;
	size_t i;

	l->mapping_index = (int32_t)from->mapping_id;
	l->address = from->address;
	l->lines = memory_zeroed(from->n_line, sizeof(*l->lines));
	for (i = 0; i < from->n_line; i++) {
		line = new_message(&otlp__line__descriptor);
		line->function_index = (int32_t)from->line[i]->function_id;
		line->line = from->line[i]->line;
		l->lines[l->n_lines++] = line;
	}
	return l;
}

/* Copy a function. */
static Otlp__Function *new_function(const Perftools__Profiles__Function *from)
{
	Otlp__Function *f = new_message(&otlp__function__descriptor);

	f->name_strindex = (int32_t)from->name;
	f->system_name_strindex = (int32_t)from->system_name;
	f->filename_strindex = (int32_t)from->filename;
	f->start_line = from->start_line;
	return f;
}

/* Add the locations and the functions. */
static void add_locations(struct writer *w)
{
	const pprof_msg *p = w->from;
	Otlp__ProfilesDictionary *d = w->to;
	size_t i;

	for (i = 0; i < p->n_location; i++)
		d->location_table[d->n_location_table++] = new_location(p->location[i]);
	for (i = 0; i < p->n_function; i++)
		d->function_table[d->n_function_table++] = new_function(p->function[i]);
}

/* Make a sample of the value of one type. */
static Otlp__Sample *new_sample(struct writer *w, const pprof_sample *from, size_t type)
{
	Otlp__Sample *s = new_message(&otlp__sample__descriptor);
	size_t i;

	s->stack_index = stack_of(w, from);
	s->values = memory_zeroed(1, sizeof(*s->values));
	s->values[s->n_values++] = from->value[type];
	s->attribute_indices = memory_zeroed(from->n_label, sizeof(*s->attribute_indices));
	for (i = 0; i < from->n_label; i++)
		s->attribute_indices[s->n_attribute_indices++] =
			attribute_of(w, (int32_t)from->label[i]->key,
				     w->from->string_table[from->label[i]->str]);
	return s;
}

/* Copy a type of values. */
static Otlp__ValueType *new_type(const Perftools__Profiles__ValueType *from)
{
	Otlp__ValueType *t = new_message(&otlp__value_type__descriptor);

	t->type_strindex = (int32_t)from->type;
	t->unit_strindex = (int32_t)from->unit;
	return t;
}

/* Tell when it was counted: it ended when the file was written, which may say nonsense. */
static void set_time(const struct export *x, Otlp__Profile *p)
{
	struct stat st;
	uint64_t end;

	if (x->prof.run.elapsed_us > UINT64_MAX / 1000)
		return;
	p->duration_nano = x->prof.run.elapsed_us * 1000;
	if (strcmp(x->file, "-") == 0 || stat(x->file, &st) < 0)
		return;
	end = (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec;
	if (p->duration_nano <= end)
		p->time_unix_nano = end - p->duration_nano;
}

/* Add the facts about the run as attributes: what stands before the colon is a name. */
static void add_facts(struct writer *w, Otlp__Profile *to)
{
	const pprof_msg *p = w->from;
	char *name;
	size_t i;

	to->attribute_indices = memory_zeroed(p->n_comment, sizeof(*to->attribute_indices));
	for (i = 0; i < p->n_comment; i++) {
		name = memory_format("gnomon.fact.%zu", i + 1);
		to->attribute_indices[to->n_attribute_indices++] =
			attribute_of(w, add_string(w, name), p->string_table[p->comment[i]]);
		free(name);
	}
}

/* Make the profile of the values of one type; samples without any are left out. */
static Otlp__Profile *new_profile(struct writer *w, size_t type)
{
	Otlp__Profile *to = new_message(&otlp__profile__descriptor);
	const pprof_msg *p = w->from;
	size_t i;

	to->sample_type = new_type(p->sample_type[type]);
	if (p->period_type) {
		to->period_type = new_type(p->period_type);
		to->period = p->period;
	}
	set_time(w->x, to);
	if (type == 0)
		add_facts(w, to);
	to->samples = memory_zeroed(p->n_sample, sizeof(*to->samples));
	for (i = 0; i < p->n_sample; i++)
		if (p->sample[i]->value[type] != 0)
			to->samples[to->n_samples++] = new_sample(w, p->sample[i], type);
	return to;
}

/* Undo what %XX stands for in a value. */
static void undo_percent(char *s)
{
	char *to = s;
	unsigned c;

	for (; *s; s++) {
		if (sscanf(s, "%%%2x", &c) == 1 && c > 0) {
			*to++ = (char)c;
			s += 2;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

/* Add NAME=VALUE to the resource; what has no name or no value is left out. */
static void add_resource(Otlp__Resource *r, size_t *room, char *word)
{
	Otlp__KeyValue *a;
	char *value = strchr(word, '=');

	if (!value || value == word || !value[1])
		return;
	*value++ = 0;
	undo_percent(value);
	a = new_message(&otlp__key_value__descriptor);
	a->key = owned(word);
	a->value = new_value(value);
	r->attributes = memory_grow(r->attributes, room, r->n_attributes + 1,
				    sizeof(*r->attributes));
	r->attributes[r->n_attributes++] = a;
}

/* Tell what was profiled. */
static Otlp__Resource *new_resource(void)
{
	Otlp__Resource *r = new_message(&otlp__resource__descriptor);
	const char *given = getenv("OTEL_RESOURCE_ATTRIBUTES");
	char *copy, *rest, *word;
	size_t room = 0;

	if (!given || !*given)
		given = "service.name=gnomon";
	rest = copy = owned(given);
	while ((word = strsep(&rest, ",")))
		add_resource(r, &room, word);
	free(copy);
	return r;
}

/* Make the whole message, with a profile for each type. */
static Otlp__ProfilesData *new_data(struct writer *w)
{
	Otlp__ProfilesData *data = new_message(&otlp__profiles_data__descriptor);
	Otlp__ResourceProfiles *r = new_message(&otlp__resource_profiles__descriptor);
	Otlp__ScopeProfiles *s = new_message(&otlp__scope_profiles__descriptor);
	size_t i;

	data->dictionary = w->to = new_message(&otlp__profiles_dictionary__descriptor);
	begin_dictionary(w);
	add_mappings(w);
	add_locations(w);
	s->scope = new_message(&otlp__instrumentation_scope__descriptor);
	s->scope->name = owned("gnomon");
	s->profiles = memory_zeroed(w->from->n_sample_type, sizeof(*s->profiles));
	for (i = 0; i < w->from->n_sample_type; i++)
		s->profiles[s->n_profiles++] = new_profile(w, i);
	r->resource = new_resource();
	r->scope_profiles = memory_zeroed(1, sizeof(*r->scope_profiles));
	r->scope_profiles[r->n_scope_profiles++] = s;
	data->resource_profiles = memory_zeroed(1, sizeof(*data->resource_profiles));
	data->resource_profiles[data->n_resource_profiles++] = r;
	return data;
}

/* Write the message of a profile of pprof's. */
static void put_data(struct export *x, const pprof_msg *from, FILE *to)
{
	struct writer w = {.x = x, .from = from};
	Otlp__ProfilesData *data = new_data(&w);
	size_t n = otlp__profiles_data__get_packed_size(data);
	uint8_t *packed = memory_zeroed(n, 1);

	otlp__profiles_data__pack(data, packed);
	fwrite(packed, 1, n, to);
	free(packed);
	otlp__profiles_data__free_unpacked(data, NULL);
	texts_free(&w.stacks);
	texts_free(&w.attributes);
}

int export_otlp(struct export *x, FILE *to, struct complaint *why)
{
	struct memory_stream text;
	pprof_msg *from;
	int bad;

	memory_stream_open(&text);
	bad = pprof_write(x, false, text.f, why);
	memory_stream_close(&text);
	if (!bad) {
		from = perftools__profiles__profile__unpack(NULL, text.n, (uint8_t *)text.data);
		if (!from)
			memory_out();
		put_data(x, from, to);
		perftools__profiles__profile__free_unpacked(from, NULL);
	}
	free(text.data);
	return bad;
}
