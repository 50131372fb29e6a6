; What the pads at the entries of functions call, by who wants it (patch.c): the coverage of
; prof(3), the measuring of calls (calls.c), and gmon, which has __fentry__
; (prof/arch/i386/mcount.S). One that is jumped to finds the stack as if the pad had called it.

bits 32

%include "offsets.inc"		; kernel/prof/offsets.c

extern __fentry__, module_entered, prof_mcount, prof_call_enter, prof_call_leave, calls_real

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


; Measure the call, with interrupts off, so that no other comes in between. The clock's time is
; added last of all. The two return addresses are struct prof_call_site.
align 16
global entry_calls:function
entry_calls:
	push	eax
	push	ecx
	push	edx
	pushfd
	cli
	mov	eax, [gs:CPU_CALLS]
	mov	edx, [gs:CPU_PROC]
	mov	edx, [edx + PROC_CALLS]
	lea	ecx, [esp + 16]
	call	prof_call_enter
	test	eax, eax
	jz	.lost
	mov	ecx, eax
	rdtsc
	add	[ecx], eax
	adc	[ecx + 4], edx
.lost:
	popfd
	pop	edx
	pop	ecx
	pop	eax
	ret

align 16
global entry_calls_cover:function
entry_calls_cover:
	count_entry
	jmp	entry_calls

; Count the call for gmon. Its caller may have been measured and have jumped here, and then what
; stands on the stack is not where it returns to.
%macro count_arc 0
	push	eax
	push	ecx
	push	edx
	pushfd
	cli
	mov	eax, [esp + 20]
	call	calls_real
	mov	edx, [esp + 16]
	call	prof_mcount
	popfd
	pop	edx
	pop	ecx
	pop	eax
%endmacro

align 16
global entry_real:function
entry_real:
	cmp	dword [esp + 4], calls_back
	jne	__fentry__
	count_arc
	ret

align 16
global entry_real_cover:function
entry_real_cover:
	count_entry
	jmp	entry_real

align 16
global entry_calls_real:function
entry_calls_real:
	count_arc
	jmp	entry_calls

align 16
global entry_all:function
entry_all:
	count_entry
	jmp	entry_calls_real

; Where a function that is measured returns to. Its real return address goes to the place on the
; stack where it was, and what the function returns stays in eax and edx.
align 16
global calls_back:function
calls_back:
	push	eax
	pushfd
	cli
	push	eax
	push	edx
	rdtsc
	push	edx
	push	eax
	mov	eax, [gs:CPU_CALLS]
	mov	edx, [gs:CPU_PROC]
	mov	edx, [edx + PROC_CALLS]
	lea	ecx, [esp + 20]
	call	prof_call_leave
	add	esp, 8
	mov	[esp + 12], eax
	pop	edx
	pop	eax
	popfd
	ret

; What calls.c measures to know what measuring costs: like any function, but it only returns.
[section __mcount_loc progbits alloc noexec nowrite align=4]
	dd	calls_nothing
section .text
align 16
global calls_nothing:function
calls_nothing:
	db	0x0f, 0x1f, 0x44, 0, 0
	ret
