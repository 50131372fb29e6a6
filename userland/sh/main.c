/* sh: its command line, its first variables, and where its commands come from. */
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
	int rest;	     /* index of the first word that is not an option */
};

static const char usage[] = "usage: sh [-einx] [-c COMMANDS | FILE] [ARGUMENT]...\n"
			    "  -c  run COMMANDS    -e  exit when a command fails\n"
			    "  -i  interactive     -n  read commands but run none\n"
			    "  -x  show commands before they run\n";

/* Read one option letter; return false if it is unknown. *command is set for -c. */
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

/* Print how sh is called, and exit. */
static void say_usage(int fd, int status)
{
	dprintf(fd, "%s", usage);
	exit(status);
}

/*
 * Read the options, up to the first word that is none or to the commands of -c. What follows
 * is the file, if any, and $*.
 */
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

/* Set $* to the words of the command line. */
static void set_arguments(char **argv)
{
	struct list *l = NULL, **tail = &l;

	for (; *argv; argv++)
		tail = list_append(tail, list_new(&sh.mem, *argv));
	var_set("*", l);
	arena_free(&sh.mem);
}

/*
 * Set the variables that every shell has. The environment may replace $path, but not those
 * that are set after it.
 */
static void set_variables(char **env, const char *name)
{
	struct list second = {NULL, "> "}, first = {&second, "gnomon% "};

	var_set_word("path", "/bin");
	var_import(env);
	var_set_word("ifs", " \t\n");
	var_set_word("0", name);
	var_set("prompt", &first);
}

/* Run a file. The status is 127 if it cannot be read. */
static int run_file(const char *path)
{
	struct source in;

	if (!source_file(&in, path)) {
		sh_warn("%s: %s", path, errno == ENOEXEC ? source_kind(path) : strerror(errno));
		return 127;
	}
	run_source(&in);
	source_close(&in);
	return sh.status;
}

/* Read commands from standard input, with prompts if a person types them. */
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

/* Read the options, set the variables, run the commands. The status is that of the last one. */
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
