#!/bin/sh
# gnomon report of memory: what mprof -w and kpmem tell beside bytes. B is the folder of what was
# built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir build
GNOMON_BUILD=$work/build
export GNOMON_BUILD LC_ALL=C

report() { "$B/gnomon" report -i mine "$@"; }
# rows OPTION...: the numbers and the name of each function
rows() { report "$@" | sed '1,/  function$/d; s/^ *//; s/  */ /g'; }

# get() asks for memory in a function that is inlined into it, and by itself.
cat >mine.c <<'END2'
extern char *volatile got;
extern char *want(int);
static inline __attribute__((always_inline)) void inner(void)
{
	got = want(1);
}
__attribute__((noinline)) int get(void)
{
	inner();
	got = want(2);
	return 1;
}
END2
printf '%s\n' 'char *volatile got; char *want(int n) { return n ? 0 : got; }' \
	'int get(void); void start(void) { get(); }' >start.c
for file in start mine; do
	"${CROSS-i686-linux-gnu-}gcc" -m32 -g -O1 -ffreestanding -fno-pic -fno-stack-protector -c $file.c || exit 1
done
"${CROSS-i686-linux-gnu-}ld" -m elf_i386 -Ttext=0x1000 -e start start.o mine.o -o mine || exit 1
# calls: where the calls of want() are, from the beginning of the text
calls() {
	"${CROSS-i686-linux-gnu-}objdump" -d --disassemble=get mine | sed -n 's/^ *\([0-9a-f]*\):.*call.*/\1/p' |
		while read -r at; do echo $((0x$at - 0x1000)); done
}
at=$(calls | xargs)
printf '%s\n' 'gnomon modules 3 memory 0' 'module mine /mine 00001000 -' "${at% *} 40 2 100 5" "${at#* } 0 0 7 1" \
	'end 4' >counts
is "$(rows counts)" '40 100.00 2 107 6 get' 'P11: what get allocated, with what is inlined into it' "$at"
is "$(rows -I counts)" '40 100.00 2 100 5 inner (inlined)
0 0.00 0 7 1 get' 'P11: by itself, what was inlined has blocks as well as bytes'
is "$(report -l -a inner counts | tail -n 3 | tr -s ' ')" ' 3 static inline __attribute__((always_inline)) void inner(void)
 4 {
 40 100.00 5 	got = want(1);' 'the source of what was inlined begins with its name'
is "$(report -l -a get -o csv counts | tr -d '\r' | sed -n 2p | cut -d, -f 1,4)" get,7 'so does that of other functions'
has "$(report counts)" '  40 bytes in 2 blocks not freed, 107 bytes in 6 blocks allocated in all' 'P11: totals'
has "$(report counts)" '    blocks   bytes in all blocks in all  function' 'P11: each column has a name of its own'
has "$(report -o json counts | jq -r '.notes[]')" '107 bytes in 6 blocks' 'P11 H6: totals as data'
{
	sed '$d' counts
	printf '%s\n' 'module other /other 00401000 -' '0 1 1 3 1' 'end 6'
} >two
is "$(report two 2>/dev/null | sed -n 3,5p)" '  41 bytes in 3 blocks not freed, 110 bytes in 7 blocks allocated in all
  mine       40 bytes in 2 blocks not freed, 107 bytes in 6 blocks allocated in all
  other      1 bytes in 1 block not freed, 3 bytes in 1 block allocated in all' 'P11: of each program'
report -I -H page.html counts
is "$(grep -o '"memory":[^]]*]' page.html | xargs)" 'memory:[2,100,5] memory:[0,7,1]' \
	'P11 H12: a page has it, also of what was freed'
has "$(grep -o '"facts".*' page.html)" '["Memory","40 bytes in 2 blocks not freed, 107 bytes in 6 blocks allocated in all"]' \
	'P11 H12: and the totals'
is "$(grep -o '"left":0' page.html)$(grep -c '"line":11' page.html)" '"left":00' 'P11 H12: but no line of none'
for option in '-b get' '-c get' -g -A; do
	# shellcheck disable=SC2086
	is "$(report $option counts 2>&1)" "gnomon report: counts: it has no calls: neither paths nor arcs; \
paths of memory are in /dev/kpmem, after 'echo startmp paths >/prof/ctl'" "P11 H14: $option says where calls are"
done

# Of paths blocks are those of a path, whatever became of them.
cat >paths <<'END2'
# kpmem version=1
# count=3
sh;[in_use];0x00401000 4000
sh;[freed];0x00401000 500
[overflow] 30
# unit=bytes blocks=3 overflow=30 depth=64 total_bytes=4530
END2
has "$(report paths 2>/dev/null)" '  4500 bytes in 3 blocks allocated in all, and 30 bytes whose paths found no room' \
	'P4: totals of paths'
is "$(report paths 2>/dev/null | tail -n 2 | tr -s ' ')" ' 4500 99.34 3 sh:?
 30 0.66 [overflow]' 'P4: a row of paths has its blocks'
is "$(report -M in_use -o csv paths 2>/dev/null | tr -d '\r' | cut -d, -f 2,4,14-16 | tail -n 1)" '?,4000,,,' \
	'P4: of what is in use they are not known'
finish
