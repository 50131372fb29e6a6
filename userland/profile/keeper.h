/* Kprof, switched on for as long as a program lives. */
#ifndef USERLAND_PROFILE_KEEPER_H
#define USERLAND_PROFILE_KEEPER_H

/*
 * Start kprof(3). If it was off, a process of its own, the keeper, stops it when this program
 * has ended, even if that was killed. End the program with a message if kprof cannot be started.
 */
void keeper_start(void);

/* Let the keeper stop kprof, and wait until it has done so. */
void keeper_end(void);

#endif
