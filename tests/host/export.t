#!/bin/sh
# gnomon export of profiles that are known, as callgrind_annotate, protoc, speedscope, gprof
# and gnomon report read them; and what it says when something is wrong.
# B is the folder of what was built.
# Needs: tests/bench/need
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
cross=${CROSS-i686-linux-gnu-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir build
GNOMON_BUILD=$work/build
export GNOMON_BUILD LC_ALL=C
"$B/tests/tools/mkkernel" build/gnomon.elf kpdata || exit 1
as() { "$B/gnomon" export --format "$@"; }

cat >paths <<'EOF2'
# kpstack version=1 build=abcd000000000000000000000000000000000000
# period_us=500 ticks=100 overflow=1 depth=8
sh;[kernel];0x00400010;0xc0100075;0xc0100040 20
sh;[kernel];0x00400010;0xc0100075;0xc0100044 10
sh;[kernel];0x00400010;0xc0100075;0xc0100075;0xc0100040 5
sh;[kernel];0x00400010;0xc0100075 5
a_b;[user];[cut];0x00400010 9
idle;[idle];0xc01000c0 50
[overflow] 1
EOF2

# ---- folded

cat >wanted <<'EOF2'
sh;[kernel];sh:?;sched;memcpy 30
sh;[kernel];sh:?;sched;sched;memcpy 5
sh;[kernel];sh:?;sched 5
a_b;[user];[cut];a_b:? 9
idle;[idle];idle 50
[overflow] 1
EOF2
is "$(as folded paths 2>&1)" "$(cat wanted)
gnomon export: paths: the functions of a_b are not named, for no file of that name was found; give it with --image" 'folded: a line for each path by name'
is "$("$B/gnomon" export -o - - <paths)" "$(cat wanted)" 'it is the default, as is the standard output'
as folded -o file paths
is "$(cat file)" "$(cat wanted)" 'a file can be named'
is "$(as folded kpdata | sort)" "$(printf '%s\n' '[outside] 60' 'kernel;idle 5' 'kernel;memcpy 30' \
	'kernel;sched 5')" 'folded: a histogram is paths of one step'
is "$(as folded -p sh -M kernel -m kernel paths)" "$(head -n 3 wanted)" 'a part can be selected'

# ---- many paths: what is written is not kept

awk 'BEGIN {
	print "# kpstack version=1 build=abcd000000000000000000000000000000000000"
	for (i = 0; i < 100000; i++) {
		printf "process-number-%06d;[kernel]", i
		for (k = 0; k < 10; k++)
			printf ";0xc01000%02x", 64 + (i + k * 7) % 60
		print " 1"
	}
	print "# period_us=500 ticks=100000 overflow=0 depth=16"
}' >many
# kilobytes ARGUMENT...: the most that gnomon has in memory
kilobytes() { "$B/tests/bench/need" "$B/gnomon" "$@" 2>/dev/null | cut -d ' ' -f 2; }
report=$(kilobytes report many)
for format in folded perf pprof chrome; do
	most=$((report * 3 / 2))
	took=$(kilobytes export -f $format many)
	[ "${took:-$most}" -lt $most ]
	ok $? "H14 $format: many paths take little more memory than report needs" "$took, $report"
done
rm many

# ---- callgrind

# annotated ARGUMENT... FILE: what callgrind_annotate has by function: COUNT FUNCTION
annotated() {
	callgrind_annotate --threshold=100 --auto=no --show-percs=no "$@" 2>errors |
		awk '/PROGRAM TOTALS/ { gsub(",", "", $1); print $1, "total" }
			on && NF > 1 { gsub(",", "", $1); sub(/^[^:]*:/, "", $2); print $1, $2 }
			/file:function/ { on = 1; getline }' | sort
	[ -s errors ] && sed 's/^/callgrind_annotate: /' errors
}
as callgrind -o callgrind.out paths
cat >wanted <<'EOF2'
1 [overflow]
100 total
35 memcpy
5 sched
50 idle
9 a_b:?
EOF2
is "$(annotated callgrind.out | grep '^[1-9]')" "$(cat wanted)" \
	'callgrind: each function has what is its own'
cat >wanted <<'EOF2'
1 [overflow]
100 total
35 memcpy
40 sched
40 sh
40 sh:?
50 idle
50 idle
9 [cut]
9 a_b
9 a_b:?
EOF2
is "$(annotated --inclusive=yes callgrind.out)" "$(cat wanted)" \
	'callgrind: and with what it called, once even if it calls itself'
callgrind_annotate --auto=no --tree=both --inclusive=yes callgrind.out | tr -s ' ' |
	grep -a -A 9 '^40 .*\* ???:sched' >tree
has "$(cat tree)" "35 (35.00%) > ???:memcpy (35x) [$work/build/gnomon.elf]" 'callgrind: below it what it called'
has "$(callgrind_annotate callgrind.out)" 'overflow: 1 ticks' 'callgrind: facts of the run'
for a in '' -a; do
	as callgrind $a -o callgrind.out paths
	is "$(sed -n 's/^positions: //p' callgrind.out)" "${a:+instr }line" "callgrind: positions $a"
	is "$(annotated --inclusive=yes callgrind.out)" "$(cat wanted)" "callgrind: the same $a"
done

# ---- pprof

# decoded FILE: a line for each sample of a pprof file: FUNCTION;... VALUE... LABEL=VALUE...,
# inlined functions with (their) brackets
decoded() {
	gzip -dc "$1" | protoc --proto_path="$top/tools/export" --decode=perftools.profiles.Profile pprof.proto |
		perl -ne '
	if (/^string_table: "(.*)"/) { push @text, $1 }
	elsif (/^(\w+) \{/) { $kind = $1; %f = (); @loc = @val = @line = @lab = () }
	elsif (/^  location_id: (\d+)/) { unshift @loc, $1 }
	elsif (/^  value: (-?\d+)/) { push @val, $1 }
	elsif (/^    (function_id|line): (\d+)/) { if ($1 eq "line") { $line[0][1] = $2 } else { unshift @line, [$2, 0] } }
	elsif (/^    (key|str): (\d+)/) { push @lab, $2 }
	elsif (/^  (\w+): (\d+)/) { $f{$1} = $2 }
	elsif (/^}/) {
		push @s, [[@loc], [@val], [@lab]] if $kind eq "sample";
		$l{$f{id}} = [@line] if $kind eq "location";
		$fn{$f{id}} = {%f} if $kind eq "function";
	}
	END { for $s (@s) { $out = "";
		for $id (@{$s->[0]}) { $depth = 0; for $line (@{$l{$id}}) {
			$name = $text[$fn{$line->[0]}{name}]; $name = "($name)" if $depth++;
			$out .= ($out eq "" ? "" : ";") . $name } }
		%lab = @{$s->[2]};
		print "$out @{$s->[1]}", (map { " $text[$_]=$text[$lab{$_}]" } sort { $a <=> $b } keys %lab), "\n" } }'
}
as pprof -o paths.pb.gz paths
decoded paths.pb.gz >ours
cat >wanted <<'EOF2'
sh:?;sched;memcpy 20 10000000 process=sh mode=kernel
sh:?;sched;memcpy 10 5000000 process=sh mode=kernel
sh:?;sched;sched;memcpy 5 2500000 process=sh mode=kernel
sh:?;sched 5 2500000 process=sh mode=kernel
[cut];a_b:? 9 4500000 process=a_b mode=user
idle 50 25000000 process=idle mode=idle
[overflow] 1 500000 mode=overflow
EOF2
is "$(cat ours)" "$(cat wanted)" 'pprof: paths, ticks and nanoseconds, process and mode'
gzip -dc paths.pb.gz | protoc --proto_path="$top/tools/export" --decode=perftools.profiles.Profile pprof.proto >fields
! grep -Eq '^ *[0-9]+[:{ ]' fields
ok $? 'pprof: the schema has all of its fields' "$(grep -E '^ *[0-9]+[:{ ]' fields)"
is "$(sed -n '/^string_table/{p;q;}' fields)" 'string_table: ""' 'pprof: the first string is empty'
has "$(cat fields)" 'period: 500000' 'pprof: the period'
has "$(cat fields)" '"total: 100 ticks of 500 us"' 'pprof: facts of the run'
has "$(cat fields)" "\"$work/build/gnomon.elf\"" 'pprof: the file that can be disassembled'
has "$(cat fields)" '"abcd000000000000000000000000000000000000"' 'pprof: the build id'
# By the published numbers of the fields, without our schema.
gzip -dc paths.pb.gz | protoc --decode_raw >raw
is "$(grep -c '^2 {' raw):$(grep -c '^6: ' raw):$(grep '^12: ' raw)" \
	"7:$(grep -c '^string_table' fields):12: 500000" 'pprof: samples, strings and period have their numbers'
as pprof paths | cmp -s - paths.pb.gz
ok $? 'pprof: a pipe gets it too'
expect -c 'set timeout 20' -c "spawn -noecho $B/gnomon export -f pprof paths" -c 'expect eof' \
	-c 'exit [lindex [wait] 3]' >said
is "$?" 1 'pprof: a terminal does not'
has "$(cat said)" 'not for a terminal' 'and is told so'

# ---- OpenTelemetry

# otlp FILE: the same of a file of OpenTelemetry's, the values of all of its profiles beside each other
otlp() {
	protoc --proto_path="$top/tools/export" --decode=otlp.ProfilesData otlp.proto <"$1" | perl -ne '
	if (/^    profiles \{/) { push @p, [] }
	elsif (/^      samples \{/) { $s = {att => []}; push @{$p[-1]}, $s }
	elsif (/^      \w/) { undef $s if !$cur }
	elsif ($s && /^        attribute_indices: (\d+)/) { push @{$s->{att}}, $1 }
	elsif ($s && /^        (\w+): (-?\d+)/) { $s->{$1} = $2 }
	if (/^  (\w+_table) \{/) { undef $s; $cur = {f => [], l => []}; push @{$t{$1}}, $cur }
	elsif (/^  string_table: "(.*)"/) { push @text, $1 }
	elsif ($cur && /^      function_index: (\d+)/) { unshift @{$cur->{f}}, $1 }
	elsif ($cur && /^    location_indices: (\d+)/) { unshift @{$cur->{l}}, $1 }
	elsif ($cur && /^    (\w+): (\d+)/) { $cur->{$1} = $2 }
	elsif ($cur && /^      string_value: "(.*)"/) { $cur->{v} = $1 }
	END { for $i (0 .. $#{$p[0]}) { $s = $p[0][$i];
		print join(";", map { my $n = 0; map { my $f = $text[$t{function_table}[$_]{name_strindex}]; $n++ ? "($f)" : $f }
			@{$t{location_table}[$_]{f}} } @{$t{stack_table}[$s->{stack_index}]{l}});
		print " $_->[$i]{values}" for @p;
		print map({ " $text[$_->{key_strindex}]=$_->{v}" } map { $t{attribute_table}[$_] } @{$s->{att}}), "\n" } }'
}
touch -d @1700000000 paths
as otlp -o paths.otlp paths
is "$(otlp paths.otlp)" "$(decoded paths.pb.gz)" 'L4 otlp: paths, ticks and nanoseconds, process and mode, as pprof has them'
protoc --proto_path="$top/tools/export" --decode=otlp.ProfilesData otlp.proto <paths.otlp >fields
! grep -Eq '^ *[0-9]+[:{ ]' fields
ok $? 'L4 otlp: the schema has all of its fields' "$(grep -E '^ *[0-9]+[:{ ]' fields)"
is "$(grep -E '_table \{\}$|_table: ""$|_table \{$' fields | awk '!n[$1]++ { print $1 }' | sort | xargs)" \
	'attribute_table function_table link_table location_table mapping_table stack_table string_table:' \
	'L4 otlp: all lists are there'
is "$(grep -A 1 -E '_table \{$' fields | awk '/_table/ && !n[$1]++ { getline; print }' | tr -d ' \n')" '}}}}}}' \
	'L4 otlp: each begins with an empty one'
has "$(cat fields)" 'period: 500000' 'L4 otlp: the period'
has "$(cat fields)" '"total: 100 ticks of 500 us"' 'L4 otlp: facts of the run'
has "$(cat fields)" 'time_unix_nano: 1700000000000000000' 'L4 otlp: when it was written'
# The file ends in 2023: a run that took longer has no beginning, and one of 600,000 years no length.
for time in 1700000000000000 1700000000000001 18446744073709551; do
	sed "1a\\# clock=lapic elapsed_us=$time ticks=100 lost=0" paths >long
	touch -d @1700000000 long
	"$B/gnomon" export -f otlp long | protoc --proto_path="$top/tools/export" --decode=otlp.ProfilesData otlp.proto |
		sed -n 's/.*\(time_unix\|duration\)_nano: //p' | sort -u | xargs
done >durations
is "$(cat durations)" '1700000000000000000
1700000000000001000
18446744073709551000' 'L4 otlp: no time is one before 1970'
is "$(grep -A 3 '^    attributes' fields | sed -n 's/.*: //p' | xargs)" 'service.name gnomon' 'L4 otlp: what was profiled'
is "$(OTEL_RESOURCE_ATTRIBUTES='service.name=a%2Cb%3D,none,=1,x.y=2' "$B/gnomon" export -f otlp paths |
	protoc --proto_path="$top/tools/export" --decode=otlp.ProfilesData otlp.proto |
	grep -A 3 '^    attributes' | sed -n 's/.*: //p' | xargs)" 'service.name a,b= x.y 2' 'L4 otlp: as the environment says'
# By the published numbers of the fields, without our schema: resource_profiles.scope_profiles.profiles.samples
protoc --decode_raw <paths.otlp >raw
is "$(awk '/^1 {/ { a = 1 } /^2 {/ { a = 0 } a && /^  2 {/ { b = 1 } a && b && /^    2 {/ { p++ } a && b && /^      2 {/ { n++ }
	!a && /^  5: / { s++ } END { print p, n, s }' raw)" "2 14 $(grep -c '^  string_table' fields)" \
	'L4 otlp: profiles, samples and strings have their numbers'
as otlp none 2>errors
is "$?:$(cat errors)" '1:gnomon export: none: No such file or directory' 'L4 otlp: no file'

# ---- speedscope

as speedscope -o paths.json paths
perl -MJSON::PP -e 'local $/; my $j = decode_json(<>); my $p = $j->{profiles}[0]; my @f = @{$j->{shared}{frames}};
	my $sum = 0; $sum += $_ for @{$p->{weights}};
	print "$p->{type} $p->{unit} $sum $p->{endValue}\n";
	print join(";", map { $f[$_]{name} } @{$p->{samples}[$_]}), " $p->{weights}[$_]\n"
		for 0 .. $#{$p->{samples}}' paths.json >ours 2>&1
cat >wanted <<'EOF2'
sampled microseconds 50000 50000
sh;[kernel];sh:?;sched;memcpy 10000
sh;[kernel];sh:?;sched;memcpy 5000
sh;[kernel];sh:?;sched;sched;memcpy 2500
sh;[kernel];sh:?;sched 2500
a_b;[user];[cut];a_b:? 4500
idle;[idle];idle 25000
[overflow] 500
EOF2
is "$(cat ours)" "$(cat wanted)" 'speedscope: samples with weights'

# ---- dot

# drawn: the boxes and arrows that Graphviz draws of its input, with their labels, and the title
drawn() {
	dot -Tplain -o plain 2>errors || echo "dot: $(cat errors)"
	sed -n 's/^node \(n[0-9]*\) [0-9. ]* "\([^"]*\)".*/\1 \2/p' plain | sort >boxes
	sed -n 's/^edge \(n[0-9]*\) \(n[0-9]*\) .* "\([^"]*\)" [-0-9. ]*solid.*/\1 \2 \3/p' plain |
		sort >arrows
	cut -d ' ' -f 2- boxes | sort
	join -2 1 -o 1.2,2.2,2.3,2.4 boxes arrows | sort -k 2 | join -2 2 -o 2.1,1.2,2.3,2.4 boxes - |
		sed 's/\\n[^ ]*//g' | sort
}
as dot --limit 2% paths >paths.dot
cat >wanted <<'EOF2'
[cut]\n0.0 % own, 9.0 % in all
a_b:?\na_b\n9.0 % own, 9.0 % in all
idle\n50.0 % own, 50.0 % in all
memcpy\n35.0 % own, 35.0 % in all
sched\n5.0 % own, 40.0 % in all
sh:?\nsh\n0.0 % own, 40.0 % in all
[cut] a_b:? 9.0 %
sched memcpy 35.0 %
sched sched 5.0 %
sh:? sched 40.0 %
EOF2
is "$(drawn <paths.dot)" "$(cat wanted)" 'H7 dot: functions and calls with their shares'
has "$(cat paths.dot)" 'left out, below 2 %: 1 functions, 0 calls' 'H7 dot: what is left out is told'
is "$(as dot -n 35% paths | drawn | grep -c .):$(as dot -n 0% paths | drawn | grep -c .)" 6:11 \
	'H7 dot: by the limit that was given'
has "$(as dot --limit 35% paths)" 'below 35 %: 3 functions, 2 calls' 'H7 dot: calls are counted too'
cp paths 'a"\'
is "$(as dot 'a"\' | drawn | head -n 1)" '[cut]\n0.0 % own, 9.0 % in all' 'H7 dot: names are quoted'

# ---- waits and time lines

cat >waits <<'EOF2'
# kpwait version=1 build=abcd000000000000000000000000000000000000
# count=12
sh;[pipe];0x00400010;0xc0100075;0xc0100040 1500000
sh;[ready];0x00400010;0xc0100075 2500
[overflow] 17
# unit=us waits=30 overflow=17 depth=64 total_us=1502517
EOF2
cat >memory <<'EOF2'
# kpmem version=1 build=abcd000000000000000000000000000000000000
# count=3
sh;[in_use];0x00400010;0xc0100075;0xc0100040 4000
sh;[freed];0x00400010;0xc0100075;0xc0100040 500
# unit=bytes blocks=3 overflow=0 depth=64 total_bytes=4500
EOF2
is "$(as folded memory)" 'sh;[in_use];sh:?;sched;memcpy 4000
sh;[freed];sh:?;sched;memcpy 500' 'P4 folded: bytes by process and what became of them'
as pprof -o memory.pb.gz memory
is "$(decoded memory.pb.gz)" 'sh:?;sched;memcpy 4000 4000 process=sh mode=in_use
sh:?;sched;memcpy 500 0 process=sh mode=freed' 'P4 pprof: bytes ever allocated, and in use, by path'
has "$(as massif memory)" 'n1: 4000 (memory that was not given back)' 'P4 massif: what is in use'
is "$(as folded waits)" 'sh;[pipe];sh:?;sched;memcpy 1500000
sh;[ready];sh:?;sched 2500
[overflow] 17' 'H10 folded: microseconds by process and cause'
as pprof -o waits.pb.gz waits
is "$(decoded waits.pb.gz)" 'sh:?;sched;memcpy 12 1500000000 process=sh mode=pipe
sh:?;sched 0 2500000 process=sh mode=ready
[overflow] 0 17000 mode=overflow' 'L3 pprof: how often and how long, with labels'
is "$(gzip -dc waits.pb.gz | protoc --proto_path="$top/tools/export" \
	--decode=perftools.profiles.Profile pprof.proto | grep -E '^(string_table|  type|  unit)' | head -n 9)" \
	'  type: 1
  unit: 2
  type: 3
  unit: 4
string_table: ""
string_table: "contentions"
string_table: "count"
string_table: "delay"
string_table: "nanoseconds"' 'L3 pprof: it is a profile of contention'
sed '/^# count/d' waits >untold
as pprof -o untold.pb.gz untold
is "$(decoded untold.pb.gz | head -n 1)" 'sh:?;sched;memcpy 1500000000 process=sh mode=pipe' \
	'L3 pprof: of waits that nobody has counted only the time'
as otlp waits >waits.otlp
is "$(protoc --proto_path="$top/tools/export" --decode=otlp.ProfilesData otlp.proto <waits.otlp | sed -n 's/^ *values: //p' | xargs)" \
	'12 1500000000 2500000 17000' 'L4 otlp: waits, without what is not known'
is "$(as speedscope waits | grep -o '"unit":"[a-z]*"\|"weights":\[[0-9,]*\]')" '"unit":"microseconds"
"weights":[1500000,2500,17]' 'H10 speedscope: the unit is microseconds'
is "$(as callgrind waits | grep -E '^(events|summary):')" 'events: Microseconds
summary: 1502517' 'H10 callgrind: so it is there'
has "$(as dot waits)" 'label="sched\n0.2 % own, 100.0 % in all" tooltip="2500 of 1502500 us"' \
	'H10 dot: so it is there'

cat >trace <<'EOF2'
# kptrace version=1 build=abcd000000000000000000000000000000000000 cpus=2 period_us=1000
# cpu=0 records=5 overwritten=3
1000 0 7 sh;[kernel];0x00400010;0xc0100075;0xc0100040
2000 0 7 sh;[kernel];0x00400010;0xc0100075
2600 0 9 cat;[switch]
3000 0 9 cat;[user];0x00400010
9000 0 9 cat;[user];0x00400010
# cpu=1 records=3 overwritten=0
1500 1 0 idle;[idle];0xc01000c0
3500 1 7 sh;[switch]
4000 1 7 sh;[kernel];0x00400010;0xc0100075
EOF2
# trace.dat, by trace-cmd: what it prints of each event, without the columns' blanks
# traced FILE [OPTION...]: NAME-PID [CPU] SECONDS: EVENT: ...
traced() {
	traced=$1
	shift
	as trace.dat -o trace.dat "$@" "$traced" 2>errors && trace-cmd report -i trace.dat | sed 's/^ *//; s/  */ /g'
}
is "$(traced trace)" 'cpus=2
CPU:0 [3 EVENTS DROPPED]
sh-7 [000] 0.001000: tick: sh:?;sched;memcpy
<idle>-0 [001] 0.001500: tick: idle
sh-7 [000] 0.002000: tick: sh:?;sched
sh-7 [000] 0.002600: sched_switch: sh:7 [0] R ==> cat:9 [0]
cat-9 [000] 0.003000: tick: cat:?
<idle>-0 [001] 0.003500: sched_switch: idle:0 [0] R ==> sh:7 [0]
sh-7 [001] 0.004000: tick: sh:?;sched
cat-9 [000] 0.009000: tick: cat:?' 'L2 trace.dat: trace-cmd has switches, ticks with their paths, and what was lost'
awk 'BEGIN { print "# kptrace version=1 cpus=1 period_us=1000\n# cpu=2 records=1001 overwritten=0"
	for (i = 1; i <= 1000; i++) printf "%d 2 %d sh;[kernel];0xc0100075\n", i * 300000, i % 3 + 1
	print "300000500 2 0 off;[switch]" }' >long
is "$(traced long | awk '$4 == "tick:" { n++; at += $3; pid[$1]++ } $4 == "sched_switch:" { to[$9]++ }
	END { print n, at, pid["sh-1"], pid["sh-2"], to["sh:1"], to["sh:2"], to["sh:3"], $4 }')" \
	'1000 150150 333 334 333 333 333 off:' 'L2 trace.dat: over many pages, far apart'
awk 'BEGIN { print "# kptrace version=1 cpus=1 period_us=1000\n# cpu=0 records=2 overwritten=0"
	for (t = 1; t < 3; t++) { printf "%d 0 1 sh;[kernel]", t; for (i = 0; i < 700; i++) printf ";0xc0100075"
	print ";0xc0100040" } }' >deep
is "$(traced deep | awk '/tick/ { n++; if (length($5) > 2000 && $5 ~ /;memcpy$/) whole++ } END { print n, whole }')" '2 2' \
	'L2 trace.dat: the outer end of a path that is too long is left out'
# uftrace's folder, of functions: its times are those of the records, an instruction a microsecond
cat >functions <<'EOF2'
# kptrace version=2 unit=instructions text=0xc0100000-0xc0200000 build=abcd000000000000000000000000000000000000 cpus=2
# cpu=0 records=7 overwritten=0
100 0 0 guest;[kernel];0xc0100075
110 0 0 guest;[kernel];0xc0100075;0xc0100040
125 0 0 guest;[kernel];0xc0100075
130 0 0 guest;[kernel];0xc0100075;0xc01000c0
130 0 0 guest;[kernel];0xc0100075
140 0 0 guest;[kernel];0xc0100075;0xc01000c0
150 0 0 guest;[kernel];0xc0100075
# cpu=3 records=3 overwritten=0
120 3 0 guest;[kernel];0xc01000c0
1000160 3 0 guest;[kernel];0xc01000c0;0xc0100040
1000161 3 0 off;[switch]
EOF2
as uftrace -o folder functions
ok $? 'T8 uftrace: a folder'
is "$(uftrace replay -d folder | sed 's/^ *//; s/  */ /g')" '# DURATION TID FUNCTION
[ 1] | sched() {
[ 1] | memcpy() {
[ 4] | idle() {
15.000 us [ 1] | } /* memcpy */
[ 1] | idle();
10.000 us [ 1] | idle();
50.000 us [ 1] | } /* sched */
1.000 us [ 4] | memcpy();
1.000 s [ 4] | } /* idle */' 'T8 uftrace: replay has entries and returns, a task a processor'
is "$(uftrace report -d folder -f total,self,call | sed '1,2d; s/^ *//; s/  */ /g')" '1.000 s 1.000 s 3 idle
50.000 us 25.000 us 1 sched
16.000 us 16.000 us 2 memcpy' 'T8 uftrace: report has times and calls'
is "$(uftrace dump --chrome -d folder | jq -c '[.traceEvents[] | select(.ph == "B")] | length')" 6 'T8 uftrace: dump --chrome'
is "$(uftrace graph -d folder sched | grep -c '(1) memcpy$\|(2) idle$')" 2 'T8 uftrace: graph'
cat >twice <<'EOF2'
# kptrace version=2 unit=instructions text=0xc0100000-0xc0200000 build=abcd000000000000000000000000000000000000 cpus=1
# cpu=0 records=3 overwritten=0
100 0 0 guest;[kernel];0xc0100075
110 0 0 guest;[interrupt];0xc0100075
125 0 0 guest;[kernel];0xc0100075
EOF2
as uftrace -o twice.folder twice
is "$(uftrace replay -d twice.folder | sed '1d; s/^ *//; s/  */ /g')" '10.000 us [ 1] | sched();
15.000 us [ 1] | sched();
[ 1] | sched();' 'T8 uftrace: an interrupt of a function by itself is another call'
# Its own times are the counts of our profile, but for what is rounded.
uftrace dump --chrome -d folder | perl -MJSON::PP -e 'local $/; my (%open, %self);
	for my $e (@{decode_json(<>)->{traceEvents}}) { next if $e->{ph} eq "M"; my $s = $open{$e->{tid} // 1} //= [];
		if ($e->{ph} eq "B") { push @$s, [$e->{name}, $e->{ts}, 0]; next }
		my ($n, $t, $in) = @{pop @$s}; my $d = $e->{ts} - $t; $self{$n} += $d - $in; $s->[-1][2] += $d if @$s }
	printf "%s %.0f\n", $_, $self{$_} for sort keys %self' >ours
is "$(cat ours)" "$(as folded functions | awk '{ sub(/.*;/, "", $1); n[$1] += $2 } END { for (f in n) print f, n[f] }' | sort)" \
	'T8 uftrace: own times are what the profile counts'
as uftrace -o folder functions 2>errors
is "$?:$(cat errors)" '1:gnomon export: folder: Directory not empty' 'T8 uftrace: a folder with files stays'
is "$(ls -d folder*)" folder 'T8 uftrace: and nothing else is left'
is "$(as uftrace functions 2>&1)" 'gnomon export: uftrace is a folder; give it a name with -o' 'T8 uftrace: not the standard output'
printf '%s\n' '# kptrace version=1 cpus=1 period_us=1000' '# cpu=0 records=0 overwritten=0' \
	'# call=4294967295 ns=10;0x00000010' '# return=4294967295 ns=20;0x00000010' >high
is "$(as uftrace -o high.folder high 2>&1)" \
	'gnomon export: high: process 4294967295: uftrace has no task above 2147483647' 'T8 uftrace: no task for it'
is "$(as uftrace -o other trace 2>&1; ls -d other* 2>/dev/null)" "gnomon export: trace: uftrace's folder holds functions that were entered and left, as gnomon record --functions or kptrace(5) with calls have them, not ticks" \
	'T8 uftrace: what it cannot hold'
# evented: the calls of a file of speedscope's, in each profile FRAME FROM TO, and what is wrong
evented() {
	perl -MJSON::PP -e 'local $/; my $j = decode_json(<>); my @f = @{$j->{shared}{frames}};
		for my $p (@{$j->{profiles}}) { my @open; my $at = $p->{startValue};
			print "$p->{name} $p->{type} $p->{unit} $p->{startValue} $p->{endValue}\n";
			for my $e (@{$p->{events}}) {
				print "time goes back\n" if $e->{at} < $at; $at = $e->{at};
				if ($e->{type} eq "O") { push @open, [$e->{frame}, $at]; next }
				my $o = pop @open; print "another is open\n" if $o->[0] != $e->{frame};
				print "  $f[$o->[0]]{name} $o->[1] $at\n" }
			print "too late\n" if $at > $p->{endValue}; print "open\n" if @open }'
}
cat >wanted <<'EOF2'
cpu 0 evented microseconds 1000 10000
  memcpy 1000 2000
  sched 1000 2600
  sh:? 1000 2600
  [kernel] 1000 2600
  sh 1000 2600
  cat:? 3000 5000
  [user] 3000 5000
  cat 2600 5000
  cat:? 9000 10000
  [user] 9000 10000
  cat 9000 10000
cpu 1 evented microseconds 1500 5000
  idle 1500 3500
  [idle] 1500 3500
  idle 1500 3500
  sched 4000 5000
  sh:? 4000 5000
  [kernel] 4000 5000
  sh 3500 5000
EOF2
is "$(as speedscope trace | evented 2>&1)" "$(cat wanted)" 'H9 speedscope: calls and returns on each CPU'
# Entries and returns that the kernel measured: times are those of the file, and a call goes on while its
# process does not run, and on whatever processor it does next.
cp "$top/tests/host/called.kptrace" called
is "$(as folded called)" 'sh;[kernel];sched 200
sh;[kernel];sched;memcpy 2900
sh;[kernel];sched;memcpy;memcpy 50
cat;[kernel];idle 100' 'T5 folded: nanoseconds'
as trace.dat -o called.dat called
is "$(trace-cmd report -t -i called.dat | sed 's/^ *//; s/  */ /g')" 'cpus=2
sh-7 [000] 0.000010100: funcgraph_entry: | sched() {
sh-7 [000] 0.000010200: funcgraph_entry: | memcpy() {
sh-7 [000] 0.000010300: funcgraph_entry: 0.050 us | memcpy();
cat-9 [000] 0.000012000: mark: here
sh-7 [000] 0.000012000: sched_switch: sh:7 [0] R ==> cat:9 [0]
cat-9 [000] 0.000012500: funcgraph_entry: 0.100 us | idle();
<idle>-0 [001] 0.000013000: sched_switch: idle:0 [0] R ==> sh:7 [0]
sh-7 [001] 0.000014000: funcgraph_exit: 3.800 us | }
sh-7 [001] 0.000014100: funcgraph_entry: 0.150 us | memcpy();
sh-7 [001] 0.000014250: funcgraph_exit: 4.150 us | }
cat-9 [000] 0.000020000: off: recording was stopped here
sh-7 [001] 0.000020000: off: recording was stopped here' 'T8 trace.dat: a call lasts while its process does not run'
as uftrace -o called.d called
is "$(uftrace replay -d called.d | sed 's/^ *//; s/  */ /g')" '# DURATION TID FUNCTION
[ 7] | sched() {
[ 7] | memcpy() {
0.050 us [ 7] | memcpy();
0.100 us [ 9] | idle();
3.800 us [ 7] | } /* memcpy */
0.150 us [ 7] | memcpy();
4.150 us [ 7] | } /* sched */' 'T8 uftrace: a task is a process, whose calls last while it does not run'
is "$(uftrace report -d called.d -f total,self,call | sed '1,2d; s/^ *//; s/  */ /g')" '4.150 us 0.200 us 1 sched
3.950 us 3.950 us 3 memcpy
0.100 us 0.100 us 1 idle' 'T8 uftrace: each call is one, and has its time'
as chrome called >called.json
is "$(jq -r '.displayTimeUnit, (.traceEvents[] | select(.pid == 7 and .ph != "M") | "\(.ph) \(.name) \(.ts)")' called.json | xargs)" \
	'ns B sched 10.1 B memcpy 10.2 B memcpy 10.3 E memcpy 10.35 E memcpy 14 B memcpy 14.1 E memcpy 14.25 E sched 14.25' \
	'T8 chrome: microseconds, with parts of them'
is "$(jq -r '.traceEvents[] | select(.pid == 0 and .ph != "M") | "\(.ph) \(.name) \(.ts)"' called.json | xargs)" \
	'B sh (7) 10 B idle 11 E sh (7) 12 B cat (9) 12 E idle 13 B sh (7) 13 E cat (9) 20 E sh (7) 20' 'T8 chrome: who runs where'
is "$(as speedscope called | jq -c '.profiles[1] | .unit, .startValue, .endValue, ([.events[] | select(.frame == 3) | .type, .at])')" \
	'"nanoseconds"
11000
20000
["O",13000,"C",14000,"O",14100,"C",14250]' 'T8 speedscope: nanoseconds, a profile a processor'
# A call that has not returned when recording ends lasts up to then; of three at once the order stays.
printf '%s\n' '# kptrace version=1 cpus=1' '# cpu=0 records=1 overwritten=0' '# call=7 ns=100;0xc0100075' \
	'# call=7 ns=100;0xc0100045' '# call=7 ns=100;0xc01000c5' '# return=7 ns=100;0xc01000c5' '# return=7 ns=100;0xc0100045' \
	'# call=9 ns=500;0xc0100045' '1 0 0 off;[switch]' >unended
as uftrace -o unended.d unended
is "$(uftrace replay -d unended.d | sed 's/^ *//; s/  */ /g' | grep -v '^$')" '# DURATION TID FUNCTION
[ 7] | sched() {
[ 7] | memcpy() {
[ 7] | idle();
[ 7] | } /* memcpy */
[ 9] | memcpy() {
0.900 us [ 7] | } /* sched */
0.500 us [ 9] | } /* memcpy */' 'T8 uftrace: up to the end of what is known'
awk 'BEGIN {
	print "# kptrace version=1 cpus=1\n# cpu=0 records=400000 overwritten=0\n# call=1 ns=1;0xc0100075"
	while (n++ < 200000) print "1 0", n, "a;[switch]"
	while (off++ < 200000) print "1 0 0 off;[switch]"
}' >stopped
for format in chrome uftrace trace.dat; do
	# shellcheck disable=SC3045 # dash has it
	(ulimit -t 20; ulimit -v 500000; "$B/gnomon" export --format $format -o stopped.$format stopped)
	is "$?" 0 "H14 $format: often stopped, which has nothing to do with processes that do nothing"
done

# lanes: the same of a file of Chrome's, whose events have all of the fields that are asked for
lanes() {
	perl -MJSON::PP -e 'local $/; my $j = decode_json(<>); my (%open, %out, %name);
		for my $e (@{$j->{traceEvents}}) { my $l = "$e->{pid} $e->{tid}";
			for my $k ("ph", "name", "pid", "tid", "ts") { print "no $k\n" if !defined $e->{$k} }
			if ($e->{ph} eq "M") { $name{$l} .= " $e->{args}{name}"; next }
			if ($e->{ph} eq "B") { push @{$open{$l}}, [$e->{name}, $e->{ts}]; next }
			my $o = pop @{$open{$l}}; print "another is open\n" if $o->[0] ne $e->{name};
			push @{$out{$l}}, "  $o->[0] $o->[1] $e->{ts}\n" }
		print "$_:$name{$_}\n", @{$out{$_}}, (map { "open\n" } @{$open{$_}}) for sort keys %out'
}
cat >wanted <<'EOF2'
0 0: CPUs cpu 0
  sh (7) 1000 2600
  cat (9) 2600 5000
  cat (9) 9000 10000
0 1: CPUs cpu 1
  idle 1500 3500
  idle 1500 3500
  sh (7) 3500 5000
7 7: sh sh
  memcpy 1000 2000
  sched 1000 2600
  sh:? 1000 2600
  sched 4000 5000
  sh:? 4000 5000
9 9: cat cat
  cat:? 3000 5000
  cat:? 9000 10000
EOF2
is "$(as chrome trace | lanes 2>&1)" "$(cat wanted)" 'H9 chrome: a lane for each CPU and process'
cat >wanted <<'EOF2'
1 1: sh sh, sums
  memcpy 2500 5000
  sched 2500 5000
  memcpy 5000 20000
  sched 0 20000
  sh:? 0 20000
  [kernel] 0 20000
  sh 0 20000
2 1: a_b a_b, sums
  a_b:? 0 4500
  [cut] 0 4500
  [user] 0 4500
  a_b 0 4500
3 1: idle idle, sums
  idle 0 25000
  [idle] 0 25000
  idle 0 25000
EOF2
sed '/overflow\]/d; s/ticks=100 overflow=1/ticks=99/' paths >whole
as chrome whole | lanes >ours 2>&1
is "$(awk '/^[0-9]/ { l = $0 } { print l, $0 }' ours | sort)" \
	"$(awk '/^[0-9]/ { l = $0 } { print l, $0 }' wanted | sort)" \
	'H7 chrome: without times, paths that are alike are beside each other'
is "$(as chrome paths | lanes | sed -n '/all, sums/{n;p;}')" '  [overflow] 0 500' 'H7 chrome: what is of no process has a lane, too'
is "$(as chrome waits | lanes | tail -n 1)" '  sh 0 1502500' 'H10 chrome: waits have their time'

# Two records of a processor at the same time: the first one's path has none.
cat >standing <<'EOF2'
# kptrace version=1 cpus=1 period_us=1000
# cpu=0 records=3 overwritten=0
1000 0 7 sh;[kernel];0xc0100075
1000 0 7 sh;[kernel];0xc0100040
2000 0 7 sh;[kernel];0xc0100075
EOF2
is "$(as chrome standing | grep "\"ts\": *1000[,}]" | grep -c "\"sched\"")" 0 'H7 chrome: nothing begins and ends at the same time'

# perf: with the patterns that FlameGraph and Firefox Profiler look for in perf script's text
collapsed() {
	perl -ne 'chomp;
		next if /^#/;
		if ($_ eq "") { $n{join(";", $comm, reverse @s)} += $period; @s = (); next }
		if (/^(\S.+?)\s+(\d+)\s+(?:\[\d+\]\s+)?[\d.]+:\s+(\d+) (\S+):$/) { ($comm, $period) = ($1, $3); next }
		if (/^\s*(\w+)\s*(.+) \(([^)]*)\)$/) { $f = $2; $f =~ s/\+0x[\da-f]+$//; push @s, $f; next }
		print "not understood: $_\n";
		END { print "$_ $n{$_}\n" for sort keys %n }'
}
is "$(as perf paths | collapsed)" "$(printf '%s\n' '[unknown];[overflow] 1' 'a_b;[cut];[unknown] 9' \
	'idle;idle 50' 'sh;[unknown];sched 5' 'sh;[unknown];sched;memcpy 30' \
	'sh;[unknown];sched;sched;memcpy 5')" 'H7 perf: a path and process for each sample'
as perf paths | grep -A 4 '^sh 1 0\.015000: 1 ticks:$' >ours
is "$(cat ours)" "sh 1 0.015000: 1 ticks:
	        c0100040 memcpy+0x10 ([kernel.kallsyms])
	        c0100075 sched+0x5 ([kernel.kallsyms])
	        c0100075 sched+0x5 ([kernel.kallsyms])
	          400010 [unknown] (sh)" 'H7 perf: addresses, offsets and programs'
is "$(as perf trace | grep -v "^	" | tr -s '\n')" 'sh 7 [000] 0.001000: 1 ticks:
idle 0 [001] 0.001500: 1 ticks:
sh 7 [000] 0.002000: 1 ticks:
cat 9 [000] 0.003000: 1 ticks:
sh 7 [001] 0.004000: 1 ticks:
cat 9 [000] 0.009000: 1 ticks:' 'H9 perf: a time line in the order of its times'
as perf waits 2>errors | collapsed >ours
is "$(cut -d ' ' -f 1 ours | tr '\n' ' '):$(awk '{ n += $NF } END { print (n >= 1502216 && n <= 1502818) }' ours)" \
	'sh;[pipe];[unknown];sched;memcpy sh;[ready];[unknown];sched :1' 'H10 perf: waits in even parts'
is "$(cat errors)" 'gnomon export: waits: a sample stands for 301 us, and 1 paths with less are left out' \
	'H7 perf: which are told'

# perf.data: what perf finds in it. The kernel of this test has no code that perf could look into.
recorded() {
	as perf.data -o perf.data "$1" && perf script -i perf.data --max-stack 5000 -F comm,pid,time,period,event,ip 2>/dev/null |
		awk '/:/ { if (line) print line; line = $1 " " $2 " " $3 " " $4 " " $5; next } NF { line = line " " $1 } END { print line }'
}
is "$(recorded paths)" 'sh 1 0.000000: 20 ticks: c0100040 c0100075 400010
sh 1 0.010000: 10 ticks: c0100044 c0100075 400010
sh 1 0.015000: 5 ticks: c0100040 c0100075 c0100075 400010
sh 1 0.017500: 5 ticks: c0100075 400010
a_b 2 0.020000: 9 ticks: 400010
idle 0 0.024500: 50 ticks: c01000c0
[unknown] 0 0.049500: 1 ticks:' 'L1 perf.data: a sample for each path, with its counts'
is "$(recorded trace | cut -d ' ' -f 1-5)" 'sh 7 0.001000: 1 ticks:
idle 0 0.001500: 1 ticks:
sh 7 0.002000: 1 ticks:
cat 9 0.003000: 1 ticks:
sh 7 0.004000: 1 ticks:
cat 9 0.009000: 1 ticks:' 'L1 perf.data: a time line in the order of its times'
is "$(perf script -i perf.data -F cpu 2>/dev/null | tr -d "[]\n")" "000 001 000 000 001 000 " 'L1 perf.data: and with its CPUs'
is "$(recorded waits | awk '{ n += $4; event[$5] } END { for (i in event) print i, n }')" 'wait-us: 1502517' \
	'L1 perf.data: waits have their microseconds'
is "$(perf buildid-list -i perf.data)" 'abcd000000000000000000000000000000000000 [kernel.kallsyms]' \
	'L1 perf.data: the kernel is known by its build id'
has "$(perf evlist -v -i perf.data 2>/dev/null)" "|ID|" 'L1 perf.data: samples name their event, as Hotspot wants it'
awk 'NR == 1 { print; print "# period_us=1000 ticks=1 overflow=0 depth=5000" }
	END { printf "sh;[kernel]"; for (i = 0; i < 5000; i++) printf ";0xc01000%02x", 64 + i % 32; print " 1" }' paths >deep
is "$(recorded deep 2>errors | wc -w):$(cat errors)" \
	'4005:gnomon export: deep: of 1 paths perf.data has only the innermost 4000 steps' 'L1 perf.data: how much of a path there is'

# ---- paths through real code, with lines and what was inlined

# after ELF FUNCTION: the address after its first call
after() {
	"${cross}objdump" -d --no-show-raw-insn "$1" | awk -v f="<$2>:" '$2 == f { on = 1 }
		on && $2 == "call" { getline; sub(":", "", $1); print "0x" substr("00000000" $1, length($1) + 1); exit }'
}
# inlined ELF FUNCTION: an address in what was inlined there, and who that is
inlined() {
	"${cross}objdump" -d --no-show-raw-insn "$1" | awk -v f="<$2>:" '$2 == f { on = 1; next }
		on && !NF { exit } on { sub(":", "", $1); print "0x" substr("00000000" $1, length($1) + 1) }' |
		while read -r pc; do
			"${cross}addr2line" -f -i -e "$1" "$pc" >place
			[ "$(wc -l <place)" = 4 ] && echo "$pc $(head -n 1 place)" && break
		done
}
kernel=$B/gnomon.elf sh=$B/bin/sh
# chain ELF ADDRESS: the functions that it is in, the outermost first
chain() {
	"${cross}addr2line" -f -i -e "$1" "$2" | sed -n "1~2p" | tac | paste -s -d ";"
}
one=$(after "$sh" main) two=$(after "$kernel" syscall) three=
for f in kfree kmalloc chan_put sys_open trap_user; do
	[ -n "$three" ] || { in=$f three=$(inlined "$kernel" $f); }
done
outer=$(chain "$sh" "$(printf %x $((one - 1)))")
echo "# kpstack version=1 build=$(readelf -n "$kernel" | sed -n 's/.*Build ID: //p')
# period_us=1000 ticks=7 overflow=0 depth=8
sh;[kernel];$one;$two;${three%% *} 7" >real
GNOMON_BUILD=$B
is "$(as folded real)" "sh;[kernel];main;syscall;$in 7" 'a path through programs that were built'
is "$(as folded -I real)" "sh;[kernel];$outer;syscall;$in;${three#* } 7" 'with what was inlined'
line() { "${cross}addr2line" -i -e "$1" "$(printf %x $(($2 - 1)))" | sed -n "\$s/ (.*//; \$s|^$top/||; \$p"; }
is "$(as folded -l real | sed 's/;[^;]* 7$//')" \
	"sh;[kernel];main:$(line "$sh" "$one");syscall:$(line "$kernel" "$two")" 'with lines, of the calls'
as pprof -o real.pb.gz real
is "$(decoded real.pb.gz)" "$(echo "$outer" | sed 's/;\([^;]*\)/;(\1)/g');syscall;$in;(${three#* }) 7 7000000 process=sh mode=kernel" \
	'pprof: what was inlined is in the place that it was inlined in'
as callgrind -I -o callgrind.out real
annotated --inclusive=yes callgrind.out >ours
is "$(cat ours)" "$(echo "$outer;syscall;$in;${three#* };sh;total" | tr ';' '\n' | sed 's/^/7 /' | sort)" \
	'callgrind: inlined functions stand for themselves'
as callgrind -a -o callgrind.out real
for size in 2 3 5 7; do
	printf "^0x%x \n" $((two - size))
done >calls
grep -q -f calls callgrind.out
ok $? 'callgrind: a call has the address of its instruction' "$two: $(cat callgrind.out)"
if callgrind_annotate --auto=yes --include="$top" callgrind.out | grep -aq '^-- line .*--\|=>'; then
	ok 0 'callgrind: sources are annotated'
else
	ok 1 'callgrind: sources are annotated' "$(callgrind_annotate --auto=yes --include="$top" callgrind.out)"
fi
GNOMON_BUILD=$work/build

# ---- coverage of the kernel, which counts calls

cat >calls <<'EOF2'
gnomon modules 1 coverage 0
module kernel /boot/gnomon c0100000 abcd000000000000000000000000000000000000
64 30
112 10
module sh /bin/none 00400000 -
16 7
EOF2
is "$(as folded calls 2>errors)" 'sh;sh:? 7' 'calls do not count among instructions'
has "$(cat errors)" '40 calls in the kernel are left out' 'and that is told'
is "$(as callgrind -m kernel calls 2>&1 | grep -E '^(events|summary):')" 'events: Calls
summary: 40' 'but by themselves'

# ---- gmon

at=$(nm "$sh" | sed -n 's/ [tT] main$//p')
{
	echo 'gnomon modules 1 sampling 1000'
	echo "module sh /bin/sh 00400000 $(readelf -n "$sh" | sed -n 's/.*Build ID: //p')"
	echo "$((0x$at - 0x400000 + 8)) 70000"
} >sampled
as gmon -i "$sh" -o gmon.out sampled
is "$(gprof -b -p "$sh" gmon.out 2>&1 | awk '$NF == "main" { print $3 }')" 70.00 \
	'gmon: gprof gives main what it has'
as gmon kpdata -o kernel.gmon 2>errors
is "$("$B/gnomon" report -n 0 kernel.gmon | awk '$NF == "memcpy" { print $1 }')" 30 \
	'gmon: of the kernel, too'
has "$(cat errors)" 'no place for 60 ticks' 'gmon: what is left out is told'
as gmon -m kernel paths -o kernel.gmon 2>errors
is "$("$B/gnomon" report -n 0 kernel.gmon | awk 'NF == 4 && $1 ~ /^[0-9]/ { print $NF, $1 }' | sort)" \
	"$(printf '%s\n' 'idle 50' 'memcpy 35' 'sched 5')" 'gmon: of paths their ends'
has "$(cat errors)" 'has no call paths' 'gmon: and says so'

# ---- what is wrong

# fails STATUS PART ARGUMENT...
fails() {
	status=$1 part=$2
	shift 2
	"$B/gnomon" export "$@" >out 2>errors
	is "$?:$(cat out)" "$status:" "export $*: exit status $status, and no output"
	has "$(cat errors)" "$part" 'and why'
}
sed 's/sampling 1000/coverage 0/' sampled >covered
sed 's/period_us=500/period_us=0/' paths >timeless
sed 's/period_us=500/period_us=1500/' paths >odd
fails 1 'gmon.out holds ticks, not instructions' -f gmon -i "$sh" covered
fails 1 'of kernel and a_b; choose one with --module' -f gmon paths
fails 1 'there is no file of a_b' -f gmon -m a_b paths
fails 1 'a whole number of ticks a second' -f gmon -m kernel odd
fails 1 'no address is known' -f gmon -M outside kpdata
fails 1 'nowhere: No such file' nowhere
fails 1 '/nowhere/x: No such file' -o /nowhere/x paths
fails 1 'tell processes apart' -p sh kpdata
fails 1 'paths: nothing in it is of that program, process or mode' -p none paths
fails 1 'kpdata: nothing in it is of that program, process or mode' -f pprof -m none kpdata
fails 2 'folded, callgrind, pprof, otlp, speedscope, gmon, dot, perf, perf.data, chrome, lcov, gcov, massif, trace.dat or uftrace' -f odd paths
fails 2 'kernel, interrupt, user or idle' -M odd paths
fails 2 'one profile expected'
fails 2 '--lines has no effect with --format pprof' -l -f pprof paths
fails 2 '--addresses has no effect with --format folded' -a paths
fails 2 '--addresses has no effect with --format speedscope' -f speedscope -a paths
fails 2 '--lines has no effect with --format callgrind' -l -f callgrind paths
fails 1 'gmon.out holds ticks, not us' -f gmon waits

# H14: a bin of gmon.out has 16 bits, and a list of names may be of any text
perl -e 'print "00001000 T low\n";
	printf "%08x T f%d\n", 0x2000 + $_ * 4096, $_ for 0 .. 1000;
	print "f0000000 T high\n"' >wide.nm
head -n 1001 wide.nm >hot.nm
perl -e 'my ($nm, $n) = @ARGV;
	print "# kpstack version=1 text=0x00001000-0xf0001000\n# kernel=$nm\n";
	printf "sh;[kernel];0x%08x 4294967295\n", 0x2010 + $_ * 4096 for 0 .. $n - 1;
	printf "# period_us=1000 ticks=%d overflow=0 depth=1\n", $n * 4294967295' "$PWD/hot.nm" 40 >hot
sed 's/hot[.]nm/wide.nm/' hot >wide
fails 1 'gmon.out would have more than 67108864 bytes, for its counts are so large' -f gmon hot
fails 1 'wide.nm has more than 67108864 bytes of text' -f gmon wide
fails 1 'paths: massif holds bytes of memory, as mprof(1) counts them, not ticks' -f massif paths
fails 1 'paths: lcov holds the counts of coverage, as by cprof(1), not ticks' -f lcov paths
fails 1 'paths: gcov holds the counts of coverage, as by cprof(1), not ticks' -f gcov paths
# lcov: sources that are not here are named, and those that are have their lines
printf 'int _start(void)\n{\n\treturn 1;\n}\n' >gone.c
"${cross}gcc" -g -O2 -nostdlib -static -fno-pie -no-pie -Wl,--build-id gone.c -o gone
printf 'gnomon modules 2 coverage 0\nmodule gone /bin/gone 08049000 %s\n0 3\n5 3\nend 4\n' \
	"$("${cross}readelf" -n gone | awk '/Build ID/ { print $3 }')" >ran
is "$(as gcov -i gone ran | jq -c ".files[0] | .functions, .lines")" '[{"name":"_start","demangled_name":"_start","start_line":4,"execution_count":3}]
[{"line_number":4,"count":6,"unexecuted_block":false,"branches":[]}]' \
	'L2 gcov: functions and lines have their counts'
is "$(as lcov -i gone ran 2>/dev/null | sed 's|SF:.*/|SF:|' | tr '\n' ' ')" 'TN: SF:gone.c FN:4,_start FNDA:3,_start FNF:1 FNH:1 DA:4,6 LF:1 LH:1 end_of_record ' \
	'L2 lcov: functions and lines have their counts'
rm gone.c
is "$(as lcov -i gone ran 2>errors)" '' 'L2 lcov: nothing of sources that are not here'
has "$(cat errors)" "gnomon export: ran: $(pwd -P)/gone.c is left out: it is not here" 'and they are named'
# massif: where the memory of the kernel in this test comes from, as ms_print shows it
printf 'gnomon modules 2 memory 0\nmodule kernel /boot/gnomon c0100000 abcd000000000000000000000000000000000000\n%s\nend 5\n' \
	'64 5000
68 200
196 300' >blocks
as massif blocks >massif.out && ms_print massif.out >shown
is "$(grep '[0-9]% (' shown | sed 's/^->//')" '100.00% (5,500B) (memory that was not given back)
90.91% (5,000B) 0xC0100040: memcpy (in kernel)
05.45% (300B) 0xC01000C4: idle (in kernel)
03.64% (200B) 0xC0100044: memcpy (in kernel)' 'L2 massif: ms_print shows each place'
# pprof: the four values of a heap profile; a place with nothing in use is told there and nowhere else
sed 's/^gnomon modules 2/gnomon modules 3/; s/^64 5000/& 2 9000 4/; s/^68 200/68 0 0 200 1/; s/^196 300/& 3 300 3/' blocks >places
as pprof places | gzip -dc | protoc --proto_path="$top/tools/export" --decode=perftools.profiles.Profile pprof.proto >heap
is "$(sed -n '/^sample {/,/^}/s/^  value: //p' heap | paste -d ' ' - - - -)" '4 9000 2 5000
1 200 0 0
3 300 3 300' 'L2 pprof: blocks and bytes, ever and in use'
has "$(grep string_table heap | tr '\n' ' ')" '"alloc_objects" string_table: "count" string_table: "alloc_space" string_table: "bytes" string_table: "inuse_objects" string_table: "inuse_space"' 'L2 by their names'
as massif places >massif.out && ms_print massif.out >shown
is "$(grep '[0-9]% (' shown | sed 's/^->//' | wc -l)" 3 'L2 massif: only what is in use'
fails 1 'how long these instructions took is not known' -f chrome -i "$sh" covered
sed '/^[0-9]/d; s/records=[0-9]/records=0/' trace >empty
fails 1 'empty: there is nothing in it' -f chrome empty
fails 1 "empty: there is nothing in it" -f trace.dat empty
fails 1 "paths: trace.dat holds a time line, as kptrace(5) has it, not ticks without times" -f trace.dat paths
fails 2 '--limit has no effect with --format folded' -n 1% paths
fails 2 '--limit 5: 0% to 100% expected' -f dot --limit 5 paths
fails 2 '--limit 101%: 0% to 100% expected' -f dot --limit 101% paths
fails 2 '--inlined has no effect with --format gmon' -I -f gmon kpdata
fails 2 'no such option' --nothing paths
fails 2 'something must follow' paths --format
# What was lost is told on the standard error, and in what has comments: C5.
sed '1a\# clock=lapic ticks=100 lost=300' paths >lossy
is "$(as folded lossy 2>said)" "$(as folded paths)" 'C5: counts are those of ticks that were taken'
has "$(cat said)" 'gnomon export: lossy: lost: 75.0 % of the ticks that were due, 300 of 400' 'C5: a message'
has "$(as callgrind lossy 2>/dev/null)" 'lost: 75.0 %' 'C5: callgrind has it as a comment'
as pprof -o lossy.pb lossy 2>/dev/null
has "$(gzip -dc lossy.pb)" 'lost: 75.0 %' 'C5: pprof, too'
has "$(as perf lossy 2>/dev/null)" '# lost: 75.0 %' 'C5: perf, too'
is "$(as perf lossy 2>/dev/null | collapsed)" "$(as perf paths | collapsed)" 'C5: where readers pass over it'
has "$(as speedscope lossy 2>/dev/null)" '"name":"lossy (ticks); lost: 75.0 %' 'C5: speedscope has it in the name'
has "$(as chrome lossy 2>/dev/null)" '"otherData":{"lost":"lost: 75.0 %' 'C5: chrome has it among other data'
is "$(as chrome lossy 2>/dev/null | lanes)" "$(as chrome paths | lanes)" 'C5: beside the same events'
as perf.data -o lossy.data lossy 2>/dev/null
has "$(perf report -i lossy.data --header-only 2>/dev/null)" '# nrcpus online : 1' 'L1 perf.data says how many processors there were'
has "$(perf report -i lossy.data --header-only 2>/dev/null)" '# cmdline : gnomon export' 'L1 and what made it'
has "$(perf report -i lossy.data --stdio 2>/dev/null)" '# Total Lost Samples: 300' 'C5: perf.data has the number'
"$B/gnomon" help export | grep -q '^usage: gnomon export'
ok $? 'help tells the usage'
as folded paths >/dev/full 2>/dev/null
is $? 1 'output that cannot be written: exit status 1'
as folded -o /dev/full paths 2>errors
is "$?:$(test -c /dev/full && echo there)" 1:there 'nor can a file; a device stays'

finish
