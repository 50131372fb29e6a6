/* gnomon-report(1): colours and a pager: see terminal.h. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/report/terminal.h"

enum option_status terminal_color(void *field, const char *when, struct complaint *why)
{
	static const char *const word[] = {
		[TERMINAL_AUTO] = "auto", [TERMINAL_ALWAYS] = "always", [TERMINAL_NEVER] = "never",
		NULL,
	};
	int i = option_word("color", word, when, why);

	if (i < 0)
		return OPTION_WRONG;
	*(enum terminal_color *)field = (enum terminal_color)i;
	return OPTION_OK;
}

/* Return whether a terminal shows colours: TERM says so, and nobody has said NO_COLOR. */
static bool shows_colors(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (no && *no)
		return false;
	if (!term)
		return false;
	if (!*term)
		return false;
	return strcmp(term, "dumb") != 0;
}

/* Return the command of the pager, or NULL if there should be none. */
static const char *pager_command(void)
{
	const char *command = getenv("GNOMON_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	if (!*command)
		return NULL;
	if (strcmp(command, "cat") == 0)
		return NULL;
	return command;
}

/*
 * In the child: become the pager. What less does by default hides colours, and clears a screen that
 * has room for everything. A pager that is not there must not hide the report.
 */
static void become_pager(const char *command, const int pipe_end[2])
{
	char line[4096];
	int n = snprintf(line, sizeof(line), "%s\n[ $? != 127 ] || cat", command);

	if (n < (int)sizeof(line) && dup2(pipe_end[0], STDIN_FILENO) >= 0) {
		close(pipe_end[0]);
		close(pipe_end[1]);
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		setenv("LESS", "FRX", 0);
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	}
	_exit(127);
}

/* Put a pager between us and the terminal, if that can be done. Its keys are not for us. */
static void start_pager(struct terminal *t, const char *command)
{
	int pipe_end[2];

	if (pipe(pipe_end) < 0)
		return;
	fflush(stdout);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	t->out = dup(STDOUT_FILENO);
	t->pager = -1;
	if (t->out >= 0)
		t->pager = fork();
	if (t->pager == 0)
		become_pager(command, pipe_end);
	if (t->pager > 0)
		dup2(pipe_end[1], STDOUT_FILENO);
	else
		t->pager = 0;
	close(pipe_end[0]);
	close(pipe_end[1]);
}

void terminal_begin(struct terminal *t)
{
	bool is_terminal = isatty(STDOUT_FILENO);
	const char *command = pager_command();

	t->is_there = is_terminal;
	t->color = t->when == TERMINAL_ALWAYS;
	if (t->when == TERMINAL_AUTO)
		t->color = is_terminal && shows_colors();
	if (t->no_pager)
		return;
	if (is_terminal && command)
		start_pager(t, command);
}

void terminal_end(struct terminal *t)
{
	if (!t->pager)
		return;
	fflush(stdout);
	dup2(t->out, STDOUT_FILENO);
	close(t->out);
	while (waitpid(t->pager, NULL, 0) < 0 && errno == EINTR)
		;
	t->pager = 0;
}
