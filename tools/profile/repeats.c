/* Several runs as one profile: see repeats.h. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/profile/profread.h"
#include "tools/profile/repeats.h"
#include "tools/slurp.h"

/* Paths, each of which is the caller's to free. */
struct paths {
	char **path;
	size_t n, room;
};

/* Append a path. */
static void repeats_append(struct paths *p, char *path)
{
	p->path = memory_grow(p->path, &p->room, p->n + 1, sizeof(*p->path));
	p->path[p->n++] = path;
}

/* Free the paths. */
static void paths_free(struct paths *p)
{
	while (p->n > 0)
		free(p->path[--p->n]);
	free(p->path);
}

/* For qsort: by name, but a shorter number first. */
static int compare_paths(const void *va, const void *vb)
{
	const char *a = *(char *const *)va, *b = *(char *const *)vb;
	size_t na = strlen(a), nb = strlen(b);

	if (na != nb)
		return order(na, nb);
	return strcmp(a, b);
}

/* List what a folder has whose names are wanted, in order. */
static void repeats_list(struct paths *p, const char *dir, bool (*wanted)(const char *name))
{
	DIR *d = opendir(dir);
	struct dirent *e;

	if (!d)
		return;
	while ((e = readdir(d)) != NULL)
		if (wanted(e->d_name))
			repeats_append(p, memory_format("%s/%s", dir, e->d_name));
	closedir(d);
	if (p->n)
		qsort(p->path, p->n, sizeof(*p->path), compare_paths);
}

/* Return whether a name is a run's. */
static bool is_run(const char *name)
{
	return *name && !name[strspn(name, "0123456789")];
}

/* Return whether a name may be a profile's; what tells about one is not. */
static bool is_data(const char *name)
{
	size_t n = strlen(name), suffix = strlen(RUNINFO_SUFFIX);

	if (*name == '.')
		return false;
	return n < suffix || strcmp(name + n - suffix, RUNINFO_SUFFIX) != 0;
}

/* Return the name of the one profile in a run's folder; NULL and why: there is none, or several. */
static char *only_profile(const char *dir, const char *path, struct complaint *why)
{
	struct complaint none;
	struct paths all = {.n = 0};
	char *found = NULL;
	uint8_t *data;
	size_t i, n;

	repeats_list(&all, dir, is_data);
	for (i = 0; i < all.n; i++) {
		const char *name = strrchr(all.path[i], '/') + 1;

		if (!slurp_has(all.path[i]))
			continue;
		if (profread_bytes(all.path[i], &data, &n, &none) < 0)
			continue;
		free(data);
		if (found) {
			complain(why, "%s: its runs have %s and %s: name one of them, as in %s/%s",
				 path, found, name, path, name);
			free(found);
			paths_free(&all);
			return NULL;
		}
		found = memory_string(name, strlen(name));
	}
	paths_free(&all);
	if (!found)
		complain(why, "%s: there is no profile in it", dir);
	return found;
}

/* Append DIR/NAME for each folder of a run. */
static void append_all(struct paths *file, const struct paths *dir, const char *name)
{
	size_t i;

	for (i = 0; i < dir->n; i++)
		repeats_append(file, memory_format("%s/%s", dir->path[i], name));
}

/* Find the one profile that each run in a folder has. 0, or -1 and why. */
static int find_in_folder(struct paths *file, const char *path, struct complaint *why)
{
	struct paths dir = {.n = 0};
	char *name = NULL;

	repeats_list(&dir, path, is_run);
	if (dir.n > 0)
		name = only_profile(dir.path[0], path, why);
	else
		complain(why, "%s: a folder without runs, which `gnomon run --repeat' makes: "
			 "%s/1, %s/2 ...", path, path, path);
	if (name)
		append_all(file, &dir, name);
	paths_free(&dir);
	free(name);
	if (file->n == 0)
		return -1;
	return 0;
}

/* Find the files of that name in the folders of runs, which are where it would be. */
static void find_by_name(struct paths *file, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = path;
	char *base = memory_string(".", 1);
	struct paths dir = {.n = 0};

	if (slash) {
		free(base);
		base = memory_string(path, slash - path);
		name = slash + 1;
	}
	repeats_list(&dir, base, is_run);
	append_all(file, &dir, name);
	paths_free(&dir);
	free(base);
}

/*
 * Find the file of each run; none: the path is a plain file's. A path that is nothing yet is one
 * folder short of the file's: out/gmon.out of out/1/gmon.out. 0, or -1 and why.
 */
static int find_runs(struct paths *file, const char *path, struct complaint *why)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return 0;
	if (stat(path, &st) < 0)
		find_by_name(file, path);
	else if (S_ISDIR(st.st_mode))
		return find_in_folder(file, path, why);
	return 0;
}

/* Return whether a file holds just these bytes. */
static bool repeats_hold(const char *path, const uint8_t *data, size_t n)
{
	struct complaint none;
	uint8_t *other;
	size_t other_n;
	bool same;

	if (slurp(path, &other, &other_n, &none) < 0)
		return false;
	same = other_n == n && memcmp(other, data, n) == 0;
	free(other);
	return same;
}

/* Return whether all files are the same. Two are in memory at a time: profiles may be large. */
static bool repeats_alike(const struct paths *file)
{
	struct complaint none;
	uint8_t *data = NULL;
	size_t n, i;
	bool same = slurp(file->path[0], &data, &n, &none) == 0;

	for (i = 1; i < file->n && same; i++)
		same = repeats_hold(file->path[i], data, n);
	free(data);
	return same;
}

/* Add the images of a run to the sum. Return the number that each has there. */
static uint32_t *join_images(struct profdata *sum, const struct profdata *p)
{
	uint32_t *number = memory_zeroed(p->nimage, sizeof(*number));
	struct profdata_image *to;
	size_t i;

	for (i = 0; i < p->nimage; i++) {
		const struct profdata_image *from = &p->image[i];

		number[i] = profdata_image(sum, from->name, from->path, from->buildid,
					   from->kernel);
		to = &sum->image[number[i]];
		to->text_size = from->text_size;
		to->text_slack = from->text_slack;
		to->told |= from->told;
		if (!to->elf)
			to->elf = from->elf;
	}
	return number;
}

/* Add the measured calls of a run to the sum. */
static void join_calls(struct calls *sum, const struct calls *c, const uint32_t *number)
{
	size_t i;

	if (!sum->per_ms)
		sum->per_ms = c->per_ms;
	sum->cost = order_max(sum->cost, c->cost);
	for (i = 0; i < c->ncpu; i++)
		calls_append_cpu(sum, i, &c->cpu[i]);
	for (i = 0; i < c->n; i++) {
		struct calls_pair pair = c->pair[i];

		pair.image = number[pair.image];
		calls_append(sum, &pair);
	}
}

/* Add a run's samples and arcs to the sum. */
static void repeats_join(struct profdata *sum, const struct profdata *p)
{
	uint32_t *number = join_images(sum, p);
	struct profdata_frame *frame = NULL;
	const struct profdata_sample *s;
	struct profdata_sample like;
	struct profdata_arc arc;
	size_t room = 0, i;

	for (s = p->sample; s < p->sample + p->nsample; s++) {
		frame = memory_grow(frame, &room, s->depth + 1u, sizeof(*frame));
		for (i = 0; i < s->depth; i++) {
			frame[i] = p->frame[profdata_path(p, s)[i]];
			if (frame[i].image != PROFDATA_NONE)
				frame[i].image = number[frame[i].image];
		}
		like = *s;
		if (s->process != PROFDATA_NONE)
			like.process = profdata_name(sum, p->name[s->process],
						     strlen(p->name[s->process]));
		profdata_add(sum, &like, frame, s->depth);
	}
	for (i = 0; i < p->narc; i++) {
		arc = p->arc[i];
		arc.image = number[arc.image];
		profdata_add_arc(sum, &arc);
	}
	join_calls(&sum->timed, &p->timed, number);
	sum->calls += p->calls;
	free(frame);
	free(number);
}

/* Begin the sum with what the first run has in common with the others. */
static void repeats_begin(struct profdata *sum, const struct profdata *first)
{
	profdata_init(sum, first->format, first->unit);
	sum->width = first->width;
	sum->us = first->us;
	sum->run = first->run;
	sum->has_modes = first->has_modes;
	sum->kernel_only = first->kernel_only;
}

/* Check that a run is like the first one, and add it to the sum. */
static int add_run(struct profdata *sum, const struct profdata *p, const char *path,
		   struct complaint *why)
{
	bool alike = strcmp(p->format, sum->format) == 0 && p->unit == sum->unit;

	if (!alike || !profdata_same_tick(p->unit, p->us, sum->us))
		return complain(why, "%s: it is not like the runs before it: another kind, or "
				"ticks of another length", path);
	repeats_join(sum, p);
	return 0;
}

/* Read the runs, and add them up. On failure nothing is left of them. */
static int read_runs(struct repeats *r, struct profdata *sum, const struct selection *s,
		     const struct paths *file, struct images *images, struct complaint *why)
{
	struct profdata *p;
	int bad = 0;

	r->run = memory_zeroed(file->n, sizeof(*r->run));
	for (r->n = 0; r->n < file->n && !bad;) {
		p = &r->run[r->n];
		bad = selection_read(s, p, file->path[r->n], images, why);
		if (bad)
			break;
		if (r->n == 0)
			repeats_begin(sum, p);
		else
			runinfo_add(&sum->run, &p->run);
		bad = add_run(sum, p, file->path[r->n++], why);
	}
	if (!bad)
		return 0;
	if (r->n > 0)
		profdata_free(sum);
	repeats_free(r);
	return -1;
}

int repeats_read(struct repeats *r, struct profdata *sum, const struct selection *s,
		 const char *path, struct images *images, struct complaint *why)
{
	struct paths file = {.n = 0};
	int bad;

	*r = (struct repeats){.n = 1};
	if (find_runs(&file, path, why) < 0)
		return -1;
	if (file.n == 0)
		return selection_read(s, sum, path, images, why);
	if (file.n > 1 && repeats_alike(&file))
		r->same = file.n;
	if (file.n == 1 || r->same)
		bad = selection_read(s, sum, file.path[0], images, why);
	else
		bad = read_runs(r, sum, s, &file, images, why);
	paths_free(&file);
	return bad;
}

void repeats_free(struct repeats *r)
{
	size_t i, n = r->n;

	if (!r->run)
		n = 0;
	for (i = 0; i < n; i++)
		profdata_free(&r->run[i]);
	free(r->run);
	*r = (struct repeats){.n = 1};
}

int repeats_compare(const struct repeats_row *a, const struct repeats_row *b)
{
	int d = strcmp(a->module, b->module);

	if (d == 0)
		d = strcmp(a->name, b->name);
	if (d == 0)
		d = a->inlined - b->inlined;
	return d;
}

/* For bsearch. */
static int compare_rows(const void *a, const void *b)
{
	return repeats_compare(a, b);
}

/* Add to the count of a run, which is the last that the row has, or the next. */
static void add_count(struct repeats_row *row, size_t run, uint64_t count)
{
	if (count == 0)
		return;
	if (row->n == 0 || row->in[row->n - 1].run != run) {
		row->in = memory_grow(row->in, &row->room, row->n + 1, sizeof(*row->in));
		row->in[row->n++] = (struct repeats_count){.run = run};
	}
	row->in[row->n - 1].count += (double)count;
}

void repeats_counts(struct repeats_row *row, size_t n, size_t i, const struct functions *f,
		    bool all)
{
	struct repeats_row key, *found;
	const struct function *fn;

	for (fn = f->function; fn < f->function + f->n; fn++) {
		key.module = profdata_image_name(f->prof, fn->image);
		key.name = fn->name;
		key.inlined = fn->inlined;
		found = bsearch(&key, row, n, sizeof(*row), compare_rows);
		if (!found)
			continue;
		if (all)
			add_count(found, i, fn->all);
		else
			add_count(found, i, fn->self);
	}
}

struct repeats_spread repeats_spread(const double *value, size_t n, size_t all)
{
	struct repeats_spread s = {.mean = 0};
	size_t i;

	for (i = 0; i < n; i++)
		s.mean += value[i] / all;
	if (all < 2)
		return s;
	s.variance = (all - n) * s.mean * s.mean / (all - 1);
	for (i = 0; i < n; i++)
		s.variance += (value[i] - s.mean) * (value[i] - s.mean) / (all - 1);
	return s;
}
