/*
 * A kernel without profilers: every hook is empty. It is linked without prof/ and kernel/prof/,
 * and this takes the place of boot/devtab.c. That it boots shows that the core needs none of them.
 */
#include "boot/devtab.h"
#include "drivers/files/devices.h"
#include "drivers/files/devroot.h"
#include "kernel/abi/errno.h"
#include "kernel/file/dev.h"
#include "kernel/machine/isr.h"
#include "kernel/machine/lib.h"
#include "kernel/process/proc.h"
#include "kernel/prof/hooks.h"
#include "kernel/prof/profilers.h"
#include "kernel/sched/clock.h"

const struct dev *const devtab[] = {
	&rootdev, &consdev, &eiadev, &procdev, &ninepdev, &audiodev,
};
const unsigned devtab_count = nelem(devtab);

struct prof_module *memprof_heap;
uint32_t waits_on;
uint32_t hook_names;

void profilers_init(void)
{
}

void profilers_clock(const struct timer *, const char *)
{
}

bool hook_fork(struct proc *)
{
	return true;
}

void hook_forked(struct proc *)
{
}

void hook_exec(struct chan *)
{
}

void hook_vm_free(struct vm *)
{
}

bool hook_step(struct iretframe *)
{
	return false;
}

void waits_woken(struct proc *)
{
}
void waits_ran(struct proc *, enum prof_cause, const uint32_t *)
{
}

void calls_take(struct proc *)
{
}

void hook_panic(void)
{
}

void profil_off(void)
{
}

void profil_update(void)
{
}

void cover_call(struct proc *)
{
}

void cover_return(struct proc *)
{
}

void memprof_kmalloc(void *, size_t, const void *)
{
}

void memprof_kfree(void *)
{
}

int32_t sys_profil(const uint32_t[5])
{
	return -ENOSYS;
}

int32_t sys_sprofil(const uint32_t[5])
{
	return -ENOSYS;
}

int32_t sys_memprof(const uint32_t[5])
{
	return -ENOSYS;
}
