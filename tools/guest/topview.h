/*
 * What gnomon top shows on a terminal, and what its keys do. It neither looks at the guest nor
 * waits for keys: top.c does both, and hands over what it got.
 */
#ifndef TOOLS_GUEST_TOPVIEW_H
#define TOOLS_GUEST_TOPVIEW_H

#include <stdbool.h>
#include "tools/code/image.h"
#include "tools/guest/toptable.h"

/* The last two looks at the guest, and how they are shown. */
struct topview {
	const char *socket;
	struct image *kernel; /* NULL: there is none */
	const struct symbols *symbols;
	const struct look *now, *was; /* NULL before the second look; top.c's */
	struct toptable table;
	enum { TOPVIEW_TABLE, TOPVIEW_HELP, TOPVIEW_CODE } page;
	bool paused;
	bool typing;	 /* keys go to the filter */
	char filter[64]; /* "": none */
	const struct symbol *symbol; /* whose code is shown */
	int first;		     /* see topcode_print() */
};

/* Do what a key of topscreen_wait() says. Return false if it is to leave. */
bool topview_key(struct topview *v, int key);

/* Draw it all. 0, or -1 and *why: the terminal cannot be written. */
int topview_show(struct topview *v, struct complaint *why);

/* Print the first line: which guest, and how long its ticks are, if anything is known of them. */
void topview_head(FILE *to, const char *socket, const struct look *l);

/* The keys, for the usage. */
extern const char topview_keys[];

#endif
