#!/usr/bin/expect -f
# Types lines at the console of make run, and copies what it shows.
# usage: keys.tcl FOLDER KEYS SHOWN
# FOLDER is the guest's /n/remote, in a folder of its own; KEYS has a line each, with \t and \xNN.
source [file dirname $argv0]/console.tcl
lassign $argv folder keys shown

set in [open $keys]
set lines [split [string trimright [read $in] "\n"] "\n"]
log_file -noappend -a $shown
spawn -noecho tools/run/console [file dirname $folder] -kernel $b/gnomon.elf -initrd $b/initrd.cpio -cpu max -m 64 \
	-accel tcg -smp 1 -icount shift=3 -no-reboot -display none \
	-fsdev local,id=host,path=$folder,security_model=none,multidevs=remap \
	-device virtio-9p-pci,fsdev=host,mount_tag=host
set pid [exp_pid]
foreach line $lines {
	expect {
		-exact "gnomon% " {}
		default { catch { exec kill $pid }; exit 1 }
	}
	# A line that is being edited is drawn with its prompt, too.
	foreach key [split [subst -nocommands -novariables $line] {}] {
		send -- $key
		if {[string is control $key]} { sleep [expr {0.5 * $patience}] }
	}
	sleep 0.1
	expect -re {.*}
	send "\r"
	expect "\n"
}
expect {
	eof {}
	timeout { catch { exec kill $pid }; exit 1 }
}
