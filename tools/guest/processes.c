/* The processes of a guest: inside_processes() of inside.h. */
#include <string.h>
#include "tools/guest/inside.h"
#include "tools/order.h"
#include "tools/printable.h"

/* The first node of the list of all processes, and a pointer to some process. */
#define FIRST "kernel/process/proc.c:by_pid.head.next[0]"
#define EXAMPLE "kernel/machine/cpu.c:cpus[0].idle"
#define START "kernel/machine/time.c:clock.t.start"
#define CLOCK "kernel/machine/cpu.c:cpus[0].ticked"

/* Where a struct proc has its fields, offsets from its beginning, and their sizes. */
struct offsets {
	struct location whole, pid, name, cputime, node, next;
};

/* Ask the debugging information, by way of a pointer to some process. */
static int process_layout(struct inside *in, struct offsets *o, struct complaint *why)
{
	const struct {
		const char *path;
		struct location *at;
	} all[] = {
		{EXAMPLE "[0]", &o->whole},	  {EXAMPLE ".pid", &o->pid},
		{EXAMPLE ".name", &o->name},	     {EXAMPLE ".cputime", &o->cputime},
		{EXAMPLE ".by_pid.key", &o->node},   {EXAMPLE ".by_pid.next[0]", &o->next},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const struct location *at = all[i].at;
		uint64_t end;

		if (layout_find(&in->layout, NULL, all[i].path, all[i].at, why) < 0)
			return -1;
		if (i == 0)
			continue;
		end = at->address + at->size;
		if (at->size > 32 || end > o->whole.size || end < at->size)
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

/* Find the time in cycles when CPU 0's clock interrupted last, which it does each 10 ms. */
static int process_clock(struct inside *in, uint64_t *now, struct complaint *why)
{
	uint64_t start, ns;
	uint32_t khz;

	if (layout_number(&in->layout, in->ram, &start, why, START) < 0)
		return -1;
	if (layout_number(&in->layout, in->ram, &ns, why, CLOCK) < 0)
		return -1;
	if (inside_khz(in, &khz, why) < 0)
		return -1;
	*now = start + ns / 1000000 * khz + ns % 1000000 * khz / 1000000;
	return 0;
}

/* Return a process's time: the sum is negative, by when it was given its CPU, while it has one. */
static uint64_t process_time(uint64_t sum, uint64_t now)
{
	if (sum >> 63)
		sum += now;
	return sum >> 63 ? 0 : sum;
}

/* Follow the list, copying each struct whole: its fields are then of one moment. */
int inside_processes(struct inside *in, struct inside_process *list, int max,
		     struct complaint *why)
{
	uint8_t raw[4096];
	char name[32] = "";
	struct offsets o;
	uint64_t first, now;
	uint32_t at;
	int n = 0;

	if (!in->has_layout)
		return complain(why, "its processes are not known, for it is not Gnomon's kernel");
	if (layout_number(&in->layout, in->ram, &first, why, FIRST) < 0)
		return -1;
	at = (uint32_t)first;
	if (at == 0)
		return 0;
	if (process_layout(in, &o, why) < 0 || process_clock(in, &now, why) < 0)
		return -1;
	if (o.whole.size > sizeof(raw))
		return complain(why, "struct proc: %u bytes", o.whole.size);
	/* A process that has gone meanwhile may lead anywhere, which ram_kernel() refuses. */
	for (; at != 0 && n < max; at = (uint32_t)pick(raw, &o.next), n++) {
		if (ram_kernel(in->ram, at - o.node.address, raw, o.whole.size, why) < 0)
			return -1;
		list[n] = (struct inside_process){
			.pid = (uint32_t)pick(raw, &o.pid),
			.time = process_time(pick(raw, &o.cputime), now),
		};
		memcpy(name, raw + o.name.address, o.name.size);
		name[sizeof(name) - 1] = 0;
		printable_cut(list[n].name, sizeof(list[n].name), name);
	}
	return n;
}
