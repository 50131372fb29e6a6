#!/bin/sh
# A kernel whose hooks into the profilers are empty (tests/nohooks.c) boots and works otherwise.
# Needs: gnomon-nohooks.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

# boot OPTION...: run the script on such a machine
boot() {
	"$b/gnomon" run -t 60 -o "$tmp" --kernel "$b/gnomon-nohooks.elf" --console "$tmp/console" \
		"$@" -s "$tmp/script" 2>&1
}
cat >"$tmp/script" <<'END'
seq 1 1000 | sort -n | tail -n 1
echo word >/tmp/file; cat /tmp/file
sh -c 'echo a shell; false'; echo $status
mprof true >/dev/null >[2=1]; echo $status
profiled=`{ls /dev | grep 'kp|prf'}
echo profilers: $#profiled
END
wanted='1000
word
a shell
1
1
profilers: 0'

is "$(boot)" "$wanted" 'programs run in a kernel without profilers'
is "$(boot --smp 2 --icount off)" "$wanted" 'on two processors too'
has "$(cat "$tmp/console")" 'clock: lapic, 100 Hz' 'the system clock runs'
grep -q 'profclock:' "$tmp/console"
[ $? -ne 0 ]
ok $? 'and no other'

finish
