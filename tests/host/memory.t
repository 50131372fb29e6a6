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
finish
