#!/usr/bin/expect -f
# The owner's console while a user makes as many processes as he can: B3, B4, B5. Times are the
# machine's, which counts its instructions.
source [file dirname $argv0]/console.tcl
set timeout [expr {120 * $patience}]

# Run the command at the prompt: it has to succeed, within two seconds.
proc quick {command name} {
	send "time $command && echo do^ne\r"
	expect {
		-re {real +([0-9.]+)} { set took $expect_out(1,string) }
		timeout { ok 0 "$name (no answer)"; return }
		eof { ok 0 "$name (QEMU ended)"; return }
	}
	expect {
		"done" { ok [expr {$took < 2}] $name "$took s" }
		timeout { ok 0 "$name (it failed)" }
	}
	expect "gnomon% "
}

foreach mb 24 {
	spawn -noecho $qemu -nodefaults -no-user-config -display none -no-reboot \
		-accel tcg -icount shift=3,sleep=off -m $mb -cpu max -serial stdio \
		-kernel $b/gnomon.elf -initrd $b/initrd.cpio
	set pid [exp_pid]
	wants "gnomon% " "the prompt, in $mb MB"
	send "echo 'while(true) sh /tmp/bomb &' >/tmp/bomb; as none sh /tmp/bomb >\[2\]/dev/null &\r"
	wants "gnomon% " "a program that starts itself without end"
	send "sleep 2; limits none\r"
	expect -re {processes +([0-9]+) +([0-9]+)}
	ok [expr {$expect_out(1,string) > $expect_out(2,string) / 3}] \
		"B3: the user has many processes" $expect_out(0,string)
	expect "gnomon% "
	quick "ps" "B4: ps"
	quick "cat /dev/kpctl" "B4: cat /dev/kpctl"
	quick "cp /dev/kpdata /tmp/profile" "B4: cp /dev/kpdata"
	quick "kill 1000000 || true" "B4: kill"
	send "limits none processes 1; while(ps | grep none >/dev/null) for(p in `{ps | grep none}) echo kill >/proc/\$p/ctl >\[2\]/dev/null; echo all^gone\r"
	wants "allgone" "B3, B4: the owner ends them all"
	expect "gnomon% "
	send "limits none\r"
	expect -re {processes +([0-9]+) .*pages +([0-9]+) }
	ok [expr {$expect_out(1,string) == 0 && $expect_out(2,string) < 16}] \
		"B5: all is back" $expect_out(0,string)
	expect "gnomon% "
	send "for(c in /bin/*) test -x \$c || echo \$c; ls /bin | sort | wc -l; shutdown\r"
	ends $pid "B5: commands run, and the machine shuts down"
}
finish
