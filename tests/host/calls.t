#!/bin/sh
# Durations of calls, kpcall, on the host: gnomon report --calls, --histogram and --callgraph,
# diff and merge of small files that are known, and what they say when something is wrong.
# B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir build
GNOMON_BUILD=$work/build
export GNOMON_BUILD LC_ALL=C
"$B/tests/tools/mkkernel" build/gnomon.elf kpdata || exit 1

report() { "$B/gnomon" report "$@"; }
diff_() { "$B/gnomon" diff "$@"; }
merge() { "$B/gnomon" merge "$@"; }

# head CPUS: the first line
head_() {
	echo "# kpcall version=1 build=abcd000000000000000000000000000000000000 cpus=$1 per_ms=1000000 cost=720"
}

# sched called memcpy 3 times on CPU 0 and once on CPU 1; idle called it twice, and sched once.
{
	head_ 2
	cat <<'END'
# cpu=0 inside=400000 lost=4 left=1
0;0xc0100080;0xc0100035 3 60000 60000 0 10000 30000 13:1 14:2
0;0xc01000c0;0xc0100035 2 240000 240000 9000000 40000 200000 15:1 17:1
0;0xc01000d0;0xc0100075 1 160000 100000 0 160000 160000 17:1
# cpu=1 inside=5000 lost=0 left=0
1;0xc0100084;0xc0100035 1 5000 5000 0 5000 5000 12:1
# pairs=4
END
} >kpcall

cat >wanted <<'END'
kpcall: calls, 405000 cycles, 0.41 ms
  each call was measured; the 0.720 us that measuring took for each are no part of times,
  nor is the time while another thread ran: asleep
  4 calls were lost
  1 calls never returned

     calls      total us       self us     mean us shortest us  longest us     asleep us  function  caller
         2       240.000       240.000     120.000      40.000     200.000      9000.000  memcpy    idle
         1       160.000       100.000     160.000     160.000     160.000         0.000  sched     idle
         4        65.000        65.000      16.250       5.000      30.000         0.000  memcpy    sched
END
is "$(report --calls kpcall 2>&1)" "$(cat wanted)" 'T6 durations by function and caller, of all CPUs'
is "$(report -d - <kpcall | sed 1d)" "$(sed 1d wanted)" 'T6 the same from the standard input'

# first KEY: the first row when rows are sorted by that
first() { report -d -s "$1" -o csv kpcall | sed -n 2p | cut -d, -f 2,4; }
for key in calls:memcpy,sched total:memcpy,idle self:memcpy,idle mean:sched,idle \
	shortest:sched,idle longest:memcpy,idle asleep:memcpy,idle; do
	is "$(first "${key%:*}")" "${key#*:}" "T6 --sort ${key%:*}"
done
is "$(report -d -n 1 kpcall | tail -n 1)" '2 more; --limit 0 shows all' 'T6 --limit says what is left out'
is "$(report -d -n 30% -o csv kpcall 2>/dev/null | wc -l)" 3 'T6 --limit by share'
is "$(report -d -o csv -n 0 kpcall | sed -n '1p;4p' | tr -d '\r')" \
'module,function,caller_module,caller,calls,total_us,self_us,mean_us,shortest_us,longest_us,asleep_us,histogram_us
kernel,memcpy,kernel,sched,4,65,65,16.25,5,30,0,4.096:1 8.192:1 16.384:2' 'T6 as CSV'
is "$(report -d -o json kpcall | jq -c '[.report, .unit, .tick_us, .rows[1].function, .rows[1].total_us, .rows[1].self_us]')" \
	'["calls","cycles",0.001,"sched",160,100]' 'T6 as JSON'

cat >wanted <<'END'
      from us      below us      calls       %  memcpy
        4.096         8.192          1   16.67  ####################
        8.192        16.384          1   16.67  ####################
       16.384        32.768          2   33.33  ########################################
       32.768        65.536          1   16.67  ####################
       65.536       131.072          0    0.00
      131.072       262.144          1   16.67  ####################
memcpy: 6 calls, mean 50.833 us, shortest 5.000 us, longest 200.000 us
END
is "$(report --histogram memcpy kpcall | sed '1,/^$/d')" "$(cat wanted)" 'T6 a histogram in characters'
is "$(report -D kernel:memcpy -o json kpcall | jq -c '[.rows[].calls]')" '[1,1,2,1,0,1]' 'T6 as JSON'

# gprof would give each caller of memcpy a third or two of 305 us: idle 101.67, sched 203.33.
report --callgraph kpcall >graph
has "$(cat graph)" 'by calls, each of which was measured' 'T6 the graph says that times are measured'
is "$(sed -n '/^\[1\]/,/^---/p' graph | sed 's/^ *//; s/  */ /g')" \
'[1] 98.77 0.00 0.40 idle [1]
0.24 0.00 2/6 memcpy [2]
0.10 0.06 1/1 sched [3]
-----------------------------------------------' 'T6 each caller has the time that its calls took'
is "$(report -o csv -g kpcall | tr -d '\r' | grep memcpy$)" '' 'T6 memcpy calls nobody'
is "$(report -o csv kpcall | tr -d '\r' | cut -d, -f 2,4,10)" 'function,self_cycles,calls
memcpy,305000,6
sched,100000,1' 'T6 the flat profile has the time in functions themselves'

# ---- merge

merge -o sum kpcall kpcall
is "$?" 0 'T6 merged'
is "$(sed -n '2,4p;$p' sum)" '# cpu=0 inside=800000 lost=8 left=2
0;0xc0100080;0xc0100035 6 120000 120000 0 10000 30000 13:2 14:4
0;0xc01000c0;0xc0100035 4 480000 480000 18000000 40000 200000 15:2 17:2
# pairs=4' 'T6 counts and times add up; the shortest and the longest stay'
is "$(report -d sum | awk '$9 == "sched" { print $1, $2, $5, $6 }')" '8 130.000 5.000 30.000' 'T6 and are read again'
merge -o one kpcall
is "$(sort one)" "$(sort kpcall)" 'T6 the sum of one file is that file'

# refuse PART NAME COMMAND...: exit status 1 and a message that holds PART.
refuse() {
	part=$1 name=$2
	shift 2
	out=$("$@" 2>&1)
	is $? 1 "$name: exit status 1"
	has "$out" "$part" "$name: why"
}
sed 's/per_ms=1000000/per_ms=2000000/' kpcall >fast
sed 's/per_ms=1000000/per_ms=1000100/' kpcall >near
refuse 'fast: another rate' 'A7 units of another length' merge -o no kpcall fast
merge -o sum kpcall near
is "$?:$(sed -n 's/.* \(per_ms=[0-9]*\) .*/\1/p' sum)" 0:per_ms=1000000 'T6 a clock calibrated anew is the same one'
sed 's/build=abcd/build=dcba/' kpcall >other
refuse 'other: from another kernel' 'A7 another kernel' merge -o no kpcall other
refuse 'other: ' 'A7 a report with another kernel' report -d other
refuse 'of another kind: it is kpdata' 'A7 another kind' merge -o no kpcall kpdata
sed 's/ 2 240000 240000 / 2 18446744073709000000 240000 /' kpcall >huge
refuse 'huge: with the files before, the counts add up to 2^64 or more' 'A7 a sum that overflows' merge -o no kpcall huge
[ ! -e no ]
ok $? 'and no sum is written'

# ---- what cannot be read

head -c 300 kpcall >short
refuse 'short: durations of calls: line 5, which is cut short' 'A7 a file cut off' report -d short
sed '$d' kpcall >short
refuse 'truncated: no line tells how many pairs there are' 'A7 one that lacks its last line' report -d short
sed 's/version=1/version=2/' kpcall >newer
refuse 'newer: durations of calls: line 1: version 2 of the format; this reads version 1' 'A7 another version' report -d newer
refuse 'it has no durations of calls; kpcall has them' 'T6 another kind' report -d kpdata
refuse 'no call of a function nosuch was measured to its end' 'T6 no such function' report -D nosuch kpcall
has "$(report -d -s size kpcall 2>&1; echo $?)" 'total, calls, self' 'T6 --sort by something else'
has "$(report -s mean kpcall 2>&1)" '--sort has no effect with --flat' 'T6 --sort without --calls'
has "$(report -d --focus x kpcall 2>&1)" '--focus has no effect with --calls' 'T6 nor do patterns have one with it'

# ---- diff

# B's memcpy takes longer when idle calls it: (65 + 480) / 6 = 90.833 us in place of 50.833.
sed 's/ 2 240000 240000 9000000 40000 200000 / 2 480000 480000 9000000 40000 440000 /; s/17:1/18:1/' kpcall >b
is "$(diff_ kpcall b | head -n 1)" "A call of memcpy takes 78.69 % more time in B, which is the largest difference." \
	"T6 diff: what it found"
is "$(diff_ kpcall b | sed '1,/^$/d')" \
'    A calls    A mean us    B calls    B mean us     B - A us        %  function
          6       50.833          6       90.833      +40.000   +78.69  memcpy
          1      160.000          1      160.000       +0.000    +0.00  sched' 'T6 diff: the mean time of a call'
has "$(diff_ kpcall b)" 'One run does not tell how much runs vary' 'T6 diff: single runs'
refuse '--time, --inclusive and --inlined have no effect on durations' 'T6 diff: --time' diff_ -t kpcall b
refuse 'kpcall counts cycles, kpdata counts ticks: they cannot be compared' 'T6 diff: another kind' diff_ kpcall kpdata

# runs DIR TIME...: repeated runs, in which the one call of sched took those times
runs() {
	dir=$1 run=0
	shift
	for time; do
		run=$((run + 1))
		mkdir -p "$dir/$run"
		{
			head_ 1
			echo "# cpu=0 inside=$((time + 5000)) lost=0 left=0"
			echo "0;0xc01000d0;0xc0100075 1 $time $time 0 $time $time 17:1"
			echo "0;0xc0100080;0xc0100035 1 5000 5000 0 5000 5000 12:1"
			echo "# pairs=2"
		} >"$dir/$run/kpcall"
	done
}
runs ra 140000 150000 160000
runs rb 180000 190000 200000
diff_ ra rb >out
# t = 40 / sqrt(100 / 3 + 100 / 3) = 4.899 with 4 degrees of freedom: p = 0.00805, z = 2.65.
is "$(sed '1,/^$/d' out)" \
'    A calls    A mean us    B calls    B mean us     B - A us        %        +-        z    function
          3      150.000          3      190.000      +40.000   +26.67     8.165    +2.65 *  sched
          3        5.000          3        5.000       +0.000    +0.00     0.000    +0.00    memcpy' \
	"T6 diff of repeated runs, by Welch's test"
has "$(cat out)" '1 of 2 functions differ by more than chance explains' 'T6 and how many differ'
is "$(head -n 1 out)" "More than chance can explain: a call of sched takes 26.67 % more time in B (z = +2.65)." \
	"T6 diff: a sentence for it"
runs rc 140000 260000 160000
has "$(diff_ ra rc)" '0 of 2 functions differ by more than chance explains' 'T6 what varies as much does not'
is "$(diff_ ra rc | head -n 1)" 'Chance can explain every difference of times.' 'T6 diff: nor is that one'
is "$(report -d ra | awk '$8 == "sched" { print $1, $2 }')" '3 450.000' 'T6 report adds up the runs'

finish
