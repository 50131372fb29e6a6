; Functions that nobody calls, each with an entry pad as the compiler makes it (mcount.asm):
; with them the kernel has ten times as much text.

bits 32

FUNCTIONS	equ 5000
SIZE		equ 240			; bytes of each

section .text
%assign i 0
%rep FUNCTIONS
align 16
global synthetic%[i]:function (synthetic%[i].end - synthetic%[i])
synthetic%[i]:
	db 0x0f, 0x1f, 0x44, 0, 0
	times SIZE - 6 nop
	ret
.end:
%assign i i + 1
%endrep

section __mcount_loc alloc noexec nowrite progbits align=4
%assign i 0
%rep FUNCTIONS
	dd synthetic%[i]
%assign i i + 1
%endrep
