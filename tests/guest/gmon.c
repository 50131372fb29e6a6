/* gmon(4), by its variables: G1, G2, G5-G9, on however many CPUs there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "prof/prof.h"
#include "tests/guest/tap.h"

#define ALL "kern.profiling."
#define KTZERO 0xc0100000u

static const char *const last[] = {"state", "count", "froms", "tos", "gmonparam"};

/* Return the full name of a CPU's variable, or of that for all CPUs if cpu is -1. */
static const char *name_of(int cpu, const char *variable)
{
	static char name[64];

	if (cpu < 0)
		snprintf(name, sizeof(name), ALL "%s", variable);
	else
		snprintf(name, sizeof(name), ALL "percpu.cpu%d.%s", cpu, variable);
	return name;
}

static int cpus(void)
{
	int n = 0;

	while (sysctlbyname(name_of(n, "state"), NULL, NULL, NULL, 0) == 0)
		n++;
	must(n >= 1 && n <= PROF_MAXCPU);
	return n;
}

static void get(const char *name, void *value, size_t size)
{
	size_t n = size;

	must(sysctlbyname(name, value, &n, NULL, 0) == 0);
	must(n == size);
}

static int set(const char *name, const void *value, size_t n)
{
	return sysctlbyname(name, NULL, NULL, value, n);
}

static int state(int cpu)
{
	int32_t v;

	get(name_of(cpu, "state"), &v, sizeof(v));
	return v;
}

static void set_state(int cpu, int32_t v)
{
	must(set(name_of(cpu, "state"), &v, sizeof(v)) == 0);
}

static struct prof_gmon_param param(int cpu)
{
	struct prof_gmon_param g;

	get(name_of(cpu, "gmonparam"), &g, sizeof(g));
	return g;
}

static void reset(int cpu)
{
	uint32_t zero = 0;

	must(set(name_of(cpu, "count"), &zero, sizeof(zero)) == 0);
	must(set(name_of(cpu, "tos"), &zero, sizeof(zero)) == 0);
}

/* Turn everything off and empty it. */
static void begin(void)
{
	set_state(-1, PROF_GMON_OFF);
	reset(-1);
}

/* Return the calls counted by a CPU, or by all for -1; check that every list is in order. */
static uint64_t arcs(int cpu)
{
	struct prof_gmon_param g = param(cpu);
	uint16_t *froms = malloc(g.fromssize);
	struct prof_tostruct *tos = malloc(g.tossize);
	uint32_t seen = 0;
	uint64_t sum = 0;

	must(froms && tos);
	get(name_of(cpu, "froms"), froms, g.fromssize);
	get(name_of(cpu, "tos"), tos, g.tossize);
	for (uint32_t i = 0; i < g.fromssize / 2; i++) {
		for (uint32_t at = froms[i]; at; at = tos[at].link) {
			must(at <= tos[0].link && ++seen <= tos[0].link);
			must(tos[at].selfpc >= g.lowpc && tos[at].selfpc < g.highpc);
			sum += tos[at].count;
		}
	}
	must(seen == tos[0].link && tos[0].link < g.tolimit);
	free(froms);
	free(tos);
	return sum;
}

/* Return the ticks counted by a CPU, or by all for -1. */
static uint64_t ticks(int cpu)
{
	struct prof_gmon_param g = param(cpu);
	uint32_t *count = malloc(g.kcountsize);
	uint64_t sum = 0;

	must(count);
	get(name_of(cpu, "count"), count, g.kcountsize);
	for (uint32_t i = 0; i < g.kcountsize / 4; i++)
		sum += count[i];
	free(count);
	return sum;
}

static void check_sizes(int cpu, uint32_t cpus_in_it)
{
	struct prof_gmon_param g = param(cpu);
	uint32_t arcs_of_one = g.textsize * 2 / 100;

	must(g.lowpc == KTZERO && g.highpc % 4 == 0 && g.textsize == g.highpc - g.lowpc);
	must(g.hashfraction == 2 && g.profrate == 1000);
	must(g.kcountsize == g.textsize && g.fromssize == g.textsize / 2);
	must(arcs_of_one >= 50 && arcs_of_one * (unsigned)tap_processors() <= 65534);
	must(g.tolimit == arcs_of_one * cpus_in_it);
	must(g.tossize == g.tolimit * sizeof(struct prof_tostruct));
}

static void G2_sizes_follow_from_text(void)
{
	int n = cpus();

	begin();
	check_sizes(-1, (uint32_t)n);
	for (int cpu = 0; cpu < n; cpu++)
		check_sizes(cpu, 1);
}

static void check_names(int cpu)
{
	struct prof_gmon_param g = param(cpu);
	const size_t size[] = {4, g.kcountsize, g.fromssize, g.tossize, sizeof(g)};
	char byte;

	for (size_t i = 0; i < nelem(last); i++) {
		size_t n = 0;
		must(sysctlbyname(name_of(cpu, last[i]), NULL, &n, NULL, 0) == 0 && n == size[i]);
		n = 1;
		must_fail(sysctlbyname(name_of(cpu, last[i]), &byte, &n, NULL, 0), ENOMEM);
	}
}

static void G9_names(void)
{
	static const char *const no[] = {
		ALL "states", "kern.profiling.percpu.cpu", ALL "percpu.cpu00.state",
		ALL "percpu.cpu-1.state", ALL "percpu.state", ALL "state.state",
	};
	static const char *const dirs[] = {"kern", "kern.profiling", ALL "percpu",
					   ALL "percpu.cpu0"};
	int n = cpus();

	for (int cpu = -1; cpu < n; cpu++)
		check_names(cpu);
	must_fail(sysctlbyname(name_of(n, "state"), NULL, NULL, NULL, 0), ENOENT);
	for (size_t i = 0; i < nelem(no); i++) {
		errno = 0;
		must(sysctlbyname(no[i], NULL, NULL, NULL, 0) == -1);
		must(errno == ENOENT || errno == ENOTDIR);
	}
	for (size_t i = 0; i < nelem(dirs); i++)
		must_fail(sysctlbyname(dirs[i], NULL, NULL, NULL, 0), EISDIR);
}

static void G9_names_as_numbers(void)
{
	int name[] = {CTL_KERN, KERN_PROF, 0};

	for (size_t i = 0; i < nelem(last); i++) {
		size_t a = 0, b = 0;
		name[2] = (int)i;
		must(sysctl(name, 3, NULL, &a, NULL, 0) == 0);
		must(sysctlbyname(name_of(-1, last[i]), NULL, &b, NULL, 0) == 0 && a == b);
	}
	name[2] = GPROF_GMONPARAM + 1;
	must_fail(sysctl(name, 3, NULL, NULL, NULL, 0), ENOENT);
}

static void G8_wrong_states_change_nothing(void)
{
	static const int32_t wrong[] = {PROF_GMON_BUSY, PROF_GMON_ERROR, 4, -1, INT32_MAX};
	const int64_t wide = PROF_GMON_ON;
	const int32_t on = PROF_GMON_ON;
	int n = cpus();

	begin();
	for (int cpu = -1; cpu < n; cpu++) {
		for (int s = PROF_GMON_ON; s <= PROF_GMON_OFF; s += PROF_GMON_OFF) {
			set_state(cpu, s);
			for (size_t i = 0; i < nelem(wrong); i++)
				must_fail(set(name_of(cpu, "state"), &wrong[i], 4), EINVAL);
			must_fail(set(name_of(cpu, "state"), &wide, sizeof(wide)), EINVAL);
			must_fail(set(name_of(cpu, "state"), &on, 2), EINVAL);
			must(state(cpu) == s);
		}
	}
}

static void G8_data_can_only_be_zeroed(void)
{
	const uint32_t word[2] = {0, 1};

	begin();
	set_state(-1, PROF_GMON_ON);
	tap_call(50);
	set_state(-1, PROF_GMON_OFF);
	uint64_t calls = arcs(-1), time = ticks(-1);
	must(calls > 0 && time > 0);
	for (size_t i = 1; i <= 3; i++)
		must_fail(set(name_of(-1, last[i]), word, sizeof(word)), EINVAL);
	must_fail(set(name_of(-1, "gmonparam"), word, sizeof(word)), EPERM);
	must_fail(set(name_of(0, "gmonparam"), word, sizeof(word)), EPERM);
	must(arcs(-1) == calls && ticks(-1) == time);
	must(set(name_of(-1, "count"), word, 1) == 0);
	must(ticks(-1) == 0 && arcs(-1) == calls);
	must(set(name_of(-1, "froms"), word, 4) == 0);
	must(arcs(-1) == 0);
}

/* Each getpid calls the same functions in the kernel. */
static void G5_calls_are_counted_each(void)
{
	enum { CALLS = 3000 };

	begin();
	set_state(-1, PROF_GMON_ON);
	for (int i = 0; i < CALLS; i++)
		getpid();
	set_state(-1, PROF_GMON_OFF);
	must(arcs(-1) >= CALLS);
}

static void G5_off_counts_nothing(void)
{
	begin();
	tap_call(50);
	must(arcs(-1) == 0 && ticks(-1) == 0);
}

/* The processor spends most of the time in the kernel. */
static void G7_the_histogram_has_the_kernel_s_time(void)
{
	begin();
	set_state(-1, PROF_GMON_ON);
	tap_call(200);
	set_state(-1, PROF_GMON_OFF);
	must(ticks(-1) >= 50);
	must(param(-1).profrate == 1000);
}

/* Here time is spent in user mode, which gmon leaves to profil(2). */
static void G7_user_mode_is_not_counted(void)
{
	if (cpus() > 1)
		tap_skip("the other processors idle, and that is the kernel's time");
	begin();
	set_state(-1, PROF_GMON_ON);
	for (volatile int i = 0; i < 20000000; i++)
		;
	set_state(-1, PROF_GMON_OFF);
	must(ticks(-1) < 50);
}

static void call_50_ms(uintptr_t unused)
{
	(void)unused;
	tap_call(50);
}

static void G1_all_is_the_sum_of_each(void)
{
	int n = cpus();
	uint64_t calls = 0, time = 0;

	begin();
	set_state(-1, PROF_GMON_ON);
	tap_together(n, call_50_ms);
	set_state(-1, PROF_GMON_OFF);
	for (int cpu = 0; cpu < n; cpu++) {
		must(arcs(cpu) > 0);
		calls += arcs(cpu);
		time += ticks(cpu);
	}
	must(calls == arcs(-1) && time == ticks(-1) && time > 0);
}

static void G8_each_is_switched_alone(void)
{
	int n = cpus();

	begin();
	for (int cpu = 0; cpu < n; cpu++) {
		reset(-1);
		set_state(cpu, PROF_GMON_ON);
		must(state(-1) == PROF_GMON_ON);
		tap_call(30);
		for (int other = 0; other < n; other++) {
			must(state(other) == (other == cpu ? PROF_GMON_ON : PROF_GMON_OFF));
			must(other == cpu || (arcs(other) == 0 && ticks(other) == 0));
		}
		set_state(cpu, PROF_GMON_OFF);
		must(state(-1) == PROF_GMON_OFF);
	}
	set_state(0, PROF_GMON_ON);
	set_state(-1, PROF_GMON_ON);
	for (int cpu = 0; cpu < n; cpu++)
		must(state(cpu) == PROF_GMON_ON);
	set_state(-1, PROF_GMON_OFF);
	for (int cpu = 0; cpu < n; cpu++)
		must(state(cpu) == PROF_GMON_OFF);
}

static void G8_each_is_reset_alone(void)
{
	int n = cpus();

	begin();
	set_state(-1, PROF_GMON_ON);
	tap_call(30);
	set_state(-1, PROF_GMON_OFF);
	uint64_t calls = arcs(-1), mine = arcs(n - 1);
	reset(n - 1);
	must(arcs(n - 1) == 0 && ticks(n - 1) == 0 && arcs(-1) == calls - mine);
}

static void none_is_refused(void)
{
	const int32_t off = PROF_GMON_OFF;
	char buf[64];

	for (int cpu = -1; cpu < 1; cpu++) {
		for (size_t i = 0; i < nelem(last); i++) {
			size_t n = sizeof(buf);
			must_fail(sysctlbyname(name_of(cpu, last[i]), buf, &n, NULL, 0), EACCES);
			must_fail(set(name_of(cpu, last[i]), &off, sizeof(off)), EPERM);
		}
	}
}

static void G9_only_the_owner(void)
{
	tap_as_none(none_is_refused);
}

static const struct tap_case cases[] = {
	{"G1 the counts of all processors are the sum of each", G1_all_is_the_sum_of_each},
	{"G2 sizes follow from the size of text", G2_sizes_follow_from_text},
	{"G5 every call is counted", G5_calls_are_counted_each},
	{"G5 while off nothing is counted", G5_off_counts_nothing},
	{"G7 the histogram has the kernel's time", G7_the_histogram_has_the_kernel_s_time},
	{"G7 and not that of programs", G7_user_mode_is_not_counted},
	{"G8 wrong states change nothing", G8_wrong_states_change_nothing},
	{"G8 data can only be zeroed", G8_data_can_only_be_zeroed},
	{"G8 each processor is switched alone", G8_each_is_switched_alone},
	{"G8 each processor is reset alone", G8_each_is_reset_alone},
	{"G9 valid and invalid names", G9_names},
	{"G9 names as numbers", G9_names_as_numbers},
	{"G9 only the owner has access", G9_only_the_owner},
};

int main(void)
{
	return tap_run(cases, nelem(cases));
}
