#!/bin/sh
# make PROFILE_USER=, and the examples of monitor(3) as they are printed, in a copy of what
# was built. G12, U10.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

mkdir "$tmp/b"
for f in "$b"/*; do
	case ${f##*/} in
	hostbin | lint | out | tests) ;;
	*) cp -a "$f" "$tmp/b" ;;
	esac
done

# here NUMBER: an example for the host, with the copy in place of the build folder
here() {
	example docs/man/3/monitor.3 "$1" | sed "s|^make |make B=$tmp/b $tmp/b/initrd.cpio |; s|build/|$tmp/b/|g"
}

here 1 | env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL sh >"$tmp/make" 2>&1
ok $? 'G12 make PROFILE_USER=' "$(cat "$tmp/make")"
# What protoc-c has made is, too: its objects lie by their paths, which a copy changes.
[ "$(grep "^  CC " "$tmp/make" | grep -vc "pb-c.c$")" -le 1 ]
ok $? 'G12 only the program is compiled again' "$(cat "$tmp/make")"
here 2 | sh >"$tmp/gprof" 2>"$tmp/said"
is "$(cat "$tmp/said")" '' 'G12 the program says nothing of it'
grep -Eq '^ *[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]+ .* compare$' "$tmp/gprof"
ok $? 'G12 gprof names its functions and counts their calls' "$(head -n 20 "$tmp/gprof")"
grep -Eq '^ +[0-9.]+ +[0-9.]+ +[0-9]+/[0-9]+ +sort \[' "$tmp/gprof"
ok $? 'G12 and knows who called them'
example docs/man/3/monitor.3 3 >"$tmp/script"
"$tmp/b/gnomon" run -s "$tmp/script" >"$tmp/out" 2>&1
ok $? 'U10 the example for the guest' "$(cat "$tmp/out")"
calls=$(awk '$NF == "compare" { print $4; exit }' "$tmp/gprof")
is "$(awk '$4 == "compare" { print $3 }' "$tmp/out")" "$calls" 'U10 shows the same'
finish
