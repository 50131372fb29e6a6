/*
 * The machine's side of the AArch64 host: exception level 1, in which the processor begins, the
 * clock's interrupt, which is an FIQ, and the program, at level 0. Arm Architecture Reference
 * Manual, chapter D1.
 */
#define STACK 16384
#define FRAME (34 * 8)

	.text
	/* Every path of calls ends with a frame whose return address is 0. */
	.global boot
	.type boot, @function
boot:
	adr	x0, vectors
	msr	vbar_el1, x0
	adrp	x0, stack + STACK
	add	x0, x0, :lo12:stack + STACK
	mov	sp, x0
	stp	xzr, xzr, [sp, -16]!
	mov	x29, sp
	bl	cpu_main
1:	wfi
	b	1b
	.size boot, . - boot

	.type vectors, @function
	.balign 2048
vectors:
	.rept	6
	b	fault
	.balign	128
	.endr
	b	clock_entry			/* in the kernel */
	.balign	128
	b	fault
	.balign	128
	b	program_call
	.balign	128
	b	fault
	.balign	128
	b	clock_entry			/* in the program */
	.balign	128
	.rept	5
	b	fault
	.balign	128
	.endr
	.size vectors, . - vectors

	/* The processor has switched to the kernel's stack if it was in the program. */
	.type clock_entry, @function
clock_entry:
	sub	sp, sp, FRAME
	stp	x0, x1, [sp, 0]
	stp	x2, x3, [sp, 16]
	stp	x4, x5, [sp, 32]
	stp	x6, x7, [sp, 48]
	stp	x8, x9, [sp, 64]
	stp	x10, x11, [sp, 80]
	stp	x12, x13, [sp, 96]
	stp	x14, x15, [sp, 112]
	stp	x16, x17, [sp, 128]
	stp	x18, x19, [sp, 144]
	stp	x20, x21, [sp, 160]
	stp	x22, x23, [sp, 176]
	stp	x24, x25, [sp, 192]
	stp	x26, x27, [sp, 208]
	stp	x28, x29, [sp, 224]
	mrs	x1, elr_el1
	mrs	x2, spsr_el1
	stp	x1, x2, [sp, 32 * 8]
	add	x1, sp, FRAME
	tst	x2, 15
	b.ne	1f
	mrs	x1, sp_el0
1:	stp	x30, x1, [sp, 30 * 8]
	mov	x0, sp
	bl	clock_interrupt
	ldp	x1, x2, [sp, 32 * 8]
	msr	elr_el1, x1
	msr	spsr_el1, x2
	ldr	x30, [sp, 30 * 8]
	ldp	x0, x1, [sp, 0]
	ldp	x2, x3, [sp, 16]
	ldp	x4, x5, [sp, 32]
	ldp	x6, x7, [sp, 48]
	ldp	x8, x9, [sp, 64]
	ldp	x10, x11, [sp, 80]
	ldp	x12, x13, [sp, 96]
	ldp	x14, x15, [sp, 112]
	ldp	x16, x17, [sp, 128]
	ldp	x18, x19, [sp, 144]
	ldp	x20, x21, [sp, 160]
	ldp	x22, x23, [sp, 176]
	ldp	x24, x25, [sp, 192]
	ldp	x26, x27, [sp, 208]
	ldp	x28, x29, [sp, 224]
	add	sp, sp, FRAME
	eret
	.size clock_entry, . - clock_entry

	/* To the program, until it ends: its calls' stack begins where this one ends. */
	.global machine_program
	.type machine_program, @function
machine_program:
	stp	x29, x30, [sp, -96]!
	stp	x19, x20, [sp, 16]
	stp	x21, x22, [sp, 32]
	stp	x23, x24, [sp, 48]
	stp	x25, x26, [sp, 64]
	stp	x27, x28, [sp, 80]
	adrp	x0, program
	add	x0, x0, :lo12:program
	msr	elr_el1, x0
	mov	x0, 0x80			/* IRQs masked, level 0 */
	msr	spsr_el1, x0
	eret
	.size machine_program, . - machine_program

	/* A call of the program's, all of whose registers may hold anything. Its path ends here. */
	.type program_call, @function
program_call:
	cbnz	x8, 1f
	stp	x29, x19, [sp, -48]!
	mrs	x0, elr_el1			/* FIQs are off until these are saved */
	mrs	x1, spsr_el1
	stp	x0, x1, [sp, 16]
	msr	daifclr, 1
	stp	xzr, xzr, [sp, 32]
	add	x29, sp, 32
	bl	serve
	msr	daifset, 1			/* a tick would change these */
	ldp	x0, x1, [sp, 16]
	msr	elr_el1, x0
	msr	spsr_el1, x1
	ldp	x29, x19, [sp], 48
	eret
1:	ldp	x19, x20, [sp, 16]
	ldp	x21, x22, [sp, 32]
	ldp	x23, x24, [sp, 48]
	ldp	x25, x26, [sp, 64]
	ldp	x27, x28, [sp, 80]
	ldp	x29, x30, [sp], 96
	msr	daifclr, 1
	ret
	.size program_call, . - program_call

	/* At level 0: where its stack pointer and its frame pointer lead, there is no memory. */
	.section .program, "ax"
program:
	mov	x0, 0x1000000000000
	mov	sp, x0
	add	x29, x0, 8
	mov	x19, 1000
1:	mov	x0, 500
2:	subs	x0, x0, 1
	b.ne	2b
	mov	x8, 0
	svc	0
	subs	x19, x19, 1
	b.ne	1b
	mov	x8, 1
	svc	0

	.text
fault:	mov	w0, 1
	b	stop

	/* The instruction that QEMU takes for a call. */
	.global semihost
	.type semihost, @function
semihost:
	hlt	0xf000
	ret
	.size semihost, . - semihost

	.bss
	.balign 16
	.global stack
stack:	.space	STACK
