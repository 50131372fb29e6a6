/* The flat profile of a gmon.out, gmon(5), with the names of the program that wrote it. */
#ifndef USERLAND_PROFILE_GMONFLAT_H
#define USERLAND_PROFILE_GMONFLAT_H

/* Print it, or end the program with a message when one of the files is not what it should be. */
void gmonflat(const char *program, const char *file);

#endif
