#!/bin/sh
# Profiles compared with a count of all instructions (make truth, of which this is a small part):
# kprof's functions and buckets, gmon's calls, coverage. K2, G2, P1.
# Needs: gnomon-test.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
machine=$tmp/pit-nmi-5000
kernel=$b/gnomon-test.elf
compare=$b/tests/truth/compare

# judge RECORDS: what they say, and the verdict
judge() { "$b/tests/bench/results" json "$1" >"$1.json" && "$b/tests/bench/results" truth "$1.json"; }

TRUTH_OUT=$tmp tests/truth/run "$b" pit nmi 5000 >"$tmp/records" 2>"$tmp/errors"
ok $? 'a machine and programs run, and all is counted' "$(cat "$tmp/errors")"
judge "$tmp/records" >"$tmp/out"
ok $? 'all profiles of one machine are as near the truth as their samples allow' "$(cat "$tmp/out")"
awk '/^pit nmi 5000, kprof/ { n += $(NF - 8) > 3000 && $(NF - 5) <= 1.5 } END { exit n != 2 }' \
	"$tmp/out"
ok $? 'K2 kprof: functions and buckets have the shares that they ran for' "$(grep kprof "$tmp/out")"

# Function entries, patched in; programs, covered.
awk '/, calls / { n = $7; arcs = $9; lost = $12 } END { exit n < 1000 || n != arcs + lost }' \
	"$tmp/out" && grep -q ' calls .* 0 wrong$' "$tmp/out"
ok $? 'G2 every call made is in an arc, but those that are told as lost' "$(grep calls "$tmp/out")"
awk '/, coverage / && $3 > 500 && / 0 wrong$/ { n++ } END { exit n != 5 }' "$tmp/out"
ok $? 'P1 coverage: every instruction, as often as it ran' "$(grep coverage "$tmp/out")"

# Two processors: what each ran, and what gmon has of each, adds up to all.
TRUTH_OUT=$tmp tests/truth/run "$b" 2 >"$tmp/two" 2>"$tmp/errors"
ok $? 'C4 two processors run, and all is counted' "$(cat "$tmp/errors")"
judge "$tmp/two" >"$tmp/out"
ok $? 'C4 kprof, gmon, prf and paths are held against what both ran' "$(cat "$tmp/out")"
is "$(grep -c "^2 CPUs.*, \(kprof\|stacks\|gmon\|prf\), busy: by chance's" "$tmp/out")" 4 \
	'C4 each in a row of its own'
awk -F '\t' '$3 == "kprof" { all = $5 } $3 == "kprof, busy" { busy = $5 }
	END { exit !(busy > all / 2 && busy < all) }' "$tmp/two"
ok $? 'C4 both processors are busy most of the time, and idle time is left out' "$(cat "$tmp/two")"
if [ -e "$tmp/cpus-2/truth.gmons.1.cpu0" ]; then # QEMU tells a plugin the processor
	awk '{ n[FILENAME] += $3 } END {
		for (f in n)
			if (f ~ /[.]cpu/) { sum += n[f]; busy += n[f] > 1000000 } else all = n[f]
		exit !(busy == 2 && sum == all)
	}' "$tmp"/cpus-2/truth.gmons.1*
	ok $? 'C4 each processor has what it ran, and no instruction is missing'
	awk -F '\t' '$3 == "gmon, busy" { all = $5 } $3 ~ /gmon of/ { sum += $5; each += $5 > 1000 }
		END { exit !(each == 2 && sum == all) }' "$tmp/two"
	ok $? 'C4 and beside it gmon of that processor' "$(cat "$tmp/two")"
fi

# Without these nothing might have been compared.
"$compare" functions "$kernel" "$machine/truth.kprof.1" "$machine/idle" x y judged >"$tmp/wrong"
judge "$tmp/wrong" >"$tmp/off"
[ $? -eq 1 ] && grep -q ' OFF$' "$tmp/off" && grep -q '^  off by more.* MISSED' "$tmp/off"
ok $? 'another profile is found to be off' "$(cat "$tmp/off")"
"$compare" functions "$kernel" "$machine/truth.kprof.1" "$machine/idle" 'pit irq 5000' kprof shown \
	>"$tmp/shown"
cat "$tmp/records" "$tmp/shown" >"$tmp/both"
judge "$tmp/both" >"$tmp/off" && grep -q ' shown$' "$tmp/off" &&
	grep -q '^by vector: samples in the wrong function .* % of samples' "$tmp/off"
ok $? 'but where it cannot be unbiased, that is shown, and by how much' "$(cat "$tmp/off")"
"$compare" calls "$kernel" "$machine/truth.kprof.1" "$machine/gmon.out" x >"$tmp/wrong" \
	2>"$tmp/errors"
cat "$tmp/wrong" >>"$tmp/records"
judge "$tmp/records" >"$tmp/off"
[ $? -eq 1 ] && grep -q '^  functions whose calls.* MISSED' "$tmp/off" && [ -s "$tmp/errors" ]
ok $? 'so are other calls' "$(cat "$tmp/off")"
words=$b/tests/truth/words
sed '1,/^11000/s/^\(11000[^ ]* [^ ]*\) .*/\1 987654 0 0/' "$tmp/covered/truth.all" >"$tmp/all"
"$compare" covered "$words" "$tmp/all" "$tmp/covered/words.covered" x >"$tmp/wrong" 2>"$tmp/errors"
[ "$(cut -f 8 "$tmp/wrong")" = 1 ] && grep -q 'ran 987654 times' "$tmp/errors"
ok $? 'and an instruction counted wrongly' "$(cat "$tmp/wrong" "$tmp/errors")"
sed '/^11000/d' "$tmp/covered/truth.all" >"$tmp/all"
"$compare" covered "$words" "$tmp/all" "$tmp/covered/words.covered" x >"$tmp/wrong" 2>"$tmp/errors"
[ "$(cut -f 8 "$tmp/wrong")" = "$(grep -c '^11000' "$tmp/covered/truth.all")" ]
ok $? 'or that did not run' "$(cat "$tmp/wrong")"

finish
