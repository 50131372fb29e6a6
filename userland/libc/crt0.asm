; Where a program starts: the kernel leaves argc, argv[], NULL, envp[], NULL at esp.

extern main, exit, environ, __argv
extern __gmon_start:weak		; in programs compiled with -pg
global _start:function

section .text

_start:
	xor	ebp, ebp		; ends a back trace
	mov	ecx, [esp]		; argc
	lea	edx, [esp + 4]		; argv
	lea	eax, [edx + ecx*4 + 4]	; envp
	mov	[environ], eax
	mov	[__argv], edx
	and	esp, -16		; the ABI wants esp to be a multiple of 16 at each call
	sub	esp, 4
	push	eax
	push	edx
	push	ecx
	mov	eax, __gmon_start
	test	eax, eax
	jz	.main
	call	eax
.main:
	call	main
	mov	[esp], eax
	call	exit

section .note.GNU-stack noalloc noexec nowrite progbits
