; Every entry into the kernel: 256 stubs that make one struct trapframe (i386.h)
; and call trap(), and a short way for the profilers' single steps. The way back serves traps,
; new processes and fork's children.

bits 32

%include "offsets.inc"		; kernel/prof/offsets.c
%include "kernel/machine/unwind.inc"

extern trap, hook_step

; Vectors for which the processor itself pushes an error code.
%macro has_error 1
  %assign error 0
  %if %1 == 8 || (%1 >= 10 && %1 <= 14) || %1 == 17 || %1 == 21 || %1 == 29 || %1 == 30
    %assign error 1
  %endif
%endmacro

section .text

global isr_stubs:function
isr_stubs:
%assign vector 0
%rep 256
align 8
.v%+vector:
  has_error vector
  %if error == 0
	push	byte 0
  %endif
	push	dword vector
	jmp	isr_entry
  %assign vector vector + 1
%endrep

; The kernel's segments.
%macro kernel_selectors 0
	mov	eax, SEL_KDATA
	mov	ds, eax
	mov	es, eax
	mov	eax, SEL_CPU
	mov	gs, eax
%endmacro

align 16
global isr_entry:function
isr_entry:
	pusha
.general:
	push	ds
	push	es
	push	gs
.saved:
	kernel_selectors
.clac:
	nop	dword [eax]		; becomes clac where there is SMAP: cpu.c
	cld
	mov	eax, esp
	call	trap			; ends where a bucket does: see linker.ld
global isr_return:function
isr_return:
	pop	gs
	pop	es
	pop	ds
.segments:
	popa
	add	esp, 8
.popped:
	iret
.end:

unwind_rules trap_rules, interrupt

unwind trap_rules, isr_entry, isr_return.end
	cfa	12
unwind_at isr_entry.general
	cfa	44
	trap_saved
unwind_at isr_entry.saved
	cfa	56
unwind_at isr_return.segments
	cfa	44
unwind_at isr_return.popped
	cfa	4
unwind_end

; Vector 1, the debug trap. From user mode it is mostly a step of coverage, one for every
; instruction of the program, so only what a C function may change is saved for hook_step().
; A trap that it does not take goes the long way, as if nothing had happened.
SAVED	equ 6 * 4			; what is pushed below the iret frame
align 16
global isr_step:function
isr_step:
	test	byte [esp + IRET_CS], 3
	jz	isr_stubs.v1
	push	eax
	push	ecx
	push	edx
	push	ds
	push	es
	push	gs
.saved:
	kernel_selectors
.clac:
	nop	dword [eax]		; becomes clac where there is SMAP: cpu.c
	cld
	lea	eax, [esp + SAVED]
	call	hook_step
.back:
	pop	gs
	pop	es
	pop	ds
	pop	edx
	pop	ecx
	test	al, al
	pop	eax
	jz	isr_stubs.v1
	iret

unwind trap_rules, isr_step.saved, isr_step.back
	cfa	SAVED + 4
	saved	DW_eax, 2
	saved	DW_ecx, 3
	saved	DW_edx, 4
unwind_end

; The double fault's task: runs on its own stack, never returns.
align 16
global double_fault_entry:function
extern double_fault
double_fault_entry:
	mov	eax, SEL_CPU
	mov	gs, eax
	call	double_fault
	hlt
	jmp	$

section .rodata
align 4
global isr_clac_sites:data, isr_table:data
isr_clac_sites:
	dd isr_entry.clac, isr_step.clac
isr_table:
%assign vector 0
%rep 256
	dd isr_stubs.v%+vector
  %assign vector vector + 1
%endrep

; void enter_user(struct trapframe *tf): go to user mode for the first time.
section .text
align 16
global enter_user:function
enter_user:
	mov	esp, eax
	jmp	isr_return
