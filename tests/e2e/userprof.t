#!/bin/sh
# Programs compiled with -pg, as a whole: they write gmon.out at their end, and the host's
# gprof reads it against their own image. G12, U10.
# Needs: pg/sort pg/tests/e2e/userprof
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

cat >"$tmp/script" <<'END'
cd /tmp
mkdir a; cd a; /tests/userprof; echo status $status; cd ..
mkdir b; cd b; /tests/userprof-fentry >out; cd ..
mkdir c; cd c; /tests/userprof paused >out; cd ..
mkdir d; cd d; /tests/userprof by-hand >out; cd ..
mkdir e; cd e; seq 200000 | /tests/sort -r | tail -n 1; cd ..
mkdir f; cd f; echo x >gmon.out; chmod 444 gmon.out; /tests/userprof >out; cd ..
echo = a
prof -g /tests/userprof a/gmon.out
echo = e
cd e; prof -g /tests/sort; cd ..
kgmon -b; cat /bin/* /bin/* | cat | wc -c >/tmp/c/out| sort | wc >/tmp/f/out; kgmon -h -p
echo = k
prof -g /boot/gnomon
mv gmon.out k
echo = time
time /tests/userprof
prof -g /tests/userprof
echo = errors
prof -g; echo status $status
prof -g /tests/userprof gmon.out more; echo status $status
prof -g /tests/userprof nosuch; echo status $status
prof -g /tests/nosuch gmon.out; echo status $status
prof -g /rc/init gmon.out; echo status $status
prof -g /tests/userprof /rc/init; echo status $status
prof -g /boot/gnomon gmon.out; echo status $status
prof -g /bin/true gmon.out; echo status $status
prof -g /tests/userprof k; echo status $status
END
"$b/gnomon" run -t 120 -o "$tmp" -p "$b/tests/e2e/userprof:/tests/userprof" \
	-p "$b/pg/tests/e2e/userprof:/tests/userprof-fentry" -p "$b/pg/sort:/tests/sort" \
	-f /tmp/a/gmon.out:a -f /tmp/b/gmon.out:b -f /tmp/c/gmon.out:c -f /tmp/d/by-hand.out:d \
	-f /tmp/e/gmon.out:e -f /tmp/k:k -f /tmp/gmon.out:g -s "$tmp/script" >"$tmp/out" 2>&1
ok $? 'G12 the script ran' "$(cat "$tmp/out")"
is "$(sed -n 1p "$tmp/out")" 'done' 'G12 the program writes what it always does'
is "$(sed -n 2p "$tmp/out")" 'status 3' 'G12 and so is its exit status'
is "$(sed -n 3p "$tmp/out")" 1 'G12 a command of PROFILE_USER= works as always'

# arc FILE PROGRAM CALLER CALLEE: how often, by gprof's call graph
arc() {
	gprof -q -b "$2" "$tmp/$1" 2>/dev/null | calls "$3" "$4" | sed 's|/.*||'
}

# percent FILE PROGRAM FUNCTION: its share of the time, rounded down
percent() {
	gprof -p -b "$2" "$tmp/$1" 2>/dev/null |
		awk -v f="$3" '$NF == f { n = int($1) } END { print n + 0 }'
}

# seconds FILE PROGRAM: the total of the flat profile, in hundredths
seconds() {
	gprof -p -b "$2" "$tmp/$1" 2>/dev/null |
		awk '/^ +[0-9]/ { n = $2 } END { print int(n * 100 + 0.5) }'
}

for run in a:userprof b:userprof-fentry c:userprof; do
	file=${run%:*}
	p=$b/tests/e2e/userprof
	[ "$file" != b ] || p=$b/pg/tests/e2e/userprof
	is "$(arc "$file" "$p" work middle)" 10 "G12 $run: calls of a function are counted"
	is "$(arc "$file" "$p" middle leaf)" 1000 "G12 $run: by caller"
	is "$(arc "$file" "$p" work leaf)" 1 "G12 $run: each caller apart"
	is "$(arc "$file" "$p" work heavy)" 30 "G12 $run: heavy"
	[ "$(percent "$file" "$p" heavy)" -ge 95 ]
	ok $? "G12 $run: the time is where it goes" "$(gprof -p -b "$p" "$tmp/$file" 2>&1)"
done
p=$b/tests/e2e/userprof
is "$(arc d "$p" work heavy)" 30 'G12 monitor: the arcs'
[ "$(percent d "$p" heavy)" -ge 95 ]
ok $? 'G12 monitor: the histogram' "$(gprof -p -b "$p" "$tmp/d" 2>&1)"

# 30 times 2 million rounds of 4 to 8 instructions, 8 ns each: what matters is that two ways to
# the same work agree.
one=$(seconds a "$p")
two=$(seconds b "$b/pg/tests/e2e/userprof")
[ "$one" -gt 50 ] && [ "$one" -le $((two * 11 / 10)) ] && [ "$two" -le $((one * 11 / 10)) ]
ok $? 'U10 seconds are seconds' "$one and $two hundredths"

gprof -p -b "$b/pg/sort" "$tmp/e" >"$tmp/sort" 2>&1
[ "$(arc e "$b/pg/sort" sort compare)" -gt 20000 ] && [ "$(percent e "$b/pg/sort" compare)" -gt 5 ]
ok $? 'G12 a profile of a command' "$(cat "$tmp/sort")"
has "$(cat "$tmp/out")" 'userprof: gmon.out: Permission denied' \
	'G12 a gmon.out that cannot be written is reported'
# same FILE PROGRAM: whether the guest's prof and gprof name the same functions, with the same
# seconds and the same calls. gprof shows hundredths, leaves mcount out, and divides a
# bin in which one function ends and another begins.
same() {
	gprof -p -b "$2" "$tmp/$1" 2>/dev/null | awk '
		/^ *[0-9]+\.[0-9][0-9] / && !/mcount$|__fentry__/ { print $NF, $3, (NF > 4 ? $4 : "-") }' | sort >"$tmp/theirs"
	part "$1" | awk 'NF == 4 && $1 ~ /^[0-9.]+$/ && !/mcount$|__fentry__/ { print $4, $1, $3 }' | sort >"$tmp/ours"
	join -a 1 -a 2 -e none -o 0,1.2,1.3,2.2,2.3 "$tmp/ours" "$tmp/theirs" | awk '
		{ n++; off = $2 - $4 }
		$2 == "none" || $4 == "none" || $3 != $5 || off > 0.0151 || off < -0.0151 { print; bad = 1 }
		END { exit bad || n < 5 }' >"$tmp/differ"
	ok $? "U10 $1: the guest's prof and gprof agree" "$(cat "$tmp/differ")"
}
is "$(for p in "$b"/bin/*; do "${cross}nm" "$p"; done | awk '$2 ~ /[tT]/ && $1 !~ /[048c]$/ { print $3 }')" '' \
	'U10 functions begin with a cell of the histogram, of all programs'
same a "$p"
same e "$b/pg/sort"
same k "$b/gnomon.elf"
part k | awk '
	NR == 1 && /^\/boot\/gnomon: [0-9]+ samples, [0-9.]+ s$/ { total = $4 }
	NR == 2 { ok = $0 == "   seconds      %      calls  function" }
	NR > 2 { if (NR > 3 && $1 > last) bad = 1; last = $1; sum += $1; per += $2 }
	END { off = sum - total; exit !ok || bad || off > 0.01 || off < -0.01 || per < 98 || per > 102 }'
ok $? 'U10 its lines descend and add up' "$(part k)"

# The sampled seconds agree with time(1), which uses times(2).
part time | awk '
	$1 == "user" { user = $2 }
	/ samples, / { profiled = $(NF - 1) }
	END { off = user - profiled; exit !(profiled > 1 && off < 0.05 && off > -0.05) }'
ok $? 'U10 time agrees with the histogram' "$(part time)"

is "$(part errors)" 'usage: prof -g program [gmon.out]
status 2
usage: prof -g program [gmon.out]
status 2
prof: nosuch: No such file or directory
status 1
prof: /tests/nosuch: No such file or directory
status 1
prof: /rc/init: not a 32-bit ELF file
status 1
prof: /rc/init: not a gmon.out
status 1
prof: gmon.out: it is not of /boot/gnomon, or of another build of it
status 1
prof: gmon.out: it is not of /bin/true, or of another build of it
status 1
prof: k: it is not of /tests/userprof, or of another build of it
status 1' 'U10 what prof says of files that do not fit'

# Files cut to several lengths, and files with odd bytes in their heads.
size=$(wc -c <"$tmp/g")
set --
: >"$tmp/script"
damaged() {
	set -- "$1" "-p $tmp/$1:/tmp/$1"
	puts="$puts $2"
	echo "prof -g /tests/userprof /tmp/$1 >/tmp/out; echo $1 \$status" >>"$tmp/script"
}
puts=
for length in 0 3 19 20 21 30 52 53 60 $((size - 1)) $((size - 12)); do
	head -c "$length" "$tmp/g" >"$tmp/cut$length"
	damaged "cut$length"
done
# at NAME OFFSET BYTES: make a copy with other bytes at the offset
at() {
	cp "$tmp/g" "$tmp/$1"
	printf '%b' "$3" | dd of="$tmp/$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
	damaged "$1"
}
at magic 0 G
at version 4 '\02'
at kind 20 '\07'
at below 21 '\0\0\0\0'
at empty 25 '\0\0\0\0'
at bins 29 '\0377\0377\0377\0377'
at odd 29 '\03'
at rate 33 '\0\0\0\0'
# shellcheck disable=SC2086
"$b/gnomon" run -t 60 -p "$b/tests/e2e/userprof:/tests/userprof" $puts -s "$tmp/script" \
	>"$tmp/out" 2>&1
ok $? 'U10 damaged files' "$(cat "$tmp/out")"
is "$(grep -c '^prof: /tmp/[a-z0-9]*: [a-z]' "$tmp/out") $(grep -c '^[a-z0-9]* 1$' "$tmp/out")" \
	'19 19' 'U10 each is refused with a message'
finish
