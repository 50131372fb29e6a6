#!/bin/sh
# What `make install' and `make deb' put elsewhere works there, without the tree; what `make dist'
# packs is whole (H1).
# shellcheck source=tests/host/tap.sh
. "$(dirname "$0")/tap.sh"

cd "$(dirname "$0")/../.." || exit 1
b=$(realpath "${B:-build}")
tree=$PWD
work=$(mktemp -d) || exit 1
trap 'chmod 755 "$work" "$work/shut" 2>/dev/null; rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL GNOMON_BUILD

# What make does for the two, with what has been built.
make -s -n B="$work/b" DESTDIR="$work/my root" PREFIX=/opt/g install uninstall 2>"$work/said" |
	sed -n "s|$work/b|$b|g; /tools.install/p" >"$work/lines"
install=$(sed -n 1p "$work/lines") uninstall=$(sed -n 2p "$work/lines")
has "$install" "DESTDIR='$work/my root' PREFIX='/opt/g' tools/install/tree install $b" \
	'H1 make install takes PREFIX and DESTDIR'
mkdir "$work/my root"
(umask 077 && eval "$install") >"$work/said" 2>&1
ok $? 'H1 it is installed' "$(cat "$work/said")"

# All below the folder, with the folders, is what the list says.
find "$work/my root" -mindepth 1 -type d -printf '%P/\n' -o -type f -printf '%P\n' | sort >"$work/found"
sed 's|^/||; t; s|^|opt/g/|' "$work/my root/opt/g/lib/gnomon/installed" | sort >"$work/listed"
is "$(diff "$work/listed" "$work/found")" '' 'H1 the list of what was installed is true'
is "$(find "$work/my root/opt/g" ! -perm -005 -type d -o -type f ! -perm -004)" '' \
	'H1 everybody can read it, whatever the umask was'

# The package has the same, compressed the fastest way. What takes lintian long is left to make
# soak, as are manual pages, which make lint looks at.
mkdir "$work/package"
eval "DPKG_DEB_COMPRESSOR_LEVEL=0 tools/install/deb '$work/package' ${install##*tree install }" \
	>"$work/said" 2>&1
ok $? 'H1 a package is made' "$(cat "$work/said")"
deb=$(echo "$work"/package/gnomon_*.deb)
LC_ALL=C.UTF-8 lintian --allow-root --fail-on error,warning \
	-X documentation/manual,files/compressed/gz,languages/javascript/embedded,binaries/spelling \
	"$deb" >"$work/said" 2>&1
ok $? 'H1 and lintian has nothing to say' "$(cat "$work/said")"
depends=$(dpkg-deb -f "$deb" Depends)
for library in libc6 libdw1 libelf1 qemu-system-x86; do
	has "$depends" "$library" "H1 it depends on $library"
done

# Unpacked elsewhere it is whole, too. From here on nothing of the tree is used.
mkdir "$work/empty"
dpkg-deb -x "$deb" "$work/there"
is "$(cd "$work/there/usr" && find . -type f ! -name '*.gz' ! -path '*/doc/*' | grep -v lintian | sort)" \
	"$(cd "$work/my root/opt/g" && find . -type f ! -path '*/man/*' ! -path '*/doc/*' |
		grep -v gnomon/installed | sort)" 'H1 it has what make install does'
chmod 755 "$work"
g=$work/there/usr
cd "$work/empty" || exit 1

# alone COMMAND...: run it with nothing in the environment, as nobody if that is possible.
alone() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups env -i \
			PATH="/usr/bin:/bin:$qemu" GNOMON_PATIENCE="$GNOMON_PATIENCE" "$@"
	else
		env -i PATH="/usr/bin:/bin:$qemu" GNOMON_PATIENCE="$GNOMON_PATIENCE" "$@"
	fi
}
qemu=$(dirname "$(command -v "${QEMU:-qemu-system-i386}")")
[ "$(id -u)" != 0 ] || chown 65534 .

id=$(readelf -n "$b/gnomon.elf" | sed -n 's/.*Build ID: //p')
out=$(alone "$g/bin/gnomon" run -f /dev/kpstack 'cat /dev/version; echo stacks on >/dev/kpctl
	echo start >/dev/kpctl; seq 1 10000 | sort >/tmp/f; cp /bin/* /tmp; echo stop >/dev/kpctl' 2>&1)
has "$out" "$id" 'H1 gnomon run boots the kernel from there, in any folder, for any user'
is "$(ls)" out 'H1 what the guest gives is in out, here'
alone "$g/bin/gnomon" report --html page.html out/kpstack >report 2>&1
ok $? 'H1 and gnomon report makes a page of it' "$(cat report)"
has "$(alone "$g/bin/gnomon" report out/kpstack 2>&1)" user_copy 'H1 it finds the kernel'
has "$(alone "$g/bin/gnomon" report -m sort out/kpstack 2>&1)" compare 'H1 and the programs'
sed -i 's/$/ from there/' "$g/lib/gnomon/src/kernel/machine/user.asm"
has "$(alone "$g/bin/gnomon" report --annotate user_copy out/kpstack 2>&1)" 'from there' \
	'H1 and their sources'
mkdir "$work/shut"
cd "$work/shut" && chmod 555 .
out=$(alone "$g/bin/gnomon" run 'cat /dev/version; echo >/n/remote/f' 2>"$work/said")
has "$out" "$id" 'H1 also where nothing can be written'
case $(id -u):$(cat "$work/said") in
*'out: '*'the guest has no /n/remote'*) ok 0 'H1 which is said' ;;
*) ok 1 'H1 which is said' "$(cat "$work/said")" ;;
esac
cd "$work/empty" || exit 1

is "$(alone bash -c '. "$1/share/bash-completion/completions/gnomon"
	COMP_WORDS=("$1/bin/gnomon" ru) COMP_CWORD=1
	_gnomon
	echo "${COMPREPLY[*]}"' bash "$g")" run 'H1 the completion of bash is installed'
is "$(cd "$g/share/man/man1" && echo gnomon-run* kprof* cat*)" \
	'gnomon-run.1.gz kprof.1.gz cat.1gnomon.gz' \
	'H1 pages of programs for the guest do not hide those of the host'
has "$(man -M "$g/share/man" -P cat kpstack 2>&1)" 'KPSTACK(5)' 'H1 man finds the others by their names'

# Others build with prof/.
export PKG_CONFIG_PATH="$g/share/pkgconfig"
prof=$(realpath "$(pkg-config --variable=profdir gnomon)")
is "$prof" "$g/share/gnomon/prof" 'H1 pkg-config tells where prof/ is'
is "$(pkg-config --modversion gnomon)" "$(cat "$tree/VERSION" 2>/dev/null || echo 1.0.0)" 'H1 and its version'
cp -r "$g/share/doc/gnomon/examples/tests" .
make -s -C tests/port PROF="$prof" WERROR=-Werror O="$work/empty" "$work/empty/example.elf" \
	>"$work/said" 2>&1
ok $? 'H1 and an example is compiled with that' "$(cat "$work/said")"
echo '#include "prof/prof.h"' >t.c
# Flags are words.
# shellcheck disable=SC2046
gcc $(pkg-config --cflags gnomon) -fsyntax-only t.c 2>"$work/said"
ok $? 'H1 its flags find prof/prof.h' "$(cat "$work/said")"

# A later version is installed over it, and removed.
cd "$tree" || exit 1
g="$work/my root/opt/g"
echo mine >"$g/bin/mine"
echo share/man/man1/old.1 >>"$g/lib/gnomon/installed"
echo old >"$g/share/man/man1/old.1"
eval "$install"
[ ! -e "$g/share/man/man1/old.1" ]
ok $? 'H1 what a later version does not have is removed when that is installed'
eval "$uninstall"
is "$(cd "$work/my root" && find . -mindepth 1 | sort | tr '\n' ' ')" \
	'./opt ./opt/g ./opt/g/bin ./opt/g/bin/mine ' \
	'H1 uninstall leaves nothing, but what others have put there'
is "$(eval "$uninstall" 2>&1)" \
	"nothing was installed in $g: there is no $g/lib/gnomon/installed" 'H1 twice: it says so'
out=$(DESTDIR="$work" PREFIX=usr tools/install/tree install "$b" 2>&1)
is "$? $out" '2 PREFIX=usr: the path of a folder is expected, from the root on' \
	'H1 a PREFIX that is no path is refused'

if [ -e .git ]; then
	git -c safe.directory="$tree/.git" clone -q . "$work/clone" 2>"$work/said" &&
		make -s -C "$work/clone" B="$work/b" dist >"$work/archive" 2>"$work/said"
	ok $? 'H1 make dist packs the sources' "$(cat "$work/said")"
	is "$(tar -tzf "$(cat "$work/archive")" | sed -n 's|^[^/]*/\(.*[^/]\)$|\1|p' | LC_ALL=C sort)" \
		"$(git --git-dir=.git ls-tree -r --name-only HEAD | LC_ALL=C sort)" \
		'H1 with all that is committed'
fi

finish
