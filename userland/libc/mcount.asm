; What functions compiled with -pg call on entry: mcount behind their prologue, or, with
; -mfentry, __fentry__ before it. All registers are kept, for arguments may be in them.

extern _mcount, __gmon_start
global mcount:function, __fentry__:function

section .text

align 16 ; a cell of gmon.out is of one function only
mcount:
	push	eax
	push	ecx
	push	edx
	push	dword [esp + 12]	; selfpc: where this returns to
	push	dword [ebp + 4]		; frompc: where the function that called this returns to
	call	_mcount
	jmp	__fentry__.done

align 16
__fentry__:
	push	eax
	push	ecx
	push	edx
	push	dword [esp + 12]	; selfpc
	push	dword [esp + 20]	; frompc: the frame is not there yet
	call	_mcount
.done:
	add	esp, 8
	pop	edx
	pop	ecx
	pop	eax
	ret

section .data
	dd	__gmon_start		; brought in, so that crt0 finds it

section .note.GNU-stack noalloc noexec nowrite progbits
