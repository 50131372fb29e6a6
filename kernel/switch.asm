; void switch_to(uint32_t *save, uint32_t esp): leave this thread's callee-saved registers and
; %fs on its stack, and its stack pointer in *save; go on as the thread whose stack pointer
; esp is.

bits 32
section .text
align 16
global switch_to:function
switch_to:
	push	ebp
	push	ebx
	push	esi
	push	edi
	push	fs
	mov	[eax], esp
	mov	esp, edx
	pop	fs
	pop	edi
	pop	esi
	pop	ebx
	pop	ebp
	ret
