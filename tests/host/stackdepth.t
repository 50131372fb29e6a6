#!/bin/sh
# stackdepth: how deep stacks can become, in small kernels made for the purpose (B2).
# Needs: stackdepth
cd "$(dirname "$0")/../.." || exit 1
. tests/host/tap.sh
b=${B:-build}
cross=${CROSS-i686-linux-gnu-}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# kernel: build $tmp/kernel from C on the standard input, and $tmp/entry.asm
kernel() {
	cat >"$tmp/kernel.c"
	"${cross}gcc" -m32 -march=i686 -O1 -g -ffreestanding -fno-pic -fno-pie -mregparm=3 \
		-mpreferred-stack-boundary=2 -fno-stack-protector -fcf-protection=none \
		-mgeneral-regs-only -fno-omit-frame-pointer -fno-asynchronous-unwind-tables \
		-fno-inline -fno-optimize-sibling-calls "$@" -c "$tmp/kernel.c" \
		-o "$tmp/kernel.o" &&
		nasm -f elf32 -g -F dwarf "$tmp/entry.asm" -o "$tmp/entry.o" &&
		"${cross}ld" -m elf_i386 -e entry "$tmp/entry.o" "$tmp/kernel.o" -o "$tmp/kernel"
}

# depth RULE...: what stackdepth says with these rules, its status in $status
depth() {
	printf '%s\n' "$@" >"$tmp/rules"
	out=$("$b/stackdepth" "$tmp/kernel" "$tmp/rules" 2>&1)
	status=$?
}

cat >"$tmp/entry.asm" <<'END'
bits 32
extern main
global entry:function, helper:function
section .text
entry:
	pusha
	push	ds
	call	main
	pop	ds
	popa
	iret
helper:
	sub	esp, 100
	add	esp, 100
	ret
section .note.GNU-stack
END

# ---- what is added up

kernel <<'END'
void helper(void);
static volatile char sink;
static void leaf(void)
{
	volatile char room[200];

	room[0] = sink;
	sink = room[0];
}
void main(void)
{
	leaf();
	helper();
}
END
depth 'entry trap 20 entry' 'stack small 512 100 trap'
is "$status" 0 'B2 a stack that is large enough'
# The processor's 20 bytes, 36 that are pushed, main's return address and frame pointer; leaf
# has the same two and its room.
has "$out" 'small stack: 272 of 512 bytes, 240 left' 'B2 the bytes are exact, in assembly too'
has "$out" '272: entry 56 main 8 leaf 208' 'B2 the path has the bytes of each call'
depth 'entry trap 20 entry' 'entry nmi 12 entry' 'stack small 512 100 trap nmi'
is "$status" 1 'B2 a stack that is too small'
has "$out" 'small stack: 536 of 512 bytes, -24 left' 'B2 entries come on top of each other'
has "$out" 'the small stack has -24 bytes left, and must have 100' 'B2 what is left is too little'
depth 'entry fault 12 helper' 'traps leaf fault' 'entry trap 20 entry' 'stack small 512 100 trap'
has "$out" '384: entry 56 main 8 leaf 208 (fault) helper 112' 'B2 a trap on top of a function'
out=$("$b/stackdepth" -t "$tmp/kernel" "$tmp/rules" | grep -v '^#')
is "$out" '' 'B2 a report for a test is comments'

# ---- pads

kernel -pg -mfentry -mnop-mcount <<'END'
static void __attribute__((no_instrument_function)) leaf(void)
{
	__asm__ volatile("");
}
__attribute__((no_instrument_function)) void counter(void)
{
	volatile char room[64];

	room[0] = 0;
}
void main(void)
{
	leaf();
}
END
depth 'pads counter' 'entry trap 20 entry' 'stack small 512 100 trap'
has "$out" '132: entry 56 main 4 counter 72' 'B2 what pads call is counted'

# ---- tables

cat >"$tmp/table.c" <<'END'
static volatile int sink;
struct dev {
	const char *name;
	int (*read)(int n), (*write)(int n);
};
static int small(int n)
{
	return n;
}
static int large(int n)
{
	volatile char room[300];

	room[0] = (char)n;
	return room[0];
}
const struct dev *volatile now;
static const struct dev a = {.name = "a", .read = small, .write = large};
static const struct dev b = {.name = "b", .read = small};
static const struct dev *const all[] = {&a, &b, &(const struct dev){.write = small}};
void main(void)
{
	now = all[sink];
	sink = now->read(1);
}
END
kernel <"$tmp/table.c"
depth 'entry trap 20 entry' 'stack small 512 100 trap'
is "$status" 1 'B2 a call through a pointer that no rule names'
has "$out" 'main calls through a pointer: add "calls main FIELD"' 'B2 it says what to add'
has "$out" 'kernel.c:24:' 'B2 and where the call is'
depth 'calls main dev.read' 'entry trap 20 entry' 'stack small 512 100 trap'
is "$status" 0 'B2 a call through a table'
has "$out" 'main 8 small 4' 'B2 goes where the field leads'
depth 'calls main dev.write' 'entry trap 20 entry' 'stack small 512 100 trap'
has "$out" 'main 8 large 308' 'B2 another field leads elsewhere'
depth 'calls main dev.open' 'entry trap 20 entry' 'stack small 512 100 trap'
has "$out" 'rules:1: no function is in a field dev.open' 'B2 a field that there is not'
depth 'calls main nobody' 'entry trap 20 entry' 'stack small 512 100 trap'
is "$status" 1 'B2 a function that there is not'
has "$out" 'rules:1: there is no function nobody' 'B2 is named'
depth 'calls main dev.read' 'calls small dev.read' 'entry trap 20 entry'
has "$out" 'rules:2: small calls nothing through a pointer' 'B2 a rule that is not needed'
depth 'calls main dev.read' 'entry trap 20 entry main:dev.write' 'stack small 512 100 trap'
has "$out" 'main 8 large 308' 'B2 an entry may have calls of its own'

kernel <<'END'
static void (*volatile hook)(void);
static void each(void (*fn)(void))
{
	fn();
}
static void one(void)
{
}
static void two(void)
{
}
void main(void)
{
	hook = two;
	each(one);
	hook();
}
END
depth 'calls each callers' 'calls main' 'entry trap 20 entry'
is "$status" 0 'B2 what is passed by callers'
has "$out" 'each 8' 'B2 is what a call may reach'
depth 'calls each one' 'calls main' 'entry trap 20 entry'
is "$status" 1 'B2 a function whose address goes to an unknown place'
has "$out" 'main takes the address of two, which is in no field: add "holds FIELD two"' \
	'B2 it says what to add'
depth 'calls each one' 'holds hook two' 'calls main hook' 'entry trap 20 entry'
is "$status" 0 'B2 what code puts in a variable'

# ---- recursion

kernel <<'END'
static volatile int sink;
static void odd(int n);
static void even(int n)
{
	if (n)
		odd(n - 1);
	sink++;
}
static void odd(int n)
{
	if (n)
		even(n - 1);
	sink--;
}
static void stop(void)
{
	volatile char room[400];

	room[0] = 0;
}
void main(void)
{
	even(sink);
	stop();
}
END
depth 'ends stop' 'entry trap 20 entry'
is "$status" 1 'B2 recursion'
has "$out" 'recursion: even > odd > even: break the circle, or add "recursion even N REASON"' \
	'B2 its circle is shown'
depth 'ends stop' 'recursion even 3 by the test' 'entry trap 20 entry'
is "$status" 0 'B2 recursion with a bound'
# Three times even, twice odd between them and once behind, each with 8 bytes.
has "$out" '112: entry 56 main 8 even 8 odd 8 even 8 odd 8 even 8 odd 8' 'B2 is followed up to it'
depth 'recursion even 3 by the test' 'entry trap 20 entry'
has "$out" 'stop 408' 'B2 only what ends the machine is left out'
depth 'recursion even 0 by the test' 'entry trap 20 entry'
has "$out" 'rules:1: bounds are from 1 to 15' 'B2 a bound that is none'

# ---- what cannot be known

kernel <<'END'
static char *volatile sink;
static void use(char *room)
{
	sink = room;
}
void main(void)
{
	volatile int n = 3;

	use(__builtin_alloca(n));
}
END
depth 'entry trap 20 entry'
is "$status" 1 'B2 an array of variable size'
has "$out" 'main: its stack pointer cannot be followed' 'B2 is refused'
depth 'entry trap 20 entry' 'switches main'
is "$status" 0 'B2 what changes to another stack is taken as it is'

# refuse TEXT RULE: the file of rules is refused
refuse() {
	depth "$2"
	is "$status" 2 "$2: exit status"
	has "$out" "$1" "$2: $1"
}
refuse 'rules:1: no rule begins with "deepest"' 'deepest main'
refuse 'rules:1: "stack" needs more words' 'stack small 512'
refuse 'rules:1: many is no number' 'entry trap many main'
refuse 'rules:1: no rule to go on with' ' more'
out=$("$b/stackdepth" "$tmp/none" "$tmp/rules" 2>&1)
is $? 2 'no kernel: exit status'
has "$out" 'No such file' 'no kernel'
out=$("$b/stackdepth" 2>&1)
is $? 2 'no arguments: exit status'
has "$out" 'usage: ' 'no arguments'
finish
