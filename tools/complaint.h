/*
 * Why something failed, in words for the user. Who finds the fault writes it down; it is printed
 * once, by the command, after its name. So functions here have no numbers for errors: they return
 * -1, or NULL, and *why has the reason then.
 */
#ifndef TOOLS_COMPLAINT_H
#define TOOLS_COMPLAINT_H

struct complaint {
	char text[1024];
};

/*
 * Keep a formatted message, without a newline; what does not fit is cut off. What a file says in it
 * is shown as by printable(). Always return -1, for `return complain(...)`.
 */
int complain(struct complaint *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Keep "WHAT: ", followed by what errno means. Always return -1. */
int complain_errno(struct complaint *c, const char *what);

#endif
