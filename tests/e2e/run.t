#!/bin/sh
# gnomon run with the real kernel: output, files in both directions, exit statuses, and equal data
# from equal runs. B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/../host/tap.sh"

B=$(cd "${B:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# run ARGUMENT...: what it prints goes to $out and $err, its exit status to $status.
run() {
	within 120 "$B/gnomon" run -o out "$@" >stdout 2>stderr </dev/null
	status=$?
	out=$(cat stdout) err=$(cat stderr)
}

run 'echo hello; echo error >[1=2]'
is "$status" 0 'a script that succeeds'
is "$out" 'hello
error' 'its output, both streams'
run false
is "$status" 1 'gnomon run false: 1'
run 'exit 42'
is "$status" 42 'exit 42'
run 'echo so far; nosuchcommand'
is "$status" 127 'a command that does not exist: 127'
has "$out" 'so far' 'what was printed before'

# Every byte value, in a file that ends in the middle of a frame.
LC_ALL=C awk 'BEGIN { for (i = 0; i < 70001; i++) printf "%c", i % 256 }' >data
is "$(wc -c <data)" 70001 'a file with every byte value'
run -p data:/tmp/new/data -f /tmp/new/data:back 'cp /tmp/new/data /tmp/copy; cmp /tmp/copy /tmp/new/data'
is "$status" 0 'a file is put where no folder was'
cmp -s data out/back
ok $? 'and comes back byte by byte'
is "$(head -n 1 out/back.run)" "build=$(cut -d ' ' -f 3 out/version)" 'with the build id of the version'
has "$(readelf -n "$B/gnomon.elf")" "$(sed -n 's/^build=//p' out/back.run)" 'which is the kernel'"'"'s'

is "$err" '' 'B11 nothing is said of that where nobody watches'
run -v -f /dev/sysname -f /dev/time:now true
has "$err" '
gnomon run: wrote out/sysname, out/now' 'B11 with -v, or on a terminal, where the files are is told'
run -v -f /nowhere true
is "$(grep -c "gnomon run: wrote" stderr)" 0 'B11 but only of those that came'
run -v --repeat 2 -f /dev/sysname true
has "$err" '
gnomon run: wrote the files of each run, in out/1 to out/2' 'H8 and of several runs where their folders are'
rm -r out/1 out/2

run -f /nowhere -f /dev/sysname true
is "$status" 123 'a file that is not there: 123'
has "$err" '/nowhere: No such file' 'and why'
is "$(cat out/sysname)" gnomon 'a device that tells no length comes whole'

# Six at once, in one folder; each has its own kpdata, or one name has that of one of them. H3.
for i in 1 2 3 4 5 6; do
	cat >"script$i" <<EOF
echo startclr >/dev/kpctl
seq 1 ${i}00 | wc
echo stop >/dev/kpctl
cp /dev/kpdata /n/remote/copy$i
EOF
	within 120 "$B/gnomon" run -t 100 -o six -f "/dev/kpdata:kpdata$i" -f /dev/kpdata:same \
		-f "/n/remote/copy$i:again$i" -s "script$i" >"out$i" 2>&1 &
done
wait
wrong='' last=''
for i in 1 2 3 4 5 6; do
	{ cmp "six/kpdata$i" "six/copy$i" && cmp "six/again$i" "six/copy$i"; } 2>&1 ||
		wrong="$wrong $i: $(cat "out$i")"
	! cmp -s six/same "six/copy$i" || last=$i
done
is "$wrong" '' 'H3 B11 six runs at once: each file is that of its own guest'
isnt "$last" '' 'H3 a name that all of them use has the file of one'
is "$(find six -name '*.part')" '' 'H3 nothing else is left'

# No room for temporary files: by a limit on sizes, and where one may mount, on a full disk. H3.
(ulimit -f 512; run -t 100 'cat /bin/sh /bin/sh /bin/sh /bin/sh'; echo "$status" >status)
is "$(cat status)" 125 'H3 B11 more output than a file may hold: 125'
has "$(cat stderr)" 'gnomon-run.' 'H3 the file is named'
has "$(cat stderr)" '/data: File too large' 'H3 with the cause'
if unshare -m mount -t tmpfs none /mnt 2>/dev/null; then
	unshare -m sh -c 'mount -t tmpfs -o size=256k none /mnt && TMPDIR=/mnt exec "$@"' - \
		timeout $((120 * GNOMON_PATIENCE)) "$B/gnomon" run -t 100 -o out 'cat /bin/sh /bin/sh /bin/sh /bin/sh' \
		>/dev/null 2>stderr
	is $? 125 'H3 B11 a full disk: 125'
	has "$(cat stderr)" 'gnomon run: cannot write in /mnt/gnomon-run.' 'H3 the folder is named'
	has "$(cat stderr)" ': No space left on device; TMPDIR' 'H3 with the cause'
else
	ok 0 'H3 a full disk # SKIP nothing can be mounted here'
fi

# A run lasts until the last process has ended that has the script's output.
run -t 60 '{sleep 3; echo later} & echo soon'
is "$status: $out" '0: soon
later' 'a process in the background is waited for'
run -t 5 'sleep 100000000 & echo soon'
is "$status: $out" '124: soon' 'one without end is waited for until the time limit'
has "$err" 'the script has ended, but a process in the background keeps its output open' \
	'and named as the reason'

# The same commands give the same data, whatever the host's folders are called.
cat >script <<'EOF'
echo startclr >/dev/kpctl
cat /bin/* | sum
ls -l /bin | sort
echo stop >/dev/kpctl
EOF
run -f /dev/kpdata --console one -s script
cp out/kpdata kpdata
mkdir 'another temporary folder'
TMPDIR="$work/another temporary folder"
export TMPDIR
run -f /dev/kpdata --console two -s script
cmp -s kpdata out/kpdata
ok $? 'two runs have the same kpdata, bit by bit'
cmp -s one two
ok $? 'and the same console'
"$B/kprof" "$B/gnomon.elf" out/kpdata >report 2>&1
is $? 0 'K12: kprof reads it'
has "$(head -n 1 report)" 'total:' 'and reports'
is "$(ls -A "$TMPDIR")" '' 'no temporary file is left'

finish
