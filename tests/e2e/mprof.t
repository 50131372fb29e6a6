#!/bin/sh
# mprof(1) as a command, and the examples of its page and of memory in prof(3): P4, P10, P11.
# Needs: guest/tests/e2e/leaks
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

leaks=$b/guest/tests/e2e/leaks
"${cross}objcopy" -S --remove-section .lines "$leaks" "$tmp/bare"
chmod 755 "$tmp/bare"

# A line "= NAME" begins each part of the output.
{
	for k in 1 2; do
		echo "echo = example$k"
		example docs/man/1/mprof.1 "$k"
	done
	echo 'echo = device'
	example docs/man/3/prof.3 3
	cat <<'END'
echo = functions
mprof -m leaks /tmp/leaks
echo = lines
mprof -L -m leaks /tmp/leaks
echo = source
mprof -f leaks.c -m leaks /tmp/leaks
echo = bare
mprof -m bare /tmp/bare
echo = twice
echo module leaks >/prof/ctl
echo startmp 2 >/prof/ctl
/tmp/leaks
/tmp/leaks
mprof
mprof true; echo $status
mprof
echo end >/prof/ctl
echo = kernel
mprof -L -m kernel true
echo = written
mprof -w /tmp/written -m leaks /tmp/leaks; echo $status
echo = status
mprof true >/dev/null; echo $status
mprof false >/dev/null; echo $status
mprof -x; echo $status
mprof -m; echo $status
mprof -m sh; echo $status
mprof nosuch >/dev/null; echo $status
echo = missed
mprof -f nosuch.c -m leaks /tmp/leaks >/tmp/shown; echo $status
mprof -w /tmp/w -f leaks.c /tmp/leaks; echo $status
echo = busy
echo start >/prof/ctl
echo startmp >/prof/ctl
echo end >/prof/ctl
echo = empty
mprof; echo $status
ls /prof
END
} >"$tmp/script"
"$b/gnomon" run -t 60 -o "$tmp" -p "$leaks:/tmp/leaks" -p "$tmp/bare:/tmp/bare" \
	-p tests/e2e/leaks.c:/src/tests/e2e/leaks.c -f /tmp/written -s "$tmp/script" \
	>"$tmp/out" 2>&1
is $? 0 'the run' || sed 's/^/# /' "$tmp/out"

sums='/tmp/leaks: 1039 bytes not freed
/tmp/leaks: at most 6000 at a time, 4507539 in all; 3017 blocks allocated, 3005 freed'
is "$(part functions)" "$sums
 not freed      %    at most     in all
      1000  96.2%       1000       1000  forget
        39   3.8%         39         39  main
         0   0.0%       3000    4501500  grow
         0   0.0%       5000       5000  lend" 'P4 P11 by function'

# What the source says of each line: its number, and its two counts.
sed -n 's|.*/\* = \([0-9]*\) \([0-9]*\) \*/$|\1 \2|;t put;b;:put;=;p' tests/e2e/leaks.c | paste - - |
	awk '{ print $2, $3, "tests/e2e/leaks.c:" $1 }' | sort >"$tmp/wanted"
is "$(wc -l <"$tmp/wanted")" 5 'lines with numbers'
part lines | tail -n +4 | awk '{ print $1, $3, $5 }' | sort >"$tmp/got"
is "$(cat "$tmp/got")" "$(cat "$tmp/wanted")" 'P4 P11 by source line: exactly those bytes'
is "$(part lines | head -n 2)" "$sums" 'P4 and the sums'
is "$(part lines | awk 'NR > 3 { n += $4 } END { print n }')" 4507539 'P4 all that was ever allocated is in the lines'

part source | tail -n +4 | cut -c 25- | cmp -s - tests/e2e/leaks.c
ok $? 'P11 the whole source' "$(part source | head -n 5)"
is "$(part source | awk '/\/\* = [0-9 ]*\*\/$/ { print ($1 == $(NF - 2) && $2 == $(NF - 1)) }' |
	sort | uniq -c | tr -s ' ')" ' 5 1' 'P4 P11 with its bytes beside it'

has "$(part bare)" 'it has no symbols' 'P11 a program without symbols: a message'
part bare | grep -qx '      1039 100.0%       6000    4507539  ?'
ok $? 'P11 and its bytes are not lost' "$(part bare)"

is "$(part twice | grep -c '^      2000  96.2%       2000       2000  forget$')" 1 \
	'P4 what a program left stays, and adds up'
has "$(part twice)" ': 2078 bytes not freed' 'P4 without a command it shows what there is'
is "$(part twice | tail -n 2 | tr '\n' ' ')" '0 mprof: nothing was counted ' \
	'P5 with one, it begins anew and ends'

part kernel | awk '$5 ~ /^kernel\/[a-z]*\/[a-z]*\.c:[0-9]+$/ { n++ } END { exit n < 5 }'
ok $? 'P10 P11 the kernel, by line' "$(part kernel)"
! part kernel | grep -q '\.h:'
ok $? 'C12 and none of it in a header' "$(part kernel)"
part kernel | grep -q '^ *0   0.0%  *[1-9][0-9]*  *[1-9][0-9]*  kernel/process/args.c:'
ok $? 'P10 what it had for execve is back' "$(part kernel)"
is "$(part kernel | awk 'NR > 3 && $1 > 0 { print $1, $5 }' | sed 's/:.*//')" '2136 kernel/file/cmd.c' \
	'P10 and nothing is left of mprof but its last message, as mprof(1) tells'

is "$(part written)" 0 'P11 -w'
head -n 1 "$tmp/written" | grep -qx 'gnomon modules 3 memory 0'
ok $? 'P11 writes that it is of memory' "$(head -n 3 "$tmp/written")"
is "$(awk '/^[0-9]/ { for (i = 2; i <= 5; i++) n[i] += $i } END { print n[2], n[3], n[4], n[5] }' \
	"$tmp/written")" '1039 12 4507539 3017' 'P11 what is not freed, and all that was allocated, by place'
is "$(awk '$5 == 3000' "$tmp/written" | cut -d ' ' -f 2-)" '0 0 4501500 3000' \
	'P11 also where everything was freed'

has "$(part example1)" '/bin/sh: at most ' 'P11 the first example of mprof(1)'
has "$(part example2)" ' kernel/' 'P11 the second one'
part device | awk '$1 == "live" || $1 == "peak" { n[$1] = $2 } NF == 2 && /^lost 0$/ { lost = 1 }
	END { exit !(lost && n["peak"] > n["live"] && n["peak"] > 4096) }'
ok $? 'P10 the example of memory in prof(3)' "$(part device)"

is "$(part status | grep -v '^ \|^/\|^usage\|^mprof:\|^  *mprof' | tr '\n' ' ')" \
	'0 1 2 2 2 127 ' 'P11 exit statuses'
is "$(part missed)" 'mprof: nosuch.c: no module that would be counted has such a source file
1
mprof: -f has no effect with -w
2' 'P11 a source file that does not exist, and an option without effect'
has "$(part busy)" 'Busy' 'P10 another kind of profiling is refused meanwhile'
is "$(part empty)" 'mprof: nothing was counted
0
ctl' 'P5 nothing is left'

finish
