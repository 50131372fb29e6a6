/*
 * What ends a block of instructions: see decode.h. The manuals of the processors have the codes:
 * for x86 Intel's Software Developer's Manual, volume 2, appendix A (opcode maps); for RISC-V the
 * Instruction Set Manual, volume I, the listings of RV32I and of the compressed extension, and for
 * returns from traps volume II; for AArch64 Arm's Architecture Reference Manual, in the encoding
 * index of A64 the part on branches, exception generating and system instructions.
 */
#include <string.h>
#include "tools/record/plugin/decode.h"

/* Return n bytes as a signed number, the lowest first. */
static int64_t decode_signed(const uint8_t *byte, size_t n)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < n; i++)
		v |= (uint64_t)byte[i] << 8 * i;
	return (int64_t)(v << (64 - 8 * n)) >> (64 - 8 * n);
}

/* Return the low n bits of v as a signed number. */
static int64_t decode_extend(uint64_t v, unsigned n)
{
	return (int64_t)(v << (64 - n)) >> (64 - n);
}

/* ---------------------------------------------------------------- x86 */

/*
 * What each opcode of one byte, and of two bytes behind 0x0f, does. Others go on with the next
 * instruction: int, with its number in a byte, is 0xcd of the range from int3 to into.
 */
static const struct x86_row {
	uint8_t first, last;
	enum decode_end end;
	uint8_t bytes; /* of the distance at its end */
} x86_one[] = {
	{0x70, 0x7f, DECODE_BRANCH, 1}, {0xe0, 0xe3, DECODE_BRANCH, 1},
	{0xe8, 0xe8, DECODE_CALL, 4},	{0x9a, 0x9a, DECODE_CALL, 0},
	{0xe9, 0xe9, DECODE_JUMP, 4},	{0xeb, 0xeb, DECODE_JUMP, 1},
	{0xea, 0xea, DECODE_INDIRECT, 0}, {0xc2, 0xc3, DECODE_RETURN, 0},
	{0xca, 0xcb, DECODE_RETURN, 0}, {0xcf, 0xcf, DECODE_RESUME, 0},
	{0xcc, 0xce, DECODE_TRAP, 0},	{0xf1, 0xf1, DECODE_TRAP, 0},
}, x86_two[] = {
	{0x80, 0x8f, DECODE_BRANCH, 4}, {0x05, 0x05, DECODE_TRAP, 0},
	{0x34, 0x34, DECODE_TRAP, 0},	{0x07, 0x07, DECODE_RESUME, 0},
	{0x35, 0x35, DECODE_RESUME, 0},
};

/* 0xff (group 5) has its operation in the middle of the next byte; the others are no jumps. */
static const enum decode_end x86_group[8] = {
	[2] = DECODE_CALL, [3] = DECODE_CALL, [4] = DECODE_INDIRECT, [5] = DECODE_INDIRECT,
};

/*
 * Return whether a byte before an opcode is a prefix; REX has a meaning with 64 bits only. With 32
 * bits these bytes are inc and dec, behind which nothing of the same instruction can be.
 */
static bool x86_prefix(uint8_t byte)
{
	if ((byte & 0xf0) == 0x40)
		return true;
	return memchr("\x66\x67\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65", byte, 11);
}

/* Return the number of bytes before the opcode. */
static size_t x86_prefixes(const struct decode_insn *insn)
{
	size_t i = 0;

	while (i + 1 < insn->n && x86_prefix(insn->byte[i]))
		i++;
	return i;
}

/*
 * Look an opcode up. A distance counts from the end of the instruction, which it is at. In code of
 * 16 bits distances have 2 bytes where there are 4 here: such an instruction is too short, and its
 * target stays unknown.
 */
static struct decoded x86_look(const struct decode_insn *insn, const struct x86_row *row, size_t n,
			       uint8_t opcode)
{
	struct decoded d = {.end = DECODE_STEP};
	size_t i;

	for (i = 0; i < n; i++) {
		if (opcode < row[i].first || opcode > row[i].last)
			continue;
		d.end = row[i].end;
		if (row[i].bytes && row[i].bytes < insn->n)
			d.target = insn->pc + insn->n +
				   decode_signed(insn->byte + insn->n - row[i].bytes, row[i].bytes);
	}
	return d;
}

/* A string instruction with a repeat prefix is left and begun again with each round. */
static bool x86_repeats(const struct decode_insn *insn, size_t prefixes)
{
	uint8_t opcode = insn->byte[prefixes];

	if (!memchr(insn->byte, 0xf3, prefixes) && !memchr(insn->byte, 0xf2, prefixes))
		return false;
	return memchr("\x6c\x6d\x6e\x6f\xa4\xa5\xa6\xa7\xaa\xab\xac\xad\xae\xaf", opcode, 14);
}

static struct decoded x86_64(const struct decode_insn *insn)
{
	size_t at = x86_prefixes(insn);
	uint8_t opcode = insn->byte[at];

	if (x86_repeats(insn, at))
		return (struct decoded){.end = DECODE_BRANCH, .target = insn->pc};
	if (opcode == 0x0f && at + 1 < insn->n)
		return x86_look(insn, x86_two, sizeof(x86_two) / sizeof(x86_two[0]),
				insn->byte[at + 1]);
	if (opcode == 0xff && at + 1 < insn->n)
		return (struct decoded){.end = x86_group[insn->byte[at + 1] >> 3 & 7]};
	return x86_look(insn, x86_one, sizeof(x86_one) / sizeof(x86_one[0]), opcode);
}

static struct decoded i386(const struct decode_insn *insn)
{
	struct decoded d = x86_64(insn);

	d.target &= UINT32_MAX;
	return d;
}

/* ---------------------------------------------------------------- RISC-V */

/* Return whether a register is one that calls leave the return address in. */
static bool riscv_link(unsigned reg)
{
	return reg == 1 || reg == 5;
}

/* Put together a number of which each piece has its bits in another place of the instruction. */
struct riscv_piece {
	uint8_t from, bits, to;
};

static int64_t riscv_gather(uint32_t code, const struct riscv_piece *piece, unsigned top)
{
	uint64_t v = 0;

	for (; piece->bits; piece++)
		v |= (uint64_t)(code >> piece->from & ((1u << piece->bits) - 1)) << piece->to;
	return decode_extend(v, top);
}

static struct decoded riscv_jump(enum decode_end end, uint64_t target)
{
	return (struct decoded){.end = end, .target = target};
}

/*
 * Tell calls, returns and jumps to registers apart by the registers, as processors do that predict
 * returns (jalr). Where both are such registers the manual has it be a return and a call at once,
 * for coroutines, which no compiler makes of C: it is a call here.
 */
static struct decoded riscv_register(unsigned rd, unsigned rs)
{
	if (riscv_link(rd))
		return riscv_jump(DECODE_CALL, 0);
	if (riscv_link(rs))
		return riscv_jump(DECODE_RETURN, 0);
	return riscv_jump(DECODE_INDIRECT, 0);
}

/* A compressed instruction: c.j, c.beqz and c.bnez, c.jr and c.jalr, c.ebreak. */
static struct decoded riscv_short(uint64_t pc, uint32_t code)
{
	static const struct riscv_piece jump[] = {{3, 3, 1}, {11, 1, 4}, {2, 1, 5}, {7, 1, 6},
		{6, 1, 7}, {9, 2, 8}, {8, 1, 10}, {12, 1, 11}, {0, 0, 0}},
		branch[] = {{3, 2, 1}, {10, 2, 3}, {2, 1, 5}, {5, 2, 6}, {12, 1, 8}, {0, 0, 0}};
	unsigned reg = code >> 7 & 31;

	switch (code & 0xe003) {
	case 0xa001:
		return riscv_jump(DECODE_JUMP, pc + riscv_gather(code, jump, 12));
	case 0xc001:
	case 0xe001:
		return riscv_jump(DECODE_BRANCH, pc + riscv_gather(code, branch, 9));
	case 0x8002:
		if (code >> 2 & 31)
			break;
		if (!reg)
			return riscv_jump(DECODE_TRAP, 0);
		return riscv_register(code >> 12 & 1, reg);
	}
	return riscv_jump(DECODE_STEP, 0);
}

/* sret and mret resume; ecall and ebreak trap. Other instructions for registers go on. */
static struct decoded riscv_system(uint32_t code)
{
	if (code == 0x10200073 || code == 0x30200073)
		return riscv_jump(DECODE_RESUME, 0);
	if (code == 0x73 || code == 0x100073)
		return riscv_jump(DECODE_TRAP, 0);
	return riscv_jump(DECODE_STEP, 0);
}

static struct decoded riscv64(const struct decode_insn *insn)
{
	static const struct riscv_piece jal[] = {{21, 10, 1}, {20, 1, 11}, {12, 8, 12},
		{31, 1, 20}, {0, 0, 0}},
		branch[] = {{8, 4, 1}, {25, 6, 5}, {7, 1, 11}, {31, 1, 12}, {0, 0, 0}};
	uint32_t code = (uint32_t)decode_signed(insn->byte, insn->n);
	enum decode_end end = DECODE_JUMP;

	if (insn->n == 2)
		return riscv_short(insn->pc, code & 0xffff);
	switch (code & 0x7f) {
	case 0x6f:
		if (riscv_link(code >> 7 & 31))
			end = DECODE_CALL;
		return riscv_jump(end, insn->pc + riscv_gather(code, jal, 21));
	case 0x67:
		return riscv_register(code >> 7 & 31, code >> 15 & 31);
	case 0x63:
		return riscv_jump(DECODE_BRANCH, insn->pc + riscv_gather(code, branch, 13));
	case 0x73:
		return riscv_system(code);
	}
	return riscv_jump(DECODE_STEP, 0);
}

/* ---------------------------------------------------------------- AArch64 */

/* In this order: the first that fits is taken. The masks leave out registers and conditions. */
static const struct arm_row {
	uint32_t mask, code;
	enum decode_end end;
	uint8_t at, bits; /* of the distance in words; no bits: it has none */
} arm_rows[] = {
	{0xfc000000, 0x94000000, DECODE_CALL, 0, 26},
	{0xfc000000, 0x14000000, DECODE_JUMP, 0, 26},
	{0xff000000, 0x54000000, DECODE_BRANCH, 5, 19},
	{0x7e000000, 0x34000000, DECODE_BRANCH, 5, 19},
	{0x7e000000, 0x36000000, DECODE_BRANCH, 5, 14},
	{0xfefff000, 0xd63f0000, DECODE_CALL, 0, 0},
	{0xfefff000, 0xd61f0000, DECODE_INDIRECT, 0, 0},
	{0xfffff000, 0xd65f0000, DECODE_RETURN, 0, 0},
	{0xfffff000, 0xd69f0000, DECODE_RESUME, 0, 0},
	{0xffe0001c, 0xd4000000, DECODE_TRAP, 0, 0},
	{0xffe0001f, 0xd4200000, DECODE_TRAP, 0, 0},
};

static struct decoded aarch64(const struct decode_insn *insn)
{
	uint32_t code = (uint32_t)decode_signed(insn->byte, 4);
	struct decoded d = {.end = DECODE_STEP};
	size_t i;

	for (i = 0; i < sizeof(arm_rows) / sizeof(arm_rows[0]); i++) {
		const struct arm_row *row = &arm_rows[i];

		if ((code & row->mask) != row->code)
			continue;
		d.end = row->end;
		if (row->bits)
			d.target = insn->pc + 4 * decode_extend(code >> row->at, row->bits);
		break;
	}
	return d;
}

static const struct {
	const char *target;
	decode_fn *decode;
	unsigned width;
} machines[] = {
	{"i386", i386, 4}, {"x86_64", x86_64, 8}, {"riscv64", riscv64, 8}, {"aarch64", aarch64, 8},
};

#define NMACHINES (sizeof(machines) / sizeof(machines[0]))

decode_fn *decode_of(const char *target)
{
	size_t i;

	for (i = 0; i < NMACHINES; i++)
		if (strcmp(machines[i].target, target) == 0)
			return machines[i].decode;
	return NULL;
}

unsigned decode_width(const char *target)
{
	size_t i;

	for (i = 0; i < NMACHINES; i++)
		if (strcmp(machines[i].target, target) == 0)
			return machines[i].width;
	return 0;
}
