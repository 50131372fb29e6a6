/*
 * mkbig: makes a kernel of 100,000 functions, 10 MB of kprof's data, and a gmon.out with the
 * same ticks, for measuring how long reports take.
 *
 * usage: mkbig ELF KPDATA GMON
 * Links: tests/tools/elfdata.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/tools/elfdata.h"

#define KTZERO 0xc0100000u
#define NBUCKET 2621440u /* 10 MB */
#define NFUNCTION 100000u
#define TEXT (8 * NBUCKET)

/* Return the ticks of a bucket; most have some. */
static uint32_t ticks(uint32_t i)
{
	return i < 6 ? 0 : i * 2654435761u >> 29;
}

/* Write a number, big-endian or little-endian. */
static void put(FILE *f, uint32_t v, int big)
{
	int i;

	for (i = 0; i < 4; i++)
		putc(v >> (big ? 24 - 8 * i : 8 * i), f);
}

/* Make the kernel, whose functions are all of one size. */
static void make_kernel(const char *path)
{
	struct elfdata_symbol *sym = calloc(NFUNCTION + 2, sizeof(*sym));
	char (*name)[16] = calloc(NFUNCTION, sizeof(*name));
	uint32_t i, size = TEXT / NFUNCTION / 8 * 8;

	for (i = 0; i < NFUNCTION; i++) {
		snprintf(name[i], sizeof(name[i]), "function%u", i);
		sym[i] = (struct elfdata_symbol){name[i], KTZERO + 48 + i * size, size, 'F'};
	}
	sym[i] = (struct elfdata_symbol){"ktzero", KTZERO, 0, 'n'};
	sym[i + 1] = (struct elfdata_symbol){"etext", KTZERO + TEXT, 0, 'n'};
	elfdata_write(path, sym, NFUNCTION + 2, NULL);
	free(name);
	free(sym);
}

/* Make kpdata(5). */
static int make_kpdata(const char *path)
{
	FILE *f = fopen(path, "wb");
	uint32_t i, total = 0;

	if (!f)
		return 1;
	for (i = 0; i < NBUCKET; i++)
		total += ticks(i);
	put(f, total + 1000, 1);
	put(f, 1000, 1);
	put(f, 1000, 1);
	put(f, NBUCKET, 1);
	put(f, 4, 1);
	put(f, 3, 1);
	for (i = 6; i < NBUCKET; i++)
		put(f, ticks(i), 1);
	return fclose(f) != 0;
}

/* Make gmon(5) without arcs. Bins are 4 bytes; the first in each bucket has its ticks. */
static int make_gmon(const char *path)
{
	FILE *f = fopen(path, "wb");
	uint32_t i;

	if (!f)
		return 1;
	fwrite("gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 1, 20, f);
	putc(0, f);
	put(f, KTZERO, 0);
	put(f, KTZERO + TEXT, 0);
	put(f, 2 * NBUCKET, 0);
	put(f, 1000, 0);
	fwrite("seconds\0\0\0\0\0\0\0\0s", 1, 16, f);
	for (i = 0; i < NBUCKET; i++)
		put(f, ticks(i), 0);
	return fclose(f) != 0;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	make_kernel(argv[1]);
	return make_kpdata(argv[2]) || make_gmon(argv[3]);
}
