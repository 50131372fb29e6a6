/*
 * A plugin for QEMU that counts the instructions of all processors, and how many of them wait for
 * locks.
 *
 *	-plugin waits.so,out=FILE,mark=ADDR[,mark=ADDR...][,wait=START:SIZE...]
 *
 * Each time execution comes to a mark, a line of FILE gets the numbers so far: of all
 * instructions, and of those in the given ranges. Blocks are counted as they begin, each thread of
 * QEMU's by itself, so that processors may run at the same time; a number that another thread is
 * changing may be older by a block.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/record/plugin/qemuplugin.h"

#define MARKS 2
#define RANGES 8

int qemu_plugin_version = 1;

/* What a thread of QEMU's has counted. */
struct counts {
	uint64_t all, waiting; /* atomic: read by others */
	struct counts *next;
};

static struct counts *threads; /* atomic */
static __thread struct counts *mine;
static FILE *out;
static uint32_t mark[MARKS], start[RANGES], size[RANGES];
static size_t nmark, nrange;

static struct counts *counts(void)
{
	if (!mine) {
		mine = calloc(1, sizeof(*mine));
		if (!mine)
			abort();
		mine->next = __atomic_load_n(&threads, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(&threads, &mine->next, mine, false,
						    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			;
	}
	return mine;
}

static void add(uint64_t *to, uint64_t n)
{
	__atomic_store_n(to, *to + n, __ATOMIC_RELAXED);
}

static void ran(unsigned cpu, void *n)
{
	(void)cpu;
	add(&counts()->all, (uintptr_t)n);
}

static void waited(unsigned cpu, void *n)
{
	ran(cpu, n);
	add(&counts()->waiting, (uintptr_t)n);
}

static void marked(unsigned cpu, void *arg)
{
	uint64_t all = 0, waiting = 0;

	(void)cpu;
	(void)arg;
	for (struct counts *c = __atomic_load_n(&threads, __ATOMIC_ACQUIRE); c; c = c->next) {
		all += __atomic_load_n(&c->all, __ATOMIC_RELAXED);
		waiting += __atomic_load_n(&c->waiting, __ATOMIC_RELAXED);
	}
	fprintf(out, "%llu %llu\n", (unsigned long long)all, (unsigned long long)waiting);
	fflush(out);
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	uint32_t pc = (uint32_t)qemu_plugin_tb_vaddr(tb);
	void *n = (void *)qemu_plugin_tb_n_insns(tb);
	bool waits = false;

	(void)id;
	for (size_t i = 0; i < nrange; i++)
		waits |= pc - start[i] < size[i];
	qemu_plugin_register_vcpu_tb_exec_cb(tb, waits ? waited : ran, 0, n);
	for (size_t i = 0; i < nmark; i++) {
		if (pc == mark[i])
			qemu_plugin_register_vcpu_tb_exec_cb(tb, marked, 0, NULL);
	}
}

int qemu_plugin_install(plugin_id id, const struct qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "out=", 4) == 0)
			out = fopen(argv[i] + 4, "w");
		else if (nmark < MARKS && sscanf(argv[i], "mark=%x", &mark[nmark]) == 1)
			nmark++;
		else if (nrange < RANGES &&
			 sscanf(argv[i], "wait=%x:%x", &start[nrange], &size[nrange]) == 2)
			nrange++;
	}
	if (!out || nmark == 0) {
		fprintf(stderr, "usage: out=FILE,mark=ADDR[,mark=ADDR][,wait=START:SIZE...]\n");
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
