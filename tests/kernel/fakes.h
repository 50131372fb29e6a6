/* The kernel below files, as far as the files need it, in hosted tests. */
#ifndef TESTS_KERNEL_FAKES_H
#define TESTS_KERNEL_FAKES_H

#include "kernel/dev.h"

extern struct proc fake_proc;	/* whom fake_self points to */
extern unsigned fake_locks;	/* spin locks held now */
extern long fake_allocs_left;	/* allocations that succeed from here on; negative: all */
extern long fake_allocs;	/* blocks and frames in use */
extern size_t fake_frames_free; /* what frame_free_count says */
extern int (*fake_wait)(void);	/* what happens while somebody sleeps; NULL: the test fails */
extern unsigned fake_signals;	/* bits of signals sent to the calling process or its group */
extern char fake_log[1024];	/* what printk printed last */

/* User memory: addresses from FAKE_USER on, FAKE_USER_SIZE bytes. */
#define FAKE_USER 0x1000u
#define FAKE_USER_SIZE 65536u
extern uint8_t fake_user[FAKE_USER_SIZE];

/* Puts a string at the beginning of user memory, after at bytes: its user address. */
uint32_t fake_string(unsigned at, const char *s);

/* The calling process gets a fresh namespace and no files; user uid. */
void fake_start(void);
void fake_end(void);

#endif
