/* Disassembling machine code, by capstone or objdump: see disasm.h. */
#include <capstone/capstone.h>
#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/disasm.h"
#include "tools/code/objdump.h"
#include "tools/code/sections.h"
#include "tools/memory.h"
#include "tools/sorted.h"

/* The machines that capstone knows, by e_machine of their ELF files. */
static const struct machine {
	unsigned elf;
	cs_arch arch;
	cs_mode mode;
	unsigned step; /* bytes that the shortest instruction has */
} machines[] = {
	{EM_386, CS_ARCH_X86, CS_MODE_32, 1},
	{EM_X86_64, CS_ARCH_X86, CS_MODE_64, 1},
	{EM_ARM, CS_ARCH_ARM, CS_MODE_ARM, 4},
	{EM_AARCH64, CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, 4},
};

#define NMACHINE (sizeof(machines) / sizeof(machines[0]))

static const struct machine thumb = {EM_ARM, CS_ARCH_ARM, CS_MODE_THUMB, 2};

/* Return the bytes of [lo, hi) in the file, or NULL and *why. */
static const uint8_t *bytes_at(struct image *image, code_addr lo, code_addr hi,
			       struct complaint *why)
{
	const char *path = "no file";
	const uint8_t *bytes = NULL;

	if (image) {
		path = image->path;
		if (!image->sections)
			image->sections = sections_load(image->symbols.elf);
		bytes = sections_bytes(image->sections, lo, hi);
	}
	if (image && image->sections->overlap)
		complain(why, "%s: its code is not shown, for sections lie one over the other in "
			 "the file", path);
	else if (!bytes)
		complain(why, "%s: no code from %" CODE_ADDR " to %" CODE_ADDR, path, lo, hi);
	return bytes;
}

/* Code, and how far it has been disassembled. */
struct reader {
	const struct image *image;
	const struct machine *machine;
	csh handle;
	cs_insn *insn;
	const uint8_t *next;
	size_t left;
	uint64_t pc;
};

/* Return whether an instruction is a jump or a call. Of x86, which has most, its name will do. */
static bool is_jump(const struct reader *r)
{
	if (r->machine->arch == CS_ARCH_X86)
		return r->insn->mnemonic[0] == 'j' || strcmp(r->insn->mnemonic, "call") == 0;
	return cs_insn_group(r->handle, r->insn, CS_GRP_JUMP) ||
	       cs_insn_group(r->handle, r->insn, CS_GRP_CALL);
}

/* Append where a jump or a call leads to, "<memcpy+0x10>", if its last operand tells. */
static void append_target(const struct reader *r, char *text, size_t n)
{
	const char *last = strrchr(r->insn->op_str, ' ');
	size_t have = strlen(text);
	const struct symbol *to;
	code_addr pc;
	char *end;

	if (last)
		last++;
	else
		last = r->insn->op_str;
	if (*last == '#')
		last++;
	if (strncmp(last, "0x", 2) != 0)
		return;
	if (!is_jump(r))
		return;
	pc = strtoull(last, &end, 16);
	to = image_symbol(r->image, pc);
	if (*end || !to)
		return;
	if (pc == to->start)
		snprintf(text + have, n - have, " <%s>", to->name);
	else
		snprintf(text + have, n - have, " <%s+0x%" PRIx64 ">", to->name, pc - to->start);
}

/* Take what capstone knows no instruction for as a number, as long as the shortest one. */
static void take_number(struct reader *r, struct instruction *out)
{
	static const char *const word[] = {[1] = ".byte", [2] = ".short", [4] = ".word"};
	size_t step = r->machine->step;
	uint32_t v = 0;

	if (r->left < step)
		step = 1;
	memcpy(&v, r->next, step);
	snprintf(out->text, sizeof(out->text), "%s 0x%0*" PRIx32, word[step], (int)(2 * step), v);
	out->size = (uint8_t)step;
	r->next += step;
	r->left -= step;
	r->pc += step;
}

/* Take the next instruction. */
static void take_instruction(struct reader *r, struct instruction *out)
{
	const char *blank = "";

	*out = (struct instruction){.pc = r->pc};
	if (!cs_disasm_iter(r->handle, &r->next, &r->left, &r->pc, r->insn)) {
		take_number(r, out);
		return;
	}
	if (*r->insn->op_str)
		blank = " ";
	out->size = (uint8_t)r->insn->size;
	snprintf(out->text, sizeof(out->text), "%s%s%s", r->insn->mnemonic, blank,
		 r->insn->op_str);
	append_target(r, out->text, sizeof(out->text));
}

/* Find what the code at lo is of, or return NULL. A symbol says which ARM functions are Thumb. */
static const struct machine *machine_at(const struct image *image, code_addr lo)
{
	const struct symbol *symbol = image_symbol(image, lo);
	size_t i;

	if (symbol && symbol->thumb)
		return &thumb;
	for (i = 0; i < NMACHINE; i++)
		if (machines[i].elf == image->symbols.machine)
			return &machines[i];
	return NULL;
}

/* Say that a function has too many instructions. */
static void complain_of_size(struct complaint *why, const struct image *image, code_addr lo)
{
	complain(why, "%s: the function at %" CODE_ADDR " has more than %u instructions, "
		 "and is not shown", image->path, lo, DISASM_MOST);
}

/* Disassemble all of the reader's code by capstone. Return *n instructions, or NULL and *why. */
static struct instruction *by_capstone(struct reader *r, size_t *n, struct complaint *why)
{
	struct instruction *out = NULL;
	code_addr lo = r->pc;
	size_t room = 0;

	if (cs_open(r->machine->arch, r->machine->mode, &r->handle) != CS_ERR_OK) {
		complain(why, "the disassembler cannot be used");
		return NULL;
	}
	if (r->machine->arch != CS_ARCH_X86)
		cs_option(r->handle, CS_OPT_DETAIL, CS_OPT_ON);
	r->insn = cs_malloc(r->handle);
	while (r->left > 0 && *n < DISASM_MOST) {
		out = memory_grow(out, &room, *n + 1, sizeof(*out));
		take_instruction(r, &out[(*n)++]);
	}
	cs_free(r->insn, 1);
	cs_close(&r->handle);
	if (r->left == 0)
		return out;
	complain_of_size(why, r->image, lo);
	free(out);
	*n = 0;
	return NULL;
}

/* Take the instructions of [lo, hi) from what objdump has printed. */
static struct instruction *by_objdump(struct image *image, code_addr lo, code_addr hi, size_t *n,
				      struct complaint *why)
{
	const char *program = objdump_program(image->symbols.machine);
	struct instruction *out;
	struct objdump *o;
	size_t from, i;

	if (!program) {
		complain(why, "%s: code of another machine (%s); x86, x86-64, ARM, AArch64 and "
			 "RISC-V can be shown", image->path,
			 dwelf_elf_e_machine_string((int)image->symbols.machine));
		return NULL;
	}
	if (!image->objdump)
		image->objdump = objdump_load(program, image->path);
	o = image->objdump;
	from = sorted_below(o->insn, o->n, sizeof(*o->insn), lo);
	*n = sorted_below(o->insn, o->n, sizeof(*o->insn), hi) - from;
	if (o->error)
		complain(why, "%s: %s, which shows code of this machine, cannot be run: %s",
			 image->path, program, strerror(o->error));
	else if (*n == 0)
		complain(why, "%s: %s, which shows code of this machine, finds none there",
			 image->path, program);
	if (*n > DISASM_MOST) {
		complain_of_size(why, image, lo);
		*n = 0;
	}
	if (*n == 0)
		return NULL;
	out = memory_zeroed(*n, sizeof(*out));
	for (i = 0; i < *n; i++)
		objdump_take(o, from + i, &out[i]);
	return out;
}

/* What follows the last return of a function may be padding, which becomes instructions, too. */
struct instruction *disasm(struct image *image, code_addr lo, code_addr hi, size_t *n,
			   struct complaint *why)
{
	struct reader r = {.image = image, .left = hi - lo, .pc = lo};

	*n = 0;
	r.next = bytes_at(image, lo, hi, why);
	if (!r.next)
		return NULL;
	r.machine = machine_at(image, lo);
	if (r.machine)
		return by_capstone(&r, n, why);
	return by_objdump(image, lo, hi, n, why);
}

bool disasm_is_fill(const struct instruction *insn)
{
	static const char *const fill[] = {"xchg ax, ax", "lea esi, [esi]", "lea edi, [edi]",
					   "lea esi, cs:[esi]", "lea edi, cs:[edi]"};
	size_t i;

	for (i = 0; i < sizeof(fill) / sizeof(fill[0]); i++)
		if (strcmp(insn->text, fill[i]) == 0)
			return true;
	return strncmp(insn->text, "nop", 3) == 0;
}
