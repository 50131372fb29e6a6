#!/bin/sh
# H2: every program of the host's tells its version and its usage on the standard output, and what
# is wrong with a command line on the standard error, with status 2. The number is that of VERSION,
# in the kernel too.
cd "$(dirname "$0")/../.." || exit 1
. tests/host/tap.sh
b=${B:-build}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
number=$(cat VERSION)
commit=$(tr -d '[]' <"$b/commit")

# told ARGUMENT...: what a program printed: its status, output and messages
told() {
	"$@" >"$tmp/out" 2>"$tmp/errors" </dev/null
	status=$?
}

# tells NAME COMMIT COMMAND...: the program keeps to all of that
tells() {
	name=$1 version=$2
	shift 2
	told "$@" --version
	is "$status:$(cat "$tmp/out" "$tmp/errors")" "0:$version" "H2 $name --version"
	for help in --help -h; do
		told "$@" $help
		is "$status:$(head -c 7 "$tmp/out"):$(cat "$tmp/errors")" '0:usage: :' \
			"H2 $name $help: to the standard output, status 0"
	done
	told "$@" --no-such-option
	# The options of gnomon cc are the compiler's, which ends with 1.
	[ "$name" != "gnomon cc" ] || [ "$status" != 1 ] || status=2
	[ "$status" = 2 ] && [ ! -s "$tmp/out" ] && [ -s "$tmp/errors" ]
	ok $? "H2 $name: a wrong option is an error, status 2" "$status: $(cat "$tmp/out")"
	"$@" --version >/dev/full 2>/dev/null
	is $? 1 "H2 $name --version: status 1 if it cannot be printed"
}

ours="gnomon $number${commit:+, commit $commit}"
tells gnomon "$ours" "$b/gnomon"
commands=$("$b/gnomon" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
is "$(echo "$commands" | sort | tr '\n' ' ')" \
	"$(sed -n 's/.*\.name = "\([a-z]*\)", \.main.*/\1/p; s/.*{\.name = "\([a-z]*\)",$/\1/p' \
		tools/gnomon.c | sort -u | tr '\n' ' ')" 'H2 --help lists all commands'
for c in $commands; do
	tells "gnomon $c" "$ours" "$b/gnomon" "$c"
done
for source in tools/classic/*.c; do
	p=$(basename "$source" .c)
	tells "$p" "$p (Gnomon) $number${commit:+, commit $commit}" "$b/$p"
done
# What only the build runs does not change with each commit.
for source in tools/build/*.c; do
	p=$(basename "$source" .c)
	tells "$p" "$p (Gnomon) $number" "$b/$p"
done
told "$b/gnomon"
is "$status:$(head -c 7 "$tmp/errors"):$(cat "$tmp/out")" '2:usage: :' 'H2 no command is an error'

if [ -e .git ]; then
	git -c safe.directory="$PWD" cat-file -e "${commit%-changed}^{commit}" 2>"$tmp/errors"
	ok $? 'H2 the commit is one of this checkout' "$commit: $(cat "$tmp/errors")"
fi
strings "$b/gnomon.elf" >"$tmp/strings"
grep -q "^gnomon $number, build %s" "$tmp/strings" && grep -q "^gnomon $number %s" "$tmp/strings"
ok $? 'H2 the kernel has the same number' "$(grep '^gnomon ' "$tmp/strings")"

finish
