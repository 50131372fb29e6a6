/* sh: what its command line asks for, and what it starts from. */
#include "userland/sh/sh.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct shell sh;

/* What the command line says. */
struct options {
	const char *command; /* -c */
	bool interactive;    /* -i */
	int rest;	     /* index of the first word that is no option */
};

static const char usage[] = "usage: sh [-einx] [-c COMMANDS | FILE] [ARGUMENT]...\n"
			    "  -c  run COMMANDS    -e  end when a command fails\n"
			    "  -i  interactive     -n  read commands, run none\n"
			    "  -x  show commands before they run\n";

/* One letter; false if it is none. *command: it was c. */
static bool read_letter(char c, struct options *o, bool *command)
{
	switch (c) {
	case 'c':
		*command = true;
		break;
	case 'e':
		sh.opt_e = true;
		break;
	case 'n':
		sh.opt_n = true;
		break;
	case 'x':
		sh.opt_x = true;
		break;
	case 'i':
		o->interactive = true;
		break;
	default:
		return false;
	}
	return true;
}

/* Says how sh is called and leaves. */
static void say_usage(int fd, int status)
{
	dprintf(fd, "%s", usage);
	exit(status);
}

/* Options up to the first word that is none, or the one after -c: the rest is the script's. */
static void read_options(int argc, char **argv, struct options *o)
{
	bool command = false;
	const char *s;
	int i;

	*o = (struct options){NULL, false, 1};
	for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1] != '\0' && !command; i++) {
		if (strcmp(argv[i], "-h") == 0)
			say_usage(1, 0);
		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		for (s = argv[i] + 1; *s != '\0'; s++)
			if (!read_letter(*s, o, &command))
				say_usage(2, 2);
	}
	if (command && i == argc)
		say_usage(2, 2);
	if (command)
		o->command = argv[i++];
	o->rest = i;
}

/* $*, from the words of the command line. */
static void set_arguments(char **argv)
{
	struct list *l = NULL, **tail = &l;

	for (; *argv; argv++)
		tail = list_append(tail, list_new(&sh.mem, *argv));
	var_set("*", l);
	arena_free(&sh.mem);
}

/* Variables that every shell has; the environment may bring others for path. */
static void set_variables(char **env, const char *name)
{
	struct list second = {NULL, "> "}, first = {&second, "gnomon% "};

	var_set_word("path", "/bin");
	var_import(env);
	var_set_word("ifs", " \t\n");
	var_set_word("0", name);
	var_set("prompt", &first);
}

/* Runs a file; the status 127 says that it could not be read. */
static int run_file(const char *path)
{
	struct source in;

	if (!source_file(&in, path)) {
		sh_warn("%s: %s", path, errno == ENOEXEC ? "not a script" : strerror(errno));
		return 127;
	}
	run_source(&in);
	source_close(&in);
	return sh.status;
}

/* Reads commands from standard input. */
static int run_stdin(bool interactive)
{
	struct source in;

	if (interactive) {
		sh.interactive = true;
		console_start();
		source_console(&in);
	} else {
		source_stdin(&in);
	}
	run_source(&in);
	source_close(&in);
	return sh.status;
}

/* Options, variables, then commands from where they are said to come. */
int main(int argc, char **argv, char **env)
{
	struct options o;
	bool file;

	read_options(argc, argv, &o);
	file = !o.command && o.rest < argc;
	set_variables(env, file ? argv[o.rest] : "sh");
	set_arguments(argv + o.rest + file);
	if (o.command)
		return run_text("-c", o.command, strlen(o.command));
	if (file)
		return run_file(argv[o.rest]);
	return run_stdin(o.interactive || isatty(0));
}
