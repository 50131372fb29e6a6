#!/bin/sh
# gnomon report and export of a part of a time line: --from, --to, --cpu and --pid. B is the folder
# of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)
B=$(cd "${B:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir build
GNOMON_BUILD=$work/build
export GNOMON_BUILD LC_ALL=C
"$B/tests/tools/mkkernel" build/gnomon.elf kpdata || exit 1

report() { "$B/gnomon" report "$@"; }
export_as() {
	format=$1
	shift
	"$B/gnomon" export -f "$format" "$@"
}
# rows: the counts and functions of a flat report
rows() { report "$@" | awk 'on { print $1, $NF } / function$/ { on = 1 }' | xargs; }

cat >trace <<'END'
# kptrace version=1 build=abcd000000000000000000000000000000000000 cpus=2 period_us=1000
# cpu=0 records=5 overwritten=3
1000 0 7 sh;[kernel];0x00400010;0xc0100075;0xc0100040
2000 0 7 sh;[kernel];0x00400010;0xc0100075
2600 0 9 cat;[switch]
3000 0 9 cat;[user];0x00400010
9000 0 9 cat;[user];0x00400010
# cpu=1 records=3 overwritten=0
1500 1 0 idle;[idle];0xc01000c0
3500 1 7 sh;[switch]
4000 1 7 sh;[kernel];0x00400010;0xc0100075
END
is "$(report -n 0 trace | head -n 1)" 'trace: trace, 6 ticks of 1000 us, 6.00 ms' 'all of it'
is "$(report --from 2000 --to 3000 trace | head -n 1)" 'trace: trace, 1 ticks of 1000 us, 1.00 ms' \
	'H13: --from is in it, --to is not'
is "$(report --from 2000 --to 3001 trace | head -n 1)" 'trace: trace, 2 ticks of 1000 us, 2.00 ms' \
	'H13: a record at --to less one is'
is "$(report --from 2001 --to 3001 trace | head -n 1)" 'trace: trace, 1 ticks of 1000 us, 1.00 ms' \
	'H13: a record before --from is not'
for from in 2000us 2ms 0.002s; do
	is "$(rows --from $from --to 4.5ms trace)" "$(rows --from 2000 --to 4500 trace)" \
		"H13: a time as $from"
done
is "$(rows --cpu 1 trace)" '1 kernel:sched 0 sh:? 1 kernel:idle' 'H13: --cpu'
is "$(rows --pid 9 trace)" '2 cat:?' 'H13: --pid'
is "$(rows --pid 7 --cpu 0 --from 1500 trace)" '1 kernel:sched 0 sh:?' 'H13: all together'
is "$(export_as folded --from 8ms trace)" 'cat;[user];cat:? 1' 'H13: export of a part'
export_as speedscope --from 2700 --to 3001 trace >part.json
is "$(grep -o '"startValue": *[0-9.]*' part.json | head -n 1 | grep -o '[0-9]*$')" 2700 \
	'H13: who ran before --from runs from there on'
report --html part.html --to 3ms trace && grep -q '\["Total","3 ticks"\]' part.html
ok $? 'H13: a page of a part'

# Instructions of functions: the part of each that is in the range.
cat >functions <<'END'
# kptrace version=2 unit=instructions text=0xc0100000-0xc0200000 build=abcd000000000000000000000000000000000000 cpus=1
# cpu=0 records=3 overwritten=0
100 0 1 sh;[kernel];0xc0100040
200 0 1 sh;[kernel];0xc0100075
300 0 1 sh;[switch]
END
is "$(export_as folded --from 150 --to 250 functions | awk '{ print $NF }' | xargs)" '50 50' \
	'H13: a function counts for as long as it ran in the range'

# ---- the time line in the terminal

# row NAME OPTION...: the row that begins with that name
row() {
	name=$1
	shift
	report --timeline "$@" | sed -n "s/^$name *//p"
}
# of COUNT SIGN: a sign so many times
of() { printf "%${1}s" '' | tr ' ' "$2"; }

is "$(report -t trace | awk 'length($0) > 80')" '' 'H13: a time line of 80 columns'
is "$(row cpu0 --from 1ms --to 9ms trace)" "$(of 13 a)$(of 51 b)" \
	'H13: a row of a processor has who ran longest, from change to change'
is "$(row cpu1 --from 1ms --to 9ms trace)" "$(of 16 .)$(of 44 a)" 'H13: idle is a dot'
is "$(row 'b cat 9' --from 0 --to 6400 trace)" "$(of 38 '#')" 'H13: a row of a process'
is "$(row cpu0 --from 0 --to 2ms trace)" "$(of 32 /)$(of 32 a)" \
	'H13: what the ring has overwritten is marked'
is "$(report -t --from 0 --to 2ms trace | grep -c '^cpu1  *\.')" 1 'H13: and is not where it has not'
has "$(report -t --from 2ms --to 4ms trace)" '0.002000s       0.002500s' \
	'H13: the ruler has times that --from takes'
is "$(row cpu1 --from 1ms --to 5ms --cpu 1 trace)" "$(of 32 .)$(of 24 a)" 'H13: one processor alone'
is "$(report -t --pid 9 --from 0 --to 6400 trace | grep '^[a-z]')" "trace: trace, 1 ticks of 1000 us, 1.00 ms
a cat 9         $(printf '%26s' '')$(of 38 '#')" 'H13: one process alone has the only row'
is "$(report -t --pid 9 trace | grep -c "who ran longest")" 0 'H13: and no words are said of other rows'
is "$(report -t -n 1 trace | tail -n 1)" '1 more; --limit 0 shows all' 'H13: --limit'
has "$(report -t functions)" '100             150             200' 'H13: of functions, instructions'
# Where there are only ticks, a process is known to run for two of them.
printf '%s\n' '# kptrace version=1 cpus=1 period_us=1000' '# cpu=0 records=2 overwritten=0' \
	'1000 0 7 sh;[user];0x00400010' '9000 0 7 sh;[user];0x00400010' >ticks
is "$(row cpu0 --from 1ms --to 17ms ticks)" "$(of 8 a)$(of 24 ' ')$(of 8 a)" \
	'H13: where nothing is known it is blank'
printf '%s\n' '# kptrace version=1 cpus=1 period_us=1000' '# cpu=0 records=1 overwritten=0' \
	"1000 0 7 $(printf 'a\033[31m');[user];0x00400010" >unprintable
is "$(report -t unprintable | grep -c '\\x1b.31m')" 1 'H13: unprintable names are escaped'
# Between stop and start nothing is known; until then who runs is, without ticks as well.
printf '%s\n' '# kptrace version=1 cpus=1 period_us=1000' '# cpu=0 records=4 overwritten=0' \
	'1000 0 7 sh;[switch]' '9000 0 0 off;[switch]' '13000 0 9 cat;[switch]' \
	'17000 0 0 off;[switch]' >stopped
is "$(row cpu0 --from 1ms --to 17ms stopped)" "$(of 32 a)$(of 16 ' ')$(of 16 b)" \
	'C20 H13: what is between stop and start is blank'
is "$(export_as chrome stopped | perl -MJSON::PP -e 'local $/;
	print join " ", map { "$_->{ph}$_->{ts}" } grep { $_->{pid} == 0 && $_->{ph} ne "M" }
		@{decode_json(<STDIN>)->{traceEvents}}')" 'B1000 E9000 B13000 E17000' \
	'C20 H9: who runs is known up to the next change, however long that takes'

# Entries and returns that the kernel measured: sched calls memcpy, which calls itself, on two processors,
# and idle is called by another process.
cp "$top/tests/host/called.kptrace" called
is "$(report -n 0 -o csv called | cut -d, -f2,4,6 | xargs)" \
	'function,self_nanoseconds,all_nanoseconds memcpy,2950,2950 sched,200,3150 idle,100,100' \
	'T5: nanoseconds, by function'
has "$(report called)" 'of calls: the time in functions that were measured; ticks are left out' 'T5: the head says so'
is "$(report -t called | sed -n '/^  *0/,$p')" "                0.000010000s    0.000012500s    0.000015000s    0.000017500s
                |               |               |               |
0.000012000s                ^ here (process 9)
cpu0            $(of 13 a)$(of 51 b)
cpu1                  $(of 13 .)$(of 45 a)
a sh 7          $(of 13 '#')      $(of 45 '#')
b cat 9                     +$(of 51 '#')" \
	'T5: a time line of functions in seconds with nanoseconds'
for from in 12.5us 0.0125ms 0.0000125s 12500ns; do
	is "$(rows --from $from --to 13 called)" "100 kernel:idle" "T5: from $from, and up to a microsecond"
done
is "$(rows --from here --to 12.55us called)" "50 kernel:idle" 'T5: from a mark on'
is "$(rows --from 10.32us --to 10.36us called)" "40 kernel:memcpy 0 kernel:sched" 'T5: a part of a call'
is "$(rows --pid 7 --cpu 1 called)" "1150 kernel:memcpy 100 kernel:sched" 'T5: a process on one processor'

# Marks, which may come in any order, and more than once.
(cat trace; printf '%s\n' '# mark=9 cpu=1 us=4000 second part' '# mark=7 cpu=0 us=2000 first' \
	'# mark=7 cpu=0 us=6400 first') >marked
is "$(report --from first --to 'second part' marked | sed '/file/d; /--from first is 0.002000s/d')" \
	"$(report --from 2000 --to 4000 trace | sed 's/^trace:/marked:/; /file/d')" 'H13: from a mark to another'
is "$(row cpu0 --from first --to first marked)" "$(row cpu0 --from 2000 --to 6400 trace)" \
	'H13: up to the same mark, the next one'
is "$(report --from 'first-500us' --to 'first+2000us' marked | sed '/file/d; /--from first-500us is/d')" \
	"$(report --from 1500 --to 4000 marked | sed '/file/d')" 'H13: so long before and after a mark'
is "$(row cpu0 --from 'first+1ms' --to 'first-1ms' marked)" "$(row cpu0 --from 3000 --to 5400 marked)" \
	'H13: of the next one that comes after the beginning'
is "$(rows --from first --to +1ms marked)" "$(rows --from 2000 --to 3000 marked)" \
	'H13: the end by how long after the beginning'
is "$(row cpu0 --from 'first-5ms' --to 4ms marked)" "$(row cpu0 --from 0 --to 4ms marked)" \
	'H13: not before the start'
has "$(report --from first-500us --to first+2ms marked)" "--from first-500us is 0.001500s, by the first that fits of 2 marks \`first'; for another, give its time, which --timeline shows; --to first+2ms is 0.004000s, by" \
	'H13: if several marks have the text, it says which was taken'
is "$(report --from 'second part' marked | grep -c 'by the first')" 0 'H13: of one there is no word'
(cat trace; echo '# mark=7 cpu=0 us=3000 first-1ms') | grep -v '^# end' >dashed
is "$(row cpu0 --from 'first-1ms' --to 5ms dashed)" "$(row cpu0 --from 3000 --to 5ms dashed)" \
	'H13: what is a mark as it stands is that one'
has "$(report -t --from 1ms --to 5ms marked)" "0.002000s       $(of 16 ' ')^ first (process 7)" \
	'H13: the time line has marks'
(cat trace; printf '%s\n' '# mark=7 cpu=0 us=500 before' '# mark=7 cpu=0 us=12000 after') >outside
has "$(report -t outside)" "0.000500s       < before (process 7)
0.012000s       $(printf '%63s' '')> after (process 7)" 'H13: also those outside of the records'
has "$(report -t --from before --to 3ms outside)" '0.000500s       ^ before' \
	'H13: from which on it can be shown'
is "$(report -t --from 1ms --to 3ms outside | grep -c process.7)" 0 'H13: those of the part alone'
is "$(export_as chrome marked | jq -c '[.traceEvents[] | select(.ph == "i") | .name, .ts, .pid]')" \
	'["first",2000,7,"second part",4000,9,"first",6400,7]' "H13: Chrome's has them, too"
is "$(export_as chrome --from 3ms --to 5ms marked | jq -r '.traceEvents[] | select(.ph == "i") | .name')" \
	'second part' 'H13: of a part those in it'
export_as trace.dat -o marked.dat marked
is "$(trace-cmd report marked.dat 2>&1 | awk '/ mark: / { print $1, $2, $3, $4, $5, $6, $7 }' | xargs)" \
	'sh-7 [000] 0.002000: mark: first cat-9 [001] 0.004000: mark: second part sh-7 [000] 0.006400: mark: first' \
	'H13: trace-cmd shows them'

# refused STATUS MESSAGE OPTION...: it fails so, and prints nothing else
refused() {
	status=$1 message=$2
	shift 2
	report "$@" >out 2>err
	is "$? $(head -n 1 err)" "$status gnomon report: $message" "H13: $*"
	is "$(cat out)" '' 'and nothing else'
}
time='neither a time, such as 5012345, 5012.345ms or 5.012345s, nor a mark, nor such as MARK-5ms'
refused 2 '--from 3ms --to 2ms: the end is not after the beginning' --from 3ms --to 2ms trace
refused 2 '--from 5 --to 5: the end is not after the beginning' --from 5 --to 5 trace
refused 2 '--to 0us: there is nothing before that' --to 0us trace
(cat trace; echo '# mark=7 cpu=0 us=0 start') >early
refused 1 'early: --to start: there is nothing before that' --to start early
for wrong in '' x -5 1m 1.2 .5s 1e3s 0x10 1sec 99999999999999999999 9999999999999999s; do
	refused 1 "trace: --from $wrong: $time; it has no marks" --from "$wrong" trace
done
refused 1 "trace: --to later: $time; it has no marks" --to later trace
refused 1 "marked: --from first-2: $time; its marks are first, second part, first" --from first-2 marked
refused 1 "marked: --from +2ms: $time; its marks are first, second part, first" --from +2ms marked
refused 1 "marked: --from other-2ms: $time; its marks are first, second part, first" --from other-2ms marked
refused 1 "marked: --from third: $time; its marks are first, second part, first" --from third marked
refused 1 "marked: --to second part: $time after the beginning; its marks are first, second part, first" \
	--from 5ms --to 'second part' marked
for wrong in 'mark=' 'mark=1 cpu=0 us=5' 'mark=1 cpu=0 us=5 ' 'mark=1 us=5 x' 'mark=4294967296 cpu=0 us=5 x'; do
	(cat trace; echo "# $wrong") >damaged
	report --from 1ms damaged 2>&1 | grep -q "^gnomon report: damaged: time line: line $(wc -l <damaged): .* expected, not"
	ok $? "H13: a mark that is damaged: $wrong"
done
refused 2 '--cpu zero: a number expected' --cpu zero trace
refused 2 '--pid 4294967296: a number expected' --pid 4294967296 trace
refused 1 'trace: --from 1s is outside of the recording, which is from 0.001000s to 0.009000s' \
	--from 1s trace
refused 1 'trace: --to 1000 is outside of the recording, which is from 0.001000s to 0.009000s' \
	--to 1000 trace
refused 1 'trace: --cpu 2: it has 2 CPUs, up to cpu1' --cpu 2 trace
refused 1 'trace: --pid 8: no record is of that process' --pid 8 trace
refused 1 'functions: its times are instructions: --from and --to take them without a unit' \
	--from 1ms functions
refused 1 'called: --from 1s is outside of the recording, which is from 0.000010000s to 0.000020000s' \
	--from 1s called
refused 1 'functions: --from 301 is outside of the recording, which is from 100 to 300 instructions' \
	--from 301 functions
echo '# kpstack version=1
sh;[user];0x00400010 8
# period_us=1000 ticks=8 overflow=0 depth=8' >paths
refused 1 'paths: it has no times; only kptrace and gnomon record --functions have' --from 1s paths
refused 1 'paths: it has no times; only kptrace and gnomon record --functions have' --cpu 0 paths
refused 1 'paths: it has no times; only kptrace and gnomon record --functions have' --timeline paths
refused 2 '--format has no effect with --timeline' --timeline --format csv trace
refused 2 '--flat and --timeline exclude each other' --flat --timeline trace
finish
