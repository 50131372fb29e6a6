#!/bin/sh
# The profilers in another kernel, tests/port, and the examples of prof(9): what they count
# there is known exactly, or by how long each function runs.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
b=$(realpath "$b")

# here NUMBER: an example, with this build folder and ours for what it makes
here() {
	example docs/man/9/prof.9 "$1" | sed "s|build/port|$tmp/port|g; s|\$PWD||; s|build/|$b/|g" |
		env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL CROSS="$cross" sh
}

{
	printf '#include "prof/prof_hooks.h"\nvoid *zeroed_memory(size_t n);\nvoid free_memory(void *p);\n'
	example docs/man/9/prof.9
} >"$tmp/hooks.c"
"${cross}gcc" -m32 -ffreestanding -Wall -Wextra -Werror -I. -c "$tmp/hooks.c" \
	-o "$tmp/hooks.o" 2>"$tmp/said"
ok $? 'the page'\''s hooks compile' "$(cat "$tmp/said")"
is "$("${cross}nm" "$tmp/hooks.o" | grep -c ' T prof_hook_')" \
	"$(grep -c '^[^ ].*prof_hook_[a-z]*(' prof/prof_hooks.h)" 'and none is missing'

# If the hooks are instrumented like all else, those that mcount calls still must not be.
"${cross}gcc" -m32 -ffreestanding -fno-pic -O2 -pg -mfentry -I. -S "$tmp/hooks.c" \
	-o "$tmp/hooks.s"
awk '/^prof_hook_/ { f = $1 } /__fentry__/ { print f }' "$tmp/hooks.s" >"$tmp/instrumented"
grep -q '^prof_hook_alloc:$' "$tmp/instrumented" &&
	! grep -q '_cpu:\|_arcs:' "$tmp/instrumented"
ok $? 'hooks that mcount calls are never instrumented' "$(cat "$tmp/instrumented")"

here 2 >"$tmp/out" 2>"$tmp/said"
is "$(cat "$tmp/said")" '' 'the kernel is built and ends well, and its data are read'

# ms FUNCTION: its milliseconds in kprof's report
ms() { awk -v f="$1" '$3 == f && NF == 3 { print int($1); exit }' "$tmp/out"; }

# 15,000,000 and 6,000,000 iterations
ratio=$(($(ms heavy) * 100 / $(ms light)))
[ "$ratio" -ge 240 ] && [ "$ratio" -le 260 ]
ok $? 'kprof: time is where it is spent' "heavy takes $ratio % of light"
is "$(calls kmain both <"$tmp/out")" 5000/5000 'gprof: all calls of a function'
is "$(calls both light <"$tmp/out") $(calls deep light <"$tmp/out")" '5000/6000 1000/6000' 'gprof: by caller'
is "$(calls deep deep <"$tmp/out")" 3000 'gprof: recursion'

here 3 >"$tmp/paths" 2>"$tmp/said"
is "$(cat "$tmp/said")" '' 'paths are given names'
below=$(awk '/;start;kmain;both;(heavy|light) / { n += $NF } END { print n + 0 }' "$tmp/paths")
total=$(awk '/^total:/ { print $2 }' "$tmp/out")
[ "$below" -ge $((total * 9 / 10)) ]
ok $? 'kpstack: nearly all is below both' "$below of $total"
grep -q ';start;kmain;deep;deep;deep;deep;light [0-9]*$' "$tmp/paths"
ok $? 'kpstack: each call of a recursion' "$(cat "$tmp/paths")"
is "$(awk '{ n += $NF } END { print n }' "$tmp/paths")" "$total" 'kpstack: as many ticks as kprof has'

here 4 >"$tmp/graph" 2>"$tmp/said"
is "$(cat "$tmp/said")" '' 'gmon.out: gnomon reports calls'
is "$(calls kmain both <"$tmp/graph") $(calls both light <"$tmp/graph")" '5000/5000 5000/6000' \
	'as many as gprof'
finish
