/* Disassembling machine code, by capstone: see disasm.h. */
#include <capstone/capstone.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/disasm.h"
#include "tools/memory.h"

/* Return the bytes of [lo, hi) in the file, or NULL. */
static const uint8_t *bytes_at(const struct image *image, uint32_t lo, uint32_t hi)
{
	Elf *elf = image->symbols.elf;
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	uint32_t at;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_PROGBITS ||
		    !(sh.sh_flags & SHF_EXECINSTR))
			continue;
		at = sh.sh_addr; /* the lower half, as in image.c */
		if (lo < at || hi - at > sh.sh_size)
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_size >= hi - at)
			return (const uint8_t *)data->d_buf + (lo - at);
	}
	return NULL;
}

/* Append where a jump or a call leads to, "<memcpy+0x10>", if that is known. */
static void append_target(const struct image *image, const cs_insn *insn, char *text, size_t n)
{
	bool leads = insn->mnemonic[0] == 'j' || strcmp(insn->mnemonic, "call") == 0;
	size_t have = strlen(text);
	const struct symbol *to;
	uint32_t pc;
	char *end;

	if (!leads || strncmp(insn->op_str, "0x", 2) != 0)
		return;
	pc = strtoul(insn->op_str, &end, 16);
	to = image_symbol(image, pc);
	if (*end || !to)
		return;
	if (pc == to->start)
		snprintf(text + have, n - have, " <%s>", to->name);
	else
		snprintf(text + have, n - have, " <%s+0x%x>", to->name, pc - (uint32_t)to->start);
}

/* Code, and how far it has been disassembled. */
struct reader {
	const struct image *image;
	csh handle;
	cs_insn *insn;
	const uint8_t *next;
	size_t left;
	uint64_t pc;
};

/* Take the next instruction, or, if capstone knows none, a byte as a number. */
static void take(struct reader *r, struct instruction *out)
{
	*out = (struct instruction){.pc = r->pc, .size = 1};
	if (!cs_disasm_iter(r->handle, &r->next, &r->left, &r->pc, r->insn)) {
		snprintf(out->text, sizeof(out->text), ".byte 0x%02x", *r->next);
		r->next++;
		r->left--;
		r->pc++;
		return;
	}
	out->size = r->insn->size;
	snprintf(out->text, sizeof(out->text), "%s%s%s", r->insn->mnemonic,
		 *r->insn->op_str ? " " : "", r->insn->op_str);
	append_target(r->image, r->insn, out->text, sizeof(out->text));
}

/* Return the mode for an image's class: 32 or 64 bits. */
static cs_mode mode_of(const struct image *image)
{
	return gelf_getclass(image->symbols.elf) == ELFCLASS64 ? CS_MODE_64 : CS_MODE_32;
}

/*
 * Text has no more instructions than bytes, which is the room they get. What follows the last
 * return of a function may be padding, which becomes instructions, too.
 */
struct instruction *disasm(const struct image *image, uint32_t lo, uint32_t hi, size_t *n,
			   struct complaint *why)
{
	struct reader r = {.image = image, .left = hi - lo, .pc = lo};
	struct instruction *out;

	*n = 0;
	r.next = image && lo < hi ? bytes_at(image, lo, hi) : NULL;
	if (!r.next) {
		complain(why, "%s: no code from %08" PRIx32 " to %08" PRIx32,
			 image ? image->path : "no file", lo, hi);
		return NULL;
	}
	if (cs_open(CS_ARCH_X86, mode_of(image), &r.handle) != CS_ERR_OK) {
		complain(why, "the disassembler cannot be used");
		return NULL;
	}
	r.insn = cs_malloc(r.handle);
	out = memory_zeroed(r.left, sizeof(*out));
	while (r.left > 0)
		take(&r, &out[(*n)++]);
	cs_free(r.insn, 1);
	cs_close(&r.handle);
	return out;
}
