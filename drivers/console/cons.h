/*
 * The console proper, which #c/cons and #c/consctl serve, and what boot/ connects it to. It is a
 * stream: channel and offset do not matter.
 */
#pragma once

#include "kernel/file/dev.h"

struct picture;

/*
 * Read a line from the console, or, in raw mode, all available bytes, at least one. -EINTR
 * after a signal or ^C. What is typed belongs to the owner; a user reads it through a descriptor
 * that the owner has opened and passed on.
 */
ssize_t cons_read(struct chan *, void *buf, size_t n, uint64_t);

/* Echo and edit typed bytes, then return whether a read would return at once. */
bool cons_readable(void);
void cons_watch(struct chan *, struct watcher *w); /* for what may change that */

/*
 * Write to the console. As long as the calling process has written nothing but text, a
 * newline is sent as return and newline; after any other byte all it writes is sent unchanged.
 */
ssize_t cons_write(struct chan *, const void *buf, size_t n, uint64_t);

/*
 * The console is raw while any channel asks for it; c->aux tells whether c does. For users'
 * channels ^C still interrupts the owner's group.
 */
void cons_raw(struct chan *c, bool on);
/*
 * Set the process group that ^C interrupts for the owner, if the owner calls, or else for users,
 * whose processes alone it then ends; 0: none. -EPERM, -ESRCH if a user could not signal the group.
 */
int cons_set_pgrp(int pgrp);
int cons_show(struct chan *, struct picture *to); /* both settings, as they are for the caller */
void cons_text_again(void);   /* treat the calling process's output as text again */

/* Take n typed bytes, in order, from whatever reads the keyboard, interrupt handler or not. */
void cons_input(const uint8_t *s, size_t n);

/*
 * Connect the console, before anything is written or typed: write sends output, and may sleep.
 * hold(true) makes cons_input()'s caller wait if so much was typed ahead that bytes would
 * be lost; hold(false) lets it continue. cons_input() itself calls hold, too.
 */
void cons_connect(void (*write)(const char *s, size_t n), void (*hold)(bool stop));
