#!/bin/sh
# Durations of calls: the command calls, and that everybody who looks at the kernel's stacks sees
# the real callers while they are measured (T2, T3, T6).
# Needs: gnomon-test.elf tests/guest/recorder
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

cat >"$tmp/script" <<'END'
echo = table
calls -m 'sys_read sys_open' -s calls cat /rc/init >/dev/null
echo = histogram
calls -m sys_getpid -H sys_getpid true
calls -m sys_open -H sys_open cat /rc/init >/dev/null
echo = state
grep calls /dev/kpctl
echo = bad
calls -m nosuch true
calls -s size
calls -H sys_kill
calls -f /rc/init
echo calls prof_mcount >/dev/kpctl
echo calls sys_read >/dev/kpctl
echo trigger sys_open 5us >/dev/kpctl
echo trigger sys_read 5ms >/dev/kpctl
echo calls off >/dev/kpctl
echo = profilers
echo stacks on >/dev/kpctl
echo waits on >/dev/kpctl
echo calls '*' >/dev/kpctl
echo startclr >/dev/kpctl
kgmon -b
/rc/workload >/dev/null
kgmon -h
echo stop >/dev/kpctl
kgmon -p
cp gmon.out /dev/kpstack /dev/kpwait /dev/kpcall /n/remote
END
"$b/gnomon" run -t 120 -o "$tmp" --console "$tmp/console" -s "$tmp/script" >"$tmp/out" 2>&1

has "$(cat "$tmp/out")" 'calls    total us      own us   mean us' 'T6 the table has a head'
awk '$7 == "sys_open" { open = $1 } $7 == "sys_read" { read = $1 }
	END { exit !(open >= 1 && read >= open) }' "$tmp/out"
ok $? 'T6 the table has the functions chosen, and how often they were called' "$(cat "$tmp/out")"
has "$(part histogram)" 'calls: sys_getpid: no call of it is over' 'T6 a function that was not called'
has "$(cat "$tmp/out")" '########################################' 'T6 a histogram in characters'
is "$(part state)" 'calls off' 'T2 the command leaves nothing on'
has "$(part bad)" 'calls nosuch: No such file or directory' 'T2 nothing is like the pattern'
has "$(part bad)" 'calls: -s size: calls, total, own, mean, longest or away expected' \
	'T6 what it may be sorted by'
has "$(part bad)" 'calls: sys_kill: no call of it is over' 'T6 nothing was measured'
has "$(part bad)" 'calls: /rc/init: not a file of calls' 'T6 another file'
has "$(cat "$tmp/console")" 'calls: no function is like nosuch' 'T2 the console names the pattern'
has "$(cat "$tmp/console")" 'calls: prof_mcount cannot be measured: it is assembly, or the' \
	'T2 and the function that cannot be measured'
has "$(cat "$tmp/console")" 'trigger: calls of sys_open are not measured' 'T5 a trigger on another one'
has "$(cat "$tmp/console")" 'trigger: 5ms is no time, such as 500us' 'T5 what is no time'

# In kpstack the code at calls_back may be where a tick came, the last address, but never a caller.
back=$("${cross}nm" "$b/gnomon.elf" | awk '$3 == "calls_back" { print $1 }')
[ -n "$back" ] && [ "$(grep -c '^[^#]' "$tmp/kpstack")" -gt 100 ]
ok $? 'T3 there are paths of ticks while all calls are measured'
is "$(grep -c "0x$back;" "$tmp/kpstack")" 0 'T3 they have the real callers'
[ "$(grep -c '^[^#]' "$tmp/kpwait")" -gt 10 ]
ok $? 'T3 there are paths of waits'
is "$(grep -c "0x$back" "$tmp/kpwait")" 0 'T3 they have the real callers'
gprof -b -q "$b/gnomon.elf" "$tmp/gmon.out" >"$tmp/graph" 2>/dev/null
[ "$(calls syscall sys_read <"$tmp/graph" | sed 's|/.*||')" -gt 100 ]
ok $? 'T3 gmon has arcs meanwhile'
is "$(grep -cE '[0-9]/[0-9]+ +calls_back|calls_back.*[0-9]/[0-9]' "$tmp/graph")" 0 'T3 they have the real callers'
awk -F '[; ]' '/^# cpu=/ { sub(".*inside=", ""); inside += $1 } !/^#/ { own += $6 }
	END { d = own - inside; exit !(own > 0 && d * d < 1e-12 * own * own) }' "$tmp/kpcall"
ok $? 'T1 the times of functions themselves are the time inside'

# gmon is on for less time, but counts calls that never return, or are not over: of a system call that
# ends its process, of a wait. In cycles gprof has other names.
pairs "$b/gnomon.elf" "$tmp/gmon.out" |
	grep -v '> \|<\| switch_to \| sched_begin \|_exit \| syscall \| trap_user ' >"$tmp/pairs"
"$b/gnomon" report -i "$b/gnomon.elf" -o json --calls "$tmp/kpcall" |
	jq -r '.rows[] | [.caller, .function, .calls] | @tsv' >"$tmp/measured"
awk '{ pair = $1 " " $2 }
	NR == FNR { calls[pair] += $3; next }
	{ n++; if (calls[pair] + 10 < $3) { print pair, $3, calls[pair]; bad = 1 } }
	END { print n, "pairs"; exit bad || n < 300 }' "$tmp/measured" "$tmp/pairs" >"$tmp/fewer"
ok $? 'T1 of each caller as many calls are measured as gmon has counted' "$(cat "$tmp/fewer")"

# crash KIND: the console of a kernel that measures all calls, and goes wrong in that way
crash() {
	"$b/gnomon" run -t 60 --kernel "$b/gnomon-test.elf" --console "$tmp/$1" -s - >/dev/null 2>&1 <<-E
		mkdir /tmp/x
		bind '#X' /tmp/x
		echo calls '*' >/dev/kpctl
		echo start >/dev/kpctl
		echo fault $1 >/tmp/x/ctl
	E
	tr -d '\r' <"$tmp/$1" | sed -n '/^panic\|^kernel fault/,$p'
}

for kind in panic null; do
	crash $kind >"$tmp/trace"
	has "$(cat "$tmp/trace")" ' sys_write+0x' "T3 $kind: the back trace has the callers"
	is "$(grep -c calls_back "$tmp/trace")" 0 "T3 $kind: the real ones"
done

# A ring of 16 MB needs as much in one piece: the guest's tests, where many programs ran before, may
# have to skip that one, but not a machine that has just started.
"$b/gnomon" run -t 100 --icount 3 --kernel "$b/gnomon-test.elf" -p "$b/tests/guest/recorder:/tests/recorder" \
	/tests/recorder >"$tmp/out" 2>&1
is "$(tr -d '\r' <"$tmp/out" | grep 'none lost$\|skipped' | sed 's/[0-9]* - //')" 'ok T5 a million records in a second, none lost' \
	'T5 a million records in a second, none lost, and nothing skipped' "$(cat "$tmp/out")"

# gprof shares time by counts of calls; what each caller's calls took is measured (docs/accuracy.md).
tests/truth/callers "$b" >"$tmp/callers" 2>&1
ok $? "T6 gprof's shares and measured times of one run" "$(cat "$tmp/callers")"
awk 'NR > 1 { gprof += $3; measured += $4 }
	END { d = gprof - measured; exit !(measured > 10 && d * d < (measured / 10) ^ 2) }' "$tmp/callers"
ok $? 'T6 they are of the same time, in all' "$(cat "$tmp/callers")"
awk '$1 == "copyinstr" && $3 > 4 * $4 { dear = 1 } $1 == "pipe_read" && $4 > 1.5 * $3 { cheap = 1 }
	END { exit !(dear && cheap) }' "$tmp/callers"
ok $? "T6 and differ where callers' calls do" "$(cat "$tmp/callers")"
finish
