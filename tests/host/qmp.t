#!/bin/sh
# gnomon top and gnomon extract with a QEMU of our own that refuses, leaves, or talks nonsense:
# what the user is told.
# B is the folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir tmp
TMPDIR=tmp
export TMPDIR

# A QEMU that sends nothing but events, at once while the others are tried (H14).
mkdir busy
# shellcheck disable=SC2016 # perl's
perl -MIO::Socket::UNIX -MTime::HiRes=sleep -e '
	my $s = IO::Socket::UNIX->new(Local => "busy/socket", Listen => 1) or die;
	open my $up, ">", "busy/up"; close $up;
	$SIG{PIPE} = sub { exit };
	my $c = $s->accept; $c->autoflush;
	print $c "{\"QMP\": {}}\n";
	for (1 .. 600) { print $c "{\"event\": \"X\"}\n"; sleep 0.2 }' &
busy=$!
while [ ! -e busy/up ]; do sleep 0.05; done
within 15 "$B/gnomon" extract -q busy/socket >busy/out 2>&1 &
asks=$!

# serve LINE...: waits for one client and sends it the lines, the first at once, each of the
# others when it has asked for something; then hangs up.
serve() {
	perl -MIO::Socket::UNIX -e '
		my $s = IO::Socket::UNIX->new(Local => "socket", Listen => 1) or die;
		open my $up, ">", "up"; close $up;
		alarm 20;
		my $c = $s->accept; my $first = shift @ARGV;
		print $c "$first\n"; $c->flush;
		while (@ARGV && defined(my $l = <$c>)) {
			print STDERR $l; my $a = shift @ARGV; print $c "$a\n"; $c->flush }' \
		"$@" 2>asked &
	server=$!
	while [ ! -e up ]; do sleep 0.05; done
}

# says NAME WANTED LINE...: what extract and top print, and their status, with such a QEMU
says() {
	name=$1 wanted=$2
	shift 2
	for sub in extract 'top -b -n 1'; do
		serve "$@"
		# shellcheck disable=SC2086
		"$B/gnomon" $sub -q socket >out 2>errors
		is "$?:$(cat out errors)" "1:gnomon ${sub%% *}: $wanted" "${sub%% *}: $name"
		wait "$server"
		rm -f socket up
	done
}

hello='{"QMP": {"version": {}, "capabilities": []}}' yes='{"return": {}}'
no='{"error": {"class": "GenericError", "desc": "Could not open file"}}'
event='{"event": "STOP", "timestamp": {}}'
says 'a command that QEMU refuses' 'socket: pmemsave: Could not open file' "$hello" "$yes" "$no"
has "$(cat asked)" '"execute":"pmemsave"' 'it was asked for memory'
says 'an event comes before the refusal' 'socket: pmemsave: Could not open file' \
	"$hello" "$yes" "$event
$no"
says 'a refusal without a reason' 'socket: pmemsave: refused' "$hello" "$yes" '{"error": {}}'
says 'another QMP than ours' 'socket: qmp_capabilities: too new' "$hello" \
	'{"error": {"desc": "too new"}}'
says 'QEMU leaves' 'socket: QEMU has gone' "$hello" "$yes"
says 'no JSON' 'socket: no QMP: not JSON' 'SSH-2.0-OpenSSH'
says 'JSON, but no greeting' 'socket: no QMP: no greeting' '{"hello": 1}'
says 'QEMU leaves at once' 'socket: QEMU has gone' "$hello"
serve "$hello" "$yes" '{"return": "  0000000000001000-ffffffffffffffff (prio 0, ram): pc.ram"}'
is "$("$B/gnomon" extract -k none -q socket 2>&1)" 'gnomon extract: QEMU tells of more memory than it can have' \
	'H14: nobody searches more memory than there can be'
wait "$server"
rm -f socket up
serve "$hello" "$yes" "$yes"
"$B/gnomon" extract -q socket 2>errors
is "$?:$(sed 's|: .*/gnomon-[^/]*/|: DIR/|' errors)" '1:gnomon extract: DIR/ram: No such file or directory' \
	'memory that QEMU said it has written'
rm -f socket up
# shellcheck disable=SC2016 # perl's
perl -MIO::Socket::UNIX -MPOSIX=mkfifo -e '
	my $s = IO::Socket::UNIX->new(Local => "socket", Listen => 1) or die;
	open my $up, ">", "up"; close $up;
	alarm 20;
	my $c = $s->accept; $c->autoflush;
	print $c "{\"QMP\": {}}\n";
	while (<$c>) { mkfifo $1, 0600 if /"filename":"([^"]*)"/; print $c "{\"return\": {}}\n" }' &
server=$!
while [ ! -e up ]; do sleep 0.05; done
within 15 "$B/gnomon" extract -q socket 2>errors
is "$?:$(sed 's|: .*/gnomon-[^/]*/|: DIR/|' errors)" '1:gnomon extract: DIR/ram: not a file as QEMU makes one' \
	'H14 a pipe in its place is not waited for'
wait "$server"
# A QEMU that does not answer: a signal ends the wait, and nothing is left.
rm -f socket up
for sig in INT TERM; do
	for sub in extract 'top -b'; do
		case $sub:$sig in
		extract:INT) wanted=130 ;;
		extract:TERM) wanted=143 ;;
		*) wanted=0 ;;
		esac
		serve "$hello" "$yes" "$event" "$event"
		# dash ignores SIGINT for what runs in the background.
		# shellcheck disable=SC2086
		perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$B/gnomon" $sub -q socket >out 2>errors &
		pid=$!
		while ! grep -q pmemsave asked; do sleep 0.05; done
		kill -s STOP $pid
		kill -s CONT $pid
		kill -s $sig $pid
		wait $pid 2>/dev/null
		is "$?:$(cat out)" "$wanted:" "H3 SIG$sig ends $sub while QEMU does not answer"
		is "$(grep -c Interrupted errors)" 0 'H3 without a word of system calls'
		kill "$server" 2>/dev/null
		wait "$server" 2>/dev/null
		rm -f socket up
	done
done
is "$(ls tmp)" '' 'H3 no temporary folder is left'

# One that was never there, and one that a QEMU has left behind.
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "left", Listen => 1) or die'
for at in nowhere left; do
	for sub in extract "top -b"; do
		# shellcheck disable=SC2086
		"$B/gnomon" $sub -q $at 2>errors
		is "$?:$(cat errors)" "1:gnomon ${sub%% *}: $at: no guest runs there; \`make run' in another\
 terminal starts one, as does QEMU with -qmp unix:$at,server=on,wait=off" "${sub%% *}: no guest: $at"
	done
done
is "$(find . -name kpdata -o -name gmon.out)" '' 'no file is left'

# A guest that was killed leaves its socket behind: the one that answers is looked into.
mkdir build
GNOMON_BUILD=$work/build
export GNOMON_BUILD
perl -MIO::Socket::UNIX -e '
	IO::Socket::UNIX->new(Local => "build/qmp.sock", Listen => 1) or die;
	my $s = IO::Socket::UNIX->new(Local => "build/qmp-2.sock", Listen => 5) or die;
	open my $up, ">", "up"; close $up;
	alarm 20;
	$SIG{PIPE} = "IGNORE";
	while (my $c = $s->accept) { print $c "nobody\n" }' &
server=$!
while [ ! -e up ]; do sleep 0.05; done
"$B/gnomon" top -b -n 1 >out 2>errors
is "$?:$(cat out errors)" "1:gnomon top: $work/build/qmp-2.sock: no QMP: not JSON" \
	'top: a socket without a guest is passed over'
kill "$server"

# sends SOCKET PERL: a QEMU that sends what the program prints, to one client, and hears nothing
sends() {
	rm -f up
	# shellcheck disable=SC2016 # perl's
	perl -MIO::Socket::UNIX -e '
		my $s = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 1) or die;
		open my $up, ">", "up"; close $up;
		$SIG{PIPE} = sub { exit };
		select $s->accept; eval $ARGV[1]' "$1" "$2" &
	server=$!
	while [ ! -e up ]; do sleep 0.05; done
}

# One whose message has no end: more than that is not kept.
sends endless 'print "x" x 65536 for 1 .. 20000'
# shellcheck disable=SC3045 # dash has it
is "$( (ulimit -v 500000; "$B/gnomon" extract -q endless) 2>&1)" \
	'gnomon extract: endless: no QMP: a message without an end' 'H14: of a message there is a limit'
kill "$server" 2>/dev/null
sends wide 'print "{\"QMP\": [" . "{}," x 2_000_000 . "0]}\n"'
is "$("$B/gnomon" extract -q wide 2>&1)" \
	'gnomon extract: wide: no QMP: a message without an end' 'H14: also of JSON, which takes much more than it has bytes'
kill "$server" 2>/dev/null

wait "$asks"
is "$?:$(cat busy/out)" '1:gnomon extract: busy/socket: QEMU does not answer; does another program use it?' \
	'H14: events do not put off the end of the wait'
kill "$busy" 2>/dev/null

finish
