/*
 * mkkernel: makes a kernel's symbols, and kprof data that belong to it, for the tests of kprof.
 *
 * usage: mkkernel ELF KPDATA
 * Links: tests/tools/elfdata.c
 */
#include <stdio.h>
#include "tests/tools/elfdata.h"

#define KTZERO 0xc0100000u
#define NBUCKET 32

int main(int argc, char **argv)
{
	static const struct elfdata_symbol sym[] = {
		{"ktzero", KTZERO, 0, 'n'},
		{"etext", KTZERO + NBUCKET * 8, 0, 'n'},
		{"memcpy", KTZERO + 48, 64, 'F'},
		{"sched", KTZERO + 112, 64, 'f'},
		{"idle", KTZERO + 176, 80, 'F'},
	};
	static const uint8_t id[20] = {0xab, 0xcd};
	/* 100 ticks of 500 us, 60 outside; 30 memcpy, 5 sched, 5 idle. */
	static const uint32_t word[NBUCKET] = {
		100, 60, 500, NBUCKET, 4, 3, [6] = 10, [13] = 20, [14] = 5, [31] = 5,
	};
	FILE *f;
	int i;

	if (argc != 3 || (f = fopen(argv[2], "wb")) == NULL)
		return 1;
	elfdata_write(argv[1], sym, sizeof(sym) / sizeof(sym[0]), id);
	for (i = 0; i < NBUCKET; i++) {
		putc(word[i] >> 24, f);
		putc(word[i] >> 16, f);
		putc(word[i] >> 8, f);
		putc(word[i], f);
	}
	return fclose(f) != 0;
}
