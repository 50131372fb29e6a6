# QEMU's virt machine with a Cortex-A57; files are written by semihosting.
TOOLS	= aarch64-linux-gnu-
MACHINE	= aarch64
OWN	= start machine memory
FLAGS	+= -ffreestanding -mgeneral-regs-only -mstrict-align -mno-outline-atomics \
	  -mno-omit-leaf-frame-pointer
LDFLAGS	= -nostdlib -static -no-pie -Wl,-T,$(HOST)/kernel.ld,--build-id=none,-z,noexecstack \
	  -Wl,--no-warn-rwx-segments
RUN	= timeout 60 $(call emulator,aarch64) -machine virt -cpu cortex-a57 -kernel example.elf -m 32 \
	  -display none -no-reboot -serial none -monitor none -icount shift=3,sleep=off \
	  -semihosting-config enable=on,target=native
