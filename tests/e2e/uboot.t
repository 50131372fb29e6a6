#!/bin/sh
# gnomon record of boot loaders that nobody here wrote (R10): Debian's U-Boot on three machines. Its
# images have no symbols, but every address has the count that QEMU's instructions have by another
# plugin, and all returns go to calls, though U-Boot copies itself to another place as it runs.
# Needs: gnomon record.so tests/truth/plugin.so
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
GNOMON_BUILD=$(realpath "$b")
export GNOMON_BUILD

# Fetch the package once, and unpack what is needed of it.
uboot=$GNOMON_BUILD/u-boot
fetch() {
	mkdir -p "$uboot.part" && cd "$uboot.part" || return
	apt-get -q download u-boot-qemu || return
	dpkg-deb -x ./*.deb . && mv usr/lib/u-boot "$uboot"
	rm -rf "$uboot.part"
}
[ -d "$uboot" ] || (fetch) >"$tmp/says" 2>&1
if [ ! -d "$uboot" ]; then
	echo "1..0 # SKIP Debian's U-Boot cannot be fetched: $(tail -1 "$tmp/says")"
	exit 0
fi

# boot NAME WORDS LO HI CALLS COMMAND...: count, with all between two addresses as the kernel's
# text; there are at least so many calls. Its console has the words.
boot() {
	name=$1 words=$2 lo=$3 hi=$4 calls=$5
	shift 5
	printf '%s T first\n%s T last\n' "$lo" "$hi" >"$tmp/map"
	timeout 300 "$b/gnomon" record -m 60 -i "$tmp/map" -o "$tmp/paths" -c "$tmp/counts" -- "$@" \
		-display none -serial "file:$tmp/console" -monitor none \
		-plugin "$b/tests/truth/plugin.so,out=$tmp/truth" >"$tmp/says" 2>&1 </dev/null
	has "$? $(tr -d '\r' <"$tmp/console")" "$words" "R10: $name: it runs" "$(cat "$tmp/says")"
	awk -v lo="$lo" '
		BEGIN { base = 0; for (i = 1; i <= length(lo); i++)
			base = 16 * base + index("0123456789abcdef", substr(lo, i, 1)) - 1 }
		NR > 2 && $1 != "end" { printf "%08x %d\n", base + $1, $2 }' "$tmp/counts" |
		sort >"$tmp/got"
	awk -v lo="$lo" -v hi="$hi" '
		BEGIN { lo = substr(lo, length(lo) - 7); hi = substr(hi, length(hi) - 7) }
		$1 "" >= lo "" && $1 "" < hi "" { n[$1] += $3 }
		END { for (a in n) printf "%s %d\n", a, n[a] }' "$tmp/truth.all" | sort >"$tmp/wanted"
	diff "$tmp/wanted" "$tmp/got" >"$tmp/diff"
	ok $? "R10: $name: the counts of all addresses are true" "$(head -5 "$tmp/diff")"
	[ "$(wc -l <"$tmp/got")" -gt 5000 ]
	ok $? "R10: $name: of thousands of addresses" "$(wc -l <"$tmp/got")"
	has "$(cat "$tmp/says")" ', 0 went to no known call' "R10: $name: all returns go to calls"
	is "$(sed -n 's/.* \([0-9]*\) calls$/\1/p' "$tmp/says" |
		awk -v n="$calls" '{ print ($1 >= n) }')" 1 "R10: $name: there are many" "$(cat "$tmp/says")"
}
boot riscv64 'U-Boot 20' 0000000080000000 00000000fffffff0 10000 qemu-system-riscv64 -M virt \
	-bios "$uboot/qemu-riscv64/u-boot.bin"
boot aarch64 'U-Boot 20' 0000000000000000 000000007ffffff0 10000 qemu-system-aarch64 -M virt \
	-cpu cortex-a57 -bios "$uboot/qemu_arm64/u-boot.bin"
boot i386 'U-Boot 20' 00000000 7ffffff0 10000 "${QEMU:-qemu-system-i386}" \
	-bios "$uboot/qemu-x86/u-boot.rom"
finish
