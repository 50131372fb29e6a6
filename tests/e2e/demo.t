#!/bin/sh
# The page docs/demo.md is what the console shows: what is typed there, keys such as tab included,
# and what comes, as a terminal has it in the end. Numbers may be somewhat off, for each build of
# the kernel has its own.
#
# usage: tests/e2e/demo.t [-u]	(-u: put what is shown now into the page)
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
. tests/e2e/pages.sh
page=docs/demo.md

page_commands "$page"
mkdir "$tmp/out"
B=$b tests/e2e/keys.tcl "$tmp/out" "$tmp/keys" "$tmp/console" >"$tmp/says" 2>&1
ok $? 'the session at the console' "$(cat "$tmp/says"; tail -n 5 "$tmp/console")"

# What a terminal of one row a line makes of it: the cursor's moves within a row, and the row erased
# from there.
tr -d '\007' <"$tmp/console" | awk '
	{
		row = ""
		col = 0
		for (i = 1; i <= length($0); i++) {
			c = substr($0, i, 1)
			if (c == "\r") {
				col = 0
			} else if (c != "\033") {
				row = sprintf("%-" col "s", substr(row, 1, col)) c \
					substr(row, col + 2)
				col++
			} else if (match(substr($0, i + 1), /^\[[0-9;]*[A-Za-z]/)) {
				what = substr($0, i + RLENGTH, 1)
				if (what == "K")
					row = substr(row, 1, col)
				if (what == "C")
					col += substr($0, i + 2, RLENGTH - 2)
				i += RLENGTH
			} else {
				i++
			}
		}
		print row
	}' >"$tmp/screen"
# The first command is the one that boots it.
awk -v tmp="$tmp" '
	FILENAME ~ /commands$/ { if ($2 == "guest") number[++n] = $1; next }
	/^gnomon% / {
		out = tmp "/printed." number[++i]
		sub(/^gnomon% /, "")
		print >(tmp "/typed." number[i])
		next
	}
	{ print >(i ? out : tmp "/printed.1") }' "$tmp/commands" "$tmp/screen"
page_host "$tmp/out"

if [ "${1-}" = -u ]; then
	page_update "$page"
	exit
fi
while read -r i where command; do
	[ "$where" = host ] || is "$(cat "$tmp/typed.$i")" "$command" "the keys give: $command"
done <"$tmp/commands"
page_compare
finish
