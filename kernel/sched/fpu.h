/*
 * Floating point of programs: the x87, MMX and SSE registers (Intel SDM 1, chapters 8 to 10). The
 * kernel itself uses none. CR0.TS is set until a program's first use of them since it came to its
 * CPU; what was used is saved when it leaves, so that no other CPU need ever be asked for it.
 */
#pragma once

#include "kernel/process/proc.h"

/* What FXSAVE writes (SDM 1, 10.5.1). */
struct fpu {
	uint16_t control, status;
	uint32_t unused[5];
	uint32_t mxcsr, mxcsr_mask; /* 0: as 0xffbf */
	uint8_t rest[480];
} __attribute__((aligned(16)));
_Static_assert(sizeof(struct fpu) == 512, "an FXSAVE image");

void fpu_save(struct cpu *c); /* of the process that leaves c, which has used it */
int fpu_use(void); /* the calling process does; interrupts are off. -ENOSYS, -ENOMEM */
bool fpu_fork(struct proc *child); /* gets a copy of the caller's. False: no memory */
void fpu_reset(void); /* the calling process begins anew */
int fpu_out(void *user); /* the caller's, which has some, and begin anew. -EFAULT */
int fpu_in(const void *user); /* back from there. -EFAULT, -ENOMEM, -ENOSYS */
