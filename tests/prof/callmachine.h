/* A machine that measures calls, in a test: its threads have arrays for stacks; and its clock. */
#ifndef TESTS_PROF_CALLMACHINE_H
#define TESTS_PROF_CALLMACHINE_H

#include "tests/prof/machine.h"

#define BACK 0xb000u /* the code that return addresses are replaced by */
#define WORDS 512

struct thread {
	prof_addr stack[WORDS];
	unsigned sp; /* of the last word in use */
	struct prof_call_stack calls;
};

extern struct prof prof;
extern struct thread threads[2], *self; /* self runs */
extern uint64_t now;

/* Make a thread one that has called nothing. */
void thread_begin(struct thread *t);

/* That thread runs from now on. */
void run(struct thread *t);

/* Begin with so many CPUs, whose clock is at a million, and with the first thread. */
void begin(unsigned ncpu);

/* Call a function from that place; jump to one at the end of another; return, to the result. */
void call(prof_addr from, prof_addr function);
void jump(prof_addr function);
prof_addr ret(void);

/* Return what the CPU has counted, or another CPU, of a pair; no calls: there is no such pair. */
struct prof_call_cpu *cpu(void);
const struct prof_call_arc *arc(prof_addr from, prof_addr function);
const struct prof_call_arc *arc_of(unsigned n, prof_addr from, prof_addr function);

/* Return how many calls of a pair there were, and the time in its function itself. */
uint64_t number(const struct prof_call_arc *a);
uint64_t own_of(const struct prof_call_arc *a);

/* Return the same of all pairs and CPUs; and the time of calls that no measured one had made. */
uint64_t own(void);
uint64_t inside(void);

/* Before and after each case. */
int power_on(void **state);
int power_off(void **state);

#endif
