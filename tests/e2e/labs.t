#!/bin/sh
# The labs of docs/labs (E1): each says in words that nothing is solved yet, takes the teacher's answers for
# right, and tells a wrong one from them.
# Needs: gnomon kprof record.so gnomon.elf initrd.cpio labs/shop.elf
# Needs: guest/labs/onebyte guest/labs/passing guest/labs/shares guest/labs/onecall guest/labs/relay
# Needs: guest/labs/together guest/labs/answers/1 guest/labs/answers/5 labs/answers/7.elf labs/answers/7-fewer.elf
# Needs: labs/shop-fewer.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

mkdir "$tmp/nothing" "$tmp/mine"
for lab in 1 2 3 4 5 6 7 8; do
	says=$(B="$b" docs/labs/check "$lab" "$tmp/nothing" 2>&1)
	is "$? $says" "1 lab $lab: no answers yet: write them into $tmp/nothing/$lab, \
a line for each, such as 'a: 42'" "E1 lab $lab says that it is not solved"
	says=$(B="$b" docs/labs/check "$lab" docs/labs/answers 2>&1)
	is "$? $(echo "$says" | tail -n 1)" "0 lab $lab: all is right" "E1 lab $lab is solved" "$says"
	[ "$(wc -l <"docs/labs/$lab.md")" -le 150 ]
	ok $? "E1 the page of lab $lab is short"
done

sed 's/^a: .*/a: memset/; s/^c: .*/c: many/; /^d/d' docs/labs/answers/2 >"$tmp/mine/2"
says=$(B="$b" docs/labs/check 2 "$tmp/mine" 2>&1)
is "$?" 1 'E1 wrong answers are wrong'
has "$says" 'lab 2: a: it is not memset. Compare' 'E1 and the hint says where to look'
has "$says" 'lab 2: b: right' 'E1 a right one among them is right'
has "$says" "lab 2: c: 'many' is not a number" 'E1 a word for a number'
has "$says" 'lab 2: d: no answer yet' 'E1 an answer that is not there'

# Answers as they are on the screen, or as people write them.
printf 'A: kernel:memset\nb: 680th\nC: 60 000 bytes\n d:  Page fault.\n' >"$tmp/mine/4"
says=$(B="$b" docs/labs/check 4 "$tmp/mine" 2>&1)
is "$? $(echo "$says" | tail -n 1)" '0 lab 4: all is right' 'E1 answers as people write them' "$says"
make -s B="$b" N=2 lab >"$tmp/says" 2>&1
is "$? $(grep -c 'Error' "$tmp/says")" '0 0' 'E1 what is not solved yet is no error of make' "$(cat "$tmp/says")"

# Any folder, as a teacher has them, and answers with the ends of lines that Windows writes.
cp docs/labs/answers/* "$tmp/mine"
printf 'a) wait_wake_one\r\n- b: pipe_write (29 ms)\r\nc: many\r\nC: about 8,6 per cent\r\nd : `off`\r\n' \
	>"$tmp/mine/2"
for lab in 2 7; do
	says=$(B="$b" docs/labs/check $lab "$tmp/mine" 2>&1)
	is "$? $(echo "$says" | tail -n 1)" "0 lab $lab: all is right" "E1 lab $lab in another folder" "$says"
done

# Kernels of lab 7 that do not compile, that print what they know, and that do not end.
shop() {
	{
		sed '/^void shop/,$d' docs/labs/shop/shop.c
		printf '%s\n' "$1"
	} >"$tmp/mine/7.c"
	B="$b" docs/labs/check 7 "$tmp/mine" 2>&1
}
says=$(shop 'void shop(void) { int x = ; }')
has "$says" 'lab 7: d: it does not compile:' 'E1 a kernel that does not compile'
is "$(echo "$says" | grep -c "lab 7: [ef]")" 0 "E1 and no more is said of it"
says=$(shop 'void shop(void) { print("209232\n"); }')
has "$says" 'lab 7: e: with -DSALES=3001 it does not print the same' 'E1 a kernel that knows the answer'
# One that does not end: whoever gives up leaves nothing behind.
sed '/^void shop/,$d' docs/labs/shop/shop.c >"$tmp/mine/7.c"
echo 'void shop(void) { for (;;) ; }' >>"$tmp/mine/7.c"
mkdir "$tmp/left"
TMPDIR="$tmp/left" B="$b" setsid docs/labs/check 7 "$tmp/mine" >"$tmp/says" 2>&1 &
check=$!
timeout 60 sh -c "until [ -e $tmp/left/*/mine.console ]; do sleep 0.1; done"
kill -TERM "-$check"
wait "$check"
timeout 20 sh -c "while pgrep -f '$tmp/[l]eft/' >/dev/null; do sleep 0.1; done"
is "$? $(ls "$tmp/left")" '0 ' 'E1 who ends the check ends the machine' "$(pgrep -a -f "$tmp/[l]eft/")"

# A profiler that loses ticks when two CPUs count at the same time.
echo x >"$tmp/mine/8"
sed 's/&counters\[cpu\]\[0\]/\&counters[0][0]/' docs/labs/answers/8.c >"$tmp/mine/8.c"
says=$(B="$b" docs/labs/check 8 "$tmp/mine" 2>&1)
has "$? $says" '1 ' 'E1 a profiler that shares its counters is wrong'
has "$says" 'data race' 'E1 and the sanitizer says why'
printf 'static int unused;\nint x = ;\n' >"$tmp/mine/8.c"
says=$(B="$b" docs/labs/check 8 "$tmp/mine" 2>&1)
has "$says" "undefined): $tmp/mine/8.c:2:9: error: expected" 'E1 of a compiler, the error is shown'
says=$(docs/labs/check 9 2>&1)
has "$? $says" '2 usage: make lab N=1' 'E1 there is no ninth'
finish
