#!/bin/sh
# Small files that stand for much (H14): what gnomon report and export need for them grows with the
# file, or there is a limit that they name. B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
cross=${CROSS-i686-linux-gnu-}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir build
GNOMON_BUILD=$work/build
export GNOMON_BUILD LC_ALL=C
"$B/tests/tools/mkkernel" build/gnomon.elf kpdata || exit 1

# program NAME [OPTION]: assemble and link the standard input, to begin at 0x401000.
program() {
	"${cross}as" --32 -o "$1.o" - && "${cross}ld" -m elf_i386 -Ttext=0x401000 -e 0 ${2+"$2"} -o "$1" "$1.o" || exit 1
}

# ---- lines: very many histograms, each of almost all rows

cat <<'EOF2' | program rows
	.file 1 "a.c"
	.globl f
	.type f, @function
f:	.rept 400000
	.loc 1 5
	nop
	.endr
	.size f, . - f
EOF2
perl -e 'print "gmon\1", "\0" x 15;
	print pack("CV4a15aS", 0, 0x401000 + $_, 0x401000 + 400000, 1, 100, "seconds", "s", 1) for 1 .. 200000' >bins
within 10 "$B/gnomon" report --lines -i rows bins >bins.text 2>&1
has "$(cat bins.text)" '200000  100.00  a.c:5' 'H14: of a bin no row of lines is looked at but the first and the last'

# ---- very many programs of one file, which is one of very many functions; each of them counts in one of these

perl -e 'printf "%08x T f%d\n", 0x400000 + 16 * $_, $_ for 1 .. 60000' >functions
# images N: make a profile of N programs.
images() {
	N=$1 perl -e '$n = $ENV{N}; print "# kpstack version=1 text=0xc0000000-0xc0000010\n";
		print "# program=p$_ $ENV{PWD}/functions\n" for 1 .. $n;
		print "p$_;[user];0x00400014;0x00400028 1\n" for 1 .. $n;
		print "# period_us=500 ticks=$n overflow=0 depth=2\n"'
}
images 20000 >images
# shellcheck disable=SC3045 # dash has it
(ulimit -v 1000000; within 20 "$B/gnomon" report -n 0 images) >images.text 2>&1
has "$(cat images.text)" ' p20000:f2' 'H14: programs and the functions of their file are not multiplied'
images 100000 >images
within 5 "$B/gnomon" export -f callgrind -o callgrind images 2>/dev/null
is $? 0 'H14: nor programs and addresses'

# ---- very many sections of code, all of them the same bytes

perl -e '$n = 2000; $text = 1000000; $shoff = 52 + $text;
	print pack("a4C12SSLLLLLSSSSSS", "\x7fELF", 1, 1, 1, (0) x 9, 2, 3, 1, 0x401000, 0, $shoff, 0, 52, 32, 0, 40, $n + 3, $n + 2);
	print "\x90" x $text, pack("L10", (0) x 10);
	print pack("L10", 1, 1, 6, 0x401000 + $_ * 0x100000, 52, $text, 0, 0, 1, 0) for 1 .. $n;
	$at = $shoff + 40 * ($n + 3);
	print pack("L10", 7, 2, 0, 0, $at, 32, $n + 2, 1, 4, 16), pack("L10", 15, 3, 0, 0, $at + 32, 25, 0, 0, 1, 0);
	print pack("L4", (0) x 4), pack("LLLCCS", 23, 0x501000, 64, 0x12, 0, 1), "\0.text\0.symtab\0.strtab\0f\0"' >sections
printf '# kpstack version=1 text=0x401000-0x601000\nsh;[kernel];0x00501004 5\n# period_us=1000 ticks=5 overflow=0 depth=1\n' >sections.prof
within 1 "$B/gnomon" report -n 0 -i sections sections.prof >sections.text 2>&1
is $? 0 'H14: sections that lie one over the other are not read one by one'

# ---- very many modules of one program, each with a count

id=0123456789012345678901234567890123456789
cat <<'EOF2' | program long "--build-id=0x$id"
	.globl first, f
	.type first, @function
	.type f, @function
first:	ret
	.size first, 1
f:	.fill 200000, 1, 0x40
	nop
	.size f, . - f
EOF2
ID=$id perl -e 'print "gnomon modules 2 coverage 0\n";
	print "module m$_ /bin/long 00401000 $ENV{ID}\n0 1\n" for 1 .. 1000; print "end 2001\n"' >modules
within 5 "$B/gnomon" report -i long modules >modules.text 2>&1
is "$(grep -A 1 '  m1000 ' modules.text | tr -s ' ')" ' m1000 1 of 200001 instructions ran, 0.00 %
 did not run: f' 'H14: a program is disassembled once, whoever had it'

# ---- deep paths

perl -e 'print "# kpstack version=1 build=\nsh;[kernel]", ";0xc0101230" x 65535,
	" 100000\n# period_us=500 ticks=100000 overflow=0 depth=65535\n"' >deep
within 10 "$B/gnomon" export -f perf deep 2>deep.text | head -c 2000000000 | wc -c >deep.n
[ "$(cat deep.n)" -lt 500000000 ]
ok $? 'H14: perf: of the steps of all samples there is a limit' "$(cat deep.n)"
has "$(cat deep.text)" 'a sample stands for 1311 ticks' 'H14: and for what a sample stands is told'

# A thousand paths of a hundred functions with long names.
perl -e 'printf "%08x T f%02d%s\n", 0x500000 + 16 * $_, $_, "x" x 4000 for 0 .. 19' >longnames
perl -e '@a = map { sprintf ";0x%08x", 0x500004 + 16 * ($_ % 20) } 1 .. 120;
	print "# kpstack version=1 text=0xc0000000-0xc0000010\n# program=p $ENV{PWD}/longnames\n";
	print "p;[user]", @a[$_ % 10 .. $_ % 10 + 99], " 1\n" for 1 .. 1000;
	print "# period_us=500 ticks=1000 overflow=0 depth=100\n"' >named
# shellcheck disable=SC3045 # dash has it
is "$( (ulimit -v 300000; within 20 "$B/gnomon" diff --folded named named 2>&1) | tr -d x | sed -n 's/\(p;f..\).*\( .*\)/\1\2/; 1p; $p')" \
	'p;f01 100
p;f10 100' 'H14: diff: paths do not have all of their text in memory'

# Three paths of 60000 such functions.
perl -e '@a = map { sprintf ";0x%08x", 0x500004 + 16 * ($_ % 20) } 1 .. 60002;
	print "# kpstack version=1 text=0xc0000000-0xc0000010\n# program=p $ENV{PWD}/longnames\n";
	print "p;[user]", @a[$_ .. $_ + 59999], " 1\n" for 0 .. 2;
	print "# period_us=500 ticks=3 overflow=0 depth=60000\n"' >longpaths
is "$(within 30 "$B/gnomon" export -o longpaths.out longpaths 2>&1)" \
	'gnomon export: longpaths: its paths have more than 500000000 bytes as text' 'H14: folded: of text there is a limit'
is "$(within 30 "$B/gnomon" export -f chrome -o longpaths.out longpaths 2>&1)" \
	"gnomon export: longpaths: its calls and returns have more than 500000000 bytes in Chrome's format" \
	'H14: chrome: of calls and returns, too'

# Two processes, each of 1000 calls in each other, change on one processor.
perl -e '$t = 1000; print "# kptrace version=1 cpus=1\n# cpu=0 records=6002 overwritten=0\n";
	for $p (1, 2) {
		print $t++, " 0 $p p$p;[switch]\n";
		printf "# call=%d ns=%d;0x%08x\n", $p, $t++ * 1000, 0xc0100000 + $p * 0x10000 + $_ * 16 for 1 .. 1000;
	}
	$p = $_ % 2 + 1, print $t++, " 0 $p p$p;[switch]\n" for 1 .. 6000' >turns
is "$(within 20 "$B/gnomon" export -f speedscope -o turns.json turns 2>&1)" \
	'gnomon export: turns: its time line has more than 10000000 calls and returns for speedscope; --from and --to select a part' \
	'H14: speedscope: of calls and returns there is a limit'

# ---- many runs, each of which has other functions of a kernel

perl -e 'print ".globl f$_\n.type f$_, \@function\nf$_: .skip 16\n.size f$_, 16\n" for 0 .. 29999' |
	"${cross}as" --32 -o many.o - && "${cross}ld" -m elf_i386 -Ttext=0xc0100000 -e 0 -o many many.o
perl -e 'for my $run (0 .. 999) {
		mkdir for "ticks", "times", "ticks/" . ($run + 1), "times/" . ($run + 1);
		my @pc = map { 0xc0100000 + 16 * (30 * $run + $_) } 0 .. 29;
		open F, ">ticks/" . ($run + 1) . "/f";
		print F "# kpstack version=1 text=0xc0100000-0xc0200000\n";
		printf F "s;[kernel];0x%08x 1\n", $_ + 8 for @pc;
		print F "# period_us=1000 ticks=30 overflow=0 depth=64\n";
		open F, ">times/" . ($run + 1) . "/f";
		print F "# kpcall version=1 cpus=1 per_ms=1000000 cost=10\n# cpu=0 inside=0 lost=0 left=0\n";
		printf F "0;0xc0100000;0x%08x 1 %d 50 0 100 100 6:1\n", $_, 100 + $run for @pc;
		print F "# pairs=30\n" }'
# shellcheck disable=SC3045 # dash has it
is "$( (ulimit -v 160000; within 20 "$B/gnomon" report -n 0 -i many ticks 2>&1) | grep -c '[ :]f[0-9][0-9]*$')" 30000 \
	'H14: report: runs and functions are not multiplied'
# shellcheck disable=SC3045 # dash has it
is "$( (ulimit -v 200000; within 20 "$B/gnomon" diff -n 0 -i many ticks ticks 2>&1) | grep -c '[ :]f[0-9][0-9]*$')" 30000 \
	'H14: nor by diff'
# shellcheck disable=SC3045 # dash has it
is "$( (ulimit -v 400000; within 20 "$B/gnomon" diff -n 0 -i many times times 2>&1) | grep -c '[ :]f[0-9][0-9]*$')" 30000 \
	'H14: nor where it compares how long calls took'

finish
