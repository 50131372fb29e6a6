; What the pads at the entries of functions call, by who wants it (patch.c): the coverage of
; prof(3), the measuring of calls (calls.c), and gmon, which has __fentry__
; (prof/arch/i386/mcount.S). One that is jumped to finds the stack as if the pad had called it.

bits 32

%include "offsets.inc"		; kernel/prof/offsets.c

extern __fentry__, module_entered, prof_mcount, prof_call_enter, prof_call_leave, calls_real

; struct prof_call_cpu, in struct cpu; calls.c checks these three.
struc calls, CPU_CALLS
.arc:	resd 1
.stack:	resd 1		; whose first word is the innermost frame
.offset: resq 1
.prof:	resd 1
.in:	resd 1
.cost:	resd 1
.lost:	resd 1
.left:	resd 1
.back:	resd 1
.ring:	resd 1
.pid:	resd 1
.less:	resd 2
endstruc

; struct prof_trace_ring, struct prof_trace_record
struc ring
.n:	resd 1
.mask:	resd 1
.at:	resd 1
endstruc
struc record
.time:	resq 1
.pid:	resd 1
.entry:	resd 1
endstruc

; struct prof_call_frame
struc frame
.slot:	resd 1
.ret:	resd 1
.lo:	resd 1
.shown:	resd 1
.arc:	resd 1
.start:	resq 1
endstruc

; struct prof_call_arc
struc arc
.from:	resd 1
.self:	resd 1
.total:	resq 1
.inner:	resq 1
.away:	resq 1
.shortest: resq 1
.longest: resq 1
.least:	resd 1
.most:	resd 1
.span:
endstruc

section .text
; Count the function at whose entry this is, and keep all registers.
%macro count_entry 0
	push	eax
	push	ecx
	push	edx
	mov	eax, [esp + 12]		; after the call in the pad
	call	module_entered
	pop	edx
	pop	ecx
	pop	eax
%endmacro

align 16
global entry_cover:function
entry_cover:
	count_entry
	ret

align 16
global entry_both:function
entry_both:
	count_entry
	jmp	__fentry__

; Begin a frame at an entry, in ecx, with its pair, in edx, which is known at the third label, if
; all is as it mostly is; or go to either other label: the second is for a frame whose pair is not
; in the first cell that it may be in.
%macro begin_frame 3
	mov	edx, [gs:calls.stack]
	mov	ecx, [edx]
	lea	eax, [esp + 20]
	cmp	eax, [ecx + frame.slot]
	jae	%1
	cmp	eax, [ecx + frame.lo]
	jb	%1
	add	ecx, frame_size
	mov	[ecx + frame.slot], eax
	mov	[edx], ecx
	mov	eax, [esp + 16]
	mov	edx, [esp + 20]
	mov	[ecx + frame.ret], edx
	add	edx, eax
	imul	edx, edx, CALLS_HASH
	and	edx, CALLS_MASK
	add	edx, [gs:calls.arc]
	cmp	[edx + arc.self], eax
	jne	%2
	mov	eax, [esp + 20]
	cmp	[edx + arc.from], eax
	jne	%2
%3:
	mov	[ecx + frame.arc], edx
	mov	dword [esp + 20], calls_back
%endmacro

; Go to the label if the pair of such a frame is in the second cell, which is beside the first in a
; table that begins at a page; else it was taken in vain.
%macro second_cell 1
	xor	edx, CALLS_MASK & -CALLS_MASK	; the size of a cell
	mov	eax, [esp + 16]
	cmp	[edx + arc.self], eax
	jne	%%none
	mov	eax, [esp + 20]
	cmp	[edx + arc.from], eax
	je	%1
%%none:
	mov	edx, [gs:calls.stack]
	sub	dword [edx], frame_size
%endmacro

; The frame begins at the clock's time in edx:eax.
%macro begin_time 0
	add	eax, [gs:calls.offset]
	adc	edx, [gs:calls.offset + 4]
	mov	[ecx + frame.start], eax
	mov	[ecx + frame.start + 4], edx
%endmacro

; Save what a stub at an entry may change, and keep interrupts off.
%macro begin_entry 0
	push	eax
	push	ecx
	push	edx
	pushfd
	cli
%endmacro

; Restore what a stub at an entry has saved.
%macro end_entry 0
	popfd
	pop	edx
	pop	ecx
	pop	eax
%endmacro

; Have C begin a frame, and go to the label if there is none; ecx: where the clock's time is added.
%macro enter_c 1
	rdtsc
	push	edx
	push	eax
	lea	edx, [esp + 24]
	mov	eax, [gs:0]
	add	eax, CPU_CALLS
	call	prof_call_enter
	add	esp, 8
	test	eax, eax
	jz	%1
	mov	ecx, eax
%endmacro

; Record an entry, 0, or a return, 1, of the pair in edx, and leave the clock's time in edx:eax. A
; tick may come in between, and takes the record after this one.
%macro note 1
	push	ebx
	mov	ebx, 1
	mov	eax, [gs:calls.ring]
	xadd	[eax + ring.n], ebx
	and	ebx, [eax + ring.mask]
	shl	ebx, 4
	add	ebx, [eax + ring.at]
	sub	edx, [gs:calls.less + 4 * %1]
	mov	[ebx + record.entry], edx
	mov	eax, [gs:calls.pid]
	mov	[ebx + record.pid], eax
	rdtsc
	mov	[ebx + record.time], eax
	mov	[ebx + record.time + 4], edx
	pop	ebx
%endmacro

; Measure the call, with interrupts off, so that no other comes in between. The two return addresses
; are struct prof_call_site. This is prof_call_enter() for an entry below the last one on the
; thread's stack whose pair is in one of the first two cells that it may be in; that function does
; all else. No NMI comes between in which functions are measured: what a tick calls is not. The
; clock's time is taken last.
align 16
times 11 nop				; the place has to be within 8 bytes
global entry_calls:function
entry_calls:
	begin_entry
.place:					; where calls are recorded there is a jump to entry_traced
	begin_frame .rare, .other, .found
	rdtsc
	begin_time
.end:
	end_entry
	ret
.other:
	second_cell .found
.rare:
	enter_c	.end
	rdtsc
	add	[ecx], eax
	adc	[ecx + 4], edx
	jmp	.end

; The same, and record it.
align 16
global entry_traced:function
entry_traced:
	begin_entry
.begin:
	begin_frame .rare, .other, .found
	note	0
	begin_time
.end:
	end_entry
	ret
.other:
	second_cell .found
.rare:
	enter_c	.end
	mov	edx, [ecx - frame.start + frame.arc]
	note	0
	add	[ecx], eax
	adc	[ecx + 4], edx
	jmp	.end

align 16
global entry_calls_cover:function
entry_calls_cover:
	count_entry
	jmp	entry_calls

; Count the call for gmon. Its caller may have been measured and have jumped here, and then what
; stands on the stack is not where it returns to.
%macro count_arc 0
	begin_entry
	mov	eax, [esp + 20]
	call	calls_real
	mov	edx, [esp + 16]
	call	prof_mcount
	end_entry
%endmacro

align 16
global entry_real:function
entry_real:
	cmp	dword [esp + 4], calls_back
	jne	__fentry__
	count_arc
	ret

align 16
global entry_real_cover:function
entry_real_cover:
	count_entry
	jmp	entry_real

align 16
global entry_calls_real:function
entry_calls_real:
	count_arc
	jmp	entry_calls

align 16
global entry_all:function
entry_all:
	count_entry
	jmp	entry_calls_real

; Where a function that is measured returns to. What it returns stays in eax and edx. This is
; prof_call_leave() for a call of less than 2^32 units that is neither the shortest nor the longest
; of its pair; that function does all else, and its result goes where the return address was.
%macro end_frame 2
	sub	eax, [ecx + frame.start]
	sbb	edx, [ecx + frame.start + 4]
	add	eax, [gs:calls.offset]
	adc	edx, [gs:calls.offset + 4]
	sub	eax, [gs:calls.in]
	sbb	edx, 0
	jnz	%2
	mov	edx, [ecx + frame.arc]
	cmp	eax, [edx + arc.least]
	jb	%1
	cmp	eax, [edx + arc.most]
	ja	%1
	add	[edx + arc.total], eax
	adc	dword [edx + arc.total + 4], 0
	mov	edx, [ecx - frame_size + frame.arc]
	add	[edx + arc.inner], eax
	adc	dword [edx + arc.inner + 4], 0
	mov	edx, [ecx + frame.arc]
	bsr	eax, eax		; it is not 0, for that is below every `least'
	inc	dword [edx + arc.span + eax * 4]
	mov	edx, [gs:calls.cost]
	sub	[gs:calls.offset], edx
	sbb	dword [gs:calls.offset + 4], 0
	mov	ecx, [ecx + frame.ret]	; before it is free for others
	mov	edx, [gs:calls.stack]
	sub	dword [edx], frame_size
	popfd
	pop	edx
	pop	eax
	push	ecx
	ret
%endmacro

align 16
global calls_back:function
calls_back:
	push	eax			; where the return address was
.place:					; where calls are recorded there is a jump to .traced
	mov	ecx, [gs:calls.stack]
	mov	ecx, [ecx]
	cmp	esp, [ecx + frame.slot]
	jne	.rare
	push	edx
	pushfd
	cli
	rdtsc
	end_frame .bound, .long
.bound:
	xor	edx, edx
.long:					; edx:eax is how long it took: what was the clock's time?
	add	eax, [gs:calls.in]
	adc	edx, 0
	sub	eax, [gs:calls.offset]
	sbb	edx, [gs:calls.offset + 4]
	add	eax, [ecx + frame.start]
	adc	edx, [ecx + frame.start + 4]
.leave:
	push	edx
	push	eax
	lea	edx, [esp + 16]
	mov	eax, [gs:0]
	add	eax, CPU_CALLS
	call	prof_call_leave
	add	esp, 8
	xchg	eax, [esp + 8]
	popfd
	pop	edx
	ret
.rare:
	push	edx
	pushfd
	cli
	rdtsc
	jmp	.leave
.traced:
	mov	ecx, [gs:calls.stack]
	mov	ecx, [ecx]
	cmp	esp, [ecx + frame.slot]
	jne	.traced_rare
	push	edx
	pushfd
	cli
	mov	edx, [ecx + frame.arc]
	note	1
	end_frame .bound, .long
.traced_rare:				; frames above it were left, and are not recorded
	push	edx
	pushfd
	cli
	lea	eax, [esp + 8]
.above:
	cmp	eax, [ecx + frame.slot]
	jbe	.found
	sub	ecx, frame_size
	jmp	.above
.found:
	mov	edx, [ecx + frame.arc]
	note	1
	jmp	.leave

; What is at the two places otherwise, where a jump has 5 bytes: patch.c changes over.
section .data
global calls_places
calls_places:
	dd	entry_calls.place
	db	0xe9
	dd	entry_traced.begin - entry_calls.place - 5
	dd	calls_back.place
	db	0xe9
	dd	calls_back.traced - calls_back.place - 5
section .text

; What calls.c measures to know what measuring costs: like any function, but it only returns.
[section __mcount_loc progbits alloc noexec nowrite align=4]
	dd	calls_nothing
section .text
align 16
global calls_nothing:function
calls_nothing:
	db	0x0f, 0x1f, 0x44, 0, 0
	ret
