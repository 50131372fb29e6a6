/*
 * flame: draws the paths of calls that ticks of the kernel's profiling clock met, or on which
 * processes waited or allocated memory, as text: a flame graph upside down, whose root is the first
 * line. Paths are those of kpstack(5), of kpwait(5), where a microsecond takes the place of a tick,
 * and of kpmem(5), where a byte does.
 */
#include <err.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "userland/command/memory.h"
#include "userland/command/number.h"
#include "userland/command/run.h"
#include "userland/command/usage.h"
#include "userland/files/whole.h"
#include "userland/profile/loss.h"
#include "userland/profile/symtab.h"
#include "userland/text/pager.h"
#include "userland/text/terminal.h"

#define CTL "/dev/kpctl"
#define KERNEL "/boot/gnomon"
#define PROGRAMS "/bin/"
#define KERNBASE 0xc0000000u
#define ROWS 80	      /* of the drawing; what is called deeper is left out */
#define WIDTH_MIN 20  /* columns */
#define WIDTH_MAX 400

/* A frame, reached by one path from the root. Its ticks are those of all paths through it. */
struct node {
	const char *name;
	uint64_t ticks;
	struct node *child, *next; /* siblings: the one with the most ticks first, once sorted */
};

/* A kernel or program that was read for its functions. It has none if it could not be read. */
struct image {
	char *name;
	struct symtab symbols;
	struct image *next;
};

static struct node root = {.name = "all"};
static struct image *images;
static const char *kernel = KERNEL;
static char build[SYMTAB_ID + 1]; /* the build id of the paths' kernel; empty: not told */
static uint64_t period_us;	  /* of a tick; 0 before the last line tells it */
static uint64_t times;		  /* how many waits there were, or blocks of memory */

/*
 * What is counted: where, how it is switched, what its last line begins with, before a number, and
 * why there may be none.
 */
enum { TICKS, WAITS, MEMORY, NKINDS };
static const struct {
	const char *file, *ctl, *on, *off, *last, *unit, *lacks;
} kinds[NKINDS] = {
	[TICKS] = {"/dev/kpstack", CTL, "stacks on", "stacks off", "# period_us=", "ticks",
		   "no tick, no \"stacks on\""},
	[WAITS] = {"/dev/kpwait", CTL, "waits on", "waits off", "# unit=us waits=", "waits",
		   "no wait, no \"waits on\""},
	[MEMORY] = {"/dev/kpmem", "/prof/ctl", "startmp paths", "end",
		    "# unit=bytes blocks=", "blocks", "no memory, no \"startmp paths\""},
};
static int kind; /* of the paths */
static struct loss loss;	  /* what the paths do not show */
static char row[ROWS][WIDTH_MAX + 2];
static uint64_t width; /* 0: what the terminal has */
static char drawing[(ROWS + 3) * (WIDTH_MAX + 2)];
static size_t drawn;

/* With a command, it is run while paths are kept; without, the paths there are are drawn. */
static const char synopsis[] =
	"flame [-M | -W] [-k kernel] [-o file] [-w width] command [argument ...]\n"
	"       flame [-M | -W] [-f file] [-k kernel] [-w width]";

/* Return whether the file is there and an ELF file: a script has no symbols. */
static bool is_elf(const char *path)
{
	char magic[4] = "";
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		return false;
	if (read(fd, magic, sizeof(magic)) < 0)
		magic[0] = 0;
	close(fd);
	return memcmp(magic, "\177ELF", sizeof(magic)) == 0;
}

/*
 * Return the image of the program with that name, or the kernel's when it is NULL. It is read
 * when it is first asked for. Programs are looked for in /bin alone: a path tells only their name.
 */
static struct image *image_of(const char *name)
{
	const char *label = name ? name : "";
	struct image *m = images;
	char path[64];

	while (m && strcmp(m->name, label) != 0)
		m = m->next;
	if (m)
		return m;
	m = memory(calloc(1, sizeof(*m)));
	m->name = memory(strdup(label));
	m->next = images;
	images = m;
	/* A process may have any name, a path among them; such a one is no program's in /bin. */
	snprintf(path, sizeof(path), PROGRAMS "%s", label);
	if (!name)
		symtab_read(&m->symbols, kernel);
	else if (!strchr(name, '/') && is_elf(path))
		symtab_read(&m->symbols, path);
	if (!name && *build && strcmp(build, m->symbols.buildid) != 0)
		errx(1, "%s: not the kernel that the paths are of", kernel);
	return m;
}

/*
 * Return the name of the function that a frame, such as 0xc0100000, is in, or the frame as it is.
 * In all frames but the last the address is where a call returns to. That may be the beginning of
 * the next function, so the byte before it is what counts.
 */
static const char *function(const char *program, const char *frame, bool last)
{
	uint32_t at = (uint32_t)strtoul(frame, NULL, 16);
	struct image *m = image_of(at >= KERNBASE ? NULL : program);
	const struct symtab_function *f = symtab_find(&m->symbols, last ? at : at - 1);

	return f ? f->name : frame;
}

/* Return the frame of that name below a node, made if there is none, with its ticks added. */
static struct node *enter(struct node *parent, const char *name, uint64_t ticks)
{
	struct node *n = parent->child;

	while (n && strcmp(n->name, name) != 0)
		n = n->next;
	if (!n) {
		n = memory(calloc(1, sizeof(*n)));
		n->name = name;
		n->next = parent->child;
		parent->child = n;
	}
	n->ticks += ticks;
	return n;
}

/* Add a path, frames with semicolons between them: the first is the name of the process. */
static void add_path(char *path, uint64_t ticks)
{
	char *end = strchr(path, ';'), *frame = path;
	struct node *n = &root;

	n->ticks += ticks;
	for (;;) {
		if (end)
			*end = 0;
		if (strncmp(frame, "0x", 2) == 0)
			n = enter(n, function(path, frame, !end), ticks);
		else
			n = enter(n, frame, ticks);
		if (!end)
			return;
		frame = end + 1;
		end = strchr(frame, ';');
	}
}

/*
 * Take what a comment says: the first the build id, the last what these are, and the mean period or
 * how many.
 */
static void note(const char *line)
{
	const char *id = strstr(line, " build=");

	if (id)
		snprintf(build, sizeof(build), "%.*s", SYMTAB_ID, id + 7);
	for (int i = 0; i < NKINDS; i++) {
		size_t n = strlen(kinds[i].last);

		if (strncmp(line, kinds[i].last, n) != 0)
			continue;
		kind = i;
		times = strtoul(line + n, NULL, 10);
		period_us = i == TICKS ? times : 1;
	}
}

/* Add a line "PATH TICKS", or a comment. */
static void add_line(char *line, const char *file)
{
	char *blank = strrchr(line, ' '), *end;
	uint64_t ticks;

	if (*line == '#') {
		note(line);
		return;
	}
	ticks = blank ? strtoull(blank + 1, &end, 10) : 0;
	if (ticks == 0 || *end || blank == line)
		errx(1, "%s: not a file of paths: %.60s", file, line);
	*blank = 0;
	add_path(line, ticks);
}

/* Read a file of paths. Names in the tree point into its text, which stays. */
static void read_paths(const char *file)
{
	size_t n;
	char *line = whole_need(file, &n), *end;

	loss_parse(&loss, line, "any");
	for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = 0;
		add_line(line, file);
	}
	if (!period_us)
		errx(1, "%s: not a file of paths, or not all of one", file);
}

/* Put all children in order, most ticks first, then by name. */
static void sort(struct node *parent)
{
	struct node *n = parent->child, *next, **at;

	parent->child = NULL;
	for (; n; n = next) {
		next = n->next;
		for (at = &parent->child; *at; at = &(*at)->next)
			if ((*at)->ticks < n->ticks ||
			    ((*at)->ticks == n->ticks && strcmp((*at)->name, n->name) > 0))
				break;
		n->next = *at;
		*at = n;
		sort(n);
	}
}

/* Return the width of a drawing that nobody has given: the terminal's, if it goes there. */
static uint64_t columns(void)
{
	unsigned n = isatty(STDOUT_FILENO) ? terminal_columns() : 80;

	return n - 2 < WIDTH_MAX ? n - 2 : WIDTH_MAX;
}

/* Return where on a line that tick is, from the left. */
static size_t column(uint64_t tick)
{
	return (size_t)(tick * width / root.ticks);
}

/* Draw a frame between two columns: a bar at either end, and what fits of its name and share. */
static void box(char *line, const struct node *n, size_t from, size_t to)
{
	unsigned percent = (unsigned)((n->ticks * 100 + root.ticks / 2) / root.ticks);
	char text[WIDTH_MAX];
	size_t len, room = to - from - 1;

	line[from] = '|';
	line[to] = '|';
	len = (size_t)snprintf(text, sizeof(text), "%s %u%%", n->name, percent);
	if (len > room) /* the share goes first, then the end of the name */
		len = strlen(n->name);
	memcpy(line + from + 1, text, len < room ? len : room);
}

/*
 * Draw a frame, whose first tick is given, and below it all that it calls. What is narrower than
 * two columns is left out.
 */
static void draw(const struct node *n, uint64_t first, unsigned depth)
{
	size_t from = column(first), to = column(first + n->ticks);
	const struct node *c;

	if (to - from < 2 || depth == ROWS)
		return;
	box(row[depth], n, from, to);
	for (c = n->child; c; c = c->next) {
		draw(c, first, depth + 1);
		first += c->ticks;
	}
}

/* Add to the text that is shown. */
static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	drawn += (size_t)vsnprintf(drawing + drawn, sizeof(drawing) - drawn, fmt, ap);
	va_end(ap);
}

/* Say why there is nothing to draw: of paths that nobody has asked for yet, how to. */
static void __attribute__((noreturn)) nothing(bool asked)
{
	if (!asked)
		errx(1, "there are no paths yet: \"flame command\" runs a command, and draws "
		     "where its time goes, with -W what it waits for, with -M who allocates");
	errx(1, "there are no paths: %s, or a filter", kinds[kind].lacks);
}

/* Say how much there is of what is drawn. */
static void sum(void)
{
	unsigned long long ms = root.ticks * period_us / 1000, n = root.ticks;

	if (kind != TICKS)
		n = times;
	if (kind == MEMORY)
		say("%llu blocks, %llu bytes", n, (unsigned long long)root.ticks);
	else
		say("%llu %s, %llu.%03u s", n, kinds[kind].unit, ms / 1000, (unsigned)(ms % 1000));
}

/* Show the line above the drawing, and its rows without the blanks at their ends. */
static void show(bool asked)
{
	char said[TICKS_LINE];
	unsigned i;
	size_t end;

	if (root.ticks == 0)
		nothing(asked);
	sum();
	if (loss.all.lost)
		say(", %llu lost", (unsigned long long)loss.all.lost);
	say("\n");
	if (*loss_line(&loss, "shares", said))
		say("%s\n", said);
	if (!width)
		width = columns();
	memset(row, ' ', sizeof(row));
	sort(&root);
	draw(&root, 0, 0);
	/* The first empty row is below the deepest frame. */
	for (i = 0; i < ROWS; i++) {
		for (end = (size_t)width + 1; end > 0 && row[i][end - 1] == ' '; end--)
			;
		if (end == 0)
			break;
		say("%.*s\n", (int)end, row[i]);
	}
	pager_show(drawing, drawn, STDIN_FILENO);
}

/* Run the command while paths are kept. Return its status as sh(1) has it. */
static int sample(char **command)
{
	int status;

	if (kind == MEMORY)
		whole_write(kinds[kind].ctl, "end"); /* of what was counted before */
	whole_write(kinds[kind].ctl, kinds[kind].on);
	if (kind != MEMORY)
		whole_write(CTL, "startclr");
	status = run_wait(command);
	whole_write(kinds[kind].ctl, "stop");
	run_report();
	return status;
}

int main(int argc, char **argv)
{
	const char *file = NULL, *output = NULL;
	int c, status = 0;

	while ((c = getopt(argc, argv, "+MWf:hk:o:w:")) != -1) {
		if (c == 'M')
			kind = MEMORY;
		else if (c == 'W')
			kind = WAITS;
		else if (c == 'f')
			file = optarg;
		else if (c == 'k')
			kernel = optarg;
		else if (c == 'o')
			output = optarg;
		else if (c == 'w')
			width = (uint64_t)number(optarg, WIDTH_MIN, WIDTH_MAX);
		else
			usage(c, synopsis);
	}
	if (file && optind < argc)
		errx(2, "-f and a command exclude each other");
	if (output && optind == argc)
		errx(2, "-o is for the output of a command");
	if (output)
		run_output(output);
	if (optind < argc)
		status = sample(argv + optind);
	read_paths(file ? file : kinds[kind].file);
	if (optind < argc)
		whole_write(kinds[kind].ctl, kinds[kind].off);
	if (root.ticks > 0 || status == 0) /* a command that failed at once has said so */
		show(file || optind < argc);
	return status;
}
