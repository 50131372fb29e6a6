#!/bin/sh
# What the commands do with links: ln(1), ls(1), cp(1), rm(1), mv(1), grep(1), test(1).
# Needs: gnomon gnomon.elf initrd.cpio
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

# does COMMAND...: what it prints in the guest, in an empty directory.
does() {
	printf 'mkdir /tmp/here\ncd /tmp/here\n%s\n' "$1" >"$tmp/script"
	"$b/gnomon" run -t 60 -p "$tmp/script:/tmp/script" 'sh /tmp/script' 2>&1 | tr -d '\r'
}

is "$(does 'mkdir d; echo text >d/file
ln -s file d/l; ln d/file d/other; ln -s d to; ln -s none broken
cat d/l d/other to/l; ls to; ls -l d to broken' | awk 'NF > 5 { print $1, $3, $6 ($7 ? " -> " $8 : ""); next } 1')" 'text
text
text
file
l
other
lrwxrwxrwx 4 broken -> none
lrwxrwxrwx 1 to -> d

d:
-rw-r--r-- 5 file
lrwxrwxrwx 4 l -> file
-rw-r--r-- 5 other' 'W3 ln makes links, and ls shows where they lead'
is "$(does 'echo a >a; echo b >b; mkdir d
ln a b; ln -f a b; cat b; ln -s a a; ln -fs a l; ln -s a b d; ls d; ln x y; ln -s; ln -s a b none')" \
	"ln: b to a: File exists
a
ln: a to a: File exists
a
b
ln: y to x: No such file or directory
usage: ln [-fs] from to
       ln [-fs] from ... directory
ln: none: not a directory" 'W3 ln says why it makes none'
is "$(does 'mkdir -p d/sub keep; echo text >keep/file; ln -s ../keep d/l; ln -s /tmp/here/keep d/sub/m
cp -r d e; ls e e/sub; rm -r e/l/; rm -r d; rm -r e; cat keep/file
ln -s keep l; cp -r l copy; mv l m; grep -r text m; grep -r text .; cp m/file m; ls' | sort)" '
./copy/file:text
./keep/file:text
copy
cp: m/file and m/file are the same file
e/sub:
e:
keep
l
m
m
m/file:text
sub
text' 'W3 cp -r copies links, and rm -r removes them and nothing behind them'
is "$(does 'ln -s none l; test -h l && test -L l && ! test -e l && ! test -h /bin && echo so
ln -s l m; ln -s m l2; >l; test -f none && cat m l2; rm l; cat m')" 'so
cat: m: No such file or directory' 'W3 test knows links, and what is written through one is there'
finish
