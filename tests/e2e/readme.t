#!/bin/sh
# prof/README.md word for word (A6 A10 A11): its code, as it is printed, takes the place of
# tests/port/port.c in kernels with a program whose registers lead nowhere; its lines for make, meson
# and CMake build; and so do the two files that prof/all makes.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
b=$(realpath "$b")
unset MAKEFLAGS MFLAGS MAKELEVEL

# block TEXT: the code in the README that has that text in it
block() {
	awk -v text="$1" '
		/^    / || (!NF && code != "") { code = code substr($0, 5) "\n"; next }
		index(code, text) { printf "%s", code; found = 1; exit }
		{ code = "" }
		END { if (!found && index(code, text)) printf "%s", code }' prof/README.md
}

# What is the reader's own: here it is the host's.
cat >"$tmp/mine.c" <<'END'
#include "tests/port/host.h"

#define NCPU CPUS
#define my_zeroed_memory machine_memory
#define my_free(p) ((void)(p))
#define my_cpu_number machine_cpu
#define my_serial_write(data, n) machine_write(file, data, n)
#define start_of_this_stack machine_stack(machine_cpu())
#define end_of_this_stack (machine_stack(machine_cpu()) + STACK)

struct my_frame {
	uintptr_t pc, fp, sp, ra;
	bool user;
};

static enum file file;
static bool started;

static void my_interrupt_all_and_wait(void) {} /* the other has ended its work */
#define my_mode(frame) (frame->user ? PROF_USER : PROF_KERNEL)
END

# tick SAMPLER: the handler, with the README's line
tick() {
	cat <<-'END'
	void profile_tick(const struct clock_frame *f)
	{
		struct my_frame mine = {frame_pc(f), frame_fp(f), frame_sp(f), frame_link(f), frame_user(f)};
		const struct my_frame *frame = &mine;

		if (!started)
			return;
	END
	block 'prof_tick(&prof' | sed "s/NULL/$1/"
	echo '}'
}

# Steps 1 to 3.
{
	cat "$tmp/mine.c"
	block 'void prof_hook_quiesce'
	block 'static struct prof prof;'
	block 'bool profile_start(void)' | sed 's/1000/1000000 \/ HZ/; s/return true/return started = true/'
	tick NULL
	block 'static int to_serial'
	echo 'bool profile_write(void) {'
	block 'prof_stop(&prof, PROF_KPROF);'
	echo 'return true; }'
} >"$tmp/kprof.c"
# And all five. The sampler of step 4 ends with the lines of step 5.
{
	cat "$tmp/mine.c"
	block 'void prof_hook_quiesce'
	echo '#include "prof/arch/prof_arch.h"'
	block 'static struct prof prof;'
	block 'void prof_hook_arcs'
	block 'const void *prof_hook_user'
	block 'static void sample' | sed '/^	prof_sample/,$d'
	block 's.lo = start_of_this_stack'
	echo '}'
	tick sample
	echo 'bool profile_start(void) {'
	block 'prof_stack_init(' | sed 's/1000/1000000 \/ HZ/; s/return true/return started = true/'
	echo '}'
	block 'static int to_serial'
	block 'static bool write_gmon'
	echo 'bool profile_write(void) {'
	block 'prof_stop(&prof, PROF_KPROF);'
	echo 'prof_stop(&prof, PROF_STACK); file = KPSTACK; prof_stack_write(&prof, PROF_STACK, &to);'
	echo 'file = GMON; return write_gmon(&to); }'
} >"$tmp/five.c"

# run NAME HOST [VARIABLE=VALUE...]: build that host, and let it run
run() {
	o=$tmp/$1 h=$2
	mkdir -p "$o"
	shift 2
	make -s -C tests/port WERROR=-Werror O="$o" HOST="$h" "$@" run >"$o/said" 2>&1
	status=$?
	is "$status $(cat "$o/said")" '0 ' "A10 $h: the steps are safe beside the program"
}

for machine in i386 x86_64 riscv64 aarch64; do
	run "five-$machine" "$machine" "PORT=$tmp/five.c"
	"$b/kprof" "$o/example.elf" "$o/kpdata" >"$tmp/kprof.out" 2>&1
	grep -q '^outside kernel text: *[1-9]' "$tmp/kprof.out" && grep -q ' heavy$' "$tmp/kprof.out"
	ok $? "A10 $machine: kprof has the kernel's and the program's ticks" "$(cat "$tmp/kprof.out")"
	"$b/gnomon" report -g -i "$o/example.elf" "$o/gmon.out" >"$tmp/graph" 2>&1
	is "$(calls both heavy <"$tmp/graph" | sed 's|.*/||')" \
		"$(($(sed -n 's/^#define CPUS //p' "tests/port/$machine/machine.h") * 5000))" \
		"A6 $machine: gmon has the calls"
	"$b/gnomon" export -i "$o/example.elf" -o - "$o/kpstack" >"$tmp/paths" 2>&1
	grep -q '^kernel;\[user\];[^;]* [0-9]*$' "$tmp/paths" &&
		grep -q ';run;work;both;heavy ' "$tmp/paths" && ! grep -q 'user\];.*;' "$tmp/paths"
	ok $? "A10 $machine: of the program no path is followed" "$(cat "$tmp/paths")"
done

# kprof alone by the lines for make: their objects and the kernel's.
mkdir -p "$tmp/make/path/to"
ln -s "$PWD/prof" "$tmp/make/path/to/prof"
block '#undef PROF_HAVE_MODULE' >"$tmp/make/prof_local.h"
echo 'CFLAGS += -ffreestanding -pg -Os -Wall -Wextra -Werror' >"$tmp/make/Makefile"
block 'PROF_OBJ  :=' >>"$tmp/make/Makefile"
make -s -C "$tmp/make" prof_kprof.o prof_profilers.o prof_pace.o mcount.o >"$tmp/said" 2>&1
is "$? $(cat "$tmp/said")" '0 ' 'A6 the lines for make build'
nm "$tmp"/make/*.o | grep -q mcount$ && ! nm "$tmp"/make/prof_*.o | grep -q mcount
ok $? 'A6 what they build is not instrumented'

# And the kernel that has no more than them, with the header of step 1.
mkdir -p "$tmp/alone/prof/arch/i386"
cp "$tmp/make/prof_local.h" "$tmp/alone/config.h"
for source in $(sed -n 's/^| kprof | `\(.*\)` |$/\1/p' prof/README.md); do
	cp "prof/$source" "$tmp/alone/prof"
done
cp prof/*.h "$tmp/alone/prof"
cp prof/arch/*.h "$tmp/alone/prof/arch"
printf '\t.global __fentry__\n__fentry__: ret\n' >"$tmp/alone/prof/arch/i386/mcount.S"
run alone i386 "PORT=$tmp/kprof.c" "PROF=$tmp/alone/prof"
"$b/kprof" "$o/example.elf" "$o/kpdata" >"$tmp/kprof.out" 2>&1
grep -q '^outside kernel text: *[1-9]' "$tmp/kprof.out" && grep -q ' heavy$' "$tmp/kprof.out"
ok $? 'A6 steps 1 to 3: kprof alone' "$(cat "$tmp/kprof.out")"

if command -v cmake >/dev/null 2>&1; then
	mkdir -p "$tmp/cmake/path/to"
	ln -s "$PWD/prof" "$tmp/cmake/path/to/prof"
	cp "$tmp/make/prof_local.h" "$tmp/cmake"
	{
		printf 'cmake_minimum_required(VERSION 3.13)\nproject(kernel C)\n'
		block 'enable_language(C ASM)'
	} >"$tmp/cmake/CMakeLists.txt"
	(cd "$tmp/cmake" && cmake -B out && cmake --build out) >"$tmp/said" 2>&1
	ok $? 'A6 the lines for CMake build' "$(cat "$tmp/said")"
else
	ok 0 'A6 the lines for CMake build # skip there is no cmake'
fi
if command -v meson >/dev/null 2>&1; then
	mkdir -p "$tmp/meson/path/to"
	ln -s "$PWD/prof" "$tmp/meson/path/to/prof"
	cp "$tmp/make/prof_local.h" "$tmp/meson"
	{
		printf "project('kernel', 'c')\nkernel_args = []\n"
		block 'static_library('
	} >"$tmp/meson/meson.build"
	(cd "$tmp/meson" && meson setup out && meson compile -C out) >"$tmp/said" 2>&1
	ok $? 'A6 the lines for meson build' "$(cat "$tmp/said")"
else
	ok 0 'A6 the lines for meson build # skip there is no meson'
fi

# A11: a host that has the two files, and the stub's, and no folder prof/.
mkdir -p "$tmp/two/prof/arch" "$tmp/two/prof/files"
prof/all "$tmp/two/prof" >"$tmp/said" 2>&1
is "$? $(cat "$tmp/said")" '0 ' 'A11 prof/all makes two files'
grep -q 'Redistribution' "$tmp/two/prof/prof_all.c" && cmp -s LICENSE prof/LICENSE
ok $? 'A11 the licence is in prof/, and in them'
for header in $(cd prof && ls ./*.h arch/*.h files/*.h); do
	echo '#include "prof/prof_all.h"' >"$tmp/two/prof/$header"
done
for machine in x86_64 riscv64; do
	mkdir -p "$tmp/two/prof/arch/$machine"
	sed 's|"prof_all.h"|"prof/prof_all.h"|' "$tmp/two/prof/prof_all.S" \
		>"$tmp/two/prof/arch/$machine/mcount.S"
	run "two-$machine" "$machine" "PORT=$tmp/five.c" "PROF=$tmp/two/prof"
	"$b/gnomon" report -g -i "$o/example.elf" "$o/gmon.out" >"$tmp/graph" 2>&1
	[ -n "$(calls both heavy <"$tmp/graph")" ]
	ok $? "A11 $machine: a kernel of the two files counts" "$(cat "$tmp/graph")"
done

# A11: what CHANGELOG tells of last is the version, and this is it.
version=$(sed -n 's/^#define PROF_VERSION \([0-9]*\).*/\1/p' prof/prof_config.h)
is "$(grep -m 1 -x '[0-9][0-9.]*' prof/CHANGELOG)" \
	"$((version / 10000)).$((version / 100 % 100)).$((version % 100))" 'A11 CHANGELOG has the version'
grep -q "\`PROF_VERSION\` in \`prof_config.h\`, $version for" prof/README.md
ok $? 'A11 and so has the README'

finish
