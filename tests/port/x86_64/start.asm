; The machine's side of the x86-64 host: what a boot loader looks for, the way to long mode on
; both processors, the stacks, the clock's interrupt, which is an NMI, and the program.
; Multiboot Specification 0.6.96; Intel SDM volume 3A, section 9.8.5 (to long mode).

KERNEL		equ 0xffffffff80000000	; where the first gigabyte of memory is seen by the kernel
STACK		equ 16384
TICK_STACK	equ 4096
GS_BASE		equ 0xc0000101		; an MSR
FLAGS		equ 0x10000		; the addresses are in the header: the file is no ELF
PRESENT		equ 3			; and writable
BIG		equ 0x80

USER		equ 7			; present, writable, and the program's

extern cpu_main, clock_interrupt, serve, program_lead, load_end, bss_end

; Below KERNEL, where the processor begins.
section .boot
bits 32
header:
	dd 0x1badb002, FLAGS, -(0x1badb002 + FLAGS)
	dd header, header, load_end, bss_end, boot

align 8
gdt:	dq 0
code32:	dq 0x00cf9a000000ffff
data:	dq 0x00cf92000000ffff
code64:	dq 0x00af9a000000ffff
	dq 0x00aff2000000ffff		; the program's data, 35, and code, 43
	dq 0x00affa000000ffff
global gdt_tasks
gdt_tasks:				; and each processor's task, two words
	times 2 * 2 dq 0
gdt_end:
gdt_pointer:
	dw gdt_end - gdt - 1
	dd gdt

; The first 4 GB as they are, in pages of 2 MB, and the first of them at KERNEL once more.
boot:
	mov	eax, BIG | USER
	xor	ecx, ecx
.page:
	mov	[pages + ecx * 8], eax
	add	eax, 0x200000
	inc	ecx
	cmp	ecx, 2048
	jb	.page
	mov	eax, pages + USER
	mov	[pages3], eax
	mov	[pages3 + 510 * 8], eax
	add	eax, 4096
	mov	[pages3 + 8], eax
	add	eax, 4096
	mov	[pages3 + 16], eax
	add	eax, 4096
	mov	[pages3 + 24], eax
	mov	eax, pages3 + USER
	mov	[pages4], eax
	mov	[pages4 + 511 * 8], eax
	xor	edi, edi		; this is CPU 0

; Each processor comes here, in 32-bit mode without paging, with its number in edi.
to_long_mode:
	lgdt	[gdt_pointer]
	mov	eax, pages4
	mov	cr3, eax
	mov	eax, cr4
	or	eax, 0x20		; PAE
	mov	cr4, eax
	mov	ecx, 0xc0000080		; EFER
	rdmsr
	or	eax, 0x100		; LME
	wrmsr
	mov	eax, cr0
	or	eax, 0x80000000		; PG
	mov	cr0, eax
	jmp	code64 - gdt:.long
bits 64
.long:
	mov	eax, data - gdt
	mov	ds, eax
	mov	es, eax
	mov	ss, eax
	mov	rax, start
	jmp	rax

; CPU 1 begins here in real mode, after this has been copied to a page below 1 MB.
bits 16
global ap_begin, ap_end
ap_begin:
	cli
	mov	ax, cs
	mov	ds, ax
	o32 lgdt [gdt_pointer_ap - ap_begin]
	mov	eax, cr0
	or	al, 1
	mov	cr0, eax
	jmp	dword code32 - gdt:ap32
gdt_pointer_ap:
	dw gdt_end - gdt - 1
	dd gdt
ap_end:
bits 32
ap32:
	mov	eax, data - gdt
	mov	ds, eax
	mov	es, eax
	mov	ss, eax
	mov	edi, 1
	jmp	to_long_mode

section .text
bits 64
; With the CPU's number in edi. Every path of calls ends with a frame whose return address is 0.
global start:function
start:
	imul	eax, edi, STACK
	lea	rsp, [rax + stacks + STACK]
	push	0
	push	0
	mov	rbp, rsp
	call	cpu_main
	cli
	hlt

; On a stack of its own, whose last word points to the processor's struct cpu: the program may have
; set %gs. What is on it then is struct clock_frame.
global clock_entry:function
clock_entry:
	push	rax
	push	rcx
	push	rdx
	push	rbx
	push	rbp
	push	rsi
	push	rdi
	push	r8
	push	r9
	push	r10
	push	r11
	push	r12
	push	r13
	push	r14
	push	r15
	cld
	mov	ecx, GS_BASE
	rdmsr
	push	rdx
	push	rax
	mov	rax, rsp
	or	rax, TICK_STACK - 8
	and	rax, -8
	mov	rax, [rax]
	mov	rdx, rax
	shr	rdx, 32
	wrmsr
	lea	rdi, [rsp + 16]
	call	clock_interrupt
	pop	rax
	pop	rdx
	mov	ecx, GS_BASE
	wrmsr
	pop	r15
	pop	r14
	pop	r13
	pop	r12
	pop	r11
	pop	r10
	pop	r9
	pop	r8
	pop	rdi
	pop	rsi
	pop	rbp
	pop	rbx
	pop	rdx
	pop	rcx
	pop	rax
	iretq

; To the program, until it ends: its calls' stack begins where this one ends.
global machine_program:function
machine_program:
	push	rbp
	push	rbx
	push	r12
	push	r13
	push	r14
	push	r15
	sub	rsp, 8			; the processor rounds it down otherwise
	mov	rdi, rsp
	call	program_lead
	push	35
	push	0
	push	2
	push	43
	mov	rax, program
	push	rax
	xor	eax, eax
	mov	gs, eax			; this leaves nothing in the base
	iretq

; A call of the program's, all of whose registers may hold anything. Its path ends here.
global program_entry:function
program_entry:
	swapgs
	test	eax, eax
	jnz	.end
	push	rcx
	push	rbp
	push	0
	push	0
	mov	rbp, rsp
	cld
	call	serve
	add	rsp, 16
	pop	rbp
	pop	rcx
	swapgs
	iretq
.end:
	add	rsp, 48
	pop	r15
	pop	r14
	pop	r13
	pop	r12
	pop	rbx
	pop	rbp
	ret

; In user mode: its stack pointer and its frame pointer are no addresses.
section .program progbits alloc exec
program:
	mov	rsp, 0x8000000000000000
	lea	rbp, [rsp + 8]
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

section .tables nobits alloc write align=4096	; at physical addresses, as .boot
pages:	resb 4 * 4096
pages3:	resb 4096
pages4:	resb 4096

section .bss
align TICK_STACK
global stacks, tick_stacks
tick_stacks:
	resb 2 * TICK_STACK
stacks:	resb 2 * STACK
