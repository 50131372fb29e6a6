#!/bin/sh
# Runs the cases of tests/sh/cases with the shell: TAP on standard output.
#
# The shell is the host's build of userland/sh, made first, under the address and
# undefined-behaviour sanitizers, with a file of the directory for /dev/consctl; SH names
# another one. With GNOMON, the path of the program `gnomon', it is the guest's. CASES
# names other tables.
#
# A case runs as `sh case' in an empty directory with no standard input; what it writes
# to standard output and standard error, and its exit status, must be what is written.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
set -- ${CASES:-"$top/tests/sh/cases"}
[ -n "${CASES:-}${GNOMON:-}" ] || set -- "$@" "$top/tests/sh/cases.host"

# cut_tables TABLE...: into N/d/case, N/want, N/status and N/name; prints how many there are.
cut_tables() {
	awk -v dir="$dir" '
		/^#=/ { next }
		/^= / {
			n++
			system("mkdir " dir "/" n " " dir "/" n "/d")
			print substr($0, 3) >(dir "/" n "/name")
			file = dir "/" n "/d/case"
			printf "" >file
			next
		}
		/^=> / {
			print $2 >(dir "/" n "/status")
			close(file)
			file = dir "/" n "/want"
			printf "" >file
			next
		}
		n { print >file }
		END { print n }
	' "$@"
}

build_shell() {
	[ -n "${SH:-}" ] && return
	SH=$dir/sh
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -g -Wall -Wextra -fsanitize=address,undefined \
		'-DCONSCTL="consctl"' -I"$top/tests/sh" -I"$top" -o "$SH" "$top"/userland/sh/*.c "$top/tests/sh/host_namespace.c"
}

run_here() {
	SHELL_UNDER_TEST=$SH
	export SHELL_UNDER_TEST
	for i in $(seq "$count"); do
		(cd "$dir/$i/d" && timeout 20 "$SH" case >../got 2>&1 </dev/null)
		echo $? >"$dir/$i/got-status"
	done
}

# All cases in one boot: the guest's output comes back as one archive-like text.
run_guest() {
	for i in $(seq "$count"); do
		set -- "$@" -p "$dir/$i/d/case:/cases/$i/case"
	done
	cat >"$dir/script" <<-'END'
		for(i in `{ls /cases | sort -n}) {
			cd /cases/$i
			sh case </dev/null >../$i.got >[2=1]
			echo $status >../$i.status
		}
		cd /cases
		for(f in *.got *.status) {
			echo '@@@@ '^$f
			cat $f
		}
	END
	"$GNOMON" run -t 120 "$@" -s "$dir/script" >"$dir/output" || return
	awk -v dir="$dir" '
		/^@@@@ / {
			split($2, part, ".")
			file = dir "/" part[1] "/" (part[2] == "got" ? "got" : "got-status")
			printf "" >file
			next
		}
		{ print >file }
	' "$dir/output"
}

count=$(cut_tables "$@")
if [ -n "${GNOMON:-}" ]; then
	run_guest || { echo "Bail out! the guest did not run the cases"; exit 1; }
else
	build_shell || { echo "Bail out! the shell does not build on this host"; exit 1; }
	run_here
fi

echo "1..$count"
failed=0
for i in $(seq "$count"); do
	name=$(cat "$dir/$i/name")
	status=$(cat "$dir/$i/got-status" 2>/dev/null)
	want=$(cat "$dir/$i/status")
	if [ "$status" = "$want" ] && cmp -s "$dir/$i/got" "$dir/$i/want"; then
		echo "ok $i - $name"
		continue
	fi
	failed=$((failed + 1))
	echo "not ok $i - $name"
	echo "# status $status, should be $want"
	diff -u "$dir/$i/want" "$dir/$i/got" | sed -n '3,40s/^/# /p'
done
[ $failed -eq 0 ]
