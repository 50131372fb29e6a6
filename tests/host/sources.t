#!/bin/sh
# Where the sources of a program are found: where the compiler ran for each file, or where the user
# says; and what is said if they are not. B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
cross=${CROSS-i686-linux-gnu-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
GNOMON_BUILD=$work/nowhere
export GNOMON_BUILD LC_ALL=C
report() { "$B/gnomon" report "$@"; }

# compile FOLDER FILE FUNCTION: FILE.o of a file, compiled in its folder
compile() {
	mkdir -p "$1" && echo "int $3(void) { return 7; } /* $3 in $1 */" >"$1/$2.c" &&
		(cd "$1" && "${cross}gcc" -m32 -g -O1 -fno-pic -c "$2.c" -o "$work/$3.o") || exit 1
}
# counted PROGRAM FUNCTIONS: what a profile says of a program in which these functions ran
counted() {
	echo "module $1 /bin/$1 00001000 -"
	"${cross}nm" -n "$1" | while read -r address _ function; do
		case " $2 " in
		*" $function "*) echo "$((0x$address - 0x1000)) 1" ;;
		esac
	done
}
# link PROGRAM FUNCTION...: of their files
link() {
	to=$1
	shift
	# Names of ours have no blanks.
	# shellcheck disable=SC2046
	"${cross}ld" -m elf_i386 -Ttext=0x1000 -e "$1" -o "$to" $(printf '%s.o ' "$@") || exit 1
}
compile elsewhere other other
compile app one one
compile app/lib two two
compile app/part same here
compile app/lib/part same there
link other other
link both one two here there
{
	echo 'gnomon modules 2 coverage 0'
	counted other other
	counted both 'one two here there'
	echo end 8
} >all
# texts ARGUMENT...: the text of the lines in a report, those of the source
texts() { report -l "$@" 2>said | grep -o '/\* .*' | sort; }

is "$(texts -i other -i both all)" '/* here in app/part */
/* one in app */
/* other in elsewhere */
/* there in app/lib/part */
/* two in app/lib */' 'each file is looked for where the compiler ran for it, whatever it ran for before'
is "$(cat said)" '' 'and there is nothing to say'
is "$(for f in here there; do report -i other -i both -a $f all | grep -o '/\* .*'; done)" '/* here in app/part */
/* there in app/lib/part */' 'files of one name are two in annotations, too'
report -i other -i both --html page.html all
has "$(cat page.html)" 'there in app' 'and in a page'
"$B/gnomon" export -i other -i both -f lcov all | sed -n "s,^SF:$work/,,p" | sort >files
is "$(xargs <files)" 'app/lib/part/same.c app/lib/two.c app/one.c app/part/same.c elsewhere/other.c' \
	'gnomon export has their paths'

# ---- -S, several times

mkdir moved && mv app/one.c moved && mkdir further && mv app/lib/two.c further
is "$(texts -i other -i both all | grep -c 'one\|two')" 0 'files that were moved are not found'
is "$(texts -i other -i both -S moved -S further all | grep 'one\|two')" '/* one in app */
/* two in app/lib */' '-S names one folder after the other'
is "$(texts -i other -i both -S moved -S further all | wc -l)" 5 'and the others are still found'
echo '/* changed */' >further/other.c
is "$(texts -i other -i both -S moved -S further all | grep -c 'other\|changed')" 1 'but it comes first'
has "$(texts -i other -i both -S moved -S further all)" '/* changed */' 'in the order in which they are given'

# ---- no source at all

mv app gone
{
	echo 'gnomon modules 2 coverage 0'
	counted both 'one two here there'
	echo end 6
} >lost
none='gnomon report: no source was found; the first file that was looked for is'
give='give the folder of the sources with --source'
for options in -l '-a one' '-l -a one' '-l -o csv'; do
	# Options are words.
	# shellcheck disable=SC2086
	is "$(report -i both $options lost 2>&1 >/dev/null)" "$none $work/app/one.c; $give" \
		"one line says that no source was found, and which was looked for: $options"
done
is "$(report -i both -l -S elsewhere lost 2>&1 >/dev/null)" "$none elsewhere/one.c; $give" 'with -S, too'
is "$(report -i both -l -o json lost 2>said | jq -r '.notes[]')$(cat said)" "${none#*: } $work/app/one.c; $give" \
	'data have it as a note'
is "$(report -i both lost 2>&1 >/dev/null)" '' 'a report that shows no source says nothing of it'
is "$(report -i both -l -S further lost 2>&1 >/dev/null)" '' 'nor one that has found some'

# ---- sources that were changed since

mkdir app && echo 'int one(void) { return 8; } /* one later */' >app/one.c && touch -d '1 hour' app/one.c
newer="app/one.c is newer than both: its lines may have moved"
for options in -l '-a one' '-l -a one' '-l -o csv' '--html page.html'; do
	# Options are words.
	# shellcheck disable=SC2086
	is "$(report -i both $options lost 2>&1 >/dev/null)" "gnomon report: $work/$newer" \
		"one line says that a source is newer than the program: $options"
done
is "$(report -i both -l -o json lost 2>said | jq -r '.notes[]')$(cat said)" "$work/$newer" 'data have it as a note'
mkdir app/lib && echo '/* two later */' >app/lib/two.c && touch -d '1 hour' app/lib/two.c
is "$(report -i both -l lost 2>&1 >/dev/null)" "gnomon report: $work/$newer, and so may those of 1 more" \
	'of several it is one line, too'
touch -d '2 hours' both
is "$(report -i both -l lost 2>&1 >/dev/null)" '' 'none where the program was linked later'
is "$(report -i both lost 2>&1 >/dev/null)" '' 'nor where no source is shown'
finish
