#!/bin/sh
# The tests that run inside, all in one boot, for each of several machines; their results as
# one plan, each with its program's name.
#
# usage: tests/guest/run.t [PROGRAM...]

cd "$(dirname "$0")/../.." || exit 1
b=${B:-build}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# Tests are the files with a main function; tap.c and modules.c serve them.
programs=${*:-$(grep -l "^int main" tests/guest/*.c | sed "s|.*/||; s|\.c$||")}

set --
for p in $programs; do
	set -- "$@" -p "$b/tests/guest/$p:/tests/$p"
	echo "echo '# program $p'; /tests/$p; echo '# end'"
done >"$tmp/script"
wanted=$(wc -l <"$tmp/script")
set -- "$@" -p docs/security.md:/tests/security.md # modes.c compares it with what is served

# flatten MACHINE COUNT: TAP of several programs to lines numbered from COUNT + 1; the last
# number goes to $tmp/count. A program that printed less than its plan, or more, has failed. What
# a failed one said goes to the standard error too: prove shows no more of the rest than a count.
flatten() {
	awk -v machine="$1" -v n="$2" -v count="$tmp/count" -v wanted="$wanted" '
	function result(ok, name) {
		print ok " " ++n " - " machine ": " name
		fflush()
		if (ok != "ok")
			printf "%s# failed: %s: %s\n", said, machine, name >"/dev/stderr"
		said = ""
	}
	function finish() {
		if (program != "" && ran != plan)
			result("not ok", program ": " ran + 0 " of " plan + 0 " tests ran")
		program = ""
	}
	/^# program / { finish(); program = $3; ran = 0; plan = 0; next }
	/^# end$/ { finish(); ended++; next }
	/^1\.\.[0-9]+$/ { plan = substr($0, 4); next }
	/^(not )?ok [0-9]+ - / {
		ok = $1 == "ok" ? "ok" : "not ok"
		sub(/^(not )?ok [0-9]+ - /, "")
		ran++
		result(ok, program ": " $0)
		next
	}
	{ print "# " $0; said = said "# " $0 "\n" }
	END {
		finish()
		result(ended == wanted ? "ok" : "not ok", ended + 0 " of " wanted " programs ran")
		print n >count
	}'
}

# on MACHINE OPTION...: a boot
n=0
on() {
	machine=$1
	shift
	"$b/gnomon" run -t 1500 -o "$tmp/out" --console "$tmp/console" "$@" -s "$tmp/script" 2>"$tmp/err" |
		flatten "$machine" "$n"
	n=$(cat "$tmp/count")
	n=$((n + 1))
	if [ -s "$tmp/err" ]; then
		echo "not ok $n - $machine: the run"
		sed 's/^/# /' "$tmp/err"
	else
		echo "ok $n - $machine: the run"
	fi
}

on 'usual' "$@"
on '16 MB' --mem 16 "$@"
on 'no NX' --cpu qemu32 "$@"
on '4 processors' --smp 4 --icount off "$@"
# The checking kernel (B9), whose functions the tests of coverage find in a file of its own.
on 'checking' --kernel "$b/gnomon-check.elf" "$@" -p "$b/guest/gnomon-check.elf:/boot/gnomon"
echo "1..$n"
