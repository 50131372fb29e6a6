#!/bin/sh
# Paths of calls of the whole system: the test kernel's device makes calls that are known,
# and their names are looked up in the kernel and in the programs. kprof(3), kpstack(5).
# Needs: gnomon-test.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
for p in "$b/gnomon-test.elf" "$b/bin/echo"; do
	"${cross}nm" -n "$p" | awk -v p="${p##*/}" '$2 ~ /[tT]/ { print p, $1, $3 }'
done >"$tmp/symbols"

# named FILE: its paths with names in place of addresses
named() {
	awk -v symbols="$tmp/symbols" '
	function hex(s,  i, v) {
		for (i = 1; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return v
	}
	function name(image, a,  lo, hi, mid) {
		lo = 0; hi = n[image]
		while (hi - lo > 1) {
			mid = int((lo + hi) / 2)
			if (at[image, mid] <= a) lo = mid; else hi = mid
		}
		return n[image] ? is[image, lo] : "?"
	}
	BEGIN {
		while ((getline line <symbols) > 0) {
			split(line, f, " ")
			at[f[1], n[f[1]] + 0] = hex(f[2])
			is[f[1], n[f[1]]++ + 0] = f[3]
		}
	}
	/^#/ { next }
	{
		k = split($1, f, ";")
		out = f[1]
		for (i = 2; i <= k; i++) {
			a = f[i] ~ /^0x/ ? hex(substr(f[i], 3)) - (i < k) : 0
			out = out ";" (a ? name(a >= 3221225472 ? "gnomon-test.elf" : f[1], a) : f[i])
		}
		print out, $2
	}' "$1"
}

# paths NAME APPEND COMMANDS: the paths of what they do, in $tmp/NAME, with names in $tmp/NAME.names
paths() {
	cat >"$tmp/script" <<END
bind '#X' /test
echo stacks on >/dev/kpctl
echo startclr >/dev/kpctl
$3
echo stop >/dev/kpctl
END
	"$b/gnomon" run -t 60 --kernel "$b/gnomon-test.elf" --append "$2" -o "$tmp" \
		-f "/dev/kpstack:$1" -f "/dev/kpdata:$1.data" -s "$tmp/script" >"$tmp/$1.out" 2>&1
	named "$tmp/$1" >"$tmp/$1.names"
}

# share NAME PATTERN: the percentage of ticks in the paths that match
share() {
	awk -v want="$2" '{ all += $2 } $1 ~ want { n += $2 } END { print all ? int(n * 100 / all) : 0 }' \
		"$tmp/$1.names"
}

# most NAME PATTERN PERCENT TEST: at least that many ticks are in paths that match
most() {
	[ "$(share "$1" "$2")" -ge "$3" ]
	ok $? "$4" "$(sort -k 2nr "$tmp/$1.names" | head -n 5; cat "$tmp/$1.out")"
}

paths deep '' 'echo deep 12 >/test/ctl'
deep=$(printf ';test_deep%.0s' 0 1 2 3 4 5 6 7 8 9 10 11 12)
most deep ";test_write$deep;test_busy\$" 90 \
	'12 calls deep in the kernel are 12 calls deep'
most deep '^echo;[[]kernel];_start[.]main;main;[a-z_;]*write;trap;trap_user;syscall;sys_write;' 90 \
	'a system call begins at the start of the program'

for delivery in nmi irq; do
	paths "irq-$delivery" "delivery=$delivery" 'echo irqspin 300 >/test/ctl'
	most "irq-$delivery" '^[a-z]*;[[]interrupt];trap;device_irq;test_irq_handler$' 90 \
		"an interrupt's path is its own: $delivery"
done

paths idle 'profclock=lapic' 'sleep 1'
most idle '^idle;[[]idle];[a-z_.;]*sched_loop;cpu_idle$' 80 'idle time has a path of its own'

# Whole workloads: every tick has a path, and the counts agree with those of kpdata.
for cpus in 1 4; do
	"$b/gnomon" run -t 60 --smp $cpus -o "$tmp" -f /dev/kpstack:load -f /dev/kpdata:load.data \
		"echo stacks on >/dev/kpctl; echo startclr >/dev/kpctl; /rc/workload 1
		echo stop >/dev/kpctl" >"$tmp/load.out" 2>&1
	total=$(od -An -tu4 --endian=big -N4 "$tmp/load.data" | tr -d ' ')
	sum=$(awk '!/^#/ { n += $2 } END { print n + 0 }' "$tmp/load")
	[ "${total:-0}" -gt 100 ] && [ "$sum" = "$total" ] &&
		grep -q "^# period_us=1000 ticks=$sum overflow=0 depth=64\$" "$tmp/load"
	ok $? "every tick of a workload is in a path: $cpus CPUs" "$sum of $total"
	! awk '!/^#/ { print $1 }' "$tmp/load" | sort | uniq -d | grep .
	ok $? "each path is one line: $cpus CPUs"
	"$b/gnomon" diff "$tmp/load.data" "$tmp/load" >"$tmp/diff" 2>&1
	grep -q 'chi-square is 0[.]00 ' "$tmp/diff"
	ok $? "gnomon diff finds what kpdata has: $cpus CPUs" "$(cat "$tmp/diff")"
	user=$(awk '/;\[user\];/ && !/;0x004[0-9a-f]*[ ;]/' "$tmp/load" | wc -l)
	[ "$user" -eq 0 ]
	ok $? "a program's paths lie in its text: $cpus CPUs" "$(grep '\[user\]' "$tmp/load" | head)"
done

# FILE.run tells which programs these were.
sed -n "s/^program=\/bin\/\([a-z0-9]*\) id=/\1 /p" "$tmp/load.run" | while read -r name id; do
	[ "$(readelf -n "$b/bin/$name" | sed -n "s/.*Build ID: //p")" = "$id" ] || echo "$name is not $id"
done >"$tmp/wrong"
[ "$(grep -c "^program=/bin/" "$tmp/load.run")" -gt 10 ] && [ ! -s "$tmp/wrong" ] &&
	[ "$("$b/gnomon" report "$tmp/load" 2>&1 | grep -c "not named")" -eq 0 ]
ok $? "the programs of a workload are told by their build ids" "$(cat "$tmp/wrong" "$tmp/load.run")"

id=$("$b/gnomon" run -t 60 'cat /dev/version' 2>/dev/null | awk '{ print $3 }')
grep -q "^# kpstack version=1 build=$id\$" "$tmp/load"
ok $? 'the first line has the build id'

# flame draws the paths in the guest.
"$b/gnomon" run -t 60 'flame -w 300 /rc/workload 1' >"$tmp/flame" 2>&1
awk 'NR == 1 { ok = $2 == "ticks," && $1 > 100 } length > 301 { long = 1 }
	END { exit !(ok && !long && NR > 10) }' "$tmp/flame" &&
	grep -q '^|all 100%  *|$' "$tmp/flame" && grep -q '|cpu_idle' "$tmp/flame" &&
	grep -q '|\[kernel\]' "$tmp/flame" && grep -q '|syscall' "$tmp/flame" &&
	grep -q '|main' "$tmp/flame"
ok $? 'flame draws a workload, with names' "$(cat "$tmp/flame")"
has "$("$b/gnomon" run 'flame; flame -W' 2>&1)" 'flame: there are no paths yet: "flame command" runs a command' \
	'flame says how there will be something to draw'
"$b/gnomon" run -t 60 'flame -M -w 200 sort /rc/workload' >"$tmp/flame" 2>&1
grep -q '^[0-9]* blocks, [0-9]* bytes$' "$tmp/flame" && grep -q '|\[freed\]' "$tmp/flame" &&
	grep -q '|stream_' "$tmp/flame" && grep -q '|sys_' "$tmp/flame"
ok $? 'P4 flame -M draws who allocates memory, in programs and in the kernel' "$(cat "$tmp/flame")"
"$b/gnomon" run -t 60 'flame sort /rc/workload' >"$tmp/out" 2>&1
! grep -q lost "$tmp/out"
ok $? 'flame mentions no lost ticks if there are none' "$(cat "$tmp/out")"
# CPUs stand still while text is changed, and miss ticks.
"$b/gnomon" run -t 60 --smp 2 'echo hz 20000 >/dev/kpctl
	flame sh -c "kgmon -b; kgmon -h"; grep "^lost" /dev/kpctl' >"$tmp/out" 2>&1
awk '/ ticks, .* lost$/ { flame = $5 } /^lost/ { all = $2 } END { exit !(flame > 0 && flame == all) }' \
	"$tmp/out"
ok $? 'flame says how many ticks were lost' "$(cat "$tmp/out")"
"$b/gnomon" run -t 60 'flame false' >"$tmp/out" 2>&1
is $? 1 "flame's status is the command's"
"$b/gnomon" run -t 60 'flame nonesuch' >"$tmp/out" 2>&1
is $? 127 'flame of a command that does not exist'
"$b/gnomon" run -t 60 --kernel "$b/gnomon-test.elf" 'flame /rc/workload' >"$tmp/out" 2>&1
has "$(cat "$tmp/out")" 'flame: /boot/gnomon: not the kernel that the paths are of' \
	"another kernel's names are not taken"

finish
