/* What people type out of habit from other shells and systems, and our word for it. */
#include "userland/sh/sh.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* What is said of several. */
#define ON_HOST "not here; the host's, on a file in /n/remote"
#define NOT_HERE "there is none here"
#define NO_JOBS "there is no job control here"
#define NO_NET "there is no network here"
#define EDIT "no editor is here; the host's, on a file in /n/remote"
#define BUILD "on the host; CONTRIBUTING.md says how"

/* Return what to say of a command of other systems where it is not found; or NULL. */
const char *habit_command(const char *name)
{
	static const struct {
		const char *habit, *say;
	} commands[] = {
		{"[", "here it is: test"},
		{"alias", "here it is: fn NAME {commands}"},
		{"awk", ON_HOST},
		{"basename", NOT_HERE},
		{"bash", "here it is: sh"},
		{"bg", NO_JOBS},
		{"cc", BUILD},
		{"chown", "a file belongs to its maker"},
		{"cut", ON_HOST},
		{"df", "here it is: sysctl or limits"},
		{"diff", "here it is: cmp"},
		{"dirname", NOT_HERE},
		{"dmesg", "here it is: cat /dev/log"},
		{"du", "here it is: ls -l"},
		{"ed", EDIT},
		{"egrep", "here it is: grep -E"},
		{"emacs", EDIT},
		{"env", "here it is: whatis"},
		{"export", "here it is: all variables of one word are"},
		{"fg", NO_JOBS},
		{"fgrep", "here it is: grep -F"},
		{"find", "here it is: grep -r, or ls"},
		{"free", "here it is: sysctl, limits or top"},
		{"gcc", BUILD},
		{"gdb", "on the host: make gdb"},
		{"gprof", "on the host, with what kgmon -p writes"},
		{"gunzip", ON_HOST},
		{"gzip", ON_HOST},
		{"halt", "here it is: shutdown"},
		{"hexdump", "here it is: xd"},
		{"htop", "here it is: top"},
		{"id", "here it is: cat /dev/user"},
		{"ifconfig", NO_NET},
		{"ip", NO_NET},
		{"jobs", "here it is: ps"},
		{"killall", "here it is: ps, and kill"},
		{"ll", "here it is: ls -l"},
		{"ln", "here it is: bind"},
		{"logout", "here it is: exit"},
		{"make", BUILD},
		{"md5sum", "here it is: sum"},
		{"more", "here it is: less"},
		{"mount", "here it is: bind"},
		{"nano", EDIT},
		{"od", "here it is: xd"},
		{"perf", "here it is: prof, flame or top"},
		{"ping", NO_NET},
		{"poweroff", "here it is: shutdown"},
		{"printf", "here it is: echo"},
		{"quit", "here it is: exit"},
		{"reboot", "here it is: shutdown -r"},
		{"sed", ON_HOST},
		{"set", "here it is: whatis"},
		{"sha256sum", "here it is: sum"},
		{"source", "here it is: . FILE"},
		{"ssh", NO_NET},
		{"strace", "here it is: calls -m 'sys_*' COMMAND"},
		{"su", "here it is: as"},
		{"sudo", "here it is: as; you own this machine"},
		{"tar", ON_HOST},
		{"tr", ON_HOST},
		{"trap", NOT_HERE},
		{"type", "here it is: whatis"},
		{"ulimit", "here it is: limits"},
		{"umount", "here it is: unmount"},
		{"uname", "here it is: cat /dev/version"},
		{"uniq", "here it is: sort -u"},
		{"unset", "here it is: NAME="},
		{"uptime", "here it is: cat /dev/time"},
		{"vi", EDIT},
		{"vim", EDIT},
		{"watch", "here it is: while(true) {COMMAND; sleep 1}"},
		{"which", "here it is: whatis"},
		{"whoami", "here it is: cat /dev/user"},
		{"xargs", "here it is: for(i in `{COMMAND}) ..."},
		{"xxd", "here it is: xd"},
	};
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].habit, name) == 0)
			return commands[i].say;
	return NULL;
}

/* Report a $ that no name follows; what does follow may tell what was meant. */
void habit_variable(struct source *in)
{
	int c = peek(in);

	if (c == '?')
		syntax_error(in, "syntax error: $? is $status here");
	else if (c == '!')
		syntax_error(in, "syntax error: $! is $apid here");
	else if (c == '@')
		syntax_error(in, "syntax error: $@ is $* here");
	else if (c == '(' && peek2(in) == '(')
		syntax_error(in, "syntax error: $((...)): there is no arithmetic here");
	else if (c == '(')
		syntax_error(in, "syntax error: $(commands) is `{commands} here");
	else
		syntax_error(in, "syntax error: a variable's name must follow $");
}

/* Report 2>file, whose number would be a word. What joins files, such as 2>&1, has its message. */
void habit_redirection(struct source *in)
{
	const char *s = in->text.text + in->at;
	size_t left = in->text.len - in->at, n = 0, ops = 0;

	while (n < left && isdigit((unsigned char)s[n]))
		n++;
	while (n > 0 && n + ops < left && ops < 2 && strchr("<>", s[n + ops]))
		ops++;
	if (ops > 0 && (n + ops == left || s[n + ops] != '&'))
		syntax_error(in, "syntax error: %.*sfile is %.*s[%.*s]file here", (int)(n + ops), s,
			     (int)ops, s + n, (int)n, s);
}
