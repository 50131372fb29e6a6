#!/bin/sh
# gnomon export of what one guest counted: callgrind_annotate, pprof's schema, gprof, perf, genhtml,
# ms_print and speedscope in a browser show what gnomon report and kprof print; and its examples.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
export LC_ALL=C

tests/clients/profiles "$b" "$tmp" >"$tmp/out" 2>&1
ok $? 'the guest ran' "$(tail "$tmp/out")"

# rows FILE: lines COUNT FUNCTION, by gnomon report; those of one name together, as clients that have
# no files for them show them
rows() {
	"$b/gnomon" report -n 0 "$1" | sed 's/ ([^ ]*\.c)$//' | awk 'on && $1 > 0 { sub(".*:", "", $NF); n[$NF] += $1 } $2 == "self" { on = 1 }
		END { for (i in n) print n[i], i }' | sort
}
# annotated FILE: the same by callgrind_annotate
annotated() {
	callgrind_annotate --threshold=100 --auto=no --show-percs=no "$1" |
		awk 'on && NF > 1 { gsub(",", "", $1); sub(/^[^:]*:/, "", $2); n[$2] += $1 }
			/file:function/ { on = 1; getline } END { for (i in n) if (n[i]) print n[i], i }' | sort
}
# samples FILE: the same of a file for pprof, by its first value and innermost function
samples() {
	gzip -dc "$1" | protoc --proto_path=tools/export --decode=perftools.profiles.Profile pprof.proto | awk '
		/^string_table: / { gsub("\"", ""); text[ntext++] = $2 }
		/^[a-z_]+ {/ { kind = $1; n = 0; delete f }
		/^  [a-z_]+: / { if (!($1 in f)) f[$1] = $2 }
		/^    function_id:/ { fn = $2 }
		/^}/ && kind == "sample" { at[++ns] = f["location_id:"]; v[ns] = f["value:"] }
		/^}/ && kind == "location" { of[f["id:"]] = fn }
		/^}/ && kind == "function" { name[f["id:"]] = f["name:"] }
		END { for (i = 1; i <= ns; i++) sum[text[name[of[at[i]]]]] += v[i]
			for (i in sum) print sum[i], i }' | sort
}
for f in kpdata kpstack gmon.out covered sampled; do
	rows "$tmp/$f" >"$tmp/wanted"
	"$b/gnomon" export -f callgrind -o "$tmp/$f.callgrind" "$tmp/$f"
	annotated "$tmp/$f.callgrind" >"$tmp/got" 2>"$tmp/said"
	[ "$(wc -l <"$tmp/wanted")" -gt 8 ] && cmp -s "$tmp/wanted" "$tmp/got" && [ ! -s "$tmp/said" ]
	ok $? "$f: callgrind_annotate gives every function what it has" \
		"$(diff "$tmp/wanted" "$tmp/got" | head -n 5; cat "$tmp/said")"
	"$b/gnomon" export -f pprof -o "$tmp/$f.pb.gz" "$tmp/$f"
	samples "$tmp/$f.pb.gz" >"$tmp/got"
	cmp -s "$tmp/wanted" "$tmp/got"
	ok $? "$f: so do pprof's samples" "$(diff "$tmp/wanted" "$tmp/got" | head -n 5)"
	is "$("$b/gnomon" export "$tmp/$f" | awk '{ n += $NF } END { print n }')" \
		"$(awk '{ n += $1 } END { print n }' "$tmp/wanted")" "$f: no count is missing in folded paths"
done
# With paths, callgrind's inclusive sums have what functions called; but not of those that are called
# by what they call, which have no sum that is right for each.
"$b/gnomon" export "$tmp/kpstack" | sed "s/ [0-9]*$//" | awk -F ";" '
	{ for (i = 1; i <= NF; i++) for (j = i + 1; j <= NF; j++)
		if ($i == $j) for (k = i; k <= j; k++) print $k " " }' | sort -u >"$tmp/recursive"
"$b/gnomon" report -n 0 "$tmp/kpstack" | awk '
	on && $NF ~ /^kernel:/ { sub(".*:", "", $NF); printf "%s %.2f\n", $NF, $3 } $2 == "self" { on = 1 }' |
	grep -v -F -f "$tmp/recursive" | sort >"$tmp/wanted"
callgrind_annotate --threshold=100 --auto=no --inclusive=yes "$tmp/kpstack.callgrind" | tr -d '()%' |
	awk '/gnomon.elf\]/ { sub(/^[^:]*:/, "", $3); printf "%s %.2f\n", $3, $2 }' |
	grep -v -F -f "$tmp/recursive" | sort >"$tmp/got"
[ "$(wc -l <"$tmp/wanted")" -gt 50 ] && cmp -s "$tmp/wanted" "$tmp/got"
ok $? 'kpstack: callgrind_annotate has the same inclusive shares' "$(diff "$tmp/wanted" "$tmp/got" | head -n 6)"
has "$(gzip -dc "$tmp/covered.pb.gz" | strings)" instructions 'coverage counts instructions'
callgrind_annotate --threshold=100 --auto=no --inclusive=yes --show-percs=no "$tmp/gmon.out.callgrind" |
	awk '{ gsub(",", "", $1) } $2 ~ /:syscall$/ { print $1 }' >"$tmp/got"
"$b/gnomon" report -g -n 0 "$tmp/gmon.out" | awk '/^\[/ && $(NF - 1) == "syscall" { printf "%.0f\n", $3 + $4 }' >"$tmp/wanted"
awk 'NR == FNR { a = $1; next } { exit !(a > 100 && a - $1 <= 1 && $1 - a <= 1) }' "$tmp/wanted" "$tmp/got"
ok $? 'gmon.out: with arcs, a function has the time of what it called' "$(cat "$tmp/wanted" "$tmp/got")"

# gprof on what kprof counted.
"$b/gnomon" export -f gmon -o "$tmp/kernel.gmon" "$tmp/kpdata" 2>/dev/null
gprof -b -p "$b/gnomon.elf" "$tmp/kernel.gmon" 2>/dev/null | awk '$3 > 0 { print $3, $NF }' | sort -k 2 >"$tmp/got"
"$b/kprof" "$b/gnomon.elf" "$tmp/kpdata" | awk 'on && $1 >= 5 { printf "%.2f %s\n", $1 / 1000, $3 } $3 == "symbol" { on = 1 }' |
	sort -k 2 >"$tmp/wanted"
join -1 2 -2 2 "$tmp/wanted" "$tmp/got" | awk '{ d = $2 - $3; if (d * d <= 0.000101) n++; else print }
	END { exit n < 10 }' >"$tmp/bad" && [ ! -s "$tmp/bad" ]
ok $? 'kpdata: gprof gives every function the time that kprof gives it' "$(cat "$tmp/bad")"
"$b/gnomon" export -f gmon -o "$tmp/again" "$tmp/gmon.out"
for f in gmon.out again; do
	gprof -b "$b/gnomon.elf" "$tmp/$f" >"$tmp/$f.txt" 2>/dev/null
done
[ "$(wc -l <"$tmp/again.txt")" -gt 200 ] && cmp -s "$tmp/gmon.out.txt" "$tmp/again.txt"
ok $? 'gmon.out: it comes out as it went in'

"$b/gnomon" export -f perf -m kernel -o "$tmp/kpdata.perf" "$tmp/kpdata"
"$b/gnomon" export -f chrome -o "$tmp/kpdata.chrome" "$tmp/kpdata"

# speedscope shows each of the formats that it reads.
# What cannot be had is not asked for again.
speedscope() {
	[ -z "${without-}" ] || return 2
	tests/browser/speedscope "$b" "$1" >"$tmp/shown" 2>"$tmp/said" && return
	status=$?
	[ $status != 2 ] || without=1
	return $status
}
"$b/gnomon" export -o "$tmp/kpdata.folded" "$tmp/kpdata"
"$b/gnomon" export -f speedscope -o "$tmp/kpdata.json" "$tmp/kpdata"
"$b/kprof" "$b/gnomon.elf" "$tmp/kpdata" | awk 'on && n++ < 8 { print $3, $1 + 0 } $3 == "symbol" { on = 1 }' |
	sort >"$tmp/wanted"
for f in kpdata.folded kpdata.callgrind kpdata.pb.gz kpdata.json kpdata.perf kpdata.chrome; do
	speedscope "$tmp/$f"
	status=$?
	if [ $status = 2 ]; then
		echo "ok $((n += 1)) # SKIP speedscope: $(cat "$tmp/said")"
		continue
	fi
	awk -F '\t' 'NF > 2 { sub(/ .*/, "", $2); sub("ms$", "", $2); print $3, $2 + 0 }' "$tmp/shown" |
		sort | join "$tmp/wanted" - | awk '{ d = $2 - $3; if (d * d < 0.26) n++ } END { exit n != 8 }'
	ok $? "speedscope: shows the functions of $f" "$(head -n 12 "$tmp/shown" "$tmp/said")"
	# It calls perf script's text by its only thread.
	case $f in *.perf) title='kernel tid: 1' ;; *) title='kpdata.*' ;; esac
	[ $status = 0 ] && head -n 1 "$tmp/shown" | grep -q "^$title - speedscope\$"
	ok $? "speedscope: with its name" "$(head -n 1 "$tmp/shown")"
done

# A time line: a process has the time from each of its records to the next.
awk '/^[0-9]/ { sub(/;.*/, "", $4); if (was) ms[was] += ($1 - at) / 1000; at = $1; was = $4 }
	END { for (i in ms) if (ms[i] > 10) print i, ms[i] }' "$tmp/kptrace" | sort >"$tmp/wanted"
[ "$(wc -l <"$tmp/wanted")" -gt 5 ]
ok $? 'H9 the workload has some processes that take a while' "$(cat "$tmp/wanted")"
# lasted: the same of lines "1.20s (5%) SELF NAME", of which a name may have several: the longest
lasted() {
	awk -F '\t' 'NF > 2 { v = $1 + 0; v *= $1 ~ /^[0-9.]*s/ ? 1000 : $1 ~ /ms/ ? 1 : 0.001
		if (v > n[$3]) n[$3] = v } END { for (i in n) print i, n[i] }' | sort
}
"$b/gnomon" export -f speedscope -o "$tmp/kptrace.json" "$tmp/kptrace"
speedscope "$tmp/kptrace.json"
if [ $? = 2 ]; then
	echo "ok $((n += 1)) # SKIP speedscope: $(cat "$tmp/said")"
else
	lasted <"$tmp/shown" | join -a 1 "$tmp/wanted" - |
		awk '{ d = $2 - $3; if (d * d > $2 * $2 / 10000) print }' >"$tmp/bad" 2>&1 && [ ! -s "$tmp/bad" ]
	ok $? 'H9 speedscope: shows the time of each process' "$(cat "$tmp/bad"; head -n 5 "$tmp/shown" "$tmp/said")"
fi
"$b/gnomon" export -f chrome "$tmp/kptrace" | perl -MJSON::PP -e 'local $/; my (@at, %us);
	for my $e (@{decode_json(<STDIN>)->{traceEvents}}) {
		next if $e->{pid} != 0 || $e->{ph} eq "M"; my $n = $e->{name}; $n =~ s/ \(\d+\)$//;
		if ($e->{ph} eq "B") { push @at, $e->{ts}; next }
		my $since = pop @at; $us{$n} += $e->{ts} - $since if !@at }
	print $us{$_} / 1000, "ms\t\t$_\n" for keys %us' | lasted |
	join -a 1 "$tmp/wanted" - | awk '{ d = $2 - $3; if (d * d > $2 * $2 / 10000) print }' >"$tmp/bad"
[ ! -s "$tmp/bad" ]
ok $? 'H9 chrome: so do the lanes of CPUs' "$(cat "$tmp/bad")"
is "$("$b/gnomon" export -f perf "$tmp/kptrace" | grep -c '^[^	].* ticks:$')" \
	"$(grep -c '^[0-9].*;0x' "$tmp/kptrace")" 'H9 perf: a sample for each tick'
is "$("$b/gnomon" export "$tmp/kpwait" | awk '{ n += $NF } END { printf "%d", n }')" \
	"$(sed -n 's/.* total_us=//p' "$tmp/kpwait")" 'H10 waits: no microsecond is missing in folded paths'

# perf finds programs by itself, and the kernel once it has been told of it. It takes local labels
# of assembly for functions, and a compiler's clones have such names, too: those are added up.
HOME=$tmp DEBUGINFOD_URLS=
export HOME DEBUGINFOD_URLS
perf buildid-cache -a "$b/gnomon.elf"
whole() { awk '$2 !~ /^[[]/ { sub(/[.].*/, "", $2); n[$2] += $1 } END { for (i in n) print n[i], i }' | sort; }
# perfed FILE COLUMN OPTION...: lines COUNT PROGRAM FUNCTION, by perf report
perfed() {
	file=$1 column=$2
	shift 2
	perf report -i "$file" --stdio -g none --percent-limit 0 -t '|' -F "$column,dso,sym" "$@" |
		awk -F '|' '!/^#/ && NF > 2 { gsub(/[ %]/, ""); sub(/^[[].[]]/, "", $3); print $1, $2, $3 }'
}
for f in kpdata kpstack kptrace kpwait gmon.out covered sampled; do
	"$b/gnomon" export -f perf.data -o "$tmp/$f.data" "$tmp/$f"
	rows "$tmp/$f" | whole >"$tmp/wanted"
	perfed "$tmp/$f.data" period --no-children 2>"$tmp/said" | awk '$2 != "[unknown]" { print $1, $3 }' |
		whole >"$tmp/got"
	[ "$(wc -l <"$tmp/wanted")" -ge 4 ] && cmp -s "$tmp/wanted" "$tmp/got" && [ ! -s "$tmp/said" ]
	ok $? "L1 L5 $f: perf report gives every function what it has" \
		"$(diff "$tmp/wanted" "$tmp/got" | head -n 6; cat "$tmp/said")"
	is "$(perf script -i "$tmp/$f.data" -F period -G | awk '{ n += $1 } END { print n }')" \
		"$("$b/gnomon" export "$tmp/$f" | awk '{ n += $NF } END { print n }')" "L5 $f: perf script has all counts"
done
"$b/gnomon" report -n 0 "$tmp/kpstack" | awk 'on && $NF ~ /^kernel:/ { print substr($NF, 8), $3 } $2 == "self" { on = 1 }' |
	sort >"$tmp/wanted"
perfed "$tmp/kpstack.data" overhead_children --children 2>/dev/null | awk '$2 ~ /kernel/ { print $3, $1 }' | sort >"$tmp/got"
join "$tmp/wanted" "$tmp/got" | awk '$2 == $3 { same++; next } { print } END { exit same < 50 }' >"$tmp/bad" &&
	[ "$(wc -l <"$tmp/bad")" -le 2 ]
ok $? 'L1 kpstack: with what they called, too' "$(cat "$tmp/bad")"
perf script -i "$tmp/kptrace.data" -F comm,pid,time | tr -d ':' | awk '{ printf "%d %s %s\n", $3 * 1000000 + 0.5, $2, $1 }' >"$tmp/got"
awk '/^[0-9].*;0x/ { sub(/;.*/, "", $4); print $1, $3, $4 }' "$tmp/kptrace" | sort -n -s -k 1,1 >"$tmp/wanted"
[ "$(wc -l <"$tmp/wanted")" -gt 500 ] && cmp -s "$tmp/wanted" "$tmp/got"
ok $? 'L1 kptrace: perf script has the time and process of each tick' "$(diff "$tmp/wanted" "$tmp/got" | head -n 6)"
# perf looks for programs where it runs itself, whatever files the host's process of that number
# sees; kdevtmpfs, for one, sees no others' mounts. Who is not root can make none that does, nor be misled.
mkfifo "$tmp/hold" "$tmp/ready"
# shellcheck disable=SC2016
unshare -m sh -c 'mount -t tmpfs none "$0" && echo && read -r _' "$b/bin" <"$tmp/hold" >"$tmp/ready" 2>/dev/null &
other=$!
exec 8>"$tmp/hold"
read -r _ <"$tmp/ready"
{
	head -n 1 "$tmp/kptrace"
	echo '# cpu=0 records=1 overwritten=0'
	echo "1000 0 $other cat;[user];0x$("${cross}nm" "$b/bin/cat" | awk '$3 == "main" { print $1 }')"
} >"$tmp/elsewhere"
"$b/gnomon" export -f perf.data -o "$tmp/elsewhere.data" "$tmp/elsewhere"
is "$(perfed "$tmp/elsewhere.data" period --no-children 2>/dev/null)" '1 cat main' \
	'L1 kptrace: perf takes no process for one of the host'
exec 8>&-
wait "$other"
# trace-cmd has them, too, with the function, and all changes of process
"$b/gnomon" export -f trace.dat -o "$tmp/trace.dat" "$tmp/kptrace"
trace-cmd report -i "$tmp/trace.dat" >"$tmp/report" 2>&1
awk '$4 == "tick:" { sub(/.*-/, "", $1); printf "%d %s\n", $3 * 1000000 + 0.5, $1 }' "$tmp/report" | sort -n >"$tmp/got"
cut -d ' ' -f 1,2 "$tmp/wanted" | sort -n | cmp -s - "$tmp/got"
ok $? 'L2 L5 kptrace: trace-cmd has the time and process of each tick' "$(head -n 6 "$tmp/report")"
"$b/gnomon" export "$tmp/kptrace" | awk '{ n = $NF; sub(/ [0-9]*$/, ""); sub(/.*;/, ""); all[$0] += n }
	END { for (f in all) print f, all[f] }' | sed 's/_(/ (/' | sort >"$tmp/wanted"
awk '$4 == "tick:" { sub(/.*(tick: *|;)/, ""); all[$0]++ } END { for (f in all) print f, all[f] }' "$tmp/report" |
	sort >"$tmp/got"
[ "$(wc -l <"$tmp/wanted")" -gt 50 ] && cmp -s "$tmp/wanted" "$tmp/got"
ok $? 'L5 kptrace: and as many of each function' "$(diff "$tmp/wanted" "$tmp/got" | head -n 6)"
is "$(grep -c 'sched_switch:' "$tmp/report")" "$(awk '/^# cpu/ { pid = "" } /^[0-9]/ && !/ off;/ { n += pid != "" && $3 != pid; pid = $3 }
	END { print n }' "$tmp/kptrace")" 'L2 kptrace: and each change of process'

# lcov makes pages of coverage, whose lines have the counts that gnomon report gives them.
# shown FOLDER: lines FILE:LINE COUNT, of its pages
shown() {
	find "$1" -name '*.gcov.html' -exec awk '/class="line(No)?Cov"/ {
		file = FILENAME; sub(".*/", "", file); sub(/.gcov.html$/, "", file)
		line = $0; sub(/.*class="lineNum"> */, "", line); sub(/.*class="line(No)?Cov"> */, "", $0)
		if ($1 > 0) print file ":" line + 0, $1 }' {} + | sort
}
for f in covered entered; do
	"$b/gnomon" export -f lcov -o "$tmp/$f.info" "$tmp/$f" && rm -rf "$tmp/pages" &&
		genhtml -o "$tmp/pages" "$tmp/$f.info" >"$tmp/said" 2>&1
	ok $? "L2 $f: genhtml takes it" "$(tail "$tmp/said")"
	"$b/gnomon" report --lines -n 0 --format csv "$tmp/$f" | awk -F , 'NR > 1 { sub(".*/", "", $2); n[$2 ":" $3] += $5 }
		END { for (i in n) print i, n[i] }' | sort >"$tmp/wanted"
	shown "$tmp/pages" >"$tmp/got"
	[ "$(wc -l <"$tmp/wanted")" -gt 50 ] && cmp -s "$tmp/wanted" "$tmp/got"
	ok $? "L2 L5 $f: each line has its count" "$(diff "$tmp/wanted" "$tmp/got" | head -n 6)"
	"$b/gnomon" export -f gcov "$tmp/$f" | jq -r '.files[] | (.file | sub(".*/"; "")) as $name | .lines[] |
		select(.count > 0) | "\($name):\(.line_number) \(.count)"' | sort >"$tmp/got"
	cmp -s "$tmp/wanted" "$tmp/got"
	ok $? "L2 L5 $f: so it has in gcov's JSON" "$(diff "$tmp/wanted" "$tmp/got" | head -n 6)"
	is "$(sed -n 's/.*functions[.]*: .*(\([0-9]*\) of .*/\1/p' "$tmp/said")" \
		"$("$b/gnomon" report -n 0 "$tmp/$f" | awk 'on && $1 > 0 { n++ } $2 == "self" { on = 1 } END { print n }')" \
		"L2 $f: and as many functions ran"
	awk '/lines[.]*:/ { gsub("[(]", ""); exit !($3 > 50 && $5 > $3 + 50) }' "$tmp/said"
	ok $? "L2 $f: lines that did not run are there, too" "$(cat "$tmp/said")"
done

# massif has where the kernel's memory went; all of it is told, and ms_print shows what is above 1 %.
"$b/gnomon" export -f massif -o "$tmp/massif.out" "$tmp/memory"
rows "$tmp/memory" | awk '{ print $2, $1 }' | sort >"$tmp/wanted"
sed -n 's/^ n0: \([0-9]*\) 0x[0-9A-F]*: \([^ ]*\) .*/\2 \1/p' "$tmp/massif.out" |
	awk '{ n[$1] += $2 } END { for (i in n) print i, n[i] }' | sort >"$tmp/got"
[ -s "$tmp/wanted" ] && cmp -s "$tmp/wanted" "$tmp/got"
ok $? 'L2 L5 memory: massif has the bytes of every function' "$(diff "$tmp/wanted" "$tmp/got")"
most=$(sort -k 2nr "$tmp/wanted" | head -n 1 | cut -d ' ' -f 1)
ms_print "$tmp/massif.out" >"$tmp/got" 2>&1
has "$(sed 's/,//g' "$tmp/got")" "100.00% ($(awk '{ n += $2 } END { print n }' "$tmp/wanted")B)" 'L2 memory: ms_print has all'
grep -q "^->[0-9.]*% .*: $most (.*[.]c:[0-9]*)" "$tmp/got"
ok $? 'L2 memory: with its lines' "$(tail "$tmp/got")"

# The examples, in the folders of this test.
awk '/^\.Sh EXAMPLES/ { on = 1 } /^\.Ed/ { in_ = 0 } in_ { print } on && /^\.Bd/ { in_ = 1 }' \
	docs/man/1/gnomon-export.1 | sed "s|build/out|$tmp|g; s|build/|$b/|g" >"$tmp/examples"
is "$(wc -l <"$tmp/examples")" 22 'the manual page has examples'
while read -r line; do
	sh -c "$line" >"$tmp/out" 2>"$tmp/said" && ! grep -v 'gmon.out has no place for' "$tmp/said"
	ok $? "example: $(echo "$line" | sed "s|$tmp|out|g; s|$b/||g")" "$(cat "$tmp/said")"
	case $line in
	ms_print*) grep -q "B) 0x" "$tmp/out" ;;
	gzip*) grep -q '^6: "contentions"' "$tmp/out" ;;
	*gcov*) grep -q '"main",1]' "$tmp/out" ;;
	"perf annotate"*) grep -q "memcpy.*:$" "$tmp/out" ;;
	*-o* | *-cache*) [ ! -s "$tmp/out" ] ;;
	*) grep -Eq '(cpu_idle|idle)' "$tmp/out" ;;
	esac
	ok $? 'example: and prints what it should' "$(head -n 5 "$tmp/out")"
done <"$tmp/examples"

finish
