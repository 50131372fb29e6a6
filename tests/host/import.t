#!/bin/sh
# gnomon import of what perf script and stackcollapse-*.pl print, and of pprof's profiles (L6): gnomon report, diff and export
# show it as it was; and what it says of other files. B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
GNOMON_BUILD=$work LC_ALL=C DEBUGINFOD_URLS=''
export GNOMON_BUILD LC_ALL DEBUGINFOD_URLS
# self FILE: lines FUNCTION COUNT, by gnomon report
self() {
	"$B/gnomon" report -n 0 "$1" | awk 'on && $1 > 0 { print $NF, $1 } $2 == "self" { on = 1 }' | sort
}

# ---- perf script, of Linux 6.1, with names that have blanks

cat >linux.txt <<'E'
# captured on a Monday
sh  4242/4242  [001] 28061.354921:     250000 cpu-clock:
	ffffffff8108f4d5 schedule+0x25 ([kernel.kallsyms])
	ffffffffc0451234 nf_hook_slow+0x4 ([nf_tables])
	    7f33a5e1b1f1 [unknown] (/usr/lib/x86_64-linux-gnu/libc.so.6)
	    55d0c3a01234 std::map<int, char>::find(int) const+0x14 (/usr/bin/dash)

Web Content   77 28061.355000: cpu-clock:
	    7f33a5e1b1f1 memcpy+0x10 (/usr/lib/libxul.so)
	    7f33a5e1b1f1 inlined_one (inlined)
	    7f33a5e1b1f1 main+0x99 (/usr/lib/libxul.so)

sh  4242/4242  [000] 28061.356000:     250000 cpu-clock:
	ffffffff8108f4d5 schedule+0x95 ([kernel.kallsyms])
	ffffffffc0451234 nf_hook_slow+0x4 ([nf_tables])
	    7f33a5e1b1f1 [unknown] (/usr/lib/x86_64-linux-gnu/libc.so.6)
	    55d0c3a01234 std::map<int, char>::find(int) const+0x14 (/usr/bin/dash)

:-1    -1 [000] 28061.356900:     250000 cpu-clock:ppp:
	ffffffff8108f4d5 schedule+0x95 ([kernel.kallsyms])

swapper     0 [000] 28061.357000:     500000 cpu-clock:  ffffffff81000001 other+0x1 ([kernel.kallsyms])
swapper     0 [000] 28061.357000:     500000 cpu-clock:
	ffffffff81a00001 native_safe_halt+0x1 ([kernel.kallsyms])
	ffffffff81a00002 do_idle+0x1 ([kernel.kallsyms])
E
"$B/gnomon" import -o linux linux.txt
is "$?:$(self linux)" '0:Web_Content:memcpy 1
kernel:native_safe_halt 1
kernel:other 1
kernel:schedule 3' 'L6 perf: each sample, in its program or in the kernel'
is "$("$B/gnomon" export linux)" 'sh;[kernel];std::map<int,_char>::find(int)_const;libc.so.6;nf_hook_slow;schedule 2
Web_Content;[user];main;inlined_one;memcpy 1
:-1;[kernel];schedule 1
swapper;[kernel];other 1
swapper;[idle];do_idle;native_safe_halt 1' 'L6 perf: and its path'
"$B/gnomon" import -P -o periods - <linux.txt
has "$(self periods)" 'kernel:schedule 750000' 'L6 perf: or its period'
has "$("$B/gnomon" report linux)" 'linux: stacks, 6 ticks' 'L6 perf: all samples are there'

# Where this machine lets us, perf itself.
# shellcheck disable=SC2016 # that shell expands it
loop='i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done'
if perf record -e cpu-clock -c 1000000 -g -o real.data -- sh -c "$loop" >said 2>&1; then
	perf script -i real.data >real.txt 2>/dev/null
	"$B/gnomon" import -o real real.txt
	is "$("$B/gnomon" export real | awk '{ n += $NF } END { print n }')" "$(grep -c "cpu-clock:" real.txt)" \
		"L6 perf: all samples of a real one"
else
	echo "ok $((n += 1)) # SKIP perf record: $(tail -n 1 said)"
fi

# ---- folded stacks

printf '%s\n' 'nginx;main;worker;tcp_sendmsg_[k] 7' 'nginx;main;worker 3' 'python;<module> 5' 'alone 2' '' \
	'a/b [x];f 1' >folded.txt
"$B/gnomon" import -o folded folded.txt
is "$?:$("$B/gnomon" export folded)" '0:nginx;[kernel];main;worker;tcp_sendmsg 7
nginx;[user];main;worker 3
python;[user];<module> 5
alone;[user];[unknown] 2
a_b__x_;[user];f 1' 'L6 folded: what was read comes out again'
"$B/gnomon" import -o once folded.txt && "$B/gnomon" export once >again.txt &&
	"$B/gnomon" import -o twice again.txt && "$B/gnomon" export twice | cmp - again.txt
ok $? 'L6 folded: what gnomon export writes is read, with its modes'
is "$(self folded)" 'a_b__x_:f 1
alone:[unknown] 2
kernel:tcp_sendmsg 7
nginx:worker 3
python:<module> 5' 'L6 folded: functions have their programs'
"$B/gnomon" report --html page.html folded >/dev/null && grep -q tcp_sendmsg page.html
ok $? 'L6 the page has the functions'
sed 's/tcp_sendmsg_\[k\] 7/tcp_sendmsg_[k] 700/' folded.txt >slower.txt
"$B/gnomon" import -o slower slower.txt
"$B/gnomon" diff folded slower | grep -q '+.*kernel:tcp_sendmsg'
ok $? 'L6 diff compares two of them' "$("$B/gnomon" diff folded slower | head)"

has "$("$B/gnomon" merge -o sum folded slower 2>&1)" "folded: from gnomon import, which gives the same function" \
	"L6 merge says that it cannot add them"

# Many processes: of those from the 10,000th on the functions are in one file.
awk 'BEGIN { while (n++ < 20000) print "p" n ";f" n ";g 1" }' >processes.txt
"$B/gnomon" import -o processes processes.txt
# shellcheck disable=SC2012
is "$?:$(ls processes.nm | wc -l):$(wc -l <processes.nm/.others)" '0:9999:10002' 'H14 of very many processes there are few files'

# shellcheck disable=SC3045 # dash has it
is "$(ulimit -n 200; within 5 "$B/gnomon" export processes | tail -n 1)" 'p20000;[user];f20000;g 1' \
	'and all functions are known'

# ---- pprof, by its schema

# packed FILE: that text as a message
packed() { protoc --proto_path="$top/tools/export" --encode=perftools.profiles.Profile pprof.proto <"$1"; }
cat >message <<'E2'
sample_type { type: 1 unit: 2 }
sample_type { type: 3 unit: 4 }
sample { location_id: 9 location_id: 70 value: 2 value: 2000 }
sample { location_id: 70 value: 3 value: 3000 label { key: 11 str: 12 } }
sample { location_id: 9 location_id: 8 value: 1 value: 1000 label { key: 13 str: 14 } }
sample { location_id: 9 value: 0 value: 0 }
mapping { id: 1 filename: 5 }
mapping { id: 2 filename: 6 }
location { id: 70 mapping_id: 1 line { function_id: 5 } line { function_id: 3 } }
location { id: 8 mapping_id: 1 }
location { id: 9 mapping_id: 2 line { function_id: 4 } }
function { id: 3 name: 7 }
function { id: 4 name: 8 }
function { id: 5 name: 9 }
E2
for s in '' samples count cpu nanoseconds /usr/bin/server '[kernel.kallsyms]' main.serve tcp_sendmsg inlined \
	unused process worker mode interrupt; do
	echo "string_table: \"$s\""
done >>message
packed message >raw
gzip -c raw >message.pb.gz
"$B/gnomon" import -o pprof message.pb.gz
is "$?:$("$B/gnomon" export pprof)" '0:server;[kernel];main.serve;inlined;tcp_sendmsg 2
worker;[user];main.serve;inlined 3
server;[interrupt];server;tcp_sendmsg 1' 'L6 pprof: each sample, by what it counts, with what was inlined'
"$B/gnomon" import -f pprof -o unpacked raw && "$B/gnomon" export unpacked >again && "$B/gnomon" export pprof | cmp - again
ok $? 'L6 pprof: not compressed'
"$B/gnomon" import -P -o times message.pb.gz
has "$("$B/gnomon" report times)" 'times: stacks, 6000 ticks' 'L6 pprof: or by what its last type counts'
"$B/gnomon" export -f pprof -o folded.pb.gz folded && "$B/gnomon" import -o back folded.pb.gz &&
	"$B/gnomon" export folded | sort >was && "$B/gnomon" export back | sort >is
is "$(sed 's/_\[k\]//' is | awk '{ n += $NF } END { print n }')" "$(awk '{ n += $NF } END { print n }' was)" \
	'L6 pprof: what gnomon export writes is read, with all counts'

# ---- what is wrong

# fails STATUS PART ARGUMENT...
fails() {
	status=$1 part=$2
	shift 2
	"$B/gnomon" import "$@" >out 2>errors
	is "$?:$(cat out)" "$status:" "import $*: exit status $status, and no output"
	has "$(cat errors)" "$part" 'and why'
}
printf 'PERFILE2\0\0' >perf.data
echo hello | gzip >packed
head -c 60 message.pb.gz >half
sed '/^location { id: 9/d' message >lacking
sed '/^sample_type/d' message >typeless
for f in lacking typeless; do
	packed $f >$f.pb
done
printf 'a\0b 1\n' >binary
: >empty
echo '# only this' >comment
echo word >word
printf 'a;b 1\na;b x\n' >line2
sed '3s/.*/something else/' linux.txt >else
printf 'a;b 18446744073709551615\na;c 1\n' >many
fails 1 'perf.data: this is perf.data; give what `perf script -i'"'"' prints of it' -o new perf.data
fails 1 "packed: not a profile of pprof's, or damaged" -o new packed
fails 1 'half: it is compressed, and damaged, cut off or too large' -o new half
fails 1 'lacking.pb: there is no location 9' -f pprof -o new lacking.pb
fails 1 'typeless.pb: it does not say what its samples count' -f pprof -o new typeless.pb
fails 1 "word: not a profile of pprof's, or damaged" -f pprof -o new word
fails 1 'binary: this is no text' -o new binary
fails 1 'empty: the file is empty' -o new empty
fails 1 'comment: there is nothing in it' -o new comment
fails 1 "word: line 1: a sample of perf script, or a folded stack and its count expected, not \"word\"" -o new word
fails 1 "line2: line 2: a path, a blank and a count expected, not \"a;b x\"" -o new line2
fails 1 "else: line 3: a sample of perf script, or a step of one expected, not \"something else\"" -o new else
fails 1 'folded.txt: line 1: a sample of perf script' -f perf -o new folded.txt
fails 1 'many: the counts add up to 2^64 or more' -o new many
# As many as can be are more than an integer of JSON has.
echo 'p;a;b 18446744073709551615' >most
"$B/gnomon" import -f folded -o most.imp most
is "$("$B/gnomon" report -o json most.imp 2>errors | jq '.total > 1e19, .total_before_patterns > 1e19, .modes.user > 1e19' | uniq)" \
	true 'H14 the largest counts are not negative'
# Few bytes that stand for many steps: a location with 1,000 functions, 1,000 times in a sample.
again() { yes "$2" | head -n "$1" | tr -d "\n"; }
# shellcheck disable=SC2059
{
	printf '\012\004\010\001\020\002\062\000\062\001a\062\001b\062\001f' # type and unit, strings
	printf '\042\242\037\010\001' && printf "$(again 1000 '\042\002\010\001')" # location 1
	printf '\022\356\007\012\350\007' && printf "$(again 1000 '\001')" && printf '\022\001\001' # sample
	printf '\052\004\010\001\020\003' # function 1
} >steps.pb
head -c 90000000 /dev/zero | gzip >zeros.pb.gz
fails 1 'steps.pb: its samples have more steps than a profile of that length can have' -f pprof -o new steps.pb
fails 1 'zeros.pb.gz: it is compressed, and damaged, cut off or too large' -o new zeros.pb.gz
# And compressed: a sample of so many locations, each of three functions with a long name; so many empty samples.
stands_for() {
	perl -e '
		sub number { my $n = shift; my $s = ""; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr($n) }
		sub field { my ($id, $data) = @_; chr($id << 3 | 2) . number(length $data) . $data }
		print field(1, "\x08\1\x10\2"), field(4, "\x08\1" . field(4, "\x08\1") x 3), field(5, "\x08\1\x10\3");
		print field(2, field(1, "\1" x $ARGV[0]) . field(2, "\1")), field(2, "") x $ARGV[1];
		print field(6, ""), field(6, "ticks"), field(6, "count"), field(6, "A" x 4000)' "$@" | gzip
}
stands_for 8000000 0 >paths.pb.gz
stands_for 1300000 0 >long.pb.gz
stands_for 1 4000000 >samples.pb.gz
within 5 "$B/gnomon" import -o new paths.pb.gz 2>errors
is "$?:$(cat errors)" "1:gnomon import: paths.pb.gz: its samples have more steps than a profile of that length can have" \
	'H14 pprof: steps are no more than what is compressed can stand for'
within 2 "$B/gnomon" import -o long long.pb.gz
is "$?:$(tail -n 1 long)" '0:# period_us=0 ticks=1 overflow=0 depth=3900000' 'H14 pprof: a name is looked at once'
rm long
fails 1 'samples.pb.gz: it is larger in memory than a profile of that length can be' -o new samples.pb.gz
fails 1 'nowhere: No such file' -o new nowhere
fails 1 '/nowhere/x.nm: No such file' -o /nowhere/x folded.txt
[ ! -e new ] && [ ! -e new.nm ]
ok $? 'nothing was written' "$(ls)"
fails 2 'perf, folded or pprof' -f odd -o new folded.txt
fails 2 "--output and the name of a file expected" folded.txt
fails 2 'one profile expected' -o new
"$B/gnomon" help import | grep -q '^usage: gnomon import'
ok $? 'help tells the usage'

finish
