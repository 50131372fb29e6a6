/*
 * Call paths of a machine by what it executes: a shadow of each of its stacks. The caller tells
 * of each block of instructions as it begins, and of some addresses that instructions use;
 * shadow_path() then is the path that the block is on, which is put together only when somebody
 * asks for it. Nothing here knows QEMU.
 *
 * A call pushes a frame, and a return takes away the frame whose return address is where it
 * went, with all above it. What a block cannot go on with by itself is an interrupt or an
 * exception: its frame lies on the stack until execution is resumed. A return to no frame of this
 * stack is to another stack whose last call had that return address, or to a new one that begins,
 * or a jump for which somebody wrote the address to this stack.
 */
#ifndef TOOLS_RECORD_PLUGIN_SHADOW_H
#define TOOLS_RECORD_PLUGIN_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/record/plugin/decode.h"
#include "tools/record/plugin/programs.h"
#include "tools/record/plugin/table.h"
#include "tools/record/plugin/tree.h"

#define SHADOW_CPUS 64
#define SHADOW_PAGE 4096 /* bytes, by which the firmware's code is known */
#define SHADOW_MAYBE 4096 /* of struct shadow's `maybe' */
#define NO_PATH UINT32_MAX /* in place of a node's number */

/* Whose code it is. */
enum shadow_where {
	SHADOW_OUTSIDE, /* firmware, or programs that are not followed */
	SHADOW_INSIDE,	/* the kernel */
	SHADOW_PROGRAM, /* a program, whose paths are followed, too */
};

/* Instructions that are left at their end alone, but for faults and interrupts. */
struct shadow_block {
	uint64_t pc, next; /* half-open */
	uint64_t target;   /* of what ends it; 0: unknown */
	struct shadow_block *after[2]; /* it went on with last, at next and target; or NULL */
	uint32_t n;	/* instructions */
	uint16_t whose; /* which programs have such code: a number of programs.h */
	uint8_t where;	/* enum shadow_where */
	enum decode_end end : 8;
	/* Of calls: where the last one went, 0: there was none; and how often, since it does. */
	uint64_t entry, calls;
	uint32_t path, child; /* this block's when it called there, and the call's; 0: not known */
	bool pushes; /* a call that puts its return address on the stack, as x86's do */
};

/* The paths that have no caller. */
enum shadow_root {
	SHADOW_FIRMWARE,  /* outside of the kernel, before it began */
	SHADOW_USER,	  /* outside of it afterwards */
	SHADOW_KERNEL,	  /* the kernel's own, or for a system call */
	SHADOW_INTERRUPT, /* of an interrupt or an exception, whatever it interrupted */
	SHADOW_ROOTS
};

enum shadow_kind { SHADOW_CALLED, SHADOW_INTERRUPTED };

/* What a return or a resumption comes back to. */
struct shadow_frame {
	uint64_t sp; /* where the return address lies; 0: unknown */
	uint64_t ret, entry; /* of a call: the function called */
	uint64_t since; /* when it was called */
	uint32_t node;	/* the path of what runs above this frame; or NO_PATH, nobody has asked */
	enum shadow_kind kind;
	struct shadow_block *block; /* that has called; or which an interrupt came after, or in */
	uint64_t pushed, popped;    /* of an interrupt: as in struct shadow_cpu, then */
};

/* A stack's frames, the outermost first; other stacks know it by its index, which stays. */
struct shadow_stack {
	struct shadow_frame *frame;
	size_t n, room;
	uint32_t root; /* the path of what runs below all frames */
	uint64_t left; /* when it was left for another one; greater is later */
	bool busy;     /* a CPU runs on it, or the kernel does for its program */
	bool used;	  /* else it may be taken for another one */
	uint32_t process; /* whose it is; 0: the kernel's */
	size_t user;	  /* that of the program from which the kernel was entered here; or none */
	uint64_t jumped, meant; /* where the last return that is none went, and would have; or 0 */
	/* A program's, which the kernel was entered from: by which stack, and after which block. */
	size_t owner;
	struct shadow_block *block; /* NULL: it was not left so */
	uint64_t pushed, popped;
};

/* A program that runs, from its start to its end: see process.h. */
struct shadow_process {
	struct programs_set ran; /* which programs have all that it ran */
	uint32_t root;		 /* its path without calls */
};

struct shadow_cpu {
	struct shadow_block *block; /* that runs; NULL: none yet */
	size_t stack; /* that it runs on, or NO_STACK of stacks.h, as those below */
	size_t lent; /* the kernel's, which is out for a while; see shadow_lends() */
	uint64_t pushed, popped; /* addresses that its last instructions used; 0: none */
	uint8_t where; /* enum shadow_where */
	bool began;    /* it has run the kernel */
	uint32_t outside; /* if it is there: the path that the block is on, one of the roots */
};

struct shadow {
	uint64_t now; /* the caller's time: instructions that all CPUs have done */
	struct shadow_cpu cpu[SHADOW_CPUS];
	struct shadow_stack *stack;
	size_t nstack, room_stack;
	uint64_t *point; /* by stack: where the last call goes on of one that was left; close by */
	size_t room_point;
	struct table tops; /* the stack, plus 1, that was left last with its top frame there */
	size_t unused; /* there is no stack that is not used below this one */
	struct shadow_process *process; /* by number, less 1 */
	size_t nprocess, room_process;
	const struct programs *programs; /* that processes may run */
	struct tree tree; /* of the paths, of which the roots are enum shadow_root's */
	struct table points;   /* where calls go on */
	struct table arcs;     /* calls of the kernel's, but for those that blocks have counted */
	struct table handlers; /* where interrupts went */
	struct table firmware; /* pages of what ran before the kernel */
	bool maybe[SHADOW_MAYBE];	/* whether there may be a handler, by a part of its pc */
	uint64_t clock; /* counts the times at which stacks were left */
	uint64_t slow, limit; /* a function's entry, 0: none; and how long it may take, as `now' */
	bool late;	      /* it has taken longer */
	bool began; /* the kernel has run */
	bool off;	    /* calls do not count now */
	/* What there was of each: returns, those that were none, and other changes of the path. */
	uint64_t returns, begun, jumps, unmatched, interrupts, switches, fresh;
};

/*
 * Begin, and free all but the blocks and the programs, which are the caller's. The field `programs'
 * is to be set before the first block of one.
 */
void shadow_init(struct shadow *s);
void shadow_free(struct shadow *s);

/*
 * A CPU begins a block, which must last. Return whether it stays on its path because the block
 * before has gone on with this one already, as nearly all have. Otherwise shadow_enter() has to be
 * called. Nothing that the new block has is needed here: it is in none of the caches mostly.
 */
static inline bool shadow_goes_on(struct shadow *s, unsigned cpu, struct shadow_block *to)
{
	struct shadow_cpu *c = &s->cpu[cpu];
	const struct shadow_block *b = c->block;

	if (!b || (b->after[1] != to && b->after[0] != to))
		return false;
	c->block = to;
	return true;
}

/*
 * A CPU begins a block, which must last. Return whether the kernel has come there by a plain call
 * or return, as to nearly all where it does not stay on its path. Otherwise shadow_enter() has to
 * be called.
 */
bool shadow_comes_by_call(struct shadow *s, unsigned cpu, struct shadow_block *to);

/* A CPU begins a block, which must last. */
void shadow_enter(struct shadow *s, unsigned cpu, struct shadow_block *block);

/* Return the path that a CPU's block is on: the number of a node. */
uint32_t shadow_path(struct shadow *s, unsigned cpu);

/* The call that ends this CPU's block has pushed to that address; of several the first counts. */
void shadow_pushed(struct shadow *s, unsigned cpu, uint64_t address);

/* The return that ends this CPU's block takes its address from there; again the first counts. */
void shadow_popped(struct shadow *s, unsigned cpu, uint64_t address);

#endif
