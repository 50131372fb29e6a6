#!/bin/sh
# Booting: little memory, several processors, an old processor model, what is on the
# console; kpdata byte by byte over the console; kernel faults and panics.
# Needs: gnomon-test.elf tests/guest/float
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
"$b/gnomon" run -t 60 -o "$tmp" --console "$tmp/nofxsr" --cpu max,-fxsr,-sse,-sse2 \
	-p "$b/tests/guest/float:/tests/float" '/tests/float fresh' >/dev/null 2>&1
has "$(tr -d '\r' <"$tmp/nofxsr")" 'floating point (there is none) at ' \
	'W1 a processor without FXSAVE has no floating point, and says so'

has "$(tr -d '\r' <"$tmp/small")" 'NX SMEP SMAP UMIP' 'the console names the processor and its features'
has "$(tr -d '\r' <"$tmp/small")" 'clock: lapic, 100 Hz' 'and the system clock'
has "$(tr -d '\r' <"$tmp/small")" "profclock: lapic, nmi, 1000 Hz (each CPU's own)" \
	'C3 the profiling clock is found by trial'
has "$(tr -d '\r' <"$tmp/pit")" 'profclock: pit, irq, 1000 Hz (as the command line says)' \
	'C3 the command line can choose another'
is "$(boot two --smp 2 --append profclock=pit)" up 'a clock that is passed on'
has "$(tr -d '\r' <"$tmp/two")" 'one timer for 2 CPUs: most ticks of busy ones are lost' \
	'C4 that it loses ticks is said at boot'
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

# fault KIND PART NAME: make the test kernel fail; the console must say why, with PART, and gnomon
# run show that, in $tmp/said, with one back trace, whose functions are in $frames
fault() {
	"$b/gnomon" run -t 60 -o "$tmp" --kernel "$b/gnomon-test.elf" --console "$tmp/fault" \
		"bind '#X' /test; echo fault $1 >/test/ctl" >/dev/null 2>"$tmp/said"
	is $? 125 "$3: the run fails"
	has "$(tr -d '\r' <"$tmp/fault")" "$2" "$3: the console says so"
	has "$(sed -n '3,$p' "$tmp/said")" "$2" "$3: gnomon run shows it"
	is "$(grep -c 'panic: ' "$tmp/said") $(grep -c '| *[0-9a-f]\{8\} isr_return+0x0 ' "$tmp/said")" \
		"1 ${4:-1}" "$3: one back trace, up to the system call, and one panic"
	frames=$(sed -n 's/^  |   [0-9a-f]\{8\} *\([a-z_]*\).*/\1/p' "$tmp/said" | head -3 | xargs)
}
fault null 'write of 00000000' 'the kernel follows a null pointer'
is "$frames" 'test_write chan_write file_pieces' 'the trace begins with the function that did'
has "$(cat "$tmp/said")" 'kernel fault on cpu0 in echo (' 'gnomon run shows whose fault it is'
has "$(cat "$tmp/said")" 'error 2 cr2 00000000' 'and the registers'
line=$(grep -n '(volatile int \*)NULL = 1' tests/devtest.c | cut -d: -f1)
has "$(cat "$tmp/said")" "  tests/devtest.c:$line (fault), tests/devtest.c:" \
	'and the line that did it, in a function that was inlined'
fault call 'execution of 00000000' 'the kernel calls nothing'
is "$frames" 'test_write chan_write' 'the trace goes on with the caller'
fault early 'read of fffff000' 'a fault before there is a frame'
is "$frames" 'test_early test_write chan_write' 'the trace has the caller all the same'
fault text 'write of c01' 'kernel text is not written'
fault data 'execution of c01' 'kernel data is not executed'
fault stack 'kernel stack overflow' 'a kernel stack has a guard page' 0
is "$frames" 'test_overflow test_overflow test_overflow' 'what filled it is in the trace'
fault panic 'panic: a test asked for it' 'a panic'
has "$(cat "$tmp/fault")" 'test_write+0x' 'with a back trace that has names'

# A debugger finds its way through assembly code: at the call of trap() the registers are where
# struct trapframe has them, and a copy has a frame.
rules() {
	at=$("${cross}nm" "$b/gnomon.elf" | awk -v name="$1" '$3 == name { print $1 }')
	"${cross}readelf" -wF "$b/gnomon.elf" | awk -v at="$at" '
		/ CIE / { inside = 0 }
		/ FDE / { split($NF, pc, /[=.]+/); inside = pc[2] <= at && at <= pc[3]; next }
		inside && $2 ~ /^e/ && $1 < at { found = $0 }
		END { $0 = found; $1 = ""; print }'
}
is "$(rules isr_return | xargs)" 'esp+56 c-16 c-20 c-24 c-28 vexp c-36 c-40 c-44 c-4' \
	'debuggers are told what is behind an interrupt'
is "$(rules user_copy.popped | xargs)" 'ebp+8 c-8 s s c-4' 'and behind a copy'

"$b/gnomon" run -t 30 --initrd /dev/null 'echo up' >"$tmp/no" 2>&1
[ $? -ne 0 ]
ok $? 'no initrd: a failure, not a hang'

finish
