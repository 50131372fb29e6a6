#!/bin/sh
# Entry calls patched in and out 1,000 times while 4 CPUs run the workload under kprof. G11.
# Needs: gnomon-test.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

# switch NAME TIMES OPTION...: patch the calls in and out that often on such a machine
switch() {
	name=$1
	cat >"$tmp/script" <<END
bind '#X' /test
fn pads {
	echo pads >/test/ctl
	cat /test/result
}
/rc/workload 1000 >/dev/null >[2=1] &
/rc/workload 1000 >/dev/null >[2=1] &
/rc/workload 1000 >/dev/null >[2=1] &
/rc/workload 1000 >/dev/null >[2=1] &
echo hz 5000 >/dev/kpctl
echo start >/dev/kpctl
echo switch $2 >/test/ctl
pads
kgmon -b >/dev/null
test \`{pads} -gt 100
echo \$status
kgmon -h >/dev/null
pads
END
	shift 2
	"$b/gnomon" run -t 300 --smp 4 "$@" --kernel "$b/gnomon-test.elf" -o "$tmp" \
		-s "$tmp/script" >"$tmp/out" 2>&1
	ok $? "G11 $name: no fault" "$(cat "$tmp/out")"
	is "$(cat "$tmp/out")" '0
0
0' "G11 $name: afterwards every entry is a no-op, and a call when switched on"
}

# With -icount the CPUs take short turns. Without, they run at the same time, and wait long for
# each other if the host has fewer.
switch 'in and out 900 times, by turns' 900 --icount 1
switch 'in and out 100 times, at the same time' 100 --icount off

# C21: by vector, too, what stops the CPUs is no tick: none begins within another, and none is a stray.
cat >"$tmp/vector" <<'END'
bind '#X' /test
fn pipes { while() { echo 1 | cat | cat } }
pipes >/dev/null >[2=1] & p=($p $apid)
pipes >/dev/null >[2=1] & p=($p $apid)
pipes >/dev/null >[2=1] & p=($p $apid)
echo clock irq >/dev/kpctl
echo hz 20000 >/dev/kpctl
echo stacks on >/dev/kpctl
echo startclr >/dev/kpctl
for(i in 1 2 3 4) {
	echo switch 100 >/test/ctl
	cat /dev/kpstack >/tmp/paths
}
echo stop >/dev/kpctl
kill $p
grep damaged /tmp/paths
grep strays /dev/kpctl
END
is "$("$b/gnomon" run -t 300 -o "$tmp" --smp 4 --icount 1 --kernel "$b/gnomon-test.elf" \
	-s "$tmp/vector" 2>&1)" 'strays 0' 'C21 by vector, in and out 400 times: each tick is a tick'

# C21: a clock that begins by vector does not take what the system clock had armed for its own.
cat >"$tmp/begins" <<'END'
fn pipes { while() { echo 1 | cat | cat } }
pipes >/dev/null >[2=1] & p=($p $apid)
pipes >/dev/null >[2=1] & p=($p $apid)
pipes >/dev/null >[2=1] & p=($p $apid)
echo clock irq >/dev/kpctl
echo hz 1000 >/dev/kpctl
for(i in `{seq 40}) {
	echo start >/dev/kpctl
	echo stop >/dev/kpctl
}
kill $p
grep strays /dev/kpctl
END
is "$("$b/gnomon" run -t 300 -o "$tmp" --smp 4 --icount 1 -s "$tmp/begins" 2>&1)" 'strays 0' \
	'C21 begun by vector 40 times among busy CPUs: no stray'

finish
