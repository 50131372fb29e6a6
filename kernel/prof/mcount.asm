; What the pads at the entries of functions call while prof(3) covers the kernel (patch.c):
; entry_cover; or with gmon on as well entry_both, which counts and goes on as if the pad had called
; __fentry__ (prof/arch/i386/mcount.S), as it does with gmon alone.

bits 32

extern __fentry__, module_entered

section .text
; Count the function at whose entry this is, and keep all registers.
%macro count_entry 0
	push	eax
	push	ecx
	push	edx
	mov	eax, [esp + 12]		; after the call in the pad
	call	module_entered
	pop	edx
	pop	ecx
	pop	eax
%endmacro

align 16
global entry_cover:function
entry_cover:
	count_entry
	ret

align 16
global entry_both:function
entry_both:
	count_entry
	jmp	__fentry__
