/*
 * How true profiles are, as HTML: a plot of all profiles' distances against those that chance
 * would give them, with logarithmic axes, and a table of them with bars.
 */
#include <math.h>
#include <string.h>
#include "tests/bench/results.h"

#define SIDE 420.0 /* of the plot's area, and what is beside it */
#define EDGE 50.0
#define LEAST -4.0 /* powers of ten: the axes go from here to 0 */
#define BAR 260.0  /* a distance of 1 */
#define RATIO 1.2

/* Kinds of profiles, by a part of the machine's name. */
static const struct {
	const char *word, *colour, *name;
} kinds[] = {
	{" irq ", "#c2551b", "by vector (shown)"},
	{"no -icount", "#7b3fa0", "without -icount (shown)"},
	{"", "#1668b0", "by NMI, and of programs (judged)"},
};
#define NKIND (sizeof(kinds) / sizeof(kinds[0]))

static size_t kind_of(const json_t *profile)
{
	size_t k = 0;

	while (!strstr(text_of(profile, "machine"), kinds[k].word))
		k++;
	return k;
}

/* Return how far along an axis a value is. */
static double along(double v)
{
	return SIDE * (fmax(log10(fmax(v, 1e-9)), LEAST) - LEAST) / -LEAST;
}

static void put_axes(FILE *to)
{
	double at = along(1 / RATIO), power;

	fprintf(to, "<path d=\"M%g 0V%gH%g\" fill=\"none\" stroke=\"#888\"/>", EDGE, SIDE,
		EDGE + SIDE);
	fprintf(to, "<path d=\"M%g %gL%g 0\" stroke=\"#888\"/>", EDGE, SIDE, EDGE + SIDE);
	fprintf(to, "<path d=\"M%g %gL%g 0\" stroke=\"#b00020\" stroke-dasharray=\"4\"/>", EDGE,
		at, EDGE + at);
	for (power = LEAST; power <= 0; power++) {
		at = along(pow(10, power));
		fprintf(to, "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%g</text>", EDGE - 4,
			SIDE - at + 10, pow(10, power));
		fprintf(to, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%g</text>", EDGE + at,
			SIDE + 14, pow(10, power));
	}
}

static void put_points(FILE *to, json_t *profiles)
{
	json_t *p;
	size_t i;

	json_array_foreach(profiles, i, p) {
		fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>",
			EDGE + along(number_of(p, "expected")),
			SIDE - along(number_of(p, "distance")), kinds[kind_of(p)].colour);
		put_html(to, text_of(p, "name"));
		fprintf(to, ": %.2f</title></circle>", number_of(p, "ratio"));
	}
}

static void put_plot(FILE *to, json_t *profiles)
{
	size_t k;

	fprintf(to, "<figure><figcaption>Distance, over what chance gives</figcaption>"
		    "<svg width=\"%g\" height=\"%g\">", EDGE + SIDE + 230, SIDE + 30);
	put_axes(to);
	put_points(to, profiles);
	for (k = 0; k < NKIND; k++)
		fprintf(to, "<text x=\"%g\" y=\"%zu\" style=\"fill:%s\">%s</text>",
			EDGE + SIDE + 16, 20 + 16 * k, kinds[k].colour, kinds[k].name);
	fprintf(to, "</svg><div>Above the dashed line the ratio is more than %g.</div></figure>\n",
		RATIO);
}

static void put_cell(FILE *to, const char *class, const char *text)
{
	fprintf(to, "<td%s>", class);
	put_html(to, text);
	fputs("</td>", to);
}

static void put_profile(FILE *to, const json_t *p)
{
	const char *verdict = truth_verdict(p);

	fputs("<tr>", to);
	put_cell(to, "", text_of(p, "name"));
	fprintf(to, "<td class=\"n\">%.0f<td class=\"n\">%.4f<td class=\"n\">%.4f"
		    "<td class=\"n\">%.2f<td class=\"n\">%.3f<td class=\"n\">%.3f"
		    "<td class=\"n\">%.1f", number_of(p, "samples"), number_of(p, "distance"),
		number_of(p, "expected"), number_of(p, "ratio"), number_of(p, "p"),
		number_of(p, "chi2"), number_of(p, "most"));
	put_cell(to, "", text_of(p, "where"));
	put_cell(to, strcmp(verdict, "OFF") == 0 ? " class=\"missed\"" : "", verdict);
	fprintf(to,
		"<td><svg width=\"%g\" height=\"14\"><rect width=\"%.1f\" height=\"6\" "
		"fill=\"%s\"/><rect y=\"7\" width=\"%.1f\" height=\"6\" fill=\"#999\"/></svg>\n",
		BAR, BAR * number_of(p, "distance"), kinds[kind_of(p)].colour,
		BAR * number_of(p, "expected"));
}

static void put_counts(FILE *to, json_t *counts)
{
	static const char *const columns[] = {"things", "truth", "counted", "lost", "wrong"};
	json_t *c;
	size_t i, k;

	fputs("<table><tr><th>calls of functions in arcs, and instructions covered"
	      "<th>functions or instructions<th>ran<th>counted<th>lost<th>wrong\n", to);
	json_array_foreach(counts, i, c) {
		fputs("<tr>", to);
		put_cell(to, "", text_of(c, "name"));
		for (k = 0; k < sizeof(columns) / sizeof(columns[0]); k++)
			fprintf(to, "<td class=\"n\">%.0f", number_of(c, columns[k]));
		putc('\n', to);
	}
	fputs("</table>\n", to);
}

void truth_page(FILE *to, const json_t *run)
{
	json_t *profiles = json_object_get(run, "profiles"), *p;
	size_t i;

	if (json_array_size(profiles) == 0)
		return;
	fputs("<h2>Each profile beside what ran</h2>\n", to);
	put_plot(to, profiles);
	fputs("<p>docs/accuracy.md says what the columns are. Bars: distance; grey, what chance "
	      "gives.</p>\n<table><tr><th><th>samples<th>distance<th>expected<th>ratio<th>p"
	      "<th>chi2 p<th>most off<th>where<th><th>\n", to);
	json_array_foreach(profiles, i, p)
		put_profile(to, p);
	fputs("</table>\n", to);
	put_counts(to, json_object_get(run, "counts"));
}
