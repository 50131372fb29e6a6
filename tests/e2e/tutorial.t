#!/bin/sh
# The tutorial, docs/tutorial.md: its commands, in the guest and on the host, print what the
# page shows. Numbers may be somewhat off, for each build of the kernel has its own.
#
# Needs: pg/words
#
# usage: tests/e2e/tutorial.t [-u]	(-u: put what is printed now into the page)
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
page=docs/tutorial.md

# Commands stand in the page's code behind a prompt: $ is the host's, gnomon% the guest's.
# What follows up to the next one, or the end of the code, is shown as their output.
awk -v tmp="$tmp" '
	/^```/ { code = !code; shown = ""; next }
	!code { next }
	/^(\$|gnomon%) / {
		shown = sprintf("%s/shown.%d", tmp, ++n)
		printf "" >shown
		where = $1 == "$" ? "host" : "guest"
		sub(/^[^ ]* /, "")
		print n, where, $0
		next
	}
	shown { print >shown }' "$page" >"$tmp/commands"

# All commands of the guest run one after the other in one session.
while read -r i where command; do
	: >"$tmp/printed.$i"
	[ "$where" = guest ] && printf 'echo @ %s\n%s\n' "$i" "$command"
done <"$tmp/commands" >"$tmp/script"
"$b/gnomon" run -t 120 --append idle=poll -s "$tmp/script" >"$tmp/session" 2>&1
ok $? 'the session in the guest' "$(tail -n 20 "$tmp/session")"
awk -v tmp="$tmp" '/^@ / { out = tmp "/printed." $2; next } { print >out }' "$tmp/session"

# The host's commands. What they would make exists already.
while read -r i where command; do
	case $where$command in
	guest* | hostmake*) continue ;;
	esac
	echo "$command" | sed "s|build/|$b/|g" >"$tmp/command"
	sh "$tmp/command" </dev/null 2>&1 | sed "s|$b/|build/|g" >"$tmp/printed.$i"
done <"$tmp/commands"

if [ "${1-}" = -u ]; then
	awk -v tmp="$tmp" '
		/^```/ { code = !code; skip = 0 }
		code && /^(\$|gnomon%) / {
			print
			out = sprintf("%s/printed.%d", tmp, ++n)
			while ((getline line <out) > 0) {
				sub(/[ \t]+$/, "", line)
				print line
			}
			skip = 1
			next
		}
		!skip' "$page" >"$tmp/page" && cp "$tmp/page" "$page"
	exit
fi

# The reader's guest counts instructions, as the one above does, and make says so.
said=$(env -u MAKEFLAGS -u MFLAGS make B="$b" QEMU=echo run)
has "$said" 'counts its instructions (-icount shift=3); ICOUNT=no: the host' 'make run says whose time it is'
has "$said" ' -icount shift=3 ' 'and it is'
said=$(env -u MAKEFLAGS -u MFLAGS make B="$b" QEMU=echo ICOUNT=no run)
has "$said" "time is the host's" 'ICOUNT=no is the host'\''s time'
! echo "$said" | grep -q -e -icount
ok $? 'as it says' "$said"
has "$(env -u MAKEFLAGS -u MFLAGS make B="$b" QEMU=echo SMP=2 run)" "time is the host's" \
	'several processors run side by side'

# Every line must match one of the others, but for numbers, which may differ a little.
while read -r i where command; do
	awk -v shown="$tmp/shown.$i" '
		function like(a, b,   m, n, k, x, y, d) {
			gsub(/^[^0-9A-Za-z_.]+|[^0-9A-Za-z_.]+$/, "", a)
			gsub(/^[^0-9A-Za-z_.]+|[^0-9A-Za-z_.]+$/, "", b)
			n = split(a, x, /[^0-9A-Za-z_.]+/)
			m = split(b, y, /[^0-9A-Za-z_.]+/)
			if (n != m)
				return 0
			for (k = 1; k <= n; k++) {
				if (x[k] == y[k])
					continue
				if (x[k] !~ /^[0-9.]+$/ || y[k] !~ /^[0-9.]+$/)
					return 0
				d = x[k] - y[k]
				if (d < 0)
					d = -d
				if (d > 20 + (x[k] + y[k]) / 3)
					return 0
			}
			return 1
		}
		FILENAME == shown { page[++n] = $0; next }
		# It is chance whether an interrupt comes while a call is being counted.
		/^kgmon: [0-9]+ calls? (was|were) not counted: / { next }
		{
			for (i = 1; i <= n && !like(page[i], $0); i++)
				;
			if (i > n)
				print "not shown: " $0
			else
				page[i] = "\001"
		}
		END {
			for (i = 1; i <= n; i++)
				if (page[i] != "\001")
					print "not printed: " page[i]
		}' "$tmp/shown.$i" "$tmp/printed.$i" >"$tmp/differ"
	[ ! -s "$tmp/differ" ]
	ok $? "$where: $command" "$(cat "$tmp/differ")"
done <"$tmp/commands"
finish
