/*
 * What a plugin of QEMU's calls and has, as far as ours need it: Debian has no header of this.
 * docs/devel/tcg-plugins of QEMU has the meaning; the functions here are in all versions from 7.2.
 */
#ifndef TESTS_TRUTH_QEMUPLUGIN_H
#define TESTS_TRUTH_QEMUPLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info_t {
	const char *target;
	struct { int min, cur; } version;
};
typedef uint64_t plugin_id;
typedef void exec_fn(unsigned cpu, void *arg);

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
					   void (*fn)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, exec_fn *fn, int flags,
					  void *arg);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, exec_fn *fn, int flags,
					    void *arg);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*fn)(plugin_id, void *), void *arg);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

/* The plugin's own: which version of the interface it is for, and what is called first. */
EXPORT extern int qemu_plugin_version;
EXPORT int qemu_plugin_install(plugin_id id, const struct qemu_info_t *info, int argc,
			       char **argv);

#endif
