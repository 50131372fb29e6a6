#!/bin/sh
# Small files that stand for much (H14): what gnomon report and export need for them grows with the
# file, or there is a limit that they name. B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
cross=${CROSS-i686-linux-gnu-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir build
GNOMON_BUILD=$work/build
export GNOMON_BUILD LC_ALL=C

# program NAME: assemble and link the standard input, to begin at 0x401000.
program() {
	"${cross}as" --32 -o "$1.o" - && "${cross}ld" -m elf_i386 -Ttext=0x401000 -e 0 -o "$1" "$1.o" || exit 1
}

# ---- lines: very many histograms, each of almost all rows

cat <<'EOF2' | program rows
	.file 1 "a.c"
	.globl f
	.type f, @function
f:	.rept 400000
	.loc 1 5
	nop
	.endr
	.size f, . - f
EOF2
perl -e 'print "gmon\1", "\0" x 15;
	print pack("CV4a15aS", 0, 0x401000 + $_, 0x401000 + 400000, 1, 100, "seconds", "s", 1) for 1 .. 200000' >bins
within 10 "$B/gnomon" report --lines -i rows bins >bins.text 2>&1
has "$(cat bins.text)" '200000  100.00  a.c:5' 'H14: of a bin no row of lines is looked at but the first and the last'

finish
