#!/bin/sh
# results, which shows what make bench has found: records, targets, and two runs beside each
# other. B is the folder of what was built.
# shellcheck source=tests/tools/tap.sh
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
grep -q '^getpid & co  *139 instructions <= 150  *ok  *xv6 1397$' table &&
	grep -q '^start  *0.20 seconds  *<= 0.35  *ok  *xv6 0.41, Linux 3.20$' table &&
	grep -q '^fault  *2184 instructions *$' table
ok $? 'a row has value, target and peers, where there are such'

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

printf 'row\ttoo short\n' >wrong.records
"$results" json wrong.records 2>message
[ $? = 2 ] && grep -q 'wrong.records: a line is no record' message
ok $? 'what is no record is refused'
echo '{}' >wrong.json
"$results" diff old.json wrong.json 2>message
[ $? = 2 ] && grep -q 'wrong.json: not a run of make bench' message
ok $? 'so is what is no run'
finish
