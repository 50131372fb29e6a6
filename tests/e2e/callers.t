#!/bin/sh
# The callers of the kernel's functions: those that call paths have, tick by tick, are those that
# gdb finds by .debug_frame when it stops the machine in the same tick (C22).
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
kernel=$b/gnomon.elf

# A function's frame is made by its first two instructions, and what follows the last is a return:
# only there, by what the code is, its caller can be told without a frame. (A function that aligns
# its stack has a copy of the return address in its frame.)
"${cross}objdump" -d --no-show-raw-insn "$kernel" | awk '
	/^[0-9a-f]+ <[^.]*>:/ { name = $2 }
	!/^ *[0-9a-f]+:/ { next }
	pushed && !/\tmov +%esp,%ebp/ { print name, "does something else before it has a frame" }
	/\tlea +-?0x[0-9a-f]+\(%edi\),%esp/ { left = 0 }
	left && !/\t(ret|iret|jmp)/ { print name, "does something else after it has left its frame" }
	{ pushed = /\tpush +%ebp$/; left = /\t(leave|pop +%ebp) *$/ }' >"$tmp/late"
is "$(cat "$tmp/late")" '' 'C22 frames are made first and left last'

# gdb stops where a tick is about to be counted. Virtual time must not go on meanwhile, as it may
# with sleep=off.
cat >"$tmp/qemu" <<END
#!/bin/sh
q=${QEMU:-qemu-system-i386}
[ "\$1" != --version ] || exec "\$q" --version
for a; do
	shift
	set -- "\$@" "\$(echo "\$a" | sed 's/,sleep=off/,sleep=on/')"
done
exec "\$q" "\$@" -S -chardev socket,path=$tmp/gdb,server=on,wait=off,id=gdb -gdb chardev:gdb
END
chmod +x "$tmp/qemu"
cat >"$tmp/script" <<'END'
echo hz 800 >/dev/kpctl
echo stacks on >/dev/kpctl
echo trace 4096 >/dev/kpctl
echo startclr >/dev/kpctl
/rc/workload >/dev/null
echo stop >/dev/kpctl
cat /dev/kptrace
END
cat >"$tmp/commands" <<END
set width 0
set backtrace limit 60
target remote $tmp/gdb
break statclock_sample
commands
silent
backtrace
echo ==\\n
continue
end
continue
END
"${cross}objcopy" --strip-debug --keep-section=.debug_frame "$kernel" "$tmp/kernel"
"$b/gnomon" run -t 300 --qemu "$tmp/qemu" -o "$tmp" -s "$tmp/script" >"$tmp/trace" 2>"$tmp/said" &
guest=$!
while ! [ -S "$tmp/gdb" ] && kill -0 "$guest" 2>/dev/null; do sleep 0.1; done
timeout 280 gdb -nx -batch -x "$tmp/commands" "$tmp/kernel" >"$tmp/stops" 2>/dev/null
wait "$guest"
is "$? $(cat "$tmp/said")" '0 ' 'the workload ran'

# Behind a trap, whose frame gdb does not show, is what it interrupted: the first such is the tick's
# own. Of a fault in the kernel, the path has the address after that of the instruction. The code
# that gdb takes for a trap itself has no frame, and is in paths where a tick interrupts it; what
# that trap has interrupted is not, until its frame is whole; nor are
# callers while the stack is changed.
address() { "${cross}nm" "$kernel" | awk -v name="$1" '$3 == name { print "0x" $1 }'; }
awk -v stubs="$(address isr_stubs)" -v back="$(address isr_return.end)" \
	-v fork="$(address fork_return)" -v end="$(address fork_return.end)" \
	-v change="$(address switch_to)" -v switched="$(address switch_to.end)" '
	function of_traps(a) { return a >= stubs && a < back || a >= fork && a < end }
	function of_switch(a) { return a >= change && a < switched }
	function next_of(a,  i, v) {
		for (i = length(a); substr(a, i, 1) == "f"; i--)
			;
		v = index("0123456789abcdef", substr(a, i, 1))
		return substr(a, 1, i - 1) substr("0123456789abcdef", v + 1, 1) \
			substr("000000000", 1, length(a) - i)
	}
	BEGIN { stops = 0 }
	FNR == NR && /^==/ { stops++; traps = fault = 0; next }
	FNR == NR && /signal handler called/ { fault = ++traps > 1; next }
	FNR == NR && /^#[0-9]+ +0x[c-f][0-9a-f]* in / {
		if (traps)
			calls[stops] = calls[stops] " " (fault ? "+" $2 : $2)
		fault = 0
		next
	}
	FNR == NR || /^#/ { next }
	{
		n = split($4, step, ";")
		pc = step[n]
		path = ""
		for (i = n; i > 2 && step[i] ~ /^0x[c-f]/; i--)
			if (!of_traps(step[i]))
				path = path " " step[i]
		n = split(calls[ticks++ + 0], call, " ")
		want = ""
		for (i = 1; i <= n && !(step[2] == "[interrupt]" && call[i] ~ /\+/); i++)
			if (!of_traps(call[i]))
				want = want " " (sub(/\+/, "", call[i]) ? next_of(call[i]) : call[i])
		kernel += step[2] == "[kernel]"
		if (path == want)
			same++
		else if (of_traps(pc) || of_switch(pc))
			entering++
		else
			print $4 ": gdb has" want
	}
	END {
		printf "%d ticks, %d stops, %d in the kernel, %d have the callers that gdb finds\n",
			ticks, stops, kernel, same
		exit !(ticks == stops && ticks >= 400 && kernel >= 100 && \
			same + entering == ticks && 100 * entering <= ticks)
	}' "$tmp/stops" "$tmp/trace" >"$tmp/compared"
ok $? 'C22 the callers of 400 ticks of the workload are the true ones' "$(cat "$tmp/compared")"
sed -n '$s/^/# /p' "$tmp/compared"

# And gmon has the calls of what is written in assembly.
"$b/gnomon" run -t 60 -o "$tmp" -f /tmp/gmon.out \
	'cd /tmp; kgmon -b; cat /rc/workload | sort >/dev/null; kgmon -h -p' >/dev/null 2>"$tmp/said"
for pair in 'pipe_read user_copy' 'pipe_write user_copy'; do
	[ "$(gprof -q -b "$kernel" "$tmp/gmon.out" 2>/dev/null |
		calls "${pair% *}" "${pair#* }" | sed 's|/.*||')" -gt 1 ]
	ok $? "C22 gmon has an arc: $pair" "$(cat "$tmp/said")"
done

finish
