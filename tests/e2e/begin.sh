# What the scripts of this folder begin with, sourced at the project's root: TAP; $b, the folder
# of what was built; $cross, the prefix of the tools for guest programs; $tmp, a folder that is
# removed at the end; and the functions that several of them use.
# shellcheck shell=sh
. tests/host/tap.sh
b=${B:-build}
cross=${CROSS-i686-linux-gnu-}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# example PAGE [N]: the lines of the first or the Nth of a manual page's EXAMPLES
example() {
	awk -v n="${2:-1}" '/^\.Sh EXAMPLES/ { on = 1 } on && /^\.Ed/ { show = 0 } show { print }
		on && /^\.Bd/ { show = ++k == n }' "$1"
}

# part NAME: what the guest printed after the line "= NAME" and before the next such line
part() { awk -v p="$1" '/^= / { on = $2 == p; next } on' "$tmp/out"; }

# calls CALLER CALLEE: how often, as the call graph on the standard input has it
calls() {
	awk -v from="$1" -v to="$2" '
		/^-----/ { inside = 0 }
		$1 ~ /^\[/ { inside = ($0 ~ (" " from " \\[")); next }
		inside && $(NF - 1) == to { print $(NF - 2); exit }'
}

# pairs KERNEL FILE: each caller with each function that it called, and how often
pairs() {
	"$b/gnomon" report -i "$1" -g -n 0 "$2" | awk '
		/^-----/ { inside = 0; next }
		$1 ~ /^\[/ { inside = 1; from = $(NF - 1); next }
		inside && $NF ~ /^\[/ { print from, $(NF - 1), $(NF - 2) }' | sed 's/kernel://g; s,/[0-9]*$,,' | sort
}

# frames FILE: the frames of a sound, a line each, without the silence before and after it
frames() {
	od -An -v -td2 -w4 --endian=little "$1" | awk '
		$1 != 0 || $2 != 0 { for (; gap > 0; gap--) print 0, 0; print $1, $2; begun = 1; next }
		begun { gap++ }'
}

# played FILE: the frames of a sound as QEMU's card plays them: what a codec calls 0 dB is 190 of 255
played() {
	od -An -v -td2 -w4 --endian=little "$1" | awk '
	function less(n) { n *= int(2 ^ 32 * 190 / 255) / 2 ^ 32; return n < int(n) ? int(n) - 1 : int(n) }
	{ print less($1), less($2) }' | awk '
		$1 != 0 || $2 != 0 { for (; gap > 0; gap--) print 0, 0; print; begun = 1; next }
		begun { gap++ }'
}

# looks PAGE HANDS [WIDTH [SCHEME]]: what a reader sees of a page who does what a script tells
looks() {
	page=$1 hands=$2
	shift 2
	node tests/browser/page.js "file://$page" "$(cat "$hands")" "$@" 2>&1
}
