#!/bin/sh
# Files that the host's programs write appear whole or not at all: on a full disk, when a signal
# comes, wherever links lead. H3, B11. B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
# Needs: tests/host/faults.so
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir build to
GNOMON_BUILD=$work/build
export GNOMON_BUILD LC_ALL=C
"$B/tests/tools/mkkernel" build/gnomon.elf kpdata || exit 1
echo build=abcd000000000000000000000000000000000000 >kpdata.run

# make PROGRAM PATH: has a program write to the path; for extract, see below.
make_output() {
	case $1 in
	export) "$B/gnomon" export -o "$2" kpdata ;;
	html) "$B/gnomon" report --html "$2" kpdata ;;
	merge) "$B/gnomon" merge -o "$2" kpdata kpdata ;;
	esac
}

# contents: the names of all files in to/ and what is in them
contents() { (cd to && find . -type f | sort | xargs -r cksum); }

# ---- every place where the output can fail

for program in export html merge; do
	rm -f to/*
	echo old >to/out
	echo old >to/out.run
	before=$(contents)
	for call in open write close rename; do
		for what in ENOSPC TERM INT; do
			at=1 wrong='' met=0
			while [ $at -lt 100 ]; do
				rm -f met
				said=$(LD_PRELOAD="$B/tests/host/faults.so" FAULT="$call $at $what" \
					FAULT_MET="$work/met" make_output $program to/out 2>&1)
				status=$?
				[ -e met ] || break
				met=$((met + 1))
				# No file system gives two files their names at once.
				if [ "$program:$call:$what:$at" = merge:rename:ENOSPC:2 ]; then
					echo old >to/out
				fi
				case $what:$status:$said in
				ENOSPC:1:"gnomon "*": cannot write to/out"*': No space left on device') ;;
				TERM:143:* | INT:130:*) ;;
				*) wrong="$wrong $at: $status $said" ;;
				esac
				[ "$(find to -name '*.part')" = '' ] || wrong="$wrong $at: $(ls to)"
				# The signal came when nothing was left but to rename.
				if [ $what != ENOSPC ] && [ $call != open ]; then
					[ "$(contents)" = "$before" ] || echo old >to/out
					[ "$(contents)" = "$before" ] || echo old >to/out.run
				fi
				[ "$(contents)" = "$before" ] || wrong="$wrong $at: $(contents)"
				at=$((at + 1))
			done
			[ "$wrong" = '' ] && [ $met -gt 0 ] && [ $at -lt 100 ]
			ok $? "H3 B11 gnomon $program: $what at any $call leaves the old file" \
				"$met places;$wrong"
			is "$status" 0 "H3 gnomon $program: the round without one succeeds"
			rm -f to/*
			echo old >to/out
			echo old >to/out.run
		done
	done
done

# ---- a limit on sizes, as a real file system would have it

dd if=/dev/zero of=to/out bs=1024 count=1 2>/dev/null
before=$(contents)
said=$(ulimit -f 8; make_output html to/out 2>&1)
is "$?:$said:$(contents)" "1:gnomon report: cannot write to/out: File too large:$before" \
	'H3 a file that may not become so large is an error, and the old one stays'
rm -f to/*

# ---- what a file is called, and what may stand there

umask 027
make_output export to/out
is "$(ls to)$(stat -c %a to/out)" out640 'H3 a new file has the rights that the mask leaves'
cp to/out wanted
ln -s ../there to/link
make_output export to/link
cmp -s there wanted && [ -L to/link ]
ok $? 'H3 a link to nowhere: the file is made where it points'
echo old >there
make_output export to/link
cmp -s there wanted && [ -L to/link ]
ok $? 'H3 a link to a file: that is replaced, and the link stays'
ln -s loop to/loop
make_output export to/loop 2>err
is "$?:$(cat err)" '1:gnomon export: cannot write to/loop: Too many levels of symbolic links' \
	'H3 a link to itself'
long=$(printf '%0250d' 0)
make_output export "to/$long"
cmp -s "to/$long" wanted
ok $? 'H3 a name that has no room for a suffix'
make_output export to 2>err
is "$?:$(cat err)" '1:gnomon export: cannot write to: Is a directory' 'H3 a folder'
make_output export no/out 2>err
is "$?:$(cat err)" '1:gnomon export: cannot write no/out: No such file or directory' 'H3 no folder'

# ---- what is no file

mkfifo pipe
cat pipe >got &
make_output export pipe
wait
cmp -s got wanted && [ -p pipe ]
ok $? 'H3 a pipe is written to, and stays'
for out in - /dev/stdout; do
	{ echo before; make_output export $out; echo after; } >got
	{ echo before; cat wanted; echo after; } | cmp -s - got
	ok $? "H3 $out to a file: at its place in what others write"
	make_output export $out | cmp -s - wanted
	ok $? "H3 $out to a pipe"
	make_output merge $out | cmp -s - kpdata
	is $? 1 "H3 merge to $out"
	[ -e $out.run ]
	is $? 1 "H3 and no build id beside $out"
done
for program in export html merge; do
	make_output $program /dev/full 2>err
	status=$?
	has "$status $(cat err)" '1 gnomon ' "H3 $program: a full device"
	has "$(cat err)" ': cannot write /dev/full: No space left on device' "H3 $program: is named"
	make_output $program /dev/null
	is "$?$(find /dev/full /dev/null /dev/null.* -type c 2>/dev/null | wc -l)" 02 \
		"H3 $program: devices stay"
done

# ---- the standard output

# full PROGRAM ARGUMENT...: what is said when it is full
full() {
	program=$1
	shift
	"$B/$program" "$@" >/dev/full 2>err
	is "$?:$(tail -n 1 err)" "1:${name:-$program $1}: cannot write the standard output: No space left on device" \
		"H3 $program $1: a full disk behind the standard output"
}
full gnomon export kpdata
full gnomon merge -o - kpdata
full gnomon report kpdata
full gnomon diff kpdata kpdata
full gnomon diff --help
full gnomon run --help
name=gnomon full gnomon --help
name=kprof full kprof build/gnomon.elf kpdata
name=kprof full kprof --help
"$B/tests/tools/mkprf"
name=prfpr full prfpr --help
for program in ksyms chime; do
	"$B/$program" >/dev/full 2>err
	is "$?:$(cat err)" "1:$program: cannot write the standard output: No space left on device" \
		"H3 $program: a full disk behind the standard output"
done
"$B/gnomon" report kpdata >&- 2>err
is "$?:$(cat err)" '1:gnomon report: cannot write the standard output: Bad file descriptor' \
	'H3 no standard output'
is "$(find . -name '*.part')" '' 'H3 no temporary file is left'

finish
