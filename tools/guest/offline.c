/*
 * The hooks of prof/port.h, for a program that looks at tables which a kernel has filled: there
 * are no ticks and no calls, and memory comes from the C library. kgmon(8) in the guest reads
 * memory dumps as gnomon-extract(1) does on the host, so its library has this file too; it
 * includes nothing else of tools/.
 */
#include <stdlib.h>
#include "prof/port.h"

/* Whoever asks is taken for CPU 0. */
unsigned prof_port_cpu(void)
{
	return 0;
}

/* Memory must be zeroed: prof/port.h. */
void *prof_port_alloc(size_t n)
{
	return calloc(1, n);
}

void prof_port_free(void *p)
{
	free(p);
}

/* No other CPU is using the tables. */
void prof_port_quiesce(void)
{
}

/* There are no function entries to patch. */
void prof_port_entries(bool on)
{
	(void)on;
}

/* Nobody counts arcs while we look. */
void prof_port_arcs(unsigned cpu, const struct gmonparam *g)
{
	(void)cpu;
	(void)g;
}

/* No user memory can be read. */
const void *prof_port_user(uint32_t addr)
{
	(void)addr;
	return NULL;
}

/* No stack is walked, so no frame is a trap's. */
enum stack_trap prof_port_trap(const void *frame, size_t room, struct stack_place *at)
{
	(void)frame;
	(void)room;
	(void)at;
	return STACK_AT_NOTHING;
}
