	.file	"offsets.c"
	.text
.Ltext0:
	.cfi_sections	.debug_frame
	.file 0 "/tmp/w/scale" "kernel/prof/offsets.c"
	.p2align 4
	.globl	offsets
	.type	offsets, @function
offsets:
.LFB59:
	.file 1 "kernel/prof/offsets.c"
	.loc 1 14 1 view -0
	.cfi_startproc
1:	.byte	0x0f, 0x1f, 0x44, 0x00, 0x00
	.section __mcount_loc, "a",@progbits
	.long 1b
	.previous
	.loc 1 15 2 view .LVU1
	.loc 1 14 1 is_stmt 0 view .LVU2
	pushl	%ebp
	.cfi_def_cfa_offset 8
	.cfi_offset 5, -8
	movl	%esp, %ebp
	.cfi_def_cfa_register 5
	.loc 1 15 2 view .LVU3
#APP
# 15 "kernel/prof/offsets.c" 1
	#equ SEL_KDATA 16
# 0 "" 2
	.loc 1 16 2 is_stmt 1 view .LVU4
# 16 "kernel/prof/offsets.c" 1
	#equ SEL_CPU 40
# 0 "" 2
	.loc 1 17 2 view .LVU5
# 17 "kernel/prof/offsets.c" 1
	#equ IRET_CS 4
# 0 "" 2
	.loc 1 18 2 view .LVU6
# 18 "kernel/prof/offsets.c" 1
	#equ GMON_LIMIT 20
# 0 "" 2
	.loc 1 19 2 view .LVU7
# 19 "kernel/prof/offsets.c" 1
	#equ GMON_FROMS 24
# 0 "" 2
	.loc 1 20 2 view .LVU8
# 20 "kernel/prof/offsets.c" 1
	#equ GMON_ARCS 28
# 0 "" 2
	.loc 1 21 2 view .LVU9
# 21 "kernel/prof/offsets.c" 1
	#equ ARC_SHIFT 4
# 0 "" 2
	.loc 1 22 2 view .LVU10
# 22 "kernel/prof/offsets.c" 1
	#equ ARC_SELFPC 0
# 0 "" 2
	.loc 1 23 2 view .LVU11
# 23 "kernel/prof/offsets.c" 1
	#equ ARC_COUNT 4
# 0 "" 2
	.loc 1 24 1 is_stmt 0 view .LVU12
#NO_APP
	popl	%ebp
	.cfi_restore 5
	.cfi_def_cfa 4, 4
	ret
	.cfi_endproc
.LFE59:
	.size	offsets, .-offsets
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.long	0x90
	.value	0x5
	.byte	0x1
	.byte	0x4
	.long	.Ldebug_abbrev0
	.uleb128 0x2
	.long	.LASF14
	.byte	0x1d
	.long	.LASF0
	.long	.LASF1
	.long	.Ltext0
	.long	.Letext0-.Ltext0
	.long	.Ldebug_line0
	.uleb128 0x3
	.byte	0x4
	.byte	0x5
	.string	"int"
	.uleb128 0x1
	.byte	0x4
	.byte	0x7
	.long	.LASF2
	.uleb128 0x1
	.byte	0x4
	.byte	0x5
	.long	.LASF3
	.uleb128 0x1
	.byte	0x8
	.byte	0x5
	.long	.LASF4
	.uleb128 0x1
	.byte	0xc
	.byte	0x4
	.long	.LASF5
	.uleb128 0x1
	.byte	0x10
	.byte	0x4
	.long	.LASF6
	.uleb128 0x1
	.byte	0x1
	.byte	0x6
	.long	.LASF7
	.uleb128 0x1
	.byte	0x2
	.byte	0x5
	.long	.LASF8
	.uleb128 0x1
	.byte	0x1
	.byte	0x8
	.long	.LASF9
	.uleb128 0x1
	.byte	0x2
	.byte	0x7
	.long	.LASF10
	.uleb128 0x1
	.byte	0x8
	.byte	0x7
	.long	.LASF11
	.uleb128 0x1
	.byte	0x1
	.byte	0x2
	.long	.LASF12
	.uleb128 0x1
	.byte	0x1
	.byte	0x6
	.long	.LASF13
	.uleb128 0x4
	.long	.LASF15
	.byte	0x1
	.byte	0xd
	.byte	0x6
	.long	.LFB59
	.long	.LFE59-.LFB59
	.uleb128 0x1
	.byte	0x9c
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.uleb128 0x1
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0xe
	.byte	0
	.byte	0
	.uleb128 0x2
	.uleb128 0x11
	.byte	0x1
	.uleb128 0x25
	.uleb128 0xe
	.uleb128 0x13
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x1f
	.uleb128 0x1b
	.uleb128 0x1f
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x6
	.uleb128 0x10
	.uleb128 0x17
	.byte	0
	.byte	0
	.uleb128 0x3
	.uleb128 0x24
	.byte	0
	.uleb128 0xb
	.uleb128 0xb
	.uleb128 0x3e
	.uleb128 0xb
	.uleb128 0x3
	.uleb128 0x8
	.byte	0
	.byte	0
	.uleb128 0x4
	.uleb128 0x2e
	.byte	0
	.uleb128 0x3f
	.uleb128 0x19
	.uleb128 0x3
	.uleb128 0xe
	.uleb128 0x3a
	.uleb128 0xb
	.uleb128 0x3b
	.uleb128 0xb
	.uleb128 0x39
	.uleb128 0xb
	.uleb128 0x27
	.uleb128 0x19
	.uleb128 0x11
	.uleb128 0x1
	.uleb128 0x12
	.uleb128 0x6
	.uleb128 0x40
	.uleb128 0x18
	.uleb128 0x7a
	.uleb128 0x19
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_aranges,"",@progbits
	.long	0x1c
	.value	0x2
	.long	.Ldebug_info0
	.byte	0x4
	.byte	0
	.value	0
	.value	0
	.long	.Ltext0
	.long	.Letext0-.Ltext0
	.long	0
	.long	0
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF2:
	.string	"unsigned int"
.LASF15:
	.string	"offsets"
.LASF9:
	.string	"unsigned char"
.LASF7:
	.string	"signed char"
.LASF6:
	.string	"_Float128"
.LASF12:
	.string	"_Bool"
.LASF8:
	.string	"short int"
.LASF13:
	.string	"char"
.LASF11:
	.string	"long long unsigned int"
.LASF10:
	.string	"short unsigned int"
.LASF3:
	.string	"long int"
.LASF5:
	.string	"long double"
.LASF14:
	.ascii	"GNU C2X 12.2.0 -m32 -march=i686 -mtune=generic -mgeneral-reg"
	.ascii	"s-only -mno-omit-leaf-frame-pointer -mregparm=3 -mpreferred-"
	.ascii	"stack-boundary=2 -mfentry -mnop-mcount -mrecord-mcount -g -O"
	.ascii	"2 -std=gnu2"
	.string	"x -p -ffreestanding -fno-pie -fno-stack-protector -fcf-protection=none -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-ipa-cp -fno-ipa-sra -fno-partial-inlining -fno-reorder-blocks-and-partition -falign-functions=16 -fno-asynchronous-unwind-tables"
.LASF4:
	.string	"long long int"
	.section	.debug_line_str,"MS",@progbits,1
.LASF1:
	.string	"/tmp/w/scale"
.LASF0:
	.string	"kernel/prof/offsets.c"
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
