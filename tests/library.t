#!/bin/sh
# prof/ by any compiler, for any machine (A1): it compiles without a warning at every level of
# optimization, needs nothing but its hooks and four functions that compilers ask for, and those
# not in a tick nor in an entry call. What is left out of it is not missed, and kprof alone is
# small (A4). Its names begin with prof_, and its state is its caller's (A3).
#
# usage: [CROSS=PREFIX] tests/library.t

cd "$(dirname "$0")/.." || exit 1
. tests/host/tap.sh
cross=${CROSS-i686-linux-gnu-}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C

flags='-std=c11 -pedantic -Wall -Wextra -Wconversion -Werror -ffreestanding -fno-pic -I.
	-ffunction-sections'
sources=$(ls prof/*.c prof/files/*.c)

# What a kernel compiles in: all that is inline.
cat >"$tmp/tick.c" <<'END'
#include "prof/prof.h"
void tick(struct prof *p, struct prof_sample *s, prof_sampler *sample);
void tick(struct prof *p, struct prof_sample *s, prof_sampler *sample)
{
	prof_tick(p, s->cpu, s->at.pc, s->what, sample, s);
	prof_sample(p, prof_running(p), s);
	if (PROF_HAVE_MODULE)
		prof_module_ran(s->module, s->at.pc);
}
END

# compile FOLDER COMPILER...: the sources in $sources, and tick.c, to objects there
compile() {
	rm -rf "${tmp:?}/$1"
	mkdir "$tmp/$1"
	for source in $sources "$tmp/tick.c"; do
		echo "$source $tmp/$1/$(basename "$source" .c).o"
	done >"$tmp/list"
	shift
	# Where it begins is a program's name, $0, to the shell.
	# shellcheck disable=SC2016
	CC=$* xargs -P "$(nproc)" -n 2 sh -c '$CC -c "$0" -o "$1"' <"$tmp/list" 2>&1
}

# needs FOLDER: what its objects need of others
needs() {
	readelf -sW "$tmp/$1"/*.o | awk '$8 == "" || $1 !~ /:$/ { next }
		$7 == "UND" { need[$8] }
		$7 != "UND" && $5 != "LOCAL" { has[$8] }
		END { for (name in need) if (!(name in has)) print name }' | sort
}

# Functions that a tick or an entry call leads to, and that call one of those four. A function is
# a section of its own, and relocations are what it refers to.
cat >"$tmp/reach.awk" <<'AWK'
FNR == 1 { file++ }
/^Relocation section/ {
	from = ""
	if (match($0, /\.text\.[a-z_0-9]+/))
		from = file ":" substr($0, RSTART + 6, RLENGTH - 6)
	next
}
from && $1 ~ /^[0-9a-f]+$/ && NF > 4 {
	name = $5
	sub(/^\.text\./, "", name)
	refers[from, ++n[from]] = name
}
$4 == "FUNC" && $7 != "UND" {
	own[file ":" $8]
	if ($5 != "LOCAL")
		home[$8] = file
}
function visit(node,    i, name, there) {
	if (node in seen)
		return
	seen[node]
	for (i = 1; i <= n[node]; i++) {
		name = refers[node, i]
		if (name ~ /^(__aeabi_)?mem(cpy|move|set|clr|cmp)[48]?$/)
			print substr(node, index(node, ":") + 1) " calls " name
		there = substr(node, 1, index(node, ":")) name
		visit(there in own ? there : home[name] ":" name)
	}
}
END {
	count = split("tick prof_mcount prof_prf_find prof_module_count prof_call_enter prof_call_leave", root, " ")
	for (i = 1; i <= count; i++) {
		if (!(root[i] in home))
			print root[i] " is not there"
		visit(home[root[i]] ":" root[i])
	}
	if (!(":prof_hook_trap" in seen) || !(":prof_hook_cpu" in seen))
		print "they lead to no hooks"
}
AWK

# reached FOLDER: those functions
reached() {
	for object in "$tmp/$1"/*.o; do
		readelf -srW "$object" >"$object.elf"
	done
	awk -f "$tmp/reach.awk" "$tmp/$1"/*.elf
}

echo '#include "prof/prof_hooks.h"' >"$tmp/hooks.c"
gcc -I. -E "$tmp/hooks.c" | grep -o '\bprof_hook_[a-z]*' | sort -u >"$tmp/hooks"
{
	cat "$tmp/hooks"
	# The second line is what ARM calls them.
	printf '%s\n' memcpy memmove memset memcmp
	printf '__aeabi_mem%s\n' cpy cpy4 cpy8 move move4 move8 set clr clr4 clr8
} | sort >"$tmp/allowed"

# machine NAME COMPILER...: the levels of optimization in $levels
machine() {
	name=$1
	shift
	if ! command -v "$1" >/dev/null 2>&1; then
		n=$((n + 1))
		echo "ok $n - A1 $name # skip there is no $1"
		return
	fi
	for level in $levels; do
		# shellcheck disable=SC2086
		compile "$name" "$@" $flags "-O$level" | head -n 5
		needs "$name" | comm -23 - "$tmp/allowed" | sed "s/^/-O$level: prof\\/ needs /"
		reached "$name" | sed "s/^/-O$level: /"
	done >"$tmp/bad"
	[ ! -s "$tmp/bad" ]
	ok $? "A1 $name: prof/ compiles, and needs its hooks alone" "$(head -n 20 "$tmp/bad")"
}

levels="0 1 2 3 s"
machine i686-gcc "${cross}gcc" -m32 -march=i686
machine x86_64-clang clang --target=x86_64-none-elf
levels="0 2 s"
machine x86_64-gcc gcc -m64
machine riscv64-gcc riscv64-linux-gnu-gcc
machine aarch64-gcc aarch64-linux-gnu-gcc -mno-outline-atomics
machine i686-clang clang --target=i686-none-elf
machine riscv32-clang clang --target=riscv32-none-elf -march=rv32imac
machine riscv64-clang clang --target=riscv64-none-elf -march=rv64imac
machine aarch64-clang clang --target=aarch64-none-elf
machine arm-clang clang --target=armv7a-none-eabi
machine big-endian-clang clang --target=powerpc-none-elf

# A3: what a kernel could collide with. All that is written to but prof_entered is the caller's.
compile names "${cross}gcc" -m32 -march=i686 -O2 $flags >"$tmp/bad" 2>&1
readelf -sW "$tmp"/names/prof_*.o | awk '$7 ~ /^[0-9]+$/ && $5 == "GLOBAL" && $8 !~ /^prof_/ {
	print $8 " is global" }' >>"$tmp/bad"
for object in "$tmp"/names/prof_*.o; do
	"${cross}nm" "$object" | awk '$2 ~ /^[bBdDC]$/ && $3 != "prof_entered" {
		print $3 " is a variable" }'
done >>"$tmp/bad"
is "$(cat "$tmp/bad")" '' 'A3 its functions begin with prof_, and prof_entered is its one variable'
find prof -name '*.h' ! -name 'prof_*' ! -path prof/prof.h >"$tmp/bad"
# shellcheck disable=SC2046
ctags -x --kinds-C=degstuf --language-force=C $(find prof -name '*.h') |
	awk '$1 != "prof" && $1 !~ /^(prof_|PROF_|__anon)/ { print $4 ": " $1 }' >>"$tmp/bad"
is "$(cat "$tmp/bad")" '' 'A3 so do its headers and what they define'
# shellcheck disable=SC2046
[ "$(ctags -x --kinds-C=degstuf $(find prof -name '*.h') | wc -l)" -gt 200 ]
ok $? 'A3 of which there are many'

# left NAME...: nothing else is missing when those profilers are left out, with their sources.
left() {
	sources=$(ls prof/*.c) out=
	for part in "$@"; do
		out="$out -DPROF_HAVE_$(echo "$part" | tr a-z A-Z)=0"
		case $part in
		stack) files='(stack[a-z]*|trace|cause)' ;;
		*) files=$part ;;
		esac
		sources=$(echo "$sources" | grep -Ev "/prof_($files|block)\.c")
	done
	for compiler in "${cross}gcc -m32 -march=i686 -Os" 'clang --target=x86_64-none-elf -O0'; do
		# shellcheck disable=SC2086
		compile left $compiler $flags $out | head -n 5
		needs left | comm -23 - "$tmp/allowed" | sed "s/^/$compiler needs /"
	done >"$tmp/bad"
	[ ! -s "$tmp/bad" ]
	ok $? "A4 nothing is missing without $*" "$(head -n 20 "$tmp/bad")"
}
left stack
left gmon
left prf
left profil
left memprof
left memprof module
left call
left kprof
left gmon prf profil memprof module stack call

# kprof alone, as its objects are: prof/README.md's sources, header and flags, and the kernel's -Os.
sed -n '/prof_local.h \*\//,/^$/s/^    //p' prof/README.md >"$tmp/prof_local.h"
grep -q 'PROF_HAVE_MODULE 0' "$tmp/prof_local.h"
ok $? 'A4 the README has a header for kprof alone' "$(cat "$tmp/prof_local.h")"
sources=$(sed -n 's/^| kprof | `\(.*\)` |$/\1/p' prof/README.md | sed 's|prof_|prof/prof_|g')
# alone MOST COMPILER...
alone() {
	most=$1
	shift
	# shellcheck disable=SC2086
	compile kprof "$@" -Os -ffreestanding -fno-pic -I. "-I$tmp" \
		'-DPROF_CONFIG="prof_local.h"' 2>&1 | head -n 5 >"$tmp/bad"
	rm "$tmp/kprof/tick.o"
	is "$(cat "$tmp/bad"; needs kprof | grep -v '^mem' | tr '\n' ' ')" \
		'prof_hook_alloc prof_hook_quiesce ' "A4 $1: kprof alone needs two hooks"
	size -A "$tmp"/kprof/*.o | awk -v most="$most" '/^\.text/ { text += $2 }
		END { print text; exit !(text > 500 && text <= most) }' >"$tmp/size"
	ok $? "A4 $1: kprof alone has at most $most bytes of text" "$(cat "$tmp/size")"
}
alone 1200 "${cross}gcc" -m32 -march=i686
alone 1400 clang --target=i686-none-elf

# What each takes in a kernel, as make prof-size tells it.
is "$(CROSS="$cross" tests/prof/size | awk 'NR > 1 && $2 > 0 && NF == 7 { print $1 }' | xargs)" \
	'shared kprof gmon prf profil module memprof stack call' 'A4 the size of each is told'

# A11: a kernel in C++ includes what the README names, and links with the same objects.
cat >"$tmp/kernel.cc" <<'END'
#include "prof/prof_hooks.h"
#include "prof/prof_block.h"
#include "prof/arch/prof_arch.h"
#include "prof/arch/prof_entry.h"
#include "prof/files/prof_gmonout.h"
#include <cstdlib>

static struct prof prof;
struct prof_block prof_block;
struct prof_entry prof_entry[1];

unsigned prof_hook_cpu() { return 0; }
void *prof_hook_alloc(size_t n) { return calloc(1, n); }
void prof_hook_free(void *p) { free(p); }
void prof_hook_quiesce() {}
void prof_hook_entries(bool on) { prof_entry_switch(prof_entry, on); }
void prof_hook_arcs(unsigned, const struct prof_gmon_param *g) { prof_entry_set(prof_entry, g); }
const void *prof_hook_user(prof_addr) { return nullptr; }
enum prof_stack_trap prof_hook_trap(const void *, size_t, struct prof_stack_place *)
{
	return PROF_STACK_AT_NOTHING;
}

static void sample(const void *frame, enum prof_cause what, uint32_t on)
{
	struct prof_sample s = {};
	prof_addr sp = reinterpret_cast<prof_addr>(frame);

	s.what = what;
	s.at.pc = 0x1040;
	s.lo = sp;
	s.hi = sp + 64;
	s.stack = frame;
	prof_arch_find(&s, sp, 0, 0x1000, 0x1001);
	prof_sample(&prof, on, &s);
}

static int count(void *total, const void *, size_t n)
{
	*static_cast<size_t *>(total) += n;
	return 0;
}

int main()
{
	static prof_addr stack[8];
	size_t total = 0;
	struct prof_sink to = {};

	to.write = count;
	to.arg = &total;
	prof_stack_init(&prof, 1, 0);
	if (!prof_kprof_init(&prof, 0x1000, 0x2000, 1) ||
	    !prof_gmon_init(&prof, 0x1000, 0x2000, 1, nullptr) ||
	    !prof_stack_open(&prof, PROF_STACK, 1))
		return 1;
	prof_block_init(&prof_block, &prof, nullptr, nullptr);
	prof_period(&prof, 1000);
	prof_start(&prof, PROF_ALL);
	prof_gmon_start(&prof, PROF_GMON_ALL);
	prof_tick(&prof, 0, 0x1040, PROF_KERNEL, sample, stack);
	prof_mcount(0x1100, 0x1200);
	prof_stop(&prof, PROF_ALL);
	prof_kprof_write(&prof, PROF_KPROF, &to);
	return total == prof_kprof_length(&prof) && prof.kprof.cell[0][8] == 1 ? 0 : 1;
}
END
{
	for source in prof/*.c prof/files/*.c; do
		gcc -O1 -I. -c "$source" -o "$tmp/cc-$(basename "$source" .c).o"
	done
	for standard in c++11 c++20; do
		g++ "-std=$standard" -Wall -Wextra -Werror -I. "$tmp/kernel.cc" "$tmp"/cc-*.o \
			-o "$tmp/kernel" && "$tmp/kernel" || echo "$standard: it ends with $?"
	done
} >"$tmp/bad" 2>&1
is "$(cat "$tmp/bad")" '' 'A11 a kernel in C++ takes the headers'

finish
