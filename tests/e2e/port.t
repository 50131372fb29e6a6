#!/bin/sh
# The profilers in another kernel, tests/port, and the examples of prof(9): what they count
# there is known exactly, or by how long each function runs.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
b=$(realpath "$b")

# here NUMBER: an example, with this build folder and ours for what it makes
here() {
	example docs/man/9/prof.9 "$1" | sed "s|build/port|$tmp/port|g; s|\$PWD||; s|build/|$b/|g" |
		env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL CROSS="$cross" sh
}

{
	printf '#include "prof/prof_hooks.h"\nvoid *zeroed_memory(size_t n);\nvoid free_memory(void *p);\n'
	example docs/man/9/prof.9
} >"$tmp/hooks.c"
"${cross}gcc" -m32 -ffreestanding -Wall -Wextra -Werror -I. -c "$tmp/hooks.c" \
	-o "$tmp/hooks.o" 2>"$tmp/said"
ok $? 'the page'\''s hooks compile' "$(cat "$tmp/said")"
is "$("${cross}nm" "$tmp/hooks.o" | grep -c ' T prof_hook_')" \
	"$(grep -c '^[^ ].*prof_hook_[a-z]*(' prof/prof_hooks.h)" 'and none is missing'

# If the hooks are instrumented like all else, those that mcount calls still must not be.
"${cross}gcc" -m32 -ffreestanding -fno-pic -O2 -pg -mfentry -I. -S "$tmp/hooks.c" \
	-o "$tmp/hooks.s"
awk '/^prof_hook_/ { f = $1 } /__fentry__/ { print f }' "$tmp/hooks.s" >"$tmp/instrumented"
grep -q '^prof_hook_alloc:$' "$tmp/instrumented" &&
	! grep -q '_cpu:\|_arcs:' "$tmp/instrumented"
ok $? 'hooks that mcount calls are never instrumented' "$(cat "$tmp/instrumented")"

# A6: what the README names is there.
grep -o '\(prof\|PROF\)_[a-zA-Z0-9_]*' prof/README.md | grep -v '^PROF_[A-Z_]*_$' | sort -u |
	grep -v 'prof_local\|prof_all\|prof_dir\|prof_inc\|PROF_OBJ\|PROF_SRC' | while read -r name; do
	grep -rqw "$name" prof --include='*.[chS]' || find prof -name "$name.[ch]" | grep -q . ||
		echo "$name"
done >"$tmp/unknown"
is "$(cat "$tmp/unknown")" '' 'A6 prof/README.md names nothing that is not there'

# A12: the patches are our lines alone, each for a commit, and use what prof/ has today.
for patch in prof/examples/*.patch; do
	name=${patch##*/}
	grep -q "\`$name\` | [0-9a-f]\{40\} " prof/examples/README.md || echo "$name: of no commit"
	grep -n '^[ -]' "$patch" | grep -v '^[0-9]*:--- ' | sed "s/^/$name: not ours: /"
	grep '^+' "$patch" | grep -o '\(prof\|PROF\)_[a-zA-Z0-9_]*' | sort -u |
		grep -v 'prof_local' | while read -r word; do
		grep -rqw "$word" prof --include='*.[chS]' || find prof -name "$word.[ch]" | grep -q . ||
			grep -rqw "define $word\|$word;" "$patch" || echo "$name: $word"
	done
done >"$tmp/unknown"
is "$(cat "$tmp/unknown")" '' \
	'A12 the examples name nothing that is not there, and have our lines alone'

here 2 >"$tmp/out" 2>"$tmp/said"
is "$(cat "$tmp/said")" '' 'the kernel is built and ends well, and its data are read'

# ms FUNCTION: its milliseconds in kprof's report
ms() { awk -v f="$1" '$3 == f && NF == 3 { n = int($1) } END { print n + 0 }' "$tmp/out"; }

# shares LOW HIGH: heavy() takes so many per cent of light(): 15,000,000 and 6,000,000 iterations
shares() {
	ratio=$(($(ms heavy) * 100 / ($(ms light) + 1)))
	[ "$ratio" -ge "$1" ] && [ "$ratio" -le "$2" ]
	ok $? "$h: kprof: time is where it is spent" "heavy takes $ratio % of light"
}

# counted FILE ROUNDS WHOSE: how often each caller called whom, with so many rounds of work
pairs() {
	for pair in work.both both.light both.heavy deep.light work.step; do
		calls "${pair%.*}" "${pair#*.}" <"$1"
	done
}
counted() {
	is "$(pairs "$1")" "$(($2 * 5))/$(($2 * 5))
$(($2 * 5))/$(($2 * 6))
$(($2 * 5))/$(($2 * 5))
$2/$(($2 * 6))
$(($2 * 200))/$(($2 * 200))" "$h: $3: calls by caller, and very many of them"
}

# recursed FILE ROUNDS: gprof shows how often deep() called itself
recursed() {
	is "$(calls deep deep <"$1")" "$(($2 * 3))" "$h: gprof: recursion"
}

# ticks: how many kprof has
ticks() { awk '/^total:/ { print $2 }' "$tmp/out"; }

# paths FILE: folded paths are those of the work, and as many as kprof has ticks. Of what
# heavy() and light() run, 20 parts of 21 are below both(); how long a call takes beside them is the machine's.
paths() {
	below=$(awk '/;work;both;(heavy|light) / { n += $NF } END { print n + 0 }' "$1")
	loops=$(awk '/^total:/ { n = $2 / $4 }
		($3 == "heavy" || $3 == "light") && NF == 3 { t += $1 }
		END { printf "%.0f", n * t }' "$tmp/out")
	[ "$below" -ge $((loops * 9 / 10)) ] && [ "$below" -le "$loops" ]
	ok $? "$h: kpstack: nearly all of heavy and light is below both" "$below of $loops"
	grep -q ';run;work;deep;deep;deep;deep;light [0-9]*$' "$1"
	ok $? "$h: kpstack: each call of a recursion" "$(cat "$1")"
	grep -q ';run;work;quiet [0-9]*$' "$1"
	ok $? "$h: kpstack: a function without a frame has its caller" "$(cat "$1")"
	is "$(awk '{ n += $NF } END { print n }' "$1")" "$(ticks)" \
		"$h: kpstack: as many ticks as kprof has"
}

# programs FILE: ticks in the program, whose registers lead nowhere, are counted and not followed
programs() {
	grep -q '^kernel;\[user\];[^;]* [1-9][0-9]*$' "$1" && ! grep -q '\[user\];.*;' "$1"
	ok $? "A10 $h: kpstack: a program of which no path is followed" "$(cat "$1")"
	[ "$h" = posix ] || grep -q '^kernel;\[kernel\];program_[a-z]*;serve [1-9][0-9]*$' "$1"
	ok $? "A10 $h: kpstack: what it calls" "$(cat "$1")"
}

# unnamed PATHS FILE: what is said of the program in paths, of which there is no file
unnamed() {
	! grep -q '^kernel;\[user\];kernel:?' "$1" ||
		echo "gnomon export: $2: the functions of kernel are not named, for no file of that name was found; give it with --image"
}

h=i386
shares 240 260
counted "$tmp/out" 1000 gprof
recursed "$tmp/out" 1000
here 3 >"$tmp/paths" 2>"$tmp/said"
is "$(cat "$tmp/said")" "$(unnamed "$tmp/paths" "$tmp/port/kpstack")" 'paths are given names'
paths "$tmp/paths"
programs "$tmp/paths"
here 4 >"$tmp/graph" 2>"$tmp/said"
is "$(cat "$tmp/said")" '' 'gmon.out: gnomon reports calls'
counted "$tmp/graph" 1000 gnomon

# whole ELF: text ends where a cell of gmon's does, for gprof leaves out what is beyond the end
whole() {
	is "$(readelf -sW "$1" | awk '$8 == "etext" { print substr($2, length($2)) }' | tr 48c 000)" 0 \
		"$h: gprof: the last cell is whole"
}
h=gnomon
whole "$b/gnomon.elf"

# host NAME [VARIABLE=VALUE...]: build and run a host in $o.
host() {
	h=$1
	o=$tmp/$h
	shift
	mkdir -p "$o"
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C tests/port WERROR=-Werror O="$o" \
		HOST="${h%-*}" "$@" run >"$o/said" 2>&1
	is "$(cat "$o/said")" '' "A7 $h: the host is built, and ends well"
	[ ! -s "$o/said" ]
}

# made GPROF ROUNDS LOW HIGH: what the host in $o has left is right, and everybody reads it.
made() {
	"$b/kprof" "$o/example.elf" "$o/kpdata" >"$tmp/out" 2>"$o/said"
	is "$(cat "$o/said")" '' "A7 $h: kprof reads kpdata"
	shares "$3" "$4"
	[ "$(ms prof_mcount)" -le $(($(ticks) / 100)) ]
	ok $? "A5 $h: the fast path is taken" "prof_mcount takes $(ms prof_mcount) ms"
	"$1" -b "$o/example.elf" "$o/gmon.out" >"$o/calls" 2>"$o/said"
	is "$(cat "$o/said")" '' "A7 $h: $1 reads gmon.out"
	counted "$o/calls" "$2" gprof
	recursed "$o/calls" "$2"
	[ "$h" = posix ] || whole "$o/example.elf"
	"$b/gnomon" report -g -i "$o/example.elf" "$o/gmon.out" >"$o/graph" 2>"$o/said"
	is "$(cat "$o/said")" '' "A7 $h: gnomon report reads gmon.out"
	counted "$o/graph" "$2" gnomon
	"$b/gnomon" export -i "$o/example.elf" -o - "$o/kpstack" >"$o/paths" 2>"$o/said"
	is "$(cat "$o/said")" "$(unnamed "$o/paths" "$o/kpstack")" "A7 $h: gnomon export reads kpstack"
	paths "$o/paths"
	sed 's/^kernel;/sh;/' "$o/kpstack" >"$o/named"
	"$b/gnomon" export -i "$o/example.elf" -o - "$o/named" 2>"$o/said" | sed 's/^sh;/kernel;/' |
		sed 's/\];sh:?/];kernel:?/' | cmp - "$o/paths" >>"$o/said" 2>&1
	is "$(cat "$o/said")" '' "A8 $h: nor does a process that is called like one of ours mislead it"
	"$b/gnomon" report --html "$o/page.html" -i "$o/example.elf" "$o/kpstack" >"$o/said" 2>&1
	grep -q heavy "$o/page.html"
	ok $? "A7 $h: gnomon report --html makes a page" "$(cat "$o/said")"
	programs "$o/paths"
}

# Of two processors each does the work; an emulator runs them in turn, so their ticks are less even. On
# all of these the ticks are as far apart each time, and so are the calls: how they fall together is chance.
# Those of the process are the host's own, as seldom as its system ticks: at 100 Hz heavy() has some
# 300 samples and light() some 120, whose ratio is within these bounds but for one time in 10,000.
host x86_64 && made x86_64-linux-gnu-gprof 2000 220 280
host riscv64 && made riscv64-linux-gnu-gprof 1000 220 280
host aarch64 && made aarch64-linux-gnu-gprof 1000 220 280
host posix && made gprof 800000 165 380

# Its clock may go off less often than it is asked to: what was left out is counted. And what a tick
# takes of the stack is what the README says.
cost() { sed -n "s/^$1 //p" "$o/cost"; }
[ "$(ticks)" -ge $(($(cost cpu_ms) * 8 / 10)) ] && [ "$(ticks)" -le $(($(cost cpu_ms) * 11 / 10)) ]
ok $? "A11 $h: times are those of the process" "$(ticks) ms of $(cost cpu_ms)"
most=$(tr '\n' ' ' <prof/README.md | sed -n 's/.*a tick takes at most \([0-9]*\),\([0-9]*\) bytes of stack.*/\1\2/p')
[ "$(cost stack)" -le "$most" ] && [ "$(cost stack)" -gt 200 ]
ok $? "A11 $h: a tick takes no more stack than the README says" "$(cost stack) of $most"

# measured HOST ROUNDS ENTRY: durations of calls by the stub for that machine, with so many rounds of
# work: how often, from where, and that heavy() takes three times as long as light(); times of
# functions themselves are the time inside. Nops stand also in quiet(), which -pg does not instrument.
measured() {
	host "$1-calls" PORT=calls.c STUB=call ENTRY="$3"
	"$b/gnomon" report --calls -o csv -i "$o/example.elf" "$o/kpdata" 2>"$o/said" |
		tr -d '\r' >"$o/calls"
	is "$(cut -d, -f 2,4,5 "$o/calls" | grep '^[a-z]*,[a-z]*,[0-9]*$' | grep -v '^work,\|^quiet,' | sort)" \
		"$({
			printf "%s,$(($2 * 5))\n" both,work heavy,both light,both
			printf "%s,$2\n" deep,work light,deep
			printf "deep,deep,$(($2 * 3))\nstep,work,$(($2 * 200))\n"
		} | sort)" \
		"T7 $h: each call is counted" "$(cat "$o/said" "$o/kpdata")"
	awk -F, '$2 == "light" && $4 == "both" { light = $9 } $2 == "heavy" { heavy = $9 }
		END { exit !(heavy > 2.9 * light && heavy < 3.1 * light) }' "$o/calls"
	ok $? "T7 $h: and how long it takes" "$(cat "$o/calls")"
	awk '/^# cpu=/ { inside += substr($3, 8); lost += substr($4, 6) } !/^#/ { own += $4 }
		END { exit !(own == inside && own > 0 && lost == 0) }' "$o/kpdata"
	ok $? "T7 $h: own times add up, and none is lost" "$(cat "$o/kpdata")"
	is "$(awk '/^# cpu=/ { n += substr($4, 13) } /^# (call|return)=/ { n++ } END { print n }' "$o/kpstack")" \
		"$(awk '!/^#/ { n += 2 * $2 } END { print n }' "$o/kpdata")" \
		"T5 $h: an entry and a return of each call are recorded, of which the last ones are left"
	is "$("$b/gnomon" report -n 0 -o csv -i "$o/example.elf" "$o/kpstack" | grep -c '^[^,]*,step,')" 1 \
		"T5 $h: and how long they took is reported"
}
measured i386 1000 '-pg -mfentry-name=prof_call_entry'
measured x86_64 2000 '-pg -mfentry-name=prof_call_entry'
measured riscv64 1000 -fpatchable-function-entry=4
measured aarch64 1000 -fpatchable-function-entry=2

# A kernel may move a thread to another CPU anywhere, the stub included: no call is lost but those
# that are known, which came while the other thread, on the same CPU by then, changed its table.
host posix-migrate MIGRATE=1 ROUNDS=10000
gprof -b "$o/example.elf" "$o/gmon.out" >"$o/calls" 2>"$o/said"
is "$(cat "$o/said")" '' "A5 $h: gprof reads gmon.out"
lost=$(cost lost)
pairs "$o/calls" | awk -F/ -v most=$((20000 * 216)) -v lost="$lost" '
	{ sum += $1 } END { exit !(NR == 5 && sum <= most && sum + lost >= most && lost < most / 1000) }'
ok $? "A5 $h: calls by caller, and very many of them" "$lost lost" "$(pairs "$o/calls")"

# The same process for another machine: its calls are counted, however few its ticks are.
host posix-aarch64 TOOLS=aarch64-linux-gnu- EMULATOR=qemu-aarch64 ROUNDS=500
aarch64-linux-gnu-gprof -b "$o/example.elf" "$o/gmon.out" >"$o/calls" 2>"$o/said"
is "$(cat "$o/said")" '' "A7 $h: gprof reads gmon.out"
counted "$o/calls" 1000 gprof
recursed "$o/calls" 1000

# long [NAME=VALUE...]: build the example of host $h in $o, so that it works for longer than a test takes
long() {
	mkdir -p "$o"
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C tests/port WERROR='-Werror -DROUNDS=1000000' \
		O="$o" HOST="$h" "$@" "$o/example.elf" >"$o/said" 2>&1
	"$h-linux-gnu-objcopy" -O binary "$o/example.elf" "$o/example.bin" 2>/dev/null
}

# start QEMU [ARGUMENT...]: boot it as $guest, with a QMP socket
start() {
	timeout 100 "$@" -m 32 -display none -no-reboot -icount shift=3,sleep=off \
		-qmp "unix:$o/qmp,server=on,wait=off" >>"$o/said" 2>&1 &
	guest=$!
}

# inside NAME QEMU [ARGUMENT...]: what a host counts is read in its memory, while it works for
# longer than this takes; without its ELF file first, which says no more than names.
inside() {
	h=$1 o=$tmp/$1-inside
	shift
	long
	start "$@"
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		"$b/gnomon" top -b -n 1 -d 0.5 -q "$o/qmp" -k "$o/example.elf" >"$o/top" 2>>"$o/said"
		grep -q ' heavy$' "$o/top" && break
		sleep 0.2
	done
	grep -q '^cpu0 .* kernel 100.0 %' "$o/top" && grep -q ' light$' "$o/top"
	ok $? "A8 $h: gnomon top shows its functions" "$(cat "$o/top" "$o/said")"
	"$b/gnomon" extract -q "$o/qmp" -k none -o "$o" >"$tmp/said" 2>&1
	"$b/gnomon" extract -q "$o/qmp" -k "$o/example.elf" -o "$o/named" gmon.out >>"$tmp/said" 2>&1
	ok $? "A8 $h: gnomon extract finds its tables, by magic words and by its ELF file" \
		"$(cat "$tmp/said")"
	kill "$guest"
	wait "$guest"
	"$b/kprof" "$o/example.elf" "$o/kpdata" >"$tmp/out" 2>"$o/said"
	shares 280 320
	"$b/gnomon" report -g -i "$o/example.elf" "$o/named/gmon.out" >"$tmp/graph" 2>&1
	calls=$(calls both light <"$tmp/graph")
	[ "${calls%/*}" -gt 100 ]
	ok $? "A8 $h: gmon.out has its calls" "$(cat "$tmp/graph")"
	"$b/gnomon" export -i "$o/example.elf" -o - "$o/kpstack" >"$tmp/paths" 2>"$o/said"
	grep -q ';run;work;both;heavy [0-9]*$' "$tmp/paths"
	ok $? "A8 $h: kpstack has its paths" "$(cat "$tmp/paths")"
}
inside x86_64 qemu-system-x86_64 -kernel "$tmp/x86_64-inside/example.bin" -smp 2
inside riscv64 qemu-system-riscv64 -machine virt -bios none -serial none -monitor none \
	-kernel "$tmp/riscv64-inside/example.elf"

# three_times KPTRACE: of the two functions that call no other one takes three times as long, at best: the
# turns of the other processor, which fall into some calls, are in none of these.
three_times() {
	awk '/^# (call|return)=/ { split($3, at, ";"); now = substr(at[1], 4) }
		/^# return=/ && at[2] == entered { took = now - since
			if (!(entered in least) || took < least[entered]) least[entered] = took }
		/^# call=/ { entered = at[2]; since = now; next }
		{ entered = "" }
		END { for (f in least) { if (least[f] > most) most = least[f]
				if (!few || least[f] < few) few = least[f] }
			exit !(most > 2.9 * few && most < 3.1 * few) }' "$1"
}

# recorded NAME ENTRY QEMU [ARGUMENT...]: the same of its flight recorder, by the stub that measures
# calls: the last entries and returns, in nanoseconds, of a machine that still works.
recorded() {
	h=$1 o=$tmp/$1-recorded entry=$2
	shift 2
	long PORT=calls.c STUB=call ENTRY="$entry"
	start "$@"
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		"$b/gnomon" extract -q "$o/qmp" -k none -o "$o" kptrace >"$tmp/said" 2>&1 &&
			[ "$(grep -c '^# call=' "$o/kptrace")" -ge 1000 ] && break
		sleep 0.2
	done
	kill "$guest"
	wait "$guest"
	"$b/gnomon" report -n 0 -o csv -i "$o/example.elf" "$o/kptrace" 2>>"$tmp/said" |
		tr -d '\r' >"$tmp/out"
	awk -F, '$2 == "light" { light = $4 } $2 == "heavy" { heavy = $4 }
		END { exit !(light > 0 && heavy > 2 * light) }' "$tmp/out" && three_times "$o/kptrace"
	ok $? "T5 $h: gnomon extract finds the rings of a kernel that works" \
		"$(cat "$tmp/said" "$tmp/out"; head -n 20 "$o/kptrace")"
}
recorded x86_64 '-pg -mfentry-name=prof_call_entry' qemu-system-x86_64 \
	-kernel "$tmp/x86_64-recorded/example.bin" -smp 2
recorded riscv64 -fpatchable-function-entry=4 qemu-system-riscv64 -machine virt -bios none -serial none \
	-monitor none -kernel "$tmp/riscv64-recorded/example.elf"

# path MACHINE TOOLS MOST PROF_ENTRY [FLAG...]: from the compiler's call of the stub to its return
# there are at most so many instructions when an arc is at the head of its list.
path() {
	machine=$1 tools=$2 most=$3 entry=$4
	shift 4
	"${tools}gcc" "$@" "-DPROF_ENTRY(at)=$entry" -I. -c "prof/arch/$machine/mcount.S" \
		-o "$tmp/mcount.o" 2>"$tmp/said"
	instructions=$("${tools}objdump" -d --no-show-raw-insn "$tmp/mcount.o" | awk '
		/^[0-9a-f]* <(__fentry__|_mcount)>:/ { on = 1 }
		on && /^ / { n++ }
		on && $2 == "ret" { on = 0 }
		END { print n + (/_mcount/ ? 2 : 1) }')
	[ "$instructions" -le "$most" ] && [ "$instructions" -ge 15 ]
	ok $? "A5 $machine: an entry costs at most $most instructions $*" \
		"$instructions $(cat "$tmp/said")"
}
path i386 "$cross" 19 '%gs:8 + at' -m32 -DPROF_PREEMPT=0
path i386 "$cross" 25 '%gs:8 + at' -m32
path x86_64 x86_64-linux-gnu- 25 'movq %gs:8, at'
path riscv64 riscv64-linux-gnu- 25 'ld at, 8(tp)'
path aarch64 aarch64-linux-gnu- 25 'mrs at, tpidr_el1; ldr at, [at, 8]'
finish
