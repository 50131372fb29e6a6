/* Cases of bench: commands and the shell, each with the start of its process and its end. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/bench/bench.h"

#define NAMES 2000
#define TEXT (256 * 1024) /* bytes of the text that is searched */

/* Have the shell run a command, without its output. */
static void command(const char *text, unsigned n)
{
	while (n-- > 0) {
		int status, null;
		pid_t pid = fork();

		bench_want(pid >= 0, text);
		if (pid == 0) {
			null = open("/dev/null", O_WRONLY);
			dup2(null, STDOUT_FILENO);
			dup2(null, STDERR_FILENO);
			execl("/bin/sh", "sh", "-c", text, NULL);
			_exit(127);
		}
		bench_want(waitpid(pid, &status, 0) == pid && WIFEXITED(status), text);
		bench_want(WEXITSTATUS(status) <= 1, text);
	}
}

static void nothing(unsigned n)
{
	command("", n);
}

static void appends(unsigned n)
{
	command("for(i in `{seq 2000}) x=($x $i)", n);
}

/* A thousand times a thousand words, of which none is the subject. */
static void matches(unsigned n)
{
	command("x=`{seq 1000}; for(i in $x) ~ a $x", n);
}

/* The same, without the match. */
static void matches_not(unsigned n)
{
	command("x=`{seq 1000}; for(i in $x) ~ a b", n);
}

static void names_start(void)
{
	char name[32];

	mkdir("/tmp/g", 0700);
	for (unsigned i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "/tmp/g/%u", i);
		close(open(name, O_WRONLY | O_CREAT, 0600));
	}
}

static void names(unsigned n)
{
	command("x=/tmp/g/*", n);
}

/* A text in lines of 64 characters. */
static void text_start(void)
{
	static const char line[] = "The quick brown fox jumps over the lazy dog, and runs on, so be"
				   "\n";
	FILE *f = fopen("/tmp/text", "w");

	bench_want(f, "/tmp/text");
	for (unsigned i = 0; i < TEXT / (sizeof(line) - 1); i++)
		fputs(line, f);
	bench_want(fclose(f) == 0, "/tmp/text");
}

static void greps(unsigned n)
{
	command("exec grep -i Sphinx /tmp/text", n);
}

static void trues(unsigned n)
{
	command("exec true", n);
}

static void mprofs(unsigned n)
{
	command("exec mprof true", n);
}

static void mprofs_kernel(unsigned n)
{
	command("exec mprof -m kernel true", n);
}

static void cprofs(unsigned n)
{
	command("exec cprof true", n);
}

static void kgmons(unsigned n)
{
	command("kgmon -b >/dev/null; kgmon -p >/dev/null; kgmon -h -r >/dev/null", n);
}

static void kgmons_not(unsigned n)
{
	command("kgmon -b >/dev/null; kgmon -h -r >/dev/null", n);
}

const struct bench_case bench_commands[] = {
	{"sh", NULL, nothing, NULL, .times = 10},
	{"append", NULL, appends, NULL, .times = 1},
	{"match", NULL, matches, NULL, .times = 1},
	{"matchnot", NULL, matches_not, NULL, .times = 1},
	{"names", names_start, names, NULL, .times = 1},
	{"grepi", text_start, greps, NULL, .times = 3},
	{"true", NULL, trues, NULL, .times = 3},
	{"mprof", NULL, mprofs, NULL, .times = 3},
	{"mprofkernel", NULL, mprofs_kernel, NULL, .times = 1},
	{"cprof", NULL, cprofs, NULL, .times = 3},
	{"kgmon", NULL, kgmons, NULL, .times = 1},
	{"kgmonnot", NULL, kgmons_not, NULL, .times = 1},
	{NULL},
};
