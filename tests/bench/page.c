/*
 * A run as a page of HTML that needs no other file: for each row, bars of its value and its
 * peers' with a mark at the target; and a plot for each series of points.
 */
#include <math.h>
#include <string.h>
#include "tests/bench/results.h"

#define BAR 340.0   /* width of the longest bar of a row */
#define WIDTH 360.0 /* of a plot's area, and its height */
#define HEIGHT 180.0
#define LEFT 60.0 /* what is beside it, and above */
#define TOP 12.0

static const char *const colours[] = {"#1668b0", "#c2551b", "#2b8a3e", "#7b3fa0"};

static const char style[] =
	"body{font:14px/1.4 sans-serif;margin:2em auto;max-width:80em;padding:0 1em;color:#222}"
	"table{border-collapse:collapse}td:first-child{white-space:nowrap}"
	"td{padding:3px 10px 3px 0;vertical-align:top}"
	"td.n{text-align:right;white-space:nowrap}.missed{color:#b00020;font-weight:bold}"
	"svg text{font:11px sans-serif;fill:#222}dt{float:left;clear:left;width:8em;color:#666}"
	"figure{display:inline-block;margin:1em 1em 1em 0}figcaption{font-weight:bold}"
	"@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}"
	"svg text{fill:#ddd}.missed{color:#ff6b7d}}";

void put_html(FILE *to, const char *s)
{
	for (; *s; s++) {
		if (*s == '<')
			fputs("&lt;", to);
		else if (*s == '>')
			fputs("&gt;", to);
		else if (*s == '&')
			fputs("&amp;", to);
		else
			putc(*s, to);
	}
}

static void put_bar(FILE *to, int i, double v, double most, const char *colour, const char *name)
{
	double width = most > 0 ? BAR * v / most : 0;

	fprintf(to, "<rect x=\"0\" y=\"%d\" width=\"%.1f\" height=\"11\" fill=\"%s\"/>", 16 * i + 2,
		width < 1 ? 1 : width, colour);
	fprintf(to, "<text x=\"%.1f\" y=\"%d\">", width + 6, 16 * i + 12);
	put_html(to, name);
	fprintf(to, " %.10g</text>", v);
}

/* Draw the bars of a row, all to one scale. */
static void put_bars(FILE *to, const json_t *row)
{
	json_t *peers = json_object_get(row, "peers"), *v;
	double value = number_of(row, "value"), target = number_of(row, "target");
	double most = value > target ? value : target;
	const char *name;
	int i = 1;

	json_object_foreach(peers, name, v)
		most = fmax(most, json_number_value(v));
	fprintf(to, "<svg width=\"%.0f\" height=\"%zu\">", BAR + 150,
		16 * (1 + json_object_size(peers)));
	put_bar(to, 0, value, most, colours[0], "");
	json_object_foreach(peers, name, v)
		put_bar(to, i++, json_number_value(v), most, "#999", name);
	if (json_object_get(row, "target") && most > 0)
		fprintf(to,
			"<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"15\" stroke=\"#b00020\" "
			"stroke-width=\"2\"/>",
			BAR * target / most, BAR * target / most);
	fputs("</svg>", to);
}

static void put_row(FILE *to, const json_t *row)
{
	const json_t *ok = json_object_get(row, "ok");

	fputs("<tr><td>", to);
	put_html(to, text_of(row, "name"));
	fprintf(to, "</td><td class=\"n\">%.10g ", number_of(row, "value"));
	put_html(to, text_of(row, "unit"));
	fputs("</td><td class=\"n\">", to);
	if (ok) {
		put_html(to, text_of(row, "relation"));
		fprintf(to, " %.10g %s", number_of(row, "target"),
			json_is_true(ok) ? "ok" : "<span class=\"missed\">missed</span>");
	}
	fputs("</td><td>", to);
	put_bars(to, row);
	fputs("</td></tr>\n", to);
}

/* Return the end of an axis that reaches v, such that a quarter of it has few digits. */
static double round_up(double v)
{
	static const double digits[] = {1, 1.5, 2, 2.5, 3, 4, 5, 7.5};
	double unit = v > 0 ? 4 * pow(10, floor(log10(v / 4))) : 4;
	size_t i;

	for (i = 0; i < sizeof(digits) / sizeof(digits[0]); i++) {
		if (unit * digits[i] >= v)
			return unit * digits[i];
	}
	return 10 * unit;
}

/* Where a plot's axes end; they begin at 0. */
struct extent {
	double x, y;
};

static struct extent extent_of(json_t *lines)
{
	struct extent e = {0, 0};
	const char *name;
	json_t *line, *point;
	size_t i;

	json_object_foreach(lines, name, line) {
		json_array_foreach(line, i, point) {
			e.x = fmax(e.x, json_number_value(json_array_get(point, 0)));
			e.y = fmax(e.y, json_number_value(json_array_get(point, 1)));
		}
	}
	return (struct extent){round_up(e.x), round_up(e.y)};
}

static void put_axes(FILE *to, const json_t *plot, struct extent e)
{
	int i;

	fprintf(to, "<path d=\"M%g %gV%gH%g\" fill=\"none\" stroke=\"#888\"/>", LEFT, TOP,
		TOP + HEIGHT, LEFT + WIDTH);
	for (i = 0; i <= 4; i++) {
		fprintf(to, "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%.6g</text>", LEFT - 4,
			TOP + HEIGHT - i * HEIGHT / 4 + 4, e.y * i / 4);
		fprintf(to, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%.6g</text>",
			LEFT + i * WIDTH / 4, TOP + HEIGHT + 14, e.x * i / 4);
	}
	fprintf(to, "<text x=\"%g\" y=\"%g\">", LEFT + WIDTH / 2, TOP + HEIGHT + 30);
	put_html(to, text_of(plot, "x"));
	fputs("</text>", to);
}

static void put_line(FILE *to, json_t *line, struct extent e, const char *colour)
{
	json_t *point;
	size_t i;

	fputs("<polyline fill=\"none\" stroke-width=\"2\" points=\"", to);
	json_array_foreach(line, i, point)
		fprintf(to, "%.1f,%.1f ",
			LEFT + WIDTH * json_number_value(json_array_get(point, 0)) / e.x,
			TOP + HEIGHT - HEIGHT * json_number_value(json_array_get(point, 1)) / e.y);
	fprintf(to, "\" stroke=\"%s\"/>", colour);
}

static void put_plot(FILE *to, const json_t *plot)
{
	json_t *lines = json_object_get(plot, "lines"), *line;
	struct extent e = extent_of(lines);
	const char *name, *colour;
	unsigned i = 0;

	fputs("<figure><figcaption>", to);
	put_html(to, text_of(plot, "title"));
	fprintf(to, "</figcaption><svg width=\"%g\" height=\"%g\">", LEFT + WIDTH + 80,
		TOP + HEIGHT + 36);
	put_axes(to, plot, e);
	json_object_foreach(lines, name, line) {
		colour = colours[i % (sizeof(colours) / sizeof(colours[0]))];
		put_line(to, line, e, colour);
		fprintf(to, "<text x=\"%g\" y=\"%g\" style=\"fill:%s\">", LEFT + WIDTH + 6,
			TOP + 12 + 16.0 * i++, colour);
		put_html(to, name);
		fputs("</text>", to);
	}
	fputs("</svg><div>", to);
	put_html(to, text_of(plot, "y"));
	fputs("</div></figure>\n", to);
}

void page_print(FILE *to, const json_t *run)
{
	json_t *rows = json_object_get(run, "rows"), *plots = json_object_get(run, "plots"), *o;
	const char *group = "", *name;
	size_t i;

	fprintf(to, "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
		    "<title>Gnomon: how true, how cheap</title><style>%s</style>\n"
		    "<h1>Gnomon: how true, how cheap</h1>\n<dl>", style);
	json_object_foreach(json_object_get(run, "facts"), name, o) {
		fprintf(to, "<dt>%s</dt><dd>", name);
		put_html(to, json_string_value(o));
		fputs("</dd>", to);
	}
	fputs("</dl>\n<p>The red mark is the target; grey bars are others' figures.</p>\n", to);
	json_array_foreach(rows, i, o) {
		if (strcmp(group, text_of(o, "group")) != 0) {
			group = text_of(o, "group");
			fputs(i ? "</table>\n<h2>" : "<h2>", to);
			put_html(to, group);
			fputs("</h2>\n<table>\n", to);
		}
		put_row(to, o);
	}
	fputs("</table>\n", to);
	truth_page(to, run);
	fputs("<h2>Scale</h2>\n", to);
	json_array_foreach(plots, i, o)
		put_plot(to, o);
	fputs("</html>\n", to);
}
