/* What this kernel is made of, where another could be made of something else. */
#pragma once

#include "kernel/sched/clock.h"
#include "kernel/file/dev.h"

extern const struct dev *const devtab[];
extern const unsigned devtab_count;

/* The profilers get their clock, which is not the system clock; it is not running yet. */
void profilers_clock(const struct timer *t, const char *why);
