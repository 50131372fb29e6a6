/* What people type out of habit from other shells and systems, and our word for it. */
#include "userland/sh/sh.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Return what stands for a command of other systems, to be said where it is not found; or NULL. */
const char *habit_command(const char *name)
{
	static const struct {
		const char *habit, *ours;
	} commands[] = {
		{"alias", "fn NAME {commands}"},	{"dmesg", "cat /dev/log"},
		{"export", "all variables of one word are"},
		{"du", "ls -l"},			{"egrep", "grep -E"},
		{"fgrep", "grep -F"},			{"find", "grep -r, or ls"},
		{"free", "sysctl, limits or top"},	{"halt", "shutdown"},
		{"hexdump", "xd"},			{"htop", "top"},
		{"ll", "ls -l"},			{"logout", "exit"},
		{"md5sum", "sum"},
		{"more", "less"},			{"mount", "bind"},
		{"od", "xd"},				{"perf", "prof, flame or top"},
		{"poweroff", "shutdown"},		{"printf", "echo"},
		{"quit", "exit"},			{"reboot", "shutdown -r"},
		{"set", "whatis"},			{"sha256sum", "sum"},
		{"source", ". FILE"},			{"su", "as"},
		{"sudo", "as; you own this machine"},	{"type", "whatis"},
		{"umount", "unmount"},			{"uname", "cat /dev/version"},
		{"unset", "NAME="},			{"which", "whatis"},
		{"xxd", "xd"},
	};
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].habit, name) == 0)
			return commands[i].ours;
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
