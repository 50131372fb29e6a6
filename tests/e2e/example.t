#!/bin/sh
# The EXAMPLE of kprof(3) as its page prints it: a sound played with the profiler on, and the
# counts left in the host's folder, where the host's kprof reads them. K13.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
mkdir "$tmp/host" "$tmp/host/tmp"

sed -n '/^fn sample {/,/^\.Ed/p' docs/man/3/kprof.3 | grep -v '^\.Ed' >"$tmp/script"
is "$(tail -n 1 "$tmp/script")" 'sample {cp sound /dev/audio}' 'K13 the page has its EXAMPLE'

# The end of the sound is still to be played.
{
	cat "$tmp/script"
	echo 'sleep 0.5'
} >"$tmp/whole"
"$b/gnomon" run -t 60 -o "$tmp/host" --sound "$tmp/wav" -s "$tmp/whole" >"$tmp/out" 2>&1
is "$? $(cat "$tmp/out")" '0 ' 'K13 it runs in the shell, without a complaint'

[ -f "$tmp/host/tmp/kpdata" ] && ! [ -L "$tmp/host/tmp/kpdata" ]
ok $? 'K13 the counts are in the folder of the host'
"$b/kprof" "$b/gnomon.elf" "$tmp/host/tmp/kpdata" >"$tmp/report" 2>&1
ms=$(($(wc -c <"$b/root/sound") * 10 / 1764)) # 44,100 frames of four bytes a second
awk "\$1 == \"total:\" { exit !(\$2 > $ms * 0.9 && \$2 < $ms + 200) }" "$tmp/report"
ok $? "K13 as many ticks as the sound is long, $ms ms" "$(cat "$tmp/report")"
grep -q ' cpu_idle$' "$tmp/report"
ok $? 'K13 while the card works the processor has nothing to do' "$(cat "$tmp/report")"

# Every frame of the sound was played; silence around it does not count.
played "$b/root/sound" >"$tmp/want"
tail -c +45 "$tmp/wav" >"$tmp/pcm"
frames "$tmp/pcm" >"$tmp/got"
[ -s "$tmp/want" ] && cmp -s "$tmp/want" "$tmp/got"
ok $? 'K13 and the sound was played, every sample'

finish
