; A boot loader, itself a multiboot kernel whose only module is the real one, that leaves in eax
; what MAGIC is defined as, and no memory map. It lies where the kernel does not reach.

bits 32

HEADER	equ 0x1BADB002
MODULES	equ 24				; bytes from the start of the multiboot information
PHOFF	equ 28				; in an ELF header; then in a program header
PHNUM	equ 44
OFFSET	equ 4
PADDR	equ 12
FILESZ	equ 16
MEMSZ	equ 20
PHSIZE	equ 32
KERNBASE equ 0xC0000000

section .text
	dd HEADER, 0, -HEADER

global _start
_start:
	mov	ebx, [ebx + MODULES]
	mov	ebx, [ebx]		; the kernel's ELF file
	movzx	edx, word [ebx + PHNUM]
	mov	ebp, [ebx + PHOFF]
	add	ebp, ebx
.segment:
	cmp	dword [ebp], 1		; PT_LOAD
	jne	.next
	mov	esi, [ebp + OFFSET]
	add	esi, ebx
	mov	edi, [ebp + PADDR]
	mov	ecx, [ebp + FILESZ]
	rep	movsb
	mov	ecx, [ebp + MEMSZ]
	sub	ecx, [ebp + FILESZ]
	xor	eax, eax
	rep	stosb
.next:
	add	ebp, PHSIZE
	dec	edx
	jnz	.segment
	mov	ecx, [ebx + 24]		; the entry, a virtual address
	sub	ecx, KERNBASE
	mov	eax, MAGIC
	mov	ebx, info
	jmp	ecx

info:	dd 4, 0, 0, 0, cmdline		; flags: a command line, and nothing else
cmdline: db "exitport=0xf4", 0
