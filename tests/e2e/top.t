#!/usr/bin/expect -f
# The guest's top, at the console and in batch: it shows what is busy, and restores everything
# afterwards.
source [file dirname $argv0]/console.tcl

# Return what the commands print in a machine with that many processors.
proc guest {cpus commands args} {
	global b
	set dir [exec mktemp -d]
	catch {exec $b/gnomon run -t 60 -o $dir --smp $cpus {*}$args $commands 2>@1} out
	exec rm -r $dir
	return $out
}

# Return the last whole number that the pattern finds, or -1.
proc last_of {pattern text} {
	set all [regexp -all -inline $pattern $text]
	return [expr {[llength $all] ? [lindex $all end] : -1}]
}

# ---- batch

set out [guest 1 {cat /dev/zero >/dev/null & top -n 2 -d 0.5; head -n 1 /dev/kpctl; kill $apid}]
ok [expr {[regexp -all {function} $out] == 2}] "-n 2: two tables" $out
ok [expr {[last_of {kernel +(\d+)\.} $out] >= 80}] "a processor in the kernel" $out
ok [regexp {function\n +\d+\.\d +\d+  user_copy\n} $out] "the function that gives it the zeros is the first" $out
ok [regexp {process\n *(9\d|100)\.\d +\d+ +\d+ +\d+  cat\n} $out] \
	"the process that asks for them is the first, with all the time" $out
ok [regexp {\nstop} $out] "kprof is stopped again"
ok [expr {![regexp { lost} $out]}] "no tick was lost" $out

set out [guest 1 {seq 1 1000000000 >/dev/null & top -n 1 -d 0.5; kill $apid}]
ok [expr {[last_of {user +(\d+)\.} $out] >= 50}] "a processor in a program" $out
set out [guest 4 {top -n 1 -d 1}]
ok [expr {[regexp -all {cpu\d +\|[ #=]*\|[^\n]* idle +(9\d|100)\.} $out] == 4}] \
	"four idle processors" $out
set out [guest 2 {cat /dev/zero >/dev/null & top -n 1 -d 1; kill $apid}]
ok [expr {[regexp {cpu0.*cpu1} $out] && [regexp {kernel +(8\d|9\d|100)\.} $out]}] \
	"one of two processors is busy" $out

# Where one timer serves both processors, they lose ticks when both are busy.
set out [guest 2 {seq 1 1000000000 >/dev/null & a=$apid; seq 1 1000000000 >/dev/null &
	top -n 1 -d 0.5; kill $a $apid} --append profclock=pit]
set head {^\d+ ms, \d+ ticks of 1000 us, [1-9]\d\d+ lost\n\d+\.\d % lost; fewer with profclock=lapic, }
ok [regexp $head $out] "C5 lost ticks are shown, and what to do" $out

set out [guest 1 {echo start >/dev/kpctl; top -n 1 -d 0.1 >/dev/null; head -n 1 /dev/kpctl}]
ok [string equal $out "start"] "kprof that was on stays on" $out
set out [guest 1 {top -d 3600 & sleep 0.5; head -n 1 /dev/kpctl; kill -9 $apid; sleep 0.5
	head -n 1 /dev/kpctl}]
ok [string equal $out "start\nstop"] "one that is killed leaves kprof stopped" $out
set out [guest 1 {as none top -n 1}]
ok [regexp {^top: /[a-z/]+: Permission denied} $out] "users who may not profile get an error" $out
set out [guest 1 {top -k /bin/cat; top -d 0; top -n 0; top x}]
ok [regexp {/bin/cat.*0: not within 0.05 and 3600 seconds.*0: not within 1 and .*usage: top} $out] \
	"bad arguments get an error" $out

# ---- at the console

# Check that the console is in its usual mode: lines are echoed and end with return.
proc cooked {name} {
	send "cat\r"
	expect -exact "cat"
	send "line one\r\x04"
	expect {
		-re "line one\[\r\n]+line one" { ok 1 $name }
		timeout { ok 0 $name }
	}
	wants "gnomon% " "the prompt"
}

set dir [exec mktemp -d]
spawn -noecho $qemu -kernel $b/gnomon.elf -initrd $b/initrd.cpio -cpu max -m 64 \
	-display none -no-reboot -serial mon:stdio -qmp unix:$dir/qmp,server=on,wait=off
set pid [exp_pid]
wants "gnomon% " "the prompt"
send "top\r"
wants "\x1b\[?1049h" "a screen of its own"
wants "q leaves" "a table"
wants "cpu0 |" "with the processor"
wants "cpu_idle" "and with what it does"
wants "\x1b\[H" "the next one takes its place"
wants "q leaves" "and is complete"
send "q"
wants "\x1b\[?1049l" "q leaves"
wants "gnomon% " "the prompt"
cooked "after that, lines are as before"
send "top -d 3600\r"
wants "\x1b\[?1049h" "a table that takes an hour"
send "\x03"
wants "\x1b\[?1049l" "^C leaves at once"
wants "gnomon% " "the prompt"
cooked "after that, lines are as before"
send "fn strike { line=`{ps | grep 'top -n' | head -n 1}; kill -9 \$line(1) }\r"
wants "gnomon% " "a function"
send "{sleep 3; strike} &\r"
wants "gnomon% " "is waiting"
send "top -n 100 -d 0.2\r"
wants "q leaves" "a table"
wants "gnomon% " "top is killed"
cooked "after that, lines are as before"
send "head -n 1 /dev/kpctl\r"
wants "\nstop\r" "and kprof is stopped"
wants "gnomon% " "the prompt"
send "top -b -n 2 -d 0.1\r"
wants "function" "-b at the console: a table"
wants "function" "and one after it"
wants "gnomon% " "the prompt"

# ---- the host's, which signals end wherever it is: H3, B11

# Run it on a terminal of its own with a signal just before its nth call of that kind. Return its
# status, whether the terminal is as it was, and what it said.
proc struck {call n signal} {
	global b dir
	file delete $dir/met
	set script "stty -g >$dir/a; LD_PRELOAD=$b/tests/host/faults.so FAULT='$call $n $signal' \
		FAULT_MET=$dir/met $b/gnomon top -n 3 -d 0.05 -q $dir/qmp 2>$dir/said
		echo \$? >$dir/status; stty -g >$dir/b"
	spawn -noecho sh -c $script
	expect eof
	catch wait
	set screen [regexp -all {\x1b\[\?1049h} $expect_out(buffer)]
	set back [regexp -all {\x1b\[\?1049l} $expect_out(buffer)]
	set same [expr {[exec cat $dir/a] eq [exec cat $dir/b] && $screen == $back}]
	return [list [exec cat $dir/status] $same [exec cat $dir/said]]
}

set console $spawn_id
file mkdir $dir/tmp
set env(TMPDIR) $dir/tmp
foreach {call signal wanted say} {recv INT 0 "" recv TERM 0 "" poll INT 0 "" poll HUP 129 Hangup
	write INT 0 ""} {
	set wrong ""
	set met 0
	for {set at 1} {$at < 500} {set at [expr {$at < 8 ? $at + 1 : $at * 3 / 2}]} {
		set got [struck $call $at $signal]
		if {![file exists $dir/met]} break
		incr met
		if {$got ne [list $wanted 1 $say]} { append wrong "\n$at: $got" }
	}
	ok [expr {$met > 1 && $wrong eq ""}] \
		"H3 gnomon top: SIG$signal at any $call leaves, with the terminal as it was" "$met$wrong"
	ok [expr {$got eq [list 0 1 ""]}] "H3 the round without one ends well" $got
}
ok [expr {[glob -nocomplain $dir/tmp/*] eq ""}] "H3 no temporary folder is left"
set spawn_id $console
exec rm -r $dir
send "shutdown\r"
ends $pid "shutdown leaves"
finish
