#!/usr/bin/expect -f
# The machines that the ISO boots on, each without a serial port, from its first screen to the
# prompt, a command and its end: by BIOS and by UEFI of 32 and 64 bits, from a CD and from a USB
# stick, in QEMU and in Bochs (V1 V2). docs/machines.md has them in a table.
source [file dirname $argv0]/monitor.tcl
set timeout [expr {90 * $patience}]

# Instructions of a program, each counted by a trap, are as many on every machine.
set count "cprof -m seq seq 1 10 | sum"
set sum [string range [exec $b/gnomon run -t 60 -o $tmp $count] 0 39]

# Try a machine: its prompt, the line that says what its screen is, the profiler, and its end.
proc try {name screen args} {
	global count sum patience
	machine {*}$args
	set text [shows {^gnomon%$} "V2 $name: the prompt is on the screen"]
	ok [regexp -- $screen $text] "V2 $name: the screen is what the firmware has" $text
	ok [regexp {acpi: [RX]SDT, [1-9]} $text] "V2 $name: the ACPI tables are found" $text
	type "$count\n"
	shows "^$sum" "V1 P3 $name: what is typed runs, and instructions are counted"
	type "shutdown\n"
	for {set i 0} {$i < 100 * $patience && ![regexp {shutdown} [status]]} {incr i} { after 100 }
	ok [regexp {shutdown} [status]] "V2 $name: shutdown switches it off" [status]
	off
}

set buffer {frame buffer of 1024 by 768 points at 0x[0-9a-f]+, 128 by 48 characters}
try "pc, BIOS, CD" {VGA text, 80 by 25} -M pc -cdrom $b/gnomon.iso -serial none
try "q35, BIOS, USB stick" {VGA text, 80 by 25} -M q35 -serial none -device qemu-xhci \
	-drive if=none,id=stick,format=raw,readonly=on,file=$b/gnomon.iso \
	-device usb-storage,drive=stick
set image 1
try "pc, UEFI of 64 bits, CD" $buffer -64 -M pc -bios /usr/share/ovmf/OVMF.fd -m 256 \
	-cdrom $b/gnomon.iso -serial none
exec cp /usr/share/OVMF/OVMF32_VARS_4M.fd $tmp/vars
try "q35, UEFI of 32 bits, USB stick" $buffer -64 -M q35,smm=on -m 256 -serial none \
	-device qemu-xhci \
	-global driver=cfi.pflash01,property=secure,value=on \
	-drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF32_CODE_4M.secboot.fd \
	-drive if=pflash,format=raw,file=$tmp/vars \
	-drive if=none,id=stick,format=raw,readonly=on,file=$b/gnomon.iso \
	-device usb-storage,drive=stick

# Bochs draws its screen on a pseudo-terminal that it makes, and takes keys from there.
set rc [open $tmp/rc w]
puts $rc "megs: 64
cpu: model=corei7_sandy_bridge_2600k, count=1, ips=50000000, reset_on_triple_fault=0
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=$b/gnomon.iso, status=inserted
boot: cdrom
com1: enabled=0
log: $tmp/log
panic: action=fatal
display_library: term
clock: sync=none"
close $rc
exec sh -c "echo c >$tmp/go"
set env(TERM) "xterm"
exec timeout [expr {120 * $patience}] bochs -q -f $tmp/rc -rc $tmp/go >& $tmp/out </dev/null &
for {set i 0} {$i < 300 * $patience} {incr i} {
	if {![catch {exec sed -n {s/.*connected to screen "\(.*\)"/\1/p} $tmp/out} name] &&
	    $name != ""} { break }
	after 100
}
set terminal [open $name r+]
exec stty raw -echo rows 30 columns 100 <@ $terminal
fconfigure $terminal -translation binary -buffering none -blocking 0
spawn -open $terminal
wants "gnomon%" "V1 Bochs, BIOS, CD: the prompt is on the screen"
set send_slow {1 .05}
send -s "$count\r"
expect {
	$sum { ok 1 "V1 P3 Bochs: what is typed runs, and instructions are counted" }
	timeout { ok 0 "V1 P3 Bochs: what is typed runs, and instructions are counted" }
}
send -s "shutdown\r"
expect {
	eof { ok 1 "V2 Bochs: shutdown switches it off" }
	timeout { ok 0 "V2 Bochs: shutdown switches it off" }
}
done
