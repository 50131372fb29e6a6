#!/bin/sh
# The commands of userland/bin, built for the host under its sanitizers: what each one's
# manual page says, errors included. BIN is the directory of the builds.

# The commands in quotes are for another shell.
# shellcheck disable=SC2016

BIN=${BIN:?the directory of the native builds}
BIN=$(cd "$BIN" && pwd) || exit 1
work=$(mktemp -d) && links=$(mktemp -d) || exit 1
trap 'rm -rf "$work" "$links"' EXIT
# The cases write $BIN without quotes, and the path of a checkout may have blanks in it.
ln -s "$BIN" "$links/bin" && BIN=$links/bin
cd "$work" || exit 1
POSIXLY_CORRECT=1
ASAN_OPTIONS=exitcode=99
UBSAN_OPTIONS=halt_on_error=1:exitcode=99
GNOMON_ROOT=$work/root
LC_ALL=C
TZ=UTC
export BIN POSIXLY_CORRECT ASAN_OPTIONS UBSAN_OPTIONS GNOMON_ROOT LC_ALL TZ
n=0
e=

# is NAME STATUS COMMAND: runs it in the scratch directory; its output, both streams, must
# be what comes on standard input.
is() {
	n=$((n + 1))
	cat >want
	PATH=$BIN:$PATH sh $e -c "$3" >got 2>&1 </dev/null
	status=$?
	if [ "$status" = "$2" ] && cmp -s want got; then
		printf 'ok %d - %s\n' "$n" "$1"
		return
	fi
	printf 'not ok %d - %s\n' "$n" "$1"
	printf '# %s\n# status %s, should be %s\n' "$3" "$status" "$2"
	diff want got | head -20 | sed 's/^/# /'
}

# ok NAME COMMAND: each part of it must succeed, silently.
ok() {
	e=-e
	is "$1" 0 "$2" </dev/null
	e=
}

# ---- the same for all of them

for c in cat cp mv rm mkdir ls bind unmount ps sleep wc head tail grep sort xd base64 \
	sum as date flame shutdown man help tee touch cmp sysctl words; do
	ok "$c -h explains on standard output" "$c -h 2>&1 >/dev/null; $c -h 2>/dev/null | /usr/bin/grep -q '^usage: $c'"
	is "$c: a wrong option is status 2, on standard error" 2 "$c -Z 2>err >/dev/null; s=\$?; /usr/bin/grep -q '^usage: $c' err && exit \$s" </dev/null
done
for c in kill chmod seq test pwd time; do
	ok "$c -h explains" "$BIN/$c -h | /usr/bin/grep -q '^usage: $c'"
done
for c in cat wc head tail sort xd base64 sum; do
	is "$c: a missing file is status 1, the others are read" 1 "echo x >f; $c /nonesuch f 2>&1 >out; /usr/bin/test -s out && exit 1" <<E
$c: /nonesuch: No such file or directory
E
done

# ---- files

printf 'one\ntwo\n' >a
printf 'three' >b
is 'a line that is refused is named, others are not' 1 '$BIN/echo hz 5 >/dev/full; head -n 1 a >/dev/full; head a >/dev/full' <<'E'
echo: standard output refuses "hz 5": No space left on device
head: standard output refuses "one": No space left on device
head: standard output: No space left on device
E
is 'cat joins files' 0 'cat b a; cat - a <b' <<'E'
threeone
two
threeone
two
E
is 'cat - is standard input' 0 'cat b - <a' <<'E'
threeone
two
E
is 'cat -n numbers lines, over all files' 0 'printf "x\ny" >c; cat -n a c b; echo; printf "\n\n" | cat -n' <<'E'
     1	one
     2	two
     3	x
     4	ythree
     1	
     2	
E
ok 'cat -n of a megabyte' 'seq 1 150000 | cat -n >l; seq 1 150000 | /usr/bin/cat -n | cmp - l'
is 'cat of a directory' 1 'cat .' <<'E'
cat: .: Is a directory
E
ok 'cp copies, with the mode' 'chmod 750 a; cp a a2; cmp a a2; /usr/bin/test "$(stat -c %a a2)" = 750'
ok 'cp over a longer file' 'cp a c; cp b c; cmp b c'
ok 'cp into a directory' 'mkdir d; cp a b d; cmp a d/a; cmp b d/b'
is 'cp of a file to itself' 1 'cat a; cp a a' <<'E'
one
two
cp: a and a are the same file
E
is 'cp of a missing file goes on' 1 'rm -rf d; mkdir d; cp nonesuch a d; s=$?; ls d; exit $s' <<'E'
cp: nonesuch: No such file or directory
a
E
is 'cp of a directory needs -r' 1 'cp d e' <<'E'
cp: d: is a directory (-r copies it)
E
is 'cp of two files to a file' 1 'cp a b a2' <<'E'
cp: a2: not a directory
E
is 'cp with one operand' 2 'cp a' <<'E'
usage: cp [-r] from to
       cp [-r] from ... directory
E
ok 'cp -r copies a tree' 'mkdir -p t/u/v; cp a t/u/v/w; cp b t/x; cp -r t t2; diff -r t t2'
ok 'cp -r into a directory keeps the name' 'mkdir in; cp -r t/ in; diff -r t in/t'
is 'cp -r into itself ends' 1 'cp -r t t/u; s=$?; ls t/u/t; rm -r t/u/t; exit $s' <<'E'
cp: t/u/t: will not be copied into itself
u
x
E
is 'cp -r of a directory onto itself' 1 'cp -r t .' <<'E'
cp: t and ./t are the same directory
E
ok 'mv renames' 'cp a m; mv m m2; cmp a m2; /usr/bin/test ! -e m'
ok 'mv into a directory' 'mkdir md; cp a m; mv m m2 md; ls md >l; printf "m\nm2\n" | cmp - l'
is 'mv of a missing file' 1 'mv nonesuch m3' <<'E'
mv: nonesuch: No such file or directory
E
ok 'mv to another device copies and removes' 'f=$(mktemp -d /dev/shm/XXXXXX); mkdir x1; cp a x1; mv x1 $f/y; cmp a $f/y/a; rm -r $f; /usr/bin/test ! -e x1'
ok 'rm removes' 'cp a r; rm r; /usr/bin/test ! -e r'
is 'rm of a missing file' 1 'rm nonesuch' <<'E'
rm: nonesuch: No such file or directory
E
ok 'rm -f is silent about it' 'rm -f nonesuch; rm -f'
is 'rm of a directory' 1 'mkdir rd; cp a rd; rm rd' <<'E'
rm: rd: is a directory (-r removes it)
E
ok 'rm -r removes a tree' 'rm -r rd; /usr/bin/test ! -e rd'
ok 'B5 rm -r removes a tree whose paths are too long' 'n=$(printf "%0200d" 0); mkdir deep deep/$n
	for i in $(/usr/bin/seq 30); do mkdir deep/b && mv deep/$n deep/b/$n && mv deep/b deep/$n || exit; done
	rm -r deep; /usr/bin/test ! -e deep'
ok 'rm -r that has removed where it was goes on by absolute paths' 'd=$PWD; mkdir h h/i kk; cd h/i
	rm -r $d/h $d/kk; /usr/bin/test ! -e $d/h; /usr/bin/test ! -e $d/kk'
ok 'and by no others' 'd=$PWD; mkdir h h/i kk; cd h/i; rm -r $d/h kk 2>$d/said || s=$?; cd $d
	rmdir kk; /usr/bin/test $s = 1; /usr/bin/grep -q "^rm: kk: the directory $d/h/i: No such file" said'
is 'rm leaves . and / alone' 1 'rm -rf . .. / a/.. && exit; /usr/bin/test -e a && exit 1' <<'E'
rm: .: will not be removed
rm: ..: will not be removed
rm: /: will not be removed
rm: a/..: will not be removed
E
is 'mkdir of what is there' 1 'mkdir t' <<'E'
mkdir: t: File exists
E
is 'mkdir without its parent' 1 'mkdir pd/l' <<'E'
mkdir: pd/l: No such file or directory
E
ok 'mkdir -p makes parents, twice is fine' 'mkdir -p pd//l/m/; mkdir -p pd/l/m; /usr/bin/test -d pd/l/m'
is 'mkdir -p through a file' 1 'mkdir -p a/x' <<'E'
mkdir: a/x: Not a directory
E
ok 'touch makes a file' 'touch new; /usr/bin/test -f new -a ! -s new'
ok 'touch changes the time only' 'cp a o; /usr/bin/touch -d 2001-01-01 o; touch o; cmp a o; /usr/bin/test $(stat -c %Y o) -gt 1000000000'
is 'touch in a missing directory' 1 'touch nonesuch/x' <<'E'
touch: nonesuch/x: No such file or directory
E
for m in 644:644:600 u+x:700:600 +x:711:600 go-rwx:700:777 a=r:444:777 u=rwx:755:055 =:0:777 o+w:602:600; do
	IFS=: read -r mode want old <<E
$m
E
	ok "chmod $mode of $old" "touch ch; /usr/bin/chmod $old ch; chmod $mode ch; /usr/bin/test \$(stat -c %a ch) = $want"
done
is 'chmod with a wrong mode' 2 'chmod u!x a' <<'E'
usage: chmod mode file ...
mode: an octal number, or [ugoa]...(+|-|=)[rwx]...
E
is 'chmod of a missing file' 1 'chmod 644 nonesuch' <<'E'
chmod: nonesuch: No such file or directory
E

# ---- ls

mkdir -p L/sub
printf 12345 >L/five
seq 1 1000 >L/big
touch L/.hidden L/sub/in
chmod 640 L/five
chmod 755 L/sub
chmod 644 L/big
/usr/bin/touch -d '2026-01-02 03:04:05' L/five L/big L/sub
is 'ls sorts, and hides names with a dot' 0 'ls L' <<'E'
big
five
sub
E
is 'ls -a shows them' 0 'ls -a L' <<'E'
.hidden
big
five
sub
E
is 'ls -l aligns' 0 "ls -l L/five L/big | sed 's/ eve  / OWN /'" <<'E'
-rw-r--r-- OWN 3893 2026-01-02 03:04 L/big
-rw-r----- OWN    5 2026-01-02 03:04 L/five
E
/usr/bin/truncate -s 1023 L/a
/usr/bin/truncate -s 2765000 L/b
/usr/bin/truncate -s 20000 L/c
is 'ls -lh has sizes in K and M, and ls -h explains' 0 \
	"ls -lah L/a L/b L/c L/five | sed 's/.* eve  *//; s/ .*//'; ls -h | cut -c 1-9" <<'E'
1023
2.6M
19K
5
usage: ls
E
rm L/a L/b L/c
is 'ls -ld of a directory' 0 "ls -ld L/sub | cut -c 1-10" <<'E'
drwxr-xr-x
E
is 'ls of files and directories' 0 'ls L/sub L/five L' <<'E'
L/five

L:
big
five
sub

L/sub:
in
E
is 'ls of a missing file' 1 'ls nonesuch a' <<'E'
ls: nonesuch: No such file or directory
a
E
ok 'ls without operand lists here' 'ls >../l2; /usr/bin/ls >../l3; cmp ../l2 ../l3; rm ../l2 ../l3'
mkdir L/sub/deep
is 'ls -r, -S, and the largest first of a long list' 0 'ls -r L; ls -S L; ls -lSr L/five L/big | sed "s,.*/,,"' <<'E'
sub
five
big
sub
big
five
five
big
E
is 'ls -R lists what is below, each under its path' 0 'ls -R L; ls -Rr L/sub L/five' <<'E'
L:
big
five
sub

L/sub:
deep
in

L/sub/deep:
L/five

L/sub:
in
deep

L/sub/deep:
E
is 'ls -R: one that is missing' 1 'ls -R L/sub L/nonesuch' <<'E'
ls: L/nonesuch: No such file or directory
L/sub:
deep
in

L/sub/deep:
E
rmdir L/sub/deep

# ---- words

is 'echo' 0 '$BIN/echo a "b  c" -n' <<'E'
a b  c -n
E
is 'echo -n' 0 '$BIN/echo -n a b; $BIN/echo' <<'E'
a b
E
is 'true and false' 1 '$BIN/true && echo yes; $BIN/false' <<'E'
yes
E
cat >paths <<'E'
# kpstack version=1 build=363bbe40ad572d05e77df43d36526783f72c61fb
prog;[user];0x00400011;0x00400020 2
prog;[user];0x00400011;0x00400030 5
idle;[idle] 3
# period_us=1000 ticks=10 overflow=0 depth=32
E
is 'flame' 0 'flame -w 50 -f paths' <<'E'
10 ticks, 0.010 s
|all 100%                                         |
|prog 70%                          |idle 30%      |
|[user] 70%                        |[idle] 30%    |
|0x00400011 70%                    |
|0x00400030 50%          |0x0040002|
E
cat >waits <<'E'
# kpwait version=1 build=363bbe40ad572d05e77df43d36526783f72c61fb
prog;[pipe];0x00400011;0x00400020 5000000000
prog;[ready];0x00400011;0x00400020 5000000000
# unit=us waits=10 overflow=0 depth=64 total_us=10000000000
E
is 'H10: flame of waits' 0 'flame -w 50 -f waits' <<'E'
10 waits, 10000.000 s
|all 100%                                         |
|prog 100%                                        |
|[pipe] 50%              |[ready] 50%             |
|0x00400011 50%          |0x00400011 50%          |
|0x00400020 50%          |0x00400020 50%          |
E
is 'flame of no waits' 1 'echo "# unit=us waits=0" >f; flame -f f' <<'E'
flame: there are no paths: no wait, no "waits on", or a filter
E
is 'flame of what is no file of paths' 1 'echo a b c >f; flame -f f' <<'E'
flame: f: not a file of paths: a b c
E
is 'flame of half a file' 1 'head -n 2 paths >f; flame -f f' <<'E'
flame: f: not a file of paths, or not all of one
E
is 'flame of no ticks' 1 'echo "# period_us=1000" >f; flame -f f' <<'E'
flame: there are no paths: no tick, no "stacks on", or a filter
E
is 'flame of no kernel' 1 'echo "sh;[kernel];0xc0100000 1" >f; flame -k /nonesuch -f f' <<'E'
flame: /nonesuch: No such file or directory
E
is 'flame of a file, or of a command' 2 'flame -f paths true' <<'E'
flame: -f and a command exclude each other
E
is 'calls: a wrong key' 2 'calls -s size' <<'E'
calls: -s size: calls, total, own, mean, longest or away expected
E
is 'calls of no kernel' 1 'calls -k /nonesuch' <<'E'
calls: /nonesuch: No such file or directory
E

is 'flame: a width out of bounds' 2 'flame -w 5 -f paths' <<'E'
flame: 5: not within 20 and 400
E

is 'seq' 0 'seq 3; seq -1 1; seq 10 -5 0; seq 2 1' <<'E'
1
2
3
-1
0
1
10
5
0
E
ok 'seq counts far' 'seq 1 100000 | tail -n 1 >l; echo 100000 | cmp - l'
is 'seq with a step of nothing' 2 'seq 1 0 2' <<'E'
usage: seq [first [step]] last
E
is 'seq of a word' 2 'seq x' <<'E'
seq: x: not a number
E
is 'pwd' 0 'cd L; $BIN/pwd' <<E
$work/L
E
ok 'tee copies to all' 'cat a b | tee T1 T2 >T3; cmp T1 T2; cmp T1 T3; /usr/bin/test -s T1'
ok 'tee -a adds' 'tee T1 <a >/dev/null; tee -a T1 <b >/dev/null; cat a b | cmp - T1'
is 'tee goes on without a file' 1 'tee /nonesuch/x <a' <<'E'
tee: /nonesuch/x: No such file or directory
one
two
E

# test: an expression, and the status
while read -r want words; do
	is "test $words" "$want" "\$BIN/test $words" </dev/null
done <<'E'
0 -f a
1 -f L
0 -d L
1 -d a
0 -e L
1 -e nonesuch
0 -s a
1 -s new
0 -c /dev/null
1 -c a
0 -r a
0 -w a
0 -x L
1 -x new
0 x
1 ''
1
0 -n x
0 -z ''
1 -z x
0 x = x
1 x = y
0 x != y
0 3 -eq 03
1 3 -eq 4
0 3 -ne 4
0 -1 -lt 1
1 1 -lt 1
0 1 -le 1
0 2 -gt 1
1 2 -ge 3
0 9999999999 -gt 9999999998
1 ! x
0 ! -e nonesuch
0 ! x = y
E
is 'test of a word as a number' 2 '$BIN/test x -eq 1' <<'E'
test: x: not a number
E
is 'test with an unknown operator' 2 '$BIN/test a -foo b 2>&1 | head -n 1; $BIN/test a -foo b 2>/dev/null' <<'E'
test: -foo: no such test
E

# ---- cmp

ok 'cmp of equal files' 'cp L/big e1; cmp e1 L/big; cmp - e1 <L/big'
is 'cmp says where' 1 'printf "one\ntwx\n" >c1; cmp a c1' <<'E'
a c1 differ: byte 7, line 2
E
is 'cmp of a file that ends' 1 'printf "one\n" >c2; cmp a c2' <<'E'
cmp: c2 ends after byte 4
E
is 'cmp -s is silent' 1 'cmp -s a c1' </dev/null
is 'cmp of a missing file is status 2' 2 'cmp a nonesuch' <<'E'
cmp: nonesuch: No such file or directory
E
ok 'cmp finds a difference far in' 'head -c 1000000 /dev/zero >z1 2>/dev/null || dd if=/dev/zero of=z1 bs=1000000 count=1 2>/dev/null; (cat z1; printf x) >z2; (cat z1; printf y) >z3; /usr/bin/test "$(cmp z2 z3)" = "z2 z3 differ: byte 1000001, line 1"'

# ---- lines

is 'wc counts all' 0 'wc a b' <<'E'
      2       2       8 a
      0       1       5 b
      2       3      13 total
E
is 'wc of one number is bare' 0 'wc -l <a; wc -c a; wc -w a; wc -lc a' <<'E'
2
8 a
2 a
      2       8 a
E
is 'wc: a word across two reads is one' 0 'dd if=/dev/zero bs=65530 count=1 2>/dev/null | tr "\0" " " >w; printf "abcdefghijkl mn" >>w; wc -w w' <<'E'
2 w
E
ok 'wc of a megabyte' 'seq 1 150000 >big; wc big >l; set -- $(cat l); /usr/bin/test $1 = 150000 -a $2 = 150000 -a $3 = $(stat -c %s big)'
is 'words, which does not free all on purpose' 0 'ASAN_OPTIONS=detect_leaks=0; printf "One two, ONE\n3rd-3RD" >prose; words prose; words <prose; words /dev/null; words nonesuch; echo $?' <<'E'
5 words, 3 different
5 words, 3 different
0 words, 0 different
words: nonesuch: No such file or directory
1
E
is 'head' 0 'seq 1 20 | head; seq 1 9 | head -n 2; head -n 0 a' <<'E'
1
2
3
4
5
6
7
8
9
10
1
2
E
is 'head and tail with a number alone' 0 'seq 1 20 | head -2; seq 1 20 | tail -3' <<'E'
1
2
18
19
20
E
is 'head of two files has titles' 0 'head -n 1 a b; echo' <<'E'
==> a <==
one

==> b <==
three
E
is 'head with a wrong number' 2 'head -n x a' <<'E'
head: x: not a number
E
is 'head with a negative number' 2 'head -n -1 a 2>&1 | cut -c 1-25; head -n -1 a 2>/dev/null' <<'E'
head: -1: not within 0 an
E
is 'tail' 0 'seq 1 20 | tail -n 3; printf "a\nb" | tail -n 1; echo; tail -n 0 a; tail -c 4 a; tail -c 0 a' <<'E'
18
19
20
b
two
E
is 'tail by lines and bytes' 2 'tail -n 3 -c 4 a' <<'E'
tail: -c and -n exclude each other
E
ok 'tail is ten lines' 'seq 1 20 | tail >l; seq 11 20 | cmp - l'
is 'tail of more than there is' 0 'tail -n 5 a; tail -c 100 b; tail a b; echo' <<'E'
one
two
three==> a <==
one
two

==> b <==
three
E
ok 'tail of a long input' 'seq 1 150000 | tail -n 30000 >l; seq 120001 150000 | cmp - l; seq 1 150000 | tail -c 700000 >l; seq 1 150000 | /usr/bin/tail -c 700000 | cmp - l'
is 'tail -f: what is added later' 0 'seq 1 3 >f; timeout 1 tail -f -n 1 f >l & /usr/bin/sleep 0.4; echo 4 >>f; wait; cat l' <<'E'
3
4
E
is 'tail -f of several' 2 'tail -f a b' <<'E'
tail: -f is for one file
E

# ---- grep

printf 'The cat\na.b\nCAT nap\nax*b\n\nend$\n' >g
# grep_case OPTIONS PATTERN NUMBERS: which lines of g match
grep_case() {
	# shellcheck disable=SC2086 # no options are no word
	got=$("$BIN/grep" -n $1 -- "$2" g 2>&1 | cut -d : -f 1 | tr '\n' ' ')
	n=$((n + 1))
	if [ "$got" = "$3" ]; then
		printf 'ok %d - grep %s %s\n' "$n" "$1" "$2"
	else
		printf 'not ok %d - grep %s %s\n# got %s, not %s\n' "$n" "$1" "$2" "$got" "$3"
	fi
}
while IFS=' ' read -r options pattern want; do
	[ "$options" = . ] && options=
	grep_case "$options" "$pattern" "${want:+$want }"
done <<'E'
. cat 1
-i cat 1 3
-v cat 2 3 4 5 6
-iv cat 2 4 5 6
. a.b 2
-F a.b 2
. a\.b 2
. a..b 4
. ^$ 5
. ^a 2 4
. b$ 2 4
. d\$ 6
. d\$$ 6
. $ 1 2 3 4 5 6
. ax*b
. ax\*b 4
. *b 4
. ^*
. x*\*b 4
. [xyz] 4
. [^a-z.] 1 3 4 6
. [a-c]\.[]b] 2
. [.*] 2 4
. [$] 6
. a[^]]b 2
-i ^[a-c]a 3
-i THE.*T 1
. \(a\)\(\.\)b 2
. nap\|end 3 6
. n\+a 3
. cax\?t 1
-E (cat|nap)$ 1 3
-E ^(a|e).* 2 4 6
-E x+ 4
-E ax?\.b 2
-E ^()$ 5
-E (a|b)*c 1
-E a\+
-E ^(.a.|a)* 1 2 3 4 5 6
-E (^|x).b 4
-F ^ 
-F $ 6
-iF CaT 1 3
E
is 'grep: what is wrong with a pattern' 2 'for p in "[a" "a\\" "[b-a]" "[[:alpha:]]" "a\\{2\\}" "\\(a" "\\1"; do grep "$p" g; done; for p in "(a" "*a" "a{2}" "a|+"; do grep -E "$p" g; done' <<'E'
grep: [a: [ without ]
grep: a\: \ before nothing, a letter or a digit
grep: [b-a]: a range that ends before it begins
grep: [[:alpha:]]: [: :], [. .] and [= =] are not supported
grep: a\{2\}: { } is not supported
grep: \(a: ( without )
grep: \1: \ before nothing, a letter or a digit
grep: (a: ( without )
grep: *a: nothing to repeat
grep: a{2}: { } is not supported
grep: a|+: nothing to repeat
E
is 'grep: a long pattern is refused, not overrun' 2 'p=$(printf "%0400d" 0 | sed "s/0/(a|b*)+/g"); grep -E "$p" g 2>&1 | sed "s/.*: //"; grep -E "$p" g 2>/dev/null' <<'E'
too long
E
is 'grep: parentheses nest so deep' 2 'p=$(printf "%0200d" 0 | tr 0 "("); grep -E "$p" g 2>&1 | sed "s/.*: //"; grep -E "$p" g 2>/dev/null' <<'E'
too many parentheses
E
is 'grep names files when there are several' 0 'grep -n cat g a g; grep -c cat g a; grep -l cat a g; grep -c cat g; grep -cn cat <g' <<'E'
g:1:The cat
g:1:The cat
g:1
a:0
g
1
1
E
mkdir -p R/sub
echo a cat >R/one
echo two cats >R/sub/two
/usr/bin/mkfifo R/pipe
is 'grep -r searches what is below, but no devices' 0 'grep -r cat R; cd R/sub; grep -r cats' <<'E'
R/one:a cat
R/sub/two:two cats
./two:two cats
E
is 'grep -r: a file by its name, and one that is missing' 2 'grep -rc cat R/one /nonesuch' <<'E'
R/one:1
grep: /nonesuch: No such file or directory
E
is 'man -l of what is no terminal is cat' 0 'seq 1 100 >many; man -l many | /usr/bin/cmp - many
	/usr/bin/cat many | man -l | /usr/bin/cmp - many'  </dev/null
is 'man -l: a missing file' 1 'man -l /nonesuch' <<'E'
man: /nonesuch: No such file or directory
E
is 'grep: status 1 when nothing matches' 1 'grep zebra g a' </dev/null
is 'grep: status 2 for a missing file' 2 'grep cat g nonesuch' <<'E'
g:The cat
grep: nonesuch: No such file or directory
E
ok 'grep -q: a match counts more than an error' 'grep -q cat nonesuch g 2>/dev/null'
is 'grep: a last line without an end' 0 'printf "x\nyz" | grep y' <<'E'
yz
E
ok 'grep is not slowed by a pattern' 's=$(printf "%050d" 0 | tr 0 a); echo "$s" >s; p="(a*)*(a*)*(a*)*b"; timeout 10 grep -E "$p" s || /usr/bin/test $? = 1'
ok 'grep of a megabyte' 'grep 7.*9 big >l; /usr/bin/grep 7.*9 big | cmp - l; grep -v 99 big >l; /usr/bin/grep -v 99 big | cmp - l'
ok 'grep of a line longer than a buffer' 'tr "\n" " " <big >long; printf "needle\nno\n" >>long; grep -c needle long >l; echo 1 | cmp - l'
is 'grep -o: the longest of what matches, and all of it' 0 'printf "abab xab\naaa\n\nb-1 22\n" >o
	grep -o "ab*" o; grep -on "[0-9][0-9]*" o; grep -oE "b(-1)?$|2*" o; grep -oF ab o; grep -oi AB o; grep -oE "^a+" o; grep -ov b o' <<'E'
ab
ab
ab
a
a
a
4:1
4:22
b
22
ab
ab
ab
ab
ab
ab
a
aaa
E
is 'grep -o: files have their names, and nothing is no match' 0 'grep -o b* o g; grep -oc b o; grep -o "" o' <<'E'
o:b
o:b
o:b
o:b
g:b
g:b
2
E
is 'grep -A: lines after one, with a mark' 0 'seq 1 30 >A; grep -n -A 1 "^.*[25]$" A | head -n 12; grep -A 1 3 A g | head -n 3; grep -cA 9 30 A' <<'E'
2:2
3-3
--
5:5
6-6
--
12:12
13-13
--
15:15
16-16
--
A:3
A-4
--
1
E
ok 'grep -A: as elsewhere' 'for n in 1 3 99; do grep -A $n "[27]$" A >l; /usr/bin/grep -A $n "[27]$" A | cmp - l; done'
is 'grep -A: a wrong number' 2 'grep -A x cat g' <<'E'
grep: x: not a number
E

# ---- sort

printf 'b 2\na 10\nB 1\na 9\nc -3\n\na 9\n' >s
is 'sort by bytes' 0 'sort s' <<'E'

B 1
a 10
a 9
a 9
b 2
c -3
E
is 'sort -r' 0 'sort -r s' <<'E'
c -3
b 2
a 9
a 9
a 10
B 1

E
is 'sort -u' 0 'sort -u s' <<'E'

B 1
a 10
a 9
b 2
c -3
E
is 'sort -n -k 2' 0 'sort -n -k 2 s' <<'E'
c -3

B 1
b 2
a 9
a 9
a 10
E
is 'sort -k 2 is stable' 0 'printf "z 1\ny 1\nx 0\na 1\n" | sort -k 2' <<'E'
x 0
z 1
y 1
a 1
E
is 'sort -r is stable too' 0 'printf "z 1\ny 1\nx 2\na 1\n" | sort -rk 2' <<'E'
x 2
z 1
y 1
a 1
E
is 'sort -n: signs, zeros, fractions, any length' 0 'printf "%s\n" 10 9 -1 -1.5 0.25 0.3 007 -0 99999999999999999999 99999999999999999998 x +2 .5 | sort -n' <<'E'
-1.5
-1
-0
x
0.25
0.3
.5
+2
007
9
10
99999999999999999998
99999999999999999999
E
is 'sort -nu keeps the first of equals' 0 'printf "2 b\n2 a\n1\n" | sort -nu' <<'E'
1
2 b
E
is 'sort ends the last line' 0 'printf b | sort - a' <<'E'
b
one
two
E
ok 'sort of nothing' 'sort </dev/null; sort /dev/null /dev/null'
ok 'sort of a megabyte' 'awk "BEGIN { for (i = 0; i < 150000; i++) print i * 7919 % 150001 }" >u; sort -n u >l; /usr/bin/sort -n u | cmp - l; sort u >l; /usr/bin/sort u | cmp - l; sort -rn -u u u >l; /usr/bin/sort -rnu u | cmp - l'
is 'sort -k with a wrong number' 2 'sort -k 0 s 2>/dev/null' </dev/null
is 'sort -t: fields end at one character' 0 'printf "a:2: x\nb::y\nc:10\n:1:z\n" >colons; sort -t : -k 2 colons; echo; sort -t : -nk 2 colons; echo; sort -t : -k 3 colons' <<'E'
c:10
:1:z
a:2: x
b::y

b::y
:1:z
a:2: x
c:10

c:10
a:2: x
b::y
:1:z
E
is 'sort -t: one character' 2 'sort -t ab s; sort -t "" s' <<'E'
sort: -t ab: not one character
sort: -t : not one character
E

# ---- bytes

is 'xd' 0 'seq 1 9 | xd' <<'E'
00000000  31 0a 32 0a 33 0a 34 0a 35 0a 36 0a 37 0a 38 0a  |1.2.3.4.5.6.7.8.|
00000010  39 0a                                            |9.|
E
is 'xd -c -s -n, of a file and of a pipe' 0 'seq 1 9 >x; xd -c 4 -s 3 -n 6 x; cat x | xd -c 4 -s 3 -n 6' <<'E'
00000003  0a 33 0a 34  |.3.4|
00000007  0a 35        |.5|
00000003  0a 33 0a 34  |.3.4|
00000007  0a 35        |.5|
E
ok 'xd past the end shows nothing' 'xd -s 100 x; xd -n 0 x; cat x | xd -s 100'
ok 'xd of a megabyte, back again' 'xd -c 7 big | cut -c 11-30 | xxd -r -p | cmp - big'
is 'xd with a wrong number of columns' 2 'xd -c 0 x 2>/dev/null' </dev/null
for k in 0 1 2 3 56 57 58 65535 65536 65550; do
	ok "base64 of $k bytes, as the host does it" "/usr/bin/head -c $k big >k; base64 k >l; /usr/bin/base64 k | cmp - l; base64 -d l | cmp - k"
done
is 'base64 -d takes no rubbish' 1 'printf "YWJj!" | base64 -d' <<'E'
abcbase64: -: not base64, or cut short
E
is 'base64 -d sees a cut' 1 'printf "YWJjZA=" | base64 -d' <<'E'
abcbase64: -: not base64, or cut short
E
is 'base64 -d takes = at the end only' 1 'printf "YQ==YQ==" | base64 -d; printf "=AAA" | base64 -d 2>/dev/null' <<'E'
abase64: -: not base64, or cut short
E
for k in 0 1 55 56 57 63 64 65 119 120 65536 100000; do
	ok "sum of $k bytes, as the host does it" "/usr/bin/head -c $k big >k; sum k >l; sha256sum k | cmp - l; sum <k >l; sha256sum <k | cmp - l"
done
is 'sum -c: the check value of CRC-32' 0 'printf 123456789 >k; sum -c k; sum -c /dev/null' <<'E'
cbf43926  k
00000000  /dev/null
E

# ---- the system's own

is 'bind: its flags' 0 'bind x /y; bind -a x /y; bind -b x /y; bind -ac x /y; bind -c x /y; bind "#c" /dev' <<'E'
bind x /y 0
bind x /y 2
bind x /y 1
bind x /y 6
bind x /y 4
bind #c /dev 0
E
is 'bind: -a or -b' 2 'bind -a -b x /y' <<'E'
usage: bind [-a | -b] [-c] new old
E
is 'bind that fails' 1 'bind x /missing' <<'E'
bind: x on /missing: No such file or directory
E
is 'unmount' 1 'unmount /y; unmount x /y; unmount /missing' <<'E'
unmount all /y
unmount x /y
unmount: /missing: No such file or directory
E
mkdir -p root/proc/1 root/proc/12 root/proc/9 root/proc/gone root/proc/40 root/dev root/bin
echo 'sh 1 0 1 eve wait 1234 50 12 /rc/init' >root/proc/1/status
echo 'sleep 12 1 12 none sleep 0 9 5 0.5' >root/proc/12/status
echo 'idle 9 0 0 eve run 0 1000000 0' >root/proc/9/status
is 'ps, in the order of the numbers' 0 'ps >p; ps aux | /usr/bin/cmp - p && ps -ef | /usr/bin/cmp - p && cat p' <<'E'
  PID  PPID  PGRP USER  STATE       USER     SYS    MEM COMMAND
    1     0     1 eve   wait        1.23    0.05    48K sh /rc/init
    9     0     0 eve   run         0.00 1000.00     0K [idle]
   12     1    12 none  sleep       0.00    0.00    20K sleep 0.5
E
for s in -9 -KILL -SIGKILL -kill; do
	is "kill $s" 137 "sh -c '\$BIN/kill $s \$\$; sleep 5' 2>/dev/null" </dev/null
done
is 'kill sends TERM' 143 "sh -c '\$BIN/kill \$\$; sleep 5' 2>/dev/null" </dev/null
is 'kill -l' 0 "\$BIN/kill -l | head -n 2" <<'E'
 1 HUP
 2 INT
E
is 'kill -l of a signal' 2 '$BIN/kill -l 9' <<'E'
usage: kill [-signal] pid ...
       kill -l
E
is 'shutdown: -h now is no question' 2 '$BIN/shutdown -h now' <<'E'
usage: shutdown [-r] [status]
E
is 'kill: what is not a process' 1 '$BIN/kill x 99999999' <<'E'
kill: x: not a process id
kill: 99999999: No such process
E
is 'kill: an unknown signal' 2 '$BIN/kill -FOO 1 2>&1 | head -n 1; $BIN/kill -FOO 1 2>/dev/null' <<'E'
kill: FOO: no such signal (kill -l lists them)
E
ok 'sleep with a fraction' 'a=$(date -n); sleep 1.1; /usr/bin/test $(date -n) -gt $a; sleep .01; sleep 0'
for s in x 1x -- '' . 1..2; do
	is "sleep '$s'" 2 "sleep '$s' 2>/dev/null" </dev/null
done
is 'time passes the status on' 7 "\$BIN/time sh -c 'exit 7' 2>&1 | sed 's/[0-9]/N/g'; \$BIN/time sh -c 'exit 7' 2>/dev/null" <<'E'
real N.NNN
user N.NNN
sys  N.NNN
E
is 'time of a command that is not there' 127 '$BIN/time nonesuch 2>&1 | head -n 1; $BIN/time nonesuch 2>/dev/null' <<'E'
time: nonesuch: No such file or directory
E
is 'time of a command that is killed' 137 "\$BIN/time sh -c 'kill -9 \$\$' 2>/dev/null" </dev/null
ok 'time measures' "\$BIN/time sleep 0.3 2>l; /usr/bin/grep -q '^real 0.[3-9]' l"
is 'as: an unknown user' 1 'as root true' <<'E'
as: root: no such user; there are eve and none
E
if [ "$(id -u)" = 0 ]; then
	chmod 755 .
	is 'as none' 0 'as none id -u' <<'E'
1
E
	is 'as none: a command that is not there' 127 'PATH=/usr/bin "$BIN/as" none nonesuch' <<'E'
as: nonesuch: No such file or directory
E
fi
ok 'date' '/usr/bin/test "$(date +%Y-%m-%d)" = "$(/usr/bin/date -u +%Y-%m-%d)"; date | /usr/bin/grep -Eq "^[A-Z][a-z]+ [A-Z][a-z]+ [ 0-9][0-9] [0-9:]+ UTC 2[0-9]+$"; date -n | /usr/bin/grep -Eq "^[0-9]+$"'
is 'date in two forms' 2 'date -n +%Y' <<'E'
usage: date [-n | +format]
E
is 'date without the plus' 2 'date %Y' <<'E'
usage: date [-n | +format]
E
touch root/dev/reboot
for w in ':halt 0' '3:halt 3' '-r:reboot'; do
	ok "shutdown ${w%%:*}" ": >root/dev/reboot; shutdown ${w%%:*}; /usr/bin/test \"\$(cat root/dev/reboot)\" = '${w#*:}'"
done
is 'shutdown with a wrong status' 2 'shutdown x' <<'E'
shutdown: x: not a number
E
is 'sysctl' 1 'sysctl test.int test.bytes no.such' <<'E'
sysctl: no.such: No such file or directory
test.int = -3
test.bytes =
  0102fe
E

# ---- pages

mkdir -p root/man/1 root/man/8 root/man/4
touch root/bin/cat root/bin/halt root/bin/none
printf 'CAT(1)\n\nNAME\n     cat, kitten - copy files to\n     standard output\n\nSYNOPSIS\n     cat\n' >root/man/1/cat
printf 'HALT(8)\n\nNAME\n     halt - stop\n\nSYNOPSIS\n' >root/man/8/halt
printf 'CAT(4)\n\nNAME\n     cat - the device\n' >root/man/4/cat
printf 'no name here\n' >root/man/4/odd
is 'man shows the first page of that name' 0 'man cat | cmp - root/man/1/cat; man 4 cat | cmp - root/man/4/cat; man halt | head -n 1' <<'E'
HALT(8)
E
is 'man without such a page' 1 'man nonesuch; man 8 cat' <<'E'
man: no page nonesuch (man -k WORD searches)
man: no page cat in section 8 (man -k WORD searches)
E
is 'man of another name in NAME' 0 'man kitten | cmp - root/man/1/cat; man 1 kitten | cmp - root/man/1/cat' <<'E'
E
is 'man of half a name, and of one in another section' 1 'man kit; man 4 kitten; man files; man ""' <<'E'
man: no page kit (man -k WORD searches)
man: no page kitten in section 4 (man -k WORD searches)
man: no page files (man -k WORD searches)
man: no page  (man -k WORD searches)
E
is 'man -k' 0 'man -k DEV; man -k cat; man -k STANDARD' <<'E'
cat(4) - the device
cat, kitten(1) - copy files to standard output
cat(4) - the device
cat, kitten(1) - copy files to standard output
E
is 'man -k finds nothing' 1 'man -k zebra' <<'E'
man: nothing about zebra
E
is 'help lists the commands' 0 'help | head -n 4' <<'E'
Commands:
  cat        copy files to standard output
  halt       stop
  none
E

printf '1..%d\n' "$n"
