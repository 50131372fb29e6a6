#!/usr/bin/expect -f
# Another machine than QEMU: the ISO boots in Bochs, on two processors, and the profilers find
# there what they find elsewhere (K8 G4 P3). Its serial port is a TCP socket of this machine.
source [file dirname $argv0]/console.tcl
set timeout [expr {60 * $patience}]

# Send a command that fits in a line; return what the guest prints up to its next prompt.
proc guest {command} {
	send "$command\r"
	expect {
		-re "\n(.*)gnomon% " { return [string map {\r ""} $expect_out(1,string)] }
		timeout { return "(nothing came)" }
		eof { return "(Bochs ended)" }
	}
}

# Return a processor's ticks and lost ticks, from the text of kpctl.
proc ticks {text cpu} {
	regexp "cpu$cpu ticks (\\d+) lost (\\d+)" $text all ticks lost
	return [list $ticks $lost]
}

# Start Bochs with a port that is not in use; it waits for a connection to its serial port.
proc start {port} {
	global b tmp patience
	set rc [open $tmp/rc w]
	puts $rc "megs: 64
cpu: model=corei7_sandy_bridge_2600k, count=2, ips=50000000, reset_on_triple_fault=0
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=$b/gnomon.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=socket-server, dev=localhost:$port
log: $tmp/log
panic: action=fatal
display_library: rfb, options=\"timeout=0\"
clock: sync=none"
	close $rc
	set go [open $tmp/go w]
	puts $go "c"
	close $go
	exec timeout [expr {120 * $patience}] bochs -q -f $tmp/rc -rc $tmp/go >& $tmp/out </dev/null &
	for {set i 0} {$i < 300 * $patience} {incr i} {
		if {![catch {socket localhost $port} s]} { return $s }
		after 100
	}
	return ""
}

set tmp [exec mktemp -d]
set s ""
for {set try 0} {$s == "" && $try < 3} {incr try} {
	set s [start [expr {20000 + int(rand() * 20000)}]]
}
if {$s == ""} {
	puts "Bail out! Bochs does not start: see $tmp/out"
	exit 1
}
fconfigure $s -translation binary -buffering none -blocking 0
spawn -open $s

expect {
	"gnomon% " { set boot $expect_out(buffer) }
	default { set boot "" }
}
ok [string match "*smp: 2 processors*" $boot] "the ISO boots on two processors"
ok [string match "*profclock: pit, nmi, 1000 Hz (the lapic cannot deliver by NMI)*" $boot] \
	"C3 the profiling clock comes by NMI, from the timer that can"

set sum [lindex [exec sh -c "seq 1 2000 | LC_ALL=C sort | sha256sum"] 0]
ok [string match "$sum*" [guest "seq 1 2000 | sort | sum"]] "programs and pipes work"

guest "echo startclr >/dev/kpctl; sleep 1; echo stop >/dev/kpctl"
set said [guest "cat /dev/kpctl"]
lassign [ticks $said 0] first lost0
lassign [ticks $said 1] second lost1
# Ticks are off an even beat by a few at most: profclock(9).
ok [expr {$first >= 990 && $first < 1100 && $lost0 + $lost1 == 0}] \
	"K8 a second has a thousand ticks, or nearly, and none is lost ($first)"
ok [expr {abs($first - $second) <= 1}] "on the other processor as well ($second)"

guest "cd /tmp; kgmon -b; seq 1 500 | wc; kgmon -h -p"
set said [guest "prof -g /boot/gnomon | grep -E 'sys_execve|sys_pipe'"]
ok [regexp { 3 +sys_execve} $said] "G4 gmon counts three programs: seq, wc and kgmon"
ok [regexp { 1 +sys_pipe} $said] "and a pipe"

set here [guest "cprof -m seq seq 1 10 | sum"]
set there [exec $b/gnomon run {cprof -m seq seq 1 10 | sum}]
ok [string equal [string trim $here] [string trim $there]] \
	"P3 each instruction of a program is counted as often as in QEMU"

send "shutdown\r"
expect {
	eof { ok 1 "shutdown leaves" }
	timeout { ok 0 "shutdown leaves" }
}
catch { close }
file delete -force $tmp
finish
