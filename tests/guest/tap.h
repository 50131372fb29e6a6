/* Tests that run inside: each case in a process of its own, results printed as TAP. */
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

/* Runs all cases; the program's exit status: 0 when none failed. */
int tap_run(const struct tap_case *c, size_t n);

/* Ends the case as failed, with the place, unless the condition holds. In its children too. */
#define must(cond) ((cond) ? (void)0 : tap_fail(__FILE__, __LINE__, #cond))

/* The call must give -1 and that errno. */
#define must_fail(call, err) must((call) == -1 && errno == (err))

void tap_fail(const char *file, int line, const char *what) __attribute__((noreturn));
void tap_skip(const char *why) __attribute__((noreturn)); /* ends the case as not applicable */

/* Runs fn(arg) in a child: its wait status, which is 0 when fn returned. */
int tap_status(void (*fn)(uintptr_t arg), uintptr_t arg);
void tap_join(pid_t pid); /* that child must end with status 0 */

/* Run fn(0) to fn(n - 1) in n children at the same time; each must end with status 0. */
void tap_together(int n, void (*fn)(uintptr_t i));

/* Run the program argv[0], its output discarded; it must end with status 0. */
void tap_program(char *const argv[]);

pid_t tap_sleeper(void);	/* a child that sleeps until it is killed */
void tap_finish(pid_t pid); /* kills a child and takes its status */
void tap_sleep(int ms);

/* Runs fn in a child as the user none; must end well. */
void tap_as_none(void (*fn)(void));

/* The whole small file, as a string in a static buffer; the case fails if it cannot be read. */
const char *tap_read(const char *path);
void tap_write(const char *path, const char *text); /* makes the file, mode 0644 */

/* Writes words to a file that takes messages, in one piece: 0, or -1 and errno. */
int tap_say(const char *path, const char *words);

bool tap_exists(const char *path);
bool tap_remove(const char *path); /* a file, or a directory with all that is in it */

int64_t tap_now(void); /* monotonic time, ns */
void tap_spin(int ms);	 /* be busy in user mode, but for looks at the clock */
void tap_call(int ms);	 /* be busy with system calls */

int kpctl(const char *words); /* tap_say() to /dev/kpctl */
uint32_t kpdata_head(int i);  /* number i of kpdata(5), in the byte order of this machine */

/* The next number of 24 bits in a row that looks random; the same row from the same state. */
uint32_t tap_random(uint32_t *state);

/* The processor's feature bit: of CPUID leaf's register 0 (ebx), 1 (ecx) or 2 (edx). */
bool tap_cpu_has(uint32_t leaf, int reg, int bit);

/* How many processors there are. */
int tap_processors(void);

/* Skip the case on several processors: an emulator loses ticks there, so none can be counted. */
void tap_exact(void);

/* Memory that a program could still get, in pages. */
size_t tap_memory_left(void);

/*
 * Whether as much as before, but for some pages, can be got again. What other processors
 * hold for a moment, buffers and the dead, is waited for.
 */
bool tap_memory_back(size_t before, size_t but);

#endif
