/* How paths look as text: what prof_stackout.c shares with prof_trace.c. */
#pragma once

#include "prof/prof_stacktable.h"
#include "prof/prof_text.h"

/* Write an entry's name; or its whole path, with what that is as its second step. */
void prof_stackout_name(struct prof_text *t, const prof_addr *e);
void prof_stackout_path(struct prof_text *t, const prof_addr *e, enum prof_cause what,
			uint32_t digits);

/*
 * Return whether there is a whole entry at that place of the CPU's table. All are, unless something
 * has written there that must not; a reader then says so, and goes no further.
 */
bool prof_stackout_sound(const struct prof_stacks *k, unsigned cpu, uint32_t at);
