/* The file gmon.out, which gprof reads: gmon(5). It stands alone and needs no hook. */
#ifndef PROF_FILES_GMONOUT_H
#define PROF_FILES_GMONOUT_H

#include "prof/gmon.h"

/* The sink: write() returns 0, or an error number, which the functions below then return. */
struct gmonout {
	int (*write)(void *arg, const void *data, size_t n);
	void *arg;
};

#define GMONOUT_EDAMAGED (-1) /* a list of arcs leads out of the table, or into itself */

int gmonout_head(const struct gmonout *o);
int gmonout_count(const struct gmonout *o, const struct gmonparam *g, const uint32_t *kcount);
int gmonout_arcs(const struct gmonout *o, const struct gmonparam *g, const uint16_t *froms,
		 const struct tostruct *tos);

#endif
