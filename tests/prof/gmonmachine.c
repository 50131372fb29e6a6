/* A machine with gmon on it: see gmonmachine.h. */
#include "tests/prof/gmonmachine.h"
#include "tests/test.h"

struct prof prof;
struct prof_gmon_param _gmonparam;
uint32_t count[CELLS];
uint16_t froms[CELLS];
struct prof_tostruct *tos;

int power_on(void **state)
{
	machine_reset();
	prof = (struct prof){0};
	assert_true(prof_gmon_init(&prof, LO, HI, NCPU, &_gmonparam));
	prof_period(&prof, 1000);
	tos = calloc(NCPU, _gmonparam.tossize);
	return 0;
}

int power_off(void **state)
{
	prof_gmon_stop(&prof, PROF_GMON_ALL);
	machine_reset();
	free(tos);
	return 0;
}

void call(unsigned cpu, uint32_t frompc, uint32_t selfpc)
{
	machine_cpu = cpu;
	prof_mcount(frompc, selfpc);
}

void tick(unsigned cpu, uint32_t pc, enum prof_cause what)
{
	struct prof_sample s = {.cpu = cpu, .at.pc = pc, .what = what};

	machine_tick(&prof, &s);
}

const struct prof_gmon_param *tables(unsigned cpu)
{
	return prof.gmon.cpu[cpu].param;
}
