/*
 * What ends a block of instructions, by a few patterns for each machine. Only how control goes on
 * is told; operands and lengths are not, for QEMU gives the length. What no pattern matches goes on
 * with the next instruction, as most do; a mistake there shows as an interrupt that was none.
 */
#ifndef TOOLS_RECORD_PLUGIN_DECODE_H
#define TOOLS_RECORD_PLUGIN_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an instruction goes on. */
enum decode_end {
	DECODE_STEP,	 /* with the next one */
	DECODE_JUMP,	 /* at its target */
	DECODE_BRANCH,	 /* at its target or with the next one */
	DECODE_INDIRECT, /* anywhere */
	DECODE_CALL,	 /* at its target, or anywhere if that is 0 */
	DECODE_RETURN,	 /* where a call went on with the next one */
	DECODE_RESUME,	 /* where an interrupt or a system call came from */
	DECODE_TRAP,	 /* in the kernel: a system call, a breakpoint */
};

/* An instruction as it lies in memory. */
struct decode_insn {
	uint64_t pc;
	const uint8_t *byte; /* the lowest address first */
	size_t n; /* 1 to 15 of x86's, 2 or 4 of RISC-V's, 4 of AArch64's */
};

struct decoded {
	enum decode_end end;
	uint64_t target; /* 0: unknown, or it has none */
};

typedef struct decoded decode_fn(const struct decode_insn *insn);

/*
 * Return the decoder of a machine, which has QEMU's name, as in qemu-system-NAME; NULL: it is not
 * known, and nothing can be followed on it.
 */
decode_fn *decode_of(const char *target);

/* Return how many bytes the machine's words have, and its addresses: 4 or 8; 0: it is not known. */
unsigned decode_width(const char *target);

#endif
