#!/bin/sh
# kprof of the whole system: the test kernel's device makes the kernel do what must be
# seen, and the host's kprof says whether it was. K2, K3, K6, K12; reproducibility; prof=boot.
# Needs: gnomon-test.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

# profile NAME APPEND COMMAND: what kprof reports of COMMAND, written to /test/ctl, in $tmp/NAME
profile() {
	cat >"$tmp/script" <<END
bind '#X' /test
echo startclr >/dev/kpctl
echo $3 >/test/ctl
echo stop >/dev/kpctl
END
	"$b/gnomon" run -t 60 --kernel "$b/gnomon-test.elf" --append "$2" -o "$tmp" \
		-f "/dev/kpdata:$1.data" -s "$tmp/script" >"$tmp/$1.out" 2>&1 &&
		"$b/kprof" "$b/gnomon-test.elf" "$tmp/$1.data" >"$tmp/$1"
}

# ms NAME FUNCTION: its milliseconds in that report, without the fraction; 0 when it is not there
ms() { awk -v f="$2" '$3 == f { v = int($1) } END { print v + 0 }' "$tmp/$1"; }

# near VALUE LOW HIGH NAME
near() {
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ]
	ok $? "$4" "got $1, not within $2..$3"
}

for source in pit lapic; do
	for delivery in nmi irq; do
		profile "irq-$source-$delivery" "profclock=$source delivery=$delivery" 'irqspin 300'
		near "$(ms "irq-$source-$delivery" test_irq_handler)" 270 301 \
			"K3 an interrupt handler that spins is seen: $source, $delivery"
	done
done

profile cli-nmi 'delivery=nmi' 'clispin 300'
near "$(ms cli-nmi test_cli_spin)" 270 301 'K3 code between cli and sti is seen by NMI'
profile cli-irq 'delivery=irq' 'clispin 300'
near "$(ms cli-irq test_cli_spin)" 0 5 'a vector does not see it, as CAVEATS says'

# 30 % of each of 100 clock ticks are 300 ms, more or less by chance.
profile step '' 'step 100'
near "$(ms step test_in_step)" 250 350 'K3 code in step with the system clock is seen as often as it runs'
near "$(ms step cpu_idle)" 600 760 'K3 and so is the idle time between'

"$b/gnomon" run -t 60 -o "$tmp" --append cpus=1 --console "$tmp/console" \
	'echo sotp >/dev/kpctl; echo hz 5 >/dev/kpctl; bind "#P" /prof; echo -n end it >/prof/ctl' \
	>"$tmp/refused" 2>&1
is "$(cat "$tmp/refused")" 'echo: standard output refuses "sotp": Invalid argument
echo: standard output refuses "hz 5": Invalid argument
echo: standard output refuses "end it": Invalid argument' 'control words that are wrong are named'
has "$(tr -d '\r' <"$tmp/console")" 'the words are start stop startclr hz clock stacks waits trace trigger calls depth filter' \
	'and the console has those that are right'
id=$("$b/gnomon" run -t 60 -o "$tmp" 'cat /dev/version' | cut -d " " -f 3 | cut -c 1-8)
is "$(head -n 1 "$tmp/console" | tr -d '\r')" "gnomon $(cat VERSION), build $id: gnomon.elf exitport=0xf4 cpus=1" \
	"the console's first line tells the build and the command line"

# The boot: what kpctl takes may be on the command line.
tools/run/profileboot "$b" >"$tmp/boot" 2>&1
ok $? 'make profile-boot'
has "$(cat "$tmp/boot")" ' kernel:cpio_unpack' 'shows what fills the root directory'
has "$("$b/gnomon" export --format folded "$b/out/boot.kpstack")" \
	'start;kmain;cpio_unpack' 'with the paths of calls, from the beginning on'
grep -q ' hz=20000 ' "$b/out/boot.kpstack"
ok $? 'at a rate of its own'
tools/run/timeline "$b" >"$tmp/line" 2>&1 && [ -s "$b/out/timeline.html" ] &&
	grep -q '^[0-9]* 1 [0-9]* .*;\[switch\]$' "$b/out/timeline/kptrace" &&
	grep -q '^sort;\[pipe\];0x' "$b/out/timeline/kpwait"
ok $? 'H9, H10 make timeline' "$(cat "$tmp/line")"
"$b/gnomon" run -t 60 -o "$tmp" --console "$tmp/console" --append 'hz=5 clock=irq' 'head -n 3 /dev/kpctl' \
	>"$tmp/state" 2>&1
is "$(xargs <"$tmp/state")" 'stop clock irq hz 1000' 'without start nothing is profiled'
has "$(cat "$tmp/console")" 'kprof: hz cannot be "5"' 'a bad value on the command line is told'

# work OPTION...: kpdata of the workload
work() {
	"$b/gnomon" run -t 60 --append idle=poll -f /dev/kpdata "$@" \
		'echo startclr >/dev/kpctl; /rc/workload 1; echo stop >/dev/kpctl' >/dev/null 2>&1
}
work --repeat 2 -o "$tmp/runs" && work --seed 1 -o "$tmp/same"
[ -s "$tmp/same/kpdata" ] && cmp -s "$tmp/same/kpdata" "$tmp/runs/2/kpdata"
ok $? 'K2 two runs of one workload give the same kpdata, byte by byte'
cmp -s "$tmp/runs/1/kpdata" "$tmp/runs/2/kpdata"
is "$?" 1 'H8: repeated runs have ticks at other moments'
"$b/gnomon" report --format csv "$tmp/runs" | awk -F , 'NR > 1 { n++; sum += $4; varies += $12 > 0 }
	END { exit !(n > 20 && varies > n / 2 && sum > 1000) }'
ok $? 'H8: and their report tells by how much they vary'

"$b/gnomon" run -t 60 -o "$tmp" --append prof=boot -f /dev/kpdata:boot \
	'echo stop >/dev/kpctl; cat /dev/kpctl' >"$tmp/boot.out" 2>&1 &&
	"$b/kprof" "$b/gnomon.elf" "$tmp/boot" >"$tmp/boot.txt"
grep -Eq ' (kmain|cpio_[a-z]+)$' "$tmp/boot.txt"
ok $? 'K9 prof=boot profiles the boot itself' "$(cat "$tmp/boot.out")"

# words FILE: kpdata's numbers, one a line
words() { od -An -v -tu4 --endian=big -w4 "$1"; }

# conserved FILE: the total is what was outside and all buckets together
conserved() {
	words "$1" | awk 'NR == 1 { total = $1 } NR == 2 { sum = $1 } NR > 6 { sum += $1 }
		END { exit !(NR > 6 && total > 0 && total == sum) }'
}

# A workload on several CPUs, with pictures taken while it runs and after it. The counts of
# each CPU in kpctl are those since boot, before which the clock had not run.
cat >"$tmp/smp" <<'END'
cat /dev/time
echo startclr >/dev/kpctl
/rc/workload 1 &
for(i in 1 2 3) {
	sleep 0.1
	cp /dev/kpdata /tmp/running$i
}
wait
echo stop >/dev/kpctl
cat /dev/time
cp /dev/kpdata /tmp/stopped
cat /dev/kpctl
END

# agree FILE ICOUNT: each CPU has had ticks, and its ticks and lost ones together are the time
# that the clock ran, and the time that reading it takes; where that is the host's, as many as
# others have
agree() {
	awk -v icount="$2" 'NF == 3 && $1 + 0 > 0 { ns[++reads] = $2 }
		$1 == "period" { period = $2 }
		$1 == "ticks" { all = $2 }
		$1 ~ /^cpu[0-9]$/ && $2 == "ticks" { n[$1] = $3 + $5; sum += $3; if ($3 > 0) cpus++ }
		END {
			want = least = (ns[2] - ns[1]) / 1000 / period
			if (icount == "off")
				for (least = c = 0; c < 4; c++)
					least = n["cpu" c] > least ? n["cpu" c] : least
			for (c in n)
				if (n[c] > want + 9 || n[c] < least * 0.9 - 30)
					exit 1
			exit !(cpus == 4 && sum == all)
		}' "$1"
}

for icount in 3 off; do
	for source in pit lapic; do
		for delivery in nmi irq; do
			way="4 CPUs, $source, $delivery, icount $icount"
			out=$tmp/smp.out
			"$b/gnomon" run -t 60 --smp 4 --icount $icount -o "$tmp" -f /tmp/running1 \
				-f /tmp/running2 -f /tmp/running3 -f /tmp/stopped \
				--append "profclock=$source delivery=$delivery" -s "$tmp/smp" >"$out" 2>&1
			conserved "$tmp/running1" && conserved "$tmp/running2" &&
				conserved "$tmp/running3" && conserved "$tmp/stopped"
			ok $? "K6 every picture adds up: $way" "$(cat "$out")"
			agree "$out" $icount
			ok $? "K2 every CPU is given each tick or has lost it: $way" "$(cat "$out")"
			rm -f "$tmp"/running? "$tmp/stopped"
		done
	done
done

# C20: the ticks that the head tells are those that were counted, also while another profiler has
# the clock run on.
cat >"$tmp/windows" <<'END'
echo hz 20000 >/dev/kpctl
echo stacks on >/dev/kpctl
kgmon -b >/dev/null
for(i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20) {
	echo startclr >/dev/kpctl
	echo stop >/dev/kpctl
	cat /dev/kpstack
}
END
for way in '1 profclock=lapic' '2 profclock=lapic' '4 profclock=pit'; do
	"$b/gnomon" run -t 120 -o "$tmp" --smp "${way% *}" --append "${way#* }" -s "$tmp/windows" 2>&1 |
		awk '
		/^# clock=/ { sub(/.* ticks=/, ""); head = $1 }
		/^# period_us/ { sub(/.* ticks=/, ""); n++; ticks += $1; wrong += $1 != head }
		END { print n, (ticks > 100), wrong + 0 }' >"$tmp/wrong"
	is "$(cat "$tmp/wrong")" '20 1 0' "C20 beside gmon each tick that is told was counted: $way"
done

finish
