/*
 * The hooks of prof/prof_hooks.h, for a program that looks at tables which a kernel has filled:
 * there are no ticks and no calls, and memory comes from the C library. kgmon(8) in the guest
 * reads memory dumps as gnomon-extract(1) does on the host, so its library has this file too; it
 * includes nothing else of tools/.
 */
#include <stdlib.h>
#include "prof/prof_hooks.h"

/* Whoever asks is taken for CPU 0. */
unsigned prof_hook_cpu(void)
{
	return 0;
}

/* Memory must be zeroed: prof/prof_hooks.h. */
void *prof_hook_alloc(size_t n)
{
	return calloc(1, n);
}

void prof_hook_free(void *p)
{
	free(p);
}

/* No other CPU is using the tables. */
void prof_hook_quiesce(void)
{
}

/* There are no function entries to patch. */
void prof_hook_entries(bool on)
{
	(void)on;
}

/* Nobody counts arcs while we look. */
void prof_hook_arcs(unsigned cpu, const struct prof_gmon_param *g)
{
	(void)cpu;
	(void)g;
}

/* No user memory can be read. */
const void *prof_hook_user(prof_addr addr)
{
	(void)addr;
	return NULL;
}

/* No stack is walked, so no frame is a trap's. */
enum prof_stack_trap prof_hook_trap(const void *frame, size_t room, struct prof_stack_place *at)
{
	(void)frame;
	(void)room;
	(void)at;
	return PROF_STACK_AT_NOTHING;
}
