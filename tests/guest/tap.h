/* Tests that run in the guest: each case in a process of its own, results printed as TAP. */
#ifndef TESTS_GUEST_TAP_H
#define TESTS_GUEST_TAP_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

/* A case passes when fn returns. It starts in an empty directory and a namespace of its own. */
struct tap_case {
	const char *name;
	void (*fn)(void);
};

/* Run all cases; return the program's exit status, 0 if none failed. */
int tap_run(const struct tap_case *c, size_t n);

/* The current directory, by a path that is too long for the kernel's stack. */
#define TAP_DOTS "././././././././././././././././"
#define TAP_HERE TAP_DOTS TAP_DOTS TAP_DOTS TAP_DOTS

/* End the case as failed, with the place, unless the condition holds; also in its children. */
#define must(cond) ((cond) ? (void)0 : tap_fail(__FILE__, __LINE__, #cond))

/* The call must return -1 with this errno. */
#define must_fail(call, err) must((call) == -1 && errno == (err))

void tap_fail(const char *file, int line, const char *what) __attribute__((noreturn));
void tap_skip(const char *why) __attribute__((noreturn)); /* ends the case as not applicable */

/* Run fn(arg) in a child; return its wait status, which is 0 if fn returned. */
int tap_status(void (*fn)(uintptr_t arg), uintptr_t arg);
void tap_join(pid_t pid); /* that child must end with status 0 */

/* Run fn(0) to fn(n - 1) in n children at the same time; each must end with status 0. */
void tap_together(int n, void (*fn)(uintptr_t i));

/* Run the program argv[0], its output discarded; it must end with status 0. */
void tap_program(char *const argv[]);

pid_t tap_sleeper(void);	/* a child that sleeps until it is killed */
void tap_finish(pid_t pid); /* kills a child and takes its status */
void tap_sleep(int ms);

/* Run fn in a child as the user none; it must return. */
void tap_as_none(void (*fn)(void));

/* Read a whole file into text, as a string; it must be readable, and fit. */
void tap_load(const char *path, char *text, size_t size);
/* Return a whole small file, as a string in a static buffer; it must be readable. */
const char *tap_read(const char *path);
void tap_write(const char *path, const char *text); /* makes the file, mode 0644 */

/* Write words in one piece to a file that takes messages; return 0, or -1 and errno. */
int tap_say(const char *path, const char *words);

bool tap_exists(const char *path);
bool tap_remove(const char *path); /* a file, or a directory with all that is in it */

int64_t tap_now(void); /* monotonic time, ns */
void tap_spin(int ms);	 /* be busy in user mode, but for looks at the clock */
void tap_call(int ms);	 /* be busy with system calls */

int kpctl(const char *words); /* tap_say() to /dev/kpctl */
uint32_t kpdata_head(int i);  /* number i of kpdata(5), in the byte order of this machine */

/* Return the next of a series of pseudo-random numbers of 24 bits, which starts from *state. */
uint32_t tap_random(uint32_t *state);

/* Return a bit of what CPUID gives for leaf, in register ebx (0), ecx (1) or edx (2). */
bool tap_cpu_has(uint32_t leaf, int reg, int bit);

/* Return the number of processors. */
int tap_processors(void);

/* Skip the case on several processors: an emulator loses ticks there, so none can be counted. */
void tap_exact(void);

/* Return whether this is the checking kernel, which is slow; the caller is eve. */
bool tap_checking(void);

/* Return how many pages of memory a program could still get. */
size_t tap_memory_left(void);

/*
 * Whether as much as before, but for some pages, can be got again. What other processors
 * hold for a moment, buffers and the dead, is waited for.
 */
bool tap_memory_back(size_t before, size_t but);

#endif
