/* What people type out of habit from other shells and systems, and our word for it. */
#include "userland/sh/sh.h"
#include <stddef.h>
#include <string.h>

/* What is said of several. */
#define ON_HOST "not here; the host's, on a file in /n/remote"
#define PORT(name) "a port: make ports PORT=" name " on the host, docs/ports.md"
#define NOT_HERE "there is none here"
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
		{"awk", PORT("awk")},
		{"basename", NOT_HERE},
		{"bash", "here it is: sh"},
		{"bzip2", PORT("bzip2")},
		{"cc", BUILD},
		{"chown", "a file belongs to its maker"},
		{"cut", ON_HOST},
		{"dash", PORT("dash")},
		{"df", "here it is: sysctl or limits"},
		{"diff", "here it is: cmp"},
		{"dirname", NOT_HERE},
		{"dmesg", "here it is: cat /dev/log"},
		{"du", "here it is: ls -l"},
		{"ed", PORT("ed")},
		{"egrep", "here it is: grep -E"},
		{"emacs", EDIT},
		{"env", "here it is: whatis"},
		{"export", "here it is: all variables of one word are"},
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
		{"killall", "here it is: ps, and kill"},
		{"ll", "here it is: ls -l"},
		{"ln", "here it is: bind"},
		{"logout", "here it is: exit"},
		{"lua", PORT("lua")},
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
		{"sqlite3", PORT("sqlite")},
		{"ssh", NO_NET},
		{"strace", "here it is: calls -m 'sys_*' COMMAND"},
		{"su", "here it is: as"},
		{"sudo", "here it is: as; you own this machine"},
		{"tar", ON_HOST},
		{"tcc", PORT("tcc")},
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
	size_t n = strspn(s, "0123456789"), ops = strspn(s + n, "<>");

	if (ops > 2)
		ops = 2;
	if (n > 0 && ops > 0 && s[n + ops] != '&')
		syntax_error(in, "syntax error: %.*sfile is %.*s[%.*s]file here", (int)(n + ops), s,
			     (int)ops, s + n, (int)n, s);
}

/* Among n characters, report \x: after a backslash other shells take x as an ordinary one. */
static void habit_backslash(struct source *in, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		char c = s[i + 1], quote = c == '\'' ? '"' : '\'';
		bool special = !is_word_char((unsigned char)c) || strchr("*?[", c);

		if (s[i] == '\\' && c != '\n' && c != '\0' && special)
			syntax_error(in, "syntax error: \\%c is %c%c%c here", c, quote, c, quote);
	}
}

/* Report {a,b} and {1..3}: one word, without blanks, in braces. */
static void habit_braces(struct source *in, const char *s)
{
	size_t n;
	bool list = false, range = false;

	for (n = 0; !strchr(" \t\r\n{}();&|<>'\"`", s[n]); n++) {
		list |= s[n] == ',';
		range |= s[n] == '.' && s[n + 1] == '.';
	}
	if (s[n] != '}')
		return;
	if (list)
		syntax_error(in, "syntax error: {a,b} is (a b) here, and x{a,b} is x^(a b)");
	else if (range)
		syntax_error(in, "syntax error: {1..3} is `{seq 1 3} here");
}

/* Report what begins an argument and means more elsewhere: here it would stand for itself. */
void habit_word(struct source *in)
{
	const char *s = in->text.text + in->at;
	size_t n = 0;

	if (s[0] == '~' && strchr("/ \t\r\n;&|)}", s[1]))
		syntax_error(in, "syntax error: ~ is $home here; '~' is the character");
	while (is_word_char((unsigned char)s[n]))
		n++;
	habit_backslash(in, s, n);
	if (s[n] == '{')
		habit_braces(in, s + n + 1);
}
