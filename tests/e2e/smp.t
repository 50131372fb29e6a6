#!/bin/sh
# Several processors as a whole: they start, idle, work, and everything they count adds up.
# D9, D13, K6.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

for cpus in 1 2 4 8 32; do
	is "$("$b/gnomon" run -t 60 -o "$tmp" --smp $cpus --kernel "$b/gnomon-check.elf" \
		"wc -l </dev/sysstat; grep cpu /dev/kpctl | wc -l; sleep 5" 2>&1 | xargs)" \
		"$cpus $cpus" "$cpus processors start and idle, and each has its line in /dev/kpctl"
done
is "$("$b/gnomon" run -t 60 -o "$tmp" --smp 4 --append cpus=2 'wc -l </dev/sysstat' 2>&1)" 2 \
	'cpus=2 starts no others'
is "$("$b/gnomon" run -t 60 -o "$tmp" --smp 2 --append cpus=many 'wc -l </dev/sysstat' 2>&1)" 2 \
	'cpus=many is ignored'

# Whoever is woken runs at once where a processor is idle; and processors are shared evenly in
# whichever order their ticks come.
for start in '2 0' '4 0' '4 0.013' '4 0.02'; do
	cpus=${start% *}
	"$b/gnomon" run -t 60 -o "$tmp" --smp "$cpus" -p "$b/tests/e2e/wakeups:/tmp/wakeups" \
		"sleep ${start#* }; /tmp/wakeups" >"$tmp/woken" 2>&1
	is "$?" 0 "C11: wake-ups on $cpus processors"
	sed 's/^/# /' "$tmp/woken"
done

# There is work for all of them: each runs something, and the results are right.
cat >"$tmp/script" <<'END'
fn work { for(k in 1 2 3 4) sort /rc/workload | sum }
for(i in 1 2 3 4 5 6 7 8) { work >/tmp/sum.$i & }
wait
cat /tmp/sum.* | sort -u | wc -l
cat /dev/sysstat
END
"$b/gnomon" run -t 60 -o "$tmp" --smp 4 -s "$tmp/script" >"$tmp/work" 2>&1
is "$(sed -n 1p "$tmp/work")" 1 'eight pipelines on four processors agree'
is "$(awk '/^cpu/ && $4 > 0' "$tmp/work" | wc -l)" 4 'each processor had its share'

# One processor turns the machine off while another may be sending what is queued.
cat >"$tmp/busy" <<'END'
cat /dev/zero >/dev/null >[2]/dev/null &
cat /dev/zero >/dev/null >[2]/dev/null &
cat /dev/zero >/dev/null >[2]/dev/null &
cat /dev/zero >/dev/null >[2]/dev/null &
cat /bin/sh
END
for i in 1 2 3 4; do
	"$b/gnomon" run -t 60 -o "$tmp" --smp 4 --icount off -s "$tmp/busy" >"$tmp/sent" 2>"$tmp/why"
	is "$? $(cat "$tmp/why")" '0 ' "busy processors, run $i: the script ends as it should"
	cmp -s "$b/root/bin/sh" "$tmp/sent"
	ok $? "busy processors, run $i: all that was printed arrives"
done

# Under -icount QEMU runs CPUs in turn, and none may spend all of its turns in a clock's handler.
cat >"$tmp/turns" <<'END'
prfld
for(i in 1 2 3 4) { prfstat on; prfstat off }
END
(
	echo 'cat /dev/zero >/dev/null >[2]/dev/null &'
	echo 'echo hz 500 >/dev/kpctl'
	cat "$tmp/turns"
	echo 'echo start >/dev/kpctl; echo stop >/dev/kpctl'
) >"$tmp/beside"
for way in '2 beside profclock=pit' '2 beside profclock=lapic' '3 beside profclock=lapic' \
	'4 beside profclock=pit' '4 turns profclock=pit idle=poll'; do
	words=${way#* }
	"$b/gnomon" run -t 120 -o "$tmp" --smp "${way%% *}" --append "${words#* }" \
		-s "$tmp/${words%% *}" >"$tmp/turned" 2>&1
	is "$? $(grep -c ': on, ' "$tmp/turned")" '0 4' "C1 profiling goes on and off: $way"
done

# kprof's share of user time, and what /dev/sysstat says: all that was not idle was there.
cat >"$tmp/busy" <<'END'
echo startclr >/dev/kpctl
cat /dev/sysstat /dev/time
/tmp/spin $cpus 15
cat /dev/sysstat /dev/time
echo stop >/dev/kpctl
cat /dev/kpctl
END
for cpus in 2 8; do
	(echo "cpus=$cpus"; cat "$tmp/busy") >"$tmp/spin"
	"$b/gnomon" run -t 120 -o "$tmp" --smp $cpus -p "$b/tests/e2e/spin:/tmp/spin" \
		-s "$tmp/spin" >"$tmp/spun" 2>&1
	awk -v cpus=$cpus '
	/^cpu/ && NF == 7 { idle += ended ? $6 : -$6 }
	/^[0-9]+ [0-9]+ [0-9]+$/ { ms += ended ? $2 / 1e6 : -$2 / 1e6; ended = 1 }
	/^cpu/ && $2 == "ticks" { ticks += $3; lost += $5; user += $7 }
	END {
		share = user / ticks; want = 1 - idle / (ms * cpus)
		printf "%d ticks, %d lost; user %.3f, not idle %.3f\n", ticks, lost, share, want
		exit !(ticks >= 0.9 * (ticks + lost) && share > want - 0.02 && share < want + 0.02)
	}' "$tmp/spun" >"$tmp/shares"
	ok $? "C2 $cpus busy CPUs get their ticks, and their share of user time" \
		"$(cat "$tmp/shares" "$tmp/spun")"
done

# What the programs are charged with is what they did, by either delivery: nothing but to compute.
for way in '2 irq' '4 irq' '4 nmi'; do
	printf '%s\n' 'echo startclr >/dev/kpctl' "time /tmp/spin ${way% *} 5" 'echo stop >/dev/kpctl' \
		>"$tmp/spin"
	"$b/gnomon" run -t 120 -o "$tmp" --smp "${way% *}" --append "delivery=${way#* }" \
		-p "$b/tests/e2e/spin:/tmp/spin" -s "$tmp/spin" >"$tmp/timed" 2>&1
	awk '$1 == "user" { user = $2 } $1 == "sys" { sys = $2 }
		END { exit !(user > 0.5 && sys <= 0.02 * (user + sys)) }' "$tmp/timed"
	ok $? "C18 time in programs is not the kernel's: $way" "$(cat "$tmp/timed")"
done

# One busy program, and CPUs that sleep: none of them is passed over.
cat >"$tmp/alone" <<'END'
echo startclr >/dev/kpctl
/tmp/spin 1 10
echo stop >/dev/kpctl
cat /dev/kpctl
END
for cpus in 2 3 4 8; do
	"$b/gnomon" run -t 120 -o "$tmp" --smp $cpus --append turns=on -p "$b/tests/e2e/spin:/tmp/spin" \
		-s "$tmp/alone" >"$tmp/spun" 2>&1
	awk -v cpus=$cpus '
	/^cpu/ && $2 == "ticks" { n++; if ($5 > 0.02 * ($3 + $5) || $3 < 400) bad = $0 }
	END { exit n != cpus || bad }' "$tmp/spun"
	ok $? "C18 one busy program on $cpus CPUs: each CPU gets its ticks" "$(cat "$tmp/spun")"
done

# System calls and nothing else on all CPUs, beside every word that stops or starts the clock.
cat >"$tmp/words" <<'END'
for(i in 1 2 3 4) { /tmp/calls & p=($p $apid) }
prfld
for(i in 1 2) {
	echo startclr >/dev/kpctl
	sleep .02
	echo stop >/dev/kpctl
	echo clock irq >/dev/kpctl
	echo hz 20000 >/dev/kpctl
	prfstat on
	prfstat off
	kgmon -b
	kgmon -h
	echo hz 1000 >/dev/kpctl
	echo clock nmi >/dev/kpctl
}
cat /dev/kpctl
kill $p
END
for way in '2 lapic' '3 lapic' '4 lapic' '8 lapic' '2 pit' '3 pit' '4 pit' \
	'2 lapic turns=on' '4 lapic turns=on' '4 pit turns=on'; do
	"$b/gnomon" run -t 120 -o "$tmp" --smp "${way%% *}" --append "profclock=${way#* }" \
		-p "$b/tests/e2e/calls:/tmp/calls" -s "$tmp/words" >"$tmp/told" 2>&1
	is "$(grep -cE '^(stop|clock nmi|hz 1000)$' "$tmp/told")" 3 \
		"C17 every word is done beside system calls alone: $way"
done

# On two, at the default rate, they take as long as they work, unless another turn comes in between.
# How often one does hangs on the moments at which they are said: so many starts are taken together.
for seed in $(seq 16); do
	"$b/gnomon" run -t 120 -o "$tmp" --smp 2 --append "seed=$seed" \
		-p "$b/tests/e2e/control:/tmp/control" /tmp/control
done >"$tmp/took" 2>&1
awk -F '[: ]+' '{
		n++; word = $1 " " $(NF - 3); said[word] += $(NF - 2); soon[word] += $(NF - 1)
		if ($NF > 100000) bad = 1
	}
	END {
		for (word in said)
			if (soon[word] < 49 / 50 * said[word])
				bad = 1
		exit n != 16 * 7 || bad
	}' "$tmp/took"
ok $? 'C17 forty-nine of fifty words are done within 5 ms on 2 CPUs' "$(cat "$tmp/took")"

"$b/gnomon" run -t 280 -o "$tmp" --smp 4 -p "$b/tests/e2e/hour:/tmp/hour" /tmp/hour >"$tmp/hour" 2>&1
is "$(sed -n 2p "$tmp/hour")" 'ok 1 - D9 D13 K6 an hour of all counters adds up' \
	'D9 D13 K6 an hour of virtual time on four processors: all counters add up'

# Who watches is told of turns, once, if that QEMU takes them.
for version in 7.2.22 8.1.0; do
	cat >"$tmp/qemu" <<-END
	#!/bin/sh
	[ "\$1" != --version ] || { echo "QEMU emulator version $version (Debian)"; exit; }
	exec ${QEMU:-qemu-system-i386} "\$@"
	END
	chmod +x "$tmp/qemu"
	"$b/gnomon" run -v --qemu "$tmp/qemu" -o "$tmp" --smp 2 true >"$tmp/told.$version" 2>&1
done
"$b/gnomon" run -v --icount off -o "$tmp" --smp 2 true >"$tmp/off" 2>&1
is "$(grep -c 'QEMU 7.2 lets processors take uneven turns under --icount' "$tmp/told.7.2.22")" 1 \
	'C4 that QEMU below 8.1 lets processors take uneven turns is said once'
is "$(cat "$tmp/told.8.1.0" "$tmp/off" | grep 'uneven turns')" '' 'C4 and not of others, or without -icount'

finish
