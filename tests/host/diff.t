#!/bin/sh
# gnomon diff as a command: two builds of a kernel, numbers that were computed by hand, messages.
# B is the folder of what was built, MKKERNEL the test program of that name.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=${B:-build}
CROSS=${CROSS:-i686-linux-gnu-}
gnomon=$(cd "$B" && pwd)/gnomon
mkkernel=$(realpath "${MKKERNEL:-$B/tests/tools/mkkernel}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
GNOMON_BUILD=$work/none
export GNOMON_BUILD

# build NAME BUILDID FUNCTION...: a kernel with these functions in this order, 64 bytes each.
build() {
	name=$1 id=$2
	shift 2
	{
		printf '\t.text\n\t.globl ktzero, etext\nktzero: .skip 48\n'
		for f; do
			printf '\t.globl %s\n\t.type %s, @function\n' "$f" "$f"
			printf '%s: .skip 64\n\t.size %s, 64\n' "$f" "$f"
		done
		printf 'etext:\n'
	} >kernel.s
	"${CROSS}as" --32 kernel.s -o kernel.o && "${CROSS}ld" -m elf_i386 -Ttext=0xc0100000 \
		-e ktzero --build-id="0x$id" kernel.o -o "$name"
}
one=1111111111111111111111111111111111111111
two=2222222222222222222222222222222222222222
build old $one start alpha beta gamma && build new $two beta extra start delta gamma alpha
ok $? 'two kernels to test with are linked'

# Addresses of both: 64 bytes each after the first 48.
cat >a <<END
# kpstack version=1 build=$one
sh;[kernel];0xc0100034;0xc0100080 400
sh;[kernel];0xc0100034;0xc01000b0 200
sh;[kernel];0xc0100034;0xc01000c0 100
idle;[kernel];0xc01000f0 300
# period_us=1000 ticks=1000 overflow=0 depth=32
END
cat >b <<END
# kpstack version=1 build=$two
sh;[kernel];0xc01000b4;0xc0100170 400
sh;[kernel];0xc01000b4;0xc0100030 300
idle;[kernel];0xc0100130 250
sh;[kernel];0xc01000b4;0xc01000f8 50
# period_us=1000 ticks=1000 overflow=0 depth=32
END

# Errors of the shares: sqrt(.05 .95 / 1000) = 0.69 %, sqrt(.3 .7 / 1000 + .25 .75 / 1000) =
# 1.99 %; of the times: sqrt(50) and sqrt(550) ms. z is of 2 C(1000, 50) / C(2000, 50), and of
# the sum of such terms up to 250 of 550. 2.50 is that of 0.05 / 4.
cat >wanted <<'END'
More than chance can explain: kernel:delta is 0.00 % of A, 5.00 % of B (z = +8.03).
B took no more time in all, which --time tests.
A: a: stacks, 1000 ticks of 1000 us, 1000.00 ms
B: b: stacks, 1000 ticks of 1000 us, 1000.00 ms
Tested: shares of each side's ticks; times are as they were counted, not scaled.
Marked * where z is 2.50 or more either way: the probability that chance alone marks any of
4 functions is 5 % at most.
z is in standard deviations: by chance alone it is beyond 2 once in 22 times, beyond 3 once in 370.
1 of 4 functions differ by more than chance explains.
As a whole: chi-square is 54.55 with 3 degrees of freedom, p = 8.58e-12:
they differ by more than chance explains.

     A %      B %   points     +-           ms        +-        z    function
    0.00     5.00    +5.00   0.69       +50.00      7.07    +8.03 *  kernel:delta
   30.00    25.00    -5.00   1.99       -50.00     23.45    -2.45    kernel:gamma
   40.00    40.00    +0.00   2.19        +0.00     28.28    +0.00    kernel:alpha
   30.00    30.00    +0.00   2.05        +0.00     24.49    +0.00    kernel:beta
END
both='--image-a old --image-b new'
# shellcheck disable=SC2086
is "$("$gnomon" diff $both a b 2>&1)" "$(cat wanted)" 'two builds, by name, against numbers by hand'

# gives TEXT NAME ARGUMENT...: the rows, without the head.
gives() {
	text=$1 name=$2
	shift 2
	is "$("$gnomon" diff --image old --image new "$@" 2>&1 | sed '1,/ function$/d')" "$text" "$name"
}
gives '    0.00     5.00    +5.00   0.69       +50.00      7.07    +8.03 *  kernel:delta

3 more functions; --limit 0 shows them.' '--limit' -n 1 a b
is "$("$gnomon" diff -A -i old -i new a b | sed -n 's/kernel:start$/start/p')" \
	'   70.00    75.00    +5.00   1.99       +50.00     38.08    +2.45    start' \
	'--inclusive counts callers, too'

# With --mode only those paths are left, and shares are of them alone.
sed 's/^idle;\[kernel\]/idle;[idle]/' a >idle-a
sed 's/^idle;\[kernel\]/idle;[idle]/' b >idle-b
gives '   57.14    53.33    -3.81   2.61        +0.00     28.28    -1.40    kernel:alpha
   42.86    40.00    -2.86   2.59        +0.00     24.49    -1.05    kernel:beta
    0.00     6.67    +6.67   0.91       +50.00      7.07    +7.85 *  kernel:delta' \
	'--mode, and --sort name' -M kernel -s name idle-a idle-b
gives '   57.14    53.33    -3.81   2.61        +0.00     28.28    -1.40    kernel:alpha
   42.86    40.00    -2.86   2.59        +0.00     24.49    -1.05    kernel:beta
    0.00     6.67    +6.67   0.91       +50.00      7.07    +7.85 *  kernel:delta' \
	'--process' -p sh -s name a b
# Half of 2^50, and the binomial distribution of 550 up to 250.
gives '  100.00   100.00    +0.00   0.00        +0.00     44.72    +0.00    [total]
    0.00     5.00    +5.00   0.69       +50.00      7.07    +7.96 *  kernel:delta
   30.00    25.00    -5.00   1.99       -50.00     23.45    -2.09    kernel:gamma

2 more functions; --limit 0 shows them.' '--time' -t -n 2 -s difference a b

# Did it get faster? 700 + 300 ms, and 600 + 100 ms; z is of the binomial distributions up to 700
# of 1700, 600 of 1300, and 100 of 400.
cat >idle-c <<END
# kpstack version=1 build=$two
sh;[kernel];0xc01000b4;0xc0100170 350
sh;[kernel];0xc01000b4;0xc0100030 200
idle;[idle];0xc0100130 100
sh;[kernel];0xc01000b4;0xc01000f8 50
# period_us=1000 ticks=700 overflow=0 depth=32
END
gives '  100.00   100.00    +0.00   0.00      -300.00     41.23    -7.27 *  [total]
   70.00    85.71   +15.71   1.96      -100.00     36.06    -2.75 *  [total without idle]
   30.00    14.29   -15.71   1.96      -200.00     20.00   -10.17 *  kernel:gamma

3 more functions; --limit 0 shows them.' '--time has rows for the whole, with and without idle time' \
	-t -n 1 idle-a idle-c

# Twice the work at half the rate: shares and times are what they were.
sed 's/period_us=1000/period_us=2000/' a >slow
has "$("$gnomon" diff -i old a slow)" 'times are as they were counted' 'another rate is no matter'
has "$("$gnomon" diff -i old a slow)" '0 of 3 functions differ' 'for shares'
has "$("$gnomon" diff -t -i old a slow)" '3 of 3 functions differ' 'and is one for times'
sed 's/period_us=1000 //' a >timeless
has "$("$gnomon" diff -t -i old a timeless 2>&1)" '--time: timeless does not tell how long' \
	'times that are not known are not compared'

# verdict TEXT NAME ARGUMENT...: the first line
verdict() {
	text=$1 name=$2
	shift 2
	is "$("$gnomon" diff --image old --image new "$@" 2>&1 | head -n 1)" "$text" "H8: $name"
}
verdict "B took no more time, which chance can explain (z = +0.00); but 1 of 4 functions differ by more." \
	"the verdict: of times, where functions differ" -t a b
verdict "B took 14.29 % less time without idle time: more than chance can explain (z = -2.75)." \
	"the verdict: of times, without idle time" -t idle-a idle-c
verdict "B took no more time, which chance can explain (z = +0.00)." \
	"the verdict: nothing differs" -t a a
verdict "Chance can explain every difference of shares." "the verdict: nor do shares" a a
# Up to 1000 of 2000 ticks, of which two thirds were to be expected: twice that is as z 15.33.
verdict "B took 100.00 % more time: more than chance can explain (z = +15.33)." \
	"the verdict: twice as long" -t a slow
# thin ALPHA BETA GAMMA DELTA: chi-square of the two is 10.13 with 3 degrees of freedom, p = 0.018;
# no z is above 2.31.
thin() {
	printf "%s\n" "# kpstack version=1 build=$two" "sh;[kernel];0xc0100170 $1" \
		"sh;[kernel];0xc0100030 $2" "sh;[kernel];0xc0100130 $3" "sh;[kernel];0xc01000f8 $4" \
		"# period_us=1000 ticks=1000 overflow=0 depth=32"
}
thin 400 200 100 300 >thin-a
thin 350 240 125 285 >thin-b
verdict "The shares differ by more than chance can explain, but no one function's does." \
	"the verdict: only as a whole" thin-a thin-b
is "$("$gnomon" diff -i old a slow | head -n 2)" "B took 100.00 % more time in all, which --time tests.
Chance can explain every difference of shares." \
	"H8: the verdict of shares tells how long it took, and how to ask"

# Of two functions; three errors of 100 - 62 ms are 3 sqrt(162) = 38.2 ms, those of 100 - 61 ms 38.1.
few() {
	printf "%s\n" "# kpstack version=1 build=$two" "sh;[kernel];0xc0100170 $1" "sh;[kernel];0xc0100030 $2" \
		"# period_us=1000 ticks=$(($1 + $2)) overflow=0 depth=32"
}
few 50 50 >half && few 31 31 >less && few 31 30 >least
has "$("$gnomon" diff -i new half less)" "with 1 degree of freedom," "one degree of freedom"
verdict "Chance can explain every difference of shares." "the verdict: shares first, when times are much alike" \
	half less
verdict "B took 39.00 % less time in all, which --time tests." "but times if they are not" half least

# How many are marked depends on what may be wrong.
has "$("$gnomon" diff -i old -i new -c 90 a b)" 'z is 2.24 or more' '--confidence is a threshold'
has "$("$gnomon" diff -i old -i new -c 90 a b)" '2 of 4 functions' 'and marks by it'
has "$("$gnomon" diff -i old -i new -f a b)" '2 of 4 functions' '--fdr marks more'

is "$("$gnomon" diff -F -i old -i new a b)" 'idle;gamma 300 250
sh;start;alpha 400 400
sh;start;beta 300 300
sh;start;delta 0 50' '--folded: paths of both, those of one function added up'

# ---- H8: several runs

# runs SIDE ALPHA...: a run for each number of ticks in alpha, of 1000; B has 50 in delta, and the
# rest of 800 is gamma's.
runs() {
	side=$1 i=0
	shift
	for alpha; do
		i=$((i + 1))
		mkdir -p "$side/$i"
		if [ "$side" = before ]; then
			set -- $one c0100034 c0100080 c01000b0 c01000f0 0xc01000c0 0
		else
			set -- $two c01000b4 c0100170 c0100030 c0100130 0xc01000f8 50
		fi
		cat >"$side/$i/stacks" <<END
# kpstack version=1 build=$1
sh;[kernel];0x$2;0x$3 $alpha
sh;[kernel];0x$2;0x$4 200
sh;[kernel];0x$2;$6 $7
idle;[kernel];0x$5 $((800 - alpha - $7))
# period_us=1000 ticks=1000 overflow=0 depth=32
END
	done
}
runs before 399 400 401
runs after 439 440 441 440
# Of shares in per cent: Welch's t of alpha is 4 / sqrt(0.01 / 3 + 0.00667 / 4) = 56.57 with df = 3.857,
# p = 8.93e-7, as z 4.91; of gamma -127.3, p = 3.92e-8. delta does not vary: by Fisher's test it is 2
# C(4000, 200) / C(7000, 200), and its errors are by chance.
cat >wanted-runs <<'END'
More than chance can explain: kernel:delta is 0.00 % of A, 5.00 % of B (z = +14.87).
B took no more time in all, which --time tests.
A: before: stacks, 3000 ticks of 1000 us, 3000.00 ms; 3 runs
B: after: stacks, 4000 ticks of 1000 us, 4000.00 ms; 4 runs
Tested: shares of each side's ticks; times are as they were counted, not scaled.
By Welch's t-test: how much the runs of each side vary counts, whatever the reason.
z is as improbable as the t of that test, and nearer to 0: with few runs much nearer.
Shares and times are the mean of a run.
END
is "$("$gnomon" diff $both before after 2>&1 | head -n 8)" "$(cat wanted-runs)" 'H8: runs are tested by how they vary'
# shellcheck disable=SC2086
is "$("$gnomon" diff $both -s name before/stacks after/stacks | sed '1,/ function$/d')" \
	'   40.00    44.00    +4.00   0.07       +40.00      0.71    +4.91 *  kernel:alpha
   20.00    20.00    +0.00   0.97        +0.00     10.80    +0.00    kernel:beta
    0.00     5.00    +5.00   0.34       +50.00      3.54   +14.87 *  kernel:delta
   40.00    31.00    -9.00   0.07       -90.00      0.71    -5.49 *  kernel:gamma' \
	'H8: by numbers that were computed elsewhere'
# shellcheck disable=SC2086
has "$("$gnomon" diff $both -t -s name before after | sed '1,/ function$/d')" \
	'100.00   100.00    +0.00   0.00        +0.00     24.15    +0.00    [total]
   40.00    44.00    +4.00   0.07       +40.00      0.71    +4.91 *  kernel:alpha' 'H8: times are of one run'
# shellcheck disable=SC2086
one_run=$("$gnomon" diff $both -t before/1/stacks after)
has "$one_run" 'By the chance of sampling alone: A is one run' 'H8: one run tells of no variance'
has "$one_run" '   39.90    44.00    +4.10   1.74       +41.00     22.56    ' 'H8: and is compared with one'
mkdir -p still/1 still/2
cp before/1/stacks still/1 && cp before/1/stacks still/2
# shellcheck disable=SC2086
is "$("$gnomon" diff $both still after | sed '3d; s/still/before\/1\/stacks/')" \
	"$("$gnomon" diff $both before/1/stacks after | sed 3d)" 'H8: nor do runs that are all the same'
cp old before/gnomon.elf
is "$("$gnomon" diff --image-b new before after | head -n 8)" "$(cat wanted-runs)" \
	'H8: their kernel may be beside their folders'
# shellcheck disable=SC2086
has "$("$gnomon" diff $both -F before after)" 'sh;start;alpha 1200 1760' 'H8: paths are added up'
# Counts that are exact have no errors.
cat >cover-a <<END
gnomon modules 1 coverage 0
module kernel /boot/gnomon c0100000 $one
48 10
52 10
240 80
END
cat >cover-b <<END
gnomon modules 1 coverage 0
module kernel /boot/gnomon c0100000 $two
48 10
52 20
304 50
END
is "$("$gnomon" diff -i old -i new -s name cover-a cover-b | head -n 5)" "B has 20.00 % fewer calls by exact counts.
A: cover-a: modules, 100 calls
B: cover-b: modules, 80 calls
Shares are of each side's calls. The counts are exact, not samples: there is no
standard error. What differs from run to run, as interrupts may, differs here too." \
	'exact counts: the head says so'
is "$("$gnomon" diff -i old -i new cover-a cover-b | sed '1,/ function$/d')" \
	'  100.00   100.00    +0.00                   -20  [total]
    0.00    37.50   +37.50                   +30  beta
   20.00     0.00   -20.00                   -20  start
   80.00    62.50   -17.50                   -30  gamma' 'exact counts, the largest difference first'

for side in a b; do
	for i in 1 2 3; do
		mkdir -p "cover/$side/$i"
		sed "s/^52 .*/52 1$i/" cover-$side >"cover/$side/$i/cover"
	done
done

covers=$("$gnomon" diff -i old -i new cover/a cover/b)
has "$covers" "By Welch's t-test" 'H8: runs of exact counts vary, too'
has "$covers" '   21.56     0.00   -21.56   0.44    -3.52 *  start' 'H8: and are compared so'
# In the kernel they are calls, and no instructions.
for side in a b; do
	sed '$a module sh /bin/none 00400000 -\n16 7' cover-$side >both-$side
done
has "$("$gnomon" diff -i old -i new both-a both-b | sed -n 2p)" \
	'A: both-a: modules, 7 instructions; without 100 calls in the kernel' 'calls are left out'
is "$("$gnomon" diff -i old -i new -m kernel both-a both-b | sed '2,3d; s/kernel://')" \
	"$("$gnomon" diff -i old -i new cover-a cover-b | sed 2,3d)" 'but not if they are asked for'

# kprof's data have no build id; the file that gnomon run writes next to them has.
"$mkkernel" kernel kpdata || exit 1
has "$("$gnomon" diff -i kernel kpdata kpdata)" '0 of 4 functions differ' 'kpdata with itself'
has "$("$gnomon" diff -i kernel kpdata kpdata)" 'p = 1:
chance may explain all' 'as a whole, too'

# The same in call paths, where programs have addresses; prf has the sum of them, too.
cat >walk <<END
# kpstack version=1 ticks=100 period_us=500
sh;[kernel];0x00400010;0xc0100035 30
sh;[user];0x00400010 40
hog;[user];0x00400020 20
sh;[kernel];0x00400010;0xc0100071 5
idle;[idle];0xc01000b1 5
END
out=$("$gnomon" diff -i kernel kpdata walk)
has "$out" 'A knows only how much was outside the kernel' 'kpdata with paths: the head says so'
has "$out" '   60.00    60.00    +0.00' 'and programs are one row'
has "$out" '0 of 4 functions differ' 'which is compared'
has "$("$gnomon" diff -i kernel walk kpdata)" 'B knows only' 'and the other way round'

# refuse STATUS PART NAME ARGUMENT...
refuse() {
	status=$1 part=$2 name=$3
	shift 3
	out=$("$gnomon" diff "$@" 2>&1 >out)
	is $? "$status" "$name: exit status $status"
	has "$out" "$part" "$name: says so"
	is "$(wc -c <out)" 0 "$name: prints nothing else"
}
refuse 1 "b: from another kernel: the build id of kernel is $two, that of old is $one" \
	'data of another build' -i old a b
mkdir kept
cp b new kept
mv kept/new kept/gnomon.elf
is "$("$gnomon" diff --image-a old a kept/b | sed 's|kept/||')" "$(cat wanted)" \
	'the kernel beside a profile is found by its build id'
cp old kept/gnomon.elf
refuse 1 'kept/b: from another kernel: the build id' 'but not another one' -i old a kept/b
has "$out" 'the right gnomon.elf is found if it is kept beside the profile' 'what helps'
refuse 1 'a: from another kernel' 'images given to the wrong side' --image-a new --image-b old a b
refuse 1 'a: there is no file of the kernel; give it with --image' 'an image that is missing' a b
refuse 1 'cover-a counts calls' 'ticks and calls' -i old a cover-a
refuse 1 'kpdata has no call paths' '--inclusive without paths' -A -i kernel kpdata kpdata
refuse 1 'a: nothing in it is of that program, process or mode' 'nothing left' -i old -M user a a
echo '# kpstack version=1 ticks=0' >empty
refuse 1 'empty: nothing was counted, or' 'nothing at all' -i old empty a
mkdir -p sparse/1 sparse/2
cp before/1/stacks sparse/1
sed "/^[a-z]/d; s/ticks=1000/ticks=0/" before/1/stacks >sparse/2/stacks
# shellcheck disable=SC2086
refuse 1 'sparse: nothing was counted in run 2 of 2, or' 'H8: nothing in one of several runs' $both sparse after
refuse 1 'nowhere: No such file' 'no file' a nowhere -i old
refuse 1 'wanted: not an ELF file' 'an image that is text' -i wanted a b
refuse 2 'two profiles expected' 'one file' a
refuse 2 'two profiles expected' 'three files' a b a
refuse 2 '--confidence has no effect with --folded' 'an order of no rows' -F -c 99 -i old a b
refuse 2 '-z: no such option' 'an unknown option' -z a b
refuse 2 '--confidence 100: per cent expected' 'a confidence that none can have' -c 100 a b
refuse 2 '--limit x: a number' 'a limit that is none' -n x a b
refuse 2 '--sort size: z, difference or name' 'an unknown order' -s size a b
refuse 2 '--mode guest: kernel' 'an unknown mode' -M guest a b
head='# clock=pit delivery=nmi hz=1000 period_us=1000 cpus=1 elapsed_us=1010000 ticks=1000 lost=10'
sed "1a\\$head" a >whole
sed "1a\\${head%10}11" a >lossy
"$gnomon" diff -i old --image-b new whole b >got
is "$(sed -n 4p got | cut -c 1-5)" 'B: b:' 'C5: one tick lost in a hundred is no line'
"$gnomon" diff --image-a old --image-b new lossy b >got
has "$(sed -n 4p got)" '   lost: 1.1 % of the ticks that were due, 11 of 1011' 'C5: more is one, below its side'
is "$(sed '4d; s/lossy/a/' got)" "$(cat wanted)" 'C5: and nothing is scaled'
"$gnomon" diff -h | grep -q '^usage: gnomon diff'
ok $? '-h tells the usage'
"$gnomon" diff -i old a a >/dev/full 2>/dev/null
is $? 1 'a comparison that cannot be written: exit status 1'

awk 'BEGIN { while (n++ < 100000) print "p" n ";[user];0x00010010;0x00010020 1" }' >names
has "$(within 20 "$gnomon" diff -n 1 names names 2>/dev/null | tail -n 1)" '99999 more functions' \
	'H14: of very many programs each is looked for once'

# ---- inlined functions

# inner() is inlined into outer() in one build, and called in the other.
cat >mine.c <<'END'
extern volatile int count;
#ifdef CALLED
__attribute__((noinline))
#else
__attribute__((always_inline)) inline
#endif
static void inner(void)
{
	count += 3;
}
void outer(void)
{
	count = 1;
	inner();
	count = 2;
}
END
echo 'volatile int count; void outer(void); void start(void) { outer(); }' >start.c
# mine FOLDER [OPTION...]: the program, and a tick at each of its instructions
mine() {
	folder=$1
	mkdir "$folder"
	shift
	for file in start mine; do
		"${CROSS}gcc" -m32 -g -O1 -ffreestanding -fno-pic -fno-stack-protector "$@" -c $file.c
	done
	"${CROSS}ld" -m elf_i386 -Ttext=0x1000 -e start start.o mine.o -o "$folder/mine"
	{
		printf '%s\n' 'gnomon modules 2 sampling 1000' 'module mine /mine 00001000 -'
		for f in outer inner; do
			"${CROSS}objdump" -d --disassemble=$f "$folder/mine" | sed -n 's/^ *\([0-9a-f]*\):	.*/\1/p'
		done | sort | while read -r at; do echo $((0x$at - 0x1000)) 1; done
	} >"$folder/counts"
	echo "end $(wc -l <"$folder/counts")" >>"$folder/counts"
}
mine inlined
mine called -DCALLED
mines() { "$gnomon" diff --image-a inlined/mine --image-b called/mine "$@" inlined/counts called/counts; }
own=$("$gnomon" report -I -i inlined/mine -o csv inlined/counts | tr -d '\r' | awk -F, '$2 == "inner" { print $4 }')
is "$(mines -F | sed -n 's/.*inner \([0-9]*\) .*/\1/p')" 0 \
	'without --inlined a function is part of the one that it is inlined in'
is "$(mines -I -F | sed -n 's/.*outer;inner \([0-9]*\) 0$/\1/p')" "${own:-none}" 'with it, it has what it has itself'
has "$(mines -I)" 'Functions that are inlined stand for themselves' 'which is said'
is "$(mines -I -n 0 | grep -c 'inner$')" 1 'it is one row of both builds'
mkdir -p runs/1 runs/2 others/1 others/2
cp inlined/counts runs/1/counts
sed '3s/1$/2/' inlined/counts >runs/2/counts
cp called/counts others/1/counts
sed '3s/1$/3/' called/counts >others/2/counts
share=$("$gnomon" diff -I --image-a inlined/mine --image-b called/mine runs others | awk '/inner$/ { print ($1 > 0) }')
is "$share" 1 'and in each of several runs'
finish
