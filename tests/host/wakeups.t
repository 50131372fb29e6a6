#!/bin/sh
# gnomon report --wakeups: what processes of a time line waited for, and who woke them. B is the
# folder of what was built.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

B=$(cd "${B:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir build
GNOMON_BUILD=$work/build
export GNOMON_BUILD LC_ALL=C

report() { "$B/gnomon" report "$@"; }
# rows FILE OPTION...: the rows, with single blanks
rows() { report --wakeups "$@" | sed '1,/woken by$/d; s/^ *//; s/  */ /g'; }
head='# kptrace version=1 cpus=1 period_us=1000'

# cat waits for a pipe from 2 to 6 ms, when sort, on the other processor, wakes it, and runs from 7 ms
# on; then it sleeps from 8 ms to 9 ms, which the clock ends while sort runs.
printf '%s\n' '# kptrace version=1 cpus=2 period_us=1000' \
	'# cpu=0 records=6 overwritten=0' '1000 0 9 cat;[switch]' '2000 0 0 idle;[switch]' \
	'7000 0 9 cat;[switch]' '# wait=[pipe]' '8000 0 0 idle;[switch]' '9000 0 9 cat;[switch]' \
	'# wait=[sleep]' '10000 0 0 off;[switch]' \
	'# cpu=1 records=2 overwritten=0' '1000 1 12 sort;[switch]' '# woken=9 us=6000' \
	'# woken=9 us=8900' '10000 1 0 off;[switch]' >waits
is "$(report -w waits | tail -n 3)" \
	'  times   waited ms   longest    ready ms   longest  process          for     woken by
      1       4.000     4.000       1.000     1.000  cat 9            pipe    sort 12
      1       0.900     0.900       0.100     0.100  cat 9            sleep   [interrupt]' \
	'H12: who woke a process, and what it had waited for'
is "$(rows --from 4ms waits)" '1 2.000 2.000 1.000 1.000 cat 9 pipe sort 12
1 0.900 0.900 0.100 0.100 cat 9 sleep [interrupt]' 'H13: of a part what reaches over its edge is cut'
is "$(rows --to 5ms waits)" '1 3.000 3.000 0.000 0.000 cat 9 pipe sort 12' 'H13: also at the end'
is "$(rows --mode sleep waits)" '1 0.900 0.900 0.100 0.100 cat 9 sleep [interrupt]' 'H12: one cause'
has "$(report -t waits)" '--wakeups tells what processes waited for, and who woke them' \
	'H12: the time line names it'

# sh forks and waits for two children, of which each is woken by nobody, for it is new; the first is
# cat when it ends. sed gives way to them. That sh is woken is recorded after the change to sed.
printf '%s\n' "$head" '# cpu=0 records=9 overwritten=0' '1000 0 5 sed;[switch]' \
	'2000 0 7 sh;[switch]' '3000 0 8 sh;[switch]' '3500 0 8 cat;[user];0x00400010' \
	'4000 0 5 sed;[switch]' '# woken=7 us=4001' '5000 0 7 sh;[switch]' '# wait=[child]' \
	'6000 0 10 wc;[switch]' '8000 0 5 sed;[switch]' '# woken=7 us=8001' \
	'9000 0 7 sh;[switch]' '# wait=[child]' >children
is "$(rows children)" '2 0.000 0.000 5.000 3.000 sed 5 ready
1 2.001 2.001 0.999 0.999 sh 7 child wc 10
1 1.001 1.001 0.999 0.999 sh 7 child cat 8' 'H12: children that end; and who gave way'
is "$(rows --process sh --limit 1 children)" '1 2.001 2.001 0.999 0.999 sh 7 child wc 10
1 more; --limit 0 shows all' 'H12: one process, woken by others'
is "$(rows --pid 5 children)" '2 0.000 0.000 5.000 3.000 sed 5 ready' 'H13: one process by its number'
sed 's/10 wc/10 cat/' children >alike
is "$(rows --pid 7 alike)" '2 3.002 2.001 1.998 0.999 sh 7 child cat (several)' \
	'H12: those of one name are together'
is "$(report -w -o csv alike | tr -d '\r')" \
	'process,pid,cause,woken_by,woken_by_pid,times,waited_ms,longest_waited_ms,ready_ms,longest_ready_ms
sed,5,ready,,,2,0,0,5,3
sh,7,child,cat,,2,3.002,2.001,1.998,0.999' 'H6: as data'
is "$(report -w -o json waits | jq -c '.report, (.rows[] | [.woken_by, .woken_by_pid])' | xargs)" \
	'wakeups [sort,12] [[interrupt],null]' 'H6: and as JSON'
is "$(sed '/woken/d' children | report -w --pid 7 - | tail -n 1 | xargs)" \
	'2 5.000 3.000 0.000 0.000 sh 7 child ?' 'H12: what is not recorded is said to be so'

# A CPU that is idle wakes by an interrupt; what was before the process ran first, or while recording
# was stopped, is not known.
printf '%s\n' "$head" '# cpu=0 records=8 overwritten=0' '1000 0 0 idle;[switch]' '# woken=9 us=1500' \
	'2000 0 9 cat;[switch]' '# wait=[pipe]' '3000 0 0 idle;[switch]' '# woken=9 us=4000' \
	'4500 0 9 cat;[switch]' '# wait=[pipe]' '5000 0 0 idle;[switch]' '6000 0 0 off;[switch]' \
	'8000 0 0 idle;[switch]' '# woken=9 us=8500' '9000 0 9 cat;[switch]' '# wait=[pipe]' >idle
is "$(rows idle)" '1 1.000 1.000 0.500 0.500 cat 9 pipe [interrupt]' 'H12: an interrupt, and what is not known'

# Of calls that were measured times are nanoseconds.
"$B/tests/tools/mkkernel" build/gnomon.elf kpdata || exit 1
sed 's/version=1/& build=abcd000000000000000000000000000000000000/
	/^# cpu=1/i # call=9 ns=10000500;0xc0100040' waits >called
is "$(rows --pid 9 called)" "$(rows waits)" 'T5: the same beside calls' "$(report -w called 2>&1)"

refused() {
	said=$(report --wakeups "$@" 2>&1)
	is "$? $(echo "$said" | sed 's/^gnomon report: //; q')" "$want" "refused: $*"
}
printf '%s\n' "$head" '# cpu=0 records=1 overwritten=0' '1000 0 7 sh;[user];0x00400010' >ticks
want="1 ticks: it does not tell who woke whom; kptrace does after 'stacks on', 'waits on' and 'trace 10000 switches'"
refused ticks
want='1 waits: no process waited, or none that was chosen'
refused --process sort waits
refused --pid 77 waits
want='2 --cpu has no effect with --wakeups'
refused --cpu 1 waits
finish
