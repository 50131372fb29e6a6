# QEMU's virt machine with a processor of RV64IMAC; files are written by semihosting.
TOOLS	= riscv64-linux-gnu-
MACHINE	= riscv64
OWN	= start machine memory
FLAGS	+= -ffreestanding -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany
LDFLAGS	= -nostdlib -static -no-pie -Wl,-T,$(HOST)/kernel.ld,--build-id=none,-z,noexecstack \
	  -Wl,--no-warn-rwx-segments
RUN	= timeout 60 $(call emulator,riscv64) -machine virt -bios none -kernel example.elf -m 32 -display none \
	  -no-reboot -serial none -monitor none -icount shift=3,sleep=off \
	  -semihosting-config enable=on,target=native
