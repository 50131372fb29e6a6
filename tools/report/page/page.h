/*
 * The page for browsers, which is made by `make` in this folder when gnomon is built, and what
 * those who put data into it share. The data are an array of profiles, of which the page shows one
 * at a time:
 *
 *	{"title": FILE, "unit": "ticks", "total": [COUNT], "paths": BOOL, "processes": BOOL,
 *	 "root": BOOL, "inlined": BOOL,
 *	 "facts": [[WHAT, VALUE]],
 *	 "functions": [{"name": NAME, "image": IMAGE, "self": [COUNT], "all": [COUNT],
 *	                "idle": BOOL, "inlined": BOOL, "where": "FILE:LINE",
 *	                "memory": [BLOCKS, BYTES, BLOCKS],
 *	                "source": [[LINE, COUNT, TEXT, RUNS], ...],
 *	                "code": [[ADDRESS, COUNT, TEXT], ...],
 *	                "callers": [[ROW, NAME, COUNT, CALLS], ...], "callees": [...],
 *	                "times": {"calls": N, "mean": US, "shortest": US, "longest": US,
 *	                          "asleep": US, "spans": [[FROM, N], ...]}}, ...],
 *	 "lines": {"rows": [{"file": FILE, "line": LINE, "function": NAME, "image": IMAGE,
 *	                     "row": ROW, "text": TEXT, "by": [GROUP, COUNT, ...],
 *	                     "shared": BOOL, "idle": BOOL, "runs": RUNS}, ...],
 *	           "groups": [[PROCESS, MODE], ...], "apart": [{...}, ...], "left": N,
 *	           "missing": [TEXT, ...]},
 *	 "names": [NAME, ...], "tree": {...}, "trace": {...}}
 *
 * Where two profiles are compared, [COUNT] has A's and B's. tree.h tells what "tree" is; its labels
 * are indices into "functions" and, from its end on, into "names". If "processes" is true, its
 * first level has their names, and the next one has modes; if "root" is, all paths begin with one
 * function after that. If "inlined" is, inlined functions stand for themselves, with rows of their
 * own; else they are part of those that they are in. A ROW is an index into "functions", or -1 if
 * it has only the NAME, which is "" otherwise. A count is text where it ends with REPORT_SHARED. If
 * source and code cannot be read, "missing" says why. In a comparison of samples a function has
 * "z", and "error", the standard error of its difference in the table's unit; "sure" tells that
 * chance hardly explains it. CALLS is 0 if only paths are known; without them and arcs there are no
 * relatives.
 * Of memory a function has blocks in use, and bytes and blocks in all; what is not known is null.
 * How often a line ran is known of counts of instructions only, and RUNS is missing elsewhere.
 * Only durations of calls have "times": a span is from so many microseconds up to twice as many.
 *
 * Lines of the source are those on which most was counted, after which N are left out. The ROW
 * whose source has a line is that of a function, or, from the number of these on, an element of
 * "apart", with the members of functions but "code"; in no source it has a TEXT of its own.
 * Counts are by process and mode, as far as processes can be chosen. There are no "lines" where two
 * profiles are compared. "missing" says why some are not known.
 *
 * Only a time line has a trace that is not null:
 *
 *	{"cpus": [[CPU, RECORDS, TIME, LOST], ...], "processes": [[PID, NAME], ...],
 *	 "time": [...], "process": [...], "at": [...], "line": [...], "tick": US, "unit": UNIT,
 *	 "waits": [RECORD, MODE, ...], "reach": [PROCESS, LEFT, RUNS, MODE, ...], "end": TIME,
 *	 "woken": [CPU, TIME, PID, ...],
 *	 "marks": [[TIME, CPU, PID, TEXT], ...]}
 *
 * Its records are CPU by CPU; the first one of each was at TIME, after LOST others that are not
 * there, and "time" is in microseconds since the one before. "process" is an index, and "at" the
 * node of the tree where the path of the tick ends, or -1: from then on the CPU runs that process.
 * "line" is an index into the rows of lines, or -1.
 * "waits" tells of records from which a process runs what it had waited for, as an index into
 * MODES, and "woken" at which time what ran on a CPU woke a process. "reach" tells of processes
 * that did not run at an edge of the part that was chosen since when and until when that was, and
 * what they waited for, -1 if they were ready. "end" is when that part ends; 0: with the last
 * record.
 * "marks" are moments to which processes have given a name.
 * If the UNIT is no "ticks", times are numbers of these instead, "instructions" or "nanoseconds",
 * and a record tells which path is run up to the CPU's next one. Processes of "instructions" have
 * no numbers.
 */
#ifndef TOOLS_REPORT_PAGE_PAGE_H
#define TOOLS_REPORT_PAGE_PAGE_H

#include <jansson.h>
#include "tools/complaint.h"
#include "tools/profile/profdata.h"
#include "tools/report/page/tree.h"

/* What a page has room for, if it is to be open in two seconds; its profiles share that. */
#define PAGE_PERCENT 0.01    /* smaller frames are folded */
#define PAGE_FRAMES 100000   /* of the tree */
#define PAGE_FUNCTIONS 4000  /* rows of the table */
#define PAGE_TEXT 2000000    /* bytes of source and code */
#define PAGE_RELATIVES 300000 /* bytes of callers and callees */
#define PAGE_RECORDS 100000  /* of the time line */
#define PAGE_LINES 500       /* rows of the table of lines */
#define PAGE_PARTS 20000     /* what processes and modes have on these lines */

/* Write the page with an array of profiles, which is freed. Return 0, or -1 and *why. */
int page_write(const char *path, json_t *profiles, struct complaint *why);

/*
 * Give the labels of a tree from `rows` to below `most` places in the page's "names", in the order
 * in which they are met, and return these names; name() tells a label's.
 */
json_t *page_names(struct tree *t, uint32_t rows, uint32_t most,
		   const char *(*name)(const void *arg, uint32_t label), const void *arg);

/* Return a text as JSON, as it is shown by printable(). */
json_t *page_text(const char *text);

/* Return a count as JSON, whose integers end below 2^63. */
json_t *page_count(uint64_t count);

/* Return a count with its unit, as text that the caller frees: "937 ticks", "1.250 s". */
char *page_amount(uint64_t count, enum profdata_unit unit);

/* Append [what, value] to what is said above the picture, and free the value. */
void page_fact(json_t *facts, const char *what, char *value);

/* Say how much of a tree is folded, if anything is. */
void page_fact_folded(json_t *facts, const struct tree *t);

#endif
