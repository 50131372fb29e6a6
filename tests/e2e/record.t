#!/bin/sh
# gnomon record (R1, R2, R7): instructions of a kernel that knows nothing of it, by call path. The
# counts are those of QEMU's instructions by another plugin, calls are those that gmon counts, and
# the console is what it is without.
# Needs: gnomon-test.elf initrd.cpio gnomon record.so tests/truth/plugin.so
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
GNOMON_BUILD=$(realpath "$b")
export GNOMON_BUILD
kernel=$GNOMON_BUILD/gnomon-test.elf
work='sort /rc/workload | wc; cat /src/kernel/process/*.c | grep -c int; ls -l /bin | tail -1'

# machine NAME COMMAND...: the workload on a QEMU that the command starts
machine() {
	name=$1
	shift
	printf '#!/bin/sh\nexec %s "$@"\n' "$*" >"$tmp/qemu"
	chmod +x "$tmp/qemu"
	mkdir -p "$tmp/$name"
	"$b/gnomon" run -t 60 --qemu "$tmp/qemu" --kernel "$kernel" --append idle=poll \
		-o "$tmp/$name" -f gmon.out $options \
		"kgmon -r; kgmon -b; { $work }; kgmon -h; kgmon -p" \
		>"$tmp/$name.console" 2>&1
	status=$?
}

qemu=${QEMU:-qemu-system-i386}
machine alone "$qemu"
is "$status" 0 'the machine alone'
# Beside it, a copy of the plugin takes samples of the same machine.
mkdir "$tmp/copy"
cp "$GNOMON_BUILD/record.so" "$tmp/copy"
printf '#!/bin/sh\nGNOMON_BUILD=%s exec %s record -q -s 3000 -o %s -- %s "$@"\n' "$tmp/copy" \
	"$GNOMON_BUILD/gnomon" "$tmp/samples" "$qemu" >"$tmp/sampling"
chmod +x "$tmp/sampling"
machine recorded "$GNOMON_BUILD/gnomon" record -o "$tmp/paths" -g "$tmp/arcs" \
	-c "$tmp/counts" -- "$tmp/sampling" \
	-plugin "$GNOMON_BUILD/tests/truth/plugin.so,out=$tmp/truth"
is "$status" 0 'R1: the exit status is the command'\''s'
cmp "$tmp/alone.console" "$tmp/recorded.console" >"$tmp/cmp"
ok $? 'R1: the console is the same, byte by byte' "$(cat "$tmp/cmp")"
cmp "$tmp/alone/gmon.out" "$tmp/recorded/gmon.out" >"$tmp/cmp"
ok $? 'R1: so is what the guest measures of itself' "$(cat "$tmp/cmp")"

# The other plugin ran in the same machine.
text=$("${cross}nm" "$kernel" | awk '$3 == "ktzero" || $3 == "etext" { print $1 }' | sort)
awk -v lo="$(echo "$text" | head -1)" -v hi="$(echo "$text" | tail -1)" '
	$1 >= lo && $1 < hi { n[$1] += $3 } END { for (a in n) print a, n[a] }
' "$tmp/truth.all" | sort >"$tmp/wanted"
awk 'NR > 2 && $1 != "end" { printf "%08x %d\n", $1 + 3222274048, $2 }' "$tmp/counts" | sort >"$tmp/got"
diff "$tmp/wanted" "$tmp/got" >"$tmp/diff"
ok $? 'R2: the counts of all addresses are true' "$(head -5 "$tmp/diff")"
[ "$(wc -l <"$tmp/got")" -gt 5000 ]
ok $? 'R2: of thousands of addresses'

sum=$(awk '!/^#/ { n += $2 } END { printf "%d", n }' "$tmp/paths")
all=$(awk '{ n += $3 } END { printf "%d", n }' "$tmp/truth.all")
is "$sum" "$all" 'R2: the paths have every instruction of the machine'
# last WORD: a number in the last line of the paths
last() {
	sed -n "s/^# instructions=.* $1=\([0-9]*\).*/\1/p" "$tmp/paths"
}
[ "$(last returns)" -gt 50000 ] && [ "$(last begun)" -gt 20 ]
ok $? 'R2: many returns, some of which begin threads' "$(tail -1 "$tmp/paths")"
is "$(last unmatched)" 0 'R2: all others go to calls'

# Samples of the same run: shares of functions differ from the exact ones as much as by chance.
# shares FILE: instructions of each function
shares() {
	"$b/gnomon" report -i "$kernel" -f -n 0 -o csv "$1" | awk -F, 'NR > 1 { print $2, $4 }'
}
shares "$tmp/paths" >"$tmp/wanted"
shares "$tmp/samples" >"$tmp/got"
awk -v period=3000 '
	NR == FNR { p[$1] += $2; sum += $2; next }
	{ q[$1] += $2; all += $2 }
	END {
		n = all / period
		for (f in p) {
			d = p[f] / sum - q[f] / all
			far += d < 0 ? -d : d
			share = p[f] / sum
			chance += sqrt(2 * share * (1 - share) / (3.14159265 * n))
		}
		for (f in q)
			unknown += !(f in p)
		printf "%d samples, %.2f of chance, %d of %d unknown\n", n, far / chance,
			unknown, length(q)
		exit !(n > 5000 && far <= 1.2 * chance && !unknown && length(q) > 50)
	}' "$tmp/wanted" "$tmp/got" >"$tmp/says"
ok $? 'R3: samples are as far from the truth as by chance' "$(cat "$tmp/says")"

is "$("$b/gnomon" report -i "$kernel" -A -n 0 -o csv "$tmp/paths" |
	awk -F, '$2 == "trap" || $2 == "syscall" { print $2, ($6 + 0 > $4 + 0) }' |
	sort | tr "\n" " ")" \
	'syscall 1 trap 1 ' 'R7: what functions take with what they call is counted'
sed '1s/ build=..../ build=0000/' "$tmp/paths" >"$tmp/other"
"$b/gnomon" report "$tmp/other" >"$tmp/says" 2>&1
has "$? $(cat "$tmp/says")" 'from another kernel: the build id' 'R7: a kernel built anew since is told'
"$b/gnomon" report -i "$kernel" -g -n 0 "$tmp/paths" >"$tmp/graph"
"$b/gnomon" merge -o "$tmp/sum" "$tmp/paths" "$tmp/paths" >"$tmp/says" 2>&1
is "$? $(cat "$tmp/says")" '0 ' 'R7: merge adds them up'
shares "$tmp/sum" | awk '{ print $1, $2 / 2 }' | sort >"$tmp/got"
shares "$tmp/paths" | awk '{ print $1, $2 / 1 }' | sort | diff - "$tmp/got" >"$tmp/diff"
ok $? 'R7: into twice as many instructions' "$(head -3 "$tmp/diff")"
is "$(tail -1 "$tmp/sum" | sed 's/.* returns=\([0-9]*\).*/\1/')" "$((2 * $(last returns)))" \
	'R7: and returns'
"$b/gnomon" merge -o "$tmp/none" "$tmp/paths" "$tmp/samples" >"$tmp/says" 2>&1
has "$? $(cat "$tmp/says")" 'first lines differ' 'R7: not those that were counted in another way'
has "$(cat "$tmp/graph")" 'kernel:sys_read' 'R7: the call graph'
is "$("$b/gnomon" report -i "$kernel" -g -n 0 -o csv "$tmp/paths" |
	awk -F, '$2 == "[interrupt]" { n += $5 + $6 } END { printf "%d", n }')" \
	"$(awk '/;\[interrupt\];/ { n += $2 } END { printf "%d", n }' "$tmp/paths")" \
	'R7: what handlers of interrupts ran is below them, all of it'
"$b/gnomon" export -f folded -i "$kernel" "$tmp/paths" >"$tmp/folded" 2>"$tmp/says"
has "$(cat "$tmp/folded")" 'trap_user;syscall;sys_read' 'R7: folded paths' "$(cat "$tmp/says")"
"$b/gnomon" export -f callgrind -i "$kernel" "$tmp/paths" >"$tmp/callgrind" 2>"$tmp/says"
has "$(grep ^events "$tmp/callgrind")" "events: Instructions" "R7: for callgrind_annotate" "$(cat "$tmp/says")"
"$b/gnomon" report -i "$kernel" --html "$tmp/page" "$tmp/paths"
is "$? $(grep -c '"unit": *"instructions"' "$tmp/page")" '0 1' 'R7: the page'
has "$("$b/gnomon" report -i "$kernel" -n 3 "$tmp/counts")" ' instructions' 'R7: coverage'

# called FILE: how often each function was called, of those that were
called() {
	"$b/gnomon" report -i "$kernel" -o csv -n 0 "$1" |
		awk -F, 'NR > 1 && $10 > 0 { print $2, $10 }' | sort
}
machine marked "$GNOMON_BUILD/gnomon" record -q -b prof_gmon_start -e prof_gmon_stop \
	-o "$tmp/some" -g "$tmp/arcs" -F "$tmp/line" -- "$qemu"
is "$status" 0 'R1: from one function to another'
called "$tmp/marked/gmon.out" >"$tmp/wanted"
called "$tmp/arcs" | comm -13 - "$tmp/wanted" >"$tmp/diff"
is "$(cat "$tmp/diff")" '' 'R2: what is instrumented was called as often as gmon says'
[ "$(wc -l <"$tmp/wanted")" -gt 100 ]
ok $? 'R2: that is hundreds of functions'

# Of the calls that begin and end to count, gmon misses the first and record the last.
pairs "$kernel" "$tmp/marked/gmon.out" | grep -v ' prof_hook_entries ' >"$tmp/wanted"
pairs "$kernel" "$tmp/arcs" | comm -13 - "$tmp/wanted" >"$tmp/diff"
is "$(cat "$tmp/diff")" '' 'R2: each caller has called it as often as gmon says'
[ "$(wc -l <"$tmp/wanted")" -gt 200 ]
ok $? 'R2: that is hundreds of pairs' "$(wc -l <"$tmp/wanted")"

# The time line of the same: entries, returns, and what ran between them.
"${cross}nm" "$kernel" | awk '
	NR == FNR { name["0x" $1] = $3; next }
	!/^#/ { n = split($4, step, ";"); if (step[n] in name) count[name[step[n]]]++ }
	END { for (f in count) print f, count[f] }' - "$tmp/line" | sort >"$tmp/entered"
called "$tmp/marked/gmon.out" | comm -13 "$tmp/entered" - >"$tmp/diff"
is "$(cat "$tmp/diff")" '' 'R8: each function was entered as often as gmon says'
has "$(sed -n 3p "$tmp/line")" 'overwritten=0' 'R8: and all entries are there'
# Paths tell nothing of jumps from label to label in assembly.
for file in some line; do
	shares "$tmp/$file" | grep -v '^isr_\|^fork_return ' | sort >"$tmp/$file.shares"
done
is "$(diff "$tmp/some.shares" "$tmp/line.shares")" '' \
	'R8: between entries and returns are the instructions that are counted'
for format in folded perf; do
	"$b/gnomon" export -f $format -i "$kernel" -o "$tmp/line.$format" "$tmp/line"
done 2>"$tmp/says"
awk 'FNR == NR { total += $NF; next } /^[^ \t].*:$/ { sum += one = $(NF - 1) }
	END { print (sum > 0 && sum - total <= one && total - sum <= one) }' \
	"$tmp/line.folded" "$tmp/line.perf" >"$tmp/sum"
is "$(cat "$tmp/sum")" 1 'L1: for perf, an entry stands for what ran until the next record' "$(cat "$tmp/says")"
"$b/gnomon" export -f perf.data -i "$kernel" -o "$tmp/perf.data" "$tmp/line" 2>"$tmp/says" &&
	perf script -i "$tmp/perf.data" -F period 2>>"$tmp/says" |
	awk '{ sum += $1 } END { print sum }' >"$tmp/periods"
is "$(cat "$tmp/periods")" "$(awk '{ n += $NF } END { print n }' "$tmp/line.folded")" \
	'L1: and so it does in perf.data' "$(cat "$tmp/says")"
# Entries are those of function_graph, by name as many as speedscope's file has.
"$b/gnomon" export -f speedscope -i "$kernel" "$tmp/line" 2>"$tmp/says" |
	jq -r '.shared.frames as $f | .profiles[].events[] | select(.type == "O") | $f[.frame].name' |
	grep -v '^guest$\|^off$\|^\[' |
	sort | uniq -c >"$tmp/wanted"
"$b/gnomon" export -f trace.dat -i "$kernel" -o "$tmp/trace.dat" "$tmp/line" 2>"$tmp/says"
trace-cmd report -i "$tmp/trace.dat" 2>>"$tmp/says" |
	sed -n 's/.*funcgraph_entry:.*| *\(.*\)()\( {\|;\)$/\1/p' | sort | uniq -c >"$tmp/graph"
[ "$(wc -l <"$tmp/wanted")" -gt 50 ] && cmp -s "$tmp/wanted" "$tmp/graph"
ok $? 'L2 R8: trace-cmd shows each entry' "$(diff "$tmp/wanted" "$tmp/graph" | head -n 6; cat "$tmp/says")"
machine chosen "$GNOMON_BUILD/gnomon" record -q -o "$tmp/some" -F "$tmp/line" \
	-p 'sys_re*,sys_write' -n 40 -l sys_write:3000 -- "$qemu"
grep -q '^# cpu=0 records=40 overwritten=[1-9]' "$tmp/line"
ok $? 'R8: the last ones are kept' "$(head -3 "$tmp/line")"
is "$("$b/gnomon" report -i "$kernel" -m kernel -f -n 0 -o csv "$tmp/line" | cut -d, -f2 |
	grep '^sys_' | grep -v '^sys_re\|^sys_write$')" '' 'R8: and only functions that were chosen'
entry=$("${cross}nm" "$kernel" | awk '$3 == "sys_write" { print $1 }')
awk -v entry=";0x$entry" '
	$4 ~ entry "$" { from = $1 } END { print (from && $1 - from > 3000), $4 }' "$tmp/line" >"$tmp/says"
is "$(cat "$tmp/says")" '1 off;[switch]' 'R8: up to one that took too long' "$(tail -3 "$tmp/line")"
is "$(cat "$tmp/chosen.console" | grep -c longer)" 0 'R8: which is not said to be missing'
"$b/gnomon" export -f chrome -i "$kernel" -o "$tmp/json" "$tmp/line" &&
	grep -q '"name":"sys_write"' "$tmp/json"
ok $? 'R8: as nested slices in a trace of Chrome'

# Programs at the same addresses, with the same start; the guest's own profiler counts one of them, too.
# What QEMU begins twice, for it faults, or before the other looks, is one more. Functions that repeat
# instructions, as memcpy does, are left out: that one counts those by another measure.
"${cross}objdump" -d "$GNOMON_BUILD/bin/seq" | awk '/>:$/ { gsub("[<>:]", ""); f = $2 } /\trep/ { print f }' >"$tmp/repeat"
printf '#!/bin/sh\nexec %s record -q -x -P %s -o %s -- %s "$@"\n' "$GNOMON_BUILD/gnomon" \
	"$GNOMON_BUILD/bin/seq,$GNOMON_BUILD/bin/cat" "$tmp/programs" "$qemu" >"$tmp/qemu"
"$b/gnomon" run -t 60 --qemu "$tmp/qemu" --kernel "$kernel" -o "$tmp/alone" -f /tmp/counts \
	'cprof -w /tmp/counts -m seq seq 1 20 >/tmp/n; cat /tmp/n; wc /tmp/n' >"$tmp/says" 2>&1
for file in programs alone/counts; do
	"$b/gnomon" report -i "$kernel" -m seq -f -n 0 -o csv "$tmp/$file" |
		awk -F, 'NR == FNR { repeats[$1]; next }
			FNR > 1 && !($2 in repeats) { sub(" ", "_", $2); print $2, $4 }' "$tmp/repeat" - |
		sort >"$tmp/${file##*/}.seq"
done
join -a 1 -a 2 -e - -o 0,1.2,2.2 "$tmp/programs.seq" "$tmp/counts.seq" |
	awk '$2 == "-" || $3 == "-" || $2 - $3 > 1 || $3 > $2 { print; bad = 1 } END { exit bad || NR <= 10 }' \
	>"$tmp/diff"
ok $? "R6: a program's functions, as counted in the guest" "$(cat "$tmp/diff" "$tmp/says")"
is "$(sed -n 's/^\([^#;]*\);.*/\1/p' "$tmp/programs" | sort -u | tr '\n' ' ')" \
	'cat firmware guest seq ' 'R6: programs, the kernel and what ran before it have names'
is "$(grep -c '^firmware;.*0xc0' "$tmp/programs")" 0 'R6: and firmware has nothing of the kernel'
start=$("${cross}nm" "$GNOMON_BUILD/bin/seq" | awk '$3 == "_start" { print $1 }')
is "$(sed -n "s/^\(...\);\[user\];0x$start .*/\1/p" "$tmp/programs" | sort | tr '\n' ' ')" 'cat seq ' \
	'R6: each has begun once, though they begin alike; another one is none of them'
"$b/gnomon" export -f folded -i "$kernel" "$tmp/programs" 2>"$tmp/says" |
	grep -E '^seq;\[user\];_start;main;snprintf;(vsnprintf;)?__format;put_number [0-9]+$' >"$tmp/folded"
is "$(cut -d ' ' -f 2 "$tmp/folded")" "$(sed -n 's/^put_number //p' "$tmp/programs.seq")" \
	'R6: and has paths of its own' "$(cat "$tmp/folded" "$tmp/says")"

# Four processors in turns, what each ran by the other plugin; and two at the same time.
# cpus FILE: what each processor ran, by the paths' file
cpus() {
	sed -n 's/^# cpu=\([0-9]*\) instructions=\(.*\)/\1 \2/p' "$1"
}
options='--smp 4'
machine turns "$GNOMON_BUILD/gnomon" record -q -x -o "$tmp/turns.paths" -- "$qemu" \
	-plugin "$GNOMON_BUILD/tests/truth/plugin.so,out=$tmp/turns.truth,cpus=4"
if grep -q 'does not tell which' "$tmp/turns.console"; then
	ok 0 'R4: QEMU since version 9 is refused'
else
	for cpu in 0 1 2 3; do
		awk -v cpu=$cpu '{ n += $3 } END { printf "%d %d\n", cpu, n }' "$tmp/turns.truth.all.cpu$cpu"
	done >"$tmp/wanted"
	is "$(cpus "$tmp/turns.paths")" "$(cat "$tmp/wanted")" 'R5: in turns, the counts of each are true'
	has "$(tail -1 "$tmp/turns.paths")" ' unmatched=0' 'R5: and all returns go to calls'
fi
options='--smp 2 --icount off'
machine threads "$GNOMON_BUILD/gnomon" record -q -o "$tmp/threads.paths" -F "$tmp/line" -- "$qemu"
is "$status $(cpus "$tmp/threads.paths" | awk '$2 > 100000' | wc -l)" '0 2' 'R5: two at once'
has "$(tail -1 "$tmp/threads.paths")" ' unmatched=0' 'R5: then, too, all returns go to calls'
is "$(sed -n 's/^# cpu=\([0-9]*\) records=[1-9][0-9][0-9][0-9].*/\1/p' "$tmp/line" | tr '\n' ' ')" \
	'0 1 ' 'R8: a time line of each of the two'
"$b/gnomon" report -i "$kernel" -n 1 "$tmp/line" >"$tmp/says" 2>&1
ok $? 'R8: which is read' "$(cat "$tmp/says")"
options=

# Kernels of 64 bits, one with two processors: each counts its own calls, and record the same.
# port HOST: build and run one under gnomon record
port() {
	mkdir -p "$tmp/$1"
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C tests/port HOST="$1" O="$tmp/$1" \
		QEMU="$GNOMON_BUILD/gnomon record -o paths -g arcs -i example.elf -- \
			qemu-system-i386" \
		run >"$tmp/says" 2>&1
	ok $? "R4: $1" "$(cat "$tmp/says")"
	has "$(cat "$tmp/says")" ', 0 went to no known call' "R4: $1: all returns go to calls"
	for file in gmon.out arcs; do
		"$b/gnomon" report -n 0 -g -i "$tmp/$1/example.elf" "$tmp/$1/$file" >"$tmp/graph"
		for pair in work.both both.light both.heavy deep.light work.step; do
			echo "$pair $(calls "${pair%.*}" "${pair#*.}" <"$tmp/graph")"
		done >"$tmp/$file.calls"
	done
	is "$(cat "$tmp/arcs.calls")" "$(cat "$tmp/gmon.out.calls")" "R2: $1: calls"
	grep -q 'work.both [1-9][0-9]*000/' "$tmp/arcs.calls"
	ok $? "R2: $1: thousands of them" "$(cat "$tmp/arcs.calls")"
}
port x86_64
port riscv64

# AArch64: a kernel of two functions, whose calls are known.
cat >"$tmp/arm.c" <<'END'
__asm__(".global _start\n_start: ldr x0, =0x48000000\nmov sp, x0\nbl work\n"
	"ldr x0, =0x84000008\nhvc #0\n");
volatile int sum;
__attribute__((noinline)) void leaf(void) { sum++; }
void (*volatile pointer)(void) = leaf;
void work(void) { for (int i = 0; i < 1000; i++) { leaf(); pointer(); } }
END
aarch64-linux-gnu-gcc -O1 -ffreestanding -nostdlib -static -Wl,-Ttext=0x40100000 \
	-o "$tmp/arm.elf" "$tmp/arm.c" 2>"$tmp/says"
timeout 120 "$b/gnomon" record -o "$tmp/short" -g "$tmp/arcs" -- qemu-system-aarch64 -M virt \
	-cpu cortex-a53 -display none -kernel "$tmp/arm.elf" >>"$tmp/says" 2>&1 </dev/null
has "$(cat "$tmp/says")" ', 0 went to no known call' 'R4: aarch64: all returns go to calls'
"$b/gnomon" report -g -n 0 -i "$tmp/arm.elf" "$tmp/arcs" >"$tmp/graph"
is "$(calls work leaf <"$tmp/graph")" 2000/2000 'R2: aarch64: calls'

# RISC-V: firmware of its own, whose timer interrupts the kernel anywhere, also as it returns.
cat >"$tmp/firmware.s" <<'END'
	.globl _start, timer
	.type timer, @function
_start:	la t0, timer
	csrw mtvec, t0
	la t0, stack
	csrw mscratch, t0
	li t0, -1
	csrw pmpaddr0, t0
	li t0, 0x1f
	csrw pmpcfg0, t0
	li t0, 0x80
	csrw mie, t0
	li t0, 0x1800
	csrc mstatus, t0
	li t0, 0x800
	csrs mstatus, t0
	li t0, 0x80200000
	csrw mepc, t0
	mret
timer:	csrrw sp, mscratch, sp
	sd t0, -8(sp)
	sd t1, -16(sp)
	li t0, 0x200bff8
	ld t1, 0(t0)
	addi t1, t1, 3
	li t0, 0x2004000
	sd t1, 0(t0)
	ld t1, -16(sp)
	ld t0, -8(sp)
	csrrw sp, mscratch, sp
	mret
	.size timer, . - timer
	.space 64
stack:
END
cat >"$tmp/riscv.c" <<'END'
__asm__(".global _start\n_start: li sp, 0x80400000\ncall work\nli t0, 0x100000\nli t1, 0x5555\n"
	"sw t1, 0(t0)\n.global start_end\nstart_end: trap: j trap\n");
volatile int sum;
__attribute__((noinline)) void leaf(void) { sum++; }
__attribute__((noinline)) void branch(void) { leaf(); leaf(); sum++; }
__attribute__((noinline)) void stop(void)
	{ for (;;) *(volatile int *)0x100000 = 0x5555; }
void work(void) { for (int i = 0; i < 20000; i++) branch(); stop(); }
END
for part in firmware.s riscv.c; do
	at=0x80000000
	[ "$part" = firmware.s ] || at=0x80200000
	riscv64-linux-gnu-gcc -g -O1 -march=rv64g -mabi=lp64d -mcmodel=medany -ffreestanding \
		-nostdlib -static -Wl,--build-id=none -Wl,-Ttext="$at" -o "$tmp/${part%.*}.elf" "$tmp/$part"
done >"$tmp/says" 2>&1
timeout 120 "$b/gnomon" record -o "$tmp/short" -g "$tmp/arcs" -- \
	qemu-system-riscv64 -M virt -display none -serial none -monitor none \
	-icount shift=0,sleep=off -bios "$tmp/firmware.elf" -kernel "$tmp/riscv.elf" \
	>>"$tmp/says" 2>&1 </dev/null
has "$(cat "$tmp/says")" 'of 60000 returns, 0 began a thread, 0 were jumps, 0 went to no known call' \
	'R2: firmware interrupts returns, and all go to calls'
"$b/gnomon" report -g -n 0 -i "$tmp/riscv.elf" "$tmp/arcs" >"$tmp/graph"
is "$(calls branch leaf <"$tmp/graph")" 40000/40000 'R2: with their callers'
"$b/gnomon" report -n 0 -o csv "$tmp/short" >"$tmp/functions" 2>&1
is "$(grep -c 'firmware.*timer' "$tmp/functions")" 1 'R6: the firmware has names' "$(cat "$tmp/functions")"
is "$(sed -n 's/^\([^#;]*;[^;]*\);.*/\1/p' "$tmp/short" | sort -u | tr '\n' ' ')" \
	'firmware;[kernel] guest;[kernel] ' 'R6: and what is not the kernel is all of it'
has "$("$b/gnomon" report --lines "$tmp/short" 2>&1)" "where $(realpath "$tmp/firmware.elf") has no function" \
	'R6: nor has what ran before it'
has "$(cat "$tmp/says")" 'of 60002 calls, 2 did not return' 'R2: and calls from which nothing came back'

# refused STATUS MESSAGE ARGUMENT...: a command that says what is wrong
refused() {
	wanted=$1 text=$2
	shift 2
	"$b/gnomon" record -o "$tmp/none" "$@" >"$tmp/says" 2>&1 </dev/null
	is "$?" "$wanted" "R1: status $wanted: $text"
	has "$(cat "$tmp/says")" "$text" "R1: it says: $text"
}
printf '#!/bin/sh\necho "$0: -plugin: invalid option" >&2; exit 1\n' >"$tmp/odd"
cat >"$tmp/killed" <<END
#!/bin/sh
"$qemu" -S -pidfile "$tmp/pid" "\$@" &
while [ ! -s "$tmp/pid" ] && kill -0 \$!; do sleep 0.1; done
kill -9 \$!
exit 1
END
printf '#!/bin/sh\necho >"$0.$$"\nexec %s "$@"\n' "$qemu" >"$tmp/ran"
chmod +x "$tmp/odd" "$tmp/killed" "$tmp/ran"
refused 2 'a command of QEMU'
for half in one other; do
	printf 'static int __attribute__((used, noinline)) step(int n) { return n; }\nint %s(void) { return step(1); }\n' \
		"$half" >"$tmp/$half.c"
done
"${cross}gcc" -O1 -nostdlib -static -Wl,-e,one "$tmp/one.c" "$tmp/other.c" -o "$tmp/two.elf" || exit 1
refused 1 'give the address of one' -b step -- "$qemu" -kernel "$tmp/two.elf"
refused 1 "'step (one.c)' at 0x" -e step -- "$qemu" -kernel "$tmp/two.elf"
# Its own name is accepted: what is wrong comes later.
refused 1 'no such functions' -b 'step (other.c)' -F "$tmp/none" -p 'step (o*.d)' \
	-- "$qemu" -kernel "$tmp/two.elf"
refused 1 'did not load' -b 'step (one.c)' -e 'step (other.c)' -F "$tmp/none" \
	-p 'step (one.c)' -- "$qemu" -no-such-option -kernel "$tmp/two.elf"
refused 1 'have no -kernel' -- "$qemu" -display none
refused 1 'not an ELF file' -P README.md -- "$qemu" -kernel "$kernel"
refused 1 'choice' -P /bin/true -- "$qemu" -kernel "$kernel"
refused 1 'No such file' -P "$tmp/nobody" -- "$qemu" -kernel "$kernel"
refused 1 'has no symbols' -i /bin/true -- "$qemu" -display none
refused 1 'not an ELF file' -- "$qemu" -display none -kernel README.md
refused 1 'prints them; --image names' -- "$qemu" -display none -kernel README.md
refused 1 'not with KVM' -- "$qemu" -enable-kvm -kernel "$kernel"
refused 1 'not with KVM' -- "$qemu" -M pc,accel=kvm -kernel "$kernel"
refused 1 'have to take turns' -x -- "$qemu" -smp 2 -kernel "$kernel"
refused 1 'No such file' -- "$tmp/nobody" -kernel "$kernel"
refused 1 'did not load the plugin' -- "$qemu" -no-such-option -kernel "$kernel"
# What cannot be written is said before anything runs.
refused 1 'nowhere/line: No such file' -F "$tmp/nowhere/line" -- "$tmp/ran" -kernel "$kernel"
refused 1 'nowhere/arcs: No such file' -g "$tmp/nowhere/arcs" -- "$tmp/ran" -kernel "$kernel"
refused 1 'No such file' -o "$tmp/nowhere/paths" -- "$tmp/ran" -kernel "$kernel"
is "$(ls "$tmp"/ran.*)" '' 'R1: and QEMU is not started'
refused 2 'stands after --' "$qemu" -kernel "$kernel"
refused 1 'did not load the plugin' -F "$tmp/none" -p kmain -- "$tmp/odd" -kernel "$kernel"
refused 1 'it was killed' -- "$tmp/killed" -display none -kernel "$kernel"
refused 1 "no such function" -b nowhere -- "$qemu" -kernel "$kernel"
refused 1 "a symbol or an address expected" -e 0xyz -- "$qemu" -kernel "$kernel"
refused 2 "--coverage is of the whole run" -b kmain -c "$tmp/none" -- "$qemu" -kernel "$kernel"
refused 2 'of --functions' -p 'vm_*' -- "$qemu" -kernel "$kernel"
refused 1 'no such functions' -F "$tmp/none" -p 'no*where' -- "$qemu" -kernel "$kernel"
refused 1 'FUNCTION:INSTRUCTIONS expected' -F "$tmp/none" -l kmain -- "$qemu" -kernel "$kernel"
refused 2 'entries and returns expected' -n none -- "$qemu" -kernel "$kernel"
refused 2 'million instructions expected' -m -1 -- "$qemu" -kernel "$kernel"
refused 2 'instructions expected' -s 0 -- "$qemu" -kernel "$kernel"
refused 2 '--sample excludes' -s 100 -x -- "$qemu" -kernel "$kernel"
refused 2 'seconds expected' -f 3h -- "$qemu" -kernel "$kernel"
refused 2 'seconds expected' -f soon -- "$qemu" -kernel "$kernel"
[ ! -e "$tmp/none" ]
ok $? 'R1: and writes nothing'

# Symbols as nm prints them, of which some are elsewhere; and of a kernel that moved, by pretence.
"${cross}nm" "$kernel" >"$tmp/map"
"${cross}objcopy" --change-addresses 0x4000 "$kernel" "$tmp/moved.elf"
"${cross}nm" "$tmp/moved.elf" >"$tmp/moved"
for at in 'map 0' 'moved -16384' 'moved 0'; do
	"$b/gnomon" record -i "$tmp/${at% *}" --offset="${at#* }" -b kmain -e sched_loop -o "$tmp/short" \
		-m 30 -- "$qemu" -display none -kernel "$kernel" -initrd "$b/initrd.cpio" \
		-append idle=poll >"$tmp/says" 2>&1 </dev/null
	"$b/gnomon" report -f -n 0 -o csv "$tmp/short" 2>&1 | cut -d , -f 2 >"$tmp/functions"
	case $at in
	'map 0') hottest=$(sed -n 2p "$tmp/functions") && grep -q '^cpio_unpack' "$tmp/functions" ;;
	'moved 0') [ "$(sed -n 2p "$tmp/functions")" != "$hottest" ] ;;
	*) [ "$(sed -n 2p "$tmp/functions")" = "$hottest" ] ;;
	esac
	ok $? "R9: symbols as nm prints them: $at" "$(cat "$tmp/says")"
done
"$b/gnomon" record -i "$tmp/moved.elf" -o "$tmp/short" -m 30 -- "$qemu" -display none \
	-kernel "$kernel" -initrd "$b/initrd.cpio" -append idle=poll >"$tmp/says" 2>&1 </dev/null
"$b/gnomon" report -f -n 0 -o csv "$tmp/short" | cut -d , -f 2 >"$tmp/functions"
has "$(cat "$tmp/says")" 'which was found: as with --offset=-0x4000' 'R9: a kernel that moved is found'
grep -q '^cpio_unpack' "$tmp/functions"
ok $? 'R9: with its functions' "$(cat "$tmp/says")"
"$b/gnomon" record -q -i "$tmp/map" --offset=0x10000000 -m 5 -o "$tmp/short" -- "$qemu" -display none -kernel "$kernel" \
	>"$tmp/says" 2>&1 </dev/null
has "$(cat "$tmp/says")" 'or it moved itself' 'R9: an image that is not what runs is noticed'
refused 1 'none: No such file' -w "$tmp/none" -- "$qemu" -kernel "$kernel"
refused 2 'number of bytes' --offset=far -- "$qemu" -kernel "$kernel"

"$b/gnomon" record -f 1 -o "$tmp/short" -- "$qemu" -display none -kernel "$kernel" \
	-initrd "$b/initrd.cpio" >"$tmp/says" 2>&1 </dev/null
is "$? $(grep -c ' instructions, ' "$tmp/says")" '0 1' 'R1: --for ends the machine'
"$b/gnomon" record -m 3 -P "$GNOMON_BUILD/bin/seq" -o "$tmp/short" -F "$tmp/line" \
	-l sys_write:3000 -- "$qemu" -display none -kernel "$kernel" \
	-initrd "$b/initrd.cpio" >"$tmp/says" 2>&1 </dev/null
ran=$(sed -n 's/.*: \([0-9]*\) instructions, .*/\1/p' "$tmp/says")
[ "$ran" -ge 3000000 ] && [ "$ran" -lt 40000000 ]
ok $? 'R1: so do as many instructions as are wanted' "$(cat "$tmp/says")"
# What the plugin writes of a guest with too many paths, which take some 260 MB.
cat >"$tmp/many" <<'END'
#!/bin/sh
for a; do case $a in *,out=*) out=${a#*,out=} ;; esac; done
printf 'begun\nend 0 0 0 0 0 7\n' >"${out%%,*}"
END
chmod +x "$tmp/many"
has "$("$b/gnomon" record -q -o "$tmp/none" -- "$tmp/many" -kernel "$kernel" 2>&1)" \
	'there were more than 7 call paths: what ran on others counts for shorter ones' 'H14: too many paths are told'
has "$(cat "$tmp/says")" '--longer sys_write:3000: no call took longer' 'R8: a limit that was not reached is named'
has "$(cat "$tmp/says")" "$GNOMON_BUILD/bin/seq: no process was known to be this program" \
	'R6: a program that does not run is named'
is "$(grep -c 'did not return' "$tmp/says")" 0 'R2: with programs, returns are not of the kernel alone'
# With samples the time line is the same.
for sampled in '' '-s 1000'; do
	# shellcheck disable=SC2086 # two words
	"$b/gnomon" record -q $sampled -m 30 -n 1000000 -p "k*" -o "$tmp/short" -F "$tmp/line$sampled" -- \
		"$qemu" -display none -kernel "$kernel" -initrd "$b/initrd.cpio" \
		-icount shift=3,sleep=off >"$tmp/cmp" 2>&1 </dev/null
done
grep -v "^#" "$tmp/line" | head -n 5000 >"$tmp/wanted"
grep -v "^#" "$tmp/line-s 1000" | head -n 5000 | cmp - "$tmp/wanted" >>"$tmp/cmp"
ok $? 'R8: samples leave nothing out of the time line' "$(cat "$tmp/cmp")"
is "$(wc -l <"$tmp/wanted")" 5000 'R8: of which there is much'
mkdir "$tmp/bare"
cp "$GNOMON_BUILD/gnomon.elf" "$tmp/bare"
GNOMON_BUILD=$tmp/bare "$b/gnomon" record -- "$qemu" -kernel "$kernel" >"$tmp/says" 2>&1
has "$? $(cat "$tmp/says")" "record.so: No such file or directory: \`make' makes it" \
	'R1: a plugin that is not built is named'
# The machine's time is that of its instructions, which are all where it polls, and of its waits.
for idle in poll halt; do
	"$b/gnomon" record -f 700ms -o "$tmp/short" -- "$qemu" -display none -kernel "$kernel" \
		-initrd "$b/initrd.cpio" -append idle=$idle -icount shift=3,sleep=off \
		>"$tmp/says" 2>&1 </dev/null
	sed -n 's/.*: \([0-9]*\) instructions, .*/\1/p' "$tmp/says" |
		awk -v idle=$idle '{ ms = 8 * $1 / 1000000; exit idle == "poll" ? ms < 700 || ms > 2800 : ms < 100 || ms > 600 }'
	ok $? "R1: --for is in the machine's time, idle=$idle" "$(cat "$tmp/says")"
done
for signal in INT TERM; do
	rm -f "$tmp/short" "$tmp/console"
	env --default-signal=INT "$GNOMON_BUILD/gnomon" record -o "$tmp/short" -- "$qemu" \
		-display none -serial "file:$tmp/console" -kernel "$kernel" -initrd "$b/initrd.cpio" \
		>"$tmp/says" 2>&1 </dev/null &
	for _ in $(seq 600); do
		[ -s "$tmp/console" ] && break
		sleep 0.1
	done
	kill -$signal $!
	wait $!
	is "$? $(grep -c '^# instructions=[1-9]' "$tmp/short")" '0 1' \
		"R1: SIG$signal ends the machine, and the profile is written"
done
finish
