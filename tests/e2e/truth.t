#!/bin/sh
# Profiles beside a count of all instructions (make truth, of which this is a small part):
# kprof's functions, gmon's calls, coverage. K2, G2, P1.
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/tap.sh
b=${B:-build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
machine=$tmp/pit-nmi-5000
compare=$b/tests/truth/compare

TRUTH_OUT=$tmp tests/truth/run "$b" pit nmi 5000 >"$tmp/out" 2>&1
ok $? 'all profiles of one machine are as near the truth as their samples allow' "$(cat "$tmp/out")"
awk '/^pit nmi 5000, kprof / { n = $5; ratio = $8 } END { exit !(n > 3000 && ratio <= 1.5) }' \
	"$tmp/out"
ok $? 'K2 kprof: functions have the shares that they ran for' "$(grep kprof "$tmp/out")"

# a function's entry, patched in; a program that counts of itself
awk '/^calls of/ { n++; if ($5 < 1000 || $5 != $7 + $10) bad = 1 } END { exit n != 2 || bad }' \
	"$tmp/out"
ok $? 'G2 every call made is in an arc, but those that are told as lost' "$(grep ^calls "$tmp/out")"
awk '/^coverage:/ { n = $2 } END { exit n < 1000 }' "$tmp/out" && grep -q ', 0 wrongly$' "$tmp/out"
ok $? 'P1 coverage: every instruction, as often as it ran' "$(grep ^coverage "$tmp/out")"

# what would not be found, had nothing been compared
"$compare" sampled "$b/gnomon-test.elf" "$machine/truth.kprof.1" "$machine/idle" x >"$tmp/wrong"
[ $? -eq 1 ] && grep -q ' off$' "$tmp/wrong"
ok $? 'another profile is found to be off' "$(cat "$tmp/wrong")"
"$compare" calls "$b/gnomon-test.elf" "$machine/truth.kprof.1" "$machine/gmon.out" 0 >"$tmp/wrong"
[ $? -eq 1 ]
ok $? 'so are other calls' "$(cat "$tmp/wrong")"
sed '1,/^10000/s/^\(10000[^ ]* [^ ]*\) .*/\1 987654 0/' "$tmp/programs/truth.all" >"$tmp/all"
"$compare" covered "$b/tests/truth/words" "$tmp/all" "$tmp/programs/covered" >"$tmp/wrong"
[ $? -eq 1 ] && grep -q ', 1 wrongly$' "$tmp/wrong"
ok $? 'and an instruction counted wrongly' "$(cat "$tmp/wrong")"
finish
