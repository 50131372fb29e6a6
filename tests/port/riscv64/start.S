/*
 * The machine's side of the RISC-V host: from machine mode, in which the processor begins, to
 * supervisor mode, in which the kernel runs; and the clock's interrupt, which stays in machine
 * mode: supervisor mode cannot hold it off, whatever sstatus.SIE and sie are.
 * RISC-V Privileged Architecture, chapters 3 and 4.
 */
#define STACK 16384
#define MSTATUS_MPP 0x1800 /* the mode that mret goes to, and its value for supervisor mode */
#define MSTATUS_MPP_S 0x800
#define PMP_ALL 0x1f /* read, write, execute, in a region by its address: here all of memory */
#define MIE_MTIE 0x80
#define MTIMECMP 0x2004000
#define FRAME (34 * 8)
#define CALLS_OF_PROGRAMS 0x100 /* among the causes that medeleg hands on */
#define SSTATUS_SPP 0x100
#define MCOUNTEREN_TM 2

	.section .text.boot, "ax"
	.global boot
	.type boot, @function
boot:
	csrr	t0, mhartid
	bnez	t0, .
	la	t0, tick_stack + STACK
	csrw	mscratch, t0
	la	t0, clock_entry
	csrw	mtvec, t0
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, PMP_ALL
	csrw	pmpcfg0, t0
	li	t0, MSTATUS_MPP
	csrc	mstatus, t0
	li	t0, MSTATUS_MPP_S
	csrs	mstatus, t0
	li	t0, MTIMECMP
	li	t1, -1			/* never, until the kernel says when */
	sd	t1, (t0)
	li	t0, MIE_MTIE
	csrs	mie, t0
	li	t0, CALLS_OF_PROGRAMS
	csrw	medeleg, t0
	li	t0, MCOUNTEREN_TM
	csrw	mcounteren, t0		/* supervisor mode reads the time */
	la	t0, program_call
	csrw	stvec, t0
	la	t0, start
	csrw	mepc, t0
	mret
	.size boot, . - boot

	.text
	/* Every path of calls ends with a frame whose return address is 0; frames lie below fp. */
	.global start
	.type start, @function
start:
	la	sp, stack + STACK
	li	tp, 0			/* the CPU's number: config.h */
	mv	fp, sp
	addi	sp, sp, -16
	sd	zero, 0(sp)
	sd	zero, 8(sp)
	call	cpu_main
1:	wfi
	j	1b
	.size start, . - start

	/* On a stack of its own: supervisor mode may be about to change its stack. */
	.balign 4
	.global clock_entry
	.type clock_entry, @function
clock_entry:
	csrrw	sp, mscratch, sp
	addi	sp, sp, -FRAME
	.irp	n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
		23, 24, 25, 26, 27, 28, 29, 30, 31
	sd	x\n, \n * 8(sp)
	.endr
	csrr	t0, mepc
	sd	t0, 0(sp)
	csrr	t0, mscratch
	sd	t0, 16(sp)
	csrr	t0, mstatus
	sd	t0, 256(sp)
	mv	a0, sp
	call	clock_interrupt
	.irp	n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
		23, 24, 25, 26, 27, 28, 29, 30, 31
	ld	x\n, \n * 8(sp)
	.endr
	addi	sp, sp, FRAME
	csrrw	sp, mscratch, sp
	mret
	.size clock_entry, . - clock_entry

	/* To the program, until it ends. What its calls find on the stack is program_end's. */
	.global machine_program
	.type machine_program, @function
machine_program:
	addi	sp, sp, -256
	.irp	n, 1, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
	sd	x\n, \n * 8(sp)
	.endr
	csrw	sscratch, sp
	la	t0, program
	csrw	sepc, t0
	li	t0, SSTATUS_SPP
	csrc	sstatus, t0
	sret
	.size machine_program, . - machine_program

	/* A call of the program's, all of whose registers may hold anything. Its path ends here. */
	.balign 4
	.type program_call, @function
program_call:
	csrrw	sp, sscratch, sp
	bnez	a7, program_end
	addi	sp, sp, -48
	sd	zero, 40(sp)
	sd	zero, 32(sp)
	sd	s0, 16(sp)
	sd	tp, 8(sp)
	sd	a6, 0(sp)
	addi	s0, sp, 48
	li	tp, 0			/* as config.h wants it */
	call	serve
	ld	s0, 16(sp)
	ld	tp, 8(sp)
	ld	a6, 0(sp)
	addi	sp, sp, 48
	csrr	t0, sepc
	addi	t0, t0, 4
	csrw	sepc, t0
	csrrw	sp, sscratch, sp
	sret
program_end:
	.irp	n, 1, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
	ld	x\n, \n * 8(sp)
	.endr
	addi	sp, sp, 256
	ret
	.size program_call, . - program_call

	/* In user mode: its frame pointer is near its stack pointer, where there is no memory. */
	.section .program, "ax"
program:
	li	sp, 0x1ffc0
	li	s0, 0x20000
	li	tp, -8
	li	a6, 1000
1:	li	a7, 0
	li	t0, 500
2:	addi	t0, t0, -1
	bnez	t0, 2b
	ecall
	addi	a6, a6, -1
	bnez	a6, 1b
	li	a7, 1
	ecall

	.text
	/* The three instructions that QEMU takes for a call; they must lie in one page. */
	.balign 16
	.option	push
	.option	norvc
	.option	norelax
	.global semihost
	.type semihost, @function
semihost:
	slli	zero, zero, 0x1f
	ebreak
	srai	zero, zero, 7
	ret
	.size semihost, . - semihost
	.option	pop

	.bss
	.balign 16
	.global stack
stack:	.space	STACK
tick_stack:
	.space	STACK
