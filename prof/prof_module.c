/*
 * Modules: the kernel and the programs, and how often each instruction of theirs was
 * found running. A module's cells are made in thread context, before anything is counted
 * in them; ticks of all CPUs share them.
 */
#include "prof/prof_hooks.h"

#define SEED 2000u	    /* of CPU 0 */
#define MAXTEXT (16u << 20) /* bytes of a module that is counted */
#define MOST 1024u	    /* modules: many small ones would take whoever lists them long */

/* Return whether two strings are equal. */
static bool module_same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/* Return a string's length without its NUL. */
static size_t module_strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

/* Copy a string with its NUL, and return where the copy ends. */
static char *module_strcpy(char *to, const char *s)
{
	do
		*to++ = *s;
	while (*s++);
	return to;
}

/* Have every CPU's samples come once in each interval. No tick is under way. */
static void module_set_beats(struct prof_modules *m)
{
	for (unsigned cpu = 0; cpu < PROF_MAXCPU; cpu++)
		prof_beat_begin(&m->beat[cpu], m->interval, SEED + cpu);
}

/* Set what does not begin as zero. */
void prof_module_init(struct prof *p, size_t room)
{
	p->module.interval = PROF_MODULE_US;
	p->module.room = room;
}

/* Return whether a name is in the list. */
static bool module_listed(const struct prof_modules *m, const char *name)
{
	for (size_t i = 0; i < m->nnames; i += module_strlen(m->names + i) + 1)
		if (module_same(m->names + i, name))
			return true;
	return false;
}

/* Put a name on the list once. */
bool prof_module_want(struct prof *p, const char *name)
{
	struct prof_modules *m = &p->module;
	size_t n = module_strlen(name) + 1;

	if (module_listed(m, name))
		return true;
	if (!m->names)
		m->names = prof_hook_alloc(PROF_MODULE_NAMES);
	if (!m->names || n > PROF_MODULE_NAMES - m->nnames)
		return false;
	module_strcpy(m->names + m->nnames, name);
	m->nnames += n;
	return true;
}

/* Take an empty list for a list of everything. */
bool prof_module_wanted(const struct prof *p, const char *name, const char *path)
{
	const struct prof_modules *m = &p->module;

	return m->nnames == 0 || module_listed(m, name) || module_listed(m, path);
}

/* Whatever path leads to it now. */
struct prof_module *prof_module_find(const struct prof *p, const struct prof_module_text *t)
{
	for (struct prof_module *at = p->module.newest; at; at = at->older) {
		const struct prof_module_file *file = &at->file;
		bool same = at->lo == t->lo && at->size == t->size;

		same &= file->device == t->file.device;
		same &= file->number == t->file.number;
		same &= file->version == t->file.version;
		same &= at->others == t->others;
		if (same)
			return at;
	}
	return NULL;
}

/* Note that there is no room for a module of that name. */
static void module_leave_out(struct prof_modules *m, const char *name)
{
	size_t i;

	m->nleft = prof_add(m->nleft, 1);
	for (i = 0; i + 1 < sizeof(m->left) && name[i]; i++)
		m->left[i] = name[i];
	m->left[i] = 0;
}

/* Return memory within the room for a module, its counts and its strings, or NULL. */
static struct prof_module *module_make(struct prof_modules *m, const struct prof_module_text *t)
{
	size_t strings = module_strlen(t->name) + module_strlen(t->path) + 2;
	size_t n = sizeof(struct prof_module) + t->size * sizeof(uint32_t) + strings;
	size_t charge = m->room / MOST;
	struct prof_module *new = NULL;

	if (charge < n)
		charge = n;
	if (charge <= m->room - m->used && (!t->others || m->others + charge <= m->room / 2))
		new = prof_hook_alloc(n);
	if (!new)
		return NULL;
	m->used += charge;
	if (t->others)
		m->others += charge;
	return new;
}

/* Put the counts and the strings in one piece of memory. */
struct prof_module *prof_module_get(struct prof *p, const struct prof_module_text *t)
{
	struct prof_modules *all = &p->module;
	struct prof_module *m = prof_module_find(p, t);
	char *text;

	if (m)
		return m;
	if (t->size <= MAXTEXT)
		m = module_make(all, t);
	if (!m) {
		module_leave_out(all, t->name);
		return NULL;
	}
	m->lo = t->lo;
	m->size = t->size;
	m->file = t->file;
	m->others = t->others;
	m->name = text = (char *)&m->count[t->size];
	m->path = text = module_strcpy(text, t->name);
	module_strcpy(text, t->path);
	m->id = ++all->last_id;
	m->older = all->newest;
	all->newest = m;
	return m;
}

/*
 * Ask for ticks only to sample: for coverage, what single-steps programs calls
 * prof_module_ran().
 */
void prof_module_start(struct prof *p, enum prof_module_kind kind, struct prof_module *kernel)
{
	struct prof_modules *m = &p->module;

	module_set_beats(m);
	m->kind = kind;
	m->on = true;
	m->kernel = kernel;
	if (kind == PROF_MODULE_SAMPLE)
		prof_switch(p, PROF_MODULE, true);
}

/* Return when no tick is under way, so that modules can be freed. */
void prof_module_stop(struct prof *p)
{
	p->module.on = false;
	prof_pause(p, PROF_MODULE);
	p->module.kernel = NULL;
}

/* Let no tick see half of the change. */
void prof_module_interval(struct prof *p, uint32_t us)
{
	bool on = prof_pause(p, PROF_MODULE);

	p->module.interval = us;
	module_set_beats(&p->module);
	prof_switch(p, PROF_MODULE, on);
}

/* Do not use ids again, so that an old one is never taken for another module. */
void prof_module_free(struct prof *p)
{
	struct prof_module *m = p->module.newest, *older;

	p->module.newest = NULL;
	p->module.used = p->module.others = 0;
	p->module.nleft = 0;
	if (PROF_HAVE_MEMPROF)
		prof_memprof_drop(p);
	for (; m; m = older) {
		older = m->older;
		prof_hook_free(m);
	}
}

/* Do what the control word `end` asks for. */
void prof_module_forget(struct prof *p)
{
	prof_module_free(p);
	p->module.nnames = 0;
	prof_hook_free(p->module.names);
	p->module.names = NULL;
	p->module.kind = PROF_MODULE_NONE;
	p->module.interval = PROF_MODULE_US;
}

/* Neither lose a count nor wrap to zero, though CPUs share the cell. */
void prof_module_count(struct prof_module *m, prof_addr pc, uint32_t n)
{
	if (pc - m->lo >= m->size)
		return;
	uint32_t *cell = &m->count[pc - m->lo], now = prof_load(cell);
	while (!__atomic_compare_exchange_n(cell, &now, prof_add(now, n), true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		;
}

/*
 * Return whether the 32 cells from here on are zero, as nearly all are. These loads are not atomic,
 * which the compiler could not make one instruction of with what is done to their values: a count
 * that comes just now is found or not, as it would be before or after.
 */
static inline bool module_zeros(const uint32_t *cell)
{
	uint32_t any = 0;

#pragma GCC unroll 32
	for (unsigned i = 0; i < 32; i++)
		any |= cell[i];
	return !any;
}

/* Counts may grow meanwhile, and never become zero again. */
bool prof_module_next(const struct prof_module *m, uint32_t *at, uint32_t *n)
{
	uint32_t i = *at;

	while (i + 32 <= m->size && module_zeros(&m->count[i]))
		i += 32;
	while (i < m->size && prof_load(&m->count[i]) == 0)
		i++;
	*at = i;
	if (i >= m->size)
		return false;
	*n = prof_load(&m->count[i]);
	return true;
}

/* Let time pass on every CPU alike, whether what runs there is wanted or not. */
void prof_module_tick(struct prof *p, const struct prof_sample *s)
{
	struct prof_modules *m = &p->module;
	uint32_t n = prof_beat_due(&m->beat[s->cpu], prof_load(&p->us));
	struct prof_module *in = m->kernel;

	if (s->what == PROF_USER)
		in = s->module;
	if (n > 0 && in)
		prof_module_count(in, s->at.pc, n);
}
