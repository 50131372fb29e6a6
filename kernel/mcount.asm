; The entry of every instrumented function, while calls are patched in (patch.c): an
; arc at the head of its caller's list is counted here, the rest by _mcount (prof/gmon.c).
;
; The caller's caller is in the middle of passing arguments, so every register is kept.
; Interrupts stay on: only this CPU writes its tables, the increment is one instruction,
; and an entry of tos once taken is never another's. From the call in the pad to the ret
; there are 20 instructions.
;
; While prof(3) covers the kernel, calls go to entry_cover, and with gmon on to entry_both,
; which counts and goes on as if the pad had called __fentry__.

bits 32

; struct cpu; profport.c asserts these
CPU_GMON_LIMIT	equ 16
CPU_GMON_FROMS	equ 20
CPU_GMON_TOS	equ 24

extern ktzero, _mcount, module_entered

section .text
align 16
global __fentry__:function
__fentry__:
	push	eax
	push	edx
	mov	eax, [esp + 12]		; frompc: where the instrumented function returns to
	sub	eax, ktzero
	cmp	eax, [gs:CPU_GMON_LIMIT]
	jae	.slow			; not from kernel text, or the table was full
	shr	eax, 2
	mov	edx, [gs:CPU_GMON_FROMS]
	movzx	eax, word [edx + eax * 2]
	lea	eax, [eax + eax * 2]	; an entry of tos is 12 bytes
	mov	edx, [gs:CPU_GMON_TOS]
	lea	edx, [edx + eax * 4]
	mov	eax, [esp + 8]		; selfpc: behind the call in the pad
	cmp	[edx], eax
	jne	.slow
	inc	dword [edx + 4]
	pop	edx
	pop	eax
	ret

.slow:
	push	ecx
	mov	eax, [esp + 16]		; frompc
	mov	edx, [esp + 12]		; selfpc
	call	_mcount
	pop	ecx
	pop	edx
	pop	eax
	ret

; Count the function at whose entry this is, and keep all registers.
%macro count_entry 0
	push	eax
	push	ecx
	push	edx
	mov	eax, [esp + 12]		; behind the call in the pad
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
