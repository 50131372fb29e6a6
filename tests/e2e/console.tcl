# What the expect scripts of this folder begin with: TAP, and what they do at a guest's console.
set b "build"
if {[info exists env(B)]} { set b $env(B) }
set timeout 30
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
