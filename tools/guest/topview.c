/* What gnomon top shows on a terminal: see topview.h. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/guest/topcode.h"
#include "tools/guest/topscreen.h"
#include "tools/guest/topview.h"
#include "tools/memory.h"
#include "tools/order.h"

const char topview_keys[] =
	"  q, ^C          leave\n"
	"  ?, h           list the keys, or go back\n"
	"  space, p       stand still, or go on\n"
	"  s              sort by share, by name, or by address and pid\n"
	"  /              show only names with the letters that are typed up to Return;\n"
	"                 Escape: show all\n"
	"  up, down, k, j choose a function; PageUp, PageDown\n"
	"  Return, a      show the instructions of that function, or go back\n";

static const char *const sort_name[TOPTABLE_NSORTS] = {
	[TOPTABLE_SHARE] = "share", [TOPTABLE_NAME] = "name",
	[TOPTABLE_NUMBER] = "address and pid",
};

/* Type a key into the filter. The table follows at once; so the mark goes to its first row. */
static void topview_type(struct topview *v, int key)
{
	size_t n = strlen(v->filter);

	v->table.row = 0;
	switch (key) {
	case TOPSCREEN_ESCAPE:
		v->filter[0] = 0;
		v->typing = false;
		return;
	case '\r': case '\n':
		v->typing = false;
		return;
	case TOPSCREEN_DELETE: case '\b':
		if (n > 0)
			v->filter[n - 1] = 0;
		return;
	}
	if (key < 128 && isprint(key) && n + 1 < sizeof(v->filter)) {
		v->filter[n] = (char)key;
		v->filter[n + 1] = 0;
	}
}

/*
 * Move the marked row, or the code, down by that number of lines; up if it is negative. Too far
 * down is put right where it is printed, for only there it is known how many rows there are.
 */
static void topview_move(struct topview *v, int by)
{
	int *at = &v->table.row;

	if (v->page == TOPVIEW_CODE)
		at = &v->first;
	*at += by;
	if (*at < 0)
		*at = 0;
}

/* Show a page, or the table if that page is shown already. Code is of the function marked then. */
static void topview_turn(struct topview *v, int page)
{
	if (page == TOPVIEW_CODE && v->page != TOPVIEW_CODE) {
		v->symbol = v->table.symbol;
		v->first = -1;
	}
	if ((int)v->page == page)
		page = TOPVIEW_TABLE;
	v->page = page;
}

bool topview_key(struct topview *v, int key)
{
	int most = (int)order_max((uint64_t)v->table.lines / 2, 4);

	if (v->typing) {
		topview_type(v, key);
		return true;
	}
	switch (key) {
	case 'q':
		return false;
	case '?': case 'h':
		topview_turn(v, TOPVIEW_HELP);
		break;
	case ' ': case 'p':
		v->paused = !v->paused;
		break;
	case 's':
		v->table.sort = (v->table.sort + 1) % TOPTABLE_NSORTS;
		break;
	case '/':
		v->page = TOPVIEW_TABLE;
		v->typing = true;
		v->filter[0] = 0;
		break;
	case TOPSCREEN_ESCAPE:
		if (v->page == TOPVIEW_TABLE)
			v->filter[0] = 0;
		v->page = TOPVIEW_TABLE;
		break;
	case TOPSCREEN_UP: case 'k':
		topview_move(v, -1);
		break;
	case TOPSCREEN_DOWN: case 'j':
		topview_move(v, 1);
		break;
	case TOPSCREEN_PAGE_UP:
		topview_move(v, -most);
		break;
	case TOPSCREEN_PAGE_DOWN:
		topview_move(v, most);
		break;
	case '\r': case '\n': case 'a':
		topview_turn(v, TOPVIEW_CODE);
		break;
	}
	return true;
}

void topview_head(FILE *to, const char *socket, const struct look *l)
{
	fprintf(to, "gnomon top  %s", socket);
	if (l)
		fprintf(to, "  a tick: %" PRIu32 " us", l->kprof.pace.us);
	putc('\n', to);
}

/* Print the page with the code of a function. */
static void print_code(struct topview *v, FILE *to)
{
	struct complaint why;

	if (!v->symbol)
		fputs("\nno function is chosen\n", to);
	else if (!v->kernel)
		fputs("\nwithout the kernel's image, there is no code; see --kernel\n", to);
	else if (topcode_print(to, v->kernel, v->symbol, v->now, v->table.lines - 2, &v->first,
			       &why) < 0)
		fprintf(to, "\n%s\n", why.text);
}

/* Print the line at the bottom. */
static void print_bottom(struct topview *v, FILE *to)
{
	if (v->typing) {
		fprintf(to, "show names with: %s_", v->filter);
		return;
	}
	fputs("q leaves  ? keys", to);
	if (v->paused)
		fputs("  standing still", to);
	fprintf(to, "  by %s", sort_name[v->table.sort]);
	if (*v->filter)
		fprintf(to, "  only \"%s\"", v->filter);
}

int topview_show(struct topview *v, struct complaint *why)
{
	struct memory_stream text, bottom;
	int bad;

	topscreen_size(&v->table.lines, &v->table.columns);
	v->table.filter = v->filter;
	memory_stream_open(&text);
	memory_stream_open(&bottom);
	topview_head(text.f, v->socket, v->now);
	if (v->page == TOPVIEW_HELP)
		fprintf(text.f, "\n%s", topview_keys);
	else if (!v->now)
		fputs("\nthe first table comes soon\n", text.f);
	else if (v->page == TOPVIEW_CODE)
		print_code(v, text.f);
	else
		toptable_print(text.f, v->now, v->was, v->symbols, &v->table);
	print_bottom(v, bottom.f);
	memory_stream_close(&text);
	memory_stream_close(&bottom);
	bad = topscreen_show(text.data, bottom.data, why);
	free(text.data);
	free(bottom.data);
	return bad;
}
