#!/bin/sh
# gnomon doctor: what is there, what is not, and what that costs.
# Needs: gnomon gnomon.elf initrd.cpio record.so
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"
B=$(realpath "${B:-build}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

"$B/gnomon" doctor >said 2>errors
is "$? $(cat errors)" '0 ' 'a machine that runs the tests can run a guest'
has "$(cat said)" "ok       QEMU               version $(qemu-system-i386 --version | sed -n 's/.*emulator version //p')" \
	'QEMU says its version'
has "$(cat said)" 'ok       a guest            profiling clock: lapic, by nmi' 'a guest runs, and tells its clock'
has "$(cat said)" "ok       record's plugin    $B/record.so" 'what the build has made is there'
has "$(cat said)" 'ok         its plugins      are taken' 'QEMU has plugins'
is "$(grep -vc '^\(ok\|missing\)  ' said)" 0 'each line says one of two words'

# A machine with nothing but a QEMU that knows no plugins, and no TCG.
mkdir bin
cat >bin/qemu-system-i386 <<'E2'
#!/bin/sh
case $* in
*--version*) echo 'QEMU emulator version 4.0' ;;
*accel*) echo kvm ;;
*) echo "$0: -plugin: invalid option"; exit 1 ;;
esac
E2
chmod +x bin/qemu-system-i386
ln -s "$(command -v sh)" bin/sh
PATH=$work/bin "$B/gnomon" doctor >said 2>errors
is "$? $(cat errors)" '1 ' 'where no guest can be run the status is 1'
has "$(cat said)" 'ok       QEMU               version 4.0' 'an old QEMU'
has "$(cat said)" 'missing    its TCG          no guest can be run: KVM cannot take its place; get it by: another QEMU' \
	'that has no TCG'
has "$(cat said)" 'missing    its plugins      gnomon record cannot count; get it by: QEMU 7.2 or newer' 'and no plugins'
has "$(cat said)" 'missing  a guest            it cannot be run: ' 'a guest was tried'
has "$(cat said)" 'missing  debugger           make gdb does not work; get it by: tools/setup debug' 'what else is missing'
has "$(tail -n 1 said)" 'A guest cannot be run.' 'and it says so'
PATH='' "$B/gnomon" doctor >said
is "$? $(grep -c '^missing' said)" '1 14' 'with no programs at all'
mkdir tree && cp "$B/gnomon" tree
GNOMON_BUILD=$work/tree "$B/gnomon" doctor >said
is $? 1 'without a kernel'
has "$(cat said)" 'missing  kernel             no guest can be run; get it by: make' 'that is what is missing'
"$B/gnomon" doctor --qemu /nowhere/qemu >said
is "$? $(sed -n 1p said)" '1 missing  QEMU               no guest can be run; get it by: tools/setup profile' \
	'a QEMU that is not there'
"$B/gnomon" doctor all >said 2>errors
is "$? $(sed -n 1p errors)" '2 gnomon doctor: no operand expected' 'an operand is an error'
finish
