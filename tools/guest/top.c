/* gnomon top: a running guest's hottest functions and processes, read from its memory. */
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/buildtree.h"
#include "tools/ending.h"
#include "tools/gnomon.h"
#include "tools/guest/sockets.h"
#include "tools/guest/topscreen.h"
#include "tools/guest/topview.h"
#include "tools/memory.h"
#include "tools/moment.h"
#include "tools/option.h"

static const char usage[] =
	"usage: gnomon top [-b] [-d SECONDS] [-k KERNEL] [-n COUNT] [-q SOCKET]\n"
	"\n"
	"  -b, --batch          print one table after the other, and take no keys\n"
	"  -d, --delay=SECONDS  between two looks (default: 1)\n"
	"  -n, --count=COUNT    leave after COUNT tables\n"
	"  -q, --qmp=SOCKET     the QMP socket of the guest's QEMU (default: that of the\n"
	"                       guest that `make run' has started)\n"
	"  -k, --kernel=KERNEL  the kernel's image (default: gnomon.elf beside this program), or\n"
	"                       none: then addresses take the place of functions\n"
	"  -h, --help           this\n"
	"\n"
	"On a terminal, the key ? lists what keys there are; q leaves.\n";

struct options {
	const char *socket, *kernel; /* NULL: the usual ones */
	double delay;		     /* seconds */
	unsigned long count; /* 0: no end */
	bool batch;
};

/* Return whether a number without a sign is all of a word that was read up to its end. */
static bool is_number(const char *arg, const char *end)
{
	return end > arg && !*end && *arg != '-';
}

/* Take a number of seconds. */
static enum option_status take_delay(void *field, const char *arg, struct complaint *why)
{
	char *end;
	double v = strtod(arg, &end);

	if (!is_number(arg, end) || !(v >= 0.05 && v <= 3600)) {
		complain(why, "%s: not a number that fits", arg);
		return OPTION_WRONG;
	}
	*(double *)field = v;
	return OPTION_OK;
}

/* Take a number of tables. */
static enum option_status take_count(void *field, const char *arg, struct complaint *why)
{
	char *end;
	unsigned long v = strtoul(arg, &end, 10);

	if (!is_number(arg, end)) {
		complain(why, "%s: not a number that fits", arg);
		return OPTION_WRONG;
	}
	*(unsigned long *)field = v;
	return OPTION_OK;
}

static const struct option_row rows[] = {
	{'b', "batch", option_flag, offsetof(struct options, batch)},
	{'d', "delay", take_delay, offsetof(struct options, delay)},
	{'n', "count", take_count, offsetof(struct options, count)},
	{'q', "qmp", option_text, offsetof(struct options, socket)},
	{'k', "kernel", option_text, offsetof(struct options, kernel)},
	{.name = NULL},
};

static const struct option_table table = {
	.command = "top", .usage = usage, .row = rows, .operands = -1,
};

/* What goes on. Two looks take turns in being the last. */
struct top {
	const struct options *o;
	struct inside *in;
	struct look look[2];
	struct topview view;
	unsigned long shown; /* tables */
};

/* Show the latest table, on the screen or after the one before. */
static int top_show(struct top *t, struct complaint *why)
{
	struct toptable plain = {.lines = 24, .columns = 120};
	struct memory_stream to;
	int bad;

	if (!t->o->batch)
		return topview_show(&t->view, why);
	memory_stream_open(&to);
	topview_head(to.f, t->o->socket, t->view.now);
	toptable_print(to.f, t->view.now, t->view.was, &t->in->symbols, &plain);
	fputs("\n", to.f);
	memory_stream_close(&to);
	bad = topscreen_write(to.data, to.n, why);
	free(to.data);
	return bad;
}

/* Return how many milliseconds are left until then, 0 if it is over, -1 for ever. */
static int time_left(const struct top *t, uint64_t until)
{
	uint64_t now = moment_ns();

	if (t->view.paused)
		return -1;
	if (now >= until)
		return 0;
	return (int)((until - now) / 1000000) + 1;
}

/*
 * Wait for the next look, and do what keys say. Return 0 if it is time, 1 to leave, -1 and *why if
 * the terminal cannot be written.
 */
static int top_nap(struct top *t, struct complaint *why)
{
	uint64_t until = moment_ns() + (uint64_t)(t->o->delay * 1e9);
	int key, ms;

	while (!ending_came()) {
		ms = time_left(t, until);
		if (ms == 0)
			return 0;
		if (t->o->batch) {
			ending_wait(-1, POLLIN, ms);
			continue;
		}
		key = topscreen_wait(ms);
		if (key == TOPSCREEN_NOTHING)
			continue;
		if (!topview_key(&t->view, key))
			return 1;
		if (topview_show(&t->view, why) < 0)
			return -1;
	}
	return 1;
}

/* Without the kernel's image, give each bucket its address for a name. */
static void name_buckets(struct symbols *s, const struct inside_kprof *k)
{
	code_addr at = k->first;
	size_t i;

	s->n = k->nbucket - PROF_KPROF_SPECIAL;
	s->sym = memory_zeroed(s->n, sizeof(*s->sym));
	for (i = 0; i < s->n; i++, at += 1ull << k->shift)
		s->sym[i] = (struct symbol){
			.start = at, .end = at + (1ull << k->shift),
			.name = memory_format("%" CODE_ADDR, at),
		};
}

/* Free them, for which nobody else is responsible. */
static void free_names(struct symbols *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free((char *)s->sym[i].name);
	free(s->sym);
}

/* Look once more, and show what has changed. */
static int look_again(struct top *t, struct complaint *why)
{
	t->shown++;
	t->view.now = &t->look[t->shown % 2];
	t->view.was = &t->look[(t->shown + 1) % 2];
	if (look_take(t->in, &t->look[t->shown % 2], why) < 0)
		return -1;
	return top_show(t, why);
}

/* Return whether as many tables were shown as were asked for. */
static bool is_last(const struct top *t)
{
	return t->o->count > 0 && t->shown >= t->o->count;
}

/* Look again and again. */
static int top_follow(struct top *t, struct complaint *why)
{
	struct symbols *s = &t->in->symbols;
	int bad = look_take(t->in, &t->look[0], why);

	if (!bad && !t->in->kernel)
		name_buckets(s, &t->look[0].kprof);
	if (!bad && !t->o->batch)
		bad = top_show(t, why);
	while (!bad && !is_last(t)) {
		bad = top_nap(t, why);
		if (!bad)
			bad = look_again(t, why);
	}
	inside_free(&t->look[0].kprof);
	inside_free(&t->look[1].kprof);
	if (!t->in->kernel)
		free_names(s);
	if (bad < 0)
		return -1;
	return 0;
}

/* Open the kernel's image for its code, which must not be: its functions are known already. */
static struct image *open_image(struct images *images, const char *kernel)
{
	struct complaint none;

	images_init(images);
	if (!kernel)
		return NULL;
	if (images_add(images, kernel, &none) < 0)
		return NULL;
	return images->image[0];
}

/* Open the guest's memory and follow what happens there. */
static int top_watch(const struct options *o, const char *kernel, struct complaint *why)
{
	static struct top t;
	struct ram *ram = ram_live(o->socket, why);
	struct images images;
	struct inside in;
	int bad;

	if (!ram)
		return -1;
	if (inside_open(&in, kernel, ram, why) < 0)
		return -1;
	t = (struct top){.o = o, .in = &in};
	t.view = (struct topview){
		.socket = o->socket, .symbols = &in.symbols, .kernel = open_image(&images, kernel),
		.table = {.mark = true, .color = topscreen_color()},
	};
	if (!o->batch)
		topscreen_begin();
	bad = top_follow(&t, why);
	topscreen_end();
	images_free(&images);
	inside_close(&in);
	return bad;
}

/*
 * Let the signals come that were held back. SIGINT and SIGTERM are ways to leave like the key, and
 * have done their work; others end the program now. Return whether there was one, which may have
 * cut short what was done when it came.
 */
static bool let_come(void)
{
	bool came = ending_came() != 0;
	sigset_t leave;

	sigemptyset(&leave);
	sigaddset(&leave, SIGINT);
	sigaddset(&leave, SIGTERM);
	while (came && sigtimedwait(&leave, NULL, &(struct timespec){0}) > 0)
		;
	ending_release();
	return came;
}

/* Without a terminal that can be drawn on, tables follow each other. */
int top_main(int argc, char **argv)
{
	struct options o = {.delay = 1};
	struct option_line line = {.table = &table, .options = &o};
	enum option_status status = option_read(&line, argc, argv);
	char kernel[4096], socket[4096];
	int bad;

	if (status == OPTION_OK && line.noperand > 0) {
		complain(&line.why, "%s: what is this for?", line.operand[0]);
		status = OPTION_WRONG;
	}
	if (status != OPTION_OK)
		return option_end(&line, status);
	if (!topscreen_usable())
		o.batch = true;
	ending_hold();
	bad = sockets_find(socket, sizeof(socket), o.socket, &line.why);
	o.socket = socket;
	if (!bad)
		bad = top_watch(&o, inside_kernel(o.kernel, kernel, sizeof(kernel)), &line.why);
	if (let_come())
		bad = 0;
	if (bad)
		status = OPTION_BAD;
	return option_end(&line, status);
}
