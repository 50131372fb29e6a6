/*
 * What make bench has measured. A run is a JSON object:
 *
 *	facts	what was measured, when and with what: strings by name
 *	rows	objects: group, name, value, unit, exact (the same each time it is measured),
 *		peers (names and their values), and where there is a target: relation ("<="
 *		or ">="), target and ok
 *	plots	objects: title, x and y (what the axes are) and lines, by name lists of [x, y]
 */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <jansson.h>
#include <stdio.h>

/* Ends the program: what is wrong, and with which file. */
void die(const char *file, const char *why) __attribute__((noreturn));

const char *text_of(const json_t *object, const char *key); /* "" where there is none */
double number_of(const json_t *object, const char *key);

json_t *records_read(const char *path);		 /* from the lines that tests/bench/run writes */
int table_print(FILE *to, const json_t *run);	 /* the number of targets missed */
void page_print(FILE *to, const json_t *run);	 /* HTML, with plots in it */
void diff_print(FILE *to, const json_t *before, const json_t *after);

#endif
