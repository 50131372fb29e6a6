/* The file gmon.out, which gprof reads: gmon(5). It stands alone and needs no hook. */
#pragma once

#include "prof/prof.h"

PROF_BEGIN

#define PROF_GMONOUT_EDAMAGED (-1) /* a list of arcs leads out of the table, or into itself */

int prof_gmonout_head(const struct prof_sink *o);
int prof_gmonout_count(const struct prof_sink *o, const struct prof_gmon_param *g,
		       const uint32_t *kcount);
int prof_gmonout_arcs(const struct prof_sink *o, const struct prof_gmon_param *g,
		      const uint16_t *froms, const struct prof_tostruct *tos);

PROF_END
