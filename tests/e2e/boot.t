#!/bin/sh
# Booting: little memory, several processors, an old processor model, what is on the
# console; kpdata byte by byte over the console; kernel faults and panics.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

# boot NAME OPTION...: run "echo up" on such a machine, with its console in $tmp/NAME
boot() {
	name=$1
	shift
	"$b/gnomon" run -t 60 -o "$tmp" --console "$tmp/$name" "$@" 'echo up' 2>&1
}

is "$(boot small --mem 6)" up '6 MB, the least that gnomon run accepts, are enough'
is "$(boot big --mem 2048)" up '2 GB do no harm'
is "$(boot old --cpu qemu32)" up 'a processor without NX, SMEP, SMAP, UMIP'
is "$(boot wall --icount off)" up 'without -icount'
is "$(boot pit --append 'profclock=pit delivery=irq')" up 'with another profiling clock'

has "$(tr -d '\r' <"$tmp/small")" 'NX SMEP SMAP UMIP' 'the console names the processor and its features'
has "$(tr -d '\r' <"$tmp/small")" 'clock: lapic, 100 Hz' 'and the system clock'
has "$(tr -d '\r' <"$tmp/small")" "profclock: lapic, nmi, 1000 Hz (each CPU's own)" \
	'C3 the profiling clock is found by trial'
has "$(tr -d '\r' <"$tmp/pit")" 'profclock: pit, irq, 1000 Hz (as the command line says)' \
	'C3 the command line can choose another'
grep -q 'NX' "$tmp/old"
[ $? -ne 0 ]
ok $? 'an old processor has none of the features'

# The console passes data that are not text unchanged.
"$b/gnomon" run -t 60 -o "$tmp" --console "$tmp/raw" -f /dev/kpdata:kpdata \
	'echo startclr >/dev/kpctl; sort /rc/workload | sum; echo stop >/dev/kpctl
	cat /dev/kpdata >/dev/cons' >/dev/null 2>&1
size=$(wc -c <"$tmp/kpdata")
tail -c "$size" "$tmp/raw" >"$tmp/tail"
[ "$size" -gt 1000 ] && cmp "$tmp/tail" "$tmp/kpdata" >/dev/null
ok $? 'K4 cat /dev/kpdata at the console arrives byte by byte'

# fault KIND PART NAME: make the test kernel fail; the console must say why, with PART
fault() {
	"$b/gnomon" run -t 60 -o "$tmp" --kernel "$b/gnomon-test.elf" --console "$tmp/fault" \
		"bind '#X' /test; echo fault $1 >/test/ctl" >/dev/null 2>&1
	is $? 125 "$3: the run fails"
	has "$(tr -d '\r' <"$tmp/fault")" "$2" "$3: the console says so"
}
fault null 'write of 00000000' 'the kernel follows a null pointer'
fault text 'write of c01' 'kernel text is not written'
fault data 'execution of c01' 'kernel data is not executed'
fault stack 'kernel stack overflow' 'a kernel stack has a guard page'
fault panic 'panic: a test asked for it' 'a panic'
has "$(cat "$tmp/fault")" 'test_write+0x' 'with a back trace that has names'

"$b/gnomon" run -t 30 --initrd /dev/null 'echo up' >"$tmp/no" 2>&1
[ $? -ne 0 ]
ok $? 'no initrd: a failure, not a hang'

finish
