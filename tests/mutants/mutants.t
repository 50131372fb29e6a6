#!/bin/sh
# Tests of tests are made as they should be (B18): make mutants, with a small file.
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
file=kernel/process/skiplist.c
before=$(cksum <$file)

# mutants [VARIABLE=VALUE...] FILE: its answer is $out
mutants() { out=$(env KEEP="$tmp/tree" "$@" 2>&1); }

mutants N=3 SEED=3 tests/mutants/run $file
is "$?" 0 'B18 every change of three is noticed: the status' "$out"
is "$(echo "$out" | grep -c "^ok .*$file:.*; noticed by tests/kernel/skiplist$")" 3 \
	'B18 and each says by which test'
has "$out" '# 3 of 3 noticed' 'B18 and how many'
is "$(echo "$out" | awk '/^ok/ { print $6 }' | sort -u | wc -l)" 3 'B18 they are of different kinds'

# Which bits of a hash are taken is nobody's promise.
mutants ONLY="$(awk -f tests/mutants/changes.awk $file | sed -n '/>> (16 + 1)/s/\t.*//p')" \
	tests/mutants/run $file
is "$?" 1 'B18 a change that none notices: the status'
has "$out" 'not ok 1 - ' 'B18 and it is named'

mutants N=1 TESTS=tests/kernel/args tests/mutants/run $file
has "$out" "$(printf 'not ok 1 - ')" 'B18 tests that are given take the place of its own'

mutants N=3 tests/mutants/run kernel/nothing.c
is "$?" 2 'B18 a file that is none'
mutants N=3 tests/mutants/run tests/mutants/mutants.t
is "$?: $out" "2: mutants: tests/mutants/mutants.t: tests/mutants/subjects does not name its tests" \
	'B18 a file without tests'
is "$(cksum <$file)" "$before" 'B18 the file itself is never changed'

# A case that fails in the guest has to fail the script that boots it.
is "$(
	. tests/guest/machine.sh
	wanted=1
	printf '%s\n' '# program none' 1..2 'ok 1 - a' 'not ok 2 - b' '# end' | flatten none >/dev/null 2>&1
	cat "$tmp/count"
)" '3 1' 'B18 what fails in the guest is counted'

finish
