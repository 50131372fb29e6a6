#!/bin/sh
# What the machine or the boot loader does not provide is named in one line on the console: B12.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

# why OPTION...: what the kernel says on such a machine. It leaves QEMU then, or stands still,
# when too little works for that.
why() {
	: >"$tmp/console"
	"${QEMU:-qemu-system-i386}" -nodefaults -no-user-config -display none -no-reboot \
		-accel tcg -serial "file:$tmp/console" -device isa-debug-exit,iobase=0xf4,iosize=4 \
		-append exitport=0xf4 "$@" >"$tmp/messages" 2>&1 &
	pid=$!
	turns=0
	while kill -0 $pid 2>/dev/null && [ $turns -lt $((600 * GNOMON_PATIENCE)) ]; do
		sleep 0.1
		turns=$((turns + 1))
		[ "$(grep -c '^gnomon: .*.$' "$tmp/console")" = 0 ] || break
	done
	sleep 0.1
	kill $pid 2>/dev/null
	wait $pid 2>/dev/null
	tr -d '\r' <"$tmp/console" | grep '^gnomon: \|^panic\|^kernel fault\|^  [0-9a-f]\{8\} '
}

kernel=$b/gnomon.elf
initrd=$b/initrd.cpio

# The serial line's firmware is not there, nor is anything but the processor, when these are said.
for feature in TSC MSR PAE CX8 APIC PGE CMOV; do
	name=$feature
	[ $feature = APIC ] && name='local APIC'
	is "$(why -kernel "$kernel" -initrd "$initrd" \
		-cpu "max,-$(echo $feature | tr '[:upper:]' '[:lower:]')")" \
		"gnomon: this processor has no $name; it is needed" "B12 no $name"
done

is "$(why -kernel "$kernel" -initrd "$initrd" -cpu max -M isapc)" \
	'gnomon: no I/O APIC at 0xfec00000: neither clocks nor devices can interrupt' \
	'B12 no clock that can interrupt'
is "$(why -kernel "$kernel" -cpu max)" \
	"gnomon: no initrd: give one with QEMU's -initrd, or as a module in grub.cfg" \
	'B12 no initrd'

mkdir "$tmp/rc"
echo 'no init' >"$tmp/rc/other"
echo 'rc/other' | (cd "$tmp" && cpio --quiet -o -H newc) >"$tmp/other.cpio"
is "$(why -kernel "$kernel" -initrd "$tmp/other.cpio" -cpu max)" \
	'gnomon: no /rc/init in the initrd' 'B12 no /rc/init'
echo 'neither a script nor a program' >"$tmp/rc/init"
chmod 755 "$tmp/rc/init"
echo 'rc/init' | (cd "$tmp" && cpio --quiet -o -H newc) >"$tmp/init.cpio"
is "$(why -kernel "$kernel" -initrd "$tmp/init.cpio" -cpu max)" \
	'gnomon: /rc/init of the initrd cannot be executed: error 8' 'B12 no program in /rc/init'

for mb in 2 4 5; do
	is "$(why -kernel "$kernel" -initrd "$initrd" -cpu max -m $mb | sed 's/: [0-9]* KB/: N KB/')" \
		'gnomon: too little memory: N KB beside the kernel and the initrd, 1536 needed' \
		"B12 $mb MB of memory"
done

# loader MAGIC: the kernel, started by a boot loader that leaves this number and no memory map
loader() {
	nasm -f elf32 "-DMAGIC=$1" tests/e2e/loader.asm -o "$tmp/loader.o" &&
		"${cross}ld" -m elf_i386 -Ttext 0x1000000 "$tmp/loader.o" -o "$tmp/loader" &&
		"${cross}objcopy" -S "$kernel" "$tmp/kernel" &&
		why -kernel "$tmp/loader" -initrd "$tmp/kernel" -cpu max
}
is "$(loader 0x2BADB002)" 'gnomon: no memory map from the boot loader' 'B12 no memory map'
is "$(loader 0)" 'gnomon: no multiboot: the boot loader left the number 0, not 2badb002' \
	'B12 no multiboot'

finish
