/* B8's engine and what operations share: tests/guest/failing.c has the rest. */
#ifndef TESTS_GUEST_FAILING_H
#define TESTS_GUEST_FAILING_H

extern const char *path;	/* what an operation is done with */
extern void (*undo)(void);	/* undoes one that succeeded */
void walk(int (*op)(void));	/* all rounds of an operation */
int do_fork(void);
int do_read(void); /* the file or directory `path` to its end */

/* The profilers' cases: failingprofilers.c. */
void B8_profil(void), B8_kprof(void), B8_kpstack(void), B8_kpwait(void),
	B8_gmon(void), B8_modules(void), B8_coverage(void), B8_memory(void),
	B8_prf(void);

void B8_links(void); /* failinglinks.c */

#endif
