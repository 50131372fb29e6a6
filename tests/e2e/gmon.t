#!/bin/sh
# NetBSD's kernel profiling as a whole: the guest's kgmon, the host's gprof. G1, G3-G6, G8-G11.
# Needs: gnomon-test.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
kernel=$b/gnomon-test.elf

cat >"$tmp/script" <<'END'
bind '#X' /test
cd /tmp
kgmon
kgmon -r -b
kgmon
echo call 1000 >/test/ctl
echo call 234 >/test/ctl
kgmon -h -p
echo call 5000 >/test/ctl
mv gmon.out first
kgmon -p
mv gmon.out second
kgmon -b -h
kgmon -r
kgmon -p -r
mv gmon.out third
sysctl kern.profiling.state
kgmon -b
echo call 77 >/test/ctl
kgmon -h -r -p
mv gmon.out fourth
kgmon -p
mv gmon.out fifth
kgmon -b
mkdir taken taken/gmon.out
cd taken
kgmon -p -r
echo unwritten $status
kgmon
cd /tmp
for(i in 1 2 3 4 5 6 7 8) cat /rc/* | sort | wc >/dev/null
echo hz 500 >/dev/kpctl
for(i in 1 2 3 4 5 6 7 8) cat /rc/* | sort | wc >/dev/null
kgmon -h -p
END
"$b/gnomon" run -t 60 --kernel "$kernel" --console "$tmp/console" -o "$tmp" \
	-f /tmp/first -f /tmp/second -f /tmp/third -f /tmp/fourth -f /tmp/fifth -s "$tmp/script" >"$tmp/out" 2>&1
ok $? 'G8 the script ran' "$(cat "$tmp/out")"

# The message at boot agrees with the image's symbols.
addr() { nm "$kernel" | awk -v s="$1" '$3 == s { print $1 }'; }
lo=$(addr ktzero)
hi=$(printf '%08x' $(((0x$(addr etext) + 3) / 4 * 4)))
has "$(tr -d '\r' <"$tmp/console")" \
	"Profiling kernel, textsize=$((0x$hi - 0x$lo)) [$lo..$hi]" 'G3 the message at boot'

is "$(sed -n 1p "$tmp/out")" 'kgmon: kernel profiling is off.' 'G8 state before'
is "$(sed -n 2p "$tmp/out")" 'kgmon: kernel profiling is running.' 'G8 -r -b starts'
is "$(sed -n 3p "$tmp/out")" 'kgmon: kernel profiling is running.' 'G8 and shows it'
is "$(grep -v "^kgmon: calls" "$tmp/out" | sed -n 4p)" "kgmon: kernel profiling is off." "G8 -h -p halts"

# arc FILE CALLER CALLEE: how often, by gprof's call graph
arc() {
	gprof -q -b "$kernel" "$tmp/$1" 2>/dev/null | calls "$2" "$3" | sed 's|/.*||'
}
is "$(arc first test_calls test_leaf)" 1234 'G5 G10 an arc has the count of the calls made'
is "$(arc first test_write test_calls)" 2 'G10 static functions have their names'
is "$(arc first test_calls test_leaf_plain)" '' 'G4 a function without a pad has no arc'
is "$(arc second test_calls test_leaf)" 1234 'G11 while off nothing is counted'
is "$(arc third test_calls test_leaf)" '' 'G8 -r zeroed before'
is "$(arc fourth test_calls test_leaf)" 77 'G8 -p comes before -r, whichever is written first'
is "$(arc fifth test_calls test_leaf)" '' 'G8 and -r zeroes after it'
gprof -b -p "$kernel" "$tmp/first" 2>/dev/null | grep -Eq '^ +[0-9.]+ +[0-9.]+ +[0-9.]+ .* test_calls$|^ .* test_write$'
ok $? 'G10 a flat profile with our names'
is "$(grep '^kern.profiling.state' "$tmp/out")" 'kern.profiling.state = 3' 'G9 sysctl shows the state'
is "$(sed -n '/^kgmon: gmon.out:/,/running/p' "$tmp/out")" 'kgmon: gmon.out: Is a directory
unwritten 1
kgmon: kernel profiling is running.' 'C9 a file that cannot be written: it says so, and profiling goes on'
has "$(cat "$tmp/out")" "kgmon: the clock's rate was changed: gmon.out has the mean, " \
	'G7 a change of rate is told with the data'

# gprof gives a function its part of a bin: the last one has nothing but text.
for image in "$kernel" "$b/guest/bin/seq"; do
	is $((0x$(kernel=$image addr etext) % 4)) 0 "G10 the text of ${image##*/} ends with a bin"
done

# Off means off: in the image every pad is the 5-byte nop.
objdump -d --no-show-raw-insn "$b/gnomon.elf" | grep -c 'call.*<__fentry__>' >"$tmp/pads"
is "$(cat "$tmp/pads")" 0 'G11 in the image every entry is a no-op'

"$b/gnomon" run -t 60 -o "$tmp" 'kgmon -N /bin/sh' >"$tmp/n" 2>&1
[ $? -ne 0 ] && grep -q '/bin/sh' "$tmp/n"
ok $? 'G8 -N names another image than the running kernel: refused, by name' "$(cat "$tmp/n")"
"$b/gnomon" run -t 60 -o "$tmp" 'kgmon -N /boot/gnomon' >"$tmp/n" 2>&1
ok $? 'G8 -N /boot/gnomon is the running kernel' "$(cat "$tmp/n")"

# A table that is too small, and how kgmon and the kernel deal with it.
cat >"$tmp/script" <<'END'
bind '#X' /test
cd /tmp
echo tos 20 >/test/ctl
kgmon -r -b
cat /rc/* | sort | wc >/dev/null
kgmon
echo status $status
kgmon -p
sysctl kern.profiling.state
echo work goes on | cat
kgmon -r -b
kgmon -h
END
"$b/gnomon" run -t 60 --kernel "$kernel" -o "$tmp" -f /tmp/gmon.out:full -s "$tmp/script" \
	>"$tmp/out" 2>&1
ok $? 'G6 the table overflows, the script ends well' "$(cat "$tmp/out")"
is "$(sed -n '2,6p' "$tmp/out")" 'kgmon: profiling tos overflow
status 1
kgmon: profiling tos overflow
kgmon: kernel profiling is off.
kern.profiling.state = 2' 'G6 C8 kgmon reports it, and -p does not end it'
has "$(cat "$tmp/out")" 'work goes on' 'G6 the kernel goes on'
gprof -q -b "$kernel" "$tmp/full" 2>/dev/null | grep -q '^\[1\]'
ok $? 'G6 what was counted before can be read'

# Several CPUs: a file for each of them, and one for all.
cat >"$tmp/script" <<'END'
bind '#X' /test
cd /tmp
kgmon -r -b
for(i in 1 2 3 4 5 6 7 8) {
	echo call 250 >/test/ctl &
	echo call 250 >/test/ctl &
	echo call 250 >/test/ctl &
	echo call 250 >/test/ctl
	wait
}
kgmon -h -p >/dev/null
kgmon -c all -p
mv gmon-2.out two
kgmon -c 2 -p
cmp two gmon-2.out
echo same $status
kgmon -c 4
echo no $status
kgmon -c 1x
kgmon -c 3 -r -b
kgmon -c 2
kgmon
kgmon -c all -h >/dev/null
kgmon
echo full
echo tos 20 >/test/ctl
kgmon -r -b >/dev/null
cat /rc/* | sort | wc >/dev/null
kgmon
kgmon -c all
kgmon -h >/dev/null
kgmon
kgmon -r
END
"$b/gnomon" run -t 60 --smp 4 --kernel "$kernel" -o "$tmp" -f /tmp/gmon.out:all \
	-f /tmp/gmon-0.out:cpu0 -f /tmp/gmon-1.out:cpu1 -f /tmp/gmon-2.out:cpu2 \
	-f /tmp/gmon-3.out:cpu3 -s "$tmp/script" >"$tmp/out" 2>&1
ok $? 'G8 kgmon -c: the script ran' "$(cat "$tmp/out")"
is "$(sed '/^full$/,$d; / not counted: /d; /: lost: /d' "$tmp/out")" 'kgmon: kernel profiling is running.
kgmon: kernel profiling of cpu0 is off.
kgmon: kernel profiling of cpu1 is off.
kgmon: kernel profiling of cpu2 is off.
kgmon: kernel profiling of cpu3 is off.
kgmon: kernel profiling of cpu2 is off.
same 0
kgmon: -c 4: there is no such processor
no 1
kgmon: -c 1x: there is no such processor
kgmon: kernel profiling of cpu3 is running.
kgmon: kernel profiling of cpu2 is off.
kgmon: kernel profiling is running.
kgmon: kernel profiling is off.' 'G8 kgmon -c: what it says'
sed '1,/^full$/d' "$tmp/out" >"$tmp/after"
is "$(sed 's/\(tos overflow\) of.*/\1/; / of cpu/d' "$tmp/after" | uniq)" \
	'kgmon: profiling tos overflow
kgmon: kernel profiling is off.' 'C8 a full table is an error until the data are reset'
grep -q 'overflow of cpu' "$tmp/after" && ! grep -q running "$tmp/after"
ok $? 'C8 it names the processor, and all have ended' "$(cat "$tmp/after")"
sum=0 took_part=0
for cpu in 0 1 2 3; do
	c=$(arc "cpu$cpu" test_calls test_leaf)
	sum=$((sum + ${c:-0}))
	[ "${c:-0}" -eq 0 ] || took_part=$((took_part + 1))
done
is "$(arc all test_calls test_leaf)" 8000 'G5 calls on 4 CPUs are counted each'
is "$sum" 8000 'G1 the arcs of the CPUs add up to those of all together'
[ "$took_part" -ge 2 ]
ok $? 'G1 and more than one CPU has some' "$took_part"

finish
