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
is "$(does 'mkdir -p a/r b/r/y own/all; echo precious >own/file; ln -s ../../own/file a/r/x; ln -s ../../own a/r/y
echo junk >b/r/x; echo junk >b/r/y/new; cp -r a/r b/r own/all; cat own/file own/all/r/x; ls own own/all/r/y
cp -r a/r b/r own/all; cat own/file own/all/r/x')" 'precious
junk
own:
all
file

own/all/r/y:
new
cp: own/all/r/x: File exists
cp: own/all/r/y: File exists
precious
junk' 'W3 what cp -r copies does not go through the links that it has made'
is "$(does 'echo precious >a; ln -s . here; ln -f a a; ln -f a .; ln -f a here/a; ln -fs a a; cat a
echo b >b; ln -f none b; mkdir d; ln -f d b; ln -f /dev/null b; cat b; ln -f a b; cat b; ln -fs d b; ls -l b' | sed 's/eve.*-> /-> /')" \
	'ln: a and a are the same file
ln: a and ./a are the same file
ln: a and here/a are the same file
ln: a and a are the same file
precious
ln: b to none: No such file or directory
ln: b to d: Operation not permitted
ln: b to /dev/null: Not on the same device
b
precious
lrwxrwxrwx -> d' 'W3 ln -f removes nothing but for a link that it makes'
mkdir "$tmp/host"
is "$("$b/gnomon" run -t 60 -o "$tmp/host" 'cd /tmp; mkdir d; echo text >d/f; ln -s d l
mv l /n/remote; mv l /n/remote/m; ls -l l; rm l; mv /n/remote/version x; ls' 2>&1 | tr -d '\r' | sed 's/eve.*-> /-> /')" \
	'mv: l to /n/remote/l: Operation not permitted
mv: l to /n/remote/m: Operation not permitted
lrwxrwxrwx -> d
d
x' 'W3 mv copies nothing that a link leads to'
finish
