#!/bin/sh
# DG/UX's kernel profiler as a whole: the guest's prfld, prfstat, prfsnap, prfdc and prfpr,
# the host's prfpr. D12.
# Needs: gnomon-test.elf
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

cat >"$tmp/script" <<'END'
cd /tmp
echo = before
prfstat
prfstat on
prfsnap log
prfpr log
echo = load
prfld
prfstat
prfstat on
prfld
echo = snapshots
prfsnap log
prfpr log
echo = work
/rc/workload
seq 1 20000 | sort -r >/dev/null
sleep 1
prfsnap log
prfstat off
echo = off
prfsnap log
sleep 1
prfsnap log
prfpr log 0 >report
prfpr log
echo = refused
prfld /bin/sh
prfld /rc/init
prfld /nowhere
prfld -f /nowhere
prfstat -f /dev/null
prfsnap -f /dev/null other
prfsnap /rc/init
prfsnap /dev/prf
prfpr /dev/prf
prfstat up
prfdc log 0
prfdc log 1 25
prfpr log 1 /bin/sh
echo = foreign
cp /rc/init foreign
prfsnap foreign
cmp /rc/init foreign
echo = one
prfld -f /dev/prf0
prfstat -f /dev/prf0
prfstat -f /dev/prf0 on
prfstat
prfsnap -f /dev/prf0 one
sleep 1
prfsnap -f /dev/prf0 one
prfstat -f /dev/prf0 off
prfpr one 50
prfsnap -f /dev/prf0 log
echo = reload
cp log again
prfld
prfsnap again
prfpr again 0 | tail -n 1
echo = end
true
END
"$b/gnomon" run -t 120 -o "$tmp" -f /tmp/log -f /tmp/report -f /tmp/one -s "$tmp/script" \
	>"$tmp/out" 2>&1
ok $? 'D12 the script ran' "$(cat "$tmp/out")"

functions=$(nm "$b/gnomon.elf" | awk '$2 ~ /[tT]/ && $3 != "ktzero" && $3 != "etext" { print $1 }' |
	sort -u | wc -l)
is "$(part before)" '/dev/prf: not loaded
prfstat: /dev/prf: no addresses are loaded; see prfld(8)
prfsnap: /dev/prf: no addresses are loaded; see prfld(8)
prfpr: log: No such file or directory' 'D12 before anything is loaded'
loaded=$(part load | sed -n 's|^/dev/prf: off, \([0-9]*\) addresses$|\1|p')
[ "${loaded:-0}" -gt 300 ] && [ "$loaded" -le "$functions" ]
ok $? 'D12 prfld loads the functions of the kernel' "$loaded of $functions: $(part load)"
is "$(part load | tail -n 2)" "/dev/prf: on, $loaded addresses
prfld: /dev/prf: it is on; turn it off by prfstat(8) first" 'D12 prfstat turns it on; then prfld is refused'
is "$(part snapshots)" '' 'D12 one snapshot prints nothing'
is "$(part work)" "/dev/prf: off, $loaded addresses" 'D12 prfstat turns it off'

# The report of all that is not zero: three pairs of snapshots, the last two with next to nothing.
awk '/^[0-9]+-/ { pair++; next } { print > (FILENAME "." pair) }' "$tmp/report"
is "$(grep -c '^2026-01-01 00:..:..  2026-01-01 00:..:..$' "$tmp/report")" 3 \
	'D12 a line for each two successive snapshots'
for name in user idle user_copy; do
	grep -q "^$name [0-9]*\.[0-9][0-9]$" "$tmp/report.1"
	ok $? "D12 $name has its share" "$(cat "$tmp/report.1")"
done
nm "$b/gnomon.elf" | awk '{ print $3 }' >"$tmp/names"
is "$(awk '$1 != "user" && $1 != "idle" { print $1 }' "$tmp/report.1" | grep -vxFf "$tmp/names")" '' \
	'D12 the other names are functions of the kernel'
awk '{ sum += $2; if ($2 <= 0) bad = 1 } END { exit bad || NR < 10 || sum < 99.5 || sum > 100.5 }' \
	"$tmp/report.1"
ok $? 'D12 the shares are 100 per cent together' "$(cat "$tmp/report.1")"
awk '$1 == "idle" { exit !($2 > 20) }' "$tmp/report.1"
ok $? 'D12 idle when it slept' "$(cat "$tmp/report.1")"
[ ! -s "$tmp/report.3" ]
ok $? 'D12 nothing is counted when it is off'
is "$(part off)" "$(awk '/^[0-9]+-/ || $2 > 1' "$tmp/report")" \
	'D12 strictly more than 1 per cent is printed by default'

"$b/prfpr" "$tmp/log" 0 >"$tmp/host" 2>&1
is "$(cat "$tmp/host")" "$(cat "$tmp/report")" 'D12 the host'\''s prfpr prints the same'
"$b/prfpr" "$tmp/log" 1 "$b/gnomon-test.elf" >"$tmp/host" 2>&1
has "$(cat "$tmp/host")" 'from another kernel' 'D12 but not with another kernel'

is "$(part refused | sed 's/build id is [0-9a-f]*/build id is X/; s/that of \(.*\) is .*/that of \1 is X/')" \
	'prfld: /bin/sh is not the running kernel
prfld: /rc/init: not a 32-bit ELF file
prfld: /nowhere: No such file or directory
prfld: /nowhere: No such file or directory
prfstat: /dev/null: not a prf device
prfsnap: /dev/null: not a prf device
prfsnap: /rc/init: not a log of prf
prfsnap: /dev/prf: a device, not a log; prfsnap(8) writes logs
prfpr: /dev/prf: a device, not a log; prfsnap(8) writes logs
usage: prfstat [-f dev] [on|off]
prfdc: 0: not within 1 and 1440
prfdc: 25: not within 0 and 24
prfpr: log: from another kernel: its build id is X, that of /bin/sh is X' 'D12 what is refused, and why'
is "$(part foreign)" 'prfsnap: foreign: not a log of prf' 'D12 a foreign file is left as it is'
is "$(part one | head -n 3)" "/dev/prf0: off, $loaded addresses
/dev/prf0: on, $loaded addresses
/dev/prf: off, $loaded addresses" 'D12 -f: one processor, independently'
is "$(part one | awk '$1 == "idle" && $2 > 90 { print "idle" }')" idle 'D12 which slept'
"$b/prfpr" "$tmp/one" 50 >"$tmp/host" 2>&1
has "$(part one)" "$(cat "$tmp/host")" 'D12 and its log on the host'
is "$(part one | tail -n 1)" 'prfsnap: log: a log of another device, whose minor number is 255' \
	'D12 a log of another device is left as it is'
has "$(part reload)" 'the counters were zeroed; counting from here' 'D12 prfld between two snapshots'

# Hours pass in a moment if nothing is to be done. The clock starts at midnight.
cat >"$tmp/script" <<'END'
cd /tmp
prfld
prfdc hour 7 1
date
prfdc ever 1 24 &
sleep 200
kill $apid
wait
prfpr hour
echo = ever
prfpr ever
echo = cut
prfpr short
prfld -f /dev/prf0
prfsnap -f /dev/prf0 short
prfpr short
echo = end
END
head -c $(($(wc -c <"$tmp/one") - 1)) "$tmp/one" >"$tmp/short"
"$b/gnomon" run -t 300 -o "$tmp" -p "$tmp/short:/tmp/short" -s "$tmp/script" >"$tmp/out" 2>&1
is "$(sed -n 1p "$tmp/out")" 'Thu Jan  1 01:00:00 UTC 2026' 'D12 prfdc ends at its hour'
sed '1d; /^= /,$d' "$tmp/out" | cut -c 12-16,33-37 >"$tmp/times"
is "$(cat "$tmp/times")" '00:0000:07
00:0700:14
00:1400:21
00:2100:28
00:2800:35
00:3500:42
00:4200:49
00:4900:56
00:5601:00' 'D12 prfdc: a snapshot every period, and one at the end'
is "$(part ever | cut -c 12-16,33-37)" '01:0001:01
01:0101:02
01:0201:03' 'D12 prfdc 24 never ends by itself'

# The clock of each run starts with the same date, and this log's second snapshot is later than its
# first. The runs have numbers.
is "$(part cut | sed 's/01:03:[0-9]*/01:03:XX/')" \
	'prfpr: short: the last record is cut short; left out
prfsnap: short: the last record is cut short; it is overwritten
2026-01-01 01:03:XX: the system was started anew; counting from here' \
	'D12 C10 an interrupted append is repaired; nothing is subtracted over a restart'

finish
