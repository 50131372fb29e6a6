; Where the other processors start: in real mode, at a page below 1 MB that ap.c has
; copied ap_trampoline to (SDM volume 3A, section 8.4.4). From there they go to
; ap_protected in kernel text, which takes them on to ap_main().

extern kernel_pdpt_low, pte_nx		; kernel/machine/paging.c
extern ap_stack, ap_id, ap_main		; ap.c
extern paging_on			; multiboot.asm

KERNBASE	equ 0xC0000000
PAGE_AT		equ 0x8000		; AP_PAGE of ap.c

section .rodata
global ap_trampoline:data, ap_trampoline_end:data
bits 16
align 16
ap_trampoline:
	cli
	cld
	xor	ax, ax
	mov	ds, ax
	o32 lgdt [PAGE_AT + .gdtr - ap_trampoline]
	mov	eax, cr0
	or	al, 1			; PE
	mov	cr0, eax
	jmp	dword 8:ap_protected - KERNBASE
align 8
.gdt:
	dq	0, 0x00cf9a000000ffff, 0x00cf92000000ffff ; flat code, flat data
.gdtr:
	dw	23
	dd	PAGE_AT + .gdt - ap_trampoline
ap_trampoline_end:

section .text
bits 32
align 16
global ap_protected:function
ap_protected:
	mov	eax, 16
	mov	ds, eax
	mov	es, eax
	mov	ss, eax
	cmp	dword [pte_nx + 4 - KERNBASE], 0
	je	.paging
	mov	ecx, 0xC0000080		; EFER
	rdmsr
	or	eax, 0x800		; NXE
	wrmsr
.paging:
	mov	edi, kernel_pdpt_low - KERNBASE
	mov	esi, .high
	jmp	paging_on
.high:
	mov	esp, [ap_stack]
	xor	ebp, ebp
	mov	eax, [ap_id]
	call	ap_main
.stop:
	hlt
	jmp	.stop
