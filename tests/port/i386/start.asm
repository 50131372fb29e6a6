; The machine's side of the i386 host: what a boot loader looks for, the stack, and the clock's
; interrupt.

bits 32

extern cpu_main, clock_interrupt

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

section .bss
align 16
	resb 16384
global stack_top
stack_top:
