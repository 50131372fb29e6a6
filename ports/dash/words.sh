# Words: quotes, variables, arithmetic, patterns. $1 is a folder for files.
cd "$1" || exit
echo "a  b"   c\ d 'e"f' "g'h"
x=abcabc empty=
echo ${x#a} ${x##*a} ${x%c} ${x%%b*} ${#x} ${empty:-default} ${unset-none} "${empty+set}" ${x:+yes}
: ${made:=new}
echo $made $((1 + 2 * 3)) $((7 / 2)) $((-7 % 3)) $((1 << 10 | 5)) $((x1 = 4, x1 * x1)) $((2 > 1 ? 10 : 20))
echo $(echo inner $(echo innermost)) `echo old`
set -- one 'two words' three
echo $# "$1" "$2" "$*"
for word in "$@"; do printf '<%s>' "$word"; done
echo
shift 2
echo $# $1
IFS=:
path=a:b::c
for word in $path; do printf '[%s]' "$word"; done
echo
unset IFS
mkdir glob && cd glob || exit
: >f1 && : >f2 && : >g1 && : >.hidden
echo f* [fg]1 ?2 none* .h*
cd ..
rm -r glob 2>/dev/null || rm glob/f1 glob/f2 glob/g1 glob/.hidden
case abc in x*) echo no ;; a?c | y) echo yes ;; esac
case '*' in \*) echo star ;; esac
printf '%d %5.2s| %-4s| %x %o %c %%\n' 42 string ab 255 8 xyz
printf '%s\n' ~ | cut -c1 2>/dev/null >&2
read a b <<X
first second third
X
echo "$a|$b"
cat <<X
$x $((2 + 3)) \$x $(echo sub)
X
cat <<'X'
$x $((2 + 3))
X
eval 'y=$x; echo $y'
f() { local x=inside; echo $x $1 $#; return 3; }
f arg other; echo $? $x
