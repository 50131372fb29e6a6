# A PC with two processors in long mode, in QEMU. That boots no ELF file of 64 bits, so it gets
# the memory's image.
TOOLS	= x86_64-linux-gnu-
MACHINE	= x86_64
OWN	= start machine memory
NASM_FORMAT = elf64
FLAGS	+= -m64 -ffreestanding -mcmodel=kernel -mno-red-zone -fcf-protection=none \
	  -mgeneral-regs-only -mno-omit-leaf-frame-pointer
CALLS	+= -mfentry
LDFLAGS	= -nostdlib -static -no-pie -Wl,-T,$(HOST)/kernel.ld,--build-id=none,-z,noexecstack \
	  -Wl,--no-warn-rwx-segments,-z,max-page-size=4096
RUN	= $(TOOLS)objcopy -O binary example.elf example.bin; \
	  timeout 60 $(call emulator,x86_64) -kernel example.bin -smp 2 -m 32 -display none -no-reboot \
	  -icount shift=3,sleep=off -device isa-debug-exit,iobase=0xf4 \
	  -serial file:kpdata -serial file:gmon.out -serial file:kpstack; test $$? -eq 1
