#!/bin/sh
# Functions of one name in one program (R4, R7): every view of a record of gnomon's tells them apart
# by their files or, where these are not known, by their addresses; all other names stay.
# B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
cross=${CROSS-i686-linux-gnu-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir a b
GNOMON_BUILD=$work
export GNOMON_BUILD LC_ALL=C

# Two static functions `step' and a global one; two `same' in files of one name. No line is shared.
static='static int __attribute__((used, noinline))'
echo "$static step(int n) { return n; }
int main_loop(void) { return step(1); }" >main.c
echo "$static step(int n) { return n; }
int sched_loop(void) { return step(1); }" >sched.c
echo "$static same(int n) { return n; }
int step(int n) { return same(n); }" >a/irq.c
echo "$static same(int n) { return n; }
int last(void) { return same(1); }" >b/irq.c
"${cross}gcc" -g -O1 -nostdlib -static -fno-pie -no-pie -Wl,-e,last,-Ttext,0xc0100000 \
	main.c sched.c a/irq.c b/irq.c -o whole || exit 1
"${cross}strip" -g -o bare whole
"${cross}nm" whole >plain

# A record of each, of paths in which `last' calls the others.
"${cross}nm" -n whole | awk '$2 ~ /[tT]/ { print $1, $3 }' >functions
last=$(sed -n 's/ last$//p' functions)
awk -v last="$last" '
	BEGIN {
		print "# kpstack version=2 unit=instructions text=0xc0100000-0xc0101000"
		print "# kernel=FILE"
		print "# cpu=0 instructions=36"
	}
	{ printf "guest;[kernel];0x%s;0x%s %d\n", last, $1, NR }
	END { print "# instructions=36 returns=5 begun=1 jumps=0 unmatched=0" }' functions |
	sed "s/0x$last;/0x$(printf %x $((0x$last + 1)));/" >record
sed "s,FILE,$work/whole," record >whole.out
sed "s,FILE,$work/bare," record >bare.out
report() { "$B/gnomon" report "$@"; }
# names: the functions of a table, without their module
names() {
	awk -F, 'NR > 1 { print $2 }' | sort
}

wanted='last
main_loop
same (a/irq.c)
same (b/irq.c)
sched_loop
step (irq.c)
step (main.c)
step (sched.c)'
is "$(report -f -n 0 -o csv whole.out | names)" "$wanted" 'R7: namesakes have the names of their files'
is "$(report -f -n 0 -o csv bare.out | names)" "$(awk '
	$3 == "same" || $3 == "step" { print $3 " (0x" $1 ")"; next }
	$2 ~ /[tT]/ { print $3 }' plain | sort)" 'R7: or their addresses, and others no more than their names'
"${cross}nm" -n whole >map
report -i map -f -n 0 -o csv whole.out | names >from-map
is "$(grep -c '^step (0xc01000' from-map)" 3 'R9: with symbols of nm these are all that is known'

# seen VIEW TEXT: the three have rows of their own in it
seen() {
	has "$2" 'step (main.c)' "R7: $1: the one"
	has "$2" 'step (sched.c)' "R7: $1: the other"
	has "$2" 'step (irq.c)' "R7: $1: the global one"
}
seen flat "$(report -f -n 0 whole.out)"
seen 'the call graph' "$(report -g -n 0 whole.out)"
seen lines "$(report -l -n 0 whole.out)"
seen json "$(report -n 0 -o json whole.out)"
seen speedscope "$("$B/gnomon" export -f speedscope whole.out)"
seen pprof "$("$B/gnomon" export -f pprof whole.out | zcat -f)"
seen folded "$("$B/gnomon" export -f folded whole.out | tr _ ' ')"
seen callgrind "$("$B/gnomon" export -f callgrind whole.out)"
report --html page whole.out
seen 'the page' "$(cat page)"

# By the name of all one asks for all, by the whole name for one.
annotated() { report -a "$@" whole.out | sed -n 's/, .*: [0-9]* instructions in itself.*//p'; }
is "$(annotated 'step (sched.c)')" 'step (sched.c)' 'R7: one of them is annotated'
is "$(annotated kernel:step | sort)" 'step (irq.c)
step (main.c)
step (sched.c)' 'R7: or all of that name'
sum() { report --callers "$1" -o csv whole.out | awk -F, 'NR == 2 { print $4 }'; }
one=$(sum 'step (main.c)') other=$(sum 'kernel:step (sched.c)') third=$(sum 'step (irq.c)')
is "$(sum step)" "$((one + other + third))" 'R7: the callers of one, or of all'
is "$(report -f -n 0 --focus '^step$' -o csv whole.out | names | grep -c step)" 3 \
	'R7: an expression matches the plain name'
is "$(report -f -n 0 --focus 'step .main' -o csv whole.out | names)" 'last
step (main.c)' \
	'R7: and the whole one'

# A program with the same files.
"${cross}gcc" -g -O1 -nostdlib -static -fno-pie -no-pie -Wl,-e,last main.c sched.c a/irq.c b/irq.c -o prog
at=$("${cross}nm" prog | sed -n 's/ T last$//p')
printf '%s\n' "gnomon modules 2 coverage 0" "module prog $work/prog $at -" "0 1" "end 3" >counts
"$B/gnomon" export -i prog -f lcov counts >lcov
is "$(grep -c '^FN:.*,step$' lcov)" 3 'R7: lcov has a section for each file, and plain names in it'

finish
