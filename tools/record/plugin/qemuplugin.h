/*
 * What a plugin of QEMU's calls and has, as far as ours need it: Debian has no header of this.
 * docs/devel/tcg-plugins of QEMU has the meaning; the functions here are in all versions from 7.2.
 * What came later or has gone since, plugin.c looks up by its name. Layouts and numbers are those
 * of include/qemu/qemu-plugin.h.
 */
#ifndef TOOLS_RECORD_PLUGIN_QEMUPLUGIN_H
#define TOOLS_RECORD_PLUGIN_QEMUPLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;	 /* a block, while it is being translated */
struct qemu_plugin_insn; /* an instruction in it */

/* What a plugin is told as it is loaded. */
struct qemu_info_t {
	const char *target; /* NAME in qemu-system-NAME */
	struct { int min, cur; } version; /* of the interface: those that this QEMU has */
	bool system; /* a machine, not a program of the host's */
	struct { int cpus, most; } smp;
};
typedef uint64_t plugin_id;

/* Called at each run of a block or an instruction; and at an access: `info` tells which it is. */
typedef void exec_fn(unsigned cpu, void *arg);
typedef void memory_fn(unsigned cpu, uint32_t info, uint64_t address, void *arg);

/* All accesses of an instruction, to read and to write: 7.2 calls nothing for loads alone. */
enum { QEMU_ACCESSES = 3 };

/*
 * Have fn called: as a block is translated; each time that this block or an instruction of it runs,
 * or accesses memory, which can only be asked for while it is translated; and once as QEMU ends.
 * `flags` is 0: fn looks at no registers of the guest's.
 */
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
					   void (*fn)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, exec_fn *fn, int flags,
					  void *arg);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, exec_fn *fn, int flags,
					    void *arg);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, memory_fn *fn, int flags,
				      int access, void *arg);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*fn)(plugin_id, void *), void *arg);

/* A block's instructions, which last as long as the call. Addresses are the guest's, virtual. */
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn); /* bytes */
bool qemu_plugin_mem_is_store(uint32_t info);

/* The plugin's own: which version of the interface it is for, and what is called first. */
EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(plugin_id id, const struct qemu_info_t *info, int argc,
			       char **argv);

#endif
