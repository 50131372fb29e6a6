; Copies from or to user memory that survive a bad address: after a page fault in user_copy that
; it cannot mend, fault.c goes on at .failed, which finds out from ecx how far the copy came.
;
; size_t user_copy(void *to, const void *from, size_t n): the number of bytes that are left, which
; is 0 unless an address is bad. The caller has checked that the user side lies below KERNBASE.

bits 32

%include "kernel/machine/unwind.inc"

section .text
align 16
global user_copy:function
user_copy:
	entry
.stac:
	nop	dword [eax]		; becomes stac where there is SMAP
	xchg	edi, eax
	xchg	esi, edx
.kept:
	cmp	ecx, 4
	jb	.bytes
	push	ecx
	shr	ecx, 2
	rep movsd
	pop	ecx
	and	ecx, 3
.bytes:
	rep movsb
.copied:
	mov	edi, eax
	mov	esi, edx
	mov	eax, ecx
.clac:
	nop	dword [eax]		; becomes clac
	pop	ebp
.popped:
	ret
.failed:
	cmp	esp, ebp
	je	.copied			; ecx bytes are left; else as many words, and
	pop	edi			; of the whole copy
	and	edi, 3
	lea	ecx, [edi + 4 * ecx]
	jmp	.copied
.end:

unwind_rules copy_rules
unwind copy_rules, user_copy, user_copy.end
unwind_entry user_copy
unwind_at user_copy.kept
	kept	DW_edi, DW_eax
	kept	DW_esi, DW_edx
unwind_at user_copy.clac
	same	DW_edi
	same	DW_esi
unwind_at user_copy.popped
	cfa	4, DW_esp
	same	DW_ebp
unwind_at user_copy.failed
	cfa	8, DW_ebp
	saved	DW_ebp, 2
	kept	DW_edi, DW_eax
	kept	DW_esi, DW_edx
unwind_end

section .rodata
align 4
global user_copy_sites:data
user_copy_sites:			; struct user_copy_sites of user.h
	dd user_copy.stac, user_copy.clac, user_copy.failed
