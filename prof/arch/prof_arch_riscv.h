/* RISC-V, of 32 and 64 bits: included by prof_arch.h. */
#ifndef PROF_ARCH_RISCV_H
#define PROF_ARCH_RISCV_H

#define PROF_FRAME_BELOW (2 * sizeof(prof_addr))
#define PROF_ARCH_LEAF 1024u  /* most bytes of a function that are looked through */
#define PROF_ARCH_FRAME 2048u /* most bytes of a frame */

/* Return the instruction there, or two short ones. */
PROF_ARCH uint32_t prof_arch_code(prof_addr at)
{
	const uint16_t *half = (const uint16_t *)at;

	return half[0] | (uint32_t)half[1] << 16;
}

/* Return the function that was called by the instructions before that address; 0: not known. */
PROF_ARCH prof_addr prof_arch_called(prof_addr link)
{
	uint32_t call = prof_arch_code(link - 4), page = prof_arch_code(link - 8), off;

	if ((call & 0xfff) == 0x0ef) { /* jal ra, off */
		off = (call >> 20 & 0x7fe) | (call >> 9 & 0x800) | (call & 0xff000) |
		      (call >> 11 & 0x100000);
		return link - 4 + (prof_addr)(intptr_t)(int32_t)((off ^ 0x100000) - 0x100000);
	}
	if ((call & 0xfffff) == 0x080e7 && (page & 0xfff) == 0x097) /* auipc ra; jalr ra, off(ra) */
		return link - 8 + (prof_addr)(intptr_t)(int32_t)(page & 0xfffff000) +
		       (prof_addr)(intptr_t)((int32_t)call >> 20);
	return 0;
}

/* Return whether that instruction saves ra in the stack: sd or sw, or their short forms. */
PROF_ARCH bool prof_arch_saves(uint32_t code)
{
	return sizeof(prof_addr) == 8 ?
		(code & 0x1fff07f) == 0x0113023 || (code & 0xe07f) == 0xe006 :
		(code & 0x1fff07f) == 0x0112023 || (code & 0xe07f) == 0xc006;
}

/* Return whether it returns, or adds to sp: the frame, and ra, are then the caller's. */
PROF_ARCH bool prof_arch_edge(uint32_t code)
{
	return (code & 0xffff) == 0x8082 || (code & 0xfffff) == 0x10113 ||
	       (code & 0x8f83) == 0x0101;
}

/*
 * If the function that was called last has not saved ra on the way to pc, it is the one at pc, and
 * returns there. It may have a frame all the same, with nothing but the caller's frame pointer
 * where others have ra; on the way back that is no longer in the frame.
 */
PROF_ARCH void prof_arch_find(struct prof_stack_place *at, prof_addr sp, prof_addr link,
			      prof_addr lo, prof_addr hi)
{
	prof_addr begin, i, fp;
	uint32_t code;

	at->ret = 0;
	if (at->pc - lo >= hi - lo || link - lo - 8 >= hi - lo - 8)
		return;
	if (prof_arch_edge(prof_arch_code(at->pc))) {
		at->ret = link;
		return;
	}
	begin = prof_arch_called(link);
	if (begin < lo || begin > at->pc || at->pc - begin > PROF_ARCH_LEAF)
		return;
	for (i = begin; i < at->pc; i += (code & 3) == 3 ? 4 : 2) {
		code = prof_arch_code(i);
		if (prof_arch_saves(code))
			return;
	}
	at->ret = link;
	if (at->fp % sizeof(fp) || at->fp - sp - 1 >= PROF_ARCH_FRAME)
		return;
	fp = *(const prof_addr *)(at->fp - sizeof(fp));
	if (fp > at->fp && fp - lo >= hi - lo)
		at->fp = fp;
}

#endif
