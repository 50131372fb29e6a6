/*
 * A plugin for QEMU that does at the least what other profilers of kernels in QEMU do, for a
 * comparison with gnomon record: one has QEMU call it for each instruction and looks at the host's
 * clock whether a sample is due, the other for each block and counts instructions. A sample follows
 * frame pointers, 16 of them here, through memory. Debian's QEMU gives a plugin neither registers
 * nor memory, so the frames are the plugin's own, and the path is only summed up.
 *
 *	-plugin peers.so,each=insn,sample=MICROSECONDS
 *	-plugin peers.so,each=block,sample=INSTRUCTIONS
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include "tools/record/plugin/qemuplugin.h"

#define FRAMES 16

int qemu_plugin_version = 1;

struct frame {
	struct frame *next;
	uint64_t ret;
};

static struct frame stack[FRAMES];
static bool each_insn;
static int64_t sample, left;
static volatile uint64_t paths;

/* Take a sample: follow the frames. */
static void take(uint64_t pc)
{
	const struct frame *f;
	uint64_t path = pc;

	for (f = stack; f; f = f->next)
		path = path * 31 + f->ret;
	paths += path;
}

/* Before an instruction. */
static void at_insn(unsigned cpu, void *pc)
{
	struct timeval now;
	int64_t us;

	(void)cpu;
	gettimeofday(&now, NULL);
	us = (int64_t)now.tv_sec * 1000000 + now.tv_usec;
	if (us < left)
		return;
	left = us + sample;
	take((uintptr_t)pc);
}

/* Before a block of so many instructions. */
static void at_block(unsigned cpu, void *n)
{
	(void)cpu;
	left -= (int64_t)(uintptr_t)n;
	if (left > 0)
		return;
	left += sample;
	take((uintptr_t)n);
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	if (!each_insn) {
		qemu_plugin_register_vcpu_tb_exec_cb(tb, at_block, 0, (void *)(uintptr_t)n);
		return;
	}
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		qemu_plugin_register_vcpu_insn_exec_cb(insn, at_insn, 0,
			(void *)(uintptr_t)qemu_plugin_insn_vaddr(insn));
	}
}

int qemu_plugin_install(plugin_id id, const struct qemu_info_t *info, int argc, char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		each_insn |= strcmp(argv[i], "each=insn") == 0;
		sscanf(argv[i], "sample=%" SCNd64, &sample);
	}
	for (i = 0; i < FRAMES; i++)
		stack[i] = (struct frame){.next = &stack[i + 1], .ret = (uintptr_t)&stack[i]};
	stack[FRAMES - 1].next = NULL;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
