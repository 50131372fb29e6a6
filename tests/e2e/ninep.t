#!/bin/sh
# The host's folder as a whole: what the guest does to it, as the host sees it, and the other
# way round; with several processors, and without a device that can be used. The
# server's errors are tested in the guest, by tests/guest/ninep.c.
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/../host/tap.sh"

B=$(cd "${B:-build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# A QEMU with $DEVICE added to the device's options, and $LIMIT on the size of files.
cat >qemu <<'EOF'
#!/bin/sh
for a; do
	shift
	case $a in virtio-9p-pci,*) a=$a$DEVICE ;; esac
	set -- "$@" "$a"
done
if [ "$LIMIT" ]; then
	trap '' XFSZ
	ulimit -f "$LIMIT"
fi
exec "${QEMU:-qemu-system-i386}" "$@"
EOF
chmod +x qemu
DEVICE='' LIMIT=''
export DEVICE LIMIT

# run ARGUMENT...: what it prints goes to $out and $err, its exit status to $status.
run() {
	within 120 "$B/gnomon" run --qemu "$work/qemu" -o folder --console console "$@" \
		>stdout 2>stderr </dev/null
	status=$?
	out=$(cat stdout) err=$(cat stderr)
}

# What the host prepares: 8 MB of nothing special, and a directory of 1,000 entries.
mkdir folder folder/many
LC_ALL=C awk 'BEGIN { srand(7); while (n++ < 65536) printf "%127d\n", rand() * 1e9 }' >data
long=a-name-that-is-long-enough-to-need-several-answers-for-so-many
i=1000
while [ $((i += 1)) -le 2000 ]; do
	: >"folder/many/$long-$i"
done
ls folder/many >many
ln -s /etc/passwd folder/link

cat >script <<'END'
cd /n/remote
cp data copy
cmp data copy || exit 1
mkdir made made/below
mv copy made/below/moved
rm data
echo line >made/text
echo line >>made/text
ls many
END

# on NAME OPTION...: the tests that are the same for each machine
on() {
	name=$1
	shift
	cp data folder/data
	rm -rf folder/made
	run "$@" -s script
	is "$status $err" '0 ' "$name: the script succeeds"
	cmp -s data folder/made/below/moved
	ok $? "$name: 8 MB were copied, and moved"
	is "$(cat folder/made/text)" 'line
line' "$name: lines were appended"
	is "$(cd folder && echo d*)" 'd*' "$name: a file was removed"
	printf '%s\n' "$out" | sort | cmp -s - many
	ok $? "$name: 1,000 entries were listed"
}

on 'usual'
has "$(cat console)" 'virtio9p: host: irq' 'of a device in both forms'
DEVICE=,disable-legacy=on
on 'modern only, 4 processors' --smp 4 --icount off
has "$(cat console)" 'virtio9p: host: irq' 'of a modern device'
DEVICE=,disable-modern=on
run 'bind "#9host" /n/remote'
has "$out" 'No such device' 'a device in the legacy form only is not used'
has "$(cat console)" 'legacy device only: not supported' 'and the console says so'
DEVICE=

# Permissions and owners are those of the host: nobody else may write to what is made.
run 'cd /n/remote; echo x >new; mkdir newdir; chmod 400 made/text; ./tool'
is "$status" 127 'a program that is not there: 127'
is "$(stat -c '%a %U' folder/new folder/newdir folder/made/text)" "644 $(id -un)
755 $(id -un)
400 $(id -un)" 'modes, and the owner is who runs QEMU'
cp "$B/root/bin/echo" folder/tool
run '/n/remote/tool from the folder'
is "$status $out" '0 from the folder' 'a program in the folder runs'

# The host's errors.
run 'cat /n/remote/none; cat /n/remote/link; cat /n/remote/many; mkdir /n/remote/many'
is "$out" 'cat: /n/remote/none: No such file or directory
cat: /n/remote/link: Too many levels
cat: /n/remote/many: Is a directory
mkdir: /n/remote/many: File exists' 'errors in words'
LIMIT=2048
run 'cp /bin/* /n/remote; cat /bin/* /bin/* /bin/* >/n/remote/large'
is "$(stat -c %s folder/large)" 1048576 'a file grows up to the limit on the host'
has "$out" 'File too large' 'which the guest is told of'
LIMIT=

# A folder of another device, with a name of its own; and a server that does not exist.
mkdir other
echo content >other/file
cat >two <<EOF
#!/bin/sh
exec "\${QEMU:-qemu-system-i386}" "\$@" \
	-fsdev local,id=b,path=$work/other,security_model=none,readonly=on \
	-device virtio-9p-pci,fsdev=b,mount_tag=second
EOF
chmod +x two
cat >twice <<'END'
mkdir /tmp/a
bind -c '#9second' /tmp/a
cat /tmp/a/file
echo x >/tmp/a/new
mv /tmp/a/file /n/remote/file
cat /n/remote/file
bind '#9third' /tmp/a
END
run --qemu "$work/two" -s twice
is "$out" 'content
sh: /run/script:4: /tmp/a/new: Read-only file system
rm: /tmp/a/file: Read-only file system
content
bind: #9third on /tmp/a: No such device' 'two folders at a time'
is "$(cat other/file)" content 'and what may only be read was only read'

# Without the device, whatever is lost is reported.
run --serial 'ls /n/remote; cat /n/remote/README; echo x >/n/remote/x; bind "#9host" /n/remote'
has "$out" 'shares no folder' 'without a device /n/remote says so'
has "$out" '/n/remote/x: Permission denied' 'and takes nothing'
has "$out" 'No such device' 'nor can it be bound'

finish
