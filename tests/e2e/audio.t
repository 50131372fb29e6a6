#!/bin/sh
# The sound card: what QEMU's card played is compared with the file, sample by sample. Gaps, odd
# writes, one player at a time, interruption, no card. K3.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
sound=$b/root/sound

# play NAME COMMANDS OPTION...: run the commands with a card; what it played goes to
# $tmp/NAME.wav. When the file is closed the last milliseconds are still to be played.
play() {
	name=$1
	printf '%s\nsleep 0.5\n' "$2" >"$tmp/script"
	shift 2
	"$b/gnomon" run -t 60 --sound "$tmp/$name.wav" -o "$tmp" "$@" -s "$tmp/script" \
		>"$tmp/$name.out" 2>&1
}

# plays NAME FILE: whether the recording holds just that sound; $tmp/differ says where not
plays() {
	tail -c +45 "$tmp/$1.wav" >"$tmp/$1.pcm"
	frames "$tmp/$1.pcm" >"$tmp/got"
	played "$2" >"$tmp/want"
	[ -s "$tmp/want" ] && cmp "$tmp/got" "$tmp/want" >"$tmp/differ" 2>&1
}

[ "$(wc -c <"$sound")" -gt 20000 ]
ok $? 'there is a sound to play'

play whole 'cp /sound /dev/audio'
plays whole "$sound"
ok $? 'what cp writes to /dev/audio is played, every sample' "$(cat "$tmp/whole.out" "$tmp/differ")"

play wall 'cat /sound >/dev/audio' --icount off
plays wall "$sound"
ok $? 'without -icount too' "$(cat "$tmp/wall.out" "$tmp/differ")"

play smp 'cat /sound >/dev/audio' --icount off --smp 4
plays smp "$sound"
ok $? 'and on several processors' "$(cat "$tmp/smp.out" "$tmp/differ")"

# Slots that are four apart share an interrupt line. The sound is read from the folder meanwhile.
cat >"$tmp/qemu" <<'END'
#!/bin/sh
for a; do
	shift
	case $a in
	AC97,*) a=$a,addr=8 ;;
	virtio-9p-pci,*) a=$a,addr=4 ;;
	esac
	set -- "$@" "$a"
done
exec "${QEMU:-qemu-system-i386}" "$@"
END
chmod +x "$tmp/qemu"
cp "$sound" "$tmp/bell"
play shared 'cp /n/remote/bell /dev/audio' --qemu "$tmp/qemu" --console "$tmp/console"
is "$(tr -d '\r' <"$tmp/console" | grep -E '^(ac97|virtio9p):' | grep -o "irq [0-9]*" |
	uniq -c | awk "{ print \$1 }")" 2 \
	'two cards can share an interrupt line'
plays shared "$sound"
ok $? 'and both work' "$(cat "$tmp/shared.out" "$tmp/differ")"

# Writes of 1, 3, 5 and 7 bytes, and some that cross the card's blocks; together they are whole frames.
play odd '{echo -n a; cat /sound; echo -n bcd; cat /sound; echo -n efghi; cat /rc/workload
	echo -n jklmnop; cat /sound} >/dev/audio'
{
	printf a
	cat "$sound"
	printf bcd
	cat "$sound"
	printf efghi
	cat "$b/root/rc/workload"
	printf jklmnop
	cat "$sound"
} >"$tmp/odd"
size=$(wc -c <"$tmp/odd")
head -c $((size / 4 * 4)) "$tmp/odd" >"$tmp/odd.whole"
plays odd "$tmp/odd.whole"
ok $? 'frames written in pieces are put together; half a frame at the end is not played' \
	"$(cat "$tmp/odd.out" "$tmp/differ")"

# The card runs dry: it is silent, repeats nothing, and goes on later.
play gap '{cat /sound; sleep 1.5; cat /sound} >/dev/audio'
tail -c +45 "$tmp/gap.wav" >"$tmp/gap.pcm"
frames "$tmp/gap.pcm" >"$tmp/got"
played "$sound" >"$tmp/want"
long=$(wc -l <"$tmp/want")
head -n "$long" "$tmp/got" | cmp -s - "$tmp/want" &&
	tail -n "$long" "$tmp/got" | cmp -s - "$tmp/want"
ok $? 'before and after a gap every sample is there' "$(cat "$tmp/gap.out")"
tail -n +$((long + 1)) "$tmp/got" | head -n -"$long" >"$tmp/between"
awk '$1 != 0 || $2 != 0 { bad = 1 } END { exit !(NR > 0 && !bad) }' "$tmp/between"
ok $? 'and the gap is silent' "$(head -n 3 "$tmp/between")"

play busy '{sleep 0.1; cat /rc/init; sleep 0.4} >/dev/audio &
	sleep 0.2
	echo x >/dev/audio
	wait
	cat /sound >/dev/audio'
has "$(cat "$tmp/busy.out")" '/dev/audio: Busy' 'a second player is told that the card is busy'
played "$sound" >"$tmp/want"
tail -c +45 "$tmp/busy.wav" >"$tmp/busy.pcm"
frames "$tmp/busy.pcm" | tail -n "$(wc -l <"$tmp/want")" | cmp -s - "$tmp/want"
ok $? 'and after the first has ended another plays'

# An interrupt ends an endless player at once; what was queued is not played.
play stop 'cat /dev/zero >/dev/audio & p=$apid
	sleep 1
	cat /dev/time
	kill -INT $p
	wait
	cat /dev/time
	cat /sound >/dev/audio'
awk 'NF == 3 { ns[++reads] = $2 } END { exit !(reads == 2 && ns[2] - ns[1] < 1e8) }' "$tmp/stop.out"
ok $? 'an interrupt ends a player at once' "$(cat "$tmp/stop.out")"
plays stop "$sound"
ok $? 'and the card can be used again'

play reads 'cat /dev/audio; ls -l /dev/audio'
has "$(cat "$tmp/reads.out")" 'Permission denied' 'nothing is recorded'

# A thousand interrupts of a quarter of a microsecond or more, sampled 20,000 times a second.
play profile 'echo hz 20000 >/dev/kpctl
	echo startclr >/dev/kpctl
	for(i in `{seq 100}) cat /sound >/dev/audio
	echo stop >/dev/kpctl' -f /dev/kpdata:kpdata
"$b/kprof" "$b/gnomon.elf" "$tmp/kpdata" >"$tmp/profile.txt"
grep -q ' ac97_interrupt$' "$tmp/profile.txt"
ok $? 'K3 the card'"'"'s interrupt handler is seen while it plays' "$(cat "$tmp/profile.txt")"

# No card.
none=$("$b/gnomon" run -t 60 'cat /sound >/dev/audio; cp /sound /dev/audio; bind -a "#A" /dev
	ls /dev/audio' 2>&1)
is "$none" 'sh: /run/script:1: /dev/audio: No such file or directory
cp: /dev/audio: No such file or directory
bind: #A on /dev: No such device
ls: /dev/audio: No such file or directory' 'without a card there is no /dev/audio, and errors say so'

finish
