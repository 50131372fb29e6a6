/* Reading a profile of any kind: see profread.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/bind.h"
#include "tools/profile/profread.h"
#include "tools/profile/programs.h"
#include "tools/slurp.h"

/* The kinds. Those whose content is unmistakable come first. */
static const struct {
	const char *what;
	bool (*is)(const uint8_t *data, size_t n);
	profread_reader *read;
} readers[] = {
	{"gmon.out", profread_is_gmon, profread_gmon},
	{"log of prf", profread_is_prf, profread_prf},
	{"counts of modules", profread_is_modules, profread_modules},
	{"waits", profread_is_waits, profread_waits},
	{"paths of memory", profread_is_memory, profread_memory},
	{"durations of calls", profread_is_calls, profread_calls},
	{"time line", profread_is_trace, profread_trace},
	{"call paths", profread_is_stacks, profread_stacks},
	{"kpdata", profread_is_kpdata, profread_kpdata},
};

#define NREADERS (sizeof(readers) / sizeof(readers[0]))

/* Find the reader by the first bytes of a file. Return its number, or -1 and why. */
static int profread_kind(const uint8_t *head, size_t n, struct complaint *why)
{
	size_t i;

	if (n == 0)
		return complain(why, "truncated: the file is empty");
	for (i = 0; i < NREADERS; i++)
		if (readers[i].is(head, n))
			return (int)i;
	return complain(why, "not a profile: it should be kpdata, gmon.out, kpstack's call paths, "
			"kpwait's waits, kpmem's memory, kptrace's time line, kpcall's "
			"durations, counts of modules (prof -w), or a log of prf");
}

/* Find the reader, and read. */
static int profread_parse(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct complaint what;
	int i = profread_kind(f->data, f->n, why);

	if (i < 0)
		return -1;
	if (readers[i].read(p, f, &what) == 0)
		return 0;
	return complain(why, "%s: %s", readers[i].what, what.text);
}

/* For slurp_judged(). What cannot be read at all, a directory, is told by slurp. */
static int profread_judge(const uint8_t *head, size_t n, struct complaint *why)
{
	if (n > 0 && profread_kind(head, n, why) < 0)
		return -1;
	return 0;
}

int profread_bytes(const char *path, uint8_t **data, size_t *n, struct complaint *why)
{
	return slurp_judged(path, profread_judge, data, n, why);
}

/* Return whose ticks a profile has, as FILE.run calls it. */
static const char *profiler(const struct profdata *p)
{
	static const struct {
		const char *format, *profiler;
	} rows[] = {
		{"gmon.out", "gmon"}, {"kpdata", "kprof"}, {"modules", "prof"},
		{"stacks", "kprof"}, {"trace", "kprof"}, {"waits", "kprof"},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(p->format, rows[i].format) == 0)
			return rows[i].profiler;
	return "any";
}

/* Note which program an image is, unless the profile itself tells, and of what file it came. */
static void note_program(struct profdata_image *image, const struct program *program)
{
	if (!*image->buildid) {
		image->noted = true;
		strcpy(image->buildid, program->id);
	}
	if (program->file)
		image->file = memory_string(program->file, strlen(program->file));
}

/*
 * Take from FILE.run which programs ran, by their names, which is all that call paths tell of them;
 * of those whose builds the profile tells, where their files were.
 */
static void note_programs(struct profdata *p, const char *path)
{
	struct programs programs = {.n = 0};
	const struct program *program;
	struct profdata_image *image;

	programs_beside(&programs, path);
	for (image = p->image; image < p->image + p->nimage; image++) {
		if (image->kernel)
			continue;
		program = programs_find(&programs, image->name, image->buildid);
		if (program)
			note_program(image, program);
	}
	programs_free(&programs);
}

/*
 * Take from FILE.run, of gnomon-run(1), what the data do not tell, such as the kernel's build id.
 * What is of another kernel than the data is another file's.
 */
static void note_run(struct profdata *p, const char *path)
{
	static const struct runinfo nothing;
	struct runinfo run;
	char *id;
	size_t i;

	if (!runinfo_beside(&run, profiler(p), path))
		return;
	if (memcmp(&run, &nothing, sizeof(run)) == 0)
		fprintf(stderr, "%s%s: it does not tell how %s was counted\n", path,
			RUNINFO_SUFFIX, path);
	for (i = 0; i < p->nimage; i++) {
		id = p->image[i].buildid;
		if (!p->image[i].kernel || strlen(run.build) != sizeof(p->image[i].buildid) - 1)
			continue;
		if (*id && strcmp(id, run.build) != 0)
			return;
		strcpy(id, run.build);
	}
	runinfo_complete(&p->run, &run);
	note_programs(p, path);
}

/* Read the bytes of a file, and what stands next to it. */
static int parse_file(struct profdata *p, const char *path, const struct profread_file *f,
		      struct complaint *why)
{
	struct complaint what;

	if (profread_parse(p, f, &what) < 0)
		return complain(why, "%s: %s", path, what.text);
	if (p->unsure)
		fprintf(stderr, "%s: %s\n", path, p->unsure);
	if (p->left_out)
		fprintf(stderr, "%s: %s; left out\n", path, p->left_out);
	note_run(p, path);
	return 0;
}

int profread_data(struct profdata *p, const char *path, const uint8_t *data, size_t n,
		  struct complaint *why)
{
	return parse_file(p, path, &(struct profread_file){.data = data, .n = n}, why);
}

int profread(struct profdata *p, const char *path, struct images *images, struct complaint *why)
{
	struct profread_file f = {.images = images};
	struct complaint what;
	uint8_t *data;
	int bad;

	if (profread_bytes(path, &data, &f.n, why) < 0)
		return -1;
	f.data = data;
	bad = parse_file(p, path, &f, why);
	free(data);
	if (bad || bind_images(p, images, path, &what) == 0)
		return bad;
	profdata_free(p);
	return complain(why, "%s: %s", path, what.text);
}
