#!/usr/bin/expect -f
# The guest's top, at the console and in batch: it shows what is busy, and restores everything
# afterwards.
# Needs: tests/host/faults.so
source [file dirname $argv0]/console.tcl
# All that a program draws is looked at, which is more than what expect keeps by itself.
match_max -d 1000000

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

# ---- the host's: H4

# Start it on a terminal of its own, of so many lines and columns.
proc host {lines columns args} {
	global b dir spawn_id spawn_out
	spawn -noecho sh -c "trap : INT; stty rows $lines columns $columns; stty -g >$dir/a
		$args $b/gnomon top -d 0.1 -q $dir/qmp; echo \$? >$dir/status; stty -g >$dir/b"
}

# Send the keys, wait for a drawing that matches, and return the whole screen, without what moves
# the cursor, and attributes, which are kept apart.
proc drawn {pattern {keys ""}} {
	global spawn_id attributes
	send -- $keys
	for {set i 0} {$i < 50} {incr i} {
		expect -re {\x1b\[1H([^\x01]*?)\x1b\[J\x1b\[[0-9]+H([^\x1b]*)\x1b} {
			set screen "$expect_out(1,string)\n$expect_out(2,string)"
			regsub -all {\x1b\[0m\x1b\[K} $screen "" screen
			regsub -all {\x1b\[\d+H} $screen "\n" screen
			set attributes [regexp -all -inline {\x1b\[\d+m} $screen]
			regsub -all {\x1b\[\d*m} $screen "" plain
			if {[regexp $pattern $plain]} { return $plain }
		} timeout { return "timeout" } eof { return "eof" }
	}
	return "never drawn"
}

set env(TERM) xterm
set console $spawn_id
send "echo start >/dev/kpctl\r"
wants "gnomon% " "kprof is on"
send "cat /dev/zero >/dev/null &\r"
wants "gnomon% " "and something to do"
host 20 70
set screen [drawn {user_copy}]
set sums ""
foreach {- kernel outside idle - lost} [regexp -all -inline \
	{kernel +([\d.]+) %  outside +([\d.]+) %  idle +([\d.]+) %(  lost +([\d.]+) %)?} $screen] {
	append sums " [expr {round(10 * ($kernel + $outside + $idle + ($lost eq "" ? 0 : $lost)))}]"
}
ok [string equal $sums ""] "H4 gnomon top: narrow lines have letters" $screen
regexp {cpu0 k +([\d.]+)  o +([\d.]+)  i +([\d.]+)(?:  l +([\d.]+))?} $screen - k o i l
ok [expr {round(10 * ($k + $o + $i + ($l eq "" ? 0 : $l))) == 1000}] \
	"H4 shares of a processor add up to 100 %" $screen
set long 0
foreach line [split $screen "\n"] { incr long [expr {[string length $line] > 70}] }
ok [expr {$long == 0 && [llength [split $screen "\n"]] <= 20}] "H4 all fits the terminal" $screen
set screen [drawn {by share  only "user_c"} "/user_c\r"]
ok [regexp {function\n +\d+\.\d +\d+  user_c\w+\n\n} $screen] "H4 / shows what has these letters" $screen
set screen [drawn {ticks since} "\r"]
ok [regexp {user_copy, .*: \d+ ticks since.*\n +\d+ +\d+\.\d.* +\d+  c01[0-9a-f]{5}  rep movs} $screen] \
	"H4 Return shows the hot instructions of the function" $screen
ok [regexp {by share} [drawn {%cpu} "\r"]] "H4 and goes back"
ok [regexp {by name} [drawn {by name} "s"]] "H4 s sorts by another key"
set screen [drawn {function\n +[\d.]+ +\d+  [a-tv-z].* by name$} "\x1b"]
set names ""
foreach {- name} [regexp -all -inline {\n +[\d.]+ +\d+  (\w+)(?=\n)} $screen] { lappend names $name }
ok [expr {[llength $names] > 1 && $names eq [lsort $names]}] \
	"H4 Escape shows all again, here by name" $screen
set screen [drawn {standing still} " "]
ok [string equal $screen [drawn {standing still} "\x0c"]] "H4 space has it stand still" $screen
ok [regexp {q, \^C +leave} [drawn {\^C} "?"]] "H4 ? lists the keys"
drawn {%cpu} "?"
exec stty rows 30 columns 110 <$spawn_out(slave,name)
set screen [drawn {\[}]
ok [regexp {cpu0 \[[#= -]{40}\] kernel } $screen] "H4 it is drawn anew when the terminal is resized" $screen
set child [lindex [exec cat /proc/[exp_pid]/task/[exp_pid]/children] 0]
exec kill -TSTP $child
wants "\x1b\[?1049l" "H4 while it is stopped, the terminal is as it was"
# It stops itself then; what goes on before it has is not stopped any more.
exec timeout 60 sh -c "until grep -q '^State:.T' /proc/$child/status; do sleep 0.05; done"
exec kill -CONT $child
wants "\x1b\[?1049h" "H4 and then its own again"
send "\x03"
wants "\x1b\[?1049l" "H4 ^C leaves"
expect eof
catch wait
ok [expr {[exec cat $dir/status $dir/a] eq "0\n[exec cat $dir/b]"}] "H4 with status 0, and all as it was"
host 20 100
drawn {user_copy}
ok [regexp {\[31m.*\[7m} $attributes] "H4 there are colours" $attributes
send "q"
expect eof
catch wait
host 20 100 NO_COLOR=1
drawn {user_copy}
ok [expr {[regexp {\[7m} $attributes] && ![regexp {\[3} $attributes]}] "H4 NO_COLOR: there are none" $attributes
send "q"
expect eof
catch wait
spawn -noecho sh -c "TERM=dumb $b/gnomon top -d 0.1 -n 2 -q $dir/qmp"
expect eof
ok [expr {![string match "*\x1b*" $expect_out(buffer)] && [regexp -all {function} $expect_out(buffer)] == 2}] \
	"H4 TERM=dumb: plain lines" $expect_out(buffer)
catch wait
set spawn_id $console
send "kill \$apid; echo stop >/dev/kpctl\r"
wants "gnomon% " "that is all"

# ---- which signals end wherever it is: H3, B11

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
