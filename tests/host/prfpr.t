#!/bin/sh
# prfpr(8), the guest's and the host's: D12, hand-computed logs, damage, messages.
# B is the folder of what was built; MKPRF makes the logs, BIN has the guest's commands as
# programs of this machine.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=${B:-build}
host=$(cd "$B" && pwd)/prfpr
guest=$(cd "${BIN:-$B/hostbin}" && pwd)/prfpr
mkprf=$(realpath "${MKPRF:-$B/tests/tools/mkprf}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$mkprf" || exit 1
POSIXLY_CORRECT=1
ASAN_OPTIONS=exitcode=99:detect_leaks=0
UBSAN_OPTIONS=halt_on_error=1:exitcode=99
export POSIXLY_CORRECT ASAN_OPTIONS UBSAN_OPTIONS

# prints NAME ARGUMENT...: both, without a complaint, print what stands on standard input.
prints() {
	name=$1
	shift
	wanted=$(cat)
	is "$("$host" "$@" 2>&1)" "$wanted" "$name"
	is "$("$guest" "$@" 2>&1)" "$wanted" "$name (the guest's)"
}

# says STATUS PART NAME ARGUMENT...: both end with that exit status and that message.
says() {
	status=$1 part=$2 name=$3
	shift 3
	for prfpr in "$host" "$guest"; do
		out=$("$prfpr" "$@" 2>&1 >out)
		is $? "$status" "$name: exit status $status"
		has "$out" "$part" "$name: says so"
	done
}

prints 'D12 one snapshot prints nothing' one 1 kernel </dev/null
prints 'D12 no snapshot prints nothing' empty 1 kernel </dev/null
prints 'D12 the share is strictly more than the cutoff, and counters wrap' two 1 kernel <<'END'
2026-11-21 12:00:00  2026-11-21 12:01:40
memcpy 50.00
exec 1.01
user 40.00
idle 7.98
END
prints 'D12 cutoff 0 prints all that is not zero' two 0 kernel <<'END'
2026-11-21 12:00:00  2026-11-21 12:01:40
memcpy 50.00
sched 1.00
exec 1.01
0xc01000e0 0.01
user 40.00
idle 7.98
END
prints 'D12 a cutoff between whole numbers' two 7.97 kernel <<'END'
2026-11-21 12:00:00  2026-11-21 12:01:40
memcpy 50.00
user 40.00
idle 7.98
END
prints 'D12 and at just that share' two 7.98 kernel <<'END'
2026-11-21 12:00:00  2026-11-21 12:01:40
memcpy 50.00
user 40.00
END
prints 'D12 nothing is more than all' two 100 kernel <<'END'
2026-11-21 12:00:00  2026-11-21 12:01:40
END
prints 'D12 each two successive snapshots; rounding; no ticks at all' many 10 kernel <<'END'
2026-11-21 12:00:00  2026-11-21 12:01:40
memcpy 50.00
user 40.00
2026-11-21 12:01:40  2026-11-21 12:11:40
never 33.33
user 66.67
2026-11-21 12:11:40  2026-11-21 12:21:40
END
prints 'D12 other addresses are said, the same ones again do no harm' reload 0 kernel <<'END'
2026-11-21 12:01:40: other addresses were loaded; counting from here
2026-11-21 12:01:40  2026-11-21 12:02:30
0xc01000d0 50.00
idle 50.00
2026-11-21 12:02:30  2026-11-21 12:03:20
user 100.00
END
prints 'D12 counters that went back' cleared 0 kernel <<'END'
2026-11-21 12:01:40: the counters were zeroed; counting from here
2026-11-21 12:01:40  2026-11-21 12:01:41
memcpy 75.00
sched 25.00
END
prints 'D12 a start of the system in between' boot 0 kernel <<'END'
2026-11-21 13:23:20: the system was started anew; counting from here
END
for prfpr in "$host" "$guest"; do
	"$prfpr" many 1 kernel >with
	for cutoff in 01 1. 1.0 1.00; do
		"$prfpr" many "$cutoff" kernel | cmp -s - with
		ok $? "cutoff $cutoff is 1"
	done
done

# Every end that a log can have: whole records before it are still printed.
size=$(wc -c <two)
snap=$(($(wc -c <two) - $(wc -c <one)))
cp two cut
head -c $((size - 1)) two >piece
says 0 'piece: the last record is cut short; left out' 'a record that lacks a byte' piece 1 kernel
is "$(cat out)" '' 'and is not there'
{ cat two; tail -c "$snap" two | head -c 11; } >piece
says 0 'piece: the last record is cut short; left out' 'half the head of a record' piece 1 kernel
is "$(head -n 2 out)" '2026-11-21 12:00:00  2026-11-21 12:01:40
memcpy 50.00' 'the rest is printed'
head -c 71 two >piece
says 1 'piece: it ends in the midst of its head' 'half a head' piece 1 kernel

# flip FILE OFFSET: changes a bit of a copy of the file, which is called bad.
flip() {
	byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
	head -c "$2" "$1" >bad
	# shellcheck disable=SC2059
	printf "\\$(printf %o $((byte ^ 4)))" >>bad
	tail -c +$(($2 + 2)) "$1" >>bad
}
missed=
for at in $(seq 0 $((size - 1))); do
	flip two "$at"
	"$host" bad 0 kernel >out 2>err
	[ $? -eq 1 ] && grep -q '^prfpr: bad: [a-z]' err || missed="$missed $at"
	[ ! -s out ] || missed="$missed printed:$at"
done
is "$missed" '' 'a bit that changed is seen, whichever it is'
flip two 30
says 1 'bad: damaged: the checksum of its head' 'a damaged head' bad 1 kernel
flip many $(($(wc -c <many) - 1))
says 1 'bad: damaged: the checksum of a record' 'a damaged record' bad 1 kernel
is "$(grep -c '^2026' out)" 2 'what comes before it is printed'
flip one 74
says 1 'bad: damaged: no record where one should be' 'a damaged kind of record' bad 1 kernel

: >nothing
says 1 'nothing: it is empty' 'an empty file' nothing 1 kernel
says 1 'kernel: not a log of prf' 'a foreign file' kernel 1 kernel
says 1 'nowhere: No such file' 'no log' nowhere 1 kernel
says 1 'nowhere: No such file' 'no namelist' two 1 nowhere
says 1 'two: not a' 'a namelist that is no ELF file' two 1 two
sed 's/abcd0000/abce0000/' two >foreign
says 1 'the checksum of its head' 'a build id that was changed' foreign 1 kernel
says 1 'two: from another kernel: its build id is abcd' 'another kernel' two 1 other
says 1 'anonymous' 'a kernel without a build id' two 1 anonymous
says 1 'stripped: it has no symbols' 'a kernel without symbols' two 1 stripped
says 2 'x: not a number of per cent from 0 to 100' 'a cutoff that is no number' two x kernel
"$host" two 0.5 kernel >with
for prfpr in "$host" "$guest"; do
	"$prfpr" two .5 kernel | cmp -s - with
	ok $? 'cutoff .5 is 0.5'
done
for cutoff in 101 100.01 -1 1.234 . 1e1 ''; do
	says 2 'not a number of per cent' "the cutoff \"$cutoff\"" two "$cutoff" kernel
done
says 2 'usage: prfpr' 'no argument'
says 2 'usage: prfpr' 'too many' two 1 kernel more
says 2 'usage: prfpr' 'an option' -z two
for prfpr in "$host" "$guest"; do
	"$prfpr" -h 2>/dev/null | grep -q '^usage: prfpr'
	ok $? '-h tells the usage'
	"$prfpr" two 0 kernel >/dev/full 2>/dev/null
	is $? 1 'a report that cannot be written: exit status 1'
done

# The default namelist of the host's is next to it.
mkdir b
cp "$host" b/prfpr
cp kernel b/gnomon.elf
is "$(b/prfpr two 2>&1 | sed -n 2p)" 'memcpy 50.00' 'the default namelist is gnomon.elf next to it'
mv b/gnomon.elf .
is "$(GNOMON_BUILD=. b/prfpr two 2>&1 | sed -n 2p)" 'memcpy 50.00' 'or in GNOMON_BUILD'

finish
