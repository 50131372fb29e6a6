/* What ends a block of instructions, by a few patterns for each machine. */
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

struct decode_insn {
	uint64_t pc;
	const uint8_t *byte;
	size_t n;
};

struct decoded {
	enum decode_end end;
	uint64_t target; /* 0: unknown */
};

typedef struct decoded decode_fn(const struct decode_insn *insn);

/* Return the decoder of a machine, which has QEMU's name; NULL: it is not known. */
decode_fn *decode_of(const char *target);

/* Return how many bytes the machine's words have. */
unsigned decode_width(const char *target);

#endif
