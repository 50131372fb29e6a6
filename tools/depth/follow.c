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

/*
 * A depth is how many bytes of the stack are in use where a register points to, that is how far
 * below the place above the return address: at the first instruction esp has CODE_RETURN.
 */

/* What is known before an instruction: the depths that registers, and what was pushed, hold. */
struct state {
	int reg[NREG];
	int pushed[NPUSHED]; /* by depth, in words */
	unsigned turns;	     /* how often this was changed; 0: it was never reached */
};

/* A function that is being followed. */
struct walk {
	const struct code *code;
	struct code_function *fn;
	csh handle;
	cs_insn *insn;
	size_t n;
	struct state *before; /* by instruction */
	size_t *todo, ntodo, room_todo; /* instructions whose `before' has changed */
	const bool *returns; /* by function */
};

/* Return a register's number in struct state; NREG for those that do not matter. */
static unsigned register_number(unsigned reg)
{
	static const unsigned order[NREG] = {
		X86_REG_EAX, X86_REG_ECX, X86_REG_EDX, X86_REG_EBX,
		X86_REG_ESP, X86_REG_EBP, X86_REG_ESI, X86_REG_EDI,
	};
	unsigned i = 0;

	for (; i < NREG; i++)
		if (order[i] == reg)
			break;
	return i;
}

/* Forget a depth if another one is possible. Return whether it was known. */
static bool depths_differ(int *known, int other)
{
	if (*known == other || *known == UNKNOWN)
		return false;
	*known = UNKNOWN;
	return true;
}

/* Go on at an instruction with what is known; what differs between two ways there is not known. */
static void follow_reach(struct walk *w, size_t i, const struct state *now)
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
		if (r != REG_SP)
			changed |= depths_differ(&s->reg[r], now->reg[r]);
	for (int k = 0; k < NPUSHED; k++)
		changed |= depths_differ(&s->pushed[k], now->pushed[k]);
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
static size_t insn_at(const struct walk *w, uint32_t pc)
{
	size_t lo = 0, hi = w->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (w->insn[mid].address < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < w->n && w->insn[lo].address != pc)
		return w->n;
	return lo;
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

/* Return whether an address is in a function. */
static bool inside(const struct code_function *f, uint32_t pc)
{
	return code_within(pc, f->start, f->end - f->start);
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
		size_t i = insn_at(w, to);

		if (!inside(w->fn, to))
			break;
		if (i == w->n)
			break;
		follow_reach(w, i, now);
	}
	return n > 0;
}

/* Follow a jump. */
static void follow_jump(struct walk *w, const cs_insn *in, const struct state *now)
{
	/* The first operand of a far jump is a selector. */
	const cs_x86_op *op = &in->detail->x86.operands[in->id == X86_INS_LJMP];
	size_t i;

	if (op->type != X86_OP_IMM) {
		if (!jump_table(w, in, now))
			note_call(w, in, 0, now->reg[REG_SP] - CODE_RETURN);
		return;
	}
	i = insn_at(w, op->imm);
	if (i < w->n)
		follow_reach(w, i, now);
	else
		note_call(w, in, op->imm, now->reg[REG_SP] - CODE_RETURN);
}

/* Return the depth that a register leads to, or UNKNOWN. */
static int register_value(const struct state *s, unsigned reg)
{
	unsigned r = register_number(reg);

	if (r == NREG)
		return UNKNOWN;
	return s->reg[r];
}

/* Return the depth that an operand leads to, or UNKNOWN. */
static int operand_value(const struct state *s, const cs_x86_op *op)
{
	int base;

	if (op->type == X86_OP_REG)
		return register_value(s, op->reg);
	if (op->type != X86_OP_MEM || op->mem.index != X86_REG_INVALID)
		return UNKNOWN;
	base = register_value(s, op->mem.base);
	if (base == UNKNOWN)
		return UNKNOWN;
	return base - (int)op->mem.disp;
}

/* Return the depth after an instruction with a number, or UNKNOWN. */
static int computed(int depth, unsigned instruction, int32_t n)
{
	switch (instruction) {
	case X86_INS_SUB:
		return depth + n;
	case X86_INS_ADD:
		return depth - n;
	case X86_INS_AND: /* rounds the address down */
		if (n < 0)
			return depth - n - WORD;
		break;
	}
	return UNKNOWN;
}

/* Set the destination of an arithmetic instruction on registers. */
static void arithmetic(struct state *s, const cs_insn *in)
{
	const cs_x86_op *op = in->detail->x86.operands;
	unsigned to = register_number(op[0].reg);

	if (op[0].type != X86_OP_REG || to == NREG)
		return;
	switch (in->id) {
	case X86_INS_CMP:
	case X86_INS_TEST:
		return;
	case X86_INS_LEA:
		s->reg[to] = operand_value(s, &op[1]);
		return;
	case X86_INS_MOV:
		s->reg[to] = UNKNOWN;
		if (op[1].type == X86_OP_REG)
			s->reg[to] = operand_value(s, &op[1]);
		return;
	}
	if (s->reg[to] != UNKNOWN && op[1].type == X86_OP_IMM)
		s->reg[to] = computed(s->reg[to], in->id, (int32_t)op[1].imm);
	else
		s->reg[to] = UNKNOWN;
}

/* Forget what an instruction writes to, but for the stack pointer, which has cases of its own. */
static void depths_forget(struct walk *w, struct state *s, const cs_insn *in)
{
	cs_regs read, written;
	uint8_t nread, nwritten;

	if (cs_regs_access(w->handle, in, read, &nread, written, &nwritten) != CS_ERR_OK)
		return;
	for (int i = 0; i < nwritten; i++) {
		unsigned r = register_number(written[i]);

		if (r < NREG && r != REG_SP)
			s->reg[r] = UNKNOWN;
	}
}

/* Return where the word is kept that is on top of the stack; NULL: it is not. */
static int *stack_top(struct state *s)
{
	int i = s->reg[REG_SP] / WORD;

	if (s->reg[REG_SP] <= 0 || i >= NPUSHED)
		return NULL;
	return &s->pushed[i];
}

static void stack_push(struct state *s, const cs_x86_op *op)
{
	int v = UNKNOWN;

	if (op->type == X86_OP_REG)
		v = operand_value(s, op);
	s->reg[REG_SP] += WORD;
	if (stack_top(s))
		*stack_top(s) = v;
}

static void stack_pop(struct state *s, const cs_x86_op *op)
{
	unsigned r = NREG;
	int v = UNKNOWN;

	if (op->type == X86_OP_REG)
		r = register_number(op->reg);
	if (stack_top(s))
		v = *stack_top(s);
	if (r < NREG)
		s->reg[r] = v;
	s->reg[REG_SP] -= WORD;
}

/* Apply an instruction that is no branch. */
static void follow_insn(struct walk *w, struct state *s, const cs_insn *in)
{
	static const cs_x86_op none, bp = {.type = X86_OP_REG, .reg = X86_REG_EBP};
	const cs_x86_op *op = in->detail->x86.operands;

	switch (in->id) {
	case X86_INS_PUSH:
		stack_push(s, op);
		return;
	case X86_INS_PUSHFD:
		stack_push(s, &none);
		return;
	case X86_INS_PUSHAL:
		s->reg[REG_SP] += NREG * WORD;
		return;
	case X86_INS_POP:
		stack_pop(s, op);
		return;
	case X86_INS_POPFD:
		stack_pop(s, &none);
		return;
	case X86_INS_POPAL:
		depths_forget(w, s, in);
		s->reg[REG_SP] -= NREG * WORD;
		return;
	case X86_INS_LEAVE:
		s->reg[REG_SP] = s->reg[REG_BP];
		if (s->reg[REG_SP] != UNKNOWN)
			stack_pop(s, &bp);
		return;
	case X86_INS_MOV:
	case X86_INS_LEA:
	case X86_INS_ADD:
	case X86_INS_SUB:
	case X86_INS_AND:
		arithmetic(s, in);
		return;
	default:
		depths_forget(w, s, in);
	}
}

/* Return the number in an operand, 0 if there is none. */
static uint32_t operand_number(const cs_x86_op *op)
{
	switch (op->type) {
	case X86_OP_IMM:
		return (uint32_t)op->imm;
	case X86_OP_MEM:
		return (uint32_t)op->mem.disp;
	default:
		return 0;
	}
}

/* Note numbers that are the addresses of functions. */
static void note_taken(struct walk *w, const cs_insn *in)
{
	struct code_function *f = w->fn;
	const cs_x86 *x = &in->detail->x86;

	for (int i = 0; i < x->op_count; i++) {
		uint32_t v = operand_number(&x->operands[i]);

		if (v == 0 || code_start(w->code, v) == CODE_NONE)
			continue;
		f->taken = memory_grow(f->taken, &f->room_taken, f->ntaken + 1, sizeof(*f->taken));
		f->taken[f->ntaken++] = v;
	}
}

/* Go on after an instruction. At the function's end assembly goes on in the next function. */
static void follow_fall(struct walk *w, size_t i, const struct state *now, bool called)
{
	if (i + 1 < w->n)
		follow_reach(w, i + 1, now);
	else if (!called && code_start(w->code, w->fn->end) != CODE_NONE)
		note_call(w, &w->insn[i], w->fn->end, now->reg[REG_SP] - CODE_RETURN);
}

/* Return whether an instruction leaves a function. */
static bool is_return(csh handle, const cs_insn *in)
{
	return cs_insn_group(handle, in, CS_GRP_RET) || in->id == X86_INS_IRETD;
}

/* Return whether a call leads to a function that does not come back. */
static bool never_returns(const struct walk *w, uint32_t to)
{
	size_t fn = code_start(w->code, to);

	return fn != CODE_NONE && !w->returns[fn];
}

/* Follow one instruction. */
static void follow_from(struct walk *w, size_t i)
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
		uint32_t to = 0;

		if (op->type == X86_OP_IMM)
			to = (uint32_t)op->imm;
		note_call(w, in, to, now.reg[REG_SP]);
		if (to && never_returns(w, to))
			return;
		now.reg[0] = now.reg[1] = now.reg[2] = UNKNOWN;
	} else if (cs_insn_group(w->handle, in, CS_GRP_JUMP)) {
		follow_jump(w, in, &now);
		if (in->id == X86_INS_JMP || in->id == X86_INS_LJMP)
			return;
	} else if (is_return(w->handle, in) || in->id == X86_INS_UD2) {
		w->fn->lost |= in->id == X86_INS_RET && now.reg[REG_SP] != CODE_RETURN;
		return;
	} else {
		follow_insn(w, &now, in);
	}
	if (now.reg[REG_SP] > w->fn->own)
		w->fn->own = now.reg[REG_SP];
	follow_fall(w, i, &now, call);
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
		first.reg[r] = UNKNOWN;
	first.reg[REG_SP] = CODE_RETURN;
	for (int i = 0; i < NPUSHED; i++)
		first.pushed[i] = UNKNOWN;
	follow_reach(&w, 0, &first);
	while (w.ntodo > 0)
		follow_from(&w, w.todo[--w.ntodo]);
	for (size_t i = 0; i < w.n; i++)
		if (!cs_insn_group(handle, &w.insn[i], CS_GRP_JUMP) &&
		    !cs_insn_group(handle, &w.insn[i], CS_GRP_CALL))
			note_taken(&w, &w.insn[i]);
	free(w.todo);
	free(w.before);
	cs_free(w.insn, w.n);
}

/* Return whether an instruction may jump to another function. */
static bool jumps_out(csh handle, const struct code_function *f, const cs_insn *in)
{
	const cs_x86_op *op = &in->detail->x86.operands[0];

	if (!cs_insn_group(handle, in, CS_GRP_JUMP))
		return false;
	return op->type != X86_OP_IMM || !inside(f, (uint32_t)op->imm);
}

bool follow_returns(csh handle, const struct code_function *f, const uint8_t *bytes)
{
	cs_insn *insn;
	size_t n = cs_disasm(handle, bytes, f->end - f->start, f->start, 0, &insn);
	bool found = false;

	for (size_t i = 0; i < n; i++)
		found |= is_return(handle, &insn[i]) || jumps_out(handle, f, &insn[i]);
	if (n > 0)
		cs_free(insn, n);
	return found;
}
