/*
 * How the blocks of each machine end (gnomon-record(1), R1), by their last instruction.
 * Links: tools/record/plugin/decode.c
 */
#include "tests/test.h"
#include "tests/tools/ends.h"

/* The instructions that end blocks, of each machine. */
static const struct {
	const char *machine;
	uint8_t byte[10];
	size_t n;
	enum decode_end end;
	uint64_t target;
} insns[] = {
	{"i386", {0xe8, 0xfb, 0xff, 0xff, 0xff}, 5, CALL, 0x1000},
	{"i386", {0xff, 0x14, 0x95, 0, 0, 0, 0}, 7, CALL, 0},
	{"i386", {0xff, 0xe0}, 2, INDIRECT, 0},
	{"i386", {0xc3}, 1, RET, 0},
	{"i386", {0xc2, 4, 0}, 3, RET, 0},
	{"i386", {0xcf}, 1, RESUME, 0},
	{"i386", {0xcd, 0x80}, 2, TRAP, 0},
	{"i386", {0xeb, 0xfe}, 2, JUMP, 0x1000},
	{"i386", {0x74, 0x02}, 2, BRANCH, 0x1004},
	{"i386", {0x0f, 0x84, 0x00, 0x01, 0, 0}, 6, BRANCH, 0x1106},
	{"i386", {0xf3, 0xa4}, 2, BRANCH, 0x1000},
	{"i386", {0x40}, 1, STEP, 0},
	{"i386", {0xff, 0xc0}, 2, STEP, 0},
	{"x86_64", {0x41, 0xff, 0xd3}, 3, CALL, 0},
	{"x86_64", {0xf3, 0xc3}, 2, RET, 0},
	{"x86_64", {0x48, 0xcf}, 2, RESUME, 0},
	{"x86_64", {0x48, 0x0f, 0x07}, 3, RESUME, 0},
	{"x86_64", {0x0f, 0x05}, 2, TRAP, 0},
	{"riscv64", {0xef, 0x00, 0x00, 0x01}, 4, CALL, 0x1010},
	{"riscv64", {0x6f, 0xf0, 0xdf, 0xff}, 4, JUMP, 0xffc},
	{"riscv64", {0xe7, 0x80, 0x00, 0x00}, 4, CALL, 0},
	{"riscv64", {0x82, 0x80}, 2, RET, 0},
	{"riscv64", {0x82, 0x87}, 2, INDIRECT, 0},
	{"riscv64", {0x82, 0x97}, 2, CALL, 0},
	{"riscv64", {0xf5, 0xbf}, 2, JUMP, 0xffc},
	{"riscv64", {0x63, 0x04, 0x05, 0x00}, 4, BRANCH, 0x1008},
	{"riscv64", {0x01, 0xc1}, 2, BRANCH, 0x1000},
	{"riscv64", {0x73, 0x00, 0x20, 0x30}, 4, RESUME, 0},
	{"riscv64", {0x73, 0x00, 0x00, 0x00}, 4, TRAP, 0},
	{"aarch64", {0x02, 0x00, 0x00, 0x94}, 4, CALL, 0x1008},
	{"aarch64", {0xff, 0xff, 0xff, 0x17}, 4, JUMP, 0xffc},
	{"aarch64", {0x40, 0x00, 0x00, 0x54}, 4, BRANCH, 0x1008},
	{"aarch64", {0x40, 0x00, 0x00, 0xb4}, 4, BRANCH, 0x1008},
	{"aarch64", {0x00, 0x00, 0x3f, 0xd6}, 4, CALL, 0},
	{"aarch64", {0x00, 0x00, 0x1f, 0xd6}, 4, INDIRECT, 0},
	{"aarch64", {0xc0, 0x03, 0x5f, 0xd6}, 4, RET, 0},
	{"aarch64", {0xe0, 0x03, 0x9f, 0xd6}, 4, RESUME, 0},
	{"aarch64", {0x01, 0x00, 0x00, 0xd4}, 4, TRAP, 0},
};

static void ends_of_blocks(void **state)
{
	size_t i, wrong = 0;

	for (i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
		struct decode_insn insn = {.pc = 0x1000, .byte = insns[i].byte, .n = insns[i].n};
		struct decoded d = decode_of(insns[i].machine)(&insn);

		if (d.end == insns[i].end && d.target == insns[i].target)
			continue;
		print_error("insn %zu, %s: %d to %llx\n", i, insns[i].machine, d.end,
			    (unsigned long long)d.target);
		wrong++;
	}
	assert_int_equal(wrong, 0);
	assert_null(decode_of("sparc"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(ends_of_blocks)};

	return RUN(tests, NULL, NULL);
}
