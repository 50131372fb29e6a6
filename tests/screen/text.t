#!/usr/bin/expect -f
# A PC's own screen in text mode, and its keyboard, with no serial port at all (V1 V2 V3).
# Needs: gnomon-test.elf
source [file dirname $argv0]/monitor.tcl

# A person at the ISO.
machine -cdrom $b/gnomon.iso -serial none
set text [shows {^gnomon%$} "V1 the ISO comes to its prompt on the screen"]
ok [regexp {screen: VGA text, 80 by 25} $text] "V2 the boot lines say what the screen is" $text
ok [regexp {keyboard: i8042, irq 1, layout us} $text] "V1 and the keyboard" $text
type "cat /dev/kpctl\n"
shows {^hz 1000} "V1 a command is typed and runs"
type "sleep 1000\n"
press ctrl-c
type "echo al''ive\n"
shows {^alive$} "V3 ^C ends a command"
type "echo hello wxrld"
press left left left backspace o ret
shows {^hello world$} "V3 a line is edited with the arrows"
type "clear\n"
press up up
press ret
shows {^hello world$} "V3 up finds the lines before"
type "echo 'A\[B\]{C}|\\~!@#\$%^&*()_+<>?:\"'\n"
shows {^A\[B\]\{C\}\|\\~!@#\$%\^&\*\(\)_\+<>\?:"$} "V3 Shift gives the US layout's other characters"
press caps_lock
type "a"
press caps_lock
type "a"
shows {gnomon% Aa$} "V3 Caps Lock holds for letters"
press ctrl-c

# What programs send.
type "cat >/tmp/c\n"
press esc
type "\[31mred"
press esc
type "\[1;44mblue"
press esc
type "\[m none\n"
press ctrl-d
type "clear\ncat /tmp/c\n"
shows {^redblue none$} "V3 what sets colours takes no room"
ok [regexp {\n\{04\}red\{1c\}blue\{07\} none} [rows 1]] "V3 and sets them" [rows 1]
type "seq 1 200\n"
shows {^200$} "V3 what is longer than the screen scrolls"
press shift-pgup
set text [shows {^160$} "V3 Shift-PageUp looks back"]
ok [expr {![regexp {^200$} $text]}] "V3 by a screen"
press shift-pgdn
shows {^200$} "V3 Shift-PageDown looks forward"
press shift-pgup
shows {^160$} "V3 back again"
type "x"
shows {gnomon% x$} "V3 what is printed ends that"
press ctrl-c
type "seq 1 200 | less\n"
shows {more: space; q leaves} "V3 less stops at the end of the screen"
press spc
shows {^40$} "V3 and goes on"
press q
type "clear\n"
type "top\n"
shows {^cpu0 \|.*\| kernel .* idle} "V3 top has the screen to itself"
press q
set text [shows {^gnomon% top$} "V3 and gives back what was there"]
ok [expr {![regexp {cpu0} $text]}] "V3 all of it" $text
off

# What a panic leaves there.
machine -kernel $b/gnomon-test.elf -initrd "$b/initrd.cpio initrd.cpio" -serial none
shows {^gnomon%$} "V1 -kernel comes to the prompt on the screen"
type "bind '#X' /test; echo fault panic >/test/ctl\n"
set text [shows {panic: a test asked for it} "V1 a panic is on the screen"]
ok [regexp {test_write} $text] "V1 with its back trace" $text
off
machine -kernel $b/gnomon-test.elf -initrd "$b/initrd.cpio initrd.cpio" -serial file:$tmp/serial
shows {^gnomon%$} "V1 with a serial port too"
type "bind '#X' /test; echo fault nmi >/test/ctl\n"
shows {panic: a test asked for it in an NMI} "V1 a panic from an NMI is on the screen"
ok [regexp {panic: a test asked for it in an NMI} [exec cat $tmp/serial]] "V1 and at the serial port"
off

# The German layout, and what the command line may say wrong.
machine -kernel $b/gnomon.elf -initrd "$b/initrd.cpio initrd.cpio" -serial none \
	-append "keymap=de console=both"
shows {^gnomon%$} "V3 keymap=de: the prompt"
press e c h o spc y bracket_left shift-minus alt_r-q alt_r-e shift-2 z shift-2 shift-grave_accent ret
shows {^zü\?@€y°$} "V3 a German keyboard's characters are shown"
off
machine -kernel $b/gnomon.elf -initrd "$b/initrd.cpio initrd.cpio" -serial none \
	-append "keymap=xx console=here"
set text [shows {^gnomon%$} "V3 keymap=xx: the prompt"]
ok [regexp {keyboard: no layout "xx": us it is} $text] "V3 a layout that is missing is named" $text
ok [regexp {console: no place "here": screen, com1 or both} $text] "V1 and a place" $text
off
machine -M pc,i8042=off -kernel $b/gnomon.elf -initrd "$b/initrd.cpio initrd.cpio" -serial none
shows {^keyboard: there is no i8042 controller$} "V1 a machine without the controller says so"
shows {^gnomon%$} "V1 and goes on"
off

# With a serial port both are the console, and console= chooses.
machine -kernel $b/gnomon.elf -initrd "$b/initrd.cpio initrd.cpio" -serial file:$tmp/serial
shows {^gnomon%$} "V1 with a serial port the screen has the prompt as well"
type "echo to both\n"
shows {^to both$} "V1 what is printed is on the screen"
ok [regexp {\nto both} [exec cat $tmp/serial]] "V1 and at the serial port" [exec cat $tmp/serial]
off
machine -kernel $b/gnomon.elf -initrd "$b/initrd.cpio initrd.cpio" -serial file:$tmp/serial \
	-append console=screen
shows {^gnomon%$} "V1 console=screen: the prompt is on the screen"
ok [expr {![regexp {gnomon%} [exec cat $tmp/serial]]}] "V1 and nowhere else"
off
machine -kernel $b/gnomon.elf -initrd "$b/initrd.cpio initrd.cpio" -serial file:$tmp/serial \
	-append console=com1
set end [expr {[clock seconds] + $timeout}]
while {[clock seconds] < $end && ![regexp {gnomon% $} [exec cat $tmp/serial]]} { after 100 }
ok [regexp {gnomon% $} [exec cat $tmp/serial]] "V1 console=com1: the prompt is at the serial port"
ok [expr {![regexp {gnomon} [rows]]}] "V1 and nothing on the screen" [rows]
off
done
