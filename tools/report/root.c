/* gnomon-report(1) --root: of a profile only what is below one function. */
#include "tools/report/report.h"

size_t report_root(const struct report *r, const struct step *step, size_t n)
{
	size_t i;

	if (!r->options.root)
		return 0;
	for (i = 0; i < n; i++)
		if (report_matches(r, step[i].function, r->options.root))
			return i;
	return n;
}

/* For profdata_filter(): whether a sample's path leads through the function. */
static bool has_root(const struct profdata *p, const struct profdata_sample *s, void *arg)
{
	struct report *r = arg;
	const struct step *step;
	size_t n;

	(void)p;
	step = functions_path(&r->functions, s, &n);
	return report_root(r, step, n) < n;
}

/* Return whether any path leads through it. */
static bool any_root(struct report *r)
{
	size_t i;

	for (i = 0; i < r->prof.nsample; i++)
		if (has_root(&r->prof, &r->prof.sample[i], r))
			return true;
	return false;
}

int report_rooted(struct report *r, struct complaint *why)
{
	bool paths = r->prof.has_paths;

	if (!r->options.root)
		return 0;
	if (!paths)
		return complain(why, "%s: --root wants call paths; it has none", r->file);
	if (!any_root(r))
		return report_no_function(r, "no path leads through a function",
					  r->options.root, why);
	profdata_filter(&r->prof, has_root, r);
	r->prof.has_paths = paths;
	return 0;
}
