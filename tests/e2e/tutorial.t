#!/bin/sh
# The tutorial, docs/tutorial.md: its commands, in the guest and on the host, print what the
# page shows. Numbers may be somewhat off, for each build of the kernel has its own.
#
# Needs: pg/words
#
# usage: tests/e2e/tutorial.t [-u]	(-u: put what is printed now into the page)
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
. tests/e2e/pages.sh
page=docs/tutorial.md

page_commands "$page"

# All commands of the guest run one after the other in one session.
while read -r i where command; do
	[ "$where" = guest ] && printf 'echo @ %s\n%s\n' "$i" "$command"
done <"$tmp/commands" >"$tmp/script"
"$b/gnomon" run -t 120 --append idle=poll -s "$tmp/script" >"$tmp/session" 2>&1
ok $? 'the session in the guest' "$(tail -n 20 "$tmp/session")"
awk -v tmp="$tmp" '/^@ / { out = tmp "/printed." $2; next } { print >out }' "$tmp/session"

page_host "$b/out"

if [ "${1-}" = -u ]; then
	page_update "$page"
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

page_compare
finish
