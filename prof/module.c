/*
 * Modules: the kernel and the programs, and how often each instruction of theirs was
 * found running. A module's cells are made in thread context, before anything is counted
 * in them; ticks of all CPUs share them.
 */
#include "prof/port.h"
#include "prof/tick.h"

#define SEED 2000u	    /* of CPU 0 */
#define MAXTEXT (16u << 20) /* bytes of a module that is counted */

/* Whether two strings are equal. */
static bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/* A string's length without its NUL. */
static size_t length(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

/* Copies a string with its NUL: what is behind the copy. */
static char *put(char *to, const char *s)
{
	do
		*to++ = *s;
	while (*s++);
	return to;
}

/* Every CPU begins a fresh interval. No tick is under way. */
static void rewind_cpus(struct modules *m)
{
	unsigned cpu;

	for (cpu = 0; cpu < PROF_MAXCPU; cpu++)
		beat_begin(&m->beat[cpu], m->interval, SEED + cpu);
}

/* All else begins as zero. */
void module_init(struct prof *p)
{
	p->module.interval = MODULE_US;
}

/* Whether a name is in the list. */
static bool listed(const struct modules *m, const char *name)
{
	size_t i;

	for (i = 0; i < m->nnames; i += length(m->names + i) + 1) {
		if (same(m->names + i, name))
			return true;
	}
	return false;
}

/* Once on the list is enough. */
bool module_want(struct prof *p, const char *name)
{
	struct modules *m = &p->module;
	size_t n = length(name) + 1;

	if (listed(m, name))
		return true;
	if (n > sizeof(m->names) - m->nnames)
		return false;
	put(m->names + m->nnames, name);
	m->nnames += n;
	return true;
}

/* An empty list stands for everything. */
bool module_wanted(const struct prof *p, const char *name, const char *path)
{
	const struct modules *m = &p->module;

	return m->nnames == 0 || listed(m, name) || listed(m, path);
}

/* The module that is there for that file and text; a file may have got another text since. */
static struct prof_module *find(const struct modules *m, const char *path, uint32_t lo,
				uint32_t size)
{
	struct prof_module *at = m->newest;

	while (at && !(at->lo == lo && at->size == size && same(at->path, path)))
		at = at->older;
	return at;
}

/* Cells for each byte of text: counts, and peaks of memory. */
static uint32_t cells(const struct prof *p, uint32_t size)
{
	return p->module.kind == MODULE_MEMORY ? 2 * size : size;
}

/* The strings stand behind the cells, all in one piece of memory. */
struct prof_module *module_get(struct prof *p, const char *name, const char *path, uint32_t lo,
			       uint32_t size)
{
	struct prof_module *m = find(&p->module, path, lo, size);
	uint32_t n = cells(p, size);
	char *text;

	if (m || size > MAXTEXT)
		return m;
	m = prof_port_alloc(sizeof(*m) + n * sizeof(*m->count) + length(name) + length(path) + 2);
	if (!m)
		return NULL;
	m->lo = lo;
	m->size = size;
	m->peak = n > size ? &m->count[size] : NULL;
	m->name = text = (char *)&m->count[n];
	m->path = text = put(text, name);
	put(text, path);
	m->id = ++p->module.last_id;
	m->older = p->module.newest;
	p->module.newest = m;
	return m;
}

/* Only sampling takes ticks; for coverage, whoever single-steps programs calls module_ran(). */
void module_start(struct prof *p, enum module_kind kind, struct prof_module *kernel)
{
	struct modules *m = &p->module;

	rewind_cpus(m);
	m->kind = kind;
	m->on = true;
	m->kernel = kernel;
	if (kind == MODULE_SAMPLE)
		prof_switch(p, PROF_MODULE, true);
}

/* Ticks are over when it returns, so that modules can be freed. */
void module_stop(struct prof *p)
{
	p->module.on = false;
	prof_switch(p, PROF_MODULE, false);
	prof_port_quiesce();
	p->module.kernel = NULL;
}

/* No tick may see half of the change. */
void module_interval(struct prof *p, uint32_t us)
{
	bool on = prof_wants(p, PROF_MODULE);

	prof_switch(p, PROF_MODULE, false);
	prof_port_quiesce();
	p->module.interval = us;
	rewind_cpus(&p->module);
	prof_switch(p, PROF_MODULE, on);
}

/* Ids are not used again, so that an old one is never taken for another module. */
void module_free(struct prof *p)
{
	struct prof_module *m = p->module.newest, *older;

	p->module.newest = NULL;
	memprof_drop(p);
	for (; m; m = older) {
		older = m->older;
		prof_port_free(m);
	}
}

/* What `end` does. */
void module_forget(struct prof *p)
{
	module_free(p);
	p->module.nnames = 0;
	p->module.kind = MODULE_NONE;
	p->module.interval = MODULE_US;
}

/* CPUs share the cell, which must neither lose a count nor wrap to zero. */
void module_count(struct prof_module *m, uint32_t pc, uint32_t n)
{
	uint32_t now, then, *cell;

	if (pc - m->lo >= m->size)
		return;
	cell = &m->count[pc - m->lo];
	now = prof_load(cell);
	do
		then = n > UINT32_MAX - now ? UINT32_MAX : now + n;
	while (!__atomic_compare_exchange_n(cell, &now, then, true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
}

/* Counts may grow meanwhile, and never become zero again. */
bool module_next(const struct prof_module *m, uint32_t *at, uint32_t *count)
{
	for (; *at < m->size; ++*at) {
		*count = prof_load(&m->count[*at]);
		if (*count)
			return true;
	}
	return false;
}

/* Time passes on every CPU alike, whether what runs there is wanted or not. */
void module_tick(struct prof *p, const struct prof_sample *s)
{
	struct modules *m = &p->module;
	uint32_t n = beat_due(&m->beat[s->cpu], m->interval, prof_load(&m->us));
	struct prof_module *in = s->mode == PROF_USER ? s->module : m->kernel;

	if (n > 0 && in)
		module_count(in, s->at.pc, n);
}
