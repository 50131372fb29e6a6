#!/bin/sh
# mklines: the tables of source lines, lines(5), that programs and the kernel are given, against
# what addr2line and objdump say (P11); and what it says of files that have none.
# Needs: guest/tests/e2e/covered
cd "$(dirname "$0")/../.." || exit 1
. tests/host/tap.sh
b=${B:-build}
cross=${CROSS-i686-linux-gnu-}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# agree PROGRAM TEXTADDRESS: each instruction has the line that addr2line gives it. The
# assembler's files have a name there that begins with their directory twice, and a header's function
# that is not inlined is in the file that includes it, though the line table has the header's. Calls
# that ask for memory in inline functions are C12's.
agree() {
	"${cross}objdump" -dz --no-show-raw-insn "$b/$1" >"$tmp/dis"
	"$b/mklines" "$b/$1" <"$tmp/dis" >"$tmp/lines"
	is $? 0 "$1 has a table"
	"${cross}objcopy" -O binary --only-section=.lines --set-section-flags .lines=alloc \
		"$b/guest/$1" "$tmp/shipped"
	cmp "$tmp/lines" "$tmp/shipped"
	is $? 0 "$1 goes to the guest with it"
	"$b/tests/tools/showlines" "$2" <"$tmp/lines" >"$tmp/ours"
	cut -d' ' -f1 "$tmp/ours" | "${cross}addr2line" -e "$b/$1" |
		sed "s, (disc.*,,; s,^$PWD/,,; s,^\./,,; s,^.*//,,; s,:?$,:0,; s,^??,?," |
		paste -d' ' "$tmp/ours" - >"$tmp/both"
	sed -n 's/^ *\([0-9a-f]*\):\tcall.*<k\{0,1\}[a-z]*alloc[a-z]*>$/\1/p' "$tmp/dis" >"$tmp/asks"
	awk 'NR == FNR { asks["0000000" $1] = asks[$1] = 1; next }
		{ ours = $2; sub(/.*:/, "", ours); theirs = $3; sub(/.*:/, "", theirs) }
		$2 ~ /\.h:/ && $3 ~ /\.c:/ && ours == theirs { next }
		$2 != $3 && !($1 in asks && $3 ~ /\.h:/) { print; bad = 1 } END { exit bad }' \
		"$tmp/asks" "$tmp/both" >"$tmp/differ"
	ok $? "P11 $1: addr2line agrees" "$(head "$tmp/differ")"
	sed -n 's/^ *\([0-9a-f]*\):\t/\1 /p' "$tmp/dis" |
		grep -Ev ' (nop|xchg   %ax,%ax$|lea    0x0\(%e[sd]i|lea    %cs:0x0\()| nop' |
		awk '{ a = "0000000" $1; print substr(a, length(a) - 7) }' >"$tmp/begin"
	cut -d' ' -f1 "$tmp/ours" | cmp - "$tmp/begin"
	is $? 0 "P11 $1: objdump has the same instructions"
	awk '$2 !~ /^\?/ { sub(":.*", "", $2); print $2 }' "$tmp/ours" | sort -u |
		while read -r file; do [ -f "$b/root/src/$file" ] || echo "$file"; done >"$tmp/missing"
	is "$(cat "$tmp/missing")" '' "P11 $1: all sources are in the guest"
}

agree bin/sh 400000
agree bin/prof 400000
agree gnomon.elf c0100000

# A wrapper in a header, and one around that; a call of the one that is not inline.
cat >"$tmp/w.h" <<'END'
void *malloc(unsigned n);
static inline void *wrap(unsigned n)
{
	char *p = malloc(n);

	if (p)
		p[0] = 1;
	return p;
}
static inline void *twice(unsigned n)
{
	return wrap(2 * n);
}
END
cat >"$tmp/w.c" <<'END'
#include "w.h"
__attribute__((noipa)) void *malloc(unsigned n) { return (void *)n; }
void *e(unsigned n)
{
	return wrap(n);
}
void *f(unsigned n)
{
	return twice(n);
}
void *g(unsigned n)
{
	return (char *)malloc(n) + 1;
}
void _start(void) {}
END
"${cross}gcc" -w -m32 -O2 -g -ffreestanding -fno-pic -nostdlib -static -no-pie \
	-fno-optimize-sibling-calls -fno-inline-small-functions "$tmp/w.c" \
	-Wl,-Ttext=0x400000 -o "$tmp/w"
"${cross}objdump" -dz --no-show-raw-insn "$tmp/w" >"$tmp/dis"
"$b/mklines" "$tmp/w" <"$tmp/dis" >"$tmp/w.lines"
"$b/tests/tools/showlines" 400000 <"$tmp/w.lines" >"$tmp/ours"
is "$(sed -n 's/^ *\([0-9a-f]*\):\tcall.*<malloc>$/00\1/p' "$tmp/dis" | grep -f - "$tmp/ours" |
	sed 's|.*/||' | sort)" 'w.c:13
w.c:5
w.c:9' 'C12 who asks for memory through inline functions is the line that calls them'

# The example of lines(5), for a program that is not one of ours.
cp "$b/tests/e2e/covered" "$tmp/work"
awk '/^\.Ed/ { on = 0 } on { print } /^\.Bd -literal/ { on = 1 }' docs/man/5/lines.5 |
	sed 's/\\e/\\/' | sed "s,build/,$b/,; s,i686-linux-gnu-,$cross,; s,\<work,$tmp/work,g" |
	sh
is $? 0 'the example of lines(5)'
for file in "$tmp/work.guest" "$b/guest/tests/e2e/covered"; do
	"${cross}objcopy" -O binary --only-section=.lines --set-section-flags .lines=alloc \
		"$file" "$tmp/${file##*/}.table"
done
cmp "$tmp/work.guest.table" "$tmp/covered.table"
is $? 0 'P11 it is how programs get their table'

# Who looks for mistakes builds with sanitizers, and a program that makes a part of a build must end
# well in that, too.
env -u MAKEFLAGS -u MFLAGS make -s B="$tmp/san" HFLAGS='-fsanitize=address,undefined -O0' "$tmp/san/mklines" \
	>"$tmp/log" 2>&1
"${cross}objdump" -dz --no-show-raw-insn "$b/bin/true" | "$tmp/san/mklines" "$b/bin/true" 2>"$tmp/log" >"$tmp/lines"
is $? 0 'a build with sanitizers goes on'

# refuse STATUS PART ARGUMENT...: with an empty disassembly
refuse() {
	status=$1 part=$2
	shift 2
	out=$("$b/mklines" "$@" 2>&1 </dev/null)
	is $? "$status" "$part: exit status $status"
	has "$out" "$part" "$part"
}
"${cross}objcopy" -S "$b/bin/seq" "$tmp/bare"
refuse 2 'usage: ' a b
refuse 1 'No such file' "$tmp/none"
refuse 1 'not a 32-bit program' "$b/mklines"
refuse 1 'not a 32-bit program' Makefile
refuse 1 'no line table can be read' "$tmp/bare"
# H14: a segment with code that is said to have more bytes than the file.
segment=$("${cross}readelf" -lW "$b/bin/seq" | awk '/^  [A-Z_]+ +0x/ { n++ } / R E / { print n - 1; exit }')
for size in '\377\377\377\377' '\0\0\0\020'; do
	cp "$b/bin/seq" "$tmp/vast"
	printf "$size" | dd of="$tmp/vast" bs=1 seek=$((52 + 32 * segment + 16)) conv=notrunc 2>/dev/null
	refuse 1 'not a 32-bit program' "$tmp/vast"
done
refuse 1 'no disassembly' "$b/bin/seq"
finish
