/* The console proper, behind #c/cons and #c/consctl, and what boot/ makes it of. */
#ifndef DRIVERS_CONSOLE_CONS_H
#define DRIVERS_CONSOLE_CONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernel/dev.h"

/*
 * A read of the console: a line, or with raw mode what there is, at least a byte.
 * -EINTR after a signal or ^C.
 */
ssize_t cons_read(void *buf, size_t n);

/* Whether a read would return at once. What was typed is echoed and edited first. */
bool cons_readable(void);

/*
 * A write. A newline is sent as return and newline as long as the calling process
 * has written nothing but text; what comes from a process that once wrote another
 * byte is sent as it is.
 */
ssize_t cons_write(const void *buf, size_t n);

void cons_raw(bool on);	     /* counted: raw while more were on than off */
void cons_state(bool *raw, int *pgrp); /* what is set */
void cons_set_pgrp(int pgrp); /* whom ^C interrupts; 0: nobody */
void cons_text_again(void);  /* what the calling process writes counts as text again */

/* From the keyboard's driver, interrupt handler or not, in order: n bytes were typed. */
void cons_input(const uint8_t *s, size_t n);

/*
 * Who sends the console's output; it may sleep. Until this is called output is dropped.
 * And how to make cons_input()'s caller wait when so much was typed ahead that bytes
 * would be lost: true stops it, false lets it go on. Called from cons_input() too.
 */
void cons_connect(void (*write)(const char *s, size_t n), void (*hold)(bool stop));

#endif
