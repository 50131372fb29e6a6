#!/bin/sh
# gnomon report of what one guest counted, compared with kprof, gprof, prfpr and the guest's cprof.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
export LC_ALL=C

cat >"$tmp/script" <<'END'
cd /tmp
prfld
prfstat on
prfsnap log
kgmon -b
echo stacks on >/dev/kpctl
echo startclr >/dev/kpctl
/rc/workload 2
echo stop >/dev/kpctl
kgmon -h -p
prfsnap log
prfstat off
cprof -w covered -m seq sh -c 'seq 1 100'
cprof -f seq.c -m seq -o /dev/null sh -c 'seq 1 100' >byline
cprof -m seq -o /dev/null sh -c 'seq 1 100' >byfunction
prof -s 1 -w sampled sh -c 'for(i in `{seq 1 2000}) x=$i'
END
"$b/gnomon" run -t 60 --append idle=poll -o "$tmp" -f /dev/kpdata -f /dev/kpstack -f /tmp/gmon.out \
	-f /tmp/log -f /tmp/covered -f /tmp/byline -f /tmp/byfunction -f /tmp/sampled -s "$tmp/script" >"$tmp/out" 2>&1
ok $? 'the guest ran' "$(tail "$tmp/out")"

report() { "$b/gnomon" report "$@"; }
# rows: the counts and names in a flat profile, but for zeros
rows() { awk 'on && $1 > 0 { print $1, $NF } $2 == "self" { on = 1 }' | sort; }

"$b/kprof" "$b/gnomon.elf" "$tmp/kpdata" | awk 'on { print $1 + 0, $3 } $3 == "symbol" { on = 1 }' |
	sort >"$tmp/theirs"
report -n 0 "$tmp/kpdata" | rows | grep -v '\[outside\]' >"$tmp/ours"
# A share that lies halfway between two hundredths may be rounded either way.
[ "$(wc -l <"$tmp/ours")" -gt 20 ] && join -a 1 -a 2 "$tmp/theirs" "$tmp/ours" |
	awk '{ d = $2 - $3 } NF != 3 || d > 0.011 || d < -0.011 { bad = 1 } END { exit bad }'
ok $? 'K12 kpdata: every function has the ticks that kprof gives it' \
	"$(diff "$tmp/theirs" "$tmp/ours" | head -n 5)"

# gprof shows time in hundredths of a second.
gprof -b -p "$b/gnomon.elf" "$tmp/gmon.out" 2>/dev/null |
	awk '$NF != "name" && $3 ~ /^[0-9]/ { print $NF, $3, $4 ~ /^[0-9]+$/ ? $4 : "-" }' |
	sort >"$tmp/theirs"
report -n 0 "$tmp/gmon.out" | awk 'on && NF >= 4 {
		printf "%s %.3f %s\n", $NF, $3 / 1000, (NF > 4 ? $4 : "-") } $2 == "self" { on = 1 }' |
	sort >"$tmp/ours"
join "$tmp/theirs" "$tmp/ours" | awk '{ d = $2 - $4; if (d < 0) d = -d
	if (d <= 0.0051 && $3 == $5) good++; else print } END { exit good < 100 }' >"$tmp/bad" &&
	[ ! -s "$tmp/bad" ]
ok $? 'G10 gmon.out: time and calls are those of gprof' "$(head -n 5 "$tmp/bad")"
is "$(join -v 1 "$tmp/theirs" "$tmp/ours" | grep -v ' 0.00 -$')" '' 'G10 and no function is missing'

# The call graph: calls and share of the time that syscall's callees have, as gprof has them.
entry() {
	awk '/^\[/ { inside = /syscall \[/; next } /^---/ { inside = 0 } inside { print }' |
		awk '{ sub("/.*", "", $3); print $(NF - 1), $3 }' | sort
}
gprof -b -q "$b/gnomon.elf" "$tmp/gmon.out" 2>/dev/null | entry >"$tmp/theirs"
report -g -n 0 "$tmp/gmon.out" | entry >"$tmp/ours"
[ "$(wc -l <"$tmp/ours")" -gt 5 ] && cmp -s "$tmp/theirs" "$tmp/ours"
ok $? 'G10 the callees of syscall are those of gprof' "$(diff "$tmp/theirs" "$tmp/ours" | head -n 5)"
share() { awk '/^\[/ && / syscall \[/ { sub("%", "", $2); print $2 + 0 }'; }
theirs=$(gprof -b -q "$b/gnomon.elf" "$tmp/gmon.out" 2>/dev/null | share)
ours=$(report -g -n 0 "$tmp/gmon.out" | share)
echo "${theirs:-0} ${ours:-1}" | awk '{ d = $1 - $2; exit !(d > -0.3 && d < 0.3) }'
ok $? 'G10 and so is what syscall and its callees take' "$theirs $ours"

"$b/prfpr" "$tmp/log" 0 "$b/gnomon.elf" | sed 1d | LC_ALL=C sort >"$tmp/theirs"
report -n 0 "$tmp/log" | awk 'on && $1 > 0 { gsub(/[][]/, "", $NF); print $NF, $2 }
	$2 == "self" { on = 1 }' | LC_ALL=C sort >"$tmp/ours"
# A share that lies halfway between two hundredths may be rounded either way.
[ "$(wc -l <"$tmp/ours")" -gt 20 ] && LC_ALL=C join -a 1 -a 2 "$tmp/theirs" "$tmp/ours" |
	awk '{ d = $2 - $3 } NF != 3 || d > 0.011 || d < -0.011 { bad = 1 } END { exit bad }'
ok $? 'D12 the log: shares are those of prfpr' "$(diff "$tmp/theirs" "$tmp/ours" | head -n 5)"

[ "$(awk '/^module/ { n++ } !/^(module|gnomon|end)/ { sum += $2 } END { print n, sum }' "$tmp/covered")" = \
	"1 $(report "$tmp/covered" | sed -n '1s/.* \([0-9]*\) instructions/\1/p')" ]
ok $? 'P11 coverage: all counts are there'
is "$(report -n 0 "$tmp/covered" | awk '$NF == "main" { print $3 }')" 1 'P11 main ran once'
report -a main -l "$tmp/covered" | grep -Eq '[0-9] [+~]  *[0-9]+  .*number'
ok $? 'P11 annotated source shows what ran' "$(report -a main -l "$tmp/covered" | head -n 30)"
# How often lines of main ran, and their marks.
sed -n 's/^\([+~-]\) *\([0-9]*\)  *\([0-9]*\)  .*/\3 \1 \2/p' "$tmp/byline" >"$tmp/theirs"
report -a main -l "$tmp/covered" | sed -n 's/^.\{23\}\([+~-]\) *\([0-9]*\)  *\([0-9]*\)  .*/\3 \1 \2/p' >"$tmp/ours"
[ "$(wc -l <"$tmp/ours")" -gt 10 ] && cmp -s "$tmp/ours" "$tmp/theirs"
ok $? 'P11 lines ran as often as cprof says' "$(diff "$tmp/theirs" "$tmp/ours")"

# As cprof has it: the same instructions ran, of as many.
theirs=$(sed -n 's/.* instructions, \([0-9]* of [0-9]*\) .*/\1/p' "$tmp/byfunction")
is "${theirs:-none} instructions ran" "$(report "$tmp/covered" | sed -n 's/^  seq *//; s/, .*//; 2p')" \
	'P11 as much of the program ran as cprof says'
has "$(report "$tmp/sampled")" ' sh:' 'P11 samples of programs have their names'

# The examples of the pages, with our folders in place of theirs.
sed -n '/^.Sh EXAMPLES/,/^.Sh SEE/s/^\(build\|callg\|last\)/\1/p' docs/man/1/gnomon-report.1 \
		docs/man/1/gnomon-export.1 |
	sed "s|build/out|$tmp|g; s|build/gnomon run|$b/gnomon run -o $tmp|; s|build/gnomon|$b/gnomon|" \
		>"$tmp/examples"
while read -r example; do
	eval "$example" >"$tmp/out" 2>&1 </dev/null
	ok $? "example: $(echo "$example" | cut -d " " -f 2-3)" "$(cat "$tmp/out")"
done <"$tmp/examples"
is "$(wc -l <"$tmp/examples")" 38 "all examples ran"

report -g "$tmp/gmon.out" >"$tmp/out"
is "$(grep -c '^\[1\] .* trap \[1\]$' "$tmp/out")" 1 'the graph begins with what ran, not with what waited'

# A bucket of 8 bytes may have the code of several lines; a path has the one instruction.
report -l "$tmp/kpdata" >"$tmp/out"
grep -q '^  \*: a count is of up to 8 bytes of text' "$tmp/out" &&
	grep -q '^ *[0-9]* *[0-9.]*\* kernel/machine/user.asm:[0-9]*  *user_copy' "$tmp/out"
ok $? 'a line that stands for several is marked' "$(head -n 12 "$tmp/out")"
report -a user_copy "$tmp/kpdata" >"$tmp/out"
grep -q '^ *[0-9]* *[0-9.]*\*  *c0[0-9a-f]*  [a-z]' "$tmp/out"
ok $? 'and an instruction' "$(cat "$tmp/out")"
is "$(report -l "$tmp/kpstack" | grep -c '[0-9]\*')" 0 'paths know better'
has "$(report -l "$tmp/kpstack" | sed -n '/ ticks  *%/{n; p; }')" 'user_copy                rep movs' \
	'as the line of user_copy shows that takes the time'
inlined=$(report -I -n 0 -m kernel "$tmp/kpstack" | sed -n 's/ (inlined)$//; T; s/.*[: ]//p' | head -n 1)
report -I -n 0 -m kernel "$tmp/kpstack" | sed -n "s/[ :]$inlined (inlined)\$//p" |
	awk '{ print $1 }' >"$tmp/self"
report -a "$inlined" -m kernel "$tmp/kpstack" >"$tmp/out"
sed -n "s/^$inlined (inlined), [a-z_/]*\.[ch]: \([0-9]*\) ticks.*/\1/p" "$tmp/out" >"$tmp/shown"
[ "$(cat "$tmp/shown")" -ge "$(cat "$tmp/self")" ] &&
	[ "$(awk '/ \(inlined\), / { on = 1 } on && $3 ~ /^c0/ { n += $1 } END { print n }' "$tmp/out")" = \
		"$(cat "$tmp/shown")" ]
ok $? 'an inlined function has its code, wherever it is' "$inlined $(cat "$tmp/self" "$tmp/out")"

# What stands beside a profile is what the guest knows of it.
clock=$(sed -n 's/^# \(clock=.*\)/\1/p' "$tmp/kpstack")
has "$(cat "$tmp/kpdata.run")" "profiler=kprof $clock
cpu=0 ticks=" 'C5 kpstack and what stands beside kpdata tell the same of the clock'
is "$(echo "$clock" | grep -o ' ticks=.*')" \
	" ticks=$(report "$tmp/kpdata" | sed -n '1s/.*, \([0-9]*\) ticks.*/\1/p') lost=0" \
	'C5 which took the ticks that are in both, and lost none'
is "$(grep -c "^qemu=[0-9.]*\$\|^icount=3\$\|^profiler=gmon clock=[a-z]* .* cpus=1 .* lost=0\$" \
	"$tmp/gmon.out.run")" 3 'C5 gmon.out has what was counted for gmon, and the machine'

# By vector and without -icount, not all ticks can be where they belong.
! report "$tmp/kpdata" | grep -q "^  by vector: \|^  without -icount: "
ok $? "K3 true ticks need no caution"
cat >"$tmp/script" <<-'END'
echo clock irq >/dev/kpctl
echo hz 20000 >/dev/kpctl
echo startclr >/dev/kpctl
sort /rc/workload | wc >/dev/null
echo stop >/dev/kpctl
END
"$b/gnomon" run -t 60 --icount off -o "$tmp" -f /dev/kpdata:vector -s "$tmp/script" >"$tmp/out" 2>&1
ok $? "a guest ran by vector, without -icount" "$(cat "$tmp/out")"
report "$tmp/vector" >"$tmp/out" && report -H "$tmp/page.html" "$tmp/vector" &&
	grep -q "^  by vector: .* interrupts were off" "$tmp/out" &&
	grep -q "^  without -icount: .* at wrong instructions" "$tmp/out" &&
	grep -q "without -icount: ticks are" "$tmp/page.html"
ok $? "K3 the report and the page say what is wrong with its ticks" "$(cat "$tmp/out")"
grep -q "^  lost: .* of the ticks that were due, .*; fewer are lost by \`gnomon run --icount 3', or at a lower rate$" \
	"$tmp/out" && grep -q "lost: .* or at a lower rate" "$tmp/page.html"
ok $? "C5 and how many were lost, and what helps" "$(cat "$tmp/out" "$tmp/vector.run")"

echo build=0000000000000000000000000000000000000000 >"$tmp/gmon.out.run"
report "$tmp/gmon.out" >"$tmp/out" 2>&1
is $? 1 'G10 gmon.out of another kernel is refused'
has "$(cat "$tmp/out")" 'from another kernel' 'and says so'

finish
