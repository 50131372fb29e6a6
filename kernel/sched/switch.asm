; How a process leaves its CPU and another goes on, and where a new one begins.
;
; void switch_to(uint32_t *save, uint32_t esp): leave this thread's callee-saved registers and
; %fs on its stack, and its stack pointer in *save; go on as the thread whose stack pointer
; esp is. This function's frame is that of the one thread, then that of the other.

bits 32

%include "kernel/machine/unwind.inc"

extern isr_return, sched_begin

section .text
align 16
global switch_to:function
switch_to:
	entry
	push	ebx
	push	esi
	push	edi
	push	fs
	mov	[eax], esp
	mov	esp, edx
	lea	ebp, [edx + 16]
	pop	fs
	pop	edi
	pop	esi
	pop	ebx
	pop	ebp
.popped:
	ret
.end:

unwind_rules switch_rules
unwind switch_rules, switch_to, switch_to.end
unwind_entry switch_to
	saved	DW_ebx, 3
	saved	DW_esi, 4
	saved	DW_edi, 5
unwind_at switch_to.popped
	cfa	4, DW_esp
unwind_end

; The first words of a new process: it comes here from switch_to() with the
; scheduler's lock held and a trap frame above.
align 16
global fork_return:function
fork_return:
	call	sched_begin
	jmp	isr_return
.end:

unwind_rules fork_rules, interrupt
unwind fork_rules, fork_return, fork_return.end
	cfa	56
	trap_saved
unwind_end
