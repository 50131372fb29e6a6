#!/bin/sh
# gnomon merge as a command: what kprof, gprof and gnomon itself read in the sum, and what it
# refuses to add. B is the folder of what was built, MKKERNEL,
# MKGMON and MKPRF are test programs.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=${B:-build}
CROSS=${CROSS:-i686-linux-gnu-}
gnomon=$(cd "$B" && pwd)/gnomon
kprof=$(cd "$B" && pwd)/kprof
mkkernel=$(realpath "${MKKERNEL:-$B/tests/tools/mkkernel}")
mkgmon=$(realpath "${MKGMON:-$B/tests/prof/mkgmon}")
mkprf=$(realpath "${MKPRF:-$B/tests/tools/mkprf}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
GNOMON_BUILD=$work/none
export GNOMON_BUILD

merge() {
	"$gnomon" merge "$@"
}

# refuse PART NAME ARGUMENT...: exit status 1, a message, and nothing is written.
refuse() {
	part=$1 name=$2
	shift 2
	echo before >out
	said=$("$gnomon" merge -o out "$@" 2>&1)
	is $? 1 "$name: exit status 1"
	has "$said" "$part" "$name: says so"
	is "$(cat out)" before "$name: what was there stays"
}

# words SIZE WORD...: numbers of that many bytes, the most significant first.
words() {
	size=$1
	shift
	for word; do
		at=$((size * 8))
		while [ $at -gt 0 ]; do
			at=$((at - 8))
			# shellcheck disable=SC2059
			printf "\\$(printf %o $((word >> at & 255)))"
		done
	done
}

# ---- kpdata

"$mkkernel" kernel kpdata || exit 1
merge -o sum kpdata kpdata kpdata
is "$?" 0 'kpdata: merged'
cat >wanted <<'EOF2'
total:                       300 ticks        150.00 ms  100.00 %
in kernel text:              120 ticks         60.00 ms   40.00 %
outside kernel text:         180 ticks         90.00 ms   60.00 %
one tick: 500 us; text from c0100000 to c0100100

          ms       %  symbol
       45.00   30.00  memcpy
        7.50    5.00  idle
        7.50    5.00  sched
EOF2
is "$("$kprof" kernel sum 2>&1)" "$(cat wanted)" 'kpdata: kprof reads the sum'
has "$("$gnomon" report -i kernel sum)" 'kpdata, 300 ticks of 500 us' 'kpdata: so does gnomon report'
merge -o one kpdata && cmp -s one kpdata
ok $? 'kpdata: one file is itself'
merge -o one one one && merge -o - kpdata kpdata | cmp -s - one
ok $? 'a file may be added to itself; - is the standard output'
[ ! -e sum.run ]
ok $? 'no build id is made up'

zeros='0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'
# shellcheck disable=SC2086 # buckets 24 to 31 of a byte each: memcpy has 24, idle 25 and 31
{ words 4 402 0 500 32 1 3; words 1 200 200 0 0 0 0 0 2; } >narrow
# shellcheck disable=SC2086
{ words 4 3 1 500 32 2 3; words 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2; } >wide
out=$(merge -o sum narrow narrow 2>&1)
is "$?" 0 'kpdata: counts that get too large for their bytes'
has "$out" 'counts have 4 bytes now, 1 would overflow' 'kpdata: are told'
has "$("$kprof" kernel sum)" '804 ticks' 'kpdata: and added up'
has "$("$kprof" kernel sum)" '402.00  100.00  idle' 'kpdata: where they belong'
is "$(wc -c <sum)" 128 'kpdata: in 4 bytes each'
out=$(merge -o sum wide narrow 2>&1)
is "$out$(wc -c <sum)" 64 'kpdata: the widest counts of both are used'
has "$("$kprof" kernel sum)" '405 ticks' 'kpdata: widths are mixed'
# shellcheck disable=SC2086
{ words 4 4294967200 4294967200 500 32 4 3; words 4 0 0 $zeros | head -c 104; } >full
refuse 'kpdata: with the files before, it has 2^32 ticks or more' 'too many ticks' full kpdata
# shellcheck disable=SC2086
{ words 4 0 0 500 33 4 3; words 4 $zeros | head -c 108; } >larger
refuse 'larger: from another kernel: 33 buckets of 8 bytes of text, the files before have 32 of 8' \
	'another size of text' kpdata larger
# shellcheck disable=SC2086
{ words 4 0 0 1000 32 4 3; words 4 $zeros | head -c 104; } >slower
refuse 'slower: another rate: a tick is 1000 us, in kpdata it is 500 us' 'another rate' kpdata slower
head -c 100 kpdata >short
refuse 'short: kpdata: truncated' 'a truncated file' kpdata short
refuse 'nowhere: No such file' 'no file' kpdata nowhere
refuse 'not a profile' 'a file that is none' kpdata kernel

# ---- whose it is

one=1111111111111111111111111111111111111111
two=2222222222222222222222222222222222222222
cp kpdata k1 && echo build=$one >k1.run
cp kpdata k2 && echo build=$two >k2.run
refuse "k2: from another kernel: its build id is $two, that of k1 is $one" 'another build' k1 k2
merge -o sum k1 k1
is "$(cat sum.run)" build=$one 'the build id is kept beside the sum'
out=$(merge -o sum k2 kpdata 2>&1)
is "$?$(cat sum.run)" 0build=$two 'one that is not known is taken to be the others'\'''
has "$out" 'kpdata: its kernel'\''s build id is not known; taken to be that of k2' 'and that is told'
merge -o sum kpdata
[ ! -e sum.run ]
ok $? 'a build id of what was there before does not stay'

# ---- gmon.out

cat >kernel.s <<'EOF2'
	.text
	.globl ktzero, etext, outer, worker
ktzero:	.skip 48
	.type worker, @function
worker:	.skip 64
	.size worker, 64
	.skip 20000
	.type outer, @function
outer:	.skip 64
	.size outer, 64
	.skip 64
etext:
EOF2
"${CROSS}as" --32 kernel.s -o kernel.o &&
	"${CROSS}ld" -m elf_i386 -Ttext=0xc0100000 -e worker kernel.o -o elf 2>ld.txt
ok $? 'a kernel to test with is linked' "$(cat ld.txt)"
worker=c0100030 outer=c0104e90 from=c0104e98 end=c0104f10
"$mkgmon" c0100000 $end g1 4 <<EOF2
tick $worker 60000
tick $outer 100
call $from $worker 7
EOF2
"$mkgmon" c0100000 $end g2 4 <<EOF2
tick $worker 140000
tick c0100034 5
call $from $worker 70
call c0100010 $outer 3
EOF2
merge -o gmon.out g1 g2
is "$?" 0 'gmon.out: merged'
gprof -b -p elf gmon.out >flat 2>errors
is "$?$(cat errors)" 0 'gmon.out: gprof reads it without complaint'
gprof -b -q elf gmon.out >graph

# field N NAME: of the flat profile's line for a function.
field() {
	awk -v n="$1" -v name="$2" '$NF == name { print $n }' flat
}
is "$(field 3 worker) $(field 4 worker)" '200.00 77' 'gmon.out: a bin beyond 65535, calls of both'
is "$(field 3 outer) $(field 4 outer)" '0.10 3' 'gmon.out: what only one file has'
grep -q '77/77  *worker \[' graph
ok $? 'gmon.out: one arc is one arc' "$(cat graph)"
gprof -b -p elf g1 g2 | cmp -s - flat
ok $? 'gmon.out: gprof adds up the two files to the same'
has "$("$gnomon" report -i elf gmon.out)" 'gmon.out, 200105 ticks' 'gmon.out: gnomon report, too'

# Files of single CPUs: row 10 of what was seen, C5. One of them lost nothing, one half of its ticks.
"$mkgmon" c0100000 $end g-0.out 4 <<EOF2
tick $worker 60
call $from $worker 7
EOF2
"$mkgmon" c0100000 $end g-1.out 4 <<EOF2
tick $outer 20
tick $worker 10
call $from $worker 5
EOF2
for i in 0 1; do
	cat >g-$i.out.run <<EOF2
qemu=7.2.22
profiler=gmon clock=pit hz=1000 period_us=1000 cpus=2 ticks=90 lost=30
cpu=0 ticks=60 lost=0
cpu=1 ticks=30 lost=30
EOF2
done
said=$(merge -o plain g-0.out g-1.out 2>&1)
has "$said" 'lost: 25.0 % of the ticks that were due, 60 of 240' 'CPUs: what was lost is told'
has "$("$gnomon" report -i elf plain)" '`gnomon merge --weigh' 'CPUs: the report tells of weighing'
is "$(merge --weigh -o weighed g-0.out g-1.out 2>&1)" '' 'CPUs: a weighed sum'
gprof -b -p elf weighed >flat 2>errors
is "$(field 3 worker) $(field 4 worker) $(field 3 outer)" '0.08 12 0.04' 'CPUs: each counts what was due there'
said=$("$gnomon" report -i elf weighed)
has "$said" 'gmon.out, 120 ticks' 'CPUs: of both alike'
has "$said" '  weighed: the ticks of each CPU count' 'CPUs: and the report says that it is weighed'
is "$(cat weighed.run)" 'qemu=7.2.22
weighed=1
profiler=gmon clock=pit hz=1000 period_us=1000 cpus=2' 'CPUs: for that stands beside it'
sed -i 's/lost=30/lost=40/' g-1.out.run
merge -w -o weighed g-1.out
has "$("$gnomon" report -i elf weighed)" 'gmon.out, 70 ticks' 'CPUs: parts of ticks are not lost'
cp g-1.out g-01.out && cp g-1.out.run g-01.out.run
refuse 'g-01.out: of the same CPU as g-1.out, by their names' 'CPUs: twice the same' -w g-1.out g-01.out
cp g-1.out g.out
refuse 'g.out: its name should end in the number of its CPU' 'CPUs: no number' -w g.out
cp g-1.out g-64.out
refuse 'g-64.out: its name should end in the number' 'CPUs: too large a number' -w g-64.out
cp g-1.out g-2.out
refuse 'g-2.out.run: it does not tell what CPU 2 took' 'CPUs: no companion' -w g-0.out g-2.out
sed -i 's/lost=40/lost=999999/' g-1.out.run
refuse 'g-1.out: CPU 1 lost nearly all' 'CPUs: nothing left to weigh' -w g-1.out
refuse 'kpdata: it is kpdata, and only gmon.out can be of' 'CPUs: another kind' -w kpdata

# 4.4BSD's form: range, bytes, version, rate; 4 bins; an arc.
little() {
	for word; do
		for at in 0 8 16 24; do
			# shellcheck disable=SC2059
			printf "\\$(printf %o $((word >> at & 255)))"
		done
	done
}
{
	little 0xc0100000 0xc0100010 40 0x51879 1000 0 0 0 0x10002 0xffff0000
	little 0xc0100004 0xc0100008 4000000000
} >bsd
merge -o sum bsd bsd
is "$?" 0 'gmon.out: 4.4BSD'\''s form is read'
is "$(od -An -tx1 -v sum | tr -d ' \n')" "$({
	printf gmon
	little 1 0 0 0
	for bins in '0x20004 0xffff0000' '0 0xffff0000'; do
		printf '\0'
		little 0xc0100000 0xc0100010 4 1000
		printf 'seconds\0\0\0\0\0\0\0\0s'
		# shellcheck disable=SC2086
		little $bins
	done
	for calls in 4294967295 3705032705; do
		printf '\1'
		little 0xc0100004 0xc0100008 $calls
	done
} | od -An -tx1 -v | tr -d ' \n')" 'gmon.out: written in GNU'\''s, each byte'
refuse 'g1: another kernel'\''s or program'\''s, or another form: a histogram of c0100000 to' \
	'other ranges' bsd g1

# ---- call paths

cat >s1 <<EOF2
# kpstack version=1 build=$one
sh;[kernel];0x00401234;0xc0100034 17
idle;[idle];0xc0100040 900
[overflow] 5
# period_us=500 ticks=922 overflow=5 depth=16
EOF2
cat >s2 <<EOF2
# kpstack version=1 build=$one
idle;[idle];0xc0100040 100
sh;[kernel];0x00401234;0xc0100038 1
# period_us=500 ticks=101 overflow=0 depth=32
EOF2
merge -o sum s1 s2
is "$(cat sum)" "# kpstack version=1 build=$one
[overflow] 5
idle;[idle];0xc0100040 1000
sh;[kernel];0x00401234;0xc0100034 17
sh;[kernel];0x00401234;0xc0100038 1
# period_us=500 ticks=1023 overflow=5 depth=32" 'call paths: the sum'
merge -o again sum && cmp -s again sum
ok $? 'call paths: what was written is read'
head='# clock=pit delivery=nmi hz=2000 period_us=500 cpus=2'
{
	sed -n 1p s1
	printf '%s\n' "$head elapsed_us=300 ticks=922 lost=8" '# cpu=0 ticks=900 lost=0' '# cpu=1 ticks=22 lost=8'
	sed 1d s1
} >l1
{
	sed -n 1p s2
	printf '%s\n' "$head elapsed_us=100 ticks=101 lost=9" '# cpu=0 ticks=101 lost=0' '# cpu=1 ticks=0 lost=9'
	sed 1d s2
} >l2
said=$(merge -o lsum l1 l2 2>&1)
is "$(sed -n 2,4p lsum)" "$head elapsed_us=400 ticks=1023 lost=17
# cpu=0 ticks=1001 lost=0
# cpu=1 ticks=22 lost=17" 'C5: ticks and losses are added up by CPU'
has "$said" 'gnomon merge: lost: 1.6 % of the ticks that were due, 17 of 1040' 'C5: and told'
sed 2,4d lsum | cmp -s - sum
ok $? 'C5: paths are as they were'
is "$(cat lsum.run)" "build=$one
${head#\# } elapsed_us=400 ticks=1023 lost=17
cpu=0 ticks=1001 lost=0
cpu=1 ticks=22 lost=17" 'C5: it stands beside the sum, too'
is "$(merge -o lsum l1 s2 2>&1)$(sed -n 2p lsum)" '[overflow] 5' 'C5: a sum that cannot tell all does not tell'
sed "s/$one/$two/" s2 >s3
refuse 's3: from another kernel' 'paths of another build' s1 s3
# FILE.run tells which builds of programs there were.
cp s1 p1 && cp s2 p2 && cp s2 p3 || exit 1
printf 'build=%s\nprogram=/bin/sh id=%s\nprogram=/tmp/b%%20 id=12 file=/x\n' "$one" "$one" >p1.run
cp p1.run p2.run && sed "/bin.sh/s/$one/$two/" p1.run >p3.run
refuse "p3: from another build of sh: its build id is $two, that in the files before is $one" \
	'paths of another build of a program' p1 p3
merge -o psum p2 p1 && grep ^program= psum.run >found
is "$?$(cat found)" "0program=sh id=$one" 'the builds of programs stand beside the sum'
refuse "p3: from another build of sh" 'and are compared with it' psum p3
merge -o psum s1 p2
is "$(grep ^program= psum.run)" "program=sh id=$one" 'one that is not known is taken to be the one that is'
sed 's/period_us=500/period_us=50/' s2 >s3
refuse 's3: another rate: a tick is 50 us' 'paths at another rate' s1 s3
refuse 's1: of another kind: it is stacks, kpdata is kpdata' 'another kind' kpdata s1
echo 'a;[user];0x00400000 18446744073709551615' >most
cp most more
refuse 'more: with the files before, it has 2^64 ticks' 'paths with too many ticks' most more

# Files are added one by one, so that their number is no matter.
# shellcheck disable=SC2046
merge -o sum $(yes s1 | head -n 1000) && has "$(cat sum)" 'idle;[idle];0xc0100040 900000' 'call paths: 1,000 files'
# shellcheck disable=SC2046
merge -o sum $(yes g2 | head -n 1000) && has "$(gprof -b -p elf sum)" ' 70000 ' 'gmon.out: 1,000 files'
awk 'BEGIN { for (i = 0; i < 1000; i++) {
		printf "sh;[kernel]"
		for (j = 0; j < 16; j++) printf ";0xc01%05x", i * 16 + j
		print " 1" } print "# period_us=500 ticks=1000 overflow=0 depth=16" }' >wide
# shellcheck disable=SC2046,SC3045 # dash has -v
(ulimit -v 100000 && merge -o sum $(yes wide | head -n 200)) && has "$(tail -n 1 sum)" 'ticks=200000 ' \
	'call paths: 40 MB of them in the memory of one'
ok $? 'call paths: none of them stays in memory'

# ---- what 16 and 32 bits do not hold

# 4.4BSD's form, of a program of 64 bits: a call was made 2^62 times
perl -e '$head = pack("Q<Q<L<L<L<L<3", 0x400000, 0x400040, 40 + 32, 0x51879, 100, 0, 0, 0);
	print $head, pack("S<", 1) x 16, pack("Q<Q<Q<", 0x400008, 0x400010, 1 << 62)' >calls
refuse 'gmon.out would have more than 67108864 bytes, for its counts are so large' \
	'H14: an arc of 2^62 calls' calls
for i in 1 2 3 4; do tail -c 24 calls; done >arcs
cat calls arcs >wrapped
refuse 'wrapped: gmon.out: at byte 144: the calls add up to 2^64 or more' 'H14: more calls than 2^64' wrapped
tail -c 24 calls >arc
cat calls arc >half && cat half arc >most
refuse 'most: with the files before, it has 2^64 calls or more' 'H14: more calls in a sum' half most

# ---- kpwait

cat >w1 <<EOF2
# kpwait version=1 build=$one
# count=3
sh;[ready];0x00401234;0xc0100034 2500
# count=10
sort;[pipe];0x00401234;0xc0100038 1000000
[overflow] 17
# unit=us waits=30 overflow=17 depth=64 total_us=1002517
EOF2
cat >w2 <<EOF2
# kpwait version=1 build=$one
# count=1
sort;[pipe];0x00401234;0xc0100038 5
# unit=us waits=1 overflow=0 depth=32 total_us=5
EOF2
merge -o sum w1 w2
is "$(cat sum)" "# kpwait version=1 build=$one
[overflow] 17
# count=3
sh;[ready];0x00401234;0xc0100034 2500
# count=11
sort;[pipe];0x00401234;0xc0100038 1000005
# unit=us waits=31 overflow=17 depth=64 total_us=1002522" 'H10: waits are added up'
merge -o again sum && cmp -s again sum
ok $? 'H10: what was written is read'
sed s/waits=1/waits=18446744073709551615/ w2 >many
merge -o sum many w1
has "$(tail -n 1 sum)" waits=18446744073709551615 'H14: a sum that has no room is the greatest number'
refuse 'w1: of another kind: it is waits, s1 is stacks' 'H10: waits are no ticks' s1 w1
cat >t1 <<EOF2
# kptrace version=1 build=$one
# cpu=0 records=1 overwritten=0
12345678 0 7 sh;[kernel];0x00401234;0xc0100034
EOF2
refuse 't1: a time line cannot be added to another' 'H9: nor time lines' t1 t1

cat >p1 <<EOF2
# kpmem version=1 build=$one
# count=2
sort;[in_use];0x00401234;0xc0100038 100
# unit=bytes blocks=2 overflow=0 depth=64 total_bytes=100
EOF2
sed 's/in_use/freed/' p1 >p2
merge -o sum p1 p2 p1
is "$(cat sum)" "# kpmem version=1 build=$one
# count=2
sort;[freed];0x00401234;0xc0100038 100
# count=4
sort;[in_use];0x00401234;0xc0100038 200
# unit=bytes blocks=6 overflow=0 depth=64 total_bytes=300" 'P4: paths of memory are added up'
merge -o again sum && cmp -s again sum
ok $? 'P4: what was written is read'

# ---- modules

cat >m1 <<EOF2
gnomon modules 1 coverage 0
module sh /bin/sh 00400000 $one
0 3
17 4294967295
module wc /bin/w\\040c - -
4 1
EOF2
cat >m2 <<EOF2
gnomon modules 1 coverage 0
module kernel /boot/gnomon c0100000 $two
9 9
module sh /bin/sh 00400000 $one
0 4
3 8
17 1
EOF2
out=$(merge -o sum m1 m2 2>&1)
is "$?" 0 'modules: merged'
has "$out" '1 counts are larger than 4294967295' 'modules: a count that is full is told'
is "$(cat sum)" "gnomon modules 2 coverage 0
module sh /bin/sh 00400000 $one
0 7
3 8
17 4294967295
module wc /bin/w\\040c - -
4 1
module kernel /boot/gnomon c0100000 $two
9 9
end 9" 'modules: the sum'
merge -o again sum && cmp -s again sum
ok $? 'modules: what was written is read'
sed "s/00400000 $one/00400000 $two/" m2 >m3
refuse 'm3: line 4: another build of the same program: "module sh /bin/sh 00400000 2222' \
	'another build of a program' m1 m3
sed 's/coverage/memory/' m2 >m3
refuse 'm3: of another kind: it counts bytes, m1 counts instructions' 'another unit' m1 m3
sed 's/coverage 0/sampling 1000/' m1 >m3
sed 's/coverage 0/sampling 500/' m1 >faster
refuse 'faster: another rate' 'modules at another rate' m3 faster

# of memory, places have five numbers; files that have less cannot be added to them
memory() {
	printf 'gnomon modules %s memory 0\nmodule wc /bin/wc - -\n' "$1"
	shift
	printf '%s\n' "$@" "end $((2 + $#))"
}
memory 3 '5 100 2 400 8' '7 0 0 30 3' >h1
memory 3 '5 20 1 20 1' '6 1 1 1 1' >h2
memory 2 '5 100' >h3
merge -o sum h1 h2
is "$(cat sum)" "$(memory 3 '5 120 3 420 9' '6 1 1 1 1' '7 0 0 30 3')" 'L2 modules: all numbers of memory'
refuse 'h3: it tells nothing of blocks of memory, which the files before do' 'L2 modules: an old file of memory' h1 h3
refuse 'h1: it tells of blocks of memory, which the files before do not' 'L2 modules: after an old one' h3 h1

# of gnomon record, counts have 64 bits
executed() {
	printf 'gnomon modules 2 executed 0\nmodule kernel /boot/x 00400000 -\n'
	printf '%s\n' "$@" "end $((2 + $#))"
}
executed '0 7' '4 5000000000' '5000000000 9' >e1
merge -o sum e1 e1 2>err
is "$?$(cat err sum)" "0$(executed '0 14' '4 10000000000' '5000000000 18')" 'H14 modules: counts of 64 bits'
memory 3 '5 5000000000 1 5000000000 1' '6 1 1 1 1' >h4
merge -o sum h4 h4 2>err
is "$?$(cat err sum)" "0$(memory 3 '5 10000000000 2 10000000000 2' '6 2 2 2 2')" 'H14 modules: of memory, too'
executed '0 18446744073709551615' >e2
refuse 'e1: with the files before, it has 2^64 instructions or more' 'H14 modules: too many' e2 e1
for numbers in '5 1 1 4611686018427387904 2' '5 1 1 2 4611686018427387904'; do
	memory 3 "$numbers" >h5
	refuse 'h5: with the files before, it has 2^63 bytes or blocks, or more' 'H14 modules: of memory' h5 h5
done

# ---- the command

"$mkprf" || exit 1
refuse 'two: a log of prf cannot be added' 'logs of prf' two two
is "$(find . -name '*.??????')" '' 'no temporary file is left'
merge -o nowhere/out kpdata 2>err
is "$?" 1 'a folder that is not there: exit status 1'
has "$(cat err)" 'cannot write nowhere/out: No such file' 'says so'
mkdir dir
merge -o dir kpdata 2>err
is "$?" 1 'a folder as the output: exit status 1'
has "$(cat err)" 'cannot write dir: Is a directory' 'says so'
is "$(find . -name 'dir.*')" '' 'and leaves nothing'
merge -o - kpdata >/dev/full 2>err
is "$?" 1 'a full disk: exit status 1'
umask 027
merge -o sum kpdata
is "$(stat -c %a sum)" 640 'the sum has the permissions of a new file'
for args in '-o sum' 'kpdata' '-z -o sum kpdata' '-o'; do
	# shellcheck disable=SC2086
	merge $args >/dev/null 2>err
	is "$?" 2 "usage: $args"
	has "$(cat err)" 'Try `gnomon merge --help' "says so: $args"
done
awk 'BEGIN {
	print "gnomon modules 2 sampling 1000"
	while (n++ < 60000) print "module m" n " /bin/m" n " 00001000 -\n0 1"
	print "end 120001"
}' >modules
is "$(within 20 "$gnomon" merge -o sum modules modules; grep -c "^0 2" sum)" 60000 'H14: a module is found among many'
# Histograms of one bin, each of two bytes of text.
perl -e 'print "gmon", pack("Vx12", 1);
	print pack("CV4a15a", 0, 16 * $_, 16 * $_ + 2, 1, 1000, "seconds", "s"), "\1\0" for 1 .. 100000' >ranges
within 5 "$gnomon" merge -o sum ranges ranges
is "$?:$(head -c 55 sum | tail -c 2 | od -A n -t u2 | tr -d ' '):$(wc -c <sum)" '0:2:3500020' 'H14: so is a histogram'

merge -h | grep -q '^usage: gnomon merge'
ok $? '-h tells the usage'

finish
