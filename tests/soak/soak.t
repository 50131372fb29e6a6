#!/bin/sh
# Some seconds of the soak test, on one processor and on four (B10), and of its random clocks. make soak
# does more.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

# soak CPUS ICOUNT SEED WORDS: what it printed is in $tmp/text. It fails, too, if ticks are missing.
soak() {
	"$b/gnomon" run -t 200 -o "$tmp" --smp "$1" --icount "$2" --append "$4" \
		-p "$b/tests/soak/soak:/tmp/soak" \
		/tmp/soak -s "$3" -c 10000 -x 60 >"$tmp/text" 2>&1
	text=$(cat "$tmp/text")
}

# survived NAME: the soak passed, and made what it should.
survived() {
	has "$text" 'soak passed' "B10 $1: the machine is as it was"
	is "$(awk '$1 == "calls" { print ($2 >= 10000) }' "$tmp/text")" 1 "B10 $1: there were the calls"
	is "$(awk '$1 == "executables" { print $2 }' "$tmp/text")" 60 "B10 $1: and the executables"
	is "$(awk '$1 == "ticks" { print ($3 > 0 && $3 + $6 == $8 && $8 > 1000 &&
		$10 <= $8 && $8 <= $12) }' "$tmp/text")" 1 "B10 $1: the profiling clock ran"
}

soak 1 3 42 idle=poll
survived 'one processor'
cp "$tmp/text" "$tmp/first"
soak 1 3 42 idle=poll
cmp -s "$tmp/text" "$tmp/first"
ok $? 'B10 the same seed gives the same run' "$(diff "$tmp/first" "$tmp/text")"
soak 4 off 43 ''
survived 'four processors'

# A few of the machines of which make soak tries 200.
tests/soak/clocks "$b" 5 1000 >"$tmp/clocks" 2>&1
ok $? 'C17 C20 machines drawn by a seed end, and their ticks add up' "$(cat "$tmp/clocks")"
finish
