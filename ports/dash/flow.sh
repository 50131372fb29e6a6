# Commands: conditions, loops, redirections, processes, signals. $1 is a folder for files.
cd "$1" || exit
i=0
while [ $i -lt 5 ]; do
	i=$((i + 1))
	[ $i = 2 ] && continue
	[ $i = 4 ] && break
	echo $i
done
until true; do echo never; done
if test -d . && [ ! -e missing ]; then echo there; elif false; then echo no; fi
false || echo or; true && echo and; ! false; echo $?
(exit 3); echo $?
{ echo grouped; echo lines; } >file
while read -r line; do echo "read $line"; done <file
exec 5>five; echo kept >&5; exec 5>&-; cat five
echo err >&2 2>/dev/null
{ echo out; echo err >&2; } 2>&1 | while read -r l; do echo "[$l]"; done
echo more >>file; cat file
cat <file | cat | cat >copy; cat copy
cat missing 2>/dev/null || echo status $?
set -o noclobber; echo x >file 2>/dev/null || echo kept; set +o noclobber
(sleep 0; exit 7) & wait $!; echo waited $?
(echo child; exit 2) | cat; echo $?
trap 'echo caught' USR1
kill -USR1 $$
trap - USR1
(trap 'echo bye' EXIT; echo in)
umask 027; umask; umask 022; umask -S
while getopts ab:c o -a -b value -c; do echo "$o ${OPTARG-}"; done
(set -e; false; echo never); echo $?
(set -u; echo $nothing) 2>/dev/null; echo $?
command -v cd; type echo; alias e=echo; alias e
f() { [ $1 -le 1 ] && echo 1 && return; echo $(($1 * $(f $(($1 - 1))))); }
f 6
eval "case x in x) echo e ;; esac"
echo "sourced=yes" >file; . ./file; echo $sourced
rm -f file five copy
trap 'echo end' EXIT
exit 4
