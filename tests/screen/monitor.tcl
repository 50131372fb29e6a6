# What the expect scripts of this folder begin with: a machine without a window, whose keys are
# pressed and whose screen is read by QEMU's monitor.
source [file dirname $argv0]/../e2e/console.tcl
set tmp [exec mktemp -d]

# Start a machine of 64 MB with these options besides; what its monitor says is read here. When it
# leaves, it stops where it is, so that its screen can still be read.
proc machine {args} {
	global qemu pid spawn_id tmp patience
	if {[lindex $args 0] == "-64"} {
		set args [lrange $args 1 end]
		set program "qemu-system-x86_64"
	} else {
		set program $qemu
	}
	spawn -noecho timeout [expr {120 * $patience}] $program -cpu max -m 64 -display none \
		-net none -no-reboot -no-shutdown -parallel none -monitor stdio {*}$args
	set pid [exp_pid]
	expect "(qemu) "
}

# Give the monitor a command, and wait until it is carried out.
proc monitor {command} {
	send "$command\r"
	expect "(qemu) "
}

# Return whether the machine runs, in the monitor's words.
proc status {} {
	send "info status\r"
	expect -re {VM status: ([^\r]+)\r.*\(qemu\) }
	return $expect_out(1,string)
}

# Press keys, by the names that the monitor has for them.
proc press {args} {
	foreach key $args { monitor "sendkey $key 5" }
}

# Type text on a keyboard of the US layout.
proc type {text} {
	array set names {" " spc - minus = equal / slash . dot , comma ; semicolon ' apostrophe
		[ bracket_left ] bracket_right ` grave_accent \n ret}
	array set shifted {? slash > dot < comma : semicolon \" apostrophe | backslash _ minus
		+ equal ~ grave_accent ! 1 @ 2 # 3 $ 4 % 5 ^ 6 & 7 * 8 ( 9 ) 0}
	set names(\\) backslash
	set shifted(\{) bracket_left
	set shifted(\}) bracket_right
	foreach c [split $text ""] {
		if {[info exists names($c)]} {
			press $names($c)
		} elseif {[info exists shifted($c)]} {
			press shift-$shifted($c)
		} elseif {[string is upper $c]} {
			press shift-[string tolower $c]
		} else {
			press $c
		}
	}
}

# Return the rows of the text screen, or of the image when image is true; with colours, as
# readscreen -c prints them, when colours is true.
set image 0
proc rows {{colours 0}} {
	global b tmp image
	if {$image} {
		monitor "screendump $tmp/screen"
	} else {
		monitor "pmemsave 0xb8000 4000 \"$tmp/screen\""
	}
	set flags [expr {$colours ? "-c" : ""}]
	if {[catch {exec $b/tests/screen/readscreen {*}$flags $tmp/screen} text]} { return "" }
	return $text
}

# Wait until the pattern, a regular expression, is on the screen; whether it came is the test.
proc shows {pattern name} {
	global timeout
	set end [expr {[clock seconds] + $timeout}]
	while {[clock seconds] < $end} {
		set text [rows]
		if {[regexp -line -- $pattern $text]} {
			ok 1 $name
			return $text
		}
		after 100
	}
	ok 0 $name "waited for: $pattern\n$text"
	return $text
}

# End the machine.
proc off {} {
	send "quit\r"
	expect eof
	catch wait
}

# Remove what was left, and end.
proc done {} {
	file delete -force $::tmp
	finish
}
