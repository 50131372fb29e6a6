; The machine's side of the i386 host: what a boot loader looks for, the stack, the clock's
; interrupt, and the program.

bits 32

extern cpu_main, clock_interrupt, serve, task

section .multiboot
	dd 0x1badb002, 0, -0x1badb002	; magic number, no wishes, checksum

section .text
global start:function
start:
	mov	esp, stack_top
	xor	ebp, ebp
	push	ebp			; a frame whose return address is 0: every path of
	push	ebp			; calls ends with it
	mov	ebp, esp
	call	cpu_main
	cli
	hlt

; With interrupts off. What is on the stack then is struct clock_frame.
global clock_entry:function
clock_entry:
	pushad
	cld
	push	esp
	call	clock_interrupt
	add	esp, 4
	popad
	iretd

; To the program, until it ends: its calls' stack begins where this one ends.
global machine_program:function
machine_program:
	pushad
	mov	[task + 4], esp
	push	27
	push	0
	push	0x202			; with interrupts
	push	35
	push	program
	iretd

; A call of the program's, all of whose registers may hold anything. Its path ends here.
global program_entry:function
program_entry:
	test	eax, eax
	jnz	.end
	push	ecx
	push	ebp
	push	0
	push	0
	mov	ebp, esp
	cld
	sti
	call	serve
	add	esp, 8
	pop	ebp
	pop	ecx
	iretd
.end:
	add	esp, 20
	popad
	ret

; In user mode: where its stack pointer and its frame pointer lead, there is no memory.
section .program progbits alloc exec
program:
	mov	esp, 0xf0000000
	lea	ebp, [esp + 8]
	mov	ecx, 1000
.call:	mov	edx, 500
.spin:	dec	edx
	jnz	.spin
	xor	eax, eax
	int	0x80
	dec	ecx
	jnz	.call
	mov	eax, 1
	int	0x80

section .bss
align 16
global stack
stack:	resb 16384
stack_top:
