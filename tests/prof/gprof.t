#!/bin/sh
# What gprof makes of our gmon.out (G1 G8 G10): a real ELF file, ticks and calls that are known.
# B is the folder of what was built, MKGMON the test program of that name.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/../host/tap.sh"

B=${B:-build}
CROSS=${CROSS:-i686-linux-gnu-}
mkgmon=$(realpath "${MKGMON:-$B/tests/prof/mkgmon}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# Two far apart, so that histogram records of several ranges are made.
cat >kernel.s <<'EOF2'
	.text
	.globl ktzero, etext
ktzero:	.skip 48
	.globl start
	.type start, @function
start:	.skip 64
	.size start, 64
	.type worker, @function
worker:	.skip 64
	.size worker, 64
	.skip 20000
	.type idle_loop, @function
idle_loop: .skip 64
	.size idle_loop, 64
	.globl outer
	.type outer, @function
outer:	.skip 64
	.size outer, 64
	.type leaf, @function
leaf:	.skip 64
	.size leaf, 64
etext:
EOF2

# at SYMBOL OFFSET: an address. The shell's numbers have a sign, so only the last digits are added.
at() {
	symbol=$("${CROSS}nm" kernel | sed -n "s/ [tT] $1\$//p")
	printf '%s%08x' "${symbol%????????}" $((0x${symbol#"${symbol%????????}"} + $2))
}

# field N NAME: of the flat profile's line for a function.
field() {
	awk -v n="$1" -v name="$2" '$NF == name { print $n }' flat
}

# arc FROM TO: the calls that the graph shows in TO's entry for FROM.
arc() {
	awk -v from="$1" -v to="$2" '
		/^---/ { split("", callers) }
		!/^\[/ && NF >= 3 { for (i = 1; i <= NF; i++) if ($i == from) { n[from] = $(i - 1); seen = 1 } }
		/^\[/ { if (index($0, " " to " ") && seen) { print n[from]; exit } seen = 0 }
		/^---/ { seen = 0 }' graph
}

# check BITS MACHINE ADDRESS WIDTH: a kernel of that machine, linked there, and its gmon.out
check() {
	"${CROSS}as" "--$1" kernel.s -o kernel.o &&
		"${CROSS}ld" -m "$2" -Ttext="$3" -e start kernel.o -o kernel 2>ld.txt
	ok $? "a kernel of $1 bits to test with is linked" "$(cat ld.txt)"

	cat >told <<EOF2
tick $(at worker 0) 1000
tick $(at worker 60) 500
tick $(at idle_loop 4) 200000
tick $(at outer 0) 250
call $(at start 20) $(at worker 5) 70000
call $(at start 40) $(at outer 5) 3
call $(at outer 20) $(at worker 5) 11
call $(at worker 63) $(at idle_loop 5) 9
call $(at worker 63) $(at leaf 5) 1
call $(at outer 40) $(at leaf 5) 6
EOF2
	"$mkgmon" "$(at ktzero 0)" "$(at etext 0)" gmon.out "$4" <told
	ok $? 'a gmon.out is written'

	gprof -b -p kernel gmon.out >flat 2>errors
	is "$?$(cat errors)" 0 'G10 A2: gprof reads it without complaint'
	gprof -b -q kernel gmon.out >graph 2>>errors

	is "$(field 3 idle_loop)" 200.00 'G8: a cell holds more than 65535 ticks'
	is "$(field 3 worker)" 1.50 'G10: a static function has its time, from its first byte to its last'
	is "$(field 3 outer)" 0.25 'G10: ticks are not smeared over the end of a function'
	is "$(field 4 worker)" 70011 'G1: calls of a static function'
	is "$(field 4 outer)" 3 'G1: calls of a global function'
	is "$(field 4 idle_loop)" 9 'G1: calls of a function in another range'

	is "$(arc start worker)" 70000/70011 'G10: an arc from a global to a static function'
	is "$(arc outer worker)" 11/70011 'G10: an arc from another caller'
	is "$(arc worker leaf)" 1/7 'G5: the second arc of one caller'
}

check 32 elf_i386 0xc0100000 4
# A2: addresses of 64 bits, in the upper half as those of kernels are; 0 is this machine's width.
check 64 elf_x86_64 0xffffffff80100000 0
check 64 elf_x86_64 0x80100000 8

finish
