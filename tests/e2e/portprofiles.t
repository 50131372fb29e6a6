#!/bin/sh
# W6: a foreign program, bzip2, is profiled in the guest by each profiler for programs, and what its
# functions execute agrees with what callgrind counts of the same sources on this machine.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/../host/tap.sh"

cd "$(dirname "$0")/../.." || exit 1
b=$(realpath "${B:-build}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# skip REASON: end, with nothing tested
skip() {
	echo "ok $((n += 1)) - W6 # skip $1"
	finish
	exit
}
[ -e "$b/sysroot/lib/libc.a" ] || skip 'there is no build/sysroot: make sysroot'
command -v valgrind >/dev/null || skip 'there is no valgrind: make ports installs it'
ports/port "$b" build bzip2 >"$work/said" 2>&1 || skip "$(tail -n 1 "$work/said")"

source=$b/ports/bzip2/source out=$work/out
files='blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c bzip2.c'
mkdir "$out"
# The words are files' names.
# shellcheck disable=SC2086
(cd "$source" && "$b/gnomon" cc -w -O2 -o "$out/bzip2" $files &&
	"$b/gnomon" cc -w -O2 -pg -o "$out/bzip2pg" $files &&
	cc -w -O2 -g -o "$work/bzip2" $files) >"$work/said" 2>&1
ok $? 'W6 it is built three times' "$(cat "$work/said")"
head -c 20000 "$source/blocksort.c" >"$out/short"
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$out/short"; done >"$out/long"

# shellcheck disable=SC2016
"$b/gnomon" run -t 120 --mem 64 -o "$out" 'cd /n/remote
	cprof -m bzip2 -w counts ./bzip2 -9 -c short >short.bz2
	prof -s 1 -m bzip2 -o /tmp/long.bz2 ./bzip2 -9 -c long >prof
	mprof -m bzip2 -o /tmp/long.bz2 ./bzip2 -9 -c long >mprof
	./bzip2pg -9 -c long >/tmp/long.bz2
	echo stacks on >/dev/kpctl; echo start >/dev/kpctl
	./bzip2 -9 -c long >/tmp/long.bz2
	echo stop >/dev/kpctl; cp /dev/kpstack kpstack' >"$work/said" 2>&1
ok $? 'W6 the profilers ran' "$(cat "$work/said")"

# instructions PROGRAM ARGUMENT...: what the program's own functions execute, by callgrind, into `there'
instructions() {
	valgrind --tool=callgrind --callgrind-out-file="$work/callgrind" "$@" 2>"$work/said"
	callgrind_annotate --threshold=100 --auto=no --show-percs=no "$work/callgrind" |
		awk -v of="${1##*/}]" '/\.[chy]:/ && $NF ~ of "$" { gsub(",", "", $1); sub(".*:", "", $2)
			sub(/[.'\''].*/, "", $2); n[$2] += $1 } END { for (f in n) print f, n[f] }' >"$work/there"
}

# compare PROGRAM COUNTS: with what cprof has counted; as shares of the sum of what both have.
compare() {
	"$b/gnomon" report -n 0 -m "${1##*/}" -i "$1" "$2" | awk '$1 ~ /^[0-9]+$/ && NF == 5 {
		sub(".*:", "", $5); sub(/\..*/, "", $5); n[$5] += $1 } END { for (f in n) print f, n[f] }' >"$work/here"
	awk 'NR == FNR { there[$1] = $2; all += $2; next } $1 in there { here[$1] = $2; ours += $2 }
		END { for (f in there) printf "%s %.2f %.2f\n", f, 100 * there[f] / all, 100 * here[f] / ours }' \
		"$work/there" "$work/here" | sort -k 2nr | head -n 5 >"$work/both"
	awk '{ d = $2 - $3; if (d > 3 || d < -3) bad = 1 } END { exit bad || NR != 5 }' "$work/both"
	ok $? "W6 ${1##*/}: callgrind's first five functions have the same shares by cprof, within 3 points" \
		"$(cat "$work/both")"
	sed "s/^/# /" "$work/both"
}

instructions "$work/bzip2" -9 -c "$out/short" >"$work/short.bz2"
cmp -s "$work/short.bz2" "$out/short.bz2"
ok $? 'W6 both machines compress to the same bytes' "$(cat "$work/said")"
compare "$out/bzip2" "$out/counts"
is "$(sort -k 2nr "$work/here" | head -n 1 | cut -d ' ' -f 1)" "$(head -n 1 "$work/both" | cut -d ' ' -f 1)" \
	'W6 so the first of them is the first'

# Ticks, of a longer input, of which callgrind has another first function.
valgrind --tool=callgrind --callgrind-out-file="$work/callgrind.long" \
	"$work/bzip2" -9 -c "$out/long" >"$work/long.bz2" 2>/dev/null
hottest=$(callgrind_annotate --auto=no --show-percs=no "$work/callgrind.long" | awk '
	/\.c:.*bzip2\]$/ { sub(".*:", "", $2); sub(/\..*/, "", $2); print $2; exit }')
is "$(awk 'NR == 2 { print $3 }' "$out/prof")" "$hottest" "W6 prof has callgrind's hottest function first"
is "$(gprof -b -p "$out/bzip2pg" "$out/gmon.out" | awk '$NF ~ /^[a-zA-Z_]/ && $1 ~ /^[0-9]/ { print $NF; exit }')" \
	"$hottest" 'W6 so has gprof, of the program compiled with -pg'
is "$("$b/gnomon" report -i "$out/bzip2" "$out/kpstack" | awk '$NF ~ /:/ && $1 ~ /^[0-9]/ { print $NF; exit }')" \
	"bzip2:$hottest" 'W6 so have the call paths of kpstack'
has "$("$b/gnomon" report -i "$out/bzip2" -b "$hottest" "$out/kpstack")" BZ2_blockSort \
	'W6 and they tell who called it'
has "$("$b/gnomon" report -i "$out/bzip2" -S "$source" -a "$hottest" "$out/counts")" \
	'if (c1 != c2) return (c1 > c2);' "W6 gnomon report shows the function's source"
has "$(cat "$out/mprof")" default_bzalloc 'W6 mprof tells which function allocates'

# Programs of /rc/real, where make ports has built them: for this machine of 32 bits, too.
if ports/real "$b" "$work/real" 2>"$work/said"; then
	"$b/gnomon" run -t 120 --mem 192 -o "$work/real" -f /tmp/counts \
		'cprof -m lua -m sqlite3 -m awk -w /tmp/counts /rc/real' >"$work/said" 2>&1
	ok $? 'W6 cprof counts in the programs of /rc/real' "$(cat "$work/said")"
	cd "$work/real" || exit 1
	for program in "lua queens.lua" "awk -f words.awk text" "sqlite3 $work/db"; do
		name=${program%% *}
		# The words are arguments.
		# shellcheck disable=SC2086
		instructions "$b/ports/${name%3}/host"/$program <query.sql >/dev/null
		compare "$name" counts
	done
fi
finish
