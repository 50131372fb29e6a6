#!/bin/sh
# Programs compiled with -pg, as a whole: they write gmon.out at their end, and the host's
# gprof reads it against their own image. G12, U10.
cd "$(dirname "$0")/../.." || exit 1
. tests/tools/tap.sh
b=${B:-build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/script" <<'END'
cd /tmp
mkdir a; cd a; /tests/userprof; echo status $status; cd ..
mkdir b; cd b; /tests/userprof-fentry >out; cd ..
mkdir c; cd c; /tests/userprof paused >out; cd ..
mkdir d; cd d; /tests/userprof by-hand >out; cd ..
mkdir e; cd e; seq 20000 | /tests/sort -r | tail -n 1; cd ..
mkdir f; cd f; echo x >gmon.out; chmod 444 gmon.out; /tests/userprof >out; cd ..
END
"$b/gnomon" run -t 120 -o "$tmp" -p "$b/tests/e2e/userprof:/tests/userprof" \
	-p "$b/tests/e2e/userprof-fentry:/tests/userprof-fentry" -p "$b/pg/sort:/tests/sort" \
	-f /tmp/a/gmon.out:a -f /tmp/b/gmon.out:b -f /tmp/c/gmon.out:c -f /tmp/d/by-hand.out:d \
	-f /tmp/e/gmon.out:e -s "$tmp/script" >"$tmp/out" 2>&1
ok $? 'G12 the script ran' "$(cat "$tmp/out")"
is "$(sed -n 1p "$tmp/out")" 'done' 'G12 what the program writes is as ever'
is "$(sed -n 2p "$tmp/out")" 'status 3' 'G12 and so is its exit status'
is "$(sed -n 3p "$tmp/out")" 1 'G12 a command of PROFILE_USER= works as ever'

# calls FILE PROGRAM CALLER CALLEE: how often, by gprof's call graph
calls() {
	gprof -q -b "$2" "$tmp/$1" 2>/dev/null | awk -v from="$3" -v to="$4" '
		/^-----/ { inside = 0 }
		$1 ~ /^\[/ { inside = ($0 ~ (" " from " \\[")); next }
		inside && $(NF - 1) == to { n = $(NF - 2); sub("/.*", "", n); print n }'
}

# percent FILE PROGRAM FUNCTION: its share of the time, a whole number
percent() {
	gprof -p -b "$2" "$tmp/$1" 2>/dev/null |
		awk -v f="$3" '$NF == f { n = int($1) } END { print n + 0 }'
}

# seconds FILE PROGRAM: all of the flat profile, in hundredths
seconds() {
	gprof -p -b "$2" "$tmp/$1" 2>/dev/null |
		awk '/^ +[0-9]/ { n = $2 } END { print int(n * 100 + 0.5) }'
}

for run in a:userprof b:userprof-fentry c:userprof; do
	file=${run%:*}
	p=$b/tests/e2e/${run#*:}
	is "$(calls "$file" "$p" work middle)" 10 "G12 $run: calls of a function are counted"
	is "$(calls "$file" "$p" middle leaf)" 1000 "G12 $run: by who calls"
	is "$(calls "$file" "$p" work leaf)" 1 "G12 $run: each apart"
	is "$(calls "$file" "$p" work heavy)" 30 "G12 $run: heavy"
	[ "$(percent "$file" "$p" heavy)" -ge 95 ]
	ok $? "G12 $run: the time is where it goes" "$(gprof -p -b "$p" "$tmp/$file" 2>&1)"
done
p=$b/tests/e2e/userprof
is "$(calls d "$p" work heavy)" 30 'G12 monitor: the arcs'
[ "$(percent d "$p" heavy)" -ge 95 ]
ok $? 'G12 monitor: the histogram' "$(gprof -p -b "$p" "$tmp/d" 2>&1)"

# 30 times 2 million rounds of some 4 to 8 instructions, 8 ns each: what matters is that two
# ways to the same work agree
one=$(seconds a "$p")
two=$(seconds b "$b/tests/e2e/userprof-fentry")
[ "$one" -gt 50 ] && [ "$one" -le $((two * 11 / 10)) ] && [ "$two" -le $((one * 11 / 10)) ]
ok $? 'U10 seconds are seconds' "$one and $two hundredths"

gprof -p -b "$b/pg/sort" "$tmp/e" >"$tmp/sort" 2>&1
[ "$(calls e "$b/pg/sort" sort compare)" -gt 20000 ] && [ "$(percent e "$b/pg/sort" compare)" -gt 5 ]
ok $? 'G12 a profile of a command' "$(cat "$tmp/sort")"
has "$(cat "$tmp/out")" 'userprof: gmon.out: Permission denied' \
	'G12 a gmon.out that cannot be written is told of'
finish
