#!/bin/sh
# What comes with a profile, and somebody made to do harm, or a compiler without any such thought:
# programs, lists of symbols, and what lies beside (H14). B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
cross=${CROSS-i686-linux-gnu-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
GNOMON_BUILD=$work/nowhere
export GNOMON_BUILD LC_ALL=C
# report ARGUMENT...: a report that takes no more than 20 seconds, and 1 GB
# shellcheck disable=SC3045 # dash has it
report() { (ulimit -v 1000000; within 20 "$B/gnomon" report "$@"); }

# counted PROGRAM: a profile with 100, 99, ... samples at the program's first bytes
counted() {
	echo 'gnomon modules 2 sampling 1000'
	echo "module $1 /x/$1 00400000 -"
	for i in 0 1 2 3 4 5 6 7 8 9; do for k in 0 1 2 3 4 5 6; do
		echo "$((7 * i + k)) $((100 - 7 * i - k))"
	done; done
	echo end 72
}
link='-nostdlib -static -Wl,-e,main -Wl,-Ttext=0x400000'

# A store that two branches share has no line of its own: clang merges the two.
cat >merged.c <<'EOF'
volatile int sink;
static inline __attribute__((always_inline)) int f(int a, int b, int *p) {
	if (a > 3) {
		sink = 1;
		p[b] = b * 7;
		return p[b + 1];
	}
	sink = 2;
	p[b] = b * 7;
	return p[b + 2];
}
int arr[100];
int main(int c, char **v) { return f(c, c + 1, arr); }
EOF
# shellcheck disable=SC2086 # words
clang --target=x86_64-none-elf -ffreestanding -fno-pic -g -O2 -c merged.c 2>/dev/null &&
	"${cross}ld" -m elf_x86_64 -e main -Ttext=0x400000 -o merged merged.o
counted merged >merged.prof
report --html merged.html -i merged merged.prof 2>said
is "$?:$(cat said)" 0: 'the page of a program, some of whose inlined code is of no line'

# The last line of a function has nothing but inlined code. How many instructions it has decides what
# lies behind them in memory.
for sums in 1 2 3 4 5; do
	{
		echo 'volatile int s; static inline __attribute__((always_inline)) void f(int a) { s = a; }'
		echo 'int main(int c, char **v) { for (;;) {'
		yes 's = s + 2;' | head -n $sums
		yes '' | head -n 30
		printf 'f(c);\n}\n}\n'
	} >late.c
	# shellcheck disable=SC2086 # words
	"${cross}gcc" -m32 -fno-pic -no-pie -g -O1 $link -Wl,--build-id=none -o late late.c
	rm late.c
	counted late >late.prof
	report -a main -I -i late late.prof >out 2>said
	is "$?:$(wc -l <out | awk '{ print $1 < 60 }')" 0:1 "$sums: a function that ends with what is inlined, without its source"
	report --html late.html -I -i late late.prof 2>said
	is "$?:$(cat said)" 0: "and on the page"
done

# other FORM: a program whose names are in another file, which it says is a pipe
other() {
	cat <<EOF
	.text
	.globl main
main:	nop
	nop
	ret
.Lend:	.type main, @function
	.size main, .-main
	.section .debug_abbrev, "", @progbits
	.uleb128 1, 0x11
	.byte 1
	.uleb128 3, $1, 0x1b, 8, 0x11, 1, 0x12, 6
	.byte 0, 0
	.uleb128 2, 0x2e
	.byte 0
	.uleb128 3, $1, 0x11, 1, 0x12, 6
	.byte 0, 0, 0
	.section .debug_info, "", @progbits
	.long 2f - 1f
1:	.short 4
	.long .debug_abbrev
	.byte 4
	.uleb128 1
	.long 0
	.asciz "/tmp"
	.long main, .Lend - main
	.uleb128 2
	.long 0, main, .Lend - main
	.byte 0
2:	.section .gnu_debugaltlink, "", @progbits
	.asciz "$work/pipe"
	.byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
EOF
}
mkfifo pipe
other 0x1f21 >other.s
# shellcheck disable=SC2086 # words
"${cross}gcc" -m32 $link -o other other.s
cat >other.prof <<EOF
# kpstack version=2 unit=instructions text=0x00400000-0x00400100
# kernel=$work/other
guest;[kernel];0x00400001 5
# instructions=5 returns=0 begun=0 jumps=0 unmatched=0
EOF
for how in '-l' '-I' '--html page.html'; do
	# shellcheck disable=SC2086 # words
	report $how other.prof >out 2>said
	is "$?" 0 "report $how opens no other file that a program names for its names"
done

# What lies beside a profile.
mkdir beside
cp other.prof beside/paths
mkfifo beside/paths.run
report beside/paths >out 2>said
is "$?" 0 'a pipe in place of FILE.run is not waited for'
rm beside/paths.run
ln -s /dev/zero beside/paths.run
report beside/paths >out 2>said
is "$?" 0 'nor is a device read that has no end'
mkdir -p runs/1
mkfifo runs/1/pipe
cp other.prof runs/1/paths
report runs >out 2>said
is "$?" 0 'nor is a pipe among the profiles of a run'

# A list of symbols is a text with lines.
"${cross}nm" other >list
truncate -s 100G list
sed 's/# kernel=.*/# kernel=list/' other.prof >listed.prof
report listed.prof >out 2>said
is "$?:$(cat said)" "1:gnomon report: listed.prof: $(realpath list): not an ELF file, nor symbols as nm prints them" \
	'a list of symbols that ends in 100 GB of nothing is none'
"${cross}nm" other | tr -d '\n' >list
"${cross}nm" other >>list
report listed.prof >out 2>said
has "$(cat out)" main 'but a name may be long, and the last line may have no end'

# The name of the file itself may have what a terminal obeys.
name=$(printf 'a\033]0;b\007')
cp other.prof "$name"
report "$name" 2>&1 | head -n 1 >out
is "$(cat out)" 'a\x1b]0;b\x07: stacks, 5 instructions' 'the name of a profile is shown'
for format in dot callgrind; do
	"$B/gnomon" export -f $format "$name" 2>/dev/null | tr -d '\n\t\040-\176' >out
	is "$(cat out)" '' "so it is in $format"
done

# What a QEMU may leave in place of the plugin's counts.
cat >qemu <<'EOF'
#!/bin/sh
out=$(echo "$2" | sed 's/.*,out=\([^,]*\).*/\1/')
cp "$LEAVES" "$out"
echo "$out" >where
# When gnomon reads it, and holds signals back, one comes.
[ -z "$SIGNAL" ] || (until grep -q 'SigBlk.*[4-7c-f]...$' /proc/$PPID/status; do sleep 0.01; done
	kill -s "$SIGNAL" $PPID) &
EOF
chmod +x qemu
mkdir tmp
# record LEAVES [SIGNAL]: what gnomon record says of that, and its status
record() {
	GNOMON_BUILD=$B LEAVES=$1 SIGNAL=${2-} within 20 "$B/gnomon" record -q -i other -o recorded -- ./qemu 2>&1
	echo "$?"
}
printf 'begun\npath guest;[kernel]\nat 0x400001 18446744073709551615\nat 0x400002 1\nend 0 0 0 0 0 0\n' >left
is "$(record left)" "gnomon record: line 4 of what QEMU left is not the plugin's
1" 'counts of 2^64 are refused'
printf 'begun\nend 0 0 0 0 0 0\nat 0x400001 1\nat 0x400002 1\n' >left
is "$(record left)" "gnomon record: line 3 of what QEMU left is not the plugin's
1" 'so is what follows the end'
awk 'BEGIN { print "begun\npath guest;[kernel]\nat 0x400001 1"
	while (n++ < 300000) print "path p" n ";[user];0x400000\nat 0x400001 1"
	print "end 0 0 0 0 0 0" }' >left
is "$(record left)" 0 'very many programs take no time'
[ -e recorded ] && rm recorded
is "$(record left TERM | tail -n 1)" 143 'H3: a signal ends it when QEMU has ended, too'
is "$(find . "$(cat where)" -name '*.part' -o -name 'gnomon-record-*' 2>/dev/null)" '' 'H3: and leaves nothing half done'

# A folded path of another tool's may begin with a long name.
yes abcdefghij | head -n 40 | tr -d '\n' >long
printf ';f;g 3\n' >>long
"$B/gnomon" import -f folded -o in.prof long 2>said
is "$?:$(cat said):$(find in.prof.nm -type f | awk '{ print length }')" 0::211 \
	'a name of 400 characters is one of 200, which a file may have'

finish
