/*
 * What the machine code cannot say of a kernel's stacks, in a text file. A line is a word and its
 * arguments; # begins a comment, and a line that begins with a blank goes on with the one before.
 *
 *	calls FUNCTION TO...	FUNCTION (of the source, inlined or not) calls through a pointer,
 *				which leads to TO: a field (STRUCT.MEMBER, or a variable), a
 *				function, or the word "callers": what the functions that call
 *				FUNCTION pass to it. Nothing: the call ends in none of the kernel's
 *				functions.
 *	holds FIELD FUNCTION...	code puts these functions in the field
 *	pads FUNCTION...	what the pads at the beginning of functions may call
 *	switches FUNCTION...	these set the stack pointer to another stack
 *	ends FUNCTION...	calls of these end the machine, and are left out of all paths; what
 *				they need is in a stack as an entry
 *	ignore FUNCTION...	their addresses are taken, but not to be called by the kernel
 *	recursion FUNCTION N REASON
 *				FUNCTION is active at most N times at once on a stack
 *	entry NAME BYTES FUNCTION [CALLER:TO[,TO]...]...
 *				the kernel is entered at FUNCTION with BYTES on the stack; there
 *				CALLER's calls lead to nothing but TO
 *	traps FUNCTION ENTRY	that entry, of a line above, may come on top of FUNCTION
 *	stack NAME BYTES LEFT ENTRY...
 *				a stack, of which LEFT bytes must remain when these entries have
 *				come one on top of the other
 *	each ENTRY FUNCTION	the report has ten paths from ENTRY, by what FUNCTION calls
 */
#ifndef TOOLS_DEPTH_RULES_H
#define TOOLS_DEPTH_RULES_H

#include <stddef.h>
#include "tools/complaint.h"

enum rule_kind {
	RULE_CALLS, RULE_HOLDS, RULE_PADS, RULE_SWITCHES, RULE_ENDS, RULE_IGNORE, RULE_RECURSION,
	RULE_ENTRY, RULE_TRAPS, RULE_STACK, RULE_EACH,
};

struct rule {
	enum rule_kind kind;
	unsigned line; /* in the file, where it begins */
	char **word; /* without the first; NULL-terminated */
	size_t n, room;
};

struct rules {
	const char *path; /* as it was given */
	char *text;	  /* of the file; words lie in it */
	struct rule *rule;
	size_t n, room;
};

/*
 * Read a file. Return 0, or -1 and *why, with the line: a word that no rule begins with, too few
 * words, or no number where there must be one. Whether names mean anything is for graph.h.
 */
int rules_read(struct rules *r, const char *path, struct complaint *why);
void rules_free(struct rules *r);

#endif
