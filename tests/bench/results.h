/*
 * What make bench has measured. A run is a JSON object:
 *
 *	facts	what was measured, when and with what: strings by name
 *	rows	objects: group, name, value, unit, exact (the same each time it is measured),
 *		peers (names and their values), and where there is a target: relation ("<="
 *		or ">="), target and ok
 *	profiles objects, each a profile compared with what ran: name, machine, what, judged (or
 *		only shown), samples, distance, expected (the distance that chance gives), ratio,
 *		p and chi2 (the probabilities of such a distance, and of such a chi-square), most
 *		(by how many standard errors the worst thing is off), where (that thing), ran
 *		(how many things did), and ok
 *	counts	objects, each of something counted and not sampled: name, machine, what, things,
 *		truth, counted, lost and wrong
 *	plots	objects: title, x and y (what the axes are) and lines, by name lists of [x, y]
 */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <jansson.h>
#include <stdio.h>

/* End the program with a message that names the file, and what is wrong with it. */
void die(const char *file, const char *why) __attribute__((noreturn));

const char *text_of(const json_t *object, const char *key); /* "" if there is none */
double number_of(const json_t *object, const char *key);
void put_html(FILE *to, const char *s);

json_t *records_read(const char *path);		 /* from the lines that tests/bench/run writes */
int table_print(FILE *to, const json_t *run);	 /* the number of targets missed */
void truth_judge(json_t *run); /* set each profile's ok; add rows about all */
void truth_print(FILE *to, const json_t *run);	 /* all profiles and counts, a line each */
void truth_page(FILE *to, const json_t *run);	 /* the same in HTML, with a plot */
const char *truth_verdict(const json_t *profile);
void page_print(FILE *to, const json_t *run);	 /* HTML, with plots in it */
void diff_print(FILE *to, const json_t *before, const json_t *after);

#endif
