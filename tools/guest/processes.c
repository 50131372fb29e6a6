/* The processes of a guest: inside_processes() of inside.h. */
#include <string.h>
#include "tools/guest/inside.h"
#include "tools/order.h"

/* The first node of the list of all processes, and a pointer to some process. */
#define FIRST "kernel/process/proc.c:by_pid.head.next[0]"
#define EXAMPLE "kernel/machine/cpu.c:cpus[0].idle"

/* Where a struct proc has its fields, offsets from its beginning, and their sizes. */
struct offsets {
	struct location whole, pid, name, utime, stime, node, next;
};

/* Ask the debugging information, by way of a pointer to some process. */
static int process_layout(struct inside *in, struct offsets *o, struct complaint *why)
{
	const struct {
		const char *path;
		struct location *at;
	} all[] = {
		{EXAMPLE "[0]", &o->whole},	  {EXAMPLE ".pid", &o->pid},
		{EXAMPLE ".name", &o->name},	  {EXAMPLE ".utime", &o->utime},
		{EXAMPLE ".stime", &o->stime},	  {EXAMPLE ".by_pid.key", &o->node},
		{EXAMPLE ".by_pid.next[0]", &o->next},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const struct location *at = all[i].at;

		if (layout_find(&in->layout, NULL, all[i].path, all[i].at, why) < 0)
			return -1;
		if (i == 0)
			continue;
		if (at->size > 32 || at->address > o->whole.size - 32)
			return complain(why, "%s: not of a size known", all[i].path);
	}
	return 0;
}

/* Return a field that is a number, from a copy of the struct. */
static uint64_t pick(const uint8_t *from, const struct location *at)
{
	uint64_t value = 0;

	memcpy(&value, from + at->address, order_min(at->size, sizeof(value)));
	return value;
}

/* Follow the list, copying each struct whole: its fields are then of one moment. */
int inside_processes(struct inside *in, struct inside_process *list, int max,
		     struct complaint *why)
{
	uint8_t raw[4096];
	struct offsets o;
	uint64_t first;
	uint32_t at;
	int n = 0;

	if (!in->has_layout)
		return complain(why, "its processes are not known, for it is not Gnomon's kernel");
	if (layout_number(&in->layout, in->ram, &first, why, FIRST) < 0)
		return -1;
	at = (uint32_t)first;
	if (at == 0)
		return 0;
	if (process_layout(in, &o, why) < 0)
		return -1;
	if (o.whole.size > sizeof(raw))
		return complain(why, "struct proc: %u bytes", o.whole.size);
	/* A process that has gone meanwhile may lead anywhere, which ram_kernel() refuses. */
	for (; at != 0 && n < max; at = (uint32_t)pick(raw, &o.next), n++) {
		if (ram_kernel(in->ram, at - o.node.address, raw, o.whole.size, why) < 0)
			return -1;
		list[n] = (struct inside_process){
			.pid = (uint32_t)pick(raw, &o.pid),
			.time = pick(raw, &o.utime) + pick(raw, &o.stime),
		};
		memcpy(list[n].name, raw + o.name.address, o.name.size);
		list[n].name[sizeof(list[n].name) - 1] = 0;
	}
	return n;
}
