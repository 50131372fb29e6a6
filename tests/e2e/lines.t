#!/bin/sh
# prof(1) and cprof(1) by source line, and the files that they write, modules(5): P3, P8, P11.
# Needs: guest/tests/e2e/covered
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

covered=$b/guest/tests/e2e/covered
"${cross}objcopy" --remove-section .lines "$covered" "$tmp/nolines"
head -c 200 "$covered.lines" >"$tmp/short.lines"
"${cross}objcopy" --update-section .lines="$tmp/short.lines" "$covered" "$tmp/damaged"
"${cross}objcopy" -S --remove-section .lines "$covered" "$tmp/bare"

printf 'a\tb  \033[2J\033]0;t\007\302\2336n\177\000\r~!\n\n' >"$tmp/raw.c"

# examples PAGE: the lines of its EXAMPLES
examples() {
	awk '/^\.Sh / { on = $2 == "EXAMPLES" } /^\.Ed/ { show = 0 } show { print }
		on && /^\.Bd/ { show = 1 }' "$1" | sed 's/\\e/\\/g'
}

# A line "= NAME" begins each part of the output.
{
	echo 'echo = prof'
	examples docs/man/1/prof.1
	echo 'echo = cprof'
	examples docs/man/1/cprof.1 | sed '3,$d'
	cat <<'END'
cprof -w /tmp/counts -m true true
head -n 5 /tmp/counts
cp /tmp/covered '/tmp/a b'
cp /tmp/covered /tmp/gone
echo = source
cprof -f covered.c -m covered /tmp/covered
echo = functions
cprof -a -m covered /tmp/covered
echo = lines
cprof -aL -m covered /tmp/covered
echo = whole
cprof -l -m covered /tmp/covered
echo = both
prof -L -s 1 -m seq -m kernel -m cat sh -c "seq 1 20000; cat /bin/* >/dev/null" >/tmp/both
grep -v '^[0-9]*$' /tmp/both
echo = kernel
prof -l -s 1 -m kernel sh -c 'cat /bin/* >/dev/null' >/tmp/kernel
grep -E '^/boot/gnomon: |^[a-z]+/.*: [0-9]+ samples$' /tmp/kernel
echo = entries
cprof -f path.c -m kernel sh -c 'for(i in `{seq 1 50}) cd /'
echo = nolines
cprof -l -m nolines /tmp/nolines; echo $status
cprof -m nolines /tmp/nolines; echo $status
echo = damaged
cprof -L -m damaged /tmp/damaged; echo $status
cprof -m damaged /tmp/damaged; echo $status
echo = nosource
mv /src/tests/e2e/covered.c /tmp/elsewhere
cprof -f covered.c -m covered /tmp/covered; echo $status
head -n 12 /tmp/elsewhere >/src/tests/e2e/covered.c
cprof -f covered.c -m covered /tmp/covered; echo $status
cp /tmp/raw.c /src/tests/e2e/covered.c
echo = raw
cprof -f covered.c -m covered /tmp/covered
echo = written
cprof -w /tmp/w1 -m covered /tmp/covered; echo $status
cat /tmp/w1
echo = blank
cprof -w /tmp/w2 '/tmp/a b'
grep "module a" /tmp/w2
echo = sampled
prof -w /tmp/w3 -s 2 sh -c 'seq 1 20000 >/dev/null; /tmp/bare; for(i in `{seq 1 300}) x=$i'
grep '^[gm]' /tmp/w3
echo = later
echo module seq >/prof/ctl
echo interval 1 >/prof/ctl
echo start >/prof/ctl
seq 1 20000 >/dev/null
echo stop >/prof/ctl
prof -w /tmp/w4; echo $status
head -n 1 /tmp/w4
prof -L | head -n 1
echo end >/prof/ctl
prof -w /tmp/w4; cat /tmp/w4
echo = barewritten
cprof -w /tmp/w5 -m bare /tmp/bare
grep '^[gm]' /tmp/w5
echo = goneprogram
echo module gone >/prof/ctl
echo startcp >/prof/ctl
/tmp/gone
rm /tmp/gone
echo stop >/prof/ctl
cprof -l; echo $status
cprof -w /tmp/w6; echo $status
grep module /tmp/w6
echo end >/prof/ctl
echo = missed
cprof -f nosuch.c -m covered /tmp/covered; echo $status
cprof -Lf nosuch.c -m covered /tmp/covered >/tmp/shown; echo $status
prof -f nosuch.c -s 1 -m seq seq 1 20000 >/tmp/shown; echo $status
cprof -f nosuch.c sh -c "echo ran >/tmp/ran"; echo $status
cprof -f nosuch.c -m true sh -c "/bin/true; echo ran >/tmp/ran" >/tmp/shown; echo $status
cat /tmp/ran
cprof -f errno.c -m covered /tmp/covered >/tmp/shown; echo $status
cprof -af errno.c -m covered /tmp/covered | grep -q '^-'; echo $status
echo = useless
cprof -w /tmp/w -l true; echo $status
prof -w /tmp/w -L true; echo $status
cprof -f a.c -w /tmp/w; echo $status
prof -w /tmp/w -a; echo $status
prof -l -L true; echo $status
cat /tmp/w
echo = wrong
cprof -w /nowhere/w true; echo $status
cprof -f; echo $status
cprof -w; echo $status
END
} >"$tmp/script"
"$b/gnomon" run -t 60 -o "$tmp" -p "$covered:/tmp/covered" -p "$tmp/nolines:/tmp/nolines" \
	-p "$tmp/damaged:/tmp/damaged" -p "$tmp/bare:/tmp/bare" \
	-p tests/e2e/covered.c:/src/tests/e2e/covered.c -p "$tmp/raw.c:/tmp/raw.c" \
	-s "$tmp/script" >"$tmp/out" 2>&1
is $? 0 'the run' || sed 's/^/# /' "$tmp/out"

# Of prof(1): a table of the shell, ten lines of the kernel, the source of sort.
part prof | awk '
	/^\/bin\/sh: [0-9]+ samples$/ { s = 1 } /^\/boot\/gnomon: [0-9]+ samples$/ { s = 2 }
	/^\/bin\/sort: [0-9]+ samples$/ { s = 3 }
	s == 1 && NF == 3 && $2 ~ /%$/ { shell++ }
	s == 2 && NF == 3 && $3 ~ /^([a-z0-9]+\/)+[a-z0-9]+\.(c|h|asm):[0-9]+$/ { kernel++ }
	s == 3 && $2 ~ /%$/ && $3 ~ /^[0-9]+$/ { sort++ }
	END { exit !(shell > 5 && kernel == 10 && sort > 5) }'
ok $? 'P11 the examples of prof(1)' "$(part prof)"
is "$(part cprof | sed '1,20d; /^gnomon/,$d')" "$(examples docs/man/1/cprof.1 | tail -n +3)" \
	'P11 what the example of cprof(1) prints'
is "$(part cprof | sed '1,/^gnomon/d; s/[0-9a-f]*$//')" \
	"$(examples docs/man/5/modules.5 | tail -n +2 | sed 's/[0-9a-f]*$//')" \
	'P11 the example of modules(5)'

# Lines of the source end with what cprof must print before them: a mark and a number.
part source | awk '
	match($0, /\/\* [-+~] [0-9]+ \*\/$/) {
		split(substr($0, RSTART), want, " ")
		if ($1 != want[2] || $2 != want[3]) { print; bad = 1 }
		n++
	}
	END { exit bad || n != 14 }' >"$tmp/wrong"
ok $? 'P3 P11 lines that ran, did not run and ran partly are marked, with how often' \
	"$(cat "$tmp/wrong"; part source)"
part source | tail -n +3 | cut -c 25- | cmp - tests/e2e/covered.c
is $? 0 'P11 the source is shown whole'
has "$(part source)" 'tests/e2e/covered.c: ' 'P11 with its name'

is "$(part raw | sed -n '3,4p' | cut -c 17-)" "     1  a$(printf '\t')b  ?[2J?]0;t???6n???~!
     2" 'B17 what a terminal would obey is not shown as it is, but tabs and blanks are'

# Every presentation has the same total, the sum of its lines.
title='^/tmp/covered: \([0-9]*\) instructions, [0-9]* of [0-9]* ([0-9.]*%) executed$'
total=$(part functions | sed -n "s|$title|\\1|p")
[ "${total:-0}" -gt 10000 ]
ok $? 'P11 how many instructions ran' "$(part functions | head -n 1)"
is "$(part lines | head -n 1)" "$(part functions | head -n 1)" 'P11 lines and functions agree'
for p in functions lines; do
	is "$(part $p | awk 'NR > 1 { n += $1 } END { print n }')" "$total" "P11 $p have all of them"
done
is "$(part whole | awk '/ instructions, [0-9]+ of/ && !/^\/tmp/ { n += $2 } END { print n }')" \
	"$total" 'P11 source files have all of them'
part functions | awk '$5 == "leaf" && $3 == 250 && $4 == "100.0%" { n++ }
	$5 == "unused" && $1 == 0 && $3 == 0 && $4 == "0.0%" { n++ }
	$5 == "main" && $3 == 1 && $4 + 0 > 50 && $4 + 0 < 100 { n++ } END { exit n != 3 }'
ok $? 'P11 per cent of instructions executed, by function' "$(part functions)"
line=$(grep -n 'unused(); ' tests/e2e/covered.c | cut -d: -f1)
part lines | grep -q "^ *0   0.0%  *0   0.0%  tests/e2e/covered.c:$line\$"
ok $? 'P11 lines that did not run are shown with -a' "$(part lines)"

# sums: whether each title's number is the sum of the lines below it
sums() {
	awk '
		/: [0-9]+ samples$/ { if (sum != total) bad = 1; total = $2; sum = 0; n++; next }
		{ sum += $1; if ($3 !~ /:[0-9]+$/ && $3 != "?") bad = 1 }
		END { exit bad || sum != total || n < 2 }'
}
part both | sums
ok $? 'P11 samples of a program and the kernel, by line' "$(part both)"
has "$(part both)" '  userland/libc/format.c:' 'P11 lines of the library'
part kernel | awk '/^\/boot/ { total = $2; next } { sum += $2 } END { exit !total || sum != total }'
ok $? 'P11 the source of the kernel' "$(part kernel)"
has "$(part kernel)" 'kernel/' 'P11 its files are named'

part entries | awk '
	NR == 1 && !/ calls, [0-9]+ of [0-9]+ functions [(]/ { bad = 1 }
	/ sys_chdir[(]/ { getline; if ($1 != "+" || $2 != 50) bad = 1; n++ }
	/ sys_rename[(]/ { getline; if ($1 != "-" || $2 != 0) bad = 1; n++ }
	/^~/ { bad = 1 } END { exit bad || n != 2 }'
ok $? 'P10 P11 of the kernel, functions are marked where they begin' "$(part entries)"

has "$(part nolines)" 'cprof: /tmp/nolines: it has no source lines' 'P11 no lines: a message'
is "$(part nolines | grep -c ' 250 .* leaf$')" 2 'P11 and it is shown by function'
is "$(part nolines | grep '^[0-9]$' | tr '\n' ' ')" '1 0 ' 'P11 and an exit status'
is "$(part damaged | grep -c 'cprof: /tmp/damaged: its source lines: its sizes do not add up')" 2 \
	'P11 a damaged table: a message'
is "$(part damaged | grep -c ' 250 .* leaf$')" 2 'P11 and it is shown by function'
has "$(part nosource)" 'cprof: /src/tests/e2e/covered.c: No such file' 'P11 no source: a message'
line=$(grep -n 'counted++' tests/e2e/covered.c | cut -d: -f1)
part nosource | grep -q " 250 100.0%  tests/e2e/covered.c:$line\$"
ok $? 'P11 and its lines as a table' "$(part nosource)"
is "$(part nosource | grep -c ' 250 100.0%  tests/e2e/covered.c:')" 9 'P11 lines beyond its end too'

id=$(readelf -n "$covered" | sed -n 's/.*Build ID: //p')
is "$(part written | head -n 3)" "0
gnomon modules 2 coverage 0
module covered /tmp/covered 00400000 $id" 'P11 the file that -w writes, and nothing else is shown'
part written | sed '1,3d; $d' | awk -v total="$total" '
	NF != 2 || (NR > 1 && $1 + 0 <= last) || $2 < 1 { bad = 1 }
	{ last = $1 + 0; sum += $2 } END { exit bad || sum != total }'
ok $? 'P8 P11 its pairs ascend, and have all instructions' "$(part written | head)"
is "$(part written | tail -n 1)" "end $(($(part written | wc -l) - 2))" 'H14 and the last line counts them'
is "$(part blank)" "module a\\040b /tmp/a\\040b 00400000 $id" 'P11 a name with a blank'
is "$(part sampled | head -n 1)" 'gnomon modules 2 sampling 2000' 'P11 the interval'
part sampled | tail -n +2 |
	grep -v '^module [a-z]* /[a-z/]* [0-9a-f]\{8\} [0-9a-f]\{40\}$' >"$tmp/wrong"
is "$(cat "$tmp/wrong")" '' 'P11 several modules'
is "$(part later | sed 's/: [0-9]* samples/: N samples/' | tr '\n' ' ')" \
	'0 gnomon modules 2 sampling 0 /bin/seq: N samples gnomon modules 2 sampling 0 end 1 ' \
	'P11 what was counted before, and nothing'
is "$(part barewritten | tail -n 1)" "module bare /tmp/bare 00400000 $id" \
	'P11 a program without symbols'
is "$(part goneprogram | tail -n 1)" 'module gone /tmp/gone - -' 'P11 a program that no longer exists'
is "$(part goneprogram | grep -c "^ *$total 100.0% .*?\$")" 1 'P11 and its counts are not lost'
is "$(part goneprogram | grep '^[0-9]$' | tr '\n' ' ')" '1 0 ' 'P11 and exit statuses'
is "$(part missed)" \
	'cprof: nosuch.c: no module that would be counted has such a source file
1
cprof: nosuch.c: no module that would be counted has such a source file
1
prof: nosuch.c: no module that would be counted has such a source file
1
cprof: nosuch.c: neither the command nor the kernel has such a source file, nor /src; -m names the program that has
1
cprof: nosuch.c: no module that was counted has such a source file
1
ran
cprof: errno.c: nothing was counted in it; -a shows it
0
0' 'P11 a source file that does not exist is refused before the run, or one that did not run after it: a message'
is "$(part useless)" 'cprof: -l has no effect with -w
2
prof: -L has no effect with -w
2
cprof: -f has no effect with -w
2
prof: -a has no effect with -w
2
prof: -l and -L exclude each other
2
cat: /tmp/w: No such file or directory' 'P11 options without effect are usage errors'
has "$(part wrong)" 'cprof: /nowhere/w: No such file' 'P11 a file that cannot be written'
is "$(part wrong | grep '^[0-9]$' | tr '\n' ' ')" '1 2 2 ' 'P11 exit statuses'

finish
