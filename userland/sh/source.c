/* Where commands come from: a string, a file, standard input, or the console. */
#include "userland/sh/sh.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EI_CLASS 4 /* in an ELF file: where its word size is told */
#define CLASS32 1

/* Make a source with nothing in it. */
static void source_clear(struct source *in, const char *name)
{
	*in = (struct source){.name = name, .line = 1, .mem = &sh.mem};
}

/* Read the n characters at s, which are copied. The name must stay. */
void source_string(struct source *in, const char *name, const char *s, size_t n)
{
	source_clear(in, name);
	text_put(&in->text, s, n);
}

/* Return what a file with a NUL is, which is no script: it may be another machine's program. */
const char *source_kind(const char *path)
{
	char head[EI_CLASS + 1] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, head, sizeof(head));

	close(fd);
	if (n < EI_CLASS + 1 || memcmp(head, "\177ELF", EI_CLASS) != 0)
		return "not a script";
	return head[EI_CLASS] == CLASS32 ? "not a program for this machine" :
					   "a program of 64 bits; this machine runs those of 32";
}

/*
 * Read a file, whole, so that changing it while it runs does no harm. Return false with
 * errno, which is ENOEXEC if it has a NUL and so is not text.
 */
bool source_file(struct source *in, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), e;
	bool ok;

	if (fd < 0)
		return false;
	source_clear(in, path);
	ok = text_read(&in->text, fd);
	e = errno;
	if (ok && in->text.len > 0 && memchr(in->text.text, 0, in->text.len)) {
		ok = false;
		e = ENOEXEC;
	}
	close(fd);
	errno = e;
	if (!ok)
		source_close(in);
	return ok;
}

/*
 * Read a line of standard input byte by byte, because what follows it is for the commands to
 * read.
 */
static bool more_stdin(struct source *in)
{
	size_t before = in->text.len;
	char c;
	ssize_t n;

	do {
		n = read(0, &c, 1);
		if (n == 1)
			text_char(&in->text, c);
	} while (n == 1 && c != '\n');
	return in->text.len > before;
}

/* Read standard input that is not a console. */
void source_stdin(struct source *in)
{
	source_clear(in, "stdin");
	in->more = more_stdin;
}

/* Return the first or the second word of $prompt. */
static const char *prompt(bool second)
{
	struct list *l = var_get(&sh.mem, "prompt");

	if (second && l)
		l = l->next;
	return l ? l->s : "";
}

/* Put the line before in the place of !! at the beginning of one, and show what that makes. */
static void repeat(struct text *line)
{
	const char *before = history_line(0);
	struct text whole = {NULL, 0, 0};

	if (line->len < 2 || !before || strncmp(line->text, "!!", 2) != 0)
		return;
	text_add(&whole, before);
	text_put(&whole, line->text + 2, line->len - 2);
	free(line->text);
	*line = whole;
	console_write(line->text, line->len);
	console_write("\r\n", 2);
}

/* Read a line that a person types. ^C drops an unfinished command, and so does ^D. */
static bool more_console(struct source *in)
{
	struct text line = {NULL, 0, 0};
	enum edit_result got = edit_line(prompt(in->inside), &line);

	if (got == EDIT_LINE) {
		repeat(&line);
		if (line.len > 0)
			history_add(line.text);
		text_put(&in->text, line.text, line.len);
		text_char(&in->text, '\n');
	} else if (got == EDIT_BREAK || in->inside) {
		in->failed = true;
	}
	free(line.text);
	return got == EDIT_LINE;
}

/* Read the console, with prompts and line editing. */
void source_console(struct source *in)
{
	source_clear(in, NULL);
	in->more = more_console;
	in->console = true;
}

/* Free the text. */
void source_close(struct source *in)
{
	free(in->text.text);
	in->text = (struct text){NULL, 0, 0};
}

/*
 * Prepare for the next command: drop the lines that were used, and what is left after a
 * mistake.
 */
static void source_next(struct source *in)
{
	size_t rest = in->text.len - in->at;

	in->inside = false;
	if (in->failed)
		rest = 0;
	in->failed = false;
	in->depth = 0;
	in->heres = NULL;
	if (!in->more)
		return;
	if (rest > 0)
		memmove(in->text.text, in->text.text + in->at, rest + 1); /* with its NUL */
	in->text.len = rest;
	in->at = 0;
}

/*
 * Read and run one command, and release its memory. Return false if nothing more shall be
 * read: a mistake ends a script, but not a person's session.
 */
static bool run_next(struct source *in)
{
	struct mark m = arena_mark(&sh.mem);
	struct node *n;

	source_next(in);
	n = parse_line(in);
	if (n && !in->failed && !sh.opt_n)
		run(n, 0);
	arena_release(&sh.mem, m);
	if (!in->console)
		return !in->failed && !in->ended && sh.flow == FLOW_ON;
	if (sh.flow == FLOW_INTERRUPT)
		console_write("\n", 1); /* the command may have left half a line */
	if (sh.flow != FLOW_EXIT)
		sh.flow = FLOW_ON;
	job_reap();
	job_prompt();
	return !in->ended && sh.flow == FLOW_ON;
}

/* Read and run commands until the end, a mistake in them, or a command that ends them. */
int run_source(struct source *in)
{
	const char *file = sh.file;
	int line = sh.line;

	sh.file = in->name;
	while (run_next(in))
		;
	sh.file = file;
	sh.line = line;
	return sh.status;
}

/* Run the n characters at s as commands in the caller's surroundings. */
int run_text(const char *name, const char *s, size_t n)
{
	struct source in;
	int status;

	source_string(&in, name, s, n);
	status = run_source(&in);
	source_close(&in);
	return status;
}
