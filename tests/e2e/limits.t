#!/bin/sh
# limits(1), and how the shell names the limit that a user's command ran into: B3.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh

cat >"$tmp/script" <<'END'
echo = table
limits none
echo = set
limits none processes 5; echo $status
limits none | grep processes
echo = processes
as none sh -c 'seq 1 2 | cat | cat | cat | cat | cat'
echo = pages
limits none processes 64
limits none pages 150
as none sh -c 'sleep 1 | sleep 1 | sleep 1 | sleep 1 | sleep 1 | sleep 1'
limits none pages -
limits none | grep pages
echo = files
limits none files 2
as none sh -c 'cat </rc/init >/dev/null'
limits none files 1024
echo = wrong
limits none pages abc; echo $status
limits none pages 99999999999; echo $status
limits none foo 3; echo $status
limits bob; echo $status
limits none pages; echo $status
as none limits none pages 3; echo $status
END
"$b/gnomon" run -t 120 --mem 24 -o "$tmp" -s "$tmp/script" >"$tmp/out" 2>&1
ok $? 'the run' "$(tail -n 3 "$tmp/out")"

is "$(part table | awk '{ print $1, $2, $3 + 0 }' | head -n 4)" 'USER RESOURCE 0
none processes 0
none files 0
none mounts 0' 'B3 what a user has'
is "$(part set)" "0
none    processes            0         5" 'B3 the owner sets what they may have'
has "$(part processes)" 'sh: -c:1: fork: too many processes for none (5)' 'B3 too many processes'
has "$(part pages)" 'out of memory for none (600 KB)' 'B3 too much memory'
part pages | tail -n 1 | grep -q 'none    pages .* -$'
ok $? 'B3 no limit' "$(part pages)"
has "$(part files)" 'sh: -c:1: /dev/null: too many open files for none (the owner' 'B3 too many open files'
is "$(part wrong)" 'limits: abc: not a limit, which is a number, or - for none
1
limits: none has no limit of pages to be 99999999999; see limits(5)
1
limits: none has no limit of foo to be 3; see limits(5)
1
limits: bob: no such user
1
usage: limits [user [resource limit]]
2
limits: /dev/limits: Permission denied
1' 'B3 what is wrong is named'
finish
