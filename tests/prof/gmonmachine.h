/* A machine of four CPUs with gmon on it, in a test: its text, its tables, calls and ticks. */
#ifndef TESTS_PROF_GMONMACHINE_H
#define TESTS_PROF_GMONMACHINE_H

#include "tests/prof/machine.h"

#define LO 0xc0100000u
#define TEXT 0x4000u
#define HI (LO + TEXT)
#define CELLS (TEXT / 4)
#define NCPU 4

extern struct prof prof;
extern struct prof_gmon_param _gmonparam; /* CPU 0's */

/* What pictures are taken into. */
extern uint32_t count[CELLS];
extern uint16_t froms[CELLS];
extern struct prof_tostruct *tos;

/* What happens on that CPU. */
void call(unsigned cpu, uint32_t frompc, uint32_t selfpc);
void tick(unsigned cpu, uint32_t pc, enum prof_cause what);

const struct prof_gmon_param *tables(unsigned cpu);

/* Before and after each case. */
int power_on(void **state);
int power_off(void **state);

#define TEST(f) cmocka_unit_test_setup_teardown(f, power_on, power_off)

#endif
