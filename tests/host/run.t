#!/bin/sh
# gnomon run with a QEMU of our own that behaves well, hangs, dies, or sends damaged data.
# B is the folder of what was built, MKFRAMES the test program of that name.
# shellcheck source=tests/host/tap.sh
# shellcheck disable=SC2016,SC2089,SC2090 # what the QEMU does is quoted: it is run there
. "$(dirname "$0")/tap.sh"

B=${B:-build}
gnomon=$(cd "$B" && pwd)/gnomon
mkframes=$(realpath "${MKFRAMES:-$B/tests/tools/mkframes}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
id=0123456789abcdef0123456789abcdef01234567
hundred=$(printf '%0100d' 0)

# Paths that have to be quoted wherever they are handed on.
mkdir 'build, dir' 'tmp, dir'
GNOMON_BUILD="$work/build, dir" TMPDIR="$work/tmp, dir"
export GNOMON_BUILD TMPDIR
echo kernel >'build, dir/gnomon.elf'
echo initrd >'build, dir/initrd.cpio'

# The QEMU: keeps what it was started with, and does as $FAKE says, with the guest's frames
# in $work/frames.
cat >qemu <<'EOF'
#!/bin/sh
printf '%s\n' "$@" >"$WORK/args"
cp script.cpio "$WORK/"
cat gnomon.elf initrd.cpio >"$WORK/modules"
pwd >"$WORK/pwd"
eval "$FAKE"
EOF
chmod +x qemu
WORK=$work FAKE='cat "$WORK/frames" >data; exit 3'
export WORK FAKE

# run ARGUMENT...: what it prints goes to $out and $err, its exit status to $status.
run() {
	timeout 30 "$gnomon" run --qemu "$work/qemu" "$@" >out 2>err </dev/null
	status=$?
	out=$(cat out) err=$(cat err)
}

# member PATH: what the archive has as that
member() {
	cpio -i --quiet --to-stdout "$1" <script.cpio
}

# clean NAME: no temporary file is left.
clean() {
	is "$(ls -A 'tmp, dir')" '' "$1: no temporary file is left"
}

# living: which of the processes listed in $work/pids live on.
living() {
	while read -r pid; do
		# A zombie that nobody has reaped yet is no process left behind.
		case $(cut -d ' ' -f 3 "/proc/$pid/stat" 2>/dev/null) in
		'' | Z | X) ;;
		*) echo "$pid" ;;
		esac
	done <pids
}

# dead NAME: none is left; one that was killed may take a moment on a busy machine.
dead() {
	patience=50
	while [ "$(living)" ] && [ $((patience -= 1)) -gt 0 ]; do sleep 0.1; done
	is "$(living)" '' "$1: no process is left"
}

# A run as it should be.
"$mkframes" V "gnomon 0.1 $id
" O 'hello
' O 'bye
' X 0 >frames
run echo hello
is "$status" 0 'a script that succeeds: 0'
is "$out" 'hello
bye' 'its output is printed'
is "$err" '' 'and nothing else'
clean 'a good run'
has "$(cat pwd)" "$TMPDIR/gnomon-run." 'QEMU runs in a private directory'
is "$(cat modules)" 'kernel
initrd' 'the kernel and the initrd are found there'
has "$(tr '\n' ' ' <args)" '-icount shift=3,sleep=off' 'instructions are counted'
has "$(tr '\n' ' ' <args)" '-kernel gnomon.elf -initrd initrd.cpio,script.cpio -append exitport=0xf4' \
	'no path of the host can be seen by the guest'
is "$(member run/script)" 'echo hello' 'the script is in the archive'
has "$(tr '\n' ' ' <args)" \
	'-fsdev local,id=host,path=remote,security_model=none,multidevs=remap -device virtio-9p-pci,fsdev=host,mount_tag=host' \
	'the guest has the folder, by a name that needs no quoting'
is "$(ls -d 'build, dir/out' 2>/dev/null)" 'build, dir/out' 'which is out/ beside the kernel'
rmdir 'build, dir/out'
run --serial echo hello
is "$status $out" "$(printf '0 hello\nbye')" '--serial: the same'
is "$(grep -c 9p args)" 0 'but the guest has no folder'
is "$(ls -d 'build, dir/out' 2>/dev/null)" '' 'and none is made when nothing is fetched'

for s in 1 2 42 255; do
	"$mkframes" X $s >frames
	run exit $s
	is "$status" $s "a script that ends with $s"
done
"$mkframes" X 256 >frames
run exit 256
is "$status" 1 'a status past 255 is no success'

# Options are passed on.
"$mkframes" X 0 >frames
run --serial --smp 2 --mem 16 --icount off --cpu qemu32 --append 'prof=boot x' true
is "$(tr '\n' ' ' <args)" '-nodefaults -no-user-config -display none -no-reboot -accel tcg -cpu qemu32 -smp 2 -m 16 -kernel gnomon.elf -initrd initrd.cpio,script.cpio -append exitport=0xf4 prof=boot x -serial file:console.log -serial file:data -device isa-debug-exit,iobase=0xf4,iosize=4 ' \
	'options are passed on'
echo other >other.elf
run --kernel other.elf true
is "$(cat modules)" 'other
initrd' 'another kernel'

# Scripts, and files for the guest.
printf 'date\nls\n' >script
run -s script
is "$(member run/script)" "$(cat script)" 'a script from a file'
printf 'echo from stdin\n' | timeout 30 "$gnomon" run --qemu "$work/qemu" -
is "$(member run/script)" 'echo from stdin' 'a script from the standard input'
echo content >'a:file'
run --serial -p a:file:/tmp/d/f -p qemu:/bin/tool -f /dev/kpdata true
is "$(member tmp/d/f)" content 'a file is put into the guest'
is "$(cpio -itv --quiet <script.cpio | awk '{ print $1, $9 }')" '-rwxr-xr-x run/script
-rw-r--r-- run/fetch
-rw-r--r-- tmp/d/f
-rwxr-xr-x bin/tool' 'what the archive lists'
is "$(member run/fetch)" /dev/kpdata 'the list of what is fetched'
cp script.cpio before.cpio
touch -d '2001-01-01' a:file
run --serial -p a:file:/tmp/d/f -p qemu:/bin/tool -f /dev/kpdata true
cmp -s script.cpio before.cpio
ok $? 'the archive is the same each time'
run -f /dev/kpdata -f /a:b:c true
is "$(member run/store)" 'kpdata:/dev/kpdata
c:/a:b' 'the list of what is to be stored in the folder'

# Files from the guest.
"$mkframes" V "gnomon 0.1 $id
" F 200000:/dev/kpdata N 200000 F 0:/tmp/nothing X 0 >frames
run -o files/dir -f /dev/kpdata -f /tmp/nothing:empty true
is "$status" 0 'files are fetched'
is "$(cat err)" '' 'quietly'
is "$(cd files/dir && echo *)" 'empty empty.buildid kpdata kpdata.buildid version' \
	'each with the build id of the kernel'
is "$(wc -c <files/dir/kpdata)" 200000 'whole'
"$mkframes" N 200000 | head -c 65537 | tail -c 65521 >wanted
head -c 65521 files/dir/kpdata | cmp -s - wanted
ok $? 'unchanged'
is "$(cat files/dir/kpdata.buildid)" "$id" 'the build id'
is "$(cat files/dir/version)" "gnomon 0.1 $id" 'the version'
run -f /dev/kpdata -f /tmp/nothing true
is "$(wc -c <'build, dir/out/kpdata')" 200000 'out/ beside the kernel is the default'

# The same from a guest that has stored them itself.
"$mkframes" V "gnomon 0.1 $id
" S 5:/dev/kpdata X 0 >frames
FAKE='printf 12345 >remote/kpdata.part; cat "$WORK/frames" >data'
run -o stored -f /dev/kpdata true
is "$status $err" '0 ' 'a file is stored in the folder'
is "$(cat stored/kpdata stored/kpdata.buildid)" "12345$id" 'and gets its name, and the build id'
is "$(cd stored && echo *)" 'kpdata kpdata.buildid version' 'and nothing else is there'
FAKE='printf 1234 >remote/kpdata.part; cat "$WORK/frames" >data'
run -o stored -f /dev/kpdata true
is "$status" 125 'a file shorter than the guest says: 125'
has "$err" 'kpdata.part: is not what the guest says' 'and why'
FAKE='ln -s /etc/passwd remote/kpdata.part; cat "$WORK/frames" >data'
rm stored/*
run -o stored -f /dev/kpdata true
is "$status $(ls stored)" '125 kpdata.part
version' 'no link is taken for a file'
FAKE='cat "$WORK/frames" >data; exit 3'

"$mkframes" E '/tmp/nothing: No such file' X 0 >frames
run -o files -f /tmp/nothing true
is "$status" 123 'a file that cannot be fetched: 123'
has "$err" '/tmp/nothing: No such file' 'the guest says why'
"$mkframes" E '/tmp/nothing: No such file' X 7 >frames
run -o files -f /tmp/nothing true
is "$status" 7 'but the status of a script that failed is kept'
"$mkframes" F 10:/tmp/a D 01234 F 3:/tmp/b D abc X 0 >frames
run -o files -f /tmp/a -f /tmp/b true
is "$status" 123 'a file that comes in part: 123'
has "$err" '/tmp/a: only 5 of 10 bytes came; they are in files/a.part' 'what came is kept'
is "$(cat files/a.part files/b)" 01234abc 'with the files that follow'
"$mkframes" F 4:/etc/passwd D evil X 0 >frames
run -o files -f /tmp/a true
is "$status" 125 'a file that nobody asked for: 125'
is "$(ls files/passwd 2>/dev/null)" '' 'and it is not stored'

# The sound card.
"$mkframes" X 0 >frames
FAKE='echo played >sound.wav; cat "$WORK/frames" >data'
run --sound kept.wav true
has "$(tr '\n' ' ' <args)" '-audiodev wav,id=sound,path=sound.wav -device AC97,audiodev=sound' \
	'--sound adds a sound card'
is "$(cat kept.wav)" played 'and keeps what is played'
run --sound /nowhere/x true
is "$status" 125 'a sound file that cannot be kept: 125'
clean 'the sound card'

# The console.
"$mkframes" X 0 >frames
FAKE='echo the console >console.log; cat "$WORK/frames" >data'
run --console kept.log true
is "$(cat kept.log)" 'the console' '--console keeps the console'
run -v true
is "$err" 'the console' '-v shows it'
run --console /nowhere/x true
is "$status" 125 'a console that cannot be kept: 125'
clean 'the console'

# The guest dies.
"$mkframes" O 'so far
' >frames
FAKE='cat "$WORK/frames" >data; seq 100 >console.log; echo "panic: no" >>console.log; exit 3'
run true
is "$status" 125 'the guest ends before its script: 125'
is "$out" 'so far' 'what it printed is printed'
has "$err" 'panic: no' 'the console'"'s end is shown"
is "$(printf '%s\n' "$err" | grep -c '^  | ')" 12 'twelve lines of it'
clean 'a guest that dies'
FAKE='kill -9 $$'
run true
is "$status" 125 'QEMU is killed: 125'
has "$err" 'signal 9' 'by which signal'
has "$err" 'wrote nothing on its console' 'and the console was empty'

# QEMU is not there, or does not like its arguments.
FAKE='echo "qemu: -cpu: no such thing" >&2; exit 1'
run --cpu frob true
is "$status" 126 'QEMU refuses its arguments: 126'
has "$err" 'no such thing' 'and why is shown'
run --qemu ./nowhere true
is "$status" 127 'QEMU is not there: 127'
has "$err" './nowhere: No such file' 'and is named'
run --qemu gnomon-test-no-such-program true
is "$status" 127 'nor on the PATH: 127'
run --qemu ./script true
is "$status" 126 'it is no program: 126'
clean 'no QEMU'

# Time.
"$mkframes" O 'half a
' F 9:/tmp/f D 1234 >frames
FAKE='cat "$WORK/frames" >data; echo slow >console.log; trap "" TERM INT HUP
sleep 1000 & echo $$ $! | tr " " "\n" >"$WORK/pids"; wait; sleep 1000'
start=$(date +%s%N)
run -t 0.7 -o files -f /tmp/f true
took=$((($(date +%s%N) - start) / 1000000))
is "$status" 124 'the time limit: 124'
[ $took -ge 700 ] && [ $took -lt 2000 ]
ok $? 'when it is reached' "after $took ms"
is "$out" 'half a' 'what was printed is there'
is "$(cat files/f.part)" 1234 'and what was fetched'
has "$err" 'slow' 'the console'"'s end is shown"
dead 'the time limit'
clean 'the time limit'

# A reader that does not read cannot hold a run up for longer.
"$mkframes" O "$(seq 1 10000)" O "$(seq 1 10000)" >frames
start=$(date +%s%N)
{ "$gnomon" run --qemu ./qemu -t 1 true 2>err; echo $? >status; } | { sleep 4; cat >/dev/null; } &
while [ ! -s status ] && [ $((($(date +%s%N) - start) / 1000000)) -lt 3500 ]; do sleep 0.1; done
is "$(cat status)" 124 'the time limit holds while nobody reads the output'
dead 'nobody reads'
wait

# QEMU stays after the script's end.
"$mkframes" X 5 >frames
start=$(date +%s%N)
run true
took=$((($(date +%s%N) - start) / 1000000))
is "$status" 5 'QEMU that does not leave is no reason to fail'
[ $took -lt 6000 ]
ok $? 'and is not waited for long' "$took ms"
dead 'QEMU stays'

# Signals.
"$mkframes" O x >frames
for sig in TERM HUP; do
	rm -f pids
	"$gnomon" run --qemu ./qemu true >out 2>err &
	pid=$!
	while [ ! -s pids ]; do sleep 0.05; done
	kill -s $sig $pid
	wait $pid 2>/dev/null
	is "$(kill -l $?)" $sig "SIG$sig ends it as a signal does"
	dead "SIG$sig"
	clean "SIG$sig"
done
rm -f pids
"$gnomon" run --qemu ./qemu true >out 2>err &
pid=$!
while [ ! -s pids ]; do sleep 0.05; done
kill -KILL $pid
wait $pid 2>/dev/null
sleep 0.3
# Only QEMU itself dies so; the fake one's own child is for us to end.
kill -KILL "$(sed -n 2p pids)"
head -n 1 pids >first
mv first pids
dead 'SIGKILL: QEMU dies with gnomon'
rm -rf 'tmp, dir'/*
"$mkframes" O "$(seq 1 10000)" O "$(seq 1 10000)" >frames
{ timeout 20 "$gnomon" run --qemu ./qemu -t 10 true; echo $? >status; } 2>err | head -n 1 >out
is "$(cat status)" 141 'a reader that leaves ends it as SIGPIPE does'
dead 'SIGPIPE'
clean 'SIGPIPE'

# Damage on the way: where, and nothing lost that came before.
"$mkframes" O 'good
' F 3:/tmp/f D abc >before # 16 + 5, 16 + 8 + 6, 16 + 3: 70 bytes
FAKE='echo last words >console.log; cat "$WORK/before" "$WORK/frames" >data; exit 3'

# damaged NAME WHERE DATA: what happens when DATA follow the frames that are good.
damaged() {
	printf '%s' "$3" >frames
	rm -rf files
	run -o files -f /tmp/f true
	is "$status" 125 "$1: 125"
	has "$err" "$2" "$1: says where"
	has "$err" 'last words' "$1: the console's end is shown"
	is "$out$(cat files/f)" goodabc "$1: what came before is not lost"
	clean "$1"
}

damaged 'noise' 'at byte 70: a frame should start here' "noise$hundred"
damaged 'a type that is none' "at byte 74: the frame's type" "GNMFo$hundred"
damaged 'half a header' 'at byte 75: the data end inside' GNMFX
has "$err" 'ended before its script did (QEMU: exit status 3)' 'half a header: and how QEMU ended'
{ "$mkframes" O 'changed'; "$mkframes" X 0; } | sed 's/changed/chanted/' >frames
run -o files -f /tmp/f true
is "$status" 125 'a changed byte: 125'
has "$err" 'at byte 86: the checksum' 'says where'
is "$out" good 'and the changed text is not printed'

# What cannot be.
rm 'build, dir/gnomon.elf'
run true
is "$status" 125 'no kernel: 125'
has "$err" 'gnomon.elf is not there: `make'"'"' makes it' 'and how to get one'
clean 'no kernel'
echo kernel >'build, dir/gnomon.elf'
run -p nowhere:/tmp/x true
is "$status" 125 'no file to put: 125'
run -s nowhere
is "$status" 125 'no script: 125'
TMPDIR=/nowhere run true
is "$status" 125 'no place for temporary files: 125'
run -o qemu/x -f /tmp/f true
is "$status" 125 'no folder for files: 125'
has "$err" 'qemu/x' 'which is named'
run --frob true
is "$status" 2 'usage: 2'
run
is "$status" 2 'nothing to run: 2'
"$gnomon" >/dev/null 2>&1
is $? 2 'no subcommand: 2'
"$gnomon" frob >/dev/null 2>&1
is $? 2 'an unknown subcommand: 2'
has "$("$gnomon" -h)" 'run ' 'gnomon -h lists them'
has "$("$gnomon" run -h)" 'usage: gnomon run' 'gnomon run -h tells the usage'
clean 'the end'

finish
