#!/bin/sh
# results, which shows what make bench has found: records, targets, and two runs beside each
# other. B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

results=$(cd "${B:-build}" && pwd)/tests/bench/results
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# run NAME GETPID START READING: a run with these values
run() {
	{
		printf 'fact\tdate\t%s\n' "$1"
		printf 'row\tCalls\tgetpid & co\t%s\tinstructions\t<=\t150\t1\txv6 1397\n' "$2"
		printf 'row\tCalls\tfault\t2184\tinstructions\t\t\t1\t\n'
		printf 'row\tHost\tstart\t%s\tseconds\t<=\t0.35\t0\txv6 0.41, Linux 3.2\n' "$3"
		printf 'row\tHost\treading\t%s\tMB/s\t>=\t20\t0\t\n' "$4"
		printf 'point\tA tick\tCPUs\tinstructions\tkernel\t%s\t%s\n' 1 97.5 2 120
	} >"$1.records"
	"$results" json "$1.records" >"$1.json"
}

run old 139 0.20 300
ok $? 'records become JSON'
run new 140 0.21 200
run bad 151 0.20 10

"$results" table old.json >table
ok $? 'a run that meets all targets passes'
grep -q '^getpid & co  *139 instructions <= 150  *ok  *-  *1397$' table &&
	grep -q '^start  *0.20 seconds  *<= 0.35  *ok  *3.20  *0.41$' table &&
	grep -q '^fault  *2184 instructions *$' table
ok $? 'a row has value, target and peers, where there are such'
grep -q '^Calls  *Linux  *xv6$' table && grep -q '^Host  *Linux  *xv6$' table
ok $? 'the columns of peers have heads'
{
	printf 'row\tEntries\tentry\t19\tinstructions\t<=\t19\t1\tNetBSD 41, FreeBSD 52\n'
	printf 'row\tEntries\t%s\t8888888\tstd. errors\t<=\t100000\t1\tLinux 713636\n' \
		'what has as long a name as there is room for '
} >wide.records
"$results" json wide.records >wide.json && ! "$results" table wide.json >wide &&
	grep -q '^entry  *19 instructions <= 19  *ok  *NetBSD 41$' wide &&
	[ "$(awk 'length > 99 { n++ } END { print n + 0 }' wide)" = 0 ] && grep -q 713636 wide
ok $? 'of others as many are shown as there is room for, in 100 columns'

"$results" table bad.json >table
[ $? = 1 ] && [ "$(grep -c MISSED table)" = 2 ] && grep -q '^2 targets missed$' table
ok $? 'one that misses a target, of either kind, fails'

"$results" diff old.json new.json >changes
ok $? 'two runs are compared'
grep -q '^date: old -> new$' changes
ok $? 'what was different about them is told'
grep -q '^getpid & co  *139  *140 instructions  *+0.72 % worse$' changes
ok $? 'a count of instructions that changed by one is shown'
! grep -q '^start' changes && grep -q '^reading  *300  *200 MB/s  *-33.33 % worse$' changes
ok $? 'of seconds only changes of more than a quarter are; more may be better'
"$results" diff new.json bad.json | grep -q '^getpid & co  *140  *151 .*worse, its target missed$'
ok $? 'and whether the target is missed now'
"$results" diff old.json old.json | grep -qx 'no row differs'
ok $? 'a run is as itself'
grep -v fault old.records >less.records && "$results" json less.records >less.json
"$results" diff old.json less.json | grep -q '^fault  *gone$' &&
	"$results" diff less.json old.json | grep -q '^fault  *new$'
ok $? 'rows that only one of them has are named'

"$results" page old.json >page
grep -q 'getpid &amp; co' page && [ "$(grep -c '<polyline' page)" = 1 ] &&
	[ "$(grep -o '<rect' page | wc -l)" = 7 ] && ! grep -q 'https\{0,1\}:' page
ok $? 'the page has bars for values and peers, and plots, and needs nothing else'

# What make truth finds: profile MACHINE WHAT judged|shown SAMPLES DISTANCE EXPECTED P CHI2 MOST
# WHERE RAN; and count MACHINE WHAT THINGS TRUTH COUNTED LOST WRONG.
profile() {
	printf 'profile\t%s\tkprof\t%s\t1000\t%s\t0.05\t%s\t0.5\t%s\tspin_lock\t200\n' "$@"
}
count() { printf 'count\t%s\t%s\t9\t1000\t%s\t%s\t%s\n' "$@"; }

# truth NAME P MOST [WRONG]: two profiles that are judged, of which one has these; and its counts
truth() {
	{
		profile 'pit nmi 100' judged 0.04 0.9 3.1
		profile sort judged 0.059 "$2" "$3"
		profile 'pit irq 100' shown 0.30 0.000001 22
		count 'pit nmi 100' calls 998 2 "${4-0}"
		count sort coverage 1000 0 0
	} >"$1.records"
	"$results" json "$1.records" >"$1.json" && "$results" truth "$1.json" >"$1.out"
}

truth true 0.006 -4.1
ok $? 'profiles pass that are off no farther than chance makes one of some' "$(cat true.out)"
grep -q '^sort, kprof  *1000  *0.0590  *0.0500  *1.18 .* -4.1 spin_lock  *ok$' true.out &&
	grep -q '^pit irq 100, kprof  .* shown$' true.out &&
	grep -q '^  of programs: distance, by chance.s  *1.18 ratio  *<= 1.20  *ok' true.out &&
	grep -q '^  the function that is most off, of all  *4.10 std. errors  *<= 4.21  *ok' true.out
ok $? 'each has a line, and all together have a judgement' "$(cat true.out)"
truth far 0.006 -4.3
[ $? = 1 ] && grep -q '^sort, kprof .* OFF$' far.out && grep -q '^2 targets missed' far.out
ok $? 'a function farther off than chance makes one of hundreds fails' "$(cat far.out)"
sed 's/0\.059/0.091/' true.records >less.records
"$results" json less.records >less.json && ! "$results" truth less.json >less.out
grep -q '^sort, kprof .* ok$' less.out && grep -q '^  of programs: .* 1.82 ratio .* MISSED' less.out
ok $? 'so do profiles that are together too far off' "$(cat less.out)"
sed "s/	0\.006	/	0.2	/" less.records >some.records
"$results" json some.records >some.json && "$results" truth some.json >some.out
ok $? "unless chance easily makes so few so" "$(cat some.out)"
truth wrong 0.006 -4.1 1
[ $? = 1 ] && grep -q '^  functions whose calls are counted wrong  *1 functions .* MISSED' wrong.out
ok $? 'so does a wrong count' "$(cat wrong.out)"
"$results" diff true.json less.json >changes
grep -q '^sort, kprof  *1.18  *1.82 ratio  *+54.24 % worse' changes && ! grep -q '^pit' changes
ok $? 'a profile that left the reach of chance is a change' "$(cat changes)"
"$results" page true.json >page
[ "$(grep -o '<circle' page | wc -l)" = 3 ] && grep -q 'sort, kprof</td>' page &&
	grep -q '<td>pit nmi 100, calls</td>' page
ok $? 'the page has a point and a line of the table for each'

printf 'row\ttoo short\n' >wrong.records
"$results" json wrong.records 2>message
[ $? = 2 ] && grep -q 'wrong.records: a line is no record' message
ok $? 'what is no record is refused'
echo '{}' >wrong.json
"$results" diff old.json wrong.json 2>message
[ $? = 2 ] && grep -q 'wrong.json: not a run of make bench' message
ok $? 'so is what is no run'
finish
