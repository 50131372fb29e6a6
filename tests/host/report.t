#!/bin/sh
# gnomon report as a command: what it prints of small profiles that are known, how its lines and
# inlined functions compare with addr2line's, and what it says when something is wrong.
# B is the folder of what was built.
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

# ---- a histogram

cat >wanted <<'EOF2'
kpdata: kpdata, 100 ticks of 500 us, 50.00 ms
  kernel               40   40.00 %
  outside              60   60.00 %

         ticks  self %      self ms  function
            60   60.00        30.00  [outside]
            30   30.00        15.00  memcpy
             5    5.00         2.50  idle
             5    5.00         2.50  sched
EOF2
is "$(report kpdata 2>&1)" "$(cat wanted)" 'the flat profile of kpdata'
is "$(report - <kpdata | sed 1d)" "$(sed 1d wanted)" 'the same from the standard input'
is "$(report --flat --limit 2 kpdata | tail -n 1)" \
	'            10   10.00  in 2 more; --limit 0 shows all' 'a limit says what is left out'
is "$(report -m kernel kpdata | sed -n 1p)" 'kpdata: kpdata, 40 ticks of 500 us, 20.00 ms' \
	'one module alone'
# Two functions of a few bytes share a bucket, whose ticks go to the first.
cat >two.s <<'EOF2'
	.globl ktzero, etext
ktzero:	.skip 48
	.type first, @function
first:	ret
	.size first, . - first
	.type second, @function
second:	inc %eax
	ret
	.size second, . - second
	.balign 8
etext:
EOF2
"${cross}as" -g -o two.o two.s && "${cross}ld" -Ttext 0xc0100000 -e 0 -o two two.o
printf '\0\0\0\011\0\0\0\0\0\0\003\350\0\0\0\7\0\0\0\4\0\0\0\3\0\0\0\011' >twodata
has "$(report -i two -a first twodata)" '             9  100.00*       4  first:' \
	'K6 a count that may be of the next function is marked'
has "$(report -i two -a second twodata)" '  9 ticks of the function before it may be of this one' \
	'K6 and told of that function'
is "$(report -i two -a first twodata | grep -c 'may be of this one')" 0 'K6 and of no other'

mkdir elsewhere
"${cross}objcopy" --redefine-sym memcpy=cpu_idle build/gnomon.elf elsewhere/waiting
cat >idle <<'EOF2'
kpdata: kpdata, 100 ticks of 500 us, 50.00 ms
  kernel               10   10.00 %
  idle                 30   30.00 %
  outside              60   60.00 %

         ticks  self %      self ms  function
            60   60.00        30.00  [outside]
             5    5.00         2.50  idle
             5    5.00         2.50  sched
            30   30.00        15.00  cpu_idle
EOF2
is "$(report -i elsewhere/waiting kpdata)" "$(cat idle)" 'idle time is apart, and its function last'
is "$(report -i elsewhere/waiting -l kpdata 2>/dev/null | awk 'NR > 7 { print $4 }' | xargs)" \
	'idle sched cpu_idle' 'by line, too'
is "$(report -i elsewhere/waiting -M idle kpdata | tail -n 1)" \
	'            30  100.00        15.00  cpu_idle' 'and can be selected'
mv build/gnomon.elf elsewhere/vmgnomon
is "$(report -i elsewhere/vmgnomon kpdata)" "$(cat wanted)" 'an image that was named'
mv elsewhere/vmgnomon build/gnomon.elf

# ---- what was lost: C5

cat >kpdata.run <<EOF2
qemu=7.2.22
accel=tcg
model=max
memory_mb=64
icount=off
profiler=any clock=pit delivery=nmi hz=2000 period_us=500 cpus=2 ticks=200 lost=0
cpu=0 ticks=200 lost=0
profiler=kprof clock=pit delivery=irq hz=2000 period_us=500 cpus=2 elapsed_us=50000 ticks=100 lost=100
cpu=0 ticks=90 lost=10
cpu=1 ticks=10 lost=90
EOF2
said=$(report kpdata)
has "$said" 'kpdata: kpdata, 100 ticks of 500 us, 50.00 ms' 'C5: nothing is scaled'
lost='lost: 50.0 % of the ticks that were due, 100 of 200; times are of the 100 taken, 0.05 s of 0.10 s; '\
'fewer are lost with profclock=lapic, or at a lower rate'
is "$(echo "$said" | grep -c "^  $lost\$")" 1 'C5: one line tells what was lost'
has "$said" '  cpu0                 90 ticks, 10 lost: 10.00 %
  cpu1                 10 ticks, 90 lost: 90.00 %
  what ran on CPUs that lost more has too small a share' 'C5: and of which CPUs'
has "$said" '  by vector: ' 'K3: how ticks came is told'
has "$said" '  without -icount: ' 'K3: and on what machine'
report --html page.html kpdata
for fact in "\"$lost\"" '"Machine","QEMU 7.2.22, max, 64 MB, -icount off"' '"Clock","pit, by irq, 2000 Hz"' \
	'"cpu1","10 ticks, 90 lost: 90.00 %"'; do
	has "$(grep -F '"facts"' page.html)" "$fact" "C5: the page tells that: $fact"
done
sed -i 's/ticks=100 lost=100/ticks=990 lost=10/; s/lost=90/lost=1/' kpdata.run
is "$(report kpdata | grep -c 'lost')" 0 'C5: one in a hundred is not worth a line'
echo nonsense >kpdata.run
is "$(report kpdata 2>&1 >/dev/null)" 'kpdata.run: it does not tell how kpdata was counted' \
	'C5: a file beside that tells nothing is named'
rm kpdata.run

# ---- call paths

id=abcd000000000000000000000000000000000000
cat >paths <<EOF2
# kpstack version=1 build=$id
# period_us=1000 ticks=100 overflow=1 depth=8
sh;[kernel];0x00400010;0xc0100075;0xc0100040 30
sh;[kernel];0x00400010;0xc0100075 10
sh;[user];0x00400010 8
make;[interrupt];0xc01000b5;0xc0100040 1
idle;[idle];0xc01000c0 50
[overflow] 1
EOF2
cat >wanted <<'EOF2'
paths: stacks, 100 ticks of 1000 us, 100.00 ms
  kernel               40   40.00 %
  interrupt             1    1.00 %
  user                  8    8.00 %
  idle                 50   50.00 %
  overflow              1    1.00 %

         ticks  self %   all %      self ms  function
            50   50.00   51.00        50.00  kernel:idle
            31   31.00   31.00        31.00  kernel:memcpy
            10   10.00   40.00        10.00  kernel:sched
             8    8.00   48.00         8.00  sh:?
             1    1.00    1.00         1.00  [overflow]
EOF2
unnamed='the functions of sh are not named, for no file of that name was found; give it with --image'
is "$(report paths 2>&1)" "gnomon report: paths: $unnamed
$(cat wanted)" 'the flat profile of call paths'
cat >waits <<EOF2
# kpwait version=1 build=$id
sh;[pipe];0x00400010;0xc0100075;0xc0100040 3000
sh;[ready];0x00400010;0xc0100075;0xc0100040 500
sh;[ready];0x00400010 1499
[overflow] 1
# unit=us waits=5 overflow=1 depth=64 total_us=5000
EOF2
cat >wanted <<'EOF2'
waits: waits, 5000 us, 5.00 ms
  pipe               3000   60.00 %
  ready              1999   39.98 %
  overflow              1    0.02 %

            us  self %   all %      self ms  function
          3500   70.00   70.00         3.50  kernel:memcpy
          1499   29.98   99.98         1.50  sh:?
             1    0.02    0.02         0.00  [overflow]
             0    0.00   70.00         0.00  kernel:sched
EOF2
is "$(report waits 2>&1)" "gnomon report: waits: $unnamed
$(cat wanted)" 'H10: where processes waited, for what and how long'
# Of several processes the head has a table by cause, of the causes that there are.
{
	echo "# kpwait version=1 build=$id"
	echo 'wc;[pipe];0x00400010;0xc0100075 164001'
	echo 'sleep;[sleep];0x00400010;0xc0100075 1000000'
	echo 'wc;[ready];0x00400010 2000'
	for i in 1 2 3 4 5 6 7 8 9; do
		echo "p$i;[pipe];0x00400010 $i"
	done
	echo '# unit=us waits=5 overflow=0 depth=64 total_us=1166046'
} >waiters
is "$(report waiters 2>/dev/null | sed -n '/in all/,/^$/p')" '   ms in all      pipe     sleep     ready  process
    1000.000     0.000  1000.000     0.000  sleep
     166.001   164.001     0.000     2.000  wc
       0.009     0.009     0.000     0.000  p9
       0.008     0.008     0.000     0.000  p8
       0.007     0.007     0.000     0.000  p7
       0.006     0.006     0.000     0.000  p6
       0.005     0.005     0.000     0.000  p5
       0.004     0.004     0.000     0.000  p4
       0.006  in 3 more; --process shows one, --format json all' 'H10: which processes waited longest, for what'
is "$(report -p wc waiters 2>/dev/null | grep -c 'in all')" 0 'H10: of one the modes say that'
is "$(report -o json waiters 2>/dev/null | jq -c '.processes | length, .[1]')" '11
{"process":"wc","all":166001,"pipe":164001,"sleep":0,"child":0,"lock":0,"device":0,"ready":2000}' \
	'H10: JSON has all of them'
is "$(report -o json paths 2>/dev/null | jq -c .processes)" null 'and of what is no wait none'
has "$(report --mode pipe waits)" '          3000  100.00  100.00         3.00  kernel:memcpy' \
	'H10: only what waited for pipes'
cat >trace <<EOF2
# kptrace version=1 build=$id cpus=1
# cpu=0 records=3 overwritten=7
1000 0 5 sh;[switch]
1500 0 5 sh;[kernel];0x00400010;0xc0100040
2500 0 5 sh;[kernel];0x00400010;0xc0100040
EOF2
has "$(report trace)" '             2  100.00  100.00  kernel:memcpy' 'H9: a time line as a profile of its ticks'

# Each file tells of its own profiler's ticks, not of those since boot.
cp trace of.kprof
echo 'gnomon modules 1 sampling 1000' >of.prof
for profiler in kprof prof; do
	cat >of.$profiler.run <<-EOF2
	profiler=any clock=pit cpus=1 ticks=900 lost=100
	profiler=$profiler clock=pit cpus=1 ticks=97 lost=3
	EOF2
	has "$(report of.$profiler 2>&1)" 'lost: 3.0 % of the ticks' "C5: what $profiler lost itself"
done

is "$("$B/gnomon" export -f folded -o - waits)" 'sh;[pipe];sh:?;sched;memcpy 3000
sh;[ready];sh:?;sched;memcpy 500
sh;[ready];sh:? 1499
[overflow] 1' 'H10: the cause is a step of folded waits'
cat >wanted <<'EOF2'
         ticks       %  function, with all that it called, and its callers
            31   31.00  memcpy
            30   30.00    kernel:sched
            30   30.00      sh:?
             1    1.00    kernel:idle
             1    1.00      [interrupt]
EOF2
is "$(report --callers memcpy paths | sed 1,7d)" "$(cat wanted)" 'callers are a tree'
cat >wanted <<'EOF2'
         ticks       %  function, with all that it called, and what that was
            48   96.00  sh:?
            40   80.00    kernel:sched
            30   60.00      kernel:memcpy
EOF2
{
	echo "# kpstack period_us=1000 ticks=50 x=y"
	grep "^sh" paths
	echo "idle;[idle];0xc01000c0 1"
	echo "idle;[idle];0xc01000c1 1"
} >fewer
is "$(report --callees 'sh:?' fewer | sed 1,5d)" "$(cat wanted)" 'so are callees'
is "$(report -p sh -M user paths | tail -n 1)" \
	'             8  100.00         8.00  sh:?' 'one process, one mode'
sed 's/^idle;.*/idle;[idle];0xc0100075;0xc01000c0 50/; /^make/s/0xc01000b5/0xc0100075/' paths >waits
is "$(report waits | awk 'NR > 8 { print $1, $2, $3, $5 }' | xargs)" \
	'31 31.00 31.00 kernel:memcpy 10 10.00 91.00 kernel:sched 8 8.00 48.00 sh:? 1 1.00 1.00 '\
'[overflow] 50 50.00 50.00 kernel:idle' 'a function that was only idle is the last'
is "$(report -g waits | grep -o '^\[.*' | awk '{ print $5 }' | tail -n 1)" kernel:idle 'of the graph, too'
report -g paths >graph
is "$(grep -c '^\[' graph)" 6 'the call graph has an entry for each function'
# What an interrupt's handler ran is below it, all of it: 5 in the handler and 2 in what it called.
sed 's/^make.*/&\nsh;[interrupt];0xc01000b5;0xc0100040 1\nsh;[interrupt];0xc01000b5 5/; s/ticks=100/ticks=106/' paths >interrupts
is "$(report -g interrupts | grep -B1 -A1 '^\[.*\[interrupt\]' | sed 's/ \[[0-9]*\]$//; s/^\[[0-9]*\]//' | tr -s ' -')" \
	"$(printf -- '-\n 6.60 0.00 7.00 [interrupt]\n 5.00 2.00 kernel:idle')" \
	'R7: interrupts have what their handlers took, and are not spontaneous'
is "$(report -g interrupts | grep -B1 '^\[.*kernel:idle' | sed -n '1s/ \[[0-9]*\]$//p' | tr -s ' ')" \
	' 5.00 2.00 [interrupt]' 'R7: they are the parent of these'
is "$(report -g -o csv interrupts | tr -d '\r' | sed -n '/\[interrupt\]/p')" ',,,[interrupt],0,7,
,[interrupt],kernel,idle,5,2,' 'R7: and so for other programs'
is "$(report --callees '[interrupt]' interrupts | tail -n 3 | tr -s ' ')" ' 7 6.60 [interrupt]
 7 6.60 kernel:idle
 2 1.89 kernel:memcpy' 'R7: and one can ask what they called'
is "$(grep -A 1 'kernel:sched \[' graph | grep -A 1 "^\[2\]" | tr -s ' ')" \
	"$(printf '[2] 40.00 10.00 30.00 kernel:sched [2]\n 30.00 0.00 kernel:memcpy [3]')" \
	'with callees below it, and idle time no reason to come first'

# ---- lines and instructions, against binutils

sh=$B/bin/sh
shid=$(readelf -n "$sh" | sed -n 's/.*Build ID: //p')
# A function without a size ends where the next one begins.
readelf -sW "$sh" | awk '$4 == "FUNC" { print $2, $3 }' | sort | while read -r start size; do
	echo $((0x$start)) $((size))
done | awk 'NR > 1 && $1 != at { print at, size ? size : $1 - at }
	{ at = $1; size = $2 } END { print at, size }' >ranges
# Only what is in functions: padding belongs to none.
"${cross}objdump" -d --no-show-raw-insn "$sh" |
	sed -n 's/^ *\([0-9a-f]*\):	.*/\1/p' >everything
while read -r pc; do echo $((0x$pc)); done <everything |
	awk 'NR == FNR { lo[NR] = $1; hi[NR] = $1 + $2; n = NR; next }
		{ while (i < n && (i == 0 || $1 >= hi[i])) i++
		  if ($1 >= lo[i] && $1 < hi[i]) print }' ranges - >inside
{
	echo 'gnomon modules 1 coverage 0'
	echo "module sh /bin/sh 00400000 $shid"
	awk '{ print $1 - 4194304, 1 }' inside
} >covered
# What fills gaps between instructions need not run.
"${cross}objdump" -d --no-show-raw-insn "$sh" | grep -E '	(cs )?nop|xchg +%ax,%ax|	lea +(%cs:)?0x0\(%e[sd]i' |
	sed -n 's/^ *\([0-9a-f]*\):	.*/\1/p' | while read -r pc; do echo $((0x$pc - 4194304)); done >fill
instructions=$(awk 'NR == FNR { fill[$1 + 4194304] = 1; next } !($1 in fill)' fill inside | wc -l)
isnt "$instructions" "$(wc -l <inside)" 'functions have padding'
has "$(report -i "$sh" covered | sed -n 2p)" "$instructions of $instructions instructions ran, 100.00 %" \
	'coverage knows as many instructions as objdump, but for padding'
awk '{ printf "%x\n", $1 }' inside >addresses
"${cross}addr2line" -e "$sh" <addresses | sed 's/ (disc.*//; s|.*/\(.*/.*\)|\1|; s|.*/||' |
	grep -v '?' | sort | uniq -c | awk '{ print $1, $2 }' | sort >theirs
report -i "$sh" -l -n 0 covered 2>/dev/null | awk 'NR > 3 && $4 !~ /\?/ { sub(".*/", "", $4); n[$4] += $1 }
	END { for (i in n) print n[i], i }' | sort >ours
[ -s ours ] && cmp -s theirs ours
ok $? 'lines are those that addr2line tells' "$(diff theirs ours | head -n 5)"
"${cross}addr2line" -a -i -f -e "$sh" <addresses | awk '/^0x/ { getline; if ($1 !~ /^_*(text)?_start/) n[$1]++ }
	END { for (i in n) print n[i], i }' | sort >theirs
report -i "$sh" -I -n 0 covered | sed 's/ (inlined)//; s, ([a-z/]*\.c),,; s/\.[a-z]*\.[0-9]*$//; s/\.cold$//' |
	awk 'on && $1 > 0 && $NF !~ /^_start/ { n[$NF] += $1 } $1 == "instructions" { on = 1; next }
		END { for (i in n) print n[i], i }' | sort >ours
[ -s ours ] && cmp -s theirs ours
ok $? 'inlined functions are those that addr2line tells' "$(diff theirs ours | head -n 5)"
report -i "$sh" -a parse_word covered >annotated
"${cross}objdump" -d --no-show-raw-insn --disassemble=parse_word "$sh" |
	sed -n 's/^ *\([0-9a-f]*\):	.*/00\1/p' >theirs
grep -o '^ *1 *[0-9.]* *00[0-9a-f]\{6\}  ' annotated | awk '{ print $3 }' | sort >ours
[ -s ours ] && comm -13 theirs ours >extra
[ ! -s extra ] && [ "$(wc -l <ours)" -gt 50 ]
ok $? 'an annotated function has its instructions, with counts' "$(head -n 5 extra)"
has "$(cat annotated)" ' + ' 'and lines that ran are marked'
! grep -q ' [~-]  *[0-9][0-9]*  ' annotated
ok $? 'and no line as one that did not'
awk 'NR == FNR { fill[$1] = 1; next } FNR < 3 || !($1 in fill)' fill covered >unfilled
for f in parse_word main run_words expand_list; do
	report -i "$sh" -a "$f" -l unfilled
done >annotated
has "$(report -i "$sh" unfilled | sed -n 2p)" "$instructions of $instructions instructions ran, 100.00 %" \
	'nor is padding that did not run missed'
is "$(grep -c ' [~-]  *[0-9][0-9]*  ' annotated)" 0 'gaps that did not run are no lack'
isnt "$(diff covered unfilled | wc -l)" 0 'although there are some'
sed 4d covered >partly
report -i "$sh" -a _start -l partly >annotated
grep -q ' [~-] ' annotated
ok $? 'a line that did not run is marked' "$(cat annotated)"
has "$(report -i "$sh" partly | sed -n 2p)" "$((instructions - 1)) of $instructions" 'an instruction that did not run is missed'

# ---- damaged line tables and trees of functions: H14

# program NAME [OPTION]: assemble NAME.s, whose code is far() of two bytes, and make a profile, NAME.prof
program() {
	"${cross}as" --32 ${2:+"$2"} "$1.s" -o "$1.o" && "${cross}ld" -m elf_i386 -Ttext=0x1000 -e far "$1.o" -o "$1" ||
		exit 1
	printf 'gnomon modules 1 sampling 1000\nmodule %s /%s 00001000 -\n0 5\n1 4\n' "$1" "$1" >"$1.prof"
}
code='	.text
	.globl far
	.type far,@function'
cat >far.s <<EOF2
	.file 1 "far.c"
$code
far:	.loc 1 3
	nop
	.loc 1 2000000000
	ret
	.size far, . - far
EOF2
program far -g
seq 5 | sed 's/^/line /' >far.c
is "$(within 20 "$B/gnomon" report -i far -S . -a far -l far.prof | head -c 100000 | tail -n +5 | tr -s ' ')" \
	' 5 55.56 3 line 3
 4 line 4
 5 line 5
 4 44.44 2000000000 ' 'H14: lines end where the source ends, but for those with code'
is "$(within 20 "$B/gnomon" report -i far -a far -l --format csv far.prof | head -c 100000 |
	cut -d, -f 4 | xargs)" "line 3 4 5 2000000000" 'H14: as data, too'
within 20 "$B/gnomon" report -i far --html far.html far.prof
is $? 0 'H14: and on the page'
cat >again.s <<EOF2
$code
far:	nop
	ret
	.size far, . - far
	.section .debug_abbrev,"",@progbits
	.uleb128 1, 0x11
	.byte 1
	.uleb128 0, 0
	.uleb128 2, 0x0b
	.byte 1
	.uleb128 1, 0x13, 0, 0
	.byte 0
	.section .debug_info,"",@progbits
	.long 2f - 1f
1:	.short 4
	.long .debug_abbrev
	.byte 4
	.uleb128 1
	.rept 60
	.uleb128 2
	.long 3f - 1b + 4
3:
	.endr
	.fill 61, 1, 0
2:
EOF2
program again
has "$(within 20 "$B/gnomon" report -i again -l again.prof 2>/dev/null)" 'again:?' \
	'H14: blocks of which each is next to the one that it is in are walked once'

# ---- what a terminal or a spreadsheet would obey: B17

cat >red.s <<EOF2
	.text
	.globl far, equal
	.type far,@function
far:	nop
	.size far, . - far
	.type equal,@function
equal:	ret
	.size equal, . - equal
EOF2
program red
escape=$(printf '\033[31mred\033[6n')
"${cross}objcopy" --redefine-sym "far=$escape" \
	--redefine-sym "equal=$(printf '=1+caf\351\302\2336n\342\200\256')" red || exit 1
for form in text csv json; do
	report -i red --format $form red.prof >"red.$form"
done
for tool in 'export --format dot' 'export --format callgrind' 'export --format folded' \
	'export --format speedscope' 'report -g' 'report -l' 'diff red.prof'; do
	# shellcheck disable=SC2086
	"$B/gnomon" $tool -i red red.prof 2>&1
done >red.others
is "$(cat red.text red.csv red.json red.others | LC_ALL=C grep -c "$(printf '[\001-\010\013\014\016-\037\177-\377]')")" 0 \
	'B17: what is printed of names in a file is printable'
has "$(cat red.text)" '5.00  \x1b[31mred\x1b[6n' 'B17: a name shows what it has of control characters'
has "$(cat red.text)" '4.00  =1+caf?\x9b6n\u202e' 'and of other encodings, and marks of direction'
has "$(cat red.csv)" "red,'=1+caf?" 'B17: no cell of CSV is a formula'
has "$(cat red.json)" '"=1+caf?' 'and nothing is added to JSON'
printf 'gnomon modules 1 samp\033[6nling 1000\n' >bad.prof
for tool in report export "merge -o sum" "diff red.prof"; do
	# shellcheck disable=SC2086
	has "$("$B/gnomon" $tool bad.prof 2>&1)" 'samp\x1b[6nling' "B17: what gnomon $tool says of a damaged file is printable"
done
printf 'gnomon modules 1 sampling 1000\nmodule x /bin/x\033[31m - -\n' >escape.prof
for tool in 'merge -o -' 'export -f perf'; do
	expect -c 'set timeout 20' -c "spawn -noecho $B/gnomon $tool escape.prof" -c 'expect eof' >said 2>&1
	is "$(tr -d '\r' <said | grep -c "$(printf '\033\\[31m')")" 0 \
		"B17: nor does gnomon $tool write it to a terminal"
done
# ---- a kernel that is not ours, in the upper half: gnomon record tells its file, and -i does

"${cross}ld" -m elf_i386 -Ttext=0xc0101000 -e far -z noseparate-code --build-id=none red.o -o upper || exit 1
printf 'gnomon modules 2 executed 0\nmodule kernel %s c0101000 -\n0 7\n1 5\nend 4\n' "$PWD/upper" >upper.prof
has "$("$B/gnomon" report upper.prof 2>&1)" ' far' 'R7: the file that was recorded is the one that is read'
sed 's,/[^ ]*/upper,/nowhere/upper,' upper.prof >moved.prof
has "$("$B/gnomon" report -i upper moved.prof 2>&1)" ' far' 'R7: or the one that is named'
mkdir -p twin && cp far twin/far.elf && cp red far.elf || exit 1
printf "gnomon modules 2 executed 0\nmodule a %s 00001000 -\n0 5\nmodule b %s 00001000 -\n1 4\nend 5\n" \
	"$PWD/far.elf" "$PWD/twin/far.elf" >twins.prof
is "$("$B/gnomon" report -l twins.prof 2>&1 | grep -c "far.c:")" 1 "R7: each of two programs of one name has its own file"
"${MKGMON:-$B/tests/prof/mkgmon}" c0101000 c0102000 upper.gmon 4 <<EOF2
call c0101000 c0101001 3
EOF2
has "$("$B/gnomon" report -i upper upper.gmon 2>&1)" '3  equal' 'R7: so are its calls'

cat >memory <<EOF2
# kpmem version=1 build=$id
# count=3
sh;[in_use];0x00400010;0xc0100075;0xc0100040 4000
sh;[freed];0x00400010;0xc0100075;0xc0100040 500
# count=1
wc;[freed];0x00400010 1500
# unit=bytes blocks=4 overflow=0 depth=64 total_bytes=6000
EOF2
cat >wanted <<'EOF2'
memory: memory, 6000 bytes
  in_use             4000   66.67 %
  freed              2000   33.33 %
  bytes ever allocated on each path: in use, and freed
  6000 bytes in 4 blocks allocated in all

         bytes  self %   all % blocks in all  function
          4500   75.00   75.00             3  kernel:memcpy
          1500   25.00   25.00             1  wc:?
             0    0.00   75.00                sh:?
             0    0.00   75.00                kernel:sched
EOF2
is "$(report memory 2>/dev/null)" "$(cat wanted)" 'P4: by which calls memory was allocated'
has "$(report -M in_use memory 2>/dev/null)" '          4000  100.00  100.00  kernel:memcpy' 'P4: only what is in use'
is "$(report -b memcpy memory 2>/dev/null | grep -c sched)" 1 'P4: who called it'
sed 's/^# unit.*//' memory >memory.cut
has "$("$B/gnomon" report memory.cut 2>&1)" 'no line tells how many bytes there are' 'P4: a file that is cut off is refused'
printf '# kpmem version=1\nsh;[pipe];0xc0100040 4\n# unit=bytes blocks=1 overflow=0 depth=4 total_bytes=4\n' >memory.bad
has "$("$B/gnomon" report memory.bad 2>&1)" 'memory.bad: paths of memory: line 2: ' 'P4: so is one with something else'
printf '# kpmem version=1\n# unit=bytes blocks=0 overflow=0 depth=32 total_bytes=0\n' >none.memory
has "$("$B/gnomon" report none.memory 2>&1)" "kept after 'echo startmp paths >/prof/ctl'" 'P4: a file without paths says how to have some'
printf '# kpwait version=1\n# unit=us waits=0 overflow=0 depth=32 total_us=0\n' >none.prof
has "$("$B/gnomon" report none.prof 2>&1)" "waits are counted after 'echo waits on" 'H10: a file without waits says how to have some'
printf '# kpstack version=1 period_us=1000 ticks=0\n' >none.stacks
has "$("$B/gnomon" report none.stacks 2>&1)" "nothing: paths are counted after 'stacks on' and 'start'" 'H1: so does one without paths'
printf '%s\n' "# kpcall version=1 build=$id cpus=1 per_ms=1000000 cost=0" '# cpu=0 inside=0 lost=0 left=0' '# pairs=0' >none.calls
has "$(report none.calls 2>&1)" "nothing: calls are measured after 'calls FUNCTION' and 'start'" 'T6: a file without calls says how to have some'
printf '# kptrace version=1 cpus=1 period_us=1000\n# cpu=0 records=0 overwritten=0\n' >none.trace
for option in --flat --timeline '--from 1s'; do
	# shellcheck disable=SC2086
	has "$("$B/gnomon" report $option none.trace 2>&1)" "no records: they are made after 'echo stacks on', 'echo trace 10000'" \
		"H9: and one without records: $option"
done
mkdir -p kept/bin
cp far kept/bin && cp far.prof kept
has "$("$B/gnomon" report kept/far.prof 2>&1)" ' far' 'a program that is kept beside a profile is found there'
# Of two programs that have a function of one name, the one in which something was counted.
for one in alike other; do
	sed 's/equal/there/g' red.s >$one.s
	program $one
done
printf 'gnomon modules 2 sampling 1000\nmodule alike /alike 00001000 -\n0 5\nmodule other /other 00001000 -\n1 4\nend 5\n' >alike.prof
is "$("$B/gnomon" report -i alike -i other -a far alike.prof | grep '^far')" 'far, ?: 5 ticks, 55.56 %' \
	'a function is shown of the program that ran it'

# ---- H14: small files that stand for much: one file of many programs, long names that others are parts of

cp "$B/gnomon.elf" large || exit 1
awk -v file="$PWD/large" 'BEGIN {
	print "# kpstack version=1 text=0xc0000000-0xc0000010"
	while (n++ < 500) print "# program=p" n " " file
	while (n-- > 1) print "p" n ";[user];0x00400008;0x00400018 1"
	print "# period_us=0 ticks=500 overflow=0 depth=2"
}' >programs.prof
# shellcheck disable=SC3045 # dash has it
has "$( (ulimit -v 2000000; within 20 "$B/gnomon" report -l programs.prof) 2>&1)" "p1:?" \
	'H14: the file that many programs have is opened once'
long=$(head -c 5000 /dev/zero | tr '\0' x)
sed "s/equal/$long/g" red.s >long.s
{
	echo "	.file 1 \"/$long/long.c\""
	sed 's/^far:	/far:	.loc 1 3\n	/; s/^x*:	/&.loc 1 4\n	/' long.s
} >named.s
program named
"$B/gnomon" report -l -i named named.prof >long.text 2>&1
is "$? $(grep -c "xxxxx" long.text)" '0 0' 'H14: names that nobody gives are left out'
has "$(cat long.text)" ' far' 'and the others are there'
perl -e 'mkdir "texts";
	print "# kpstack version=1 text=0xc0000000-0xc0000010\n";
	for (1 .. 30000) {
		open my $f, ">", "texts/p$_"; print $f "00400000 T f$_\n"; close $f;
		print "# program=p$_ $ENV{PWD}/texts/p$_\n" }
	print "p$_;[user];0x00400008 1\n" for 1 .. 30000;
	print "# period_us=0 ticks=30000 overflow=0 depth=1\n"' >texts.prof
# shellcheck disable=SC3045 # dash has it
has "$( (ulimit -n 200; within 2 "$B/gnomon" report -n 0 texts.prof) 2>&1)" ' p30000:f30000' \
	'H14: of very many files each is found at once, and texts are not kept open'
rm -r texts
awk 'BEGIN {
	print "# kptrace version=1 build=- cpus=5000 period_us=1000"
	while (n < 5000) print "# cpu=" n++ " records=1 overwritten=0\n1 " n - 1 " 1 sh;[switch]"
}' >cpus.prof
has "$("$B/gnomon" report cpus.prof 2>&1)" 'line 8194: more than 4096 processors' 'H14: of processors there is a limit'
printf '# kptrace version=1 build=- cpus=1 period_us=1000\n# cpu=300000 records=0 overwritten=0\n' >cpus.prof
has "$("$B/gnomon" export -f trace.dat -o cpus.dat cpus.prof 2>&1)" 'line 2: more than 4096 processors' 'H14: and of their numbers'
awk 'BEGIN {
	print "# kptrace version=1 build=- cpus=1000 period_us=1000"
	for (cpu = 0; cpu < 1000; cpu++) {
		print "# cpu=" cpu " records=20 overwritten=0"
		for (n = 0; n < 20; n++) print 1000 * n, cpu, 20 * cpu + n + 1, "p;[switch]"
	}
}' >processes.prof
is "$(within 10 "$B/gnomon" report -t -n 3 processes.prof 2>&1 | grep -c '^cpu')" 1000 \
	'H14: processors and processes are not multiplied'

# What a profile names may be no file: a device has no end, and a pipe may have no writer.
mkfifo pipe
for named in /dev/zero "$PWD/pipe"; do
	cat >named.prof <<EOF2
# kpstack version=2 unit=instructions text=0xc0100000-0xc0100100 period=100
# kernel=$named
# cpu=0 instructions=3
guest;[kernel];0xc0100040;0xc0100070 3
# instructions=3 returns=5 begun=1 jumps=0 unmatched=0
EOF2
	within 10 "$B/gnomon" report named.prof >/dev/null 2>&1
	isnt "$?" 124 "H14: a profile that names ${named##*/} ends at once"
done
# What counts of instructions are of, and a source that a profile names but that is no source.
cat >samples.prof <<EOF2
# kpstack version=2 unit=instructions text=0x1000-0x1010 period=100
# kernel=$PWD/far
# cpu=0 instructions=300
guest;[kernel];0x00001000 300
# instructions=300 returns=0 begun=1 jumps=0 unmatched=0
EOF2
"$B/gnomon" report -l -S . samples.prof >samples.text 2>&1
has "$(cat samples.text)" 'samples: each counts for the instructions between two' 'R3: a report of samples says so'
has "$(cat samples.text)" 'a count is of all instructions up to the next jump' 'R2: lines of paths say what their counts are of'
has "$("$B/gnomon" diff samples.prof samples.prof 2>&1)" 'They are samples' 'R3: nor is a difference of samples exact'
sed 's/ period=100//' samples.prof >exact.prof
has "$("$B/gnomon" diff exact.prof exact.prof 2>&1)" 'The counts are exact' 'as one of counts is'
printf 'gnomon modules 2 memory 0\nmodule far far 00001000 -\n0 5\nend 3\n' >memory.prof
has "$("$B/gnomon" report -i far memory.prof 2>&1)" 'allocated and not freed' 'L2: a memory profile says of what it is'
printf 'gnomon modules 3 memory 0\nmodule far far 00001000 -\n0 5 1 90 4\n16 0 0 7 1\nend 4\n' >memory.prof
"$B/gnomon" report -i far memory.prof >memory.text 2>&1
has "$(cat memory.text)" 'bytes and blocks that were not freed, and all that were ever allocated' 'L2: or of what'
is "$(awk '/^ *[0-9]+ +[0-9.]+ +[0-9]+ +[0-9]+/ { print $1, $3, $4, $5 }' memory.text | head -n 1)" '5 1 90 4' \
	'L2: bytes and blocks of each function, in use and ever'
is "$("$B/gnomon" report -o csv -i far memory.prof 2>/dev/null | awk -F , 'NR > 1 { n += $4; b += $14; e += $15; k += $16 }
	END { print n, b, e, k }')" '5 1 97 5' 'L2: and as data, also of what was freed'
has "$("$B/gnomon" report -l -i far memory.prof 2>&1)" 'allocated and not freed' 'L2: lines are of what was not'
sed 's,far\.c,/proc/kmsg,' far.s >kmsg.s
program kmsg -g
is "$(within 10 "$B/gnomon" report -l -i kmsg kmsg.prof >/dev/null 2>&1; echo $?)" 0 \
	'H14: a source in /proc is not waited for'
# A section of zeros that is packed to a thousandth is none of a compiler's.
head -c 300000000 /dev/zero >zeros
mkdir packed bomb
"${cross}objcopy" --compress-debug-sections far packed/far &&
	"${cross}objcopy" --add-section .debug_macro=zeros far bomb/far &&
	"${cross}objcopy" --compress-debug-sections bomb/far || exit 1
rm zeros
is "$(within 20 "$B/gnomon" report -l -i packed/far far.prof 2>&1 | grep -c far.c:)" 2 'packed sections have lines'
is "$(within 20 "$B/gnomon" report -l -i bomb/far far.prof 2>&1 | grep -c far.c:)" 0 \
	'H14: but not if a packed section is far larger than its file: it is not unpacked'

# A function whose instructions are of a line each.
{
	printf '\t.file 1 "many.c"\n%s\n' "$code"
	awk 'BEGIN { print "far:"; while (n++ < 100000) print "\t.loc 1 " n "\n\tnop"; print "\t.size far, . - far" }'
} >many.s
program many
is "$(within 5 "$B/gnomon" report -a far -i many many.prof 2>/dev/null | awk '$2 == "nop" || $4 == "nop" { n++ } END { print n }')" \
	100000 'H14: lines and instructions are not multiplied'
# A function of nothing but instructions of a byte, each of which takes some hundred.
cat >wide.s <<EOF2
$code
far:	.fill 9000000, 1, 0x90
	.size far, . - far
EOF2
program wide
# shellcheck disable=SC3045 # dash has it
has "$( (ulimit -v 2000000; within 20 "$B/gnomon" report -a far -i wide wide.prof) 2>&1)" \
	'has more than 500000 instructions, and is not shown' 'H14: of instructions that are shown there is a limit'
# shellcheck disable=SC3045 # dash has it
(ulimit -v 2000000; within 20 "$B/gnomon" report --html wide.html -i wide wide.prof) 2>/dev/null
has "$(cat wide.html)" 'has more than 500000 instructions, and is not shown' 'H14: and on the page'

printf '\n\n/* caf\351 */\n' >far.c
report -i far -S . -a far -l far.prof >latin
has "$(cat latin)" '5   55.56        3  /* caf? */' 'B17: a line of the source that is not UTF-8 is shown'
report -i far -S . --html far.html far.prof
grep -q 'caf?' far.html
is $? 0 'B17: on the page, too, with its counts'

# ---- coverage of the kernel, which counts calls, with that of a program

{
	cat covered
	echo "module kernel /boot/gnomon c0100000 $id"
	printf '%d 30\n%d 10\n' $((0x40)) $((0x70))
} >both
report -i "$sh" both >mixed
is "$(sed -n 1,3p mixed)" "both: modules, $(wc -l <inside) instructions
  kernel     40 calls of its functions are not in this; --module kernel shows them
  sh         $instructions of $instructions instructions ran, 100.00 %" \
	'calls in the kernel do not count among instructions'
is "$(sed '1,3d; s/  sh:/  /' mixed)" "$(report -i "$sh" covered | sed 1,2d)" 'nor in the rows'
cat >wanted <<'EOF2'
both: modules, 40 calls

         calls  self %  function
            30   75.00  memcpy
            10   25.00  sched
EOF2
is "$(report -i "$sh" -m kernel both | sed 's/kernel://')" "$(cat wanted)" 'but by themselves'
has "$(report -i "$sh" -a sched both 2>&1)" 'for the kernel'\''s, say --module kernel' \
	'nor is one of its functions shown as one that did not run'

# ---- A8: another kernel, by its text: low, high, and of 64 bits

cat >elf.s <<'EOF2'
	.text
	.globl ktzero, etext
ktzero:	.skip 48
	.type caller, @function
caller:	call leaf
	ret
	.size caller, . - caller
	.balign 16
	.type leaf, @function
leaf:	mov %rax, %rbx
	ret
	.size leaf, . - leaf
	.balign 16
	.type last, @function
last:	bswap %rax
	ret
etext:	.skip 8
	.section .init, "ax"
	.type away, @function
away:	bswap %rcx
EOF2
sed 's/%r/%e/g' elf.s >elf32.s
"${cross}as" --32 elf32.s -o elf32.o && "${cross}as" --64 elf.s -o elf64.o
ok $? 'kernels to test with are assembled'

# gmon64 LOW HIGH LEAF FROM: gmon.out with addresses of 64 bits, 7 ticks in leaf and 3 calls.
gmon64() {
	perl -e 'no warnings "portable"; my ($lo, $hi, $leaf, $from) = map { hex } @ARGV;
		my @bin = (0) x (($hi - $lo) / 4); $bin[($leaf - $lo) / 4] = 7;
		print "gmon", pack("V x12", 1), pack("C Q< Q< V V a15 a1 v*", 0, $lo, $hi,
			scalar @bin, 1000, "seconds", "s", @bin), pack("C Q< Q< V", 1, $from, $leaf, 3)
	' "$@"
}

# other NAME FORMAT ADDRESS: its file tells where that kernel lies, and a program is told from it.
other() {
	at=$(printf %s "$3" | tail -c 8) half=${3%"$at"}
	from=$half$(printf %08x $((0x$at + 53)))
	leaf=$half$(printf %08x $((0x$at + 64))) end=$half$(printf %08x $((0x$at + 80)))
	"${cross}ld" -m "elf_$2" -Ttext="0x$3" --section-start=.init="0x${3%0000}1000" \
		-e ktzero "elf$4.o" -o other
	ok $? "$1: linked"
	if [ "$4" = 64 ]; then
		gmon64 "$3" "$end" "$leaf" "$from" >gmon.out
	else
		printf '%s\n' "tick $leaf 7" "call $from $leaf 3" |
			"$B/tests/prof/mkgmon" "$at" "$end" gmon.out 4
	fi
	has "$(report -i other gmon.out 2>&1)" '100.00         7.00            3  leaf' "$1: ticks and calls"
	has "$(report -i other -b leaf gmon.out 2>&1)" '  caller' "$1: arcs"
	echo "sh;[kernel];0x00400010;0x$from;0x$leaf 5" >stacks
	is "$("$B/gnomon" export -f folded -i other -o - stacks)" 'sh;[kernel];sh:?;caller;leaf 5' "$1: paths"
	has "$(report -i other -m kernel stacks 2>&1)" 'leaf' "$1: paths are partly of the kernel"
	has "$(report -i other -a leaf gmon.out 2>&1)" "*           $leaf  mov $5" "$1: its code"
	report -i other --html page stacks
	has "$(cat page)" "[\"$leaf\",5,\"mov $5\"]" "$1: the page has it, too"
	"$B/gnomon" export -f gmon -i other -o back gmon.out
	is "$(report -i other -g back)" "$(report -i other -g gmon.out | sed 's/gmon.out:/back:/')" \
		"$1: its gmon.out is exported as such"
	"$B/gnomon" merge -o sum gmon.out gmon.out
	has "$(report -i other sum)" '14.00            6  leaf' "$1: and merged"
	has "$(gprof -bp other back)" '  3     2.33     2.33  leaf' \
		"$1: gprof reads what was exported"
	report -i other -a last gmon.out >code 2>&1
	has "$(cat code)" "bswap ${5#* }" "$1: the code of the last function, which has no size"
	is "$(tail -n 1 code | awk '{ print $2 }')" ret "$1: it ends with the text"
	has "$(report -i other -a away gmon.out 2>&1)" bswap "$1: or with its section"
}
other low i386 100000 32 'ebx, eax'
other high i386 80100000 32 'ebx, eax'
cp other other32
other 'low, of 64 bits' x86_64 100000 64 'rbx, rax'
other '64 bits' x86_64 ffffffff80100000 64 'rbx, rax'

# ---- A8: machine code of other machines, as the ELF header names them

# code NAME TARGET BYTES ASSEMBLY WANTED...: the instructions that are shown of a function.
code() {
	name=$1 target=$2 gmon=$3
	printf '%b' "\t.text\n${mode-}\t.globl ktzero, etext\nktzero:\n\t.type leaf, %function\nleaf:\n$4" \
		'\n\t.size leaf, . - leaf\n\t.type other, %function\nother:\n\t.zero 16' \
		'\n\t.size other, . - other\netext:\n' >code.s
	shift 4
	clang --target="$target" -c code.s -o code.o || echo "clang: $target"
	if [ "$gmon" = 64 ]; then
		gmon64 0 20 4 0 >gmon.out
	else
		printf '%s\n' "tick 4 7" | "$B/tests/prof/mkgmon" 0 20 gmon.out 4
	fi
	report -i code.o -a leaf gmon.out >out 2>&1
	for wanted; do
		has "$(cat out)" "$wanted" "$name: $wanted"
	done
}
code RISC-V riscv64-none-elf 64 '\t.option rvc\n\tc.li a0,1\n\tc.nop\n\tjal other\n\tret' \
	'00000000  li a0,1' '7  100.00            00000004  jal ' '<leaf+0x' '00000008  ret'
code AArch64 aarch64-none-elf 64 '\tmov x1,x0\n\tb.eq other\n\t.inst 0xffffffff\n\tret' \
	'00000000  mov x1, x0' '7  100.00            00000004  b.eq #0x10 <other>' '00000008  .word 0xffffffff'
code ARM armv7a-none-eabi 32 '\tmov r1,r0\n\tbl other+4\n\tbx lr' \
	'00000000  mov r1, r0' '7  100.00            00000004  bl #' '00000008  bx lr'
mode='\t.syntax unified\n\t.thumb\n'
code Thumb armv7a-none-eabi 32 '\tmovs r0,#1\n\tmovs r1,#2\n\tbeq other\n\tbx lr' \
	'00000000  movs r0, #1' '00000002  movs r1, #2' '7  100.00*           00000004  beq #' \
	'00000006  bx lr'
mode=
code x86-64 x86_64-none-elf 64 '\tmov %rax,%rbx\n\t.byte 0x90\n\tret' \
	'00000000  mov rbx, rax' '7  100.00*           00000004  ret'
code MIPS mipsel-none-elf 32 '\tnop\n\tnop\n\tjr $ra' \
	'code.o: code of another machine (MIPS R3000); x86, x86-64, ARM, AArch64 and RISC-V can be'
has "$(report -i code.o gmon.out)" '100.00         7.00  leaf' 'other reports need no machine code'
code 'a big-endian machine' powerpc64-none-elf 32 '\tnop\n\tnop\n\tblr' \
	'code.o: of a big-endian machine, which is not supported'
printf '\t.text\nktzero:\n\t.type leaf,%%function\nleaf:\tret\n\t.size leaf,.-leaf\netext:\n' >code.s
clang --target=riscv64-none-elf -c code.s -o code.o
gmon64 0 4 0 0 >gmon.out
mkdir none
has "$(PATH=$work/none "$B/gnomon" report -i code.o -a leaf gmon.out 2>&1)" \
	'code.o: riscv64-linux-gnu-objdump, which shows code of this machine, cannot be run: No such file' \
	'RISC-V without the program that shows it'

# ---- A8: source lines and inlined functions of kernels of 64 bits

cat >kernel64.c <<'EOF2'
extern volatile int count;
static inline __attribute__((always_inline)) void add(int n)
{
	count += n;
}
__attribute__((noinline)) void leaf(void)
{
	add(1);
}
EOF2
printf '%s\n' 'volatile int count; void leaf(void); void ktzero(void) { leaf(); }' >start.c
# lines NAME TARGET LD ADDRESS MODEL
lines() {
	for file in start kernel64; do
		clang --target="$2" -mcmodel="$5" -g -O1 -ffreestanding -fno-pic -fomit-frame-pointer \
			-c $file.c -o $file.o
	done
	$3 -Ttext="$4" --defsym=etext=0x$4+256 -e ktzero start.o kernel64.o -o lines.elf
	leaf=$(nm lines.elf | sed -n 's/ T leaf//p')
	echo "sh;[kernel];0x$leaf 5" >where
	has "$(report -i lines.elf -l where)" 'kernel64.c:4' "$1: the line"
	has "$(report -i lines.elf -I where)" '100.00  kernel:add (inlined)' "$1: the inlined function"
	has "$(report -i lines.elf -a leaf where)" '; add, kernel64.c:4' "$1: in its code"
	report -i lines.elf -I -a leaf where >alone
	is "$(grep -c '; add' alone):$(grep -o 'leaf, .*: .*' alone)" '0:leaf, kernel64.c: 0 ticks, 0.00 %' \
		"H6: $1: not with --inlined"
	is "$("$B/gnomon" export -f folded --inlined -i lines.elf -o - where)" \
		'sh;[kernel];leaf;add 5' "$1: in an export"
}
lines x86-64 x86_64-none-elf "${cross}ld -m elf_x86_64" ffffffff80100000 kernel
lines RISC-V riscv64-none-elf riscv64-linux-gnu-ld 0000000080000000 medium

# ---- what is wrong

# refuse NAME PART ARGUMENT...: exit status 1, nothing printed, and a message that holds PART.
refuse() {
	name=$1 part=$2
	shift 2
	out=$(report "$@" 2>errors)
	is "$?:$out" 1: "$name: exit status 1, and no report"
	has "$(cat errors)" "$part" "$name: says so"
}

refuse 'no file' 'nowhere: No such file' nowhere
: >empty
refuse 'an empty file' 'empty: truncated: the file is empty' empty
head -c 100 kpdata >short
refuse 'truncated kpdata' 'short: kpdata: truncated' short
head -c 150 paths >short
refuse 'truncated paths' 'short: call paths: line 3, which is cut short' short
# A log of prf has no end mark; whole records before a part of one are good, and it is said.
mkdir logs
(cd logs && "$B/tests/tools/mkprf" && head -c -1 many >"cut") || exit 1
report -i logs/kernel logs/many >whole 2>err
is "$(cat err)" '' 'a whole log of prf'
report -i logs/kernel logs/cut >whole 2>err
is "$(cat err)" 'logs/cut: the last record is cut short; left out' 'a log of prf whose last record is cut'
has "$(cat whole)" 'logs/cut: prf, 10003 ticks' 'and the rest is shown'
sed '$d' paths >short
is "$(tail -n 1 paths)" '[overflow] 1' 'the last line has ticks'
refuse 'paths without the last line' 'truncated or damaged: 100 ticks expected' short
grep -v ticks= paths >short
refuse 'paths without the line of their sum' 'truncated: no line tells how many ticks' short
head -n 1 paths >short
refuse 'the first line of paths' 'short: call paths: after line 1: truncated' short
sed 2d covered >headless
refuse 'counts of no module' 'headless: counts of modules: line 2: a module' headless
echo text >text
refuse 'another kind of file' 'text: not a profile' text
echo build=1bcd000000000000000000000000000000000000 >kpdata.run
refuse 'data of another kernel' 'kpdata: from another kernel: the build id of kernel is 1bcd' kpdata
rm kpdata.run
sed "s/$shid/$id/" covered >other
report -i "$sh" other >names 2>says
is "$?:$(awk 'NR > 3 { print $NF }' names)" '0:?' 'data of another program have no names'
has "$(cat says)" 'other: from another build of sh: its build id is abcd00000000, that of' 'and that is said'
refuse 'an image that is none' 'text: not an ELF file' -i text kpdata
refuse 'a graph without calls' 'it has no calls' -g kpdata
refuse 'callers without calls' 'it has no calls' -b memcpy kpdata
refuse 'a function nobody called' 'no path goes through a function nobody' -b nobody paths
refuse 'a function that is not there' 'no image of it has a function nobody' -a nobody kpdata
refuse 'processes of kpdata' 'does not tell processes apart' -p sh kpdata
refuse 'a program that has no counts' 'kpdata: nothing in it is of that program' -m none kpdata
refuse 'a mode that has no counts' 'kpdata: nothing in it is of that program' -M idle kpdata
refuse 'a process that has no counts' 'paths: nothing in it is of that program' -p none paths
refuse 'no folder of sources' 'nowhere: No such file' -l -S nowhere kpdata
mv build/gnomon.elf elsewhere
refuse 'no kernel' 'no file of the kernel; give it with --image' kpdata
refuse 'a program where a kernel is wanted' 'bin/sh has no symbols ktzero and etext, as kernels' \
	-i "$B/root/bin/sh" kpdata
mv elsewhere/gnomon.elf build

gmon64 80100000 80100050 80100040 80100035 >gmon.out
refuse 'A8: 64 bits with a kernel of 32' \
	'gmon.out: its addresses have 64 bits, those of other32 have 32' -i other32 gmon.out
refuse 'A8: paths of 64 bits with such a kernel' \
	'stacks: its addresses have 64 bits, those of other32 have 32' -i other32 stacks

# ---- what is too much (B11)

truncate -s 3G large
refuse 'B11: a file of 3 GB' 'large: more than 1024 MB; files as large as that are not read' large
truncate -s 1G large
refuse 'B11: 1 GB of zeros' 'large: not a profile' large
# shellcheck disable=SC3045 # dash has -v
(ulimit -v 300000 && report large) 2>errors
has "$(cat errors)" 'large: not a profile' 'B11: its first bytes are enough for that'
rm large

# deep STEPS: a path of that many
deep() {
	awk -v n="$1" 'BEGIN { printf "sh;[kernel]"
		for (i = 0; i < n; i++) printf ";0xc0100075"
		print " 3" }' >deep
}

# frames PAGE: how many frames of the page's tree have one child
frames() { sed -n 's/.*"kids":\[\([0-9,]*\)\].*/\1/p' "$1" | tr ',' '\n' | grep -c '^1$'; }

deep 10000
report --html deep.html deep
is "$?:$(frames deep.html)" 0:10002 'B11: all of a path of 10000 steps is shown'
deep 65535
report --html deep.html deep
is "$?:$(frames deep.html):$(grep -c Folded deep.html)" 0:65537:0 'H5: all of one of 65535, too'

# wrong PART ARGUMENT...: exit status 2 and a message that holds PART.
wrong() {
	part=$1
	shift
	out=$(report "$@" 2>&1)
	is $? 2 "report $*: exit status 2"
	has "$out" "$part" 'and why'
}
wrong 'one profile expected'
wrong 'one profile expected' a b
wrong 'no such option' --nothing kpdata
wrong 'something must follow' kpdata --limit
wrong 'a number of rows expected' --limit x kpdata
wrong 'kernel, interrupt, user or idle' --mode odd kpdata
wrong '--flat and --callgraph exclude each other' -f -g paths
wrong '--callgraph and --html exclude each other' -H page -g paths
wrong '--flat and --lines exclude each other' -l -f covered
wrong '--callers and --annotate exclude each other' -a idle -b idle paths
wrong '--limit has no effect with --annotate' -n 5 -l -a idle kpdata
wrong '--inlined has no effect with --lines' -l -I covered
wrong '--source has no effect with --flat' -S . kpdata
is "$("$B/gnomon" help report x 2>&1; echo $?)" 'gnomon help: x: one command expected
2' 'help about two things'
report --help | grep -q '^usage: gnomon report'
ok $? '--help tells the usage'
report kpdata >/dev/full 2>/dev/null
is $? 1 'a report that cannot be written: exit status 1'

finish
