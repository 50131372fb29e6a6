/*
 * mkgmon: a gmon.out of ticks and calls that are told to it, through the profilers
 * themselves; for gprof.t.
 *
 * usage: mkgmon LOW HIGH FILE [WIDTH] <lines of "tick PC N" or "call FROMPC SELFPC N"; addresses
 * are hexadecimal
 * Links: tests/prof/machine.c
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "prof/files/prof_gmonout.h"
#include "tests/prof/machine.h"

static struct prof prof;

/* A line's ticks or calls. */
static int play(const char *line)
{
	struct prof_sample s = {.what = PROF_KERNEL};
	prof_addr from, self;
	long n;

	if (sscanf(line, "tick %" SCNxPTR " %ld", &s.at.pc, &n) == 2) {
		while (n-- > 0)
			machine_tick(&prof, &s);
		return 0;
	}
	if (sscanf(line, "call %" SCNxPTR " %" SCNxPTR " %ld", &from, &self, &n) != 3)
		return 1;
	while (n-- > 0)
		prof_mcount(from, self);
	return 0;
}

static int put(void *file, const void *data, size_t n)
{
	return fwrite(data, 1, n, file) != n;
}

/* width: bytes of an address in the file; 0: as here. */
static int write_all(FILE *file, unsigned width)
{
	struct prof_sink out = {.write = put, .arg = file, .width = width};
	struct prof_gmon_param g;
	uint32_t *count;
	uint16_t *froms;
	struct prof_tostruct *tos;
	int error;

	prof_gmon_param(&prof, PROF_GMON_ALL, &g);
	count = malloc(g.kcountsize);
	froms = calloc(1, g.fromssize);
	tos = calloc(1, g.tossize);
	prof_gmon_count(&prof, PROF_GMON_ALL, count);
	prof_gmon_arcs(&prof, PROF_GMON_ALL, froms, tos);
	error = prof_gmonout_head(&out) || prof_gmonout_count(&out, &g, count) ||
		prof_gmonout_arcs(&out, &g, froms, tos);
	free(count);
	free(froms);
	free(tos);
	return error;
}

int main(int argc, char **argv)
{
	char line[128];
	FILE *file;

	machine_reset();
	if (argc < 4 || !prof_gmon_init(&prof, (prof_addr)strtoull(argv[1], NULL, 16),
					(prof_addr)strtoull(argv[2], NULL, 16), 1, NULL))
		return 2;
	prof_period(&prof, 1000);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	while (fgets(line, sizeof(line), stdin))
		if (play(line))
			return 2;
	file = fopen(argv[3], "wb");
	if (!file || write_all(file, argc > 4 ? (unsigned)atoi(argv[4]) : 0) || fclose(file))
		return 1;
	prof_gmon_stop(&prof, PROF_GMON_ALL);
	machine_reset();
	return 0;
}
