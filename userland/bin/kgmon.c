/* kgmon: controls the kernel's call graph profiling and writes its data to gmon.out. */
#include <sys/sysctl.h>
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buildid.h"
#include "prof.h"

#define OUT "gmon.out"

static void usage(void)
{
	fprintf(stderr, "usage: kgmon [-bhpr] [-M core] [-N system]\n");
	exit(2);
}

/* A variable whose size is known. */
static void get(const char *name, void *value, size_t size)
{
	size_t n = size;

	if (sysctlbyname(name, value, &n, NULL, 0) < 0)
		err(1, "%s", name);
	if (n != size)
		errx(1, "%s: %u bytes where %u were expected", name, (unsigned)n, (unsigned)size);
}

static int get_state(void)
{
	int32_t state;

	get("kern.profiling.state", &state, sizeof(state));
	return state;
}

static void set_state(int32_t state)
{
	if (sysctlbyname("kern.profiling.state", NULL, NULL, &state, sizeof(state)) < 0)
		err(1, "cannot turn profiling %s", state == GMON_PROF_OFF ? "off" : "on");
}

/* One data set, in memory of its own. */
static void *get_data(const char *name, size_t size)
{
	void *data = malloc(size);

	if (!data)
		err(1, "%s", name);
	get(name, data, size);
	return data;
}

static int put(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) == n ? 0 : 1;
}

/* Profiling is stopped: else froms and tos, read one after the other, need not agree. */
static void dump(void)
{
	struct gmonparam g;
	FILE *file = fopen(OUT, "w");
	struct gmonout out = {put, file};
	uint16_t *froms;
	struct tostruct *tos;
	uint32_t *kcount;
	int error;

	if (!file)
		err(1, OUT);
	get("kern.profiling.gmonparam", &g, sizeof(g));
	kcount = get_data("kern.profiling.count", g.kcountsize);
	froms = get_data("kern.profiling.froms", g.fromssize);
	tos = get_data("kern.profiling.tos", g.tossize);
	error = gmonout_head(&out);
	if (!error)
		error = gmonout_count(&out, &g, kcount);
	if (!error)
		error = gmonout_arcs(&out, &g, froms, tos);
	if (error == GMONOUT_EDAMAGED)
		errx(1, "the kernel's list of arcs is damaged");
	if (fclose(file) != 0 || error)
		err(1, OUT);
	if (g.lost)
		warnx("calls not counted, for they came while another was: %u", (unsigned)g.lost);
	free(kcount);
	free(froms);
	free(tos);
}

/* Zeros, however few, clear the whole of a data set. */
static void reset(void)
{
	static const char *const name[] = {"kern.profiling.count", "kern.profiling.froms",
					   "kern.profiling.tos"};
	uint32_t zero = 0;

	for (unsigned i = 0; i < sizeof(name) / sizeof(name[0]); i++)
		if (sysctlbyname(name[i], NULL, NULL, &zero, sizeof(zero)) < 0)
			err(1, "%s", name[i]);
}

/* What is asked for is done in a fixed order: -p, -r, and last the state. */
static int work(bool halt, bool begin, bool print, bool zero)
{
	int state = get_state(), want = state == GMON_PROF_ERROR ? GMON_PROF_OFF : state;

	if (state == GMON_PROF_ERROR)
		warnx("profiling tos overflow");
	if (halt || begin)
		want = halt ? GMON_PROF_OFF : GMON_PROF_ON;
	if (print || zero)
		set_state(GMON_PROF_OFF);
	if (print)
		dump();
	if (zero)
		reset();
	if (halt || begin || print || zero)
		set_state(want);
	else if (state == GMON_PROF_ERROR)
		return 1;
	printf("kgmon: kernel profiling is %s.\n", want == GMON_PROF_OFF ? "off" : "running");
	return 0;
}

int main(int argc, char **argv)
{
	bool halt = false, begin = false, print = false, zero = false;
	const char *system = NULL;
	int c;

	while ((c = getopt(argc, argv, "bhprM:N:")) != -1) {
		switch (c) {
		case 'b':
			begin = true;
			break;
		case 'h':
			halt = true;
			break;
		case 'p':
			print = true;
			break;
		case 'r':
			zero = true;
			break;
		case 'N':
			system = optarg;
			break;
		case 'M':
			errx(1, "-M %s: memory dumps are not read; only the live kernel is",
			     optarg);
		default:
			usage();
		}
	}
	if (optind < argc)
		usage();
	if (system)
		buildid_check(system);
	return work(halt, begin, print, zero);
}
