#!/bin/sh
# gnomon report of coverage: how often lines ran, and how much of a program. B is the folder of what
# was built.
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

report() { "$B/gnomon" report -i step -S . "$@"; }

# A loop of two instructions on line 3, of which the first is entered once more than the second; line 4
# did not run.
cat >step.s <<'END2'
	.file 1 "step.c"
	.text
	.globl step
	.type step,@function
step:	.loc 1 2
	push %ebp
	.loc 1 3
1:	dec %eax
	je 2f
	inc %ecx
	jmp 1b
	.loc 1 4
	hlt
2:	.loc 1 5
	pop %ebp
	ret
	.size step, . - step
END2
printf '%s\n' 'void step(void)' '{' '	while (--a) c++;' '	halt();' '}' >step.c
"${cross}as" --32 -g step.s -o step.o && "${cross}ld" -m elf_i386 -Ttext=0x1000 -e step step.o -o step || exit 1
printf '%s\n' 'gnomon modules 2 coverage 0' 'module step /step 00001000 -' '0 1' '1 10' '2 10' '4 9' \
	'5 9' '8 1' '9 1' 'end 9' >ran

is "$(report -l ran 2>&1 | tail -n 3 | tr -s ' ')" ' 38 92.68 10 step.c:3 step while (--a) c++;
 2 4.88 1 step.c:5 step }
 1 2.44 1 step.c:2 step {' 'P11: a line ran as often as its busiest instruction' "$(report -l ran 2>&1)"
is "$(report -l -o csv -n 1 ran 2>/dev/null | tr -d '\r' | cut -d, -f 3,5,9 | xargs)" \
	'line,self_instructions,runs 3,38,10' 'P11 H6: as data'
is "$(report -l -a step ran | tail -n 4 | tr -s ' ')" ' 1 2.44 + 1 2 {
 38 92.68 + 10 3 	while (--a) c++;
 - 0 4 	halt();
 2 4.88 + 1 5 }' 'P11: also where the source is shown'
is "$(report -l -a step -o csv ran | tr -d '\r' | cut -d, -f 4,6,12 | xargs)" \
	'line,self_instructions,runs 2,1,1 3,38,10 4,0,0 5,2,1' 'P11 H6: as data'
printf ".globl other\n.type other,@function\nother: nop\n ret\n.size other, . - other\n" >other.s
mkdir more
"${cross}as" --32 other.s -o other.o && "${cross}ld" -m elf_i386 -Ttext=0x1000 -e step step.o other.o -o more/step || exit 1
has "$("$B/gnomon" report -i more/step ran)" "did not run: other
" "P11: what did not run is named"
"$B/gnomon" report -i more/step --html more.html ran
has "$(cat more.html)" '["Did not run","of step: other"]' "P11 H12: on the page, too"
isnt "$(report ran | grep -c "did not run")" 1 "P11: nor is anything else"
has "$(report -a step ran)" "before a line's number: how often the busiest of its instructions ran" \
	'P11: which is said'
report --html page.html ran
has "$(grep -o '"source".*' page.html)" '[[2,1,"{",1],[3,38,"\twhile (--a) c++;",10],[4,0,"\thalt();",0]' \
	'P11 H12: a page has it'
has "$(grep -o '"lines":.*' page.html)" '"runs":10' 'P11 H12: and its table of lines'

# Samples do not tell.
sed 's/coverage 0/sampling 1000/' ran >samples
is "$(report -l samples 2>/dev/null | grep -c runs) $(report -l -o csv -n 1 samples 2>/dev/null | tr -d '\r' |
	cut -d, -f 9 | xargs)" '0 runs' 'P11: samples do not tell'
finish
