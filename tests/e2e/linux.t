#!/bin/sh
# gnomon record of a kernel that knows nothing of it (R9, R10): Debian's own Linux, with symbols that
# it tells of itself. Its counts are those of QEMU's instructions by another plugin.
# Needs: gnomon record.so tests/truth/plugin.so
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
GNOMON_BUILD=$(realpath "$b")
export GNOMON_BUILD

# Fetch the packages once, and unpack what is needed of them.
linux=$GNOMON_BUILD/linux
fetch() {
	mkdir -p "$linux/packages" && cd "$linux/packages" || return
	image=$(apt-cache depends linux-image-cloud-amd64 | awk '$1 == "Depends:" { print $2; exit }')
	apt-get -q download "$image" busybox-static || return
	for package in ./*.deb; do
		dpkg-deb -x "$package" all || return
	done
	mv all/boot/vmlinuz-* "$linux/vmlinuz.part" && mv all/bin/busybox "$linux" &&
		mv "$linux/vmlinuz.part" "$linux/vmlinuz"
	rm -rf "$linux/packages"
}
[ -e "$linux/vmlinuz" ] || (fetch) >"$tmp/says" 2>&1
if [ ! -e "$linux/vmlinuz" ]; then
	echo "1..0 # SKIP Debian's Linux cannot be fetched: $(tail -1 "$tmp/says")"
	exit 0
fi

# Its first program prints the symbols to the second serial port, or ends the machine at once.
mkdir -p "$tmp/root/bin" "$tmp/root/proc" "$tmp/root/dev"
cp "$linux/busybox" "$tmp/root/bin"
cat >"$tmp/root/init" <<'END'
#!/bin/busybox sh
/bin/busybox mount -t proc none /proc
/bin/busybox mount -t devtmpfs none /dev
if /bin/busybox grep -q symbols /proc/cmdline; then
	/bin/busybox stty -F /dev/ttyS1 raw
	/bin/busybox cat /proc/kallsyms >/dev/ttyS1
fi
/bin/busybox poweroff -f
END
chmod +x "$tmp/root/init"
(cd "$tmp/root" && find . | cpio -o -H newc --quiet) >"$tmp/initrd"

# boot WORD COMMAND...: start it with a word on its command line; the command starts QEMU
boot() {
	word=$1
	shift
	timeout 500 "$@" -m 256 -display none -no-reboot -monitor none -kernel "$linux/vmlinuz" \
		-initrd "$tmp/initrd" -append "console=ttyS0 nokaslr quiet panic=-1 vdso=0 $word" \
		-serial "file:$tmp/console" -serial "file:$tmp/kallsyms.$word" \
		>"$tmp/says" 2>&1 </dev/null
	status=$?
}
boot symbols qemu-system-x86_64
is "$status" 0 'Linux boots, prints its symbols and ends'
symbols=$tmp/kallsyms.symbols
[ "$(grep -c ' [tT] ' "$symbols")" -gt 10000 ]
ok $? 'R9: they are thousands' "$(head -3 "$symbols")"

boot - "$b/gnomon" record -i "$symbols" -P "$linux/busybox" -o "$tmp/paths" -c "$tmp/counts" -- qemu-system-x86_64 \
	-plugin "$b/tests/truth/plugin.so,out=$tmp/truth"
is "$status" 0 'R10: gnomon record of it'
has "$(cat "$tmp/says")" ', 0 went to no known call' 'R10: all returns go to calls'

# The other plugin keeps the lower half of addresses. The kernel and busybox differ in it; the vDSO,
# which is placed at random, may not: Linux is told to do without.
begin=$(awk '$1 == "module" { print $4 }' "$tmp/counts")
is "$begin" "$(awk '$3 == "_text" { print $1 }' "$symbols")" 'R9: the text begins where it does'
low=$(printf '%d' "0x$(echo "$begin" | cut -c 9-)")
awk -v low="$low" 'NR > 2 && $1 != "end" { printf "%08x %d\n", low + $1, $2 }' "$tmp/counts" |
	sort >"$tmp/got"
last=$(tail -1 "$tmp/got" | cut -d ' ' -f 1)
awk -v lo="$(echo "$begin" | cut -c 9-)" -v hi="$last" '
	BEGIN { lo = lo ""; hi = hi "" }
	$1 "" >= lo && $1 "" <= hi { n[$1] += $3 } END { for (a in n) printf "%s %d\n", a, n[a] }
' "$tmp/truth.all" | sort >"$tmp/wanted"
diff "$tmp/wanted" "$tmp/got" >"$tmp/diff"
ok $? 'R10: the counts of all addresses are true' "$(head -5 "$tmp/diff"; grep -c . "$tmp/diff")"
[ "$(wc -l <"$tmp/got")" -gt 100000 ]
ok $? 'R10: of hundreds of thousands of addresses'

"$b/gnomon" report -A -n 0 -o csv "$tmp/paths" >"$tmp/functions"
ok $? 'R9: report finds the symbols by itself'
has "$(cat "$tmp/functions")" 'busybox,?' 'R6: a program without symbols has its name'
for name in start_kernel kernel_init do_syscall_64 unpack_to_rootfs; do
	grep -q ",$name," "$tmp/functions"
	ok $? "R10: it has $name"
done
finish
