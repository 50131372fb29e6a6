#!/bin/sh
# Each harness of make fuzz (B11): with all inputs that are kept, and with as many changed ones as
# its first comment says (Runs:). The numbers that change them are the same every time, and so is the
# order of the inputs, which in a folder is the file system's: what fails, fails everywhere.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/../host/tap.sh"

cd "$(dirname "$0")/../.." || exit 1
b=${B:-build}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export TMPDIR="$tmp"

for harness in tests/fuzz/*.c; do
	grep -q '^int LLVMFuzzerTestOneInput' "$harness" || continue
	name=$(basename "$harness" .c)
	runs=$(awk '/ Runs: / { print $3; exit }' "$harness")
	mkdir "$tmp/$name"
	find "tests/fuzz/corpus/$name" -type f | LC_ALL=C sort | tr '\n' , | sed 's/,$//' >"$tmp/inputs"
	"$b/tests/fuzz/$name" -close_fd_mask=3 -seed=1 -runs="$runs" -artifact_prefix="$b/fuzz-" \
		-seed_inputs="@$tmp/inputs" "$tmp/$name" >"$tmp/log" 2>&1
	ok $? "B11 $name: $runs inputs" "$(grep -aE 'ERROR|rror:|#[0-9]+ .* in |written to' \
		"$tmp/log" | grep -v fuzzer:: | head -n 12)"
done

finish
