/* A progress bar on the standard error, if that is a terminal: see progress.h. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#include "tools/moment.h"
#include "tools/progress.h"

#define WIDTH 32
#define REDRAW_NS 50000000u

void progress_init(struct progress *p)
{
	*p = (struct progress){.on = isatty(STDERR_FILENO), .unit = "bytes"};
}

/* Draw the bar over the last one. */
static void progress_draw(struct progress *p)
{
	static const char full[WIDTH + 1] = "################################";
	unsigned fill = WIDTH;

	if (p->done < p->total)
		fill = (unsigned)((double)p->done / p->total * WIDTH);
	fprintf(stderr, "\r%-16.16s [%-*.*s] %" PRIu64 "/%" PRIu64 " %s\033[K", p->name, WIDTH,
		(int)fill, full, p->done, p->total, p->unit);
	fflush(stderr);
	p->drawn = moment_ns();
}

void progress_start(struct progress *p, const char *name, uint64_t total)
{
	if (!p->on)
		return;
	p->name = name;
	p->done = 0;
	p->total = total;
	progress_draw(p);
}

/* Redraw at most twenty times a second, for drawing costs more than counting. */
void progress_add(struct progress *p, uint64_t n)
{
	if (!p->name)
		return;
	p->done += n;
	if (p->done >= p->total || moment_ns() - p->drawn >= REDRAW_NS)
		progress_draw(p);
}

void progress_stop(struct progress *p)
{
	if (!p->name)
		return;
	p->name = NULL;
	fputs("\r\033[K", stderr);
	fflush(stderr);
}
