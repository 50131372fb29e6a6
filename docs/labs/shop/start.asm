; What a boot loader looks for, a stack, and the way to the kernel's only function in C.

bits 32

extern shop

section .text
	dd 0x1badb002, 0, -0x1badb002
global start:function
start:
	mov	esp, stack_top
	call	shop
	mov	al, 0
	out	0xf4, al	; QEMU's isa-debug-exit, at that port, ends the machine
	hlt

section .bss
	align	16
	resb	16384
stack_top:
