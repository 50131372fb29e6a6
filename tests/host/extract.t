#!/bin/sh
# gnomon extract of memory dumps that somebody made. What is in those of ours: tests/e2e/memory.t.
# B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# core N: a dump of N segments of a byte each, with as much between them
core() {
	perl -e 'my $n = shift;
		print "\x7fELF\1\1\1" . "\0" x 9 . pack("v2V5v6", 4, 3, 1, 0, 52, 0, 0, 52, 32, $n, 40, 0, 0);
		print pack("V8", 1, 52 + 32 * $n + $_, 0, 0x100000 + 2 * $_, 1, 1, 6, 1) for 0 .. $n - 1;
		print "\0" x $n' "$1"
}

core 65000 >many.core
within 2 "$B/gnomon" extract -c many.core -k none -o . kpdata 2>errors
is "$?:$(cut -d, -f 1 errors)" '1:gnomon extract: there is no kernel with prof/ in its 0 MB of memory' \
	'H14: the memory of a dump may be in many pieces'
mkfifo pipe
within 5 "$B/gnomon" extract -c pipe 2>errors
is "$?:$(cat errors)" '1:gnomon extract: pipe: not a memory dump (an ELF core, by dump-guest-memory)' \
	'H14: a pipe is not waited for'

finish
