#!/bin/sh
# Of which build of a program a profile is, which FILE.run tells: its functions are named by that one,
# wherever it is found, and by no other. B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
cross=${CROSS-i686-linux-gnu-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir -p build/bin
GNOMON_BUILD=$work/build
export GNOMON_BUILD LC_ALL=C
"$B/tests/tools/mkkernel" build/gnomon.elf kpdata || exit 1
kernel=abcd000000000000000000000000000000000000

# program TO FUNCTION [OPTION...]: one whose only function, at 400000, is called so
program() {
	printf '.globl %s\n.type %s,@function\n%s: .skip 32, 0x90\n .ascii "%s"\n' "$2" "$2" "$2" "$2" |
		"${cross}as" --32 -o one.o && "${cross}strip" -g one.o || exit 1
	to=$1 function=$2
	shift 2
	"${cross}ld" -m elf_i386 -Ttext=0x400000 -e "$function" "$@" -o "$to" one.o || exit 1
}
# id FILE: its build id
# short ID: as messages have it
short() { echo "$1" | cut -c 1-12; }
id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
# paths TO: of two programs
paths() {
	printf '%s\n' "# kpstack version=1 build=$kernel" '# period_us=1000 ticks=9 overflow=0 depth=8' \
		'mine;[user];0x00400010 6' 'idle;[idle];0xc01000c0 3' >"$1"
}
# named ARGUMENT...: what a report calls the function in which the program was; and what it says
named() {
	"$B/gnomon" report "$@" 2>said | awk '$NF ~ /^mine:/ { print $NF }'
	cat said
}

mkdir old && program old/mine before --build-id=sha1
program build/bin/mine after --build-id=sha1
old=$(id old/mine) new=$(id build/bin/mine)
isnt "$old" "$new" 'two builds'
paths paths
is "$(named paths)" 'mine:after' 'without FILE.run a program is the one of its name that was built'
echo "build=$kernel" >paths.run
is "$(named paths)" 'mine:after' 'so it is where FILE.run does not tell'
printf 'build=%s\nprogram=/bin/mine id=%s\n' "$kernel" "$new" >paths.run
is "$(named paths)" 'mine:after' 'a program of the build that ran gives its names'

# ---- one that was built again

tell() { printf 'build=%s\nprogram=/bin/mine id=%s%s\n' "$kernel" "$old" "$1" >paths.run; }
tell ''
another() {
	printf 'mine:?\ngnomon report: paths: from another build of mine: its build id is '
	printf '%s, that of %s is %s; its functions are not named; give the right file with --image, or keep it next time by gnomon run --keep' "$(short "$1")" "$2" "$(short "$3")"
}
is "$(named paths)" "$(another "$old" "$work/build/bin/mine" "$new")" 'of another build it has none, and one line says so'
is "$(named -i build/bin/mine paths)" "$(another "$old" build/bin/mine "$new")" 'not even if that is the one that the user names'
is "$(named -i old/mine paths)" 'mine:before' 'the one that ran has them, if it is named'
cp old/mine other
is "$(named -i build/bin/mine -i other paths)" 'mine:before' 'whatever it is called, and in whatever order'
is "$("$B/gnomon" export paths 2>said | grep mine)$(grep -c 'another build of' said)" 'mine;[user];mine:? 61' \
	'gnomon export does the same'
"$B/gnomon" report --html page.html paths 2>said
is "$(grep -c '"before"' page.html):$(grep -c 'another build of' said)" 0:1 'and a page'
"$B/gnomon" report -l -o json paths 2>said | jq -r '.notes[]' >notes
is "$(grep -c 'ticks in mine: its file is not known' notes):$(wc -l <said)" 1:1 'data have a note'
mkdir bin && cp old/mine bin
is "$(named paths)" 'mine:before' 'one that is kept in bin beside the profile is found'
mkdir 1 && cp paths paths.run 1 && (cd 1 && named paths) >found
is "$(cat found)" 'mine:before' 'and beside the folders of several runs'
program bin/mine never --build-id=sha1
has "$(named paths)" "that of bin/mine is $(short "$(id bin/mine)");" 'unless that is another one, too'
rm -r bin

# ---- where gnomon run took it from

mkdir 'my own, 100%' && cp old/mine 'my own, 100%/theirs'
tell " file=$work/my%20own,%20100%25/theirs"
is "$(named paths)" 'mine:before' 'the file that the machine was given is looked at'
program 'my own, 100%/theirs' later --build-id=sha1
rm build/bin/mine
is "$(named paths)" "$(another "$old" "$work/my own, 100%/theirs" "$(id "$work/my own, 100%/theirs")")" \
	'and is another one when it was built again'
mkfifo pipe
tell " file=$work/pipe"
is "$(named paths)" 'mine:?
gnomon report: paths: the functions of mine are not named, for no file of that name was found; give it with --image' \
	'a program without any file is told, with the option that gives one; a pipe is none'
awk 'NR == 3 { for (i = 1; i < 8; i++) print "p" i ";[user];0x00400010 1" } NR != 3' paths |
	sed 's/ticks=9/ticks=10/' >several
has "$("$B/gnomon" report several 2>&1)" \
	'several: the functions of p1, p2, p3, p4, p5 and others are not named, for no files of these names were found' \
	'of several, the first ones'
is "$("$B/gnomon" report -M idle several 2>&1 | grep -c named)" 0 'none where nothing of them is shown'
is "$("$B/gnomon" diff several several 2>&1 | grep -c 'not named')" 2 'of each side of a comparison'

# ---- without build ids: by size and CRC-32 of the code

mkdir plain && program plain/mine before --build-id=none && program build/bin/mine after --build-id=none
# elf.crc FILE: what stands in the place of its build id
code() {
	"${cross}objcopy" -O binary -j .text "$1" text &&
		printf '%08x%s\n' "$(wc -c <text)" "$(gzip -c text | tail -c 8 | od -An -tx4 -N4 | tr -d ' ')"
}
printf 'build=%s\nprogram=/bin/mine id=%s\n' "$kernel" "$(code plain/mine)" >paths.run
has "$(named paths)" "its build id is $(code plain/mine), that of $work/build/bin/mine is $(code build/bin/mine)" \
	'a program without a build id is told from others by its code'
is "$(named -i plain/mine paths)" 'mine:before' 'and known by it'
"${cross}objcopy" --add-section .more=paths plain/mine plain/more
is "$(named -i plain/more paths)" 'mine:before' 'whatever else is in the file'
program build/bin/mine after --build-id=sha1

# ---- several programs of one name, and nonsense

printf 'build=%s\nprogram=/bin/mine id=%s\nprogram=/tmp/mine id=%s\n' "$kernel" "$new" "$old" >paths.run
is "$(named -i old/mine paths)" 'mine:before' 'of two programs of one name it is the one that was put in'
for line in 'program=/bin/mine' 'program=/bin/mine id=' 'program= id=12' 'program=/bin/mine id=xyz' \
	'program=/bin/yours id=12' ' program=/bin/mine id=12' 'program=/bin/mine%00 id=xy file=%'; do
	printf 'build=%s\n%s\n' "$kernel" "$line" >paths.run
	is "$(named paths)" 'mine:after' "a line that tells nothing: $line"
done
sed "s/^/#/; s/$kernel/1bcd000000000000000000000000000000000000/" paths.run >other.run
printf 'build=1bcd000000000000000000000000000000000000\nprogram=/bin/mine id=%s\n' "$old" >paths.run
is "$(named paths)" 'mine:after' "what is of another kernel is another file's"
rm paths.run

# ---- counts of modules, which tell the build of each themselves

# counts TO: of two programs
counts() {
	printf '%s\n' 'gnomon modules 2 coverage 0' "module mine /tmp/mine 00400000 $old" '0 6' '1 6' \
		"module more /bin/more 00400000 $(id build/bin/more)" '0 4' 'end 6' >"$1"
}
program build/bin/more another --build-id=sha1
mkdir given && cp old/mine given
counts modules
printf 'build=%s\nprogram=/bin/mine id=%s\nprogram=/tmp/mine id=%s file=%s\n' "$kernel" "$new" "$old" \
	"$work/given/mine" >modules.run
is "$(named modules)" 'mine:before' 'the file of that build which the machine was given is found'
is "$("$B/gnomon" export modules | grep mine)" 'mine;before 12' 'by gnomon export, too'

printf 'build=%s\n' "$kernel" >modules.run
is "$(named modules)" "$(another "$old" "$work/build/bin/mine" "$new" | sed 's,report: paths,report: modules,')" \
	'without it, its functions have no names, and it is said'
"$B/gnomon" report modules >flat 2>said
is "$?:$(grep -c more:another flat)" 0:1 'those of others have'
is "$(named -i old/mine modules)" 'mine:before' 'it can be named'
"$B/gnomon" report --html page.html paths modules >said 2>&1
is "$?:$(grep -c 'another build of' said):$(grep -c '"another"' page.html)" 0:1:1 'a page of several is made'
"$B/gnomon" diff modules modules >rows 2>said
is "$?:$(grep -c '^gnomon diff: modules: from another build of mine' said)" 0:2 'a comparison, too'

# ---- two profiles at once: each has the programs that it is of

mkdir -p past/bin && paths past/paths && cp old/mine past/bin
printf 'build=%s\nprogram=/bin/mine id=%s\n' "$kernel" "$old" >past/paths.run
mkdir now && paths now/paths
printf 'build=%s\nprogram=/bin/mine id=%s\n' "$kernel" "$new" >now/paths.run
is "$("$B/gnomon" diff past/paths now/paths 2>&1 | awk '$NF ~ /^mine:/ { print $NF }' | sort | xargs)" \
	'mine:after mine:before' 'gnomon diff names each side by its own build'
rm past/bin/mine
mine() { awk '$NF ~ /^mine:/ { print $1, $2, $NF }'; }
for sides in 'past/paths now/paths' 'now/paths past/paths'; do
	# Sides are words.
	# shellcheck disable=SC2086
	"$B/gnomon" diff $sides >rows 2>said
	is "$(mine <rows)" '66.67 66.67 mine:?' "a program that has no names on one side is one row: $sides"
	has "$(cat rows)" 'Programs that are one row each, for their functions have names on one side only: mine.' \
		'and the head says so'
	is "$(head -n 1 rows | grep -c mine)" 0 'nor is there a verdict of what has the names'
done
mkdir -p pasts/1 pasts/2 nows/1 nows/2
for run in pasts/1 pasts/2; do cp past/paths past/paths.run "$run"; done
for run in nows/1 nows/2; do cp now/paths now/paths.run "$run"; done
sed 's/ 6$/ 5/; s/ 3$/ 4/' past/paths >pasts/2/paths
sed 's/ 6$/ 5/; s/ 3$/ 4/' now/paths >nows/2/paths
is "$("$B/gnomon" diff pasts nows 2>/dev/null | mine)" '61.11 61.11 mine:?' 'in several runs, too'
"$B/gnomon" diff --html page.html past/paths now/paths 2>/dev/null
is "$(grep -c '"after"' page.html):$(grep -c 'names on one side only: mine' page.html)" 0:1 'and in a page'
is "$("$B/gnomon" diff --folded past/paths now/paths 2>/dev/null | grep mine)" 'mine;? 6 6' 'and among paths'
finish
