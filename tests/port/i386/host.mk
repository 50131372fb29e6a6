# A PC with one processor, in QEMU, which makes files of its serial ports.
CROSS	?= i686-linux-gnu-
TOOLS	= $(CROSS)
MACHINE	= i386
OWN	= start machine memory
NASM_FORMAT = elf32
FLAGS	+= -m32 -ffreestanding -fcf-protection=none -mgeneral-regs-only -mno-omit-leaf-frame-pointer
CALLS	+= -mfentry
LDFLAGS	= -nostdlib -static -no-pie -Wl,-T,$(HOST)/kernel.ld,--build-id=none,-z,noexecstack \
	  -Wl,--no-warn-rwx-segments
RUN	= timeout 60 $(QEMU) -kernel example.elf -m 32 -display none -no-reboot \
	  -icount shift=3,sleep=off -device isa-debug-exit,iobase=0xf4 \
	  -serial file:kpdata -serial file:gmon.out -serial file:kpstack; test $$? -eq 1
