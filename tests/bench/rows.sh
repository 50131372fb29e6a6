# The rows and plots of make bench, by group. Sourced by tests/bench/run, whose functions and variables
# these use.
# shellcheck shell=sh disable=SC2154

# The figures of Linux are those of version 6.1 for 686, on one processor, with files in a tmpfs
# and without mitigations, in the same QEMU under -icount shift=0, measured by a program like bench;
# those of xv6 were measured in the same way. A page's words are taken off theirs too.
# cost NAME TITLE [TARGET [PEERS]]: a row of what bench measured, in instructions
cost() {
	name=$1 title=$2
	shift 2
	row "$title" "$(each "$name")" instructions "$@"
}

# grows NAME TITLE SIZE...: a row of how the cost follows the size, and a line of the plot
grows() {
	name=$1 title=$2
	shift 2
	row "  growth, $title" "$(growth "$name" "$@")" times 1.25
	for size; do
		point "$title" "${size:-0}" "$(each "$name$size")"
	done
}

system_calls() {
	group='System calls'
	cost getpid getpid 130 'Linux 334, xv6 1397'
	cost select 'select on 50 pipes' 2500 'Linux 6549'
	cost clock 'clock_gettime' 120 'Linux 183'
	row 'nanosleep of nothing, an idle machine' "$(of nap0 1000)" us 10 'Linux 55'
	row 'nanosleep of 1 ms' "$(of nap1 1000000)" ms 1.05 'Linux 1.15'
}

files() {
	group=Files
	cost read1 'lseek + read of 1 byte' 750 'Linux 2495'
	cost read4096 'lseek + read of 4,096 bytes' 2000 'Linux 3402'
	cost open 'open + close' 2800 'Linux 10528, xv6 153347'
	cost stat stat 2500 'Linux 8455, xv6 159868'
	cost deepstat 'stat of a path of 5 names' 4200 'Linux 9261'
	cost climb1 'stat of .., in a directory 20 deep'
	cost climb16 'stat of ../../.. and so on, 16 times' 9000 'Linux 8782'
	cost create 'create + unlink' 9000 'Linux 25949'
	cost writelarge 'writing 10 MB, 4 KB at a time, per KB' 550 'Linux 1749'
	cost readlarge 'reading them, per KB' 380 'Linux 910'
	cost hole 'reading what was never written, per KB' 370 'Linux 413'
	cost zero 'reading /dev/zero, per KB' 1500 'Linux 1804'
}

directories() {
	group=Directories
	plot='Directories of many files' xaxis=files yaxis=instructions
	cost create4000 'create + unlink among 4,000 files' 10000 'Linux 25000'
	grows create 'create + unlink, 10 to 10,000 files' 10 100 1000 4000 10000
	cost last4000 'open + close of the last of 4,000 files' 3500 'Linux 10800'
	grows last 'open + close, 10 to 10,000 files' 10 100 1000 4000 10000
	for n in 100 1000 4000 10000; do
		cost "list$n" "listing $n files, per file" 350 'Linux 524'
	done
	grows list 'listing, 10 to 10,000 files' 10 100 1000 4000 10000
	cost twice4000 'two lists of 4,000 at once, per getdents of 64' 1100
	plot='/proc beside many processes' xaxis=processes
	cost proc10 'listing /proc, 10 processes, per process' 700
	cost proc100 'the same, 100 processes' 700
	cost proc1000 'the same, 1000 processes' 700 'Linux 1500'
	grows proc 'listing, 10 to 1,000 processes' 10 100 1000
	for n in 10 100 1000; do
		cost "status$n" "reading each's status, $n processes"
	done
}

processes() {
	group=Processes
	plot='fork + exit + wait beside many processes' xaxis=processes yaxis=instructions
	cost fork 'fork + exit + wait' 13000 'Linux 188710, xv6 1978079'
	cost fork100 'the same, beside 100 processes' 13000
	cost fork1000 'the same, beside 1000 processes' 13000
	grows fork 'fork, beside 0 to 1,000 processes' '' 10 100 1000
	cost exec 'fork + exec + exit + wait, tiny program' 27000 'Linux 318845, xv6 4089214'
	cost exectrue 'the same, /bin/true'
	cost exec524288 'the same, 512 KB of text in a file that was written' 30000 'Linux 309000'
	cost exec4194304 '  4 MB of it' 30000
	cost forkdirty 'fork + exit + wait, 4 MB written before' 120000 'Linux 713636'
	plot='Beside many that wait' xaxis=processes
	cost ends1000 'end of one of 1,000 waiters on a pipe' 4500
	grows ends 'end of one, 10 to 1,000 waiters' 10 100 1000
	grows sleeps 'to begin and end one that sleeps, beside them' 10 100 1000
	row '/rc/workload as a whole' "$(millions none off)" 'million' 75
}

memory() {
	group=Memory
	plot='malloc + free in a heap of many blocks' xaxis=blocks yaxis=instructions
	row 'page fault, first touch, beyond 1,024 words' "$(beyond fault)" instructions 400 \
		'Linux 3200, xv6 3636'
	row 'page fault, copy on write, beyond them' "$(beyond copy)" instructions 400 'Linux 5000'
	cost malloc1000 'malloc + free, 1,000 blocks' 350 'Linux 877'
	cost malloc4000 'malloc + free, 4,000 blocks' 350 'Linux 905'
	cost malloc16000 'malloc + free, 16,000 blocks' 350 'Linux 921'
	grows malloc 'malloc + free, 10 to 16,000 blocks' 10 100 1000 4000 16000
	text=$(($(symbol "$b/gnomon.elf" etext) - $(symbol "$b/gnomon.elf" ktzero)))
	row "in use at the start, 1 CPU, no profiler on" "$(calc "$(used test 1) / 1024")" KB 4096
	row "  of that the initrd" "$(calc "$(wc -c <"$b/initrd.cpio") / 1024")" KB
	row "  and the kernel's image" \
		"$(calc "($(symbol "$b/gnomon.elf" ebss) - $(symbol "$b/gnomon.elf" ktzero)) / 1024")" KB
	row "  whose text is" "$(calc "$text / 1024")" KB
}

# of NAME N: what bench measured of it, for each of N
of() { calc "$(each "$1") / $2"; }

library() {
	group='C library'
	cost memmove 'memmove of 4,096 bytes, 4 bytes up' 1060 'Linux 1058'
	cost memset 'memset of 4,096 bytes' 1050 'Linux 402'
	row 'memcmp of 4,096 bytes, a byte' "$(of memcmp 4096)" instructions 0.8 'Linux 0.6'
	row 'strlen of 4,096, a byte' "$(of strlen 4096)" instructions 1.1 'Linux 2.3'
	row 'strstr in 36,000 of half as many, a byte' "$(of strstr 36000)" instructions 6
	cost sortrandom 'qsort of 20,000 numbers, an element' 480 'Linux 510'
	cost sortsorted '  that are in order' 250 'Linux 310'
	cost sortequal '  that are all equal' 250 'Linux 310'
	cost strtol 'strtol of 7 digits' 200 'Linux 256'
}

# without NAME OTHER N: what it took more than the other, in parts of N
without() { calc "($(each "$1") - $(each "$2")) / $3"; }

# grep's text is 256 KB; the shell matches a thousand times a thousand words.
commands() {
	group=Commands
	row "sh: x=(\$x \$i), 2,000 times" "$(of append 1000000)" million 30 'Linux 150'
	row 'sh: ~ with a list, a word' "$(without match matchnot 1000000)" instructions 60
	row 'sh: x=/tmp/g/*, 2,000 names' "$(of names 1000000)" million 4 'Linux 4.2'
	row 'grep -i, a byte' "$(without grepi true 262144)" instructions 12 'Linux 300'
	row 'mprof true' "$(of mprof 1000000)" million 4
	row 'mprof -m kernel true' "$(of mprofkernel 1000000)" million
	row 'cprof true' "$(of cprof 1000000)" million 2
	row 'kgmon -p' "$(without kgmon kgmonnot 1000000)" million 2
}

pipes() {
	group='Pipes and switches'
	cost pipe 'pipe, 1 byte each way, two processes' 2200 'Linux 14050, xv6 27239'
	plot='A byte to one of many readers, and back' xaxis=readers yaxis=instructions
	cost readers1000 'the same, to one of 1,000 readers' 2200 'Linux 13751'
	grows readers 'a byte to one of many readers' 1 100 1000
	cost told1 'blocked select, from a write to its return' 2500 'Linux 7302'
	cost told50 '  the same, 50 pipes' 6000
	cost pipeown 'pipe, write + read of 4,096, one process' 3300 'Linux 5119'
	cost stream 'pipe, two processes, per write of 64 KB' 50000 'Linux 79898'
	cost yield 'sched_yield between two' 500 'Linux 1177'
	row 'waits counted: more at a switch, path of 16' \
		"$(calc "($(each yieldwaits) - $(each yieldoff)) / 2")" instructions 420
}

# What ports/ has, if make ports has built it.
foreign() {
	real=$("$root/tests/bench/real" "$b")
	[ -n "$real" ] || return 0
	group='Foreign programs'
	row '/rc/real, the programs' "${real% *}" million 60 'Linux 54.7'
	row '/rc/real, the kernel for them' "${real#* }" million 5 'Linux 22.8'
}

# Only QEMU's text mode is there with -kernel: a frame buffer is what a firmware sets up.
# How many instructions a line is, with the paths of /rc/workload as they are by default.
reading() {
	group='Profilers: reading their files'
	row 'kptrace, a record' "$(value kptrace reading)" instructions 2500
	row 'kpstack, a path' "$(value kpstack reading)" instructions
	row 'kpwait, a line' "$(value kpwait reading)" instructions 2000
}

console() {
	group=Console
	row 'a line of 80 characters, on the text screen' "$(value line screen)" instructions 4000
	row 'the same at the serial port' "$(each line)" instructions
}

boot() {
	group=Boot
	row 'from entry to the prompt' "$(calc "$(cat "$out/boot") / 1000000")" million 15
}

entries() {
	group='Profilers: entries of functions'
	row "function entry, profiling off (the nop)" "$(calc "$(value off entries) / 1000")" \
		instructions 1
	row "function entry, profiling on" "$(calc "$(value on entries) / 1000")" instructions 19 \
		"NetBSD 41, FreeBSD 52, glibc 53"
	row "function entry, the kernel covered" "$(calc "$(value cover entries) / 1000")" \
		instructions 40
	row "function entry, that and gmon on" "$(calc "$(value both entries) / 1000")" \
		instructions 60
	row "function entry and return, the call measured" "$(calc "$(value calls entries) / 1000")" \
		instructions 80 "Linux 1312"
	row "the same, recorded too" "$(calc "$(value recorded entries) / 1000")" instructions 110 \
		"Linux 1312"
	row "all entries patched in, 4 CPUs" "$(calc "$(value switch test4) / 1000000")" ms 5
	row "the same, ten times as much text" "$(calc "$(value switch big4) / 1000000")" ms 50
	row "gmon adds to /rc/workload" "$(millions off gmon)" million 12
	row "/rc/workload, all calls measured" "$(overhead calls)" '% more' 65
	row "/rc/workload, all calls measured and recorded" "$(overhead recorded)" '% more' 90
}

ticks() {
	group='Profilers: ticks'
	row "kprof's share of a tick, in text" "$(value intext share)" instructions 15 \
		"Inferno 18, Linux 19"
	row "kprof's share of a tick, outside" "$(value outside share)" instructions 15 "Inferno 14"
	row "tick with kprof, interrupt to return" "$(tick ticks kprof)" instructions 97
	row "tick with kprof, ten times as much text" "$(tick big1 kprof)" instructions 97
	row "tick with kprof and a path of 16 addresses" "$(tick stacks kprof)" instructions 392
	row "tick with kprof, gmon and prf, 1000 addresses" "$(tick addresses all)" instructions 211
	row "prf's share of a tick, all symbols, 1000 Hz" \
		"$(calc "$(tick ticks prf1000) - $(tick ticks kprof1000)")" instructions 60
	row "prf's share of a tick that is a sample" \
		"$(calc "$(tick samples prf) - $(tick samples kprof)")" instructions
	row "a tick of kprof on each of 2 CPUs, 1 asleep" "$(tick test2 kprof)" instructions 140
	for n in 8 16 32; do
		row "a tick of kprof on each of $n CPUs, $((n - 1)) asleep" "$(tick test$n kprof)" \
			instructions 140
		row "  ticks lost, $n CPUs at 5000 Hz" "$(lost test$n kprof)" %
	done
	row "/rc/workload with kprof, 1000 Hz" "$(overhead kprof)" '% more' 0.1
}

# total NCPU: instructions of the fixed work; waits NCPU LINE: per cent of that line's that wait for
# locks, the median of three runs
total() { awk '{ n += $1 } END { print n }' "$out/fixed$1"; }
waits() {
	awk -v line="$2" 'FNR == line { print 100 * $2 / $1 }' "$out/waits$1".[123] | sort -n |
		awk 'NR == 2 { printf "%.1f", $1 }'
}

# grown LINE: per cent by which that line of the work of eight takes more on 8 CPUs than on 1
grown() {
	awk -v line="$1" 'FNR == line { n[FILENAME] = $1; last = $1 }
		END { printf "%.1f", 100 * (last / n[ARGV[1]] - 1) }' "$out/eight1" "$out/eight8"
}

processors() {
	group='Several CPUs'
	for n in 2 4 8 16 32; do
		row "work of 64 processes, $n CPUs instead of 1" \
			"$(calc "($(total $n) - $(total 1)) * 100 / $(total 1)")" '% more' 3
	done
	row 'a byte each way by 8 pairs, 8 CPUs instead of 1' "$(grown 1)" '% more' 10 'Linux 14'
	row 'stat by 8 processes, 8 CPUs instead of 1' "$(grown 2)" '% more' 5 'Linux 5'
	for n in 2 4; do
		i=0
		for work in pipes forks files 'page faults'; do
			i=$((i + 1))
			record '<=' 0 "waiting for locks, $work, $n CPUs" "$(waits $n $i)" % 5
		done
	done
}

programs() {
	group='Profilers: programs'
	row "coverage by prof(3), a step" "$(calc "$(value step2000 user) / 2000")" instructions 58
	row "sampling by prof(3) at 1 ms, of a program" "$(more spinsample 100)" "% more" 0.5
	row "profil(2), a tick that is a sample, counted" "$(more spinprofil 1000000)" instructions 600
}

tables_of_profilers() {
	group='Profilers: tables'
	row "the profilers' tables, of each CPU" "$(calc "$(tables "$b/gnomon.elf" 1) / 1024")" KB
	row "their formula in prof(9) is wrong by, 1 CPU" "$(formula 1)" % 1
	row "the same, 4 CPUs" "$(formula 4)" % 1
	row "a CPU more takes, those included" \
		"$(calc "($(used test 4) - $(used test 2)) / 2 / 1024")" KB
}

host() {
	group='On the host, in seconds'
	record '<=' 0 "QEMU start to prompt (median of 9)" "$("$root/tests/bench/start" "$b")" \
		seconds 0.35 "xv6 0.41, Linux 3.2"
	record '>=' 0 "reading the host's folder, TCG, no -icount" "$(rate 1)" 'MB/s' 20
	record '>=' 0 "writing to it" "$(rate 2)" 'MB/s' 20
	record '<=' 0 "report on 10 MB, 100,000 functions" "$("$root/tests/bench/report" "$b")" \
		seconds 0.50 "gprof 24"
	record '<=' 0 'QEMU under gnomon record' "$("$root/tests/bench/record" "$b")" \
		'times the time' 1.4
	record '<=' 0 '  --exact' "$("$root/tests/bench/record" "$b" -x)" 'times the time' 2
	record '<=' 0 '  --functions' "$("$root/tests/bench/record" "$b" -F /dev/null)" \
		'times the time' 2
	record '<=' 0 '  --sample 10000' \
		"$("$root/tests/bench/record" "$b" -s 10000)" 'times the time' 1.2
	record '<=' 0 '  a plugin that is called for each block, samples alone' \
		"$("$root/tests/bench/record" "$b" -plugin "$(peer block,sample=10000)")" 'times the time'
	record '<=' 0 '  a plugin that is called for each instruction, samples alone' \
		"$("$root/tests/bench/record" "$b" -plugin "$(peer insn,sample=10)")" 'times the time'
	linux=$("$root/tests/bench/linux" "$b")
	[ -z "$linux" ] || record '<=' 0 \
		'  memory of it while Linux starts, 256 MB of that the guest' "$linux" MB 500
	record '<=' 0 'report on 1,000,000 call paths' "$(value report host)" seconds 2
	record '<=' 0 '  its memory' "$(megabytes report)" MB 250
	record '<=' 0 'export of them as folded paths: its memory' "$(megabytes folded)" MB 250
	record '<=' 0 'export of them for pprof: its memory' "$(megabytes pprofall)" MB 250
	record '<=' 0 'merge of them: its memory' "$(megabytes merge)" MB 250
	record '<=' 0 '  with as many others' "$(megabytes merges)" MB
	record '<=' 0 'report --html on them' "$(value html host)" seconds 10
	record '<=' 0 '  memory for that' "$(megabytes html)" MB 500
	record '<=' 0 '  its page' "$(megabytes page)" MB 5
	record '<=' 0 '  until Chromium has opened that' "$(value page host)" seconds 2
	record '<=' 0 'report -g on 100,000 of them' "$(value callgraph host)" seconds 0.7
	record '<=' 0 'export of those for pprof' "$(value pprof host)" seconds 1.5
	record '<=' 0 'export of those for callgrind' "$(value callgrind host)" seconds 1.5
}

# peer WHAT: a plugin that does what those of others do, for what they are called
peer() { echo "$(realpath "$b/tests/bench/peers.so"),each=$1"; }

# megabytes NAME: the third column of what the host was measured with, in megabytes
megabytes() { calc "$(awk -v n="$1" '$1 == n { print $3 }' "$out/host") / 1024"; }

# rate FIRST: megabytes a second, the median of every other line from that one on
rate() { sed -n "$1~2p" "$out/seconds" | sort -n | awk 'NR == 3 { printf "%.0f", 16 / $1 }'; }

series() {
	plot='A tick of kprof, CPUs but one asleep' xaxis=CPUs yaxis='instructions a tick'
	for n in 1 2 3 4 6 8 16 32; do
		point 'kernel' $n "$(tick "test$n" kprof)"
	done
	plot='Ticks lost at 5000 Hz, CPUs but one asleep'
	yaxis='per cent of all; -icount gives the CPUs turns'
	for n in 1 2 3 4 6 8 16 32; do
		point lost $n "$(lost "test$n" kprof)"
	done
	plot='A tick of kprof by the rate' xaxis=Hz yaxis='instructions a tick'
	for n in 1000 2000 5000 10000 15000 20000; do
		point kprof $n "$(tick rates hz$n)"
	done
	plot='Ticks lost by the rate' yaxis='per cent of all'
	for n in 1000 2000 5000 10000 15000 20000; do
		point lost $n "$(lost rates hz$n)"
	done
	plot='A tick of kprof and prf, 1000 Hz' xaxis='addresses of prf' yaxis='instructions a tick'
	for n in 100 500 1000 2000 4000 8192; do
		point 'kprof + prf' $n "$(tick addresses prf$n)"
	done
	plot='All entries patched in' xaxis=CPUs yaxis=ms
	for n in 1 2 3 4 6 8 16 32; do
		point 'kernel' $n "$(calc "$(value switch "test$n") / 1000000")"
	done
	for n in 1 4; do
		point 'text x 10' $n "$(calc "$(value switch "big$n") / 1000000")"
	done
}
