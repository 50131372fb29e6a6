/* What ticks and waits both have to know of stacks (stack.c). */
#pragma once

#include "kernel/process/proc.h"
#include "prof/prof.h"

/*
 * Return the return address at a function's edge in the program, or 0, but do not look at what
 * crosses a page.
 */
uint32_t stack_user_ret(uint32_t pc, uint32_t sp);

/* Say whose path it is. */
static inline void stack_name(struct prof_sample *s, const struct proc *p)
{
	s->pid = (uint32_t)p->pid;
	s->entered = (uint32_t)p->utime; /* trap_user() adds to it each time */
	s->name = p->name;
	s->named = p->prof.named;
	s->others = p->payer == PAYER_OTHERS;
}
