#!/bin/sh
# prof(1) and cprof(1) as commands, and the examples of their pages: P1-P3, P11.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

"${cross}objcopy" -S "$b/bin/seq" "$tmp/bare"
"${cross}objcopy" --redefine-sym __format="$(printf 'x\033[31m\302\2336n')" "$b/bin/seq" "$tmp/evil"
LC_ALL=C sed 's,userland/libc/format\.c,/dev/../dev/./././zero,' "$b/guest/bin/seq" >"$tmp/zero"
LC_ALL=C sed 's,userland/libc/format\.c,userland/////bin/seq.c,' "$b/guest/bin/seq" >"$tmp/twice"
# A program that does nothing and has 4 MB of text.
{
	printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\3\0\1\0\0\0\124\0\100\0\64\0\0\0'
	printf '\0\0\0\0\0\0\0\0\64\0\40\0\1\0\0\0\0\0\0\0'
	printf '\1\0\0\0\0\0\0\0\0\0\100\0\0\0\0\0\0\0\100\0\0\0\100\0\5\0\0\0\0\0\0\0'
	printf '\61\333\260\1\315\200\353\376'
} >"$tmp/huge"
truncate -s 4194304 "$tmp/huge"
printf 'seq-\033[31m' >"$tmp/name"
chmod 755 "$tmp/bare" "$tmp/huge" "$tmp/zero" "$tmp/twice"

# A line "= NAME" begins each part of the output.
{
	echo 'echo = example'
	example docs/man/1/prof.1
	echo 'echo = device'
	example docs/man/3/prof.3
	echo 'echo = kernel'
	example docs/man/3/prof.3 2
	echo 'echo = cover'
	example docs/man/1/cprof.1
	cat <<'END'
echo = all
prof -s 1 sh -c 'seq 1 20000 >/dev/null; for(i in `{seq 1 2000}) x=$i; for(i in `{seq 1 40}) cat /bin/sh >/dev/null'
echo = coverall
cprof -a -m true -m seq sh -c '/bin/true; /bin/true; seq 1'
echo = bare
prof -s 1 -m bare /tmp/bare 1 50000 >/tmp/counted
tail -n 2 /tmp/counted
echo = evil
prof -s 1 -m evil /tmp/evil 1 20000 >/tmp/evil.out
tail -n 20 /tmp/evil.out
echo = named
cp /bin/seq /tmp/`{cat /tmp/name}
prof -s 1 /tmp/`{cat /tmp/name} 1 20000 >/tmp/named.out; grep seq- /tmp/named.out
echo = zero
prof -s 1 -m zero -l /tmp/zero 1 20000 >/tmp/zero.out
grep ' samples$' /tmp/zero.out
echo = twice
cprof -l -m twice /tmp/twice 1 3
echo = bound
prof -s 1 -m zero sh -c 'rfork n; bind /bin/seq /dev/zero; /dev/zero 1 20000 >/tmp/seq.out'
cprof -w /tmp/bound -m zero sh -c 'rfork n; bind /bin/true /dev/zero; /dev/zero'
grep '^module' /tmp/bound
echo = left
for(p in prof cprof mprof) $p -m huge -m seq sh -c '/tmp/huge; /tmp/huge; seq 1 20000 >/dev/null' >>/tmp/left
grep seq: /tmp/left
echo = two
prof -s 1 -m seq -m /boot/gnomon sh -c 'seq 1 20000 >/dev/null; for(i in 1 2 3 4 5 6 7 8 9 10) cat /bin/* >/dev/null'
echo = null
prof -s 1 -m seq seq 1 20000 >/dev/null
cprof -m seq seq 1 200 >/dev/null
mprof -m sort sort /rc/workload >/dev/null
flame seq 1 20000 >/dev/null
echo = own
cprof true | grep '^/'
echo --
cprof -a true | grep '^/'
echo --
cprof -m cprof true | grep '^/'
echo --
cprof cprof -h | grep '^/'
cprof -w /tmp/own true; grep '^module' /tmp/own | wc -l
echo = aside
prof -s 1 -m seq -o /tmp/aside seq 1 20000
flame -o /tmp/flamed seq 1 20000
wc -l /tmp/aside /tmp/flamed
prof -o /nosuch/x true; echo $status
flame -o /tmp/x; echo $status
echo = status
prof true; echo $status
prof false; echo $status
prof -s 0 true; echo $status
prof -m; echo $status
prof -x; echo $status
prof -m sh; echo $status
prof nosuch; echo $status
cprof -m sh; echo $status
cprof false; echo $status
echo = empty
prof; echo $status
ls /prof
END
} >"$tmp/script"
"$b/gnomon" run -t 240 -o "$tmp" -p "$tmp/bare:/tmp/bare" -p "$tmp/evil:/tmp/evil" -p "$tmp/huge:/tmp/huge" \
	-p "$tmp/name:/tmp/name" -p "$tmp/zero:/tmp/zero" \
	-p "$tmp/twice:/tmp/twice" -s "$tmp/script" >"$tmp/out" 2>&1
is $? 0 'the run' || sed 's/^/# /' "$tmp/out"

# Lines have samples, per cent and a name, descend, and add up to what the title says.
part example | awk '
	/^\/bin\/sh: [0-9]+ samples$/ { titles++; total = $2; next }
	NF == 3 && $2 ~ /^[0-9]+\.[0-9]%$/ {
		if (last && $1 > last) bad = 1
		last = $1; sum += $1; per += $2; next
	}
	{ bad = 1 }
	END { exit bad || titles != 1 || sum != total || total < 30 || per < 98 || per > 102 }'
ok $? 'P11 the example of prof(1): functions of the shell, the largest first' "$(part example)"
has "$(part example)" ' arena_' 'P11 they are those that it runs'

part device | awk 'NF != 2 || $1 <= last { bad = 1 } { last = $1; n++ } END { exit bad || n < 10 }'
ok $? 'P8 the example of prof(3): pairs, a line each, ascending' "$(part device | head)"

part kernel | grep ' sys_chdir$' | grep -qw 100
ok $? 'P10 its example of the kernel: calls of functions' "$(part kernel)"

for path in /bin/sh /bin/seq /boot/gnomon; do
	has "$(part all)" "$path: " "P2 $path is profiled when no module is named"
done
has "$(part all)" ' __format' 'P11 functions of another program are named'

part cover | awk 'NF != 5 || (NR > 1 && $1 > last) { bad = 1 } { last = $1 } END { exit bad || NR != 20 }'
ok $? 'P11 the example of cprof(1): counts and a function' "$(part cover)"
part coverall | awk '
	/: [0-9]+ instructions, [0-9]+ of [0-9]+ [(][0-9.]+%[)] executed$/ { total[$1] = $2; path = $1; next }
	$5 == "main" { calls[path] = $3 }
	$1 == 0 { never[path]++ }
	NF == 5 { sum[path] += $1 }
	END { exit !(sum["/bin/true:"] == total["/bin/true:"] && sum["/bin/seq:"] == total["/bin/seq:"] &&
		calls["/bin/true:"] == 2 && calls["/bin/seq:"] == 1 && never["/bin/seq:"] > 0) }'
ok $? 'P3 P11 main ran as often as its program, and all instructions are in functions' \
	"$(part coverall)"

has "$(part bare)" '/tmp/bare: ' 'P11 a program without symbols has its line'
has "$(part bare)" 'it has no symbols' 'P11 and a complaint'
part bare | grep -q '100.0%  ?$'
ok $? 'P11 and its samples are not lost' "$(part bare)"

has "$(part evil)" ' x?[31m??6n' 'B17 names in a program do not reach the terminal as they are'
has "$(part named)" '/tmp/seq-?[31m: ' 'B17 nor does the name of a program'
is "$(part named | tr -cd '\033')" '' 'B17 in no place'
has "$(part zero)" 'prof: /dev/../dev/./././zero: not a file
/tmp/zero: ' 'B17 a device is no source, whatever the program says'
has "$(part twice)" ': its text is that of userland/////bin/seq.c' 'B17 a source has its text once'
is "$(part twice | grep -c 'int main(int')" 1 'B17 whatever other names it has'
has "$(part twice)" '
userland/bin/seq.c: ' 'B17 and what was counted under them is there'
is "$(part bound | sed 's/: [0-9]* s/: s/; s/^ *[0-9]*/N/')" 'Nprof: /dev/zero: not a file of at most 16 MB
N/dev/zero: samples
N 100.0%  ?
Nmodule zero /dev/zero - -' 'B17 nor is it read as the program that ran under its name'
is "$(part left | sed 's/seq: .*/seq/')" \
	'prof: left out for want of room: 2 programs, the last of them huge
cprof: left out for want of room: 2 programs, the last of them huge
mprof: left out for want of room: 2 programs, the last of them huge
mprof: nothing was counted
/bin/seq
/bin/seq' 'C13 what found no room is named by prof, cprof and mprof, and the rest is shown'

is "$(part two | grep -c ' samples$')" 2 'P2 two modules are named'

for found in '/bin/seq: [0-9]* samples' '/bin/seq: [0-9]* instructions,' '/bin/sort: [0-9]* bytes' \
	'[0-9]* ticks,'; do
	part null | grep -q "^$found"
	ok $? "P11 with the output in /dev/null there is a report: $found" "$(part null)"
done
is "$(part null | grep -c '^[0-9]*$')" 0 'and none of the output'
has "$(part aside)" '  20000 /tmp/aside
  20000 /tmp/flamed' 'P11 -o puts the output of a command aside'
part aside | grep -q '^/bin/seq: ' && part aside | grep -q '^|all 100%'
ok $? 'and the report is shown' "$(part aside)"
has "$(part aside)" 'prof: /nosuch/x: No such file or directory
1
flame: -o is for the output of a command
2' 'an output that cannot be written, or that no command has, is an error'

is "$(part status | grep -v '^ \|^/\|^lost:\|^usage\|^prof:\|^  *c*prof' | tr '\n' ' ')" \
	'0 1 2 2 2 2 127 2 1 ' 'P11 exit statuses'
is "$(part own | awk '/^--$/ { k++ } /^\/bin\/cprof: / { n[k + 0]++ } /^[0-9]+$/ { modules = $1 }
	END { printf "%d %d %d %d %d", n[0], n[1], n[2], n[3], modules }')" '0 1 1 1 2' \
	'P11 what cprof itself does is shown with -a, with -m, or if it is the command'
is "$(part empty)" 'prof: nothing was counted
0
ctl' 'P5 nothing is left'

finish
