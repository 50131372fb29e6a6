#!/bin/sh
# tools/setup on machines that lack something, with an apt-get of our own.
# shellcheck source=tests/host/tap.sh
# shellcheck disable=SC2016 # the scripts made here expand their own variables
. "$(dirname "$0")/tap.sh"

setup=$(realpath "$(dirname "$0")/../../tools/setup")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# A machine: a folder of commands. Headers and GRUB's files are those of the real machine.
mkdir full
for c in sh sed cat env chmod touch; do
	ln -s "$(command -v $c)" full/$c
done
for c in make gcc cc i686-linux-gnu-gcc i686-linux-gnu-ld nasm mandoc cpio grub-mkrescue xorriso \
	mformat qemu-system-i386 qemu-system-riscv64 qemu-aarch64 x86_64-linux-gnu-gcc \
	riscv64-linux-gnu-gcc riscv64-linux-gnu-objdump aarch64-linux-gnu-gcc bochs gprof prove expect xxd callgrind_annotate protoc protoc-c node npm \
	chromium clang git ctags shellcheck gdb bear qemu-system-aarch64 g++ cmake meson \
	dh_builddeb lintian pkg-config man mmdebstrap curl socat jq less dot perf genhtml perl trace-cmd uftrace \
	cmark-gfm pdfinfo; do
	printf '#!/bin/sh\nexit 0\n' >full/$c
	chmod +x full/$c
done
printf '#!/bin/sh\necho 0\n' >full/id
cat >full/apt-get <<'EOF'
#!/bin/sh
printf '%s\n' "$*" >>"$LOG"
case $* in
*update*) touch "$LISTS"; exit 0 ;;
esac
[ -e "$LISTS" ] || exit 100
for p; do
	printf '#!/bin/sh\n' >"$BIN/$p"
	chmod +x "$BIN/$p"
done 2>/dev/null
EOF
chmod +x full/*
LOG=$work/log LISTS=$work/lists BIN=$work/bin
export LOG LISTS BIN

# machine COMMAND...: one that lacks these.
machine() {
	rm -rf bin log
	cp -a full bin
	for c; do rm -f "bin/$c"; done
	: >log
}

# try ARGUMENT...: run setup there: $status, $out.
try() {
	out=$(PATH=$BIN "$setup" "$@" 2>&1)
	status=$?
}

machine
try build profile debug test lint editor package soak
is "$status $out" '0 ' 'where nothing is missing it is quiet'
is "$(cat log)" '' 'and apt-get is not called'

touch lists
machine nasm
try build
is "$status" 0 'a package is installed'
has "$out" 'nasm: assembles the kernel' 'saying which and why'
has "$(cat log)" 'install nasm' 'by apt-get'
has "$(cat log)" '--no-remove' 'which removes nothing for it'
is "$(wc -l <log)" 1 'called once'
try build
is "$status $out" '0 ' 'and then it is quiet'

machine git ctags xxd
try test
has "$(cat log)" 'install xxd git universal-ctags' 'testing is checking the sources too'
machine gdb bear
try debug editor
has "$(cat log)" 'install gdb bear' 'two goals have needs of their own'

rm lists
machine nasm expect
try build test
is "$status" 0 'a machine without package lists'
has "$(cat log)" update 'gets them first'
has "$out" 'expect: tests the console' 'and two packages'

machine xorriso apt-get
try build
is "$status" 1 'without apt-get: 1'
has "$out" 'apt-get install xorriso' 'and the packages are named'

machine prove
printf '#!/bin/sh\necho 1000\n' >bin/id
try test
is "$status" 1 'without root: 1'
has "$out" 'perl: runs the tests' 'and the packages are named'

machine xorriso
printf '#!/bin/sh\necho "$*" >>"$LOG"\n' >bin/apt-get
try build
is "$status" 1 'a package that does not help: 1'
has "$out" 'still missing' 'and it says so'

machine i686-linux-gnu-gcc
printf '#!/bin/sh\n' >bin/i686-elf-gcc
chmod +x bin/i686-elf-gcc
CROSS=i686-elf- try build
is "$status $out" '0 ' 'another cross compiler takes the place of Debian'\''s'
CROSS=m68k-elf- try build
is "$status" 1 'one that is not there: 1'
has "$out" 'no m68k-elf-gcc' 'and is named'

try frobnicate
is "$status" 2 'an unknown group: 2'
try
is "$status" 2 'no group: 2'

finish
