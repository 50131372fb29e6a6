/* Entry calls in and out: each pad at the start of a function is a nop or a call of __fentry__. */
#include "kernel.h"
#include "smp.h"

#define PAD 5

extern void __fentry__(void);

static const uint8_t nop[PAD] = {0x0f, 0x1f, 0x44, 0x00, 0x00};

/* The call that belongs into the pad at va. */
static void make_call(uint32_t va, uint8_t call[PAD])
{
	uint32_t distance = (uint32_t)(uintptr_t)__fentry__ - (va + PAD);

	call[0] = 0xe8;
	memcpy(call + 1, &distance, sizeof(distance));
}

/*
 * Switch one pad, by a single store, so that an NMI finds a whole instruction. What
 * holds neither form, or crosses 8 bytes (no function aligned to 16 does), stays.
 */
static void patch(uint32_t va, bool in)
{
	uint8_t call[PAD];

	make_call(va, call);
	if (va % 8 + PAD <= 8 && memcmp((void *)(uintptr_t)va, in ? nop : call, PAD) == 0)
		text_write(va, in ? call : nop, PAD);
}

/*
 * Have every instrumented function call __fentry__, or none. The other CPUs stand
 * still meanwhile: one processor may change another's instructions only so (SDM 3A,
 * section 8.1.3).
 */
void patch_entries(bool in)
{
	const uint32_t *pad;
	uint32_t flags = park_begin();

	for (pad = mcount_loc; pad < mcount_loc_end; pad++)
		patch(*pad, in);
	park_end(flags);
}
