#!/bin/sh
# What make does again when a source has changed: what is made of it, and nothing else. Nothing is
# changed and nothing made: make is asked what it would do (-n) if a file were new (-W).
#
# usage: B=BUILD tests/host/rebuild.t	(of a build to which nothing is to be added)
cd "$(dirname "$0")/../.." || exit 1
. tests/host/tap.sh
b=${B:-build}
tmp=$(mktemp -d) || exit 1

# make notes with what flags it was called last, even with -n. A build with others stays as it is.
notes="$b/flags $b/sources $b/profiled $b/commit"
# shellcheck disable=SC2086
cp -p $notes "$tmp"
restore() {
	for note in $notes; do
		cp -p "$tmp/${note##*/}" "$note"
	done
	rm -rf "$tmp"
}
trap restore EXIT

# steps FILE...: what make says that it would do for "all" if these were new, in the order of names
steps() {
	for file in "$@"; do
		set -- "$@" -W "$file"
		shift
	done
	make -n B="$b" "$@" all 2>&1 | sed -n "s/.*&& printf .* \([A-Z]*\) \(.*\)/\1 \2/p" |
		sed "s| $b/| |; s| obj/| |" | LC_ALL=C sort
}

# again FILE STEPS NAME: a change of the file leads to these steps
again() {
	is "$(steps "$1" | paste -sd ';')" "$2" "$3"
}

if [ -n "$(steps)" ]; then
	echo "1..0 # skip $b is not up to date, or was made with other flags"
	exit
fi
again tools/report/flat.c 'AR tools.a;CC tools/report/flat.c;LD gnomon' \
	'of the host'\''s programs, those that use a file are linked again'
again tools/slurp.c 'AR tools.a;CC tools/slurp.c;LD gnomon;LD kprof;LD prfpr' \
	'and no program that makes a part of the image'
again tools/report/page/page.js \
	'AR tools.a;CC tools/report/page/page.c;LD gnomon;PAGE page.html' \
	'the page of a report is in one program'
again userland/bin/wc.c \
	'CC userland/bin/wc.c;CPIO initrd.cpio;ISO gnomon.iso;LD bin/wc;LINES guest/bin/wc' \
	'a command has a line table of its own'
again userland/text/pattern.c \
	'AR binlib.a;CC userland/text/pattern.c;CPIO initrd.cpio;ISO gnomon.iso;LD bin/grep;LINES guest/bin/grep' \
	'so have those that share a file'
again docs/man/1/wc.1 'CPIO initrd.cpio;ISO gnomon.iso;MAN docs/man/1/wc.1' \
	'a page is text of the guest'\''s'

# The makefile has no value of its own for what a user may give.
has "$(make -n B="$b" mutants FILE=kernel/sched/wait.c 2>&1)" ' TESTS="" ' \
	'make mutants takes the tests of the file'

# What shows lines makes the tables of all programs; nothing is linked or compiled for that.
is "$(steps tools/build/mklines.c | grep -v '^LINES guest/' | paste -sd ';')" \
	'CC tools/build/mklines.c;CPIO initrd.cpio;ISO gnomon.iso;LD mklines' \
	'what makes line tables makes them anew'
is "$(steps boot/main.c | grep -v ' boot/main.c$' | paste -sd ';')" \
	'CPIO initrd.cpio;ISO gnomon.iso;LD gnomon.elf;LINES guest/gnomon.elf' \
	'a file of the kernel changes the kernel alone'

finish
