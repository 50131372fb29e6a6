#!/bin/sh
# gnomon report as a command: which paths and rows are shown, in which order, and in which form; and
# several runs together. B is the folder of what was built.
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
"$B/tests/tools/mkkernel" build/gnomon.elf kpdata || exit 1

report() { "$B/gnomon" report "$@"; }
unnamed='the functions of sh are not named, for no file of that name was found; give it with --image'

cat >paths <<EOF2
# kpstack version=1 build=abcd000000000000000000000000000000000000
# period_us=1000 ticks=100 overflow=1 depth=8
sh;[kernel];0x00400010;0xc0100075;0xc0100040 30
sh;[kernel];0x00400010;0xc0100075 10
sh;[user];0x00400010 8
make;[interrupt];0xc01000b5;0xc0100040 1
idle;[idle];0xc01000c0 50
[overflow] 1
EOF2

# ---- H6: inclusive and exclusive, patterns, a share as a limit

sed 's/0xc01000c0 50/0xc01000c0 90/; s/ticks=100/ticks=140/' paths >idler
is "$(report -A idler | awk 'NR > 8 { print $1, $5 }' | xargs)" \
	'91 kernel:idle 48 sh:? 40 kernel:sched 31 kernel:memcpy 1 [overflow]' \
	'H6: --inclusive orders by what is in a function and below it'
is "$(report --inclusive paths | sed -n 8p)" '         ticks   all %  self %       all ms  function' \
	'H6: and has its columns first'
is "$(report --exclusive paths)" "$(report paths)" 'H6: --exclusive is the default'
printf '%s\n' 'tick c0100040 30' 'tick c0100070 10' 'call c0100075 c0100040 6' |
	"$B/tests/prof/mkgmon" c0100000 c0100100 arcs 4
is "$(report -A arcs | awk '/sched|memcpy/ { print $1, $2, $3, $NF }' | xargs)" \
	'40 100.00 25.00 sched 30 75.00 75.00 memcpy' 'H6: with arcs it is what gprof computes'
is "$(report --focus '^sched$' paths | sed -n 1,3p)" \
	"paths: stacks, 40 ticks of 1000 us, 40.00 ms
  of 100 ticks in all: --focus ^sched\$
  kernel               40  100.00 %" 'H6: --focus keeps the paths that have such a function'
is "$(report --focus sched paths | awk 'NR > 5 { print $1, $3, $NF }' | xargs)" \
	'30 75.00 kernel:memcpy 10 100.00 kernel:sched 0 100.00 sh:?' 'H6: with all of their functions'
is "$(report --ignore 'mem|^kernel:idle' paths | awk 'NR > 7 { print $1, $NF }' | xargs)" \
	'10 kernel:sched 8 sh:? 1 [overflow]' 'H6: --ignore drops them'
is "$(report --hide sched paths | awk 'NR > 9 { print $1, $3, $NF }' | xargs)" \
	'50 51.00 kernel:idle 31 31.00 kernel:memcpy 18 48.00 sh:? 1 1.00 [overflow]' \
	'H6: --hide gives their counts to who called them'
is "$(report --hide sched -b memcpy paths | awk 'NR > 9 { print $1, $NF }' | xargs)" \
	'31 memcpy 30 sh:? 1 kernel:idle 1 [interrupt]' 'H6: in a tree of callers they are not'
is "$(report --hide . paths | awk 'NR > 9 { print $1, $NF }' | xargs)" \
	'40 [kernel] 8 [user] 1 [interrupt] 1 [overflow] 50 [idle]' \
	'H6: where all are hidden, the mode is left'
is "$(report --focus sched --ignore memcpy --hide '^sh:' -g paths | grep '^\[1')" \
	'[1]     100.00        10.00         0.00  kernel:sched [1]' 'H6: all three, and the call graph'
is "$(report --focus '^(memcpy|sched)' kpdata | sed 1,5d | awk '{ print $1, $NF }' | xargs)" \
	'30 memcpy 5 sched' 'H6: of a histogram they leave rows'
has "$(report --focus mem arcs)" ' 6  memcpy' 'H6: and of arcs the numbers of calls'
is "$(report --limit 9% paths | tail -n 1)" \
	'             9    9.00  in 2 more; --limit 0 shows all' 'H6: a share as a limit says what it leaves out'
is "$(report -A --limit 40.5% paths | tail -n 1)" '3 more; --limit 0 shows all' 'H6: of inclusive counts, too'
is "$(report --limit 40% -g paths | grep -c '^\[')$(report --limit 40% -l paths 2>&1 | grep -c 'kernel:?')" 31 \
	'H6: in the call graph, and by line'
has "$(report --limit 5% -b memcpy paths)" '1 branches more' 'H6: and in a tree'

# ---- H6: for other programs: jq reads the JSON, and a module of Perl the CSV

report -I --focus . --format json paths >json
is "$(jq -r '[.schema, .version, .report, .file, .kind, .unit, .tick_us, .total, .modes.idle] | @tsv' json)" \
	"$(printf 'gnomon-report\t1\tflat\tpaths\tstacks\tticks\t1000\t100\t50')" 'H6: JSON says what it is'
is "$(jq '[.rows[].self_ticks] | add' json)" 100 'H6: its rows are all of it'
is "$(jq -c '.rows[1]' json)" '{"module":"kernel","function":"memcpy","inlined":false,"self_ticks":31,'\
'"self_percent":31,"all_ticks":31,"all_percent":31,"self_ms":31,"all_ms":31,"calls":null,"covered_percent":null,'\
'"self_percent_error":null,"all_percent_error":null,"blocks":null,"bytes_in_all":null,"blocks_in_all":null}' \
	'H6: with a name for each number, and its unit'
is "$(report --format json --limit 2 kpdata | jq -c '[.rows_left_out, (.rows | length), .rows[0].all_ticks]')" \
	'[2,2,null]' 'H6: what is left out is counted, what is not known is null'
for how in -g '-b memcpy' '-c sched' -l; do
	# shellcheck disable=SC2086
	report $how --format json paths 2>/dev/null | jq -e '.rows | length > 1' >/dev/null
	ok $? "H6: JSON of $how"
done
is "$(report -g -o json arcs | jq -c '.rows[] | select(.callee == "memcpy") | [.caller, .self_ticks, .calls]')" \
	'["sched",30,6]' 'H6: edges have their calls'
is "$(report -b memcpy -o json arcs | jq -c '.rows[] | [.depth, .function, .all_ticks, .calls]' | xargs)" \
	'[0,memcpy,30,6] [1,sched,30,6]' 'H6: so have callers'
sh=$B/bin/sh
{
	echo 'gnomon modules 1 coverage 0'
	echo "module sh /bin/sh 00400000 $(readelf -n "$sh" | sed -n 's/.*Build ID: //p')"
	nm "$sh" | sed -n 's/ . \(parse_word\|__udivmoddi4\)$//p' | while read -r at; do
		echo $((0x$at - 0x400000)) 1
	done | sort -n
} >ran
report -i "$sh" -o json -a parse_word ran | jq -r '.rows[].address // empty' >ours
"${cross}objdump" -d --no-show-raw-insn --disassemble=parse_word "$sh" |
	sed -n 's/^ *\([0-9a-f]*\):	.*/00\1/p' | sort >theirs
sort ours | comm -3 theirs - >extra
[ -s ours ] && [ ! -s extra ]
ok $? 'H6: and the instructions of a function' "$(head -n 5 extra)"
has "$(report -l -o json paths | jq -r '.notes[]')" 'no lines for 8 ticks in sh: its file is not known' \
	'H6: notes are in it'
# csv: cells of the CSV on the standard input, by the rules of RFC 4180, with | between
csv() {
	perl -MText::CSV -e 'my $csv = Text::CSV->new({binary => 1, eol => "\r\n", strict => 1});
		while (my $row = $csv->getline(*STDIN)) { print join("|", @$row), "\n" }
		$csv->eof or die $csv->error_diag'
}
is "$(report --format csv --hide idle paths | csv | sed -n 1,2p)" \
	'module|function|inlined|self_ticks|self_percent|all_ticks|all_percent|self_ms|all_ms|calls|covered_percent|'\
'self_percent_error|all_percent_error|blocks|bytes_in_all|blocks_in_all
kernel|memcpy|false|31|31|31|31|31|31|||||||' 'H6: CSV has the same columns'
is "$(report --format csv paths | tr -cd '\r' | wc -c)" 6 'H6: its lines end as RFC 4180 says'
sed 's/^sh;/a,"b";/' paths >quoted
is "$(report --format csv quoted | csv | grep '?')" 'a,"b"|?|false|8|8|48|48|8|48|||||||' \
	'H6: commas and quotes are within quotes'
is "$(report --format csv -n 1 paths 2>&1 >rows)$(wc -l <rows)" \
	"gnomon report: --limit leaves out 4 rows
gnomon report: paths: ${unnamed}2" 'H6: a limit is told beside it'

# ---- H10: waits

cat >waits <<EOF2
# kpwait version=1
sh;[ready];0x00400010;0xc0100040 2500
sort;[pipe];0x00400010;0xc0100075;0xc0100040 1000000
# unit=us waits=30 overflow=0 depth=64
EOF2
is "$(report -M pipe --focus sched -o csv waits | csv | cut -d '|' -f 2,4-9 | xargs)" \
	'function|self_us|self_percent|all_us|all_percent|self_ms|all_ms memcpy|1000000|100|1000000|100|1000|1000 '\
'?|0|0|1000000|100|0|1000 sched|0|0|1000000|100|0|1000' 'H10: one cause, and patterns'

printf '%s\n' '# kpstack version=1' 'sh;[kernel];0x00400010;0xc0100040 9223372036854775808' \
	'make;[kernel];0x00400010;0xc0100040 1' '# period_us=500 ticks=9223372036854775809 overflow=0 depth=2' >huge
is "$(report -b memcpy huge 2>/dev/null | awk 'NR > 4 { print $1, $NF }' | xargs)" \
	'9223372036854775809 memcpy 9223372036854775808 sh:? 1 all' 'H14: half of all is not small, however much it is'
report --html huge.html huge
is "$(grep -o '"total": *\[[^]]*\]' huge.html):$(grep -c '[:[, ]-[0-9]\{9\}' huge.html)" '"total":[9.22337e18]:0' \
	'H14: and no number of a page is below 0'

# ---- H14: many callers, and deep paths

# soon ARGUMENT...: a report that takes no more than 20 seconds of a processor.
soon() {
	# shellcheck disable=SC3045 # dash has it
	(ulimit -t 20; "$B/gnomon" report "$@")
}
awk 'BEGIN {
	print "# kpstack version=1"
	while (n++ < 300000) printf "p%x;[kernel];0x00400010;0xc0100040 %d\n", n, n
	print "# period_us=500 ticks=45000150000 overflow=0 depth=2"
}' >wide
is "$(soon -b memcpy wide 2>/dev/null | tail -n 1)" '300000 branches more; --limit 0 shows all' \
	'H14: of very many callers each is found at once'
is "$(soon -o csv -n 0 -b memcpy wide 2>/dev/null | awk -F , 'NR > 2 && NR < 5 { print $2, $4 }' | xargs)" \
	'p493e0 300000 p493df 299999' 'H14: and they are sorted, the most first'
is "$(soon -g -n 1 wide 2>/dev/null | grep -c '0.50 .*p1:?')" 1 'H14: so are those in a graph'
awk 'BEGIN {
	printf "# kpstack version=1\nsh;[kernel];0xc0100075"
	while (n++ < 20000) printf ";0xc0100040"
	print " 7\n# period_us=500 ticks=7 overflow=0 depth=20001"
}' >deep
report -n 0 -c sched deep 2>/dev/null | head -c 8000000 >deep.text
is "$(tail -n 1 deep.text | sed 's/  */ /g')" ' 7 100.00 [20000] kernel:memcpy' 'H14: a deep path is not indented further and further'
is "$(grep -c 'memcpy$' deep.text):$(grep -c '\[6[4-6]\] kernel:memcpy' deep.text)" 20000:2 \
	'H14: and all of it is there'

# ---- H8: several runs

# run NAME MEMCPY: a run in which memcpy has so many of 100 ticks, and sched the rest of 40
run() {
	mkdir -p "$1"
	sed "s/c0100040 30/c0100040 $2/; s/c0100075 10/c0100075 $((40 - $2))/" paths >"$1/paths"
	echo qemu=1 >"$1/paths.run"
}
run runs/1 28 && run runs/2 30 && run runs/3 32
cat >wanted <<'EOF2'
runs: stacks, 300 ticks of 1000 us, 300.00 ms
  3 runs, added up; +- is the standard error of a share, estimated from how much the runs vary
  kernel              120   40.00 %
  interrupt             3    1.00 %
  user                 24    8.00 %
  idle                150   50.00 %
  overflow              3    1.00 %

         ticks  self %     +-   all %      self ms  function
           150   50.00   0.00   51.00       150.00  kernel:idle
            93   31.00   1.15   31.00        93.00  kernel:memcpy
            30   10.00   1.15   40.00        30.00  kernel:sched
            24    8.00   0.00   48.00        24.00  sh:?
             3    1.00   0.00    1.00         3.00  [overflow]
EOF2
is "$(report runs 2>&1)" "gnomon report: runs: $unnamed
$(cat wanted)" 'H8: runs are added up, with the standard error of 2 / sqrt(3)'
is "$(report runs/paths 2>&1)" "gnomon report: runs/paths: $unnamed
$(sed 's/^runs:/&/; 1s/:/\/paths:/' wanted)" 'H8: the same by the name of their file'
is "$(report -A runs/paths | sed -n '10,$p' | awk '{ print $3, $4, $NF }' | xargs)" \
	'0.00 50.00 kernel:idle 0.00 8.00 sh:? 0.00 10.00 kernel:sched 1.15 31.00 '\
'kernel:memcpy 0.00 1.00 [overflow]' 'H8: inclusive ones have theirs'
is "$(report --focus sched -o json runs | jq -c '[.runs, (.rows[0] | .function, .self_percent, (.self_percent_error * 1000 | round))]')" \
	'[3,"memcpy",75,2887]' 'H8: of what patterns leave, too, and as data: 5 / sqrt(3)'
has "$(report -g runs)" '[1]      48.00        24.00       120.00  sh:?' 'H8: other reports have the sum'
mkdir -p same/01 same/02
cp paths same/01 && cp paths same/02
is "$(report same | sed 1,2d)" "$(report paths | sed 1d)" 'H8: runs that are all the same are one'
has "$(report same | sed -n 2p)" 'one of 2 identical runs' 'H8: and it says so'

# ---- H6: on a terminal: colours and a pager

# terminal COMMAND...: what it writes to a terminal
cat >terminal.exp <<'EOF2'
log_user 0
match_max 100000
set timeout 60
spawn -noecho {*}$argv
expect eof
puts -nonewline $expect_out(buffer)
EOF2
terminal() {
	expect -f terminal.exp -- "$@" | tr -d '\r'
}
red=$(printf '\033[31m  31.00\033[m')
# env - keeps what the user of this test has set from having a part in it
plain="env -u NO_COLOR -u GNOMON_PAGER TERM=xterm GNOMON_BUILD=$GNOMON_BUILD"
shown="$(report paths 2>/dev/null; echo "gnomon report: paths: $unnamed")"
# shellcheck disable=SC2086
{
	has "$(terminal $plain PAGER=cat "$B/gnomon" report paths)" "$red" 'H6: colours on a terminal'
	is "$(terminal $plain PAGER=cat NO_COLOR=1 "$B/gnomon" report paths)" "$shown" 'H6: not with NO_COLOR'
	is "$(terminal $plain PAGER=cat TERM=dumb "$B/gnomon" report paths)" "$shown" 'H6: not where TERM has none'
	is "$(terminal $plain PAGER=cat "$B/gnomon" report --color never paths)" "$shown" 'H6: nor with --color never'
	is "$(report --color auto paths)" "$(report paths)" 'H6: nor anywhere else'
	has "$(report --color always paths)" "$red" 'H6: unless --color always'
	is "$(terminal $plain PAGER='sed "1s/^/paged: /"' "$B/gnomon" report paths | sed -n 1p)" \
		'paged: paths: stacks, 100 ticks of 1000 us, 100.00 ms' 'H6: a pager on a terminal'
	is "$(terminal $plain PAGER=false "$B/gnomon" report --no-pager --color never paths)" "$shown" 'H6: not with --no-pager'
	has "$(terminal $plain PAGER=nowhere "$B/gnomon" report paths)" "$red" 'H6: one that is not there hides nothing'
	is "$(PAGER=false report paths | wc -l)" 13 'H6: nor is there one anywhere else'
	has "$(terminal $plain LESS=FRX PAGER=less "$B/gnomon" report paths)" "$red" 'H6: less shows colours'
}

# ---- H6: what is said of inlined functions where they are part of others

cat >inlined.c <<'EOF2'
volatile int count;
static inline __attribute__((always_inline)) void add(int n)
{
	count += n;
}
__attribute__((noinline)) void leaf(void)
{
	add(1);
}
__attribute__((noinline)) void other(void)
{
	add(2);
}
EOF2
printf '%s\n' 'void leaf(void); void other(void); void ktzero(void) { leaf(); other(); }' >start.c
for file in start inlined; do
	"${cross}gcc" -m32 -g -O1 -ffreestanding -fno-pic -fomit-frame-pointer -c $file.c -o $file.o
done
"${cross}ld" -m elf_i386 -Ttext=c0100000 --defsym=etext=0xc0100100 -e ktzero start.o inlined.o -o inlined.elf
# at FUNCTION: where it is
at() {
	nm inlined.elf | sed -n "s/ T $1\$//p"
}
printf '%s\n' '# kpstack version=1' "sh;[kernel];0x$(at ktzero);0x$(at leaf) 6" \
	"sh;[kernel];0x$(at ktzero);0x$(at other) 2" \
	'# period_us=1000 ticks=8 overflow=0 depth=8' >within
inlined() { "$B/gnomon" report -i inlined.elf "$@" within 2>&1; }
is "$(inlined -b add; echo $?)" 'gnomon report: within: no path goes through a function add: it is inlined into leaf, other; --inlined shows it
1' 'H6: callers of a function that is only inlined: where it is'
is "$(inlined -c kernel:add | sed 's/.*: it/it/')" 'it is inlined into leaf, other; --inlined shows it' \
	'H6: its callees'
is "$(inlined --root add -H page.html | sed 's/.*: it/it/')" 'it is inlined into leaf, other; --inlined shows it' \
	'H6: as the root of a page'
has "$(inlined -I -b add)" '100.00  add' 'H6: and so it does'
is "$(inlined -b nobody)" 'gnomon report: within: no path goes through a function nobody' 'H6: another is just not there'
hint='--inlined also lists functions that are inlined into these: 1, the largest add with 100.00 %'
# shellcheck disable=SC2086
{
	for kind in -f -g; do
		is "$(terminal $plain PAGER=cat "$B/gnomon" report $kind --color never -i inlined.elf within)" \
			"$(inlined $kind; echo; echo "$hint")" "H6: on a terminal a hint at them: $kind"
	done
	is "$(terminal $plain PAGER=cat "$B/gnomon" report -I --color never -i inlined.elf within)" "$(inlined -I)" \
		'H6: not with --inlined'
	is "$(terminal $plain PAGER=cat "$B/gnomon" report -o csv -i inlined.elf within)" \
		"$(inlined -o csv | tr -d '\r')" 'H6: nor in data'
}

# ---- H6: lines that are not known

is "$(report -l paths 2>&1 >/dev/null)" "gnomon report: paths: $unnamed
gnomon report: no lines for 91 ticks in kernel: $GNOMON_BUILD/gnomon.elf"\
' has no DWARF line table; compile it with -g, and do not strip it' \
	'H6: --lines says what has no line table, and what to do'
has "$(report -i "$sh" -l ran 2>&1 >/dev/null)" "instructions in sh: the DWARF line table of $sh does not have " \
	'H6: and which functions are not in one'

# ---- what is wrong

# refuse NAME PART ARGUMENT...: exit status 1, nothing printed, and a message that holds PART.
refuse() {
	name=$1 part=$2
	shift 2
	out=$(report "$@" 2>errors)
	is "$?:$out" 1: "$name: exit status 1, and no report"
	has "$(cat errors)" "$part" "$name: says so"
}

refuse 'H6: --inclusive of kpdata' 'kpdata: it has no calls' -A kpdata
refuse 'H6: nothing to hide in' 'kpdata: --hide: the profile has no call paths' --hide idle kpdata
refuse 'H6: no path is left' 'paths: --focus leaves nothing of it' --focus nobody paths
refuse 'H6: all are ignored' 'paths: --ignore leaves nothing of it' --ignore . paths
refuse 'H6: patterns for arcs' 'arcs: --focus and --ignore want call paths' -g --focus mem arcs
cp kpdata runs/2
is "$(report runs | sed -n 2p)" '  3 runs, added up; +- is the standard error of a share, estimated from how much the runs vary' \
	'H8: what only another run has is not missed'
refuse 'H8: a run without it' 'runs/1/kpdata: No such file' runs/kpdata
cp kpdata runs/1
refuse 'H8: several profiles' 'runs: its runs have paths and kpdata: name one of them, as in runs/kpdata' runs
refuse 'H8: a folder without runs' 'build: a folder without runs, which ' build
cp kpdata runs/2/paths
refuse 'H8: runs of different kinds' 'runs/2/paths: it is not like the runs before it' runs/paths

# wrong PART ARGUMENT...: exit status 2 and a message that holds PART.
wrong() {
	part=$1
	shift
	out=$(report "$@" 2>&1)
	is $? 2 "H6: report $*: exit status 2"
	has "$out" "$part" 'H6: and why'
}
wrong '--focus (: Unmatched ( or \(' --focus '(' paths
wrong '--hide [: ' --hide '[' paths
wrong "--ignore *: Invalid preceding regular expression" --ignore '*' paths
wrong '--limit 101%: 0% to 100% expected' --limit 101% paths
wrong '--limit -1%: 0% to 100% expected' --limit -1% paths
wrong '--format xml: text, csv or json expected' --format xml paths
wrong '--color red: auto, always or never expected' --color red paths
wrong '--format has no effect with --html' -o csv -H page paths
wrong '--inclusive and --exclusive exclude each other' -A -X paths
wrong '--inclusive has no effect with --callgraph' -A -g paths

finish
