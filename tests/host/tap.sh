# Test results in TAP, for the shell tests of this folder: sourced by them.
# shellcheck shell=sh

n=0 bad=0

# A limit in the host's seconds only ends what hangs. It is as many times as long as this says, by
# what else the host has to do, in the last minute or now (H11); `gnomon run' sees to its own.
: "${GNOMON_PATIENCE:=$(awk -v cpus="$(nproc)" '{
	split($4, running, "/")
	print 2 + int(($1 > running[1] ? $1 : running[1]) / cpus)
}' /proc/loadavg)}"
export GNOMON_PATIENCE

# ok STATUS NAME [REMARK]: a test has passed if STATUS is 0. What went wrong goes to the standard
# error, for prove(1) shows only that; with the script's name, for several run at a time.
ok() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
		return
	fi
	bad=$((bad + 1))
	echo "not ok $n - $2"
	printf '%s\n' "${0##*/}: $n - $2" ${3:+"$3"} | sed 's/^/# /' >&2
}

# is GOT WANTED NAME: two strings are the same.
is() {
	[ "$1" = "$2" ]
	ok $? "$3" "got:    $1
wanted: $2"
}

# isnt GOT OTHER NAME: two strings differ.
isnt() {
	[ "$1" != "$2" ]
	ok $? "$3" "got:    $1"
}

# has TEXT PART NAME: a string contains another.
has() {
	case $1 in
	*"$2"*) ok 0 "$3" ;;
	*) ok 1 "$3" "no \"$2\" in: $1" ;;
	esac
}

# within SECONDS COMMAND...: run it, but no longer than that on a quiet host, even if it is deaf.
within() {
	seconds=$(($1 * GNOMON_PATIENCE))
	shift
	timeout -k 5 "$seconds" "$@"
}

# The plan, and the exit status.
finish() {
	echo "1..$n"
	[ "$bad" -eq 0 ]
}
