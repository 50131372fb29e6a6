# What the expect scripts of this folder begin with: TAP, and what they do at a guest's console;
# $qemu, and $patience, by which limits in the host's seconds are multiplied.
set b "build"
if {[info exists env(B)]} { set b $env(B) }
if {![info exists env(GNOMON_PATIENCE)]} {
	set env(GNOMON_PATIENCE) \
		[exec sh -c ". [file dirname $argv0]/../host/tap.sh; echo \$GNOMON_PATIENCE"]
}
set patience $env(GNOMON_PATIENCE)
set timeout [expr {30 * $patience}]
set qemu "qemu-system-i386"
if {[info exists env(QEMU)]} { set qemu $env(QEMU) }
log_user 0
set n 0
set bad 0

# A test has passed if good is true; the remark says what went wrong.
proc ok {good name {remark ""}} {
	global n bad
	incr n
	if {$good} { puts "ok $n - $name"; return }
	incr bad
	puts "not ok $n - $name"
	foreach line [split $remark "\n"] { puts "# $line" }
}

# Wait for the text; whether it came is the test.
proc wants {text name} {
	expect {
		-exact $text { ok 1 $name }
		timeout { ok 0 "$name (waited for: $text)" }
		eof { ok 0 "$name (QEMU ended)" }
	}
}

# Wait for the emulator, process pid, to end by itself; whether it did is the test.
proc ends {pid name} {
	expect {
		eof { ok 1 $name }
		timeout { ok 0 $name; exec kill $pid }
	}
	catch wait
}

# The plan, and the exit status.
proc finish {} {
	global n bad
	puts "1..$n"
	exit [expr {$bad > 0}]
}
