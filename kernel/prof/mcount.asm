; What the entry of every instrumented function calls while gmon is on (patch.c): an arc at
; the head of its caller's list is counted here, the rest by prof_mcount (prof/prof_gmon.c).
;
; The instrumented function has its arguments in registers, so all of them are kept.
; Interrupts stay on: only this CPU writes its tables, the increment is one instruction, and an
; entry once taken never becomes another arc's. From the call in the pad to the ret there are
; 19 instructions.
;
; While prof(3) covers the kernel, pads call entry_cover; with gmon on as well, entry_both, which
; counts and goes on as if the pad had called __fentry__.

bits 32

%include "offsets.inc"		; kernel/prof/offsets.c

extern ktzero, prof_mcount, module_entered

section .text
align 16
global __fentry__:function
__fentry__:
	push	eax
	push	edx
	mov	eax, [esp + 12]		; frompc: where the instrumented function returns to
	sub	eax, ktzero
	cmp	eax, [gs:GMON_LIMIT]
	jae	.slow			; not from kernel text, or the table was full
	shr	eax, 2
	mov	edx, [gs:GMON_FROMS]
	movzx	eax, word [edx + eax * 2]
	shl	eax, ARC_SHIFT		; from an index to bytes
	add	eax, [gs:GMON_ARCS]
	mov	edx, [esp + 8]		; selfpc: after the call in the pad
	cmp	[eax + ARC_SELFPC], edx
	jne	.slow
	inc	dword [eax + ARC_COUNT]
	pop	edx
	pop	eax
	ret

.slow:
	push	ecx
	mov	eax, [esp + 16]		; frompc
	mov	edx, [esp + 12]		; selfpc
	call	prof_mcount
	pop	ecx
	pop	edx
	pop	eax
	ret

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
