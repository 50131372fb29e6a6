#!/bin/sh
# gnomon run with a QEMU of our own that behaves well, hangs, dies, or sends damaged data.
# B is the folder of what was built, MKFRAMES the test program of that name.
# shellcheck source=tests/host/tap.sh
# shellcheck disable=SC2016,SC2089,SC2090 # what the QEMU does is quoted: it is run there
# Needs: tests/host/faults.so
. "$(dirname "$0")/tap.sh"

B=${B:-build}
B=$(cd "$B" && pwd)
gnomon=$B/gnomon
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
[ "$1" != --version ] || exec echo 'QEMU emulator version 9.8.7 (Fake)'
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
	within 30 "$gnomon" run --qemu "$work/qemu" "$@" >out 2>err </dev/null
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
	patience=$((50 * GNOMON_PATIENCE))
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
printf 'echo from stdin\n' | within 30 "$gnomon" run --qemu "$work/qemu" -
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
is "$(member run/store | sed 's/\.[0-9a-f]\{16\}:/.NONCE:/')" 'kpdata.NONCE:/dev/kpdata
c.NONCE:/a:b' 'the list of what is to be stored in the folder'
names=$(member run/store)
run -f /dev/kpdata -f /a:b:c true
isnt "$(member run/store)" "$names" 'H3 under names that no other run has'

# Files from the guest.
"$mkframes" V "gnomon 0.1 $id
" F 200000:/dev/kpdata N 200000 F 0:/tmp/nothing X 0 >frames
run -o files/dir -f /dev/kpdata -f /tmp/nothing:empty true
is "$status" 0 'files are fetched'
is "$(cat err)" '' 'quietly'
is "$(cd files/dir && echo *)" 'empty empty.run kpdata kpdata.run version' \
	'each with how it was counted'
is "$(wc -c <files/dir/kpdata)" 200000 'whole'
"$mkframes" N 200000 | head -c 65537 | tail -c 65521 >wanted
head -c 65521 files/dir/kpdata | cmp -s - wanted
ok $? 'unchanged'
machine="build=$id
qemu=9.8.7
accel=tcg
model=max
memory_mb=64
icount=3"
is "$(cat files/dir/kpdata.run)" "$machine
cpus=1" 'C5 the kernel and the machine'
is "$(cat files/dir/version)" "gnomon 0.1 $id" 'the version'
run -f /dev/kpdata -f /tmp/nothing true
is "$(wc -c <'build, dir/out/kpdata')" 200000 'out/ beside the kernel is the default'

# Which programs a profile may be of. The last of several links to a file has its content.
mkdir -p root/bin && echo script >root/bin/more && cp "$B/bin/wc" "$B/bin/cat" "$B/bin/echo" root/bin || exit 1
ln root/bin/cat root/bin/also
printf 'bin\nbin/also\nbin/cat\nbin/echo\nbin/more\nbin/wc\n' | (cd root && cpio -o -H newc --quiet) >own.cpio
cp "$B/bin/seq" 'my own'
identity() { readelf -n "$B/bin/$1" | sed -n 's/.*Build ID: //p'; }
paths="# kpstack version=1 build=$id
# period_us=1 ticks=4 overflow=0 depth=8
also;[user];0x1 1
wc;[user];0x1 1
mine;[user];0x1 1
more;[user] 1
"
"$mkframes" V "gnomon 0.1 $id
" F ${#paths}:/dev/kpstack D "$paths" F 4:/dev/other D 'wc; ' X 0 >frames
run --initrd own.cpio -p 'my own:/tmp/mine' -p "$B/bin/ls:/bin/wc" -o programs -f /dev/kpstack -f /dev/other true
is "$status $err" '0 ' 'profiles of programs are fetched'
is "$(grep ^program= programs/kpstack.run)" "program=/bin/also id=$(identity cat)
program=/tmp/mine id=$(identity seq) file=$work/my%20own
program=/bin/wc id=$(identity ls) file=$B/bin/ls" \
	'of the programs that a profile names it is told which they are, also of those that were put in'
is "$(grep -c ^program= programs/other.run)" 0 'beside what is no profile nothing is'
run -p 'my own:/tmp/mine' -o programs -f /dev/kpstack -f /dev/other true
is "$status:$(grep ^program= programs/kpstack.run)" "0:program=/tmp/mine id=$(identity seq) file=$work/my%20own" \
	'nor of an initrd that is no archive'

# A profile without counts is named, for often nobody has started the profiler.
empty="# kpstack version=1 build=$id
# period_us=1 ticks=0 overflow=0 depth=8
"
cp frames frames.paths
"$mkframes" V "gnomon 0.1 $id
" F ${#paths}:/dev/kpstack D "$paths" F ${#empty}:/dev/kpstack D "$empty" F 4:/dev/other D 'wc; ' X 0 >frames
run -o none -f /dev/kpstack:some -f /dev/kpstack:none -f /dev/other true
is "$status $err" "0 gnomon run: none/none: nothing: paths are counted after 'stacks on' and 'start'" \
	'a profile in which nothing was counted is named'
mv frames.paths frames

# What ran is kept beside it: as the tree has it if that is still the same, else as the machine got it.
strip=${CROSS-i686-linux-gnu-}strip
"$strip" -g -o root/bin/cat "$B/bin/cat" && "$strip" -g -o root/bin/wc "$B/bin/wc" || exit 1
ln -f root/bin/cat root/bin/also
printf 'bin\nbin/also\nbin/cat\nbin/wc\n' | (cd root && cpio -o -H newc --quiet) >own.cpio
mkdir 'build, dir/bin' && cp "$B/bin/cat" 'build, dir/bin/also' && cp "$B/bin/ls" 'build, dir/bin/wc' || exit 1
run --initrd own.cpio --keep -p 'my own:/tmp/mine' -o kept -f /dev/kpstack -f /dev/other true
is "$status $(cd kept && echo *):$(cd kept/bin && echo *)" \
	'0 bin gnomon.elf kpstack kpstack.run other other.run version:also mine wc' \
	'--keep: the kernel and the programs that profiles name'
is "$(cat kept/gnomon.elf)" kernel '--keep: the kernel that ran'
cmp -s kept/bin/also "$B/bin/cat" && cmp -s kept/bin/mine 'my own' && cmp -s kept/bin/wc root/bin/wc
ok $? '--keep: files with lines of source, unless they are of another build by now' "$(ls -l kept/bin root/bin)"
is "$(stat -c %y kept/bin/mine)" "$(stat -c %y 'my own')" '--keep: with their times, by which sources are older or newer'
run --initrd own.cpio --keep --repeat 2 -o keptwice -f /dev/kpstack -f /dev/other true
is "$(cd keptwice && echo * bin/*)" '1 2 bin gnomon.elf bin/also bin/wc' '--keep: once for several runs'
rm -r kept && mkdir kept safe && ln -s ../safe kept/bin && ln -s safe/kernel kept/gnomon.elf
run --initrd own.cpio --keep -o kept -f /dev/kpstack -f /dev/other true
is "$status $err" '125 gnomon run: kept/bin: no folder, but a link to one' '--keep: links that a guest may have left are not followed'
is "$(ls safe)" '' '--keep: nor is anything there'
run --keep true
is "$status" 2 '--keep: without -f there is nothing to keep it for: 2'
rm -r 'build, dir/bin'

# The same from a guest that has stored them itself.
"$mkframes" V "gnomon 0.1 $id
" S 5:/dev/kpdata X 0 >frames
store='name=$(cpio -i --quiet --to-stdout run/store <script.cpio); name=remote/${name%%:*}.part;'
FAKE="$store "'printf 12345 >$name; cat "$WORK/frames" >data'
run -o stored -f /dev/kpdata true
is "$status $err" '0 ' 'a file is stored in the folder'
is "$(cat stored/kpdata; head -n 1 stored/kpdata.run)" "12345build=$id" 'and gets its name, and the build id'
is "$(cd stored && echo *)" 'kpdata kpdata.run version' 'and nothing else is there'
FAKE="$store "'printf 1234 >$name; cat "$WORK/frames" >data'
run -o stored -f /dev/kpdata true
is "$status" 125 'a file shorter than the guest says: 125'
has "$err" '.part: is not what the guest says' 'and why'
has "$err" '/dev/kpdata: only 4 bytes came; they are in stored/kpdata.part' 'what came is kept'
is "$(cat stored/kpdata.part stored/kpdata)" 123412345 'beside the old file'
FAKE="$store "'ln -s /etc/passwd $name; cat "$WORK/frames" >data'
rm stored/*
run -o stored -f /dev/kpdata true
is "$status $(ls stored)" '125 version' 'no link is taken for a file'
FAKE='printf 12345 >remote/kpdata.part; cat "$WORK/frames" >data'
run -o stored -f /dev/kpdata true
is "$status $(ls stored)" '125 kpdata.part
version' 'H3 nor what another run may have stored, whatever its size'
rm stored/*
"$mkframes" E '/dev/kpdata: No space left on device' X 0 >frames
FAKE="$store "'printf 1234 >$name; cat "$WORK/frames" >data'
run -o stored -f /dev/kpdata true
is "$status $(ls stored)" '123 ' 'H3 nothing stays of a file that the guest could not store'
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
FAKE='cat "$WORK/frames" >data; seq 100 >console.log; echo "no panic" >>console.log; exit 3'
run true
is "$status" 125 'the guest ends before its script: 125'
is "$out" 'so far' 'what it printed is printed'
has "$err" 'no panic' 'the console'"'s end is shown"
is "$(printf '%s\n' "$err" | grep -c '^  | ')" 12 'twelve lines of it'
FAKE='echo "panic: no" >console.log; seq 20 >>console.log; exit 3'
run true
is "$(printf '%s\n' "$err" | grep '^  | ')" "$(printf '  | %s\n' 'panic: no' $(seq 20))" \
	'from where the kernel says what went wrong all of it is shown'
FAKE='echo "panic: no" >console.log; seq 100 >>console.log; exit 3'
run true
is "$(printf '%s\n' "$err" | grep -c '^  | ')" 12 'unless that is long ago'
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

# Time, of which there is $p times as much on a busy host.
p=$GNOMON_PATIENCE
"$mkframes" O 'half a
' F 9:/tmp/f D 1234 >frames
FAKE='cat "$WORK/frames" >data; echo slow >console.log; trap "" TERM INT HUP
sleep 1000 & echo $$ $! | tr " " "\n" >"$WORK/pids"; wait; sleep 1000'
start=$(date +%s%N)
run -t 0.7 -o files -f /tmp/f true
took=$((($(date +%s%N) - start) / 1000000))
is "$status" 124 'the time limit: 124'
[ $took -ge $((700 * p)) ] && [ $took -lt $((2000 * p)) ]
ok $? 'when it is reached' "after $took ms"
is "$out" 'half a' 'what was printed is there'
is "$(cat files/f.part)" 1234 'and what was fetched'
has "$err" 'slow' 'the console'"'s end is shown"
is "$(grep -c '^gnomon run: the time limit of [0-9.]* s was reached; -t gives more$' err)" 1 'and the reason'
dead 'the time limit'
clean 'the time limit'

# A script that has ended, and a process that it has left: the guest says so.
"$mkframes" O 'half' B '' >frames
run -t 0.7 true
is "$status" 124 'a process in the background is waited for, too'
has "$err" ' s was reached: the script has ended, but a process in the background keeps its output open' \
	'and named as the reason'
dead 'the background'

# A reader that does not read cannot hold a run up for longer.
"$mkframes" O "$(seq 1 10000)" O "$(seq 1 10000)" >frames
start=$(date +%s%N)
{ "$gnomon" run --qemu ./qemu -t 1 true 2>err; echo $? >status; } | {
	turns=0
	until [ -s status ] || [ $((turns += 1)) -gt $((40 * p)) ]; do sleep 0.1; done
	cat >/dev/null
} &
while [ ! -s status ] && [ $((($(date +%s%N) - start) / 1000000)) -lt $((3500 * p)) ]; do sleep 0.1; done
is "$(cat status)" 124 'the time limit holds while nobody reads the output'
dead 'nobody reads'
wait

# QEMU stays after the script's end.
"$mkframes" X 5 >frames
start=$(date +%s%N)
run true
took=$((($(date +%s%N) - start) / 1000000))
is "$status" 5 'QEMU that does not leave is no reason to fail'
[ $took -lt $((6000 * p)) ]
ok $? 'and is not waited for long' "$took ms"
dead 'QEMU stays'

# Signals, which whoever started this may have had ignored, as nohup does.
"$mkframes" O x >frames
for sig in TERM HUP; do
	rm -f pids
	env --default-signal=$sig "$gnomon" run --qemu ./qemu true >out 2>err &
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
{ within 20 env --default-signal=PIPE "$gnomon" run --qemu ./qemu -t 10 true; echo $? >status; } \
	2>err | head -n 1 >out
is "$(cat status)" 141 'a reader that leaves ends it as SIGPIPE does'
dead 'SIGPIPE'
clean 'SIGPIPE'

# No room. What QEMU cannot write is missing, and looks like damage or a guest that has died.
FULL=$work/'tmp, dir'
export FULL
: >frames
for end in 'sleep 1000' 'exit 3' 'echo noise >data; sleep 1000'; do
	FAKE='echo $$ >"$WORK/pids"; echo so far >data; : >"$FULL.full";'$end
	rm -f "$FULL.full"
	LD_PRELOAD=$B/tests/host/faults.so run -t 25 true
	is "$status" 125 "H3 B11 a full folder for temporary files, $end: 125"
	has "$err" "gnomon run: cannot write in $FULL/gnomon-run." 'H3 it is named'
	has "$err" ': No space left on device; TMPDIR names another' 'H3 with the cause'
	is "$(printf %s "$err" | grep -c 'time limit\|ended before')" 0 'H3 and no other'
	dead "a full folder, $end"
	clean "a full folder, $end"
done
LD_PRELOAD=$B/tests/host/faults.so run -t 25 true
is "$status" 125 'H3 one that was full before: 125'
has "$err" "gnomon run: cannot write in $FULL/gnomon-run." 'H3 it is named'
rm "$FULL.full"
unset FULL
FAKE='echo $$ >"$WORK/pids"; (seq 100000 >console.log) 2>/dev/null; sleep 1000'
(ulimit -f 64; run -t 25 true; echo "$status" >status)
is "$(cat status)" 125 'H3 a file of QEMU that may not become larger: 125'
has "$(cat err)" 'console.log: File too large' 'H3 is named'
dead 'a limit on sizes'
(ulimit -f 0; "$gnomon" run --qemu "$work/qemu" true 2>&1; echo "$?") | cat >said
has "$(cat said)" "gnomon run: cannot write in $TMPDIR/gnomon-run." 'H3 no file may have content: the folder'
has "$(cat said)" ': File too large; TMPDIR names another' 'H3 with the cause'
is "$(tail -n 1 said)" 125 'H3 and 125'
"$mkframes" O hello X 0 >frames
FAKE='seq 20 >console.log; cat "$WORK/frames" >data'
for way in --serial ''; do
	# shellcheck disable=SC2086
	"$gnomon" run $way --qemu ./qemu true >/dev/full 2>err
	is "$?" 125 "H3 the standard output is full $way: 125"
	is "$(cat err)" 'gnomon run: cannot write the standard output: No space left on device' \
		"H3 is named $way, and the console has nothing to do with it"
done
clean 'no room'

# What the user gets is whole or as it was, at every place where that can fail.
echo old >kept.log
"$mkframes" V "gnomon 0.1 $id
" F 5:/tmp/f D 01234 X 0 >frames
printf '#!/bin/sh\nexec env -u LD_PRELOAD ./qemu "$@"\n' >plain
sed -i "s|[.]/qemu|'$work'/qemu|" plain
chmod +x plain
FAKE='echo the console >console.log; cat "$WORK/frames" >data'
for call in open write close rename; do
	at=1 wrong='' met=0
	while [ $at -lt 50 ]; do
		rm -rf files met
		mkdir files
		echo old >files/f
		echo old >kept.log
		LD_PRELOAD=$B/tests/host/faults.so FAULT="$call $at ENOSPC" FAULT_MET=$work/met \
			within 30 "$gnomon" run --qemu ./plain --serial --console kept.log \
				-o files -f /tmp/f true >out 2>err </dev/null
		status=$? err=$(cat err)
		[ -e met ] || break
		met=$((met + 1))
		[ "$status" = 125 ] || [ "$call:$status" = open:126 ] || wrong="$wrong $at: $status $err"
		[ "$(find . -name '*.part')" = '' ] || wrong="$wrong $at: $(find . -name '*.part')"
		has "$err" 'No space left on device' "H3 B11 gnomon run, $call $at fails: says so"
		# A console may have come to nothing yet.
		case $(cat kept.log):$(cat files/f) in
		old:old | old:01234 | :old | 'the console:old' | 'the console:01234') ;;
		*) wrong="$wrong $at: $(head kept.log files/*)" ;;
		esac
		at=$((at + 1))
	done
	[ "$wrong" = '' ] && [ $met -gt 0 ] && [ $at -lt 50 ]
	ok $? "H3 B11 gnomon run: no $call that fails leaves a file in parts" "$met places;$wrong"
	is "$status $(cat kept.log files/f)" '0 the console
01234' 'H3 the round without one succeeds'
	clean "any $call fails"
done

# Several at once in one folder, with data of one size.
FAKE='echo >"$WORK/here.$I"; while [ "$(ls "$WORK" | grep -c ^here)" -lt 6 ]; do sleep 0.05; done
cp "$WORK/console.$I" console.log
name=$(cpio -i --quiet --to-stdout run/store <script.cpio 2>/dev/null); name=remote/${name%%:*}.part
[ $name = remote/.part ] || cat "$WORK/data.$I" >"$name"; cat "$WORK/frames.$I" >data'
for i in 1 2 3 4 5 6; do
	head -c 60000 /dev/zero | tr '\0' $i >data.$i
	cp data.$i console.$i
	version="gnomon 0.1 $i$(printf '%039d' 0)
"
	"$mkframes" V "$version" F 60000:/f D "$(cat data.$i)" X 0 >frames.--serial.$i
	"$mkframes" V "$version" S 60000:/f X 0 >frames..$i
done

# six NAME WAY: six runs, for a file of that name each; $i in it is the run's number.
six() {
	rm -rf files here.*
	mkdir files
	for i in 1 2 3 4 5 6; do
		cp "frames.$2.$i" "frames.$i"
		# shellcheck disable=SC2086
		I=$i "$gnomon" run -t 60 $2 --qemu ./qemu -o files --console "files/log$(eval echo "$1")" \
			-f "/f:$(eval echo "$1")" true >out.$i 2>&1 &
	done
	wait
	is "$(cat out.*)" '' "H3 six at once, $1 $2: nothing goes wrong"
	wrong=''
	for file in files/f files/f?; do
		[ -e "$file" ] || continue
		i=$(head -c 1 "$file")
		cmp -s "$file" "data.$i" && [ "$(head -c 7 "$file.run")" = "build=$i" ] ||
			wrong="$wrong $file"
		[ "$1" = f ] || [ "$file" = "files/f$i" ] || wrong="$wrong $file has $i"
	done
	for file in files/log*; do
		cmp -s "$file" "data.$(head -c 1 "$file")" || wrong="$wrong $file"
	done
	is "$wrong" '' "H3 six at once, $1 $2: each file is whole, and of one run"
	is "$(find files -name '*.part')" '' "H3 six at once, $1 $2: no temporary file is left"
}
for way in --serial ''; do
	six 'f$i' "$way"
	is "$(find files -name 'f?' | wc -l)" 6 "H3 and every one has its file $way"
	for round in 1 2 3 4; do
		six f "$way"
		is "$(cd files && echo *)" 'f f.run logf version' "H3 round $round: one is the last $way"
	done
done
clean 'six at once'

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

# H8: several runs, whose QEMU counts them and has a file that is another one each time
many='n=$(cat "$WORK/count"); echo $((n + 1)) >"$WORK/count"; "$WORK/mkframes" F 3:/dev/x D "$(printf %02d, $n)" X 0 >data; exit 3'
ln -s "$mkframes" mkframes
echo 1 >count
FAKE=$many run --serial --repeat 3 -o many --console con -f /dev/x echo hello
is "$status:$err" 0: 'H8: --repeat'
is "$(cat many/*/x)" '01,02,03,' 'H8: each run is kept'
is "$(ls many) $(ls con.*)" '1
2
3 con.1
con.2
con.3' 'H8: in folders with its number'
[ -s many/2/x.run ]
ok $? 'H8: with what tells how it was counted'
is "$(member run/script)" 'echo hello' 'H8: the last one has the script, too'
has "$(grep -A 1 append args)" 'seed=2' 'H8: each has a seed of its own'
echo 1 >count
FAKE=$many run --serial --repeat 12 --seed 5 --append more -o many12 -f /dev/x true
is "$(echo many12/*)" "$(echo many12/0[1-9]) many12/10 many12/11 many12/12" 'H8: numbers have as many digits as the last'
has "$(grep -A 1 append args)" 'more seed=16' 'H8: --seed is that of the first'
clean 'several runs'
"$mkframes" F 4:/dev/x D same X 0 >frames
FAKE='cat "$WORK/frames" >data; exit 3' run --serial --repeat 2 -o alike -f /dev/x true
is "$status:$err" '0:gnomon run: all 2 runs brought back the same, to the bit: nothing tells how much runs vary; with --icount off they do' \
	'H8: runs that are the same'
run --serial --repeat 2 -o many -f /dev/x true
is "$status:$err" '125:gnomon run: many/3 is of other runs than these 2: remove it, or choose another folder with -o' \
	'H8: what is there of more runs is not mixed with them'
is "$(cat many/1/x)" 01, 'H8: and stays'
fail='n=$(cat "$WORK/count"); echo $((n + 1)) >"$WORK/count"; "$WORK/mkframes" F 1:/dev/x D "$n" X $((n / 3 * 9)) >data; exit 3'
echo 1 >count
FAKE=$fail run --serial --repeat 5 -o failing -f /dev/x true
is "$status:$err" "9:gnomon run: run 3 of 5 failed: what came of it is in failing/3, and no more were begun" \
	'H8: the first that fails is the last'
is "$(cat count) $(echo failing/*)" '4 failing/1 failing/2 failing/3' 'H8: those before it are kept'
run --repeat 0 true
is "$status" 2 'H8: no runs: 2'
run --seed x true
is "$status" 2 'H8: a seed that is none: 2'

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
