# The tests that run inside, all in one boot of a machine, or at_once of them in each; their results
# as one plan, each with its program's name. Sourced, at the project's root, by a script for each
# machine, whose arguments are the programs: all, if none.
# shellcheck shell=sh
. tests/e2e/begin.sh
# Tests are the files with a main function; tap.c and modules.c serve them.
programs=${*:-$(grep -l "^int main" tests/guest/*.c | sed "s|.*/||; s|\.c$||")}

# flatten MACHINE: TAP of several programs to lines with one series of numbers; the last one, and how
# many have failed, go to $tmp/count. A program that printed less than its plan, or more, has failed.
# What a failed one said goes to the standard error too: prove shows no more of the rest than a count.
flatten() {
	awk -v machine="$1" -v count="$tmp/count" -v wanted="$wanted" '
	function result(ok, name) {
		print ok " " ++n " - " machine ": " name
		fflush()
		if (ok != "ok") {
			printf "%s# failed: %s: %s\n", said, machine, name >"/dev/stderr"
			bad++
		}
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
		print n, bad + 0 >count
	}'
}

# boot PROGRAMS OPTION...: boot the machine, and run the programs that a file names.
boot() {
	some=$1
	shift
	while read -r p; do
		"${CROSS-i686-linux-gnu-}objcopy" --strip-debug "$b/tests/guest/$p" "$tmp/programs/$p"
		set -- "$@" -p "$tmp/programs/$p:/tests/$p"
		echo "echo '# program $p'; ${patience-}/tests/$p; echo '# end'"
	done <"$some" >"$tmp/script"
	set -- "$@" -p docs/security.md:/tests/security.md # modes.c compares it with what is served
	"$b/gnomon" run -t 1500 -o "$tmp/out" --console "$tmp/console" "$@" -s "$tmp/script"
}

# machine NAME OPTION...: boot it, and test. Where its time is the host's, cases have longer limits
# on a busy host: tap.c.
machine() {
	name=$1
	shift
	case $* in
	*--icount\ off*) patience="PATIENCE=$GNOMON_PATIENCE " ;;
	esac
	mkdir -p "$tmp/programs" # without DWARF data, which would fill a small machine
	for p in $programs; do
		echo "$p"
	done >"$tmp/list"
	wanted=$(wc -l <"$tmp/list")
	split -l "${at_once-$wanted}" "$tmp/list" "$tmp/some."
	for some in "$tmp"/some.*; do
		boot "$some" "$@"
	done 2>"$tmp/err" | flatten "$name"
	read -r n bad <"$tmp/count"
	! [ -s "$tmp/err" ]
	ok $? "$name: the run" "$(cat "$tmp/err")"
	finish
}
