#!/bin/sh
# The floors of the kernel (docs/design.md), by the symbols of the object files: names are
# known downwards only, and prof/ knows nothing but its hooks.
#
# usage: tests/floors.t [BUILD]	(default: build; NM and CC: the tools)

cd "$(dirname "$0")/.." || exit 1
obj=${1:-${B:-build}}/obj
NM=${NM:-nm}
n=0 bad=0

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C

# result NAME FILE: passes if the file, which tells what is wrong, is empty.
result() {
	n=$((n + 1))
	if [ -s "$2" ]; then
		bad=1
		echo "not ok $n - $1"
		sed 's/^/# /' "$2"
	else
		echo "ok $n - $1"
	fi
}

# objects FOLDER...: the objects of the sources that are there; older ones may lie beside them.
objects() {
	find "$@" -name '*.c' -o -name '*.asm' | sed 's/\.[a-z]*$//' | while read -r name; do
		[ ! -e "$obj/$name.o" ] || echo "$obj/$name.o"
	done | sort -u
}

# For each floor, what its objects define for others, and what they need, with the object's name.
for floor in prof kernel drivers boot; do
	objects "$floor" >"$tmp/objects"
	[ -s "$tmp/objects" ] || echo "$obj/$floor holds no objects" >>"$tmp/none"
	# The list is of our own files, whose names hold no blanks.
	# shellcheck disable=SC2046
	[ ! -s "$tmp/objects" ] || "$NM" -A -g $(cat "$tmp/objects") >"$tmp/symbols"
	awk '$(NF - 1) ~ /^[A-TV-Z]$/ { print $NF }' "$tmp/symbols" | sort -u >"$tmp/$floor.has"
	awk '$(NF - 1) == "U" { sub(/:.*/, "", $1); print $NF, $1 }' "$tmp/symbols" |
		sort -u >"$tmp/$floor.needs"
done
touch "$tmp/none"
result 'every floor has objects' "$tmp/none"

# below FLOOR ABOVE...: none of FLOOR's objects needs what only the floors above it have.
below() {
	floor=$1
	shift
	for above in "$@"; do
		cat "$tmp/$above.has"
	done | sort -u | join -o 1.1,1.2 "$tmp/$floor.needs" - |
		awk '{ print $2 " needs " $1 }' >"$tmp/wrong"
	result "$floor/ needs nothing of $*" "$tmp/wrong"
}
below kernel drivers boot
below drivers boot

# The rooms of the kernel's core, lowest first: none needs what only those above it define.
rooms='machine memory sched file process'
for room in $rooms; do
	# shellcheck disable=SC2046
	"$NM" -A -g $(objects "kernel/$room") >"$tmp/symbols"
	awk '$(NF - 1) ~ /^[A-TV-Z]$/ { print $NF }' "$tmp/symbols" | sort -u >"$tmp/$room.has"
	awk '$(NF - 1) == "U" { sub(/:.*/, "", $1); print $NF, $1 }' "$tmp/symbols" |
		sort -u >"$tmp/$room.needs"
done
above=$rooms
for room in $rooms; do
	above=${above#"$room"}
	above=${above# }
	# shellcheck disable=SC2086
	[ -z "$above" ] || below "$room" $above
done

# A header is named after the file that defines what it declares: of the kernel's functions less
# than one in ten stands in another's.
# shellcheck disable=SC2046
ctags -x --c-kinds=p $(find kernel -name '*.h' ! -path '*/abi/*') | awk '{ print $1, $4 }' |
	sort -u >"$tmp/declared"
# shellcheck disable=SC2046
{
	ctags -x --c-kinds=f $(find kernel -name '*.c') | awk '{ print $1, $4 }'
	grep -o '^global [a-z_0-9]*:function' $(find kernel -name '*.asm') |
		sed 's/\(.*\):global \(.*\):function/\2 \1/'
} | sort -u >"$tmp/defined"
join "$tmp/declared" "$tmp/defined" | awk '{
	header = $2
	file = $3
	sub(/\.h$/, "", header)
	sub(/\.[a-z]*$/, "", file)
	n++
	if (header != file) {
		foreign++
		print $1 " of " $3 " is declared in " $2
	}
}
END {
	exit foreign * 10 >= n
}' >"$tmp/found" || cp "$tmp/found" "$tmp/wrong"
result 'headers are named after the files that they are for' "$tmp/wrong"

tools/map "${obj%/obj}" | grep '^ ' | tr -s ' ' '\n' | sort -u >"$tmp/mapped"
cat "$tmp/kernel.has" "$tmp/drivers.has" "$tmp/prof.has" | sort -u | comm -23 - "$tmp/mapped" |
	sed 's/$/ is missing/' >"$tmp/wrong"
result 'make map shows every name' "$tmp/wrong"

# Each file of drivers/ with a file whose header it includes; x.c and x.h are one.
awk '/^#include "drivers\// {
	from = FILENAME
	to = $2
	sub(/\.[ch]$/, "", from)
	gsub(/^"|\.h"$/, "", to)
	if (from != to)
		print from, to
}' drivers/*/*.[ch] >"$tmp/includes"
tsort "$tmp/includes" >"$tmp/sorted" 2>"$tmp/wrong"
[ -s "$tmp/sorted" ] || echo 'drivers/ includes nothing of its own' >>"$tmp/wrong"
result 'no circle of includes in drivers/' "$tmp/wrong"

# The compiler itself lists the functions that a header declares.
echo '#include "prof/prof_hooks.h"' >"$tmp/hooks.c"
${CC:-gcc} -I. -fsyntax-only -aux-info "$tmp/hooks.X" "$tmp/hooks.c" 2>"$tmp/wrong"
result 'prof/prof_hooks.h stands alone' "$tmp/wrong"
sed -n 's|^/\* [^ ]*prof_hooks\.h:.*[ *]\([A-Za-z_0-9]*\) (.*|\1|p' "$tmp/hooks.X" | sort -u >"$tmp/hooks"
[ -s "$tmp/hooks" ] || echo 'prof/prof_hooks.h declares no hooks' >"$tmp/wrong"
result 'prof/prof_hooks.h declares the hooks' "$tmp/wrong"
cut -d ' ' -f 1 "$tmp/prof.needs" | sort -u | comm -23 - "$tmp/prof.has" >"$tmp/outside"
comm -23 "$tmp/outside" "$tmp/hooks" | sed 's/.*/prof\/ needs & which is no hook/' >"$tmp/wrong"
result 'prof/ needs nothing but its hooks' "$tmp/wrong"
comm -13 "$tmp/outside" "$tmp/hooks" | sed 's/.*/& is a hook that nothing calls/' >"$tmp/wrong"
result 'prof/ needs all of its hooks' "$tmp/wrong"
[ "$(wc -l <"$tmp/hooks")" -le 8 ] || cp "$tmp/hooks" "$tmp/wrong"
result 'there are eight hooks at most' "$tmp/wrong"

# One door leads from the kernel's core, which is kernel/ without kernel/prof/, to profiling.
objects kernel | grep -v '/kernel/prof/' | xargs "$NM" -A -g |
	awk '$(NF - 1) == "U" { sub(/:.*/, "", $1); print $NF, $1 }' | sort -u >"$tmp/core.needs"
objects kernel/prof prof | xargs "$NM" -A -g |
	awk '$(NF - 1) ~ /^[A-TV-Z]$/ { print $NF }' | sort -u >"$tmp/profilers.has"
h=kernel/prof/hooks.h
echo "#include \"$h\"" >"$tmp/core.c"
${CC:-gcc} -std=gnu2x -I. -fsyntax-only -aux-info "$tmp/core.X" "$tmp/core.c" 2>"$tmp/wrong"
result "$h stands alone" "$tmp/wrong"
{
	sed -n "s|^/\* [^ ]*$h:.*[ *]\([A-Za-z_0-9]*\) (.*|\1|p" "$tmp/core.X"
	sed -n 's/^extern .*[ *]\([A-Za-z_0-9]*\);.*/\1/p' "$h"
} | sort -u >"$tmp/door"
join -o 1.1,1.2 "$tmp/core.needs" "$tmp/profilers.has" >"$tmp/through"
[ -s "$tmp/through" ] || echo 'the core calls no profiler' >"$tmp/wrong"
join -v 1 "$tmp/through" "$tmp/door" | awk '{ print $2 " needs " $1 " which is no hook" }' \
	>>"$tmp/wrong"
result "kernel/ needs nothing of its profilers but the hooks of $h" "$tmp/wrong"

# Entry calls are for the kernel: prof/ is never instrumented.
objects prof | while read -r o; do
	"${OBJDUMP:-objdump}" -h "$o" | grep -q __mcount_loc && echo "$o is instrumented"
done >"$tmp/wrong"
result 'prof/ is not instrumented' "$tmp/wrong"

# The rooms, each with the others that it may know. What the rooms of tools/ share is in tools/
# itself. A room without a line is none.
cat >"$tmp/table" <<'EOF'
boot drivers/bus drivers/clock drivers/console drivers/files kernel/machine kernel/memory kernel/sched kernel/file kernel/process kernel/abi kernel/prof
drivers/bus drivers/clock kernel/machine kernel/memory kernel/sched kernel/file kernel/process kernel/abi
drivers/clock drivers/bus kernel/machine kernel/memory kernel/sched kernel/file kernel/process kernel/abi kernel/prof prof
drivers/console kernel/machine kernel/memory kernel/sched kernel/file kernel/process kernel/abi
drivers/files drivers/bus drivers/clock drivers/console kernel/machine kernel/memory kernel/sched kernel/file kernel/process kernel/abi kernel/prof prof
kernel/abi
kernel/file kernel/machine kernel/memory kernel/sched kernel/process kernel/abi kernel/prof
kernel/machine kernel/memory kernel/sched kernel/file kernel/process kernel/abi kernel/prof
kernel/memory kernel/machine kernel/sched kernel/file kernel/process kernel/abi kernel/prof
kernel/process kernel/machine kernel/memory kernel/sched kernel/file kernel/abi kernel/prof
kernel/prof kernel/machine kernel/memory kernel/sched kernel/file kernel/process kernel/abi prof prof/arch
kernel/sched kernel/machine kernel/memory kernel/file kernel/process kernel/abi kernel/prof
prof prof/arch
prof/arch prof
prof/files prof
tools
tools/build drivers/console tools tools/code tools/depth tools/run
tools/cc tools
tools/classic tools tools/code tools/profile userland/formats
tools/code tools userland/formats
tools/depth tools tools/code
tools/diff tools tools/code tools/profile tools/report/page
tools/doctor tools
tools/export tools tools/code tools/profile
tools/guest tools tools/code tools/profile tools/report prof prof/files userland/formats
tools/import tools tools/profile
tools/merge tools tools/profile userland/formats
tools/profile tools tools/code userland/formats
tools/record tools tools/code tools/profile
tools/record/plugin tools
tools/report tools tools/code tools/profile tools/report/page
tools/report/page tools tools/code tools/profile
tools/run tools tools/code tools/profile userland/formats
userland/bin userland/command userland/files userland/formats userland/profile userland/text prof/files
userland/command
userland/files userland/command
userland/formats
userland/libc kernel/abi prof prof/files
userland/libc/include kernel/abi
userland/libc/include/sys kernel/abi
userland/profile userland/command userland/files userland/formats kernel/abi prof prof/files
userland/sh
userland/text userland/files
EOF

# By what their files include:
while read -r room known; do
	for file in "$room"/*.[ch]; do
		sed -n 's|^#include "\([a-z0-9/]*\)/[^/]*"$|\1|p' "$file" | while read -r other; do
			case " $room $known " in
			*" $other "*) ;;
			*) echo "$file includes a header of $other" ;;
			esac
		done
	done
	echo "$room" >>"$tmp/rooms"
done <"$tmp/table" >"$tmp/wrong"
result 'a room knows only those that it may' "$tmp/wrong"

# And by their symbols: what another room's header brings in is not included by name. What prof/
# may need was checked above.
grep -E '^(boot|kernel/[a-z]*|drivers/[a-z]*|prof) ' "$tmp/table" | while read -r room known; do
	find "$room" -maxdepth 1 -name '*.c' -o -maxdepth 1 -name '*.asm' | sed 's/\.[a-z]*$//' |
		while read -r name; do
		[ ! -e "$obj/$name.o" ] || "$NM" -A -g "$obj/$name.o"
	done | awk -v room="$room" -v known="$known" '{ print room, $(NF - 1), $NF, known }'
done >"$tmp/symbols"
awk 'NR == FNR { if ($2 ~ /^[A-TV-Z]$/) where[$3] = $1; next }
	$1 != "prof" && $2 == "U" && $3 in where {
		known = " " $0 " "
		sub(/^ [^ ]* [^ ]* [^ ]*/, "", known)
		if (where[$3] != $1 && index(known, " " where[$3] " ") == 0)
			print $1 " needs " $3 " of " where[$3]
	}' "$tmp/symbols" "$tmp/symbols" | sort -u >"$tmp/wrong"
[ -s "$tmp/symbols" ] || echo 'there are no symbols' >"$tmp/wrong"
result 'a room needs nothing of others than those' "$tmp/wrong"
find boot drivers kernel prof tools userland -name '*.[ch]' | sed 's|/[^/]*$||' | sort -u |
	comm -3 - "$tmp/rooms" >"$tmp/wrong"
result 'every room has its line' "$tmp/wrong"

# C16: C functions of the kernel whose entry is no pad, and those that mcount(9) says have none.
find boot drivers kernel -name '*.c' ! -name offsets.c | while read -r name; do
	${OBJDUMP:-objdump} -d --no-show-raw-insn "$obj/${name%.c}.o" | awk '
		/^[0-9a-f]+ <.*>:$/ { fn = substr($2, 2, length($2) - 3); entry = 1; next }
		entry && !/nopl +0x0\(%eax,%eax,1\)/ { print fn }
		{ entry = 0 }'
done | sort -u >"$tmp/bare"
sed -n '/^\.Ss What is not instr/,/^\.S[hs] R/s/^\.Fn \([a-z0-9_]*\).*/\1/p' docs/man/9/mcount.9 |
	sort -u | diff "$tmp/bare" - | grep '^[<>]' >"$tmp/wrong"
result 'C16 mcount(9) lists what is not instrumented' "$tmp/wrong"

# K4: a bucket has 8 bytes of text. What ran in one that has two functions cannot be told apart.
"$NM" -n -S "${obj%/obj}/gnomon.elf" | awk '
	function number(hex, i, v) {
		for (i = 1; i <= length(hex); i++)
			v = 16 * v + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return v
	}
	NF == 4 && $3 ~ /^[tT]$/ {
		at = number($1)
		if (last && int(last / 8) == int(at / 8))
			print name " and " $4
		last = at + number($2) - 1
		name = $4
		n++
	}
	END { if (n < 500) print "there are " n + 0 " functions" }' >"$tmp/wrong"
result 'K4 no two functions of the kernel share a bucket' "$tmp/wrong"

# W1: what programs leave in the registers of floating point is theirs: the kernel touches none.
${OBJDUMP:-objdump} -d --no-show-raw-insn "${obj%/obj}/gnomon.elf" >"$tmp/code"
[ -s "$tmp/code" ] || echo 'there is no kernel' >>"$tmp/none"
cat "$tmp/none" "$tmp/code" | grep -E 'there is no|%(st|x?mm)|	(f(ld|st|ild|ist|add|sub|mul|div|com)|emms)' >"$tmp/wrong"
result 'W1 the kernel uses no floating point' "$tmp/wrong"

echo "1..$n"
exit $bad
