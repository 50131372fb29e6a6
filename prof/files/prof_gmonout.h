/* The file gmon.out, which gprof reads: gmon(5). It stands alone and needs no hook. */
#ifndef PROF_FILES_GMONOUT_H
#define PROF_FILES_GMONOUT_H

#include "prof/prof_gmon.h"

/* The sink: write() returns 0, or an error number, which the functions below then return. */
struct prof_gmonout {
	int (*write)(void *arg, const void *data, size_t n);
	void *arg;
};

#define PROF_GMONOUT_EDAMAGED (-1) /* a list of arcs leads out of the table, or into itself */

int prof_gmonout_head(const struct prof_gmonout *o);
int prof_gmonout_count(const struct prof_gmonout *o, const struct prof_gmon_param *g,
		       const uint32_t *kcount);
int prof_gmonout_arcs(const struct prof_gmonout *o, const struct prof_gmon_param *g,
		      const uint16_t *froms, const struct prof_tostruct *tos);

#endif
