#!/bin/sh
# The papers and the manual as make docs makes them: every link leads somewhere, every page is in
# the PDF; and the drawings, which are what their texts say and name functions that exist (E2).
cd "$(dirname "$0")/.." || exit 1
. tests/host/tap.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C

tools/build/docs "$tmp/docs" >"$tmp/out" 2>&1
is "$? $(cat "$tmp/out")" "0 $tmp/docs/index.html" 'the papers and the manual are pages'
cd "$tmp/docs" || exit 1
grep -oE '(href|src)="[^"#:]+["#]' ./*.html | sed 's/:[^"]*"/ /; s/.$//' | sort -u |
	while read -r page target; do [ -e "$target" ] || echo "$page: there is no $target"; done >"$tmp/bad"
[ ! -s "$tmp/bad" ]
ok $? 'every link leads to a page or picture' "$(head "$tmp/bad")"
is "$(grep -c 'class="Xr" href="kpdata.5.html">' kprof.3.html | sed 's/^[1-9].*/some/')" some \
	'a page of the manual leads to the next'
cd "$OLDPWD" || exit 1
{ ls docs/*.md | sed 's|docs/\(.*\)\.md|\1|'; find docs/man -name '*.[1-9]' | sed 's|.*/||'; } |
	while read -r name; do grep -q "href=\"$name.html\"" "$tmp/docs/index.html" || echo "$name"; done >"$tmp/bad"
is "$(cat "$tmp/bad")" '' 'the index has all of them'
[ "$(pdfinfo "$tmp/docs/manual.pdf" | awk '$1 == "Pages:" { print $2 }')" -ge "$(find docs/man -name '*.[1-9]' | wc -l)" ]
ok $? 'the PDF has each page of the manual'

for text in docs/diagrams/*.dot; do
	tail -n 1 "${text%.dot}.svg" | grep -qxF "<!-- of $(cksum <"$text") -->" ||
		echo "${text%.dot}.svg is of another text: make diagrams"
	docs/diagrams/draw "$text" | grep -q '^</svg>' || echo "$text cannot be drawn"
	grep -q "(diagrams/$(basename "$text" .dot).svg)" docs/diagrams.md || echo "$text is on no page"
done >"$tmp/bad" 2>&1
is "$(cat "$tmp/bad")" '' 'E2 drawings are what their texts say'
sed 's/\\l/ /g' docs/diagrams/*.dot | grep -oE '[a-z_0-9]+\(\)' | tr -d '()' | sort -u >"$tmp/named"
{
	git -c safe.directory="$PWD" ls-files '*.asm' | xargs sed -n 's/^global \([a-z_0-9]*\).*/\1/p'
	git -c safe.directory="$PWD" ls-files '*.[ch]' | xargs ctags -x --_xformat='%N' --kinds-C=fpd
} | sort -u | comm -23 "$tmp/named" - >"$tmp/bad"
is "$(wc -l <"$tmp/named" | awk '{ print ($1 > 20) }') $(cat "$tmp/bad")" '1 ' \
	'E2 every function that a drawing names exists'

# Where a text says in which file a function is, it is there.
for text in CONTRIBUTING.md docs/*.md; do
	tr '\n' ' ' <"$text" | grep -oE '`[a-z_0-9]+\(\)` +in +`[a-z_0-9/]+\.[ch]`' | tr -d '`()' |
		while read -r name _ file; do
			ctags -x --_xformat='%N' --kinds-C=fpd "$file" 2>&1 | grep -qx "$name" || echo "$text: $name, $file"
		done
done >"$tmp/bad"
is "$(cat "$tmp/bad")" '' 'functions are in the files that texts name'
finish
