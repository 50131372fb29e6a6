/*
 * The profilers: a library that knows no kernel. What it needs of one is in prof_hooks.h; what it
 * offers is here and in the headers included here, one for each profiler. prof(9) describes it.
 *
 * State belongs to the caller: one struct prof, zero at first. Only prof_mcount(), which the
 * compiler's calls reach without an argument, has a global, prof_entered. Ranges are half-open.
 *
 * Every CPU writes counters of its own and nobody else's. A total is a sum that a
 * reader makes, so no lock and no bus lock is on the way of a tick or of a call.
 *
 * Ticks and calls may come at any time. All other functions are for thread context,
 * and one at a time: their caller holds a lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "prof/prof_config.h"

PROF_BEGIN
#include "prof/prof_call.h"
#include "prof/prof_gmon.h"
#include "prof/prof_kprof.h"
#include "prof/prof_module.h"
#include "prof/prof_prf.h"
#include "prof/prof_profil.h"
#include "prof/prof_stack.h"
#include "prof/prof_trace.h"

/* Bits of prof.on. */
#define PROF_KPROF 1u
#define PROF_GMON 2u
#define PROF_PRF 4u
#define PROF_PROFIL 8u
#define PROF_MODULE 16u
#define PROF_STACK 32u
#define PROF_WAIT 64u	/* gets no ticks: who calls prof_stack_wait() looks at it */
#define PROF_TRACE 128u /* the same of prof_trace_tick() */
#define PROF_CALLS 256u /* none either: functions call prof_call_enter() */
#define PROF_REPLACED 512u /* no profiler: return addresses are replaced, for that one */
#define PROF_HEAP 1024u /* none: what PROF_MODULE counts of memory, by path */

/* Those that a sample is made for. */
#define PROF_SAMPLED (PROF_GMON | PROF_PROFIL | PROF_MODULE | PROF_STACK)

/* Paths of calls, all that is counted of them. */
#define PROF_PATHS (PROF_STACK | PROF_WAIT | PROF_TRACE)

struct prof {
	uint32_t on; /* which profilers are on; prof_switch() changes it */
	uint32_t us; /* length of a tick; atomic */
	struct prof_kprof kprof;
	struct prof_gmon gmon;
	struct prof_prf prf;
	struct prof_modules module;
	uint32_t only; /* whose paths are counted: a pid, or PROF_STACK_EVERY; atomic */
	struct prof_stacks stack, wait, heap;
	struct prof_trace trace;
	struct prof_calls call;
};

#include "prof/prof_profilers.h" /* prof_start(), prof_stop(), prof_clear(), prof_period() */
#include "prof/prof_tick.h"	 /* prof_tick(), prof_sample(), prof_running(), prof_wants() */
PROF_END
