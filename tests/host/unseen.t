#!/bin/sh
# What a tick calls is not instrumented (G2, T3): an NMI that comes within an entry stub must not
# enter it again.
# Needs: gnomon.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/host/tap.sh
cross=${CROSS-i686-linux-gnu-}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Write "FUNCTION CALLEE" for each call and jump to another function, and "FUNCTION *" for a pad.
"${cross}objdump" -d --no-show-raw-insn "${B:-build}/gnomon.elf" | awk '
	/^[0-9a-f]+ <.*>:$/ { f = substr($2, 2, length($2) - 3) }
	/nopl +0x0\(%eax,%eax,1\)$/ && f != last { last = f; print f, "*" }
	/(call|j[a-z]+) +[0-9a-f]+ <[^+]*>$/ { gsub(/[<>]/, "", $NF); print f, $NF }' >"$tmp/calls"

# reached FUNCTION: what it calls, directly or not
reached() {
	awk -v todo="$1" '
		$2 == "*" { pad[$1] = 1; next }
		{ callee[$1] = callee[$1] " " $2 }
		END {
			while (todo) {
				f = todo; sub(/ .*/, "", f); sub(/^[^ ]* */, "", todo)
				if (f in seen)
					continue
				seen[f] = 1
				print f (pad[f] ? " is instrumented" : "")
				if (!pad[f])
					todo = todo callee[f]
				sub(/^ +/, "", todo)
			}
		}' "$tmp/calls"
}

# What a panic needs is no part of a tick.
for f in profclock_intr profclock_irq profclock_foreign lapic_arm lapic_disarm pit_arm pit_disarm; do
	reached $f >"$tmp/of"
	is "$(grep instrumented "$tmp/of" | grep -v '^panic')" '' "$f calls nothing that is instrumented"
done
reached profclock_intr >"$tmp/of"
grep -q '^statclock_sample$' "$tmp/of"
ok $? 'profclock_intr reaches the profilers' "$(cat "$tmp/of")"
is "$(reached trap_user | head -1)" 'trap_user is instrumented' 'what is instrumented is seen'

finish
