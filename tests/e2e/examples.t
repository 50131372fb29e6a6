#!/bin/sh
# Every manual page of sections 1, 2, 3 and 8 has EXAMPLES, and they work. Programs and what is
# typed in the guest run in one session, in which each page has a shell of its own; what is typed
# on the host runs in a folder with what the session and `make profile' leave, one page after the
# other. No command fails, and where a page shows what is printed, that is printed; three dots in
# it stand for anything. examples.awk says how pages are read.
#
# usage: tests/e2e/examples.t [SECTION/PAGE...]
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
pages=${*:-$(cd docs/man && echo [1238]/*)}
host=$tmp/host guest=$tmp/host/build/out

is "$(grep -L '^NAME$' "$b"/man/*/*)" '' 'the guest has whole pages, but for programs'

mkdir -p "$guest/tmp"
cp -rp "$b/gnomon" "$b/gnomon.elf" "$b/initrd.cpio" "$b/record.so" "$b/kprof" "$b/prfpr" "$b/bin" "$host/build"
for page in $pages; do
	mkdir -p "$tmp/$page" "$guest/$page"
	program=$page/${page#*/}
	[ ! -f "$b/examples/$page" ] || cp "$b/examples/$page" "$guest/${program%.*}"
	awk -v dir="$tmp/$page" -v program="/n/remote/${program%.*}" -f tests/e2e/examples.awk \
		"docs/man/$page"
	touch "$tmp/$page/printed"
done

# The guest finds its scripts and the programs in /n/remote, and leaves there what they print.
for page in $pages; do
	[ -f "$tmp/$page/guest" ] || continue
	cp "$tmp/$page/guest" "$guest/$page"
	cat <<-END
		sh -e /n/remote/$page/guest </dev/null >/tmp/printed >[2=1]
		cp /tmp/printed /n/remote/$page
		{echo stop >/dev/kpctl; echo end >/prof/ctl; kgmon -h; prfstat off} >/dev/null >[2=1]
	END
done >"$tmp/session"
echo 'test ! -f /tmp/log || cp /tmp/log /n/remote' >>"$tmp/session"
"$b/gnomon" run -t 60 -o "$guest" --append idle=poll --sound "$tmp/sound" \
	-s "$tmp/session" >"$tmp/out" 2>&1 </dev/null
is "$? $(cat "$tmp/out")" '0 ' 'the session in the guest'

tools/run/profile "$host/build" >"$tmp/out" 2>&1
ok $? 'what make profile leaves' "$(cat "$tmp/out")"
for page in $pages; do
	[ -f "$tmp/$page/host" ] || continue
	{ echo 'make() { :; }'; cat "$tmp/$page/host"; } >"$tmp/script"
	(cd "$host" && HOME=$PWD PATH=$PWD/build:$PATH && export HOME && sh -e "$tmp/script") </dev/null \
		>"$tmp/$page/printed" 2>&1
done

# printed PAGE N: what the Nth of its examples printed
printed() {
	cat "$tmp/$1/printed" "$guest/$1/printed" 2>/dev/null |
		awk -v n="$2" '/^@ / { on = $2 == n; next } on { sub(/[ \t]+$/, ""); print }'
}

# wrong PAGE: what is not as it should be
wrong() {
	for side in "$guest/$1/guest" "$tmp/$1/host"; do
		[ ! -f "$side" ] || tail -n 1 "${side%/*}/printed" | grep -qx '@ end' ||
			{ echo "the end was not reached, after"; tail -n 20 "${side%/*}/printed"; }
	done
	[ ! -f "$b/examples/$1" ] || ls "$tmp/$1"/*.shown >/dev/null
	for shown in "$tmp/$1"/*.shown; do
		[ -f "$shown" ] || continue
		got=$(printed "$1" "$(basename "$shown" .shown)")
		wanted=$(sed 's/[][*?\\]/\\&/g; s/\.\.\./*/g' "$shown")
		# shellcheck disable=SC2254
		case $got in
		$wanted) ;;
		*) printf '%s\nis not, as the page has it,\n%s\n' "$got" "$(cat "$shown")" ;;
		esac
	done
}

for page in $pages; do
	count=$(cat "$tmp/$page/guest" "$tmp/$page/host" 2>/dev/null | grep -c '^echo; echo @ [0-9]')
	untried=$(sort -u "$tmp/$page/untried" 2>/dev/null | paste -sd ';')
	wrong "$page" >"$tmp/out" 2>&1
	[ ! -s "$tmp/out" ] && [ "$count$untried" != 0 ]
	ok $? "$page, tried: $count${untried:+, not tried: $untried}" "$(cat "$tmp/out")"
done
finish
