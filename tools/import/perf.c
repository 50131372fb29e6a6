/*
 * What perf script prints: a line for each sample, then its path, the innermost step first, and an
 * empty line.
 *
 *	sh  3/3  [000]  1.234500:  250000 cycles:
 *		ffffffff81000075 schedule+0x35 ([kernel.kallsyms])
 *		          400010 main+0x10 (/bin/sh)
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "tools/import/import.h"
#include "tools/profile/textline.h"

/* A part of a line. */
struct word {
	const char *at, *end;
};

/* A sample being read. */
struct sample {
	bool open;	/* its line was read, and no empty one after it */
	struct word process;
	uint64_t period;
	struct word *step; /* the innermost first */
	bool *kernel;
	size_t n, room_step, room_kernel;
};

/* Find the next word from `at` on; an empty one is at the end. */
static struct word next_word(const char *at, const char *end)
{
	struct word w = {at, at};

	while (w.at < end && isspace((unsigned char)*w.at))
		w.at++;
	w.end = w.at;
	while (w.end < end && !isspace((unsigned char)*w.end))
		w.end++;
	return w;
}

/*
 * Return whether a word is a number, or two with a slash between them: a process and a thread. One
 * that has ended may have the number -1.
 */
static bool is_pid(struct word w)
{
	uint64_t n;

	if (textline_starts(w.at, (size_t)(w.end - w.at), "-"))
		w.at++;
	if (!textline_number(&w.at, w.end, 10, UINT64_MAX, &n))
		return false;
	if (textline_starts(w.at, (size_t)(w.end - w.at), "/")) {
		w.at++;
		if (!textline_number(&w.at, w.end, 10, UINT64_MAX, &n))
			return false;
	}
	return w.at == w.end;
}

/* Return whether a word is a time: 1.234500: */
static bool is_time(struct word w)
{
	uint64_t n;

	if (!textline_number(&w.at, w.end, 10, UINT64_MAX, &n))
		return false;
	if (!textline_starts(w.at, (size_t)(w.end - w.at), "."))
		return false;
	w.at++;
	if (!textline_number(&w.at, w.end, 10, UINT64_MAX, &n))
		return false;
	return textline_is(w.at, (size_t)(w.end - w.at), ":");
}

/* Take the period after a time, which perf may leave out, and the event. Return where that ends. */
static const char *take_event(const char *at, const char *end, uint64_t *period)
{
	struct word w = next_word(at, end);
	const char *digits = w.at;
	uint64_t n;

	*period = 1;
	if (textline_number(&digits, w.end, 10, UINT64_MAX, &n) && digits == w.end) {
		*period = n;
		w = next_word(w.end, end);
	}
	return w.end;
}

/*
 * Read the line of a sample; false: it is none. The process's name may have blanks. Where no path
 * was recorded, its only step follows at *rest.
 */
static bool take_head(struct sample *s, const char *line, const char *end, const char **rest)
{
	struct word first = next_word(line, end), pid = first, w;

	if (first.at != line)
		return false;
	for (pid = next_word(first.end, end); pid.at < pid.end; pid = next_word(pid.end, end)) {
		if (!is_pid(pid))
			continue;
		w = next_word(pid.end, end);
		if (textline_starts(w.at, (size_t)(w.end - w.at), "["))
			w = next_word(w.end, end);
		if (!is_time(w))
			continue;
		*rest = take_event(w.end, end, &s->period);
		s->process.at = line;
		for (s->process.end = pid.at; isspace((unsigned char)s->process.end[-1]);)
			s->process.end--;
		return true;
	}
	return false;
}

bool import_is_perf(const char *line, size_t n)
{
	struct sample s = {.n = 0};
	const char *rest;

	return take_head(&s, line, line + n, &rest);
}

/* Return whether code is the kernel's by its file: [kernel.kallsyms], a module; not [vdso]. */
static bool is_kernel(struct word file)
{
	static const char *const program[] = {
		"[unknown]", "[vdso]", "[vsyscall]", "[heap]", "[stack]",
	};
	size_t i, n = (size_t)(file.end - file.at);

	for (i = 0; i < sizeof(program) / sizeof(program[0]); i++)
		if (textline_is(file.at, n, program[i]))
			return false;
	return textline_starts(file.at, n, "[");
}

/* Cut off the offset in a function: +0x10. */
static const char *without_offset(struct word name)
{
	const char *plus = memrchr(name.at, '+', (size_t)(name.end - name.at));

	if (plus && textline_starts(plus, (size_t)(name.end - plus), "+0x"))
		return plus;
	return name.end;
}

/* Return what stands for a function whose name is not known: its file, without the folders. */
static struct word name_of(struct word name, struct word file)
{
	const char *slash = memrchr(file.at, '/', (size_t)(file.end - file.at));

	if (slash && textline_is(name.at, (size_t)(name.end - name.at), "[unknown]"))
		return (struct word){slash + 1, file.end};
	return name;
}

/* Read a step: "ADDRESS FUNCTION+OFFSET (FILE)", or "FUNCTION (inlined)" after its address. */
static bool take_step(struct sample *s, const char *line, const char *end)
{
	struct word pc = next_word(line, end), name, file = {end, end};
	uint64_t address;

	if (pc.at == line)
		return false;
	if (!textline_number(&pc.at, pc.end, 16, UINT64_MAX, &address))
		return false;
	if (pc.at < pc.end)
		return false;
	name.at = next_word(pc.end, end).at;
	name.end = end;
	if (name.at < end && end[-1] == ')') {
		for (file.at = end - 1; file.at > name.at && *file.at != '('; file.at--)
			;
		name.end = file.at;
		file.at++;
		file.end = end - 1;
	}
	while (name.end > name.at && isspace((unsigned char)name.end[-1]))
		name.end--;
	if (name.at == name.end)
		return false;
	name.end = without_offset(name);
	name = name_of(name, file);
	s->step = memory_grow(s->step, &s->room_step, s->n + 1, sizeof(*s->step));
	s->kernel = memory_grow(s->kernel, &s->room_kernel, s->n + 1, sizeof(*s->kernel));
	s->step[s->n] = name;
	s->kernel[s->n++] = is_kernel(file);
	return true;
}

/* Count a sample that ends. */
static int end_sample(struct import *im, struct sample *s, struct complaint *why)
{
	const struct word *process = &s->process, *step;
	uint64_t count = 1;

	if (!s->open)
		return 0;
	import_begin(im, import_program(im, process->at, (size_t)(process->end - process->at)));
	for (; s->n > 0; s->n--) {
		step = &s->step[s->n - 1];
		import_step(im, import_name(im, step->at, (size_t)(step->end - step->at)),
			    s->kernel[s->n - 1]);
	}
	if (im->periods)
		count = s->period;
	s->open = false;
	return import_count(im, count, why);
}

static int take_line(struct import *im, struct sample *s, const struct textline *t,
		     struct complaint *why)
{
	const char *end = t->line + t->n, *rest;

	if (textline_begins(t, "#"))
		return 0;
	if (next_word(t->line, end).at == end)
		return end_sample(im, s, why);
	if (s->open && take_step(s, t->line, end))
		return 0;
	if (end_sample(im, s, why) < 0)
		return -1;
	s->open = take_head(s, t->line, end, &rest);
	if (!s->open)
		return textline_expected(t, "a sample of perf script, or a step of one", why);
	take_step(s, rest, end);
	return 0;
}

int import_perf(struct import *im, const char *text, size_t n, struct complaint *why)
{
	struct sample s = {.n = 0};
	struct textline t;
	int bad = 0;

	textline_init(&t, text, n);
	while (!bad && textline_next(&t))
		bad = take_line(im, &s, &t, why);
	if (!bad)
		bad = end_sample(im, &s, why);
	free(s.step);
	free(s.kernel);
	return bad;
}
