#!/bin/sh
# W4: a program of several files that knows nothing of this system is compiled by gnomon cc, with the
# C library of make sysroot, and runs and is profiled in the guest.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/../host/tap.sh"

cd "$(dirname "$0")/../.." || exit 1
b=$(realpath "${B:-build}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
here=$PWD

# Errors are in words, with and without a library.
GNOMON_BUILD=$work tools/gnomon-cc x.c >"$work/said" 2>&1
is "$(cat "$work/said")" 'gnomon cc: there is no C library for the guest: say "make sysroot"' \
	'W4 without make sysroot it says so'
# Below newlib lie few lines of ours, headers apart; those without code are not counted.
lines=$(sed "s,/\\*.*\\*/,," ports/libc/*.c | awk "/^\\/\\*/ { c = 1 } !c && NF { n++ } /\\*\\// { c = 0 } END { print n }")
[ "$lines" -le 400 ]
ok $? "W4 newlib lies on at most 400 lines of C" "$lines lines"
if [ ! -e "$b/sysroot/lib/libc.a" ]; then
	echo "ok $((n += 1)) - W4 # skip there is no build/sysroot: make sysroot"
	finish
	exit
fi
"$b/gnomon" cc >"$work/said" 2>&1
is "$? $(cat "$work/said")" '1 gnomon cc: no input: a C file or -print-sysroot is expected; -h tells more' \
	'W4 without a file it says so'
CROSS=none- "$b/gnomon" cc x.c >"$work/said" 2>&1
has "$(cat "$work/said")" 'there is no none-gcc, the cross compiler' 'W4 nor without a compiler'

cd tests/sysroot || exit 1
"$b/gnomon" cc -O2 -Wall -c words.c -o "$work/words.o" &&
	"$b/gnomon" cc -O2 -Wall -o "$work/hello" hello.c "$work/words.o" -lm >"$work/said" 2>&1
ok $? 'W4 it compiles and links several files' "$(cat "$work/said")"
mkdir "$work/out"
cp hello.c words.c "$work/out"
"$b/gnomon" run -o "$work/out" -p "$work/hello:/tmp/hello" '/tmp/hello /n/remote 3' >"$work/said" 2>&1
is $? 3 "W4 the program's exit status is that of its main" "$(cat "$work/said")"
is "$(tr -d '\r' <"$work/said")" '/tmp/hello: needs chroot(2), which this kernel lacks
1.414214 3.14159265358979 1.284025e+00 1.732
3 2 1099511627776 4
5 words, most often the and and, in 33 bytes
0 No such file or directory
2 of 2 names
0 4-6
caught 1
-1 with 2 left, slept 1
Fri Jan  1 00:00:00 1971

-2 Function not implemented' 'W4 what it computes, reads and writes is right, and what is missing is named once'
"$b/gnomon" cc -O2 -Wall -o "$work/raw" raw.c >"$work/said" 2>&1
is "$("$b/gnomon" run -p "$work/raw:/tmp/raw" /tmp/raw 2>&1 | tr -d '\r')" '0 1
0 rawon
0 0 rawoff
-1 Not a character device' 'W3 termios sets the console raw and back, and refuses what is none' "$(cat "$work/said")"

# prints NAME: what a program of one file prints in the guest, where it is compiled without a word.
prints() {
	"$b/gnomon" cc -O2 -Wall -o "$work/$1" "$1.c" 2>&1 &&
		"$b/gnomon" run -p "$work/$1:/tmp/$1" "/tmp/$1" 2>&1 | tr -d '\r'
}
is "$(prints command)" '0x300 1 0x900
0x400 1 1 1' "W4 system(3) gives its own child's status, as waitpid(2) does, and signals go by"
is "$(prints links)" '0 0 14 ../here/./file
1 14 1 4 2
/tmp/here/file #c/null
0 Too many symbolic links
-1 Invalid argument
-1 Too many symbolic links 1 1
-1 Not owner' 'W3 links are made, followed and read'
is "$(prints maps)" 'some text 0 x
0 0
1 Not supported' 'W3 memory is mapped and unmapped'
is "$(prints calls)" '7 7 [one][ two] -1
1 0 4, 0, 3 1 1 0 1
64 8 1
gnomon gnomon 1 40 i686 gnomon
0 0 -1
0 0 640 86400 1 -1
6 first, 7 second; 5 third -1
/tmp/here/a.c / 1 No such file or directory
/tmp/here/a.c /tmp/here/b.c 1
1 0
eve 0 /bin/sh 1 1 eve 2 eve
1 0
1 2 1
0x78563412 0x3412' 'W4 so do calls of POSIX that are made of the kernel'\''s'
is "$(for header in pthread threads spawn iconv; do
	echo "#include <$header.h>" | "$b/gnomon" cc -E -o /dev/null - 2>/dev/null && echo $header.h
done)" '' 'W4 there is no header of what does not link'

# What Debian compiles with has no use here, and does no harm.
hard() { "$b/gnomon" cc -O2 -fstack-protector-strong -fPIE -pie -fcf-protection -fstack-clash-protection \
	-D_FORTIFY_SOURCE=2 -Wl,-z,relro -Wl,-z,now -o "$work/hard" "$@" 2>&1; }
is "$(hard hello.c words.c -lm; "$b/gnomon" run -p "$work/hard:/tmp/hard" '/tmp/hard . 4' 2>&1 | grep -c .)" 11 \
	'W4 a program compiled as Debian compiles runs'
"${CROSS-i686-linux-gnu-}readelf" -h "$work/hard" | grep -q 'EXEC' &&
	! "${CROSS-i686-linux-gnu-}nm" "$work/hard" | grep -q __stack_chk
ok $? 'W4 it is loaded where it was linked, and its stack is not guarded'

# newlib has strlen(3) in assembly; each profiler knows it as a function.
"$b/gnomon" cc -O2 -fno-builtin -o "$work/out/length" length.c &&
	"$b/gnomon" cc -O2 -fno-builtin -pg -o "$work/out/lengthpg" length.c
"$b/gnomon" run -o "$work/out" 'cd /n/remote; prof -m length ./length >prof; ./lengthpg
	prof -s 1 -m length -L ./length >lines
	echo stacks on >/dev/kpctl; echo start >/dev/kpctl; ./length; echo stop >/dev/kpctl
	cp /dev/kpstack kpstack' >"$work/said" 2>&1
ok $? "W4 a program that only asks how long a text is runs under the profilers" "$(cat "$work/said")"
is "$(awk '$2 ~ /%/ { print $3; exit }' "$work/out/prof")" strlen "W4 prof names a function that newlib has in assembly"
is "$(gprof -b -p "$work/out/lengthpg" "$work/out/gmon.out" | awk '$1 ~ /^[0-9]/ { print $NF; exit }')" strlen \
	'W4 so does gprof'
is "$("$b/gnomon" report -i "$work/out/length" "$work/out/kpstack" | awk '$NF ~ /:/ && $1 ~ /^[0-9]/ { print $NF; exit }')" \
	length:strlen 'W4 so does gnomon report'
has "$(cat "$work/out/lines")" newlib/libc/machine/i386/strlen.S: "W4 prof -L has newlib's lines"
has "$("$b/gnomon" report --lines -i "$work/out/length" "$work/out/kpstack" 2>/dev/null)" strlen.S: \
	'W4 so has gnomon report --lines'

# A program's own assembly may say no types of its symbols.
"$b/gnomon" cc -O2 -o "$work/out/typeless" typeless.c typeless.S &&
	"$b/gnomon" cc -O2 -pg -o "$work/out/typelesspg" typeless.c typeless.S
"$b/gnomon" run -o "$work/out" 'cd /n/remote; prof -m typeless ./typeless >prof; ./typelesspg
	echo stacks on >/dev/kpctl; echo start >/dev/kpctl; ./typeless; echo stop >/dev/kpctl
	cp /dev/kpstack kpstack' >"$work/said" 2>&1
is "$(awk '$2 ~ /%/ { print $3; exit }' "$work/out/prof")" spin 'W6 prof names a function that has no type' \
	"$(cat "$work/said")"
is "$(gprof -b -p "$work/out/typelesspg" "$work/out/gmon.out" | awk '$1 ~ /^[0-9]/ { print $NF; exit }')" spin \
	'W6 so does gprof'
is "$("$b/gnomon" report -i "$work/out/typeless" "$work/out/kpstack" | awk '$NF ~ /:/ && $1 ~ /^[0-9]/ { print $NF; exit }')" \
	typeless:spin 'W6 so does gnomon report'
"${CROSS-i686-linux-gnu-}readelf" -sW "$b/sysroot/lib/libc.a" "$b/sysroot/lib/libm.a" |
	awk '$4 == "NOTYPE" && $5 == "GLOBAL" && $7 != "UND" { print $8 }' >"$work/said"
is "$(cat "$work/said")" "" "W4 no function of the libraries lacks a type"

# A build system is told of the compiler as gnomon-cc(1) has it.
(PATH=$b:$PATH && CC="gnomon cc" && $CC -o "$work/made" length.c) >"$work/said" 2>&1
ok $? "W4 the two words gnomon cc are a compiler" "$(cat "$work/said")"
cd "$here" || exit 1
finish
