; setjmp and longjmp. A jmp_buf holds ebx, esi, edi, ebp, esp as it is after the return, and eip.

global setjmp:function
global longjmp:function

section .text

setjmp:
	mov	eax, [esp + 4]
	mov	[eax], ebx
	mov	[eax + 4], esi
	mov	[eax + 8], edi
	mov	[eax + 12], ebp
	lea	ecx, [esp + 4]
	mov	[eax + 16], ecx
	mov	ecx, [esp]
	mov	[eax + 20], ecx
	xor	eax, eax
	ret

align 16
longjmp:
	mov	edx, [esp + 4]
	mov	eax, [esp + 8]
	cmp	eax, 1
	adc	eax, 0			; setjmp never returns 0 a second time
	mov	ebx, [edx]
	mov	esi, [edx + 4]
	mov	edi, [edx + 8]
	mov	ebp, [edx + 12]
	mov	esp, [edx + 16]
	jmp	[edx + 20]

section .note.GNU-stack noalloc noexec nowrite progbits
