/* Reading the kernel's variables and tables: see peek.h. */
#include <stdio.h>
#include "tools/guest/peek.h"

/* A number beyond what can be is taken for damage, so that no size made of it is trusted. */
int peek_number(struct inside *in, const char *path, unsigned i, uint64_t max, uint64_t *value,
		  struct complaint *why)
{
	char name[96];

	snprintf(name, sizeof(name), path, i);
	if (layout_number(&in->layout, in->ram, value, why, "%s", name) < 0)
		return -1;
	return *value <= max ? 0
		: complain(why, "%s is %llu: damaged", name, (unsigned long long)*value);
}

int peek_number32(struct inside *in, const char *path, unsigned i, uint32_t *value,
		    struct complaint *why)
{
	uint64_t v = 0;
	int bad = peek_number(in, path, i, UINT32_MAX, &v, why);

	*value = (uint32_t)v;
	return bad;
}

/* The pointer is read first, so that a wild one is refused. */
int peek_table(struct inside *in, const char *path, unsigned i, void *to, size_t n,
		 struct complaint *why)
{
	uint32_t address;

	if (peek_number32(in, path, i, &address, why) < 0)
		return -1;
	return ram_kernel(in->ram, address, to, n, why);
}

/* A pace has three members, each read by itself. */
int peek_pace(struct inside *in, const char *path, unsigned i, struct prof_pace *pace,
		struct complaint *why)
{
	char us[96], ticks[96], before[96];

	snprintf(us, sizeof(us), "%s.us", path);
	snprintf(ticks, sizeof(ticks), "%s.ticks_before", path);
	snprintf(before, sizeof(before), "%s.us_before", path);
	if (peek_number32(in, us, i, &pace->us, why) < 0 ||
	    peek_number32(in, ticks, i, &pace->ticks_before, why) < 0)
		return -1;
	return peek_number(in, before, i, UINT64_MAX, &pace->us_before, why);
}
