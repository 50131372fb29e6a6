#!/bin/sh
# gdb at a guest, as docs/gdb.md tells (E3): back traces lead from the kernel into the program, which
# has its functions; a tick leads to the frame it has interrupted, and so does a path of kptrace(5).
cd "$(dirname "$0")/../.." || exit 1
. tests/e2e/begin.sh
port=$((20000 + $$ % 20000))
sed "s|build/bin|$b/bin|" tools/run/commands.gdb >"$tmp/gnomon.gdb"
cat >"$tmp/script" <<'END'
echo hz 2000 >/dev/kpctl
echo stacks on >/dev/kpctl
echo trace 1000 >/dev/kpctl
echo startclr >/dev/kpctl
words /rc/init
sort /rc/init >/dev/null
echo stop >/dev/kpctl
cat /dev/kptrace
END

# debug NAME: what gdb says while it does the commands of the standard input, in $tmp/NAME
debug() {
	{
		echo "target remote 127.0.0.1:$port"
		cat
		echo kill
	} >"$tmp/commands"
	"$b/gnomon" run -t 120 --gdb "$port" -o "$tmp" -s "$tmp/script" >"$tmp/guest" 2>&1 &
	guest=$!
	timeout "$((100 * GNOMON_PATIENCE))" gdb -nx -batch -x "$tmp/gnomon.gdb" -x "$tmp/commands" \
		"$b/gnomon.elf" >"$tmp/$1" 2>&1
	ok $? "E3 gdb comes to the machine that waits: $1" "$(cat "$tmp/$1")"
	wait "$guest"
}

# functions FILE: those of the back traces in it, a line each
functions() { sed -n 's/^#[0-9]* *\(0x[0-9a-f]* in \)\{0,1\}\([^ ]*\) .*/\2/p' "$1"; }

"$b/gnomon" run -t 120 -o "$tmp" -s "$tmp/script" >"$tmp/trace" 2>"$tmp/said"
is "$? $(cat "$tmp/said")" '0 ' 'E3 paths of a program'
path=$(sed -n 's/^[0-9]* 0 [0-9]* words;\[kernel\];\(.*;0xc[^;]*;0xc[^;]*;0xc[^;]*\)$/\1/p' "$tmp/trace" |
	grep -v 'overflow' | head -n 1)
ok "$(test -n "$path"; echo $?)" 'E3 one of them leads through the kernel' "$(cat "$tmp/trace")"
pc=${path##*;}
rest=${path%;*}

debug program <<END
break sys_read if cpus[0]->proc->name[0] == 'w'
continue
backtrace
delete
break sys_write if cpus[0]->proc->name[0] == 's' && cpus[0]->proc->name[1] == 'o'
continue
backtrace
END
functions "$tmp/program" >"$tmp/names"
is "$(sed '/^main$/q' "$tmp/names" | tr '\n' ' ')" \
	'sys_read syscall trap_user trap <signal read next_char next_word read_words main ' \
	'E3 a trace goes on from the kernel into the program'
has "$(tail -n 8 "$tmp/names" | tr '\n' ' ')" ' stream_flush main ' 'E3 and into the next one'
! grep -q ' in ?? ()$' "$tmp/program" || [ "$(grep -c '??' "$tmp/program")" -eq 1 ]
ok $? 'E3 no frame is unknown, but for the reset' "$(cat "$tmp/program")"

debug tick <<END
tick
tick
echo ==\\n
frame
backtrace
END
awk '/^==/ { on = 1; next } !on { next } frame == "" { frame = $1; next }
	interrupt { exit !($1 == frame) } /signal handler called/ { interrupt = 1 }' "$tmp/tick"
ok $? 'E3 a tick leads to the frame it has interrupted' "$(cat "$tmp/tick")"

debug kpath <<END
break sys_read if cpus[0]->proc->name[0] == 'w'
continue
delete
kpath ${rest##*;} $pc
printf "stopped at 0x%08x\n", \$pc
END
has "$(cat "$tmp/kpath")" "stopped at $pc" 'E3 a path leads to its last address'
sed -n 's/^#[0-9]* *\(0x[0-9a-f]*\) in .*/\1/p' "$tmp/kpath" >"$tmp/callers"
missing=$(echo "$rest" | tr ';' '\n' | grep '^0xc' | grep -vxF -f "$tmp/callers")
is "$missing" '' 'E3 the trace there has the callers of the path'
finish
