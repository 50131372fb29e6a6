; Copies from or to user memory that survive a bad address: after a page fault in user_copy that
; it cannot mend, trap.c goes on at .failed, which finds out from edi how far the copy came.
;
; size_t user_copy(void *to, const void *from, size_t n): the number of bytes that are left, which
; is 0 unless an address is bad. The caller has checked that the user side lies below KERNBASE.

bits 32

%include "kernel/machine/unwind.inc"

section .text
align 16
global user_copy:function
user_copy:
.stac:
	nop	dword [eax]		; becomes stac where there is SMAP
	push	esi
	push	edi
.pushed:
	mov	edi, eax
	mov	esi, edx
	mov	edx, ecx
	shr	ecx, 2
	rep	movsd
	mov	ecx, edx
	and	ecx, 3
	rep	movsb
	xor	eax, eax
.clac:
	nop	dword [eax]		; becomes clac
	pop	edi
	pop	esi
.popped:
	ret
.failed:
	sub	edi, eax		; the bytes copied
	mov	eax, edx
	sub	eax, edi
	jmp	.clac
.end:

unwind_rules copy_rules
unwind copy_rules, user_copy, user_copy.end
unwind_at user_copy.pushed
	cfa	12
	saved	DW_esi, 2
	saved	DW_edi, 3
unwind_at user_copy.popped
	cfa	4
unwind_at user_copy.failed
	cfa	12
unwind_end

section .rodata
align 4
global user_copy_sites:data
user_copy_sites:			; struct user_copy_sites of trap.h
	dd user_copy.stac, user_copy.clac, user_copy.failed
