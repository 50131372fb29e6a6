; The first instructions: from the boot loader's flat 32-bit mode to the higher half.
; Looks whether the processor has what the kernel needs, builds page tables in which nothing can
; be both written and executed, turns paging on with PAE and (where there is one) the NX bit, and
; calls kmain(magic, info).
; Multiboot Specification 0.6.96; Multiboot2 Specification 2.0; Intel SDM volume 3A, section 4.4
; (PAE paging).

bits 32

KERNBASE	equ 0xC0000000
MAGIC		equ 0x1BADB002
FLAGS		equ 3			; modules on page boundaries, memory map wanted
PTE_P		equ 1
PTE_W		equ 2
PTE_PS		equ 0x80
PTE_G		equ 0x100
NX_HIGH		equ 0x80000000		; bit 63, in an entry's upper half
DIRECT_PAGES	equ 448			; 896 MB of direct map in 2 MB pages
GUARD		equ 4096		; boot_stack's lowest page, absent later
BOOT_STACK	equ 8192
FEATURE_SIZE	equ 64			; bytes of a row of the table below
SCREEN		equ 0xB8000
COM1		equ 0x3F8
COM1_STATUS	equ 0x3FD
COM1_TURNS	equ 100000		; for a character to go; no line may be there

extern ktzero, etext, srodata, erodata, kmain
extern kernel_pd, kernel_pdpt, boot_pt, boot_stack, pte_nx	; kernel/machine/paging.c

section .multiboot align=16
	dd MAGIC, FLAGS, -(MAGIC + FLAGS)
	times 9 dd 0			; the address and video fields, which FLAGS leaves unused

section .text.start progbits alloc exec nowrite align=16
global start:function
start:
	cli
	cld
	mov	esp, boot_stack + GUARD + BOOT_STACK - KERNBASE
	push	ebx			; kmain's arguments
	push	eax

	; CPUID is there if its flag can be changed
	mov	esi, no_cpuid + 1 - KERNBASE
	pushfd
	pop	eax
	mov	ecx, eax
	xor	eax, 1 << 21
	push	eax
	popfd
	pushfd
	pop	eax
	xor	eax, ecx
	test	eax, 1 << 21
	jz	.lacking
	mov	eax, 1
	cpuid
	mov	ebx, features - KERNBASE
.feature:
	movzx	ecx, byte [ebx]
	lea	esi, [ebx + 1]
	bt	edx, ecx
	jnc	.lacking
	add	ebx, FEATURE_SIZE
	cmp	ebx, features_end - KERNBASE
	jb	.feature

	; ebp: the NX bit, or 0 on a processor without it
	xor	ebp, ebp
	mov	eax, 0x80000000
	cpuid
	cmp	eax, 0x80000001
	jb	.tables
	mov	eax, 0x80000001
	cpuid
	test	edx, 1 << 20
	jz	.tables
	mov	ecx, 0xC0000080		; EFER
	rdmsr
	or	eax, 0x800		; NXE
	wrmsr
	mov	ebp, NX_HIGH
.tables:
	mov	[pte_nx + 4 - KERNBASE], ebp

	; the first 4 MB in small pages: text is read and executed, constants are read,
	; everything else is read and written
	mov	edi, boot_pt - KERNBASE
	xor	ecx, ecx		; physical address
.page:
	mov	eax, ecx
	mov	edx, ebp
	cmp	ecx, ktzero - KERNBASE
	jb	.data
	cmp	ecx, srodata - KERNBASE
	jae	.not_text
	xor	edx, edx
	jmp	.store
.not_text:
	cmp	ecx, erodata - KERNBASE
	jb	.store
.data:
	or	eax, PTE_W
.store:
	or	eax, PTE_P | PTE_G
	mov	[edi], eax
	mov	[edi + 4], edx
	add	edi, 8
	add	ecx, 4096
	cmp	ecx, 0x400000
	jb	.page

	; the page directory of 0xC0000000: those two tables, then big data pages
	mov	edi, kernel_pd - KERNBASE
	mov	dword [edi], boot_pt - KERNBASE + PTE_P + PTE_W
	mov	dword [edi + 8], boot_pt + 4096 - KERNBASE + PTE_P + PTE_W
	mov	ecx, 2
	mov	eax, 0x400000 | PTE_P | PTE_W | PTE_PS | PTE_G
.big:
	mov	[edi + ecx * 8], eax
	mov	[edi + ecx * 8 + 4], ebp
	add	eax, 0x200000
	inc	ecx
	cmp	ecx, DIRECT_PAGES
	jb	.big

	; the same directory serves at 0 until kmain is reached
	mov	edi, kernel_pdpt - KERNBASE
	mov	dword [edi], kernel_pd - KERNBASE + PTE_P
	mov	dword [edi + 24], kernel_pd - KERNBASE + PTE_P

	mov	esi, .high
	jmp	paging_on
.high:
	add	esp, KERNBASE
	xor	ebp, ebp		; the end of every back trace
	pop	eax
	pop	edx
	call	kmain
.stop:
	hlt
	jmp	.stop

	; say on the screen and on the serial line, as the loader left them, what is lacking: the
	; text is at esi; nothing else works yet, so that is all
.lacking:
	mov	edi, SCREEN
.next:
	lodsb
	test	al, al
	jz	.stop
	mov	ah, 7			; grey on black
	cmp	al, ' '
	jb	.serial
	stosw
.serial:
	mov	ah, al
	mov	dx, COM1_STATUS
	mov	ecx, COM1_TURNS
.wait:
	in	al, dx
	test	al, 0x20		; there is room for a character
	loopz	.wait
	mov	al, ah
	mov	dx, COM1
	out	dx, al
	jmp	.next

; Turn paging on, for the other processors too: edi has the tables, esi the address to go on at.
align 16
global paging_on:function
paging_on:
	mov	eax, cr4
	or	eax, 0xA0		; PAE, PGE
	mov	cr4, eax
	mov	cr3, edi
	mov	eax, cr0
	or	eax, 0x80010000		; PG, WP
	and	eax, ~0x60000000	; caches on
	mov	cr0, eax
	jmp	esi

; What a processor must have: the bit of CPUID's leaf 1, edx, and what to say without it.
%macro lacks 2
%%row:	db %1, "gnomon: this processor has no ", %2, "; it is needed", 13, 10, 0
	times FEATURE_SIZE - ($ - %%row) db 0
%endmacro

; For loaders of the second specification, as by UEFI: they pass the ACPI tables' address and a
; frame buffer. It is text, since it must be near the beginning of the file.
MAGIC2		equ 0xE85250D6
section .text.start
align 8
multiboot2:
	dd MAGIC2, 0, .end - multiboot2, -(MAGIC2 + .end - multiboot2)
	dw 5, 1				; a frame buffer, if it can be had: columns, rows, bits
	dd 20, 1024, 768, 32, 0
	dw 6, 1				; modules on page boundaries
	dd 8
	dw 0, 0				; the end
	dd 8
.end:

section .rodata
no_cpuid:
	lacks	0, "CPUID"
features:
	lacks	4, "TSC"
	lacks	5, "MSR"
	lacks	6, "PAE"
	lacks	8, "CX8"
	lacks	9, "local APIC"
	lacks	13, "PGE"
	lacks	15, "CMOV"
features_end:
