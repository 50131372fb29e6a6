; Where the kernel enters handlers of signals. At the stack pointer is the frame that sigreturn(2)
; takes back; its first word is the signal's number.

%define SYS_sigreturn 46		; kernel/abi/syscall.h

extern __signal_run
global __signal_entry:function

section .text

__signal_entry:
	push	dword [esp]
	call	__signal_run
	add	esp, 4
	mov	eax, SYS_sigreturn
	int	0x80

section .note.GNU-stack noalloc noexec nowrite progbits
