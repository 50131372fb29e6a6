#!/usr/bin/expect -f
# What is in a guest's memory: gnomon extract of a running guest, of a dump of it and of one
# that has crashed; kgmon -M in another guest; gnomon top. G8, K6, T5.
# Needs: gnomon-test.elf
source [file dirname $argv0]/console.tcl
set timeout [expr {60 * $patience}]
set dir [exec mktemp -d]

# Run a command on the host; return its exit status, and leave what it prints in $out.
proc host {args} {
	global out
	if {[catch {exec {*}$args 2>@1} out]} { return 1 }
	return 0
}

# Type a line at the prompt; return what it prints.
proc guest {line} {
	send "$line\r"
	expect -re {\r\n} {}
	expect -re {^(.*)gnomon% $} { return $expect_out(1,string) }
	return ""
}

# Return the hash in what sum printed, in the guest or here.
proc hash {text} { set h none; regexp {[0-9a-f]{64}} $text h; return $h }
proc same {file text name} {
	ok [string equal [hash [exec sha256sum $file]] [hash $text]] $name "$text\n[exec ls -l $file]"
}

proc dump {file} {
	send "\x01c"
	expect "(qemu) "
	send "dump-guest-memory $file 0 0x1800000\r"
	expect "(qemu) "
	send "\x01c"
}

spawn -noecho $qemu -kernel $b/gnomon-test.elf -initrd $b/initrd.cpio \
	-cpu max -m 24 -smp 2 -display none -no-reboot -no-shutdown -serial mon:stdio \
	-qmp unix:$dir/qmp,server=on,wait=off
set pid [exp_pid]
expect "gnomon% "
guest "kgmon -b"
guest "echo stacks on >/dev/kpctl"
guest "echo start >/dev/kpctl"
guest "/rc/workload 1"
guest "n=`{echo ZRtbMzFtWA== | base64 -d}; cp /bin/seq /tmp/\$n; as none /tmp/\$n 1 1000000000 >/dev/null & busy=\$apid"
ok [expr {[host $b/gnomon top -q $dir/qmp -k $b/gnomon-test.elf -b -n 1 -d 1] == 0}] \
	"gnomon top looks into a running guest" $out
ok [expr {[regexp { e\\x1b\[31mX\n} $out] && ![regexp \x1b $out]}] \
	"B17 and shows a name that a terminal would obey" $out
guest "kill \$busy"
ok [regexp {cpu1 \[.*idle +[0-9.]+ %.*[0-9]+  cpu_idle} $out] \
	"and shows each CPU, and what is hot" $out
ok [expr {[host $b/gnomon top -q $dir/qmp -k none -b -n 1 -d 1] == 0}] \
	"A8 gnomon top shows addresses of a kernel that it does not know" $out
ok [regexp {cpu1 \[.*function\n +[0-9.]+ +[0-9]+  c01[0-9a-f]{5}\n} $out] "A8 for functions" $out
ok [expr {![regexp {process} $out]}] "A8 and no processes" $out
guest "kgmon -h"
guest "echo stop >/dev/kpctl"
guest "cd /tmp"
guest "kgmon -p"
set gmon [guest "sum gmon.out"]
set kpdata [guest "sum /dev/kpdata"]
set kpstack [guest "sum /dev/kpstack"]
set kpinfo [guest "cat /dev/kpinfo"]
ok [expr {[host $b/gnomon extract -q $dir/qmp -k $b/gnomon-test.elf -o $dir] == 0}] \
	"gnomon extract takes files out of a running guest" $out
same $dir/gmon.out $gmon "G8 gmon.out is what kgmon -p wrote, byte for byte"
same $dir/kpdata $kpdata "K6 kpdata is what the guest's own is, byte for byte"
same $dir/kpstack $kpstack "and kpstack"
foreach {file profiler} {kpdata kprof gmon.out gmon} {
	set words [regexp -inline "profiler=$profiler .*?cpu=1 ticks=\\d+ lost=\\d+" $kpinfo]
	set words [string map {"# " "" "\r" ""} [lindex $words 0]]
	ok [expr {$words ne "" && [string first $words [exec cat $dir/$file.run]] > 0}] \
		"C5 $file.run tells what /dev/kpinfo does of $profiler" "$kpinfo[exec cat $dir/$file.run]"
}
guest "echo stacks off >/dev/kpctl"
dump $dir/core
send "\r"
expect "gnomon% "
exec rm $dir/gmon.out $dir/kpdata $dir/kpdata.run
ok [expr {[host $b/gnomon extract --core $dir/core -k $b/gnomon-test.elf -o $dir] == 0}] \
	"the same out of a dump" $out
same $dir/gmon.out $gmon "G8 gmon.out"
same $dir/kpdata $kpdata "K6 kpdata"

# A8: without the kernel's image, which is searched for its described block.
ok [expr {[host $b/gnomon extract --core $dir/core -k none -o $dir/bare] == 0}] \
	"A8 the same without the kernel's image" $out
same $dir/bare/gmon.out $gmon "A8 gmon.out"
same $dir/bare/kpdata $kpdata "A8 kpdata"
ok [regexp {console.log: where the kernel's console is} $out] "and what is missing is named" $out

# A folder is made only if there is something to put into it.
host $b/gnomon extract --core $b/initrd.cpio -o $dir/new/one
ok [expr {![file exists $dir/new]}] "no folder is made if the file is not a dump"
ok [expr {[host $b/gnomon extract --core $dir/core -k $b/gnomon-test.elf -o $dir/new/one] == 0}] \
	"a folder is made for what is extracted" $out
same $dir/new/one/kpdata $kpdata "and contains it"

# The dump is given to another guest as a file.
set script "cd /tmp; kgmon -M core -N kernel -p; sum gmon.out; kgmon -M core -N kernel -c all -p
	ls gmon-*.out; kgmon -M core; kgmon -M core -r; kgmon -M /rc/init -N kernel
	head -c 20000 core >cut; kgmon -M cut -N kernel -p; true"
ok [expr {[host $b/gnomon run --mem 128 -t 60 -p $dir/core:/tmp/core \
	-p $b/gnomon-test.elf:/tmp/kernel $script] == 0}] "kgmon -M has run" $out
same $dir/gmon.out $out "G8 kgmon -M -p writes the same gmon.out"
ok [regexp {kernel profiling was off.*of cpu0 was off.*of cpu1 was off.*gmon-0.out.*gmon-1.out} \
	$out] "G8 -M tells the state, and -c a CPU's" $out
ok [regexp {core: of another kernel than /boot/gnomon} $out] "G8 -M of another kernel is refused" $out
ok [regexp -- {-M core: a memory dump can be read, not changed} $out] "G8 -M cannot reset" $out
ok [regexp {/rc/init: not a memory dump} $out] "G8 -M of a file that is not a dump is refused" $out
ok [regexp {cut: it is cut off} $out] "G8 -M of half a dump is refused" $out

# Errors name the argument or file that is wrong.
exec head -c 20000 $dir/core >$dir/cut
foreach {args what} [list \
	"--core $dir/cut -o $dir" "cut: it is cut off: it has more memory than bytes" \
	"--core $dir/core -o $dir" "the kernel in memory is another than .*gnomon.elf" \
	"--core $b/initrd.cpio -o $dir" "initrd.cpio: not a memory dump" \
	"--core $dir/none -o $dir" "none: No such file" \
	"--qmp $dir/none -o $dir" "none: no guest runs there" \
	"--core $dir/core -k $b/initrd.cpio -o $dir" "initrd.cpio: not an ELF file" \
	"--core $dir/core -k $b/gnomon-test.elf -o $dir/core" "/core: no folder that can be written to" \
	"--core $dir/core --nothing" "--nothing: no such option" \
	"--core $dir/core prof.out" "prof.out: no such file in a guest's memory" \
	"-o $dir" "either --core or --qmp"] {
	set failed [host $b/gnomon extract {*}$args]
	ok [expr {$failed && [regexp $what $out]}] "gnomon extract: $what" $out
}

# T5: the rings of a flight recorder, and what led to a panic.
guest "echo startclr >/dev/kpctl; echo stop >/dev/kpctl"
ok [expr {[host $b/gnomon extract -q $dir/qmp -k $b/gnomon-test.elf -o $dir kptrace] &&
	[regexp {nothing is recorded} $out]}] "T5 without records there is no kptrace" $out
foreach word {"stacks on" "waits on" "calls sys_*" "trace 256 switches calls" startclr} {
	guest "echo '$word' >/dev/kpctl"
}
guest "seq 1 500 | sort | wc; seq 1 500 | sort | wc"
guest "echo stop >/dev/kpctl"
set kptrace [guest "sum /dev/kptrace"]
ok [expr {[host $b/gnomon extract -q $dir/qmp -k $b/gnomon-test.elf -o $dir kptrace] == 0}] \
	"gnomon extract takes kptrace out of a running guest" $out
same $dir/kptrace $kptrace "T5 it is what the guest's own is, byte for byte"
set text [exec cat $dir/kptrace]
foreach what {{\n# call=} {\n# return=} {;\[switch\]\n# wait=\[} {\n# woken=} {overwritten=[1-9]}} {
	ok [regexp $what $text] "T5 it has $what"
}

# A guest that has crashed.
guest "bind '#X' /test"
guest "echo 'calls sys_write' >/dev/kpctl"
guest "echo 'trace 64 calls' >/dev/kpctl"
guest "echo startclr >/dev/kpctl"
send "echo fault panic >/test/ctl\r"
expect "a test asked for it"
dump $dir/crash
ok [expr {[host $b/gnomon extract -c $dir/crash -k $b/gnomon-test.elf -o $dir console.log] == 0}] \
	"gnomon extract works on a guest that has crashed" $out
set f [open $dir/console.log]
set text [read $f]
ok [regexp {panic} $text] "the console's last lines" $text
ok [expr {[host $b/gnomon extract -c $dir/crash -k $b/gnomon-test.elf -o $dir kptrace] == 0}] \
	"T5 the records of a guest that has crashed" $out
set text [exec grep -E "^# (call|return)=" $dir/kptrace | sort -t= -k3n | tail -n 1]
set entry [expr {[scan [exec nm $b/gnomon-test.elf | awk {$3 == "sys_write" {print $1}}] %x] + 5}]
ok [regexp "^# call=.*;0x[format %08x $entry]\$" $text] "T5 the last is the call that led there" $text
send "\x01x"
ends $pid "QEMU left"
exec rm -rf $dir
finish
