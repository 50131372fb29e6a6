/*
 * The stack's use by machine code: see follow.h.
 *
 * Each function is followed from its first instruction along all branches. A register that holds
 * an address in the stack is known by how many bytes are in use from there on; the rest is not
 * looked at. That suffices for what compilers make, and for assembly that keeps its stack in order.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "tools/depth/follow.h"
#include "tools/memory.h"

#define UNKNOWN INT_MIN
#define NREG 8
#define NPUSHED 16
#define REG_SP 4
#define REG_BP 5
#define WORD 4
#define TURNS 200 /* visits to an instruction, after which its depth is taken to have no bound */

/* What is known before an instruction: the depths that registers, and what was pushed, hold. */
struct state {
	int reg[NREG];
	int pushed[NPUSHED]; /* by depth, in words */
	unsigned turns;
};

/* A function that is being followed. */
struct walk {
	const struct code *code;
	struct code_function *fn;
	csh handle;
	cs_insn *insn;
	size_t n;
	struct state *before; /* by instruction */
	size_t *todo, ntodo, room_todo;
	const bool *returns; /* by function */
};

/* Return a register's number in struct state; NREG for those that do not matter. */
static unsigned number(unsigned reg)
{
	static const unsigned order[NREG] = {
		X86_REG_EAX, X86_REG_ECX, X86_REG_EDX, X86_REG_EBX,
		X86_REG_ESP, X86_REG_EBP, X86_REG_ESI, X86_REG_EDI,
	};
	unsigned i = 0;

	while (i < NREG && order[i] != reg)
		i++;
	return i;
}

/* Forget a depth if another one is possible. Return whether it was known. */
static bool differ(int *known, int other)
{
	if (*known == other || *known == UNKNOWN)
		return false;
	*known = UNKNOWN;
	return true;
}

/* Go on at an instruction with what is known; what differs between two ways there is not known. */
static void reach(struct walk *w, size_t i, const struct state *now)
{
	struct state *s = &w->before[i];
	bool changed = s->turns == 0;

	if (changed) {
		memcpy(s->reg, now->reg, sizeof(s->reg));
		memcpy(s->pushed, now->pushed, sizeof(s->pushed));
	}
	if (s->reg[REG_SP] < now->reg[REG_SP]) {
		s->reg[REG_SP] = now->reg[REG_SP];
		changed = true;
	}
	for (int r = 0; r < NREG; r++)
		changed |= r != REG_SP && differ(&s->reg[r], now->reg[r]);
	for (int k = 0; k < NPUSHED; k++)
		changed |= differ(&s->pushed[k], now->pushed[k]);
	if (!changed)
		return;
	if (++s->turns > TURNS) {
		w->fn->lost = true;
		return;
	}
	w->todo = memory_grow(w->todo, &w->room_todo, w->ntodo + 1, sizeof(*w->todo));
	w->todo[w->ntodo++] = i;
}

/* Return the index of the instruction at an address, or w->n. */
static size_t at(const struct walk *w, uint32_t pc)
{
	size_t lo = 0, hi = w->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (w->insn[mid].address < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < w->n && w->insn[lo].address == pc ? lo : w->n;
}

/* Note a call, or a jump to another function, which leaves its own return address out. */
static void note_call(struct walk *w, const cs_insn *in, uint32_t to, int depth)
{
	struct code_function *f = w->fn;
	struct place place[IMAGE_PLACES];

	for (size_t i = 0; i < f->ncall; i++)
		if (f->call[i].pc == in->address) {
			if (depth > f->call[i].at)
				f->call[i].at = depth;
			return;
		}
	image_places(w->code->image, in->address, place);
	f->call = memory_grow(f->call, &f->room_call, f->ncall + 1, sizeof(*f->call));
	f->call[f->ncall++] = (struct code_call){in->address, depth, to, place[0].function,
						 place[0].file, place[0].line};
}

/* Follow all targets of a jump through a table; false: it is no such jump. */
static bool jump_table(struct walk *w, const cs_insn *in, const struct state *now)
{
	const cs_x86_op *op = &in->detail->x86.operands[0];
	uint32_t to, entry;
	size_t n = 0;

	if (op->type != X86_OP_MEM || op->mem.index == X86_REG_INVALID)
		return false;
	for (entry = op->mem.disp; code_word(w->code->image, entry, &to); entry += 4, n++) {
		size_t i = at(w, to);

		if (to < w->fn->start || to >= w->fn->end || i == w->n)
			break;
		reach(w, i, now);
	}
	return n > 0;
}

/* Follow a jump. */
static void jump(struct walk *w, const cs_insn *in, const struct state *now)
{
	/* The first operand of a far jump is a selector. */
	const cs_x86_op *op = &in->detail->x86.operands[in->id == X86_INS_LJMP];
	size_t i;

	if (op->type != X86_OP_IMM) {
		if (!jump_table(w, in, now))
			note_call(w, in, 0, now->reg[REG_SP] - CODE_RETURN);
		return;
	}
	i = at(w, op->imm);
	if (i < w->n)
		reach(w, i, now);
	else
		note_call(w, in, op->imm, now->reg[REG_SP] - CODE_RETURN);
}

/* Return the depth that an operand leads to, or UNKNOWN. */
static int value(const struct state *s, const cs_x86_op *op)
{
	unsigned r;

	if (op->type == X86_OP_REG) {
		r = number(op->reg);
		return r < NREG ? s->reg[r] : UNKNOWN;
	}
	if (op->type != X86_OP_MEM || op->mem.index != X86_REG_INVALID)
		return UNKNOWN;
	r = number(op->mem.base);
	return r < NREG && s->reg[r] != UNKNOWN ? s->reg[r] - (int)op->mem.disp : UNKNOWN;
}

/* Set the destination of an arithmetic instruction on registers. */
static void arithmetic(struct state *s, const cs_insn *in)
{
	const cs_x86_op *op = in->detail->x86.operands;
	unsigned to = number(op[0].reg);
	int *r = &s->reg[to];

	if (op[0].type != X86_OP_REG || to == NREG || in->id == X86_INS_CMP ||
	    in->id == X86_INS_TEST)
		return;
	if (in->id == X86_INS_MOV && op[1].type == X86_OP_REG)
		*r = value(s, &op[1]);
	else if (in->id == X86_INS_LEA)
		*r = value(s, &op[1]);
	else if (*r == UNKNOWN || op[1].type != X86_OP_IMM)
		*r = UNKNOWN;
	else if (in->id == X86_INS_SUB)
		*r += (int32_t)op[1].imm;
	else if (in->id == X86_INS_ADD)
		*r -= (int32_t)op[1].imm;
	else if (in->id == X86_INS_AND && (int32_t)op[1].imm < 0) /* rounds the address down */
		*r += -(int32_t)op[1].imm - WORD;
	else
		*r = UNKNOWN;
}

/* Forget what an instruction writes to, but for the stack pointer. */
static void forget(struct walk *w, struct state *s, const cs_insn *in)
{
	cs_regs read, written;
	uint8_t nread, nwritten;

	if (cs_regs_access(w->handle, in, read, &nread, written, &nwritten) != CS_ERR_OK)
		return;
	for (int i = 0; i < nwritten; i++)
		if (number(written[i]) < NREG && number(written[i]) != REG_SP)
			s->reg[number(written[i])] = UNKNOWN;
}

/* Return where the word is kept that is on top of the stack; NULL: it is not. */
static int *top(struct state *s)
{
	int i = s->reg[REG_SP] / WORD;

	return s->reg[REG_SP] > 0 && i < NPUSHED ? &s->pushed[i] : NULL;
}

static void push(struct state *s, const cs_x86_op *op)
{
	int v = op->type == X86_OP_REG ? value(s, op) : UNKNOWN;

	s->reg[REG_SP] += WORD;
	if (top(s))
		*top(s) = v;
}

static void pop(struct state *s, const cs_x86_op *op)
{
	unsigned r = op->type == X86_OP_REG ? number(op->reg) : NREG;

	if (r < NREG)
		s->reg[r] = top(s) ? *top(s) : UNKNOWN;
	s->reg[REG_SP] -= WORD;
}

/* Apply an instruction that is no branch. */
static void step(struct walk *w, struct state *s, const cs_insn *in)
{
	static const cs_x86_op none, bp = {.type = X86_OP_REG, .reg = X86_REG_EBP};
	const cs_x86_op *op = in->detail->x86.operands;

	switch (in->id) {
	case X86_INS_PUSH:
		push(s, op);
		return;
	case X86_INS_PUSHFD:
		push(s, &none);
		return;
	case X86_INS_PUSHAL:
		s->reg[REG_SP] += NREG * WORD;
		return;
	case X86_INS_POP:
		pop(s, op);
		return;
	case X86_INS_POPFD:
		pop(s, &none);
		return;
	case X86_INS_POPAL:
		forget(w, s, in);
		s->reg[REG_SP] -= NREG * WORD;
		return;
	case X86_INS_LEAVE:
		s->reg[REG_SP] = s->reg[REG_BP];
		if (s->reg[REG_SP] != UNKNOWN)
			pop(s, &bp);
		return;
	case X86_INS_MOV:
	case X86_INS_LEA:
	case X86_INS_ADD:
	case X86_INS_SUB:
	case X86_INS_AND:
		arithmetic(s, in);
		return;
	default:
		forget(w, s, in);
	}
}

/* Note numbers that are the addresses of functions. */
static void note_taken(struct walk *w, const cs_insn *in)
{
	struct code_function *f = w->fn;
	const cs_x86 *x = &in->detail->x86;

	for (int i = 0; i < x->op_count; i++) {
		const cs_x86_op *op = &x->operands[i];
		uint32_t v = op->type == X86_OP_IMM   ? (uint32_t)op->imm
			     : op->type == X86_OP_MEM ? (uint32_t)op->mem.disp
						      : 0;

		if (v == 0 || code_start(w->code, v) == CODE_NONE)
			continue;
		f->taken = memory_grow(f->taken, &f->room_taken, f->ntaken + 1, sizeof(*f->taken));
		f->taken[f->ntaken++] = v;
	}
}

/* Go on behind an instruction. At the function's end assembly goes on in the next function. */
static void fall(struct walk *w, size_t i, const struct state *now, bool called)
{
	if (i + 1 < w->n)
		reach(w, i + 1, now);
	else if (!called && code_start(w->code, w->fn->end) != CODE_NONE)
		note_call(w, &w->insn[i], w->fn->end, now->reg[REG_SP] - CODE_RETURN);
}

/* Follow one instruction. */
static void follow(struct walk *w, size_t i)
{
	const cs_insn *in = &w->insn[i];
	const cs_x86_op *op = &in->detail->x86.operands[0];
	struct state now = w->before[i];
	bool call = cs_insn_group(w->handle, in, CS_GRP_CALL);

	if (now.reg[REG_SP] == UNKNOWN) {
		w->fn->lost = true;
		now.reg[REG_SP] = CODE_RETURN;
	}
	if (call) {
		uint32_t to = op->type == X86_OP_IMM ? (uint32_t)op->imm : 0;

		note_call(w, in, to, now.reg[REG_SP]);
		if (to && code_start(w->code, to) != CODE_NONE &&
		    !w->returns[code_start(w->code, to)])
			return;
		now.reg[0] = now.reg[1] = now.reg[2] = UNKNOWN;
	} else if (cs_insn_group(w->handle, in, CS_GRP_JUMP)) {
		jump(w, in, &now);
		if (in->id == X86_INS_JMP || in->id == X86_INS_LJMP)
			return;
	} else if (cs_insn_group(w->handle, in, CS_GRP_RET) || in->id == X86_INS_IRETD ||
		   in->id == X86_INS_UD2) {
		w->fn->lost |= in->id == X86_INS_RET && now.reg[REG_SP] != CODE_RETURN;
		return;
	} else {
		step(w, &now, in);
	}
	if (now.reg[REG_SP] > w->fn->own)
		w->fn->own = now.reg[REG_SP];
	fall(w, i, &now, call);
}

void follow_function(csh handle, const struct code *c, struct code_function *f,
		     const uint8_t *bytes, const bool *returns)
{
	static const uint8_t pad[] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
	struct walk w = {.code = c, .fn = f, .handle = handle, .returns = returns};
	struct state first = {.turns = 0};
	size_t size = f->end - f->start;

	w.n = cs_disasm(handle, bytes, size, f->start, 0, &w.insn);
	f->own = CODE_RETURN;
	f->pad = size >= sizeof(pad) && memcmp(bytes, pad, sizeof(pad)) == 0;
	f->lost = w.n == 0;
	if (w.n == 0)
		return;
	w.before = memory_zeroed(w.n, sizeof(*w.before));
	for (int r = 0; r < NREG; r++)
		first.reg[r] = r == REG_SP ? CODE_RETURN : UNKNOWN;
	for (int i = 0; i < NPUSHED; i++)
		first.pushed[i] = UNKNOWN;
	reach(&w, 0, &first);
	while (w.ntodo > 0)
		follow(&w, w.todo[--w.ntodo]);
	for (size_t i = 0; i < w.n; i++)
		if (!cs_insn_group(handle, &w.insn[i], CS_GRP_JUMP) &&
		    !cs_insn_group(handle, &w.insn[i], CS_GRP_CALL))
			note_taken(&w, &w.insn[i]);
	free(w.todo);
	free(w.before);
	cs_free(w.insn, w.n);
}

bool follow_returns(csh handle, const struct code_function *f, const uint8_t *bytes)
{
	cs_insn *insn;
	size_t n = cs_disasm(handle, bytes, f->end - f->start, f->start, 0, &insn);
	bool returns = false;

	for (size_t i = 0; i < n; i++) {
		const cs_x86_op *op = &insn[i].detail->x86.operands[0];

		returns |= cs_insn_group(handle, &insn[i], CS_GRP_RET) ||
			   insn[i].id == X86_INS_IRETD ||
			   (cs_insn_group(handle, &insn[i], CS_GRP_JUMP) &&
			    (op->type != X86_OP_IMM || (uint32_t)op->imm < f->start ||
			     (uint32_t)op->imm >= f->end));
	}
	if (n > 0)
		cs_free(insn, n);
	return returns;
}
