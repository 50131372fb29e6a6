#!/bin/sh
# kprof of the whole system: the test kernel's device makes the kernel do what must be
# seen, the host's kprof says whether it was. K2, K3, K12; reproducibility; prof=boot.
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/tap.sh
b=${B:-build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# profile NAME APPEND COMMAND: what kprof reports of COMMAND, written to /prof/ctl, in $tmp/NAME
profile() {
	cat >"$tmp/script" <<END
bind '#X' /prof
echo startclr >/dev/kpctl
echo $3 >/prof/ctl
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

# 100 clock ticks, 30 % of each: 300 ms, give or take chance
profile step '' 'step 100'
near "$(ms step test_in_step)" 250 350 'K3 code in step with the system clock is seen as often as it runs'
near "$(ms step cpu_idle)" 600 760 'K3 and so is the idle time between'

for run in 1 2; do
	"$b/gnomon" run -t 60 -o "$tmp" -f "/dev/kpdata:same$run" \
		'echo startclr >/dev/kpctl; /rc/workload 1; echo stop >/dev/kpctl' >/dev/null 2>&1
done
[ -s "$tmp/same1" ] && cmp -s "$tmp/same1" "$tmp/same2"
ok $? 'K2 two runs of one workload give the same kpdata, byte by byte'

"$b/gnomon" run -t 60 -o "$tmp" --append prof=boot -f /dev/kpdata:boot \
	'echo stop >/dev/kpctl; cat /dev/kpctl' >"$tmp/boot.out" 2>&1 &&
	"$b/kprof" "$b/gnomon.elf" "$tmp/boot" >"$tmp/boot.txt"
grep -Eq ' (kmain|tar_member|octal|devroot_[a-z]+|unpack)$' "$tmp/boot.txt"
ok $? 'K9 prof=boot profiles the boot itself' "$(cat "$tmp/boot.out")"

finish
