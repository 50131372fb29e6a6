#!/usr/bin/expect -f
# The console as a person uses it: the ISO boots by GRUB, lines are edited, names are completed,
# ^C ends a command and not the shell, pasted text arrives, shutdown leaves.
source [file dirname $argv0]/console.tcl

spawn -noecho $qemu -cdrom $b/gnomon.iso -cpu max -m 64 -display none -no-reboot \
	-serial mon:stdio -audiodev none,id=quiet -device AC97,audiodev=quiet
set pid [exp_pid]
# Wait for the prompt, and answer what the terminal is asked before it: a place, and its size.
proc sized {size name} {
	set asked [expect -re {\u001b\[1;(\d+)H\u001b\[6n\u001b\[999;999H\u001b\[6n\u001b8gnomon% } \
		{ set column $expect_out(1,string); expr 1 } timeout { expr 0 }]
	ok $asked $name
	if {$asked} { send "\x1b\[1;${column}R\x1b\[${size}R" }
}
sized "12;100" "the ISO boots by GRUB to the prompt, and the terminal is asked for its size"
send "echo \$LINES x \$COLUMNS\r"
wants "12 x 100" "its answer is known"
sized "11;60" "and it is asked again"
send "\x1b\[3;40Recho \$LINES y \$COLUMNS\r"
wants "11 y 60" "B17: an answer that nobody asked for is dropped"
wants "gnomon% " "prompt"
send "\x1b\[3;40R\x1b\[3;41Recho \$LINES z \$COLUMNS\r"
wants "11 z 60" "B17: one that was not the shell's comes first: it is dropped, too"
wants "gnomon% " "prompt"
send "seq 1 15 | less\r"
wants "-- more: space; q leaves --" "what is longer than the screen stops"
send "\r"
wants "\[K11" "Enter goes on by a line"
wants "-- more" "and stops"
send "b"
wants "\[K1\r" "b goes back by a screen"
wants "-- more" "and stops"
send " "
wants "15" "space goes on to the end"
wants "gnomon% " "prompt"
send "ls /bin\r"
expect -re {gnomon% }
set long 0
foreach line [split $expect_out(buffer) "\n"] { if {[string length $line] > 62} { incr long } }
ok [expr {$long == 0}] "ls fits its columns to the screen" $expect_out(buffer)
send "echo hello wxrld\x1b\[D\x1b\[D\x1b\[D\x7fo\r"
wants "hello world" "a line is edited: left, delete, insert"
wants "gnomon% " "and is run"
send "\x1b\[A\r"
wants "hello world" "the up key brings back the line before"
wants "gnomon% " "and is run again"
send "echo one two\x1b\[1;5D\x1b\[1;5Dtwo\x1b\[1;5C \x17\r"
wants "twoone two" "Ctrl and an arrow moves by words"
wants "gnomon% " "prompt"
send "\x12wxr\x7f\x7f\x7fhello\r"
wants "hello world" "^R finds a line by what is in it"
wants "gnomon% " "prompt"
send "!! again\r"
wants "hello world again" "!! is the line before"
wants "gnomon% " "prompt"
send "history\r"
wants "echo hello world again" "history has it as it was run"
wants "gnomon% " "prompt"
send "sh -c 'seq 3 3; cat'\r"
wants "\n3\r" "a command reads what is typed"
send "\x1a"
wants "sh: stopped (fg goes on with it)" "W2: ^Z stops it"
wants "gnomon% " "prompt"
send "for(n in 1 2) sh -c 'seq 4 4; sleep 1000'\r"
wants "\n4\r" "another command runs"
send "\x1a"
wants "sh: stopped (fg goes on with it)" "W2: ^Z stops that, and ends the loop around it"
wants "gnomon% " "prompt"
send "jobs\r"
wants " stopped sh\r" "W2: jobs shows one"
wants " stopped sh\r" "W2: and the other"
wants "gnomon% " "prompt"
send "fg\r"
wants "\nsh\r" "W2: fg goes on with the latest"
send "\x03"
wants "gnomon% " "W2: and ^C ends it, not what has stopped before"
send "fg; seq 5 5\r"
wants "\nsh\r" "W2: fg goes on with the first"
send "typed\r"
wants "\ntyped\r" "W2: which reads on"
send "\x04"
wants "\n5\r" "W2: and when it has ended, the line goes on"
wants "gnomon% " "prompt"
send "fg\r"
wants "fg: nothing has stopped" "W2: then nothing is left"
wants "gnomon% " "prompt"
send "sh -c 'seq 6 6; sleep 1000; seq 7 7'\r"
wants "\n6\r" "another command runs"
send "\x1a"
wants "gnomon% " "prompt"
send "bg\r"
wants "gnomon% " "W2: bg does not wait for it"
send "jobs\r"
wants " running sh\r" "W2: but it runs"
wants "gnomon% " "prompt"
send "fg\r"
wants "\nsh\r" "W2: fg takes it from the background"
send "\x03"
wants "gnomon% " "W2: where ^C ends it"
send "exit\r"
wants "shutdown turns the machine off" "whoever leaves the shell is told of shutdown"
wants "gnomon% " "and has a new one"
send "\x04"
wants "shutdown turns the machine off" "^D is the same"
wants "gnomon% " "prompt"
send "ls -d /rc/wor\t\r"
wants "/rc/workload" "a file name is completed by tab"
wants "gnomon% " "and the line runs"
send "sh -c 'echo run^ning; sleep 1000'\r"
wants "running" "a command that takes long"
send "\x03"
wants "gnomon% " "^C ends a command"
send "sh -c 'echo play^ing >/dev/cons; cat /dev/zero' >/dev/audio\r"
wants "playing" "a sound that never ends"
send "\x03"
wants "gnomon% " "^C ends it"
send "n=`{seq 1 3000}; for(i in \$n) { for(j in \$n) x=\$j; echo tu^rn }\r"
wants "turn" "a for loop that starts no process"
send "\x03"
wants "gnomon% " "^C ends it too"
send "cat\rline one\r\x04"
wants "line one" "the kernel's own line discipline echoes"
wants "line one" "and hands the line to cat, until ^D"
wants "gnomon% " "and the prompt is back"

# A user at the console has ^C for himself, and leaves it to the owner.
send "as none sh -i\r"
wants "gnomon% " "a user's shell"
send "sh -c 'cat /dev/user; echo run^ning; sleep 1000'\r"
wants "none" "is a user's"
wants "running" "and runs commands"
send "\x03"
wants "gnomon% " "B14: ^C ends a user's command"
send "{ echo rawon; sleep 1000 } >/dev/consctl &\r"
wants "gnomon% " "which leaves the console raw for users"
send "exit\r"
wants "gnomon% " "the owner's shell"
send "sh -c 'cat /dev/user /dev/consctl; echo run^ning; sleep 1000'\r"
wants "eve" "is the owner's"
wants "rawoff" "B14: who reads lines, while a user keeps the console raw for himself"
wants "running" "a command of the owner's"
send "\x03"
wants "gnomon% " "B14: is ended by ^C nevertheless"

# Thirty lines at once, faster than a shell can run them.
set paste ""
for {set i 0} {$i < 30} {incr i} { append paste "echo pasted-$i >>/tmp/pasted\r" }
send $paste
send "echo the-end-is-here\r"
wants "\nthe-end-is-here" "every pasted line is run"
send "wc -l /tmp/pasted\r"
wants "30 /tmp/pasted" "and nothing is lost"
wants "gnomon% " "prompt"
send "clear\r"
wants "\x1b\[H\x1b\[2J" "clear"
wants "gnomon% " "prompt"
send "fn greet {\r\techo good \$1\r}\rgreet morning\r"
wants "good morning" "a function over several lines"
wants "gnomon% " "prompt"
send "cat <<END; echo af^ter\r"
wants "> " "a here document has the second prompt"
send "typed text\r"
wants "> " "for each of its lines"
send "END\r"
wants "\ntyped text\r" "and is what the command reads"
wants "\nafter\r" "before the rest of its line"
wants "gnomon% " "prompt"
send "cat <<END\rdropped\r\x03"
wants "^C" "^C"
wants "gnomon% " "drops a here document"
send "cat <<END\rdropped\r\x04"
wants "> dropped" "^D"
wants "gnomon% " "does, too"
send "{ seq 8 8; cat; sh -c 'seq 9 9; sleep 1000' } <<END\rread\rEND\r"
wants "\n8\r" "a command that reads one"
wants "\nread\r" "is given it"
wants "\n9\r" "and takes long"
send "\x1a"
wants "stopped (fg goes on with it)" "is stopped"
wants "gnomon% " "prompt"
send "fg\r"
wants "\nsh\r" "goes on"
send "\x03"
wants "gnomon% " "and is ended, as any other"
send "cat /nosuch\r"
wants "cat: /nosuch: No such file or directory" "an error names the file and the reason"
wants "gnomon% " "prompt"
send "shutdown\r"
ends $pid "shutdown turns the power off"

# make run, in which ^A is the shell's.
set machine [list -kernel $b/gnomon.elf -initrd $b/initrd.cpio -m 16 -display none -cpu max]
spawn -noecho tools/run/console $b {*}$machine
set pid [exp_pid]
wants "gnomon% " "make run boots to the prompt"
send "xcho begun\x01\x1b\[3~e\r"
wants "begun" "^A goes to the start of the line, and x does not leave there"
wants "gnomon% " "prompt"
set first $spawn_id

# A second guest in the same folder has a name of its own.
set env(GNOMON_BUILD) $b
spawn -noecho tools/run/console $b {*}$machine
wants "gnomon% " "a second guest beside the first"
catch {exec $b/gnomon top -b -n 1 2>@1} out
ok [regexp {2 guests run here; say which:\n\t-q \S*/qmp.sock\n\t-q \S*/qmp-2.sock} $out] \
	"gnomon top lists them" $out
ok [expr {[catch {exec $b/gnomon top -b -n 1 -q $b/qmp-2.sock 2>@1} out] == 0}] \
	"and shows the one that is named" $out
send "\x1dx"
ends [exp_pid] "but ^] x leaves"
ok [expr {[catch {exec $b/gnomon top -b -n 1 2>@1} out] == 0}] "the one that is left needs no name" $out
set spawn_id $first
send "\x1dx"
ends $pid "that one leaves, too"
finish
