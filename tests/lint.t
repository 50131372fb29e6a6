#!/bin/sh
# What can be said of the sources without running them: manual pages, style, warnings, symbols.
# Each check is one line and tells all that it objects to.
#
# usage: B=BUILD CROSS=PREFIX tests/lint.t

cd "$(dirname "$0")/.." || exit 1
. tests/host/tap.sh
b=${B:-build}
cross=${CROSS-i686-linux-gnu-}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C

# check NAME: passes if nothing was written to $tmp/bad.
check() {
	[ ! -s "$tmp/bad" ]
	ok $? "$1" "$(head -n 40 "$tmp/bad")"
}

git -c safe.directory="$PWD" ls-files -co --exclude-standard >"$tmp/listed"
while read -r f; do
	[ -f "$f" ] && echo "$f"
done <"$tmp/listed" | sort >"$tmp/files"
grep '\.[ch]$' "$tmp/files" >"$tmp/c"
grep '\.c$' "$tmp/files" >"$tmp/sources"
grep '\.h$' "$tmp/files" >"$tmp/headers"
grep '^docs/man/' "$tmp/files" >"$tmp/pages"
xargs grep -l '^#!/bin/sh\|^#!/usr/bin/env bash' <"$tmp/files" |
	grep -v '^userland/rc/\|^userland/bin/.*\.rc$\|^tests/sh/cases\|^tests/fuzz/corpus/' >"$tmp/scripts"

# ---- manual pages

xargs mandoc -Tlint -Wwarning <"$tmp/pages" >"$tmp/bad" 2>&1
check 'manual pages are clean'

# What .Dt says must be the file's name and section, and so must the first .Nm.
while read -r page; do
	name=${page##*/}
	section=${name##*.}
	name=${name%.*}
	title=$(echo "$name" | tr '[:lower:]' '[:upper:]')
	grep -qix "\.Dt $title $section" "$page" || echo "$page: .Dt is not $title $section"
	[ "$(sed -n 's/^\.Nm \([^ ]*\).*/\1/p' "$page" | head -n 1)" = "$name" ] ||
		echo "$page: NAME is not $name"
	[ "${page%/*}" = "docs/man/$section" ] || echo "$page: is in another section's folder"
done <"$tmp/pages" >"$tmp/bad"
check 'a manual page is named as what it tells of'

# Whether they work is told by tests/e2e/examples.t.
grep '\.[1238]$' "$tmp/pages" | while read -r page; do
	awk '/^\.Sh / { on = $2 == "EXAMPLES" } on && /^\.Bd / { n++ } END { exit !n }' "$page" ||
		echo "$page has no EXAMPLES"
done >"$tmp/bad"
check 'every manual page of sections 1, 2, 3 and 8 has EXAMPLES'

{
	{ grep -l '^int main(' userland/bin/*.c; ls userland/bin/*.rc; } | sed 's|.*/||; s|\..*||'
	echo sh
	echo gnomon
	sed -n "s|^NAMES.*= ||p" Makefile | tr " " "\n" | cut -d = -f 1
	echo kprof
	ls userland/rc
} | while read -r command; do
	grep -q "/$command\.[18]\$" "$tmp/pages" || echo "$command has no manual page"
done >"$tmp/bad"
check 'every command has a manual page'

# differ A B: the lines that only one of two sorted files has
differ() {
	comm -23 "$1" "$2" | sed 's/$/ is missing/'
	comm -13 "$1" "$2" | sed 's/$/ is no system call/'
}

# The function for the call exit is _exit.
sed -n 's/^#define SYS_\([a-z0-9_]*\) .*/\1/p' kernel/abi/syscall.h | sort >"$tmp/calls"
grep '\.2$' "$tmp/pages" | grep -v '/intro\.2$' |
	xargs awk '/^\.Sh/ { on = $2 == "NAME" } on && /^\.Nm/ { sub(/^_/, "", $2); print $2 }' |
	sort >"$tmp/named"
differ "$tmp/calls" "$tmp/named" >"$tmp/bad"
check 'section 2 has every system call'
sed -n 's/^\.Xr _*\([a-z0-9_]*\) 2.*/\1/p' docs/man/2/intro.2 | sort -u >"$tmp/named"
differ "$tmp/calls" "$tmp/named" >"$tmp/bad"
check 'intro(2) lists every system call'

# functions PAGE: the functions and system calls that a page of section 3 names
functions() {
	awk '/^\./ {
		for (i = 1; i < NF; i++)
			if ($i ~ /^\.?F[no]$/ || ($i ~ /^\.?Xr$/ && $(i + 2) == 2))
				print $(i + 1)
	}' "$1" | grep -vx intro | sort -u
}

# Each header of the C library is in a SYNOPSIS of section 3. That page names the functions
# that the header declares, and none that no header has.
library=userland/libc/include
grep "^$library/" "$tmp/headers" >"$tmp/library"
: >"$tmp/told"
while read -r h; do
	page=$(grep -lx "\.In ${h#"$library"/}" docs/man/3/*.3) || echo "$h has no page"
	[ -f "$page" ] || continue
	echo "$page" >>"$tmp/told"
	functions "$page" >"$tmp/named"
	ctags -x --_xformat='%N' --kinds-C=p "$h" | sort | comm -23 - "$tmp/named" |
		sed "s|^|$page does not name |"
done <"$tmp/library" >"$tmp/bad"
xargs ctags -x --_xformat='%N' --kinds-C=pd <"$tmp/library" |
	sort -u - "$tmp/calls" >"$tmp/declared"
sort -u "$tmp/told" | while read -r page; do
	functions "$page" | comm -23 - "$tmp/declared" | sed "s|$| is named by $page|"
done >>"$tmp/bad"
check 'section 3 has every header of the C library and its functions'

# value FIELD FILE: the text in quotes that the file's struct dev has in that field
value() { sed -n "s/^	\\(\\.letter = .*, \\)*\\.$1 = [\"']\\([^\"']*\\)[\"'],.*/\\2/p" "$2"; }

# pages SOURCE: those named as the device that a file serves, or as the file
pages() {
	name=$(value name "$1")
	[ -n "$name" ] || name=$(basename "$1" .c)
	grep "^docs/man/[3457]/$name\.[3457]\$" "$tmp/pages"
}

# A device's page tells its letter.
for source in drivers/files/*.c; do
	letter=$(value letter "$source")
	[ -z "$letter" ] || pages "$source" | xargs grep -qs "#$letter" ||
		echo "no page of section 3, 4 or 7 named $(value name "$source") has the device #$letter"
done >"$tmp/bad"
check 'every device has a manual page'

# The kernel refuses to boot with two of one letter.
for source in drivers/files/*.c tests/devtest.c; do
	value letter "$source"
done | sort | uniq -d | sed 's/$/ is the letter of two devices/' >"$tmp/bad"
check 'every device has a letter of its own'

# The words that a control file takes are rows of a struct cmd.
for source in drivers/files/*.c; do
	sed -n '/^static const struct cmd [a-z_]*\[/,/};$/s/.*{"\([a-z]*\)", [0-9].*/\1/p' "$source" |
		sort -u | while read -r word; do
		pages "$source" | xargs grep -qsE "^\.(.* )?$word( |\$)" ||
			echo "$source takes the word $word, of which its page does not tell"
	done
done >"$tmp/bad"
check 'every word of a control file is in the manual'

# What .Xr leads to is a page or a name in one; some pages are the host system's.
while read -r page; do
	awk -v s="${page##*.}" '/^\.Sh/ { on = $2 == "NAME" } on && /^\.Nm/ { print $2, s }' "$page"
done <"$tmp/pages" | sort -u >"$tmp/named"
xargs grep -ohE '(^\.|[^[:alnum:]])Xr [^ ]+ [0-9]' <"$tmp/pages" | sed 's/.*Xr //' | sort -u |
	grep -vxE '(callgrind_annotate|curl|gprof) 1' | comm -23 - "$tmp/named" >"$tmp/bad"
check 'every cross reference leads to a page'

# ---- papers

# What stands in backquotes: a path in one of our folders is a file, name() a function.
papers="README.md CONTRIBUTING.md docs/*.md"
# shellcheck disable=SC2086
grep -noE '`[^` ]+`' $papers | tr -d '`' >"$tmp/quoted"
grep -E ':(boot|docs|drivers|kernel|prof|tests|tools|userland)/[^*:]*$' "$tmp/quoted" |
	grep -v '[A-Z]\{4\}' | while IFS=: read -r paper line path; do
	[ -e "$path" ] || echo "$paper:$line: there is no $path"
done >"$tmp/bad"
check 'papers name files that exist'

grep '\.asm$' "$tmp/files" | xargs sed -n 's/^global \([a-z_0-9]*\).*/\1/p' >"$tmp/functions"
xargs ctags -x --_xformat='%N' --kinds-C=fpd <"$tmp/c" >>"$tmp/functions"
sort -u "$tmp/functions" >"$tmp/defined"
sed -n 's/^\([^:]*:[0-9]*\):\([a-z_0-9]*\)()$/\2 \1/p' "$tmp/quoted" | sort >"$tmp/named"
join -v 1 "$tmp/named" "$tmp/defined" | awk '{ print $2 ": there is no function " $1 }' >"$tmp/bad"
check 'papers name functions that exist'

# The order of locks as docs/design.md lists it is the one that the checking kernel knows.
awk '/^## / { on = $0 == "## Locks" } on && /Mutexes come first/, on && /^$/' docs/design.md |
	grep -o '`[a-z]*`' | tr -d '`' >"$tmp/told"
sed -n '/^static const char \*const order/,/^}/p' tests/check.c | grep -o '"[a-z]*"' | tr -d '"' \
	>"$tmp/known"
[ -s "$tmp/told" ] && diff "$tmp/told" "$tmp/known" >"$tmp/bad" || echo 'they differ' >>"$tmp/bad"
check 'the order of locks is that of the checking kernel'

# ---- headers

# alone HEADER COMPILER...: the header compiles by itself.
alone() {
	h=$1
	shift
	printf '#include "%s"\n' "$h" |
		"$@" -std=gnu2x -Wall -Wextra -Wundef -fsyntax-only -I. -x c - >"$tmp/out" 2>&1 &&
		[ ! -s "$tmp/out" ] || head -n 3 "$tmp/out"
}
machine="${cross}gcc -m32 -march=i686 -ffreestanding"
include=$("${cross}gcc" -print-file-name=include)
while read -r h; do
	# shellcheck disable=SC2086
	case $h in
	boot/* | kernel/* | drivers/* | prof/*) alone "$h" $machine ;;
	userland/* | tests/guest/*) alone "$h" $machine -nostdinc -isystem "$include" \
		-isystem userland/libc/include ;;
	tools/*) alone "$h" gcc -D_GNU_SOURCE ;;
	esac
done <"$tmp/headers" >"$tmp/bad"
check 'every header compiles alone'

grep -v '^tests/' "$tmp/headers" | while read -r h; do
	grep -qx '#pragma once' "$h" && continue
	guard=$(sed -n 's/^#ifndef \([A-Z0-9_]*\)$/\1/p' "$h" | head -n 1)
	grep -qx "#define ${guard:-none}" "$h" || echo "$h"
done >"$tmp/bad"
check 'every header is included once'

# ---- form

xargs shellcheck -S warning -x <"$tmp/scripts" >"$tmp/bad" 2>&1
check 'shellcheck has nothing to say'

while read -r f; do
	[ -x "$f" ] || echo "$f cannot be executed"
done <"$tmp/scripts" | grep -v '\.sh cannot' >"$tmp/bad"
check 'scripts can be executed'

# Test tables hold what is typed and printed, and damaged input; they may look as they like.
grep -v '^tests/sh/cases\|^tests/bin/run\.t$\|^tests/fuzz/corpus/\|\.png$' "$tmp/files" >"$tmp/formed"
xargs grep -nE '[ 	]+$' <"$tmp/formed" >"$tmp/bad"
check 'no blanks at the end of a line'
xargs grep -nE '^ +	|	 +	|^	* {8}' <"$tmp/c" >"$tmp/bad"
check 'tabs indent, without blanks before them'
while read -r f; do
	tail -c 1 "$f" | od -An -c | grep -q '\\n' || echo "$f"
done <"$tmp/formed" >"$tmp/bad"
check 'every file ends with an end of line'
grep '\.[ch]$\|\.asm$\|\.ld$\|^Makefile$' "$tmp/formed" | while read -r f; do
	expand -t 8 "$f" | awk -v f="$f" 'length > 100 { print f ":" NR ": " length " columns" }'
done >"$tmp/bad"
check 'lines have at most 100 columns'
# Tables of cases are as long as there are cases.
grep '\.[ch]$\|\.asm$' "$tmp/files" | xargs wc -l |
	awk '$1 > ($2 ~ /^tests/ ? 600 : 500) && $2 != "total"' >"$tmp/bad"
check 'sources have at most 500 lines, and tests 600'
xargs ctags -x --_xformat='%{line} %{end} %F:%N' --kinds-C=f <"$tmp/sources" |
	awk '$2 - $1 >= 120 { print $3 ": " $2 - $1 + 1 " lines" }' >"$tmp/bad"
check 'functions have at most 120 lines'

# Folders that keep to plain expressions: per 1,000 lines 12 conditional ones, none inside another,
# and 30 terms joined by && or ||.
plain="drivers kernel prof tools"
# shellcheck disable=SC2086
tests/density $plain | awk '$4 > 12 || $6 > 30' >"$tmp/bad"
for folder in $plain; do
	grep "^$folder/" "$tmp/c" | xargs grep -nE ' \? [^;)]* \? '
done >>"$tmp/bad"
check 'expressions are plain'
xargs grep -nwE 'TO''DO|FIX''ME|XX''X' <"$tmp/files" >"$tmp/bad"
check 'nothing is left to do'
xargs grep -nE '(^|[^A-Za-z0-9_)}.$/-])/(home|ro''ot|work)(/|$|[^A-Za-z0-9_])' \
	<"$tmp/files" >"$tmp/bad"
check 'no path of somebody'\''s machine'

# Names and texts of files are hashed with a secret (tools/hash.h): one who knows a hash makes files of
# names that have the same. Addresses that a machine executes are not from files.
grep '^tools/.*\.[ch]$' "$tmp/files" | grep -v '^tools/record/plugin/' |
	xargs grep -niE 'fnv|0x100000001b3|16777619|5381|hash \* 3[13]' >"$tmp/bad"
check 'H14 the host'\''s programs have one hash'

# ---- requirements

for area in K:13 G:12 D:13 U:10 P:11; do
	i=1
	while [ "$i" -le "${area#*:}" ]; do
		id=${area%:*}$i
		grep '^tests/' "$tmp/files" | grep -v '/lint\.t$' |
			xargs grep -qE "(^|[^A-Za-z0-9])$id([^0-9]|\$)" || echo "no test names $id"
		i=$((i + 1))
	done
done >"$tmp/bad"
check 'every requirement has a test that names it'

# ---- what is built

: >"$tmp/bad"
env -u MAKEFLAGS -u MFLAGS make -k -j"$(nproc)" B="$b/lint" WERROR=-Werror \
	all "$b/lint/stackdepth" >"$tmp/out" 2>&1 || grep -E 'error|warning|\*\*\*' "$tmp/out" >"$tmp/bad"
check 'everything compiles without a warning'

b=$b/lint
readelf -sW "$b/gnomon.elf" | awk '$7 ~ /^[0-9]+$/' >"$tmp/symbols"
[ -s "$tmp/symbols" ]
ok $? 'the kernel has symbols'
awk '$4 == "FUNC" && $8 ~ /[.$]/ { print $8 }' "$tmp/symbols" >"$tmp/bad"
check 'no function of the kernel has a name that gprof ignores'
# The linker's own marks are no functions.
awk '$4 == "NOTYPE" && $7 == 1 && $8 !~ /\./ && $8 != "ktzero" && $8 != "etext" { print $8 }' \
	"$tmp/symbols" >"$tmp/bad"
check 'functions in assembly have a type'
"$b/stackdepth" -t "$b/gnomon.elf" tests/stack.rules 2>"$tmp/bad"
[ $? -lt 2 ] || echo 'stackdepth failed' >>"$tmp/bad"
check 'B2 the deepest use of every kernel stack leaves room'

finish
