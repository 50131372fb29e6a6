#!/bin/sh
# kprof(1) as a command: K12, its messages and exit statuses.
# B is the folder of what was built, MKKERNEL the test program of that name.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=${B:-build}
kprof=$(cd "$B" && pwd)/kprof
mkkernel=$(realpath "${MKKERNEL:-$B/tests/tools/mkkernel}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$mkkernel" kernel kpdata || exit 1

cat >wanted <<'EOF'
total:                       100 ticks         50.00 ms  100.00 %
in kernel text:               40 ticks         20.00 ms   40.00 %
outside kernel text:          60 ticks         30.00 ms   60.00 %
one tick: 500 us; text from c0100000 to c0100100

          ms       %  symbol
       15.00   30.00  memcpy
        2.50    5.00  idle
        2.50    5.00  sched
EOF
is "$("$kprof" kernel kpdata 2>&1)" "$(cat wanted)" 'K12: the report'

"${CROSS-i686-linux-gnu-}objcopy" --redefine-sym memcpy=cpu_idle kernel waiting
sed 's/^outside/  of which idle:              30 ticks         15.00 ms   30.00 %\n&/; /memcpy/d
	$a\       15.00   30.00  cpu_idle' wanted >apart
is "$("$kprof" waiting kpdata 2>&1)" "$(cat apart)" 'idle time has its line, and is the last row'

# refuse NAME PART ARGUMENT...: exit status 1, and a message that holds PART.
refuse() {
	name=$1 part=$2
	shift 2
	out=$("$kprof" "$@" 2>&1)
	is $? 1 "$name: exit status 1"
	has "$out" "$part" "$name: says so"
}

echo build=abcd000000000000000000000000000000000000 >kpdata.run
"$kprof" kernel kpdata >/dev/null 2>&1
is $? 0 'the build id that came with the data is the kernel'\''s'
echo build=1bcd000000000000000000000000000000000000 >kpdata.run
refuse 'another build id' 'kpdata: from another kernel: its build id is 1bcd' kernel kpdata
echo 'profiler=kprof clock=pit cpus=2 period_us=500 ticks=100 lost=1' >kpdata.run
is "$("$kprof" kernel kpdata)" "$(cat wanted)" 'C5 one tick in a hundred is no loss to tell'
echo 'profiler=kprof clock=pit cpus=2 period_us=500 ticks=100 lost=2' >kpdata.run
is "$("$kprof" kernel kpdata | sed -n 5p)" 'lost: 2.0 % of the ticks that were due, 2 of 102; times are '\
'of the 100 taken, 0.05 s of 0.05 s; fewer are lost with profclock=lapic, with turns=on, by QEMU 8.1 '\
'or later, or at a lower rate' 'C5 more is told'
rm kpdata.run

head -c 100 kpdata >short
refuse 'a truncated file' 'short: truncated' kernel short
head -c 10 kpdata >header
refuse 'half a header' 'header: truncated' kernel header
: >empty
refuse 'an empty file' 'empty: truncated' kernel empty
{ head -c 60 kpdata; printf '\377'; tail -c +62 kpdata; } >flipped
refuse 'a damaged count' 'flipped: damaged: the total' kernel flipped
# 31 buckets and, as the last one's 5 ticks are gone, a total of 95.
{ printf '\0\0\0\137'; tail -c +5 kpdata | head -c 11; printf '\037'; tail -c +17 kpdata; } |
	head -c 124 >fewer
refuse 'data of a smaller kernel' 'fewer: from another kernel' kernel fewer
refuse 'data that are a program' 'no kpdata file' kernel kernel
refuse 'a kernel that is text' 'wanted: not an ELF file' wanted kpdata
refuse 'no kernel' 'nowhere: No such file' nowhere kpdata
refuse 'no data' 'nowhere: No such file' kernel nowhere
refuse 'another program as the kernel' 'not a kernel of ours' "$mkkernel" kpdata

"$kprof" kernel >/dev/null 2>&1
is $? 2 'too few arguments: exit status 2'
"$kprof" -z kernel kpdata >/dev/null 2>&1
is $? 2 'an unknown option: exit status 2'
"$kprof" -h | grep -q '^usage: kprof KERNEL KPDATA'
ok $? '-h tells the usage'
"$kprof" kernel kpdata >/dev/full 2>/dev/null
is $? 1 'a report that cannot be written: exit status 1'

finish
