; The machine's side of the example: what a boot loader looks for, the stack, the clock's
; interrupt, and the entry of every instrumented function.

bits 32

extern kmain, clock_interrupt, calls_wanted, prof_mcount

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
	call	kmain
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

; Called by -pg -mfentry as the first thing in a function, whose arguments may be in registers:
; all are kept. On the stack are selfpc, behind that call, and above it frompc, to which the
; function will return.
global __fentry__:function
__fentry__:
	cmp	byte [calls_wanted], 0
	je	.off
	push	eax
	push	ecx
	push	edx
	push	dword [esp + 12]	; selfpc
	push	dword [esp + 20]	; frompc
	call	prof_mcount
	add	esp, 8
	pop	edx
	pop	ecx
	pop	eax
.off:
	ret

section .bss
align 16
	resb 16384
global stack_top
stack_top:
