/*
 * mkprf: makes a kernel's symbols, and logs of prf's counters with known contents, for the tests
 * of prfpr.
 *
 * usage: mkprf
 *
 * Makes in the current directory: kernel; other, anonymous and stripped, which are not that
 * kernel, have no build id, no symbols; and the logs empty, one, two, many, reload,
 * cleared, boot.
 * Links: tests/tools/elfdata.c
 */
#include <assert.h>
#include <stdio.h>
#include "tests/tools/elfdata.h"
#include "userland/formats/prflog.h"

#define TEXT 0xc0100000u
#define NOON 1795262400 /* 2026-11-21 12:00:00 UTC */
#define N 5

static const uint8_t id[20] = {0xab, 0xcd}, other_id[20] = {0xff};
static const char hexid[] = "abcd000000000000000000000000000000000000";

/* Four functions, one of which has three names, and an address where none begins. */
static const uint32_t address[N] = {TEXT + 0x30, TEXT + 0x70, TEXT + 0xb0, TEXT + 0xc0,
				    TEXT + 0xe0};
static const uint32_t others[N] = {TEXT + 0x30, TEXT + 0x70, TEXT + 0xb0, TEXT + 0xc0,
				   TEXT + 0xd0};

static void write_kernel(void)
{
	static const struct elfdata_symbol sym[] = {
		{"ktzero", TEXT, 0, 'n'},	{"etext", TEXT + 0x100, 0, 'n'},
		{"memcpy", TEXT + 0x30, 64, 'F'}, {"memmove", TEXT + 0x30, 64, 'F'},
		{"again", TEXT + 0x30, 64, 'f'}, {"sched", TEXT + 0x70, 64, 'f'},
		{"exec", TEXT + 0xb0, 16, 'F'},	{"never", TEXT + 0xc0, 32, 'F'},
		{"elsewhere", 0, 0, 'u'},
	};

	elfdata_write("kernel", sym, sizeof(sym) / sizeof(sym[0]), id);
	elfdata_write("other", sym, sizeof(sym) / sizeof(sym[0]), other_id);
	elfdata_write("anonymous", sym, sizeof(sym) / sizeof(sym[0]), NULL);
	elfdata_write("stripped", NULL, 0, id);
}

static uint8_t file[4096], *end;

static void begin(void)
{
	struct prflog_head head = {.minor = 255, .rate = 100};

	for (unsigned i = 0; i < PRFLOG_ID; i++)
		head.buildid[i] = hexid[i];
	end = prflog_put_head(file, &head);
}

static void load(const uint32_t *addresses)
{
	end = prflog_put_load(end, addresses, N);
}

/* A snapshot that many seconds after noon, of a system that was started at 11:00. */
static void snap(unsigned seconds, const uint32_t counter[N + 2])
{
	end = prflog_put_snap(end, NOON + seconds, (3600 + seconds) * 1000000000ull, counter, N);
}

static void finish(const char *path)
{
	FILE *f = fopen(path, "wb");

	assert(f && end <= file + sizeof(file));
	assert(fwrite(file, 1, end - file, f) == (size_t)(end - file));
	assert(fclose(f) == 0);
}

/* 10000 ticks: 5000 past a wrap, 100, 101, 0, 1; user 4000, idle 798. */
static const uint32_t first[N + 2] = {0xffffff00, 7, 0, 9, 41, 1000, 2};
static const uint32_t second[N + 2] = {5000 - 0x100, 107, 101, 9, 42, 5000, 800};

int main(void)
{
	static const uint32_t nothing[N + 2];
	static const uint32_t third[N + 2] = {5000 - 0x100, 107, 101, 10, 42, 5002, 800};

	write_kernel();
	begin();
	finish("empty");
	load(address);
	snap(0, first);
	finish("one");
	snap(100, second);
	finish("two");
	snap(700, third);
	snap(1300, third);
	finish("many");

	begin();
	load(address);
	snap(0, first);
	load(others);
	snap(100, nothing);
	snap(150, (const uint32_t[N + 2]){0, 0, 0, 0, 1, 0, 1});
	load(others);
	snap(200, (const uint32_t[N + 2]){0, 0, 0, 0, 1, 3, 1});
	finish("reload");

	begin();
	load(address);
	snap(0, second);
	snap(100, nothing);
	snap(101, (const uint32_t[N + 2]){3, 1});
	finish("cleared");

	begin();
	load(address);
	snap(0, second);
	end = prflog_put_snap(end, NOON + 5000, 3800000000000, second, N);
	finish("boot");
	return 0;
}
