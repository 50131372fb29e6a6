#!/bin/sh
# W5, W6: the two smallest of the foreign programs, bzip2 and zlib, are built from Debian's sources and pass
# their own tests in the guest. make ports does that for all of ports/. What it has built works in /rc/real.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/../host/tap.sh"

cd "$(dirname "$0")/../.." || exit 1
b=$(realpath "${B:-build}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/b/ports"
ports/port "$work/b" build none >"$work/said" 2>&1
is "$? $(cat "$work/said")" '1 make ports: none: there is no ports/none/port' \
	'W5 a program that is not there is named'
ports/port "$work/b" build bzip2 >"$work/said" 2>&1
is "$? $(cat "$work/said")" \
	'1 make ports: there is no C library for the guest: say "make sysroot"' \
	'W5 without make sysroot it says so'
if [ ! -e "$b/sysroot/lib/libc.a" ]; then
	echo "ok $((n += 1)) - W5 # skip there is no build/sysroot: make sysroot"
	finish
	exit
fi
ports/port "$b" build bzip2 zlib >"$work/said" 2>&1 || {
	case $(cat "$work/said") in
	*'without a network'*) echo "ok $((n += 1)) - W5 # skip $(tail -n 1 "$work/said")" ;;
	*) ok 1 'W5 bzip2 and zlib are built' "$(cat "$work/said")" ;;
	esac
	finish
	exit
}
is "$(ports/port "$b" test bzip2 zlib | grep -v PORT)" 'ok - W5 bzip2: 7 of 7 of its tests
ok - W5 zlib: 5 of 5 of its tests' 'W5 the two pass their own tests in the guest'
is "$("$b/gnomon" run -o "$work" /rc/real 2>&1 | tr -d '\r')" \
	'/rc/real: there is no /n/remote/tcc: make real, on the host, has programs there' \
	'W6 without programs /rc/real says so'
if ports/real "$b" "$work/real" 2>"$work/said"; then
	"$b/gnomon" run --mem 192 -o "$work/real" /rc/real >"$work/said" 2>&1
	ok $? 'W6 /rc/real: five programs print what they print on the host' "$(cat "$work/said")"
else
	echo "ok $((n += 1)) - W6 # skip $(cat "$work/said")"
fi
finish
