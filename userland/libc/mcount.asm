; What functions compiled with -pg call on entry: mcount after their prologue or, with -mfentry,
; __fentry__ before it. All registers are kept, because arguments may be in them.

extern _mcount, __gmon_start
global mcount:function, __fentry__:function

section .text

align 16 ; no cell of gmon.out may belong to two functions
mcount:
	push	eax
	push	ecx
	push	edx
	push	dword [esp + 12]	; selfpc: the return address
	push	dword [ebp + 4]		; frompc: the calling function's own
	call	_mcount
	jmp	__fentry__.done

align 16
__fentry__:
	push	eax
	push	ecx
	push	edx
	push	dword [esp + 12]	; selfpc
	push	dword [esp + 20]	; frompc: there is no frame yet
	call	_mcount
.done:
	add	esp, 8
	pop	edx
	pop	ecx
	pop	eax
	ret

section .data
	dd	__gmon_start		; so that the linker brings it in for crt0

section .note.GNU-stack noalloc noexec nowrite progbits
