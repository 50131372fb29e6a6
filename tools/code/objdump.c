/* Running objdump, and reading what it prints: see objdump.h. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/code/objdump.h"
#include "tools/memory.h"
#include "tools/order.h"

extern char **environ;

/* Debian's capstone 4 has no RISC-V. Whoever builds a kernel for it has its binutils. */
const char *objdump_program(unsigned machine)
{
	if (machine == EM_RISCV)
		return "riscv64-linux-gnu-objdump";
	return NULL;
}

/*
 * Start it with its output to a pipe. Return 0, or an error number. -w keeps an instruction in one
 * line, and -z shows runs of zeros, which else are dots.
 */
static int start_objdump(const char *program, const char *path, int output, pid_t *pid)
{
	char *argv[] = {(char *)program, "-d", "-w", "-z", "--", (char *)path, NULL};
	posix_spawn_file_actions_t files;
	int error;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	error = posix_spawnp(pid, program, &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return error;
}

/* Take a line of code: "   80000004:\t00008067          \tret". Others have no such colon. */
static void take_line(struct objdump *o, const char *line)
{
	char *end, *at;
	code_addr pc = strtoull(line, &end, 16);
	size_t digits, n;

	if (end == line)
		return;
	if (strncmp(end, ":\t", 2) != 0)
		return;
	digits = strspn(end + 2, "0123456789abcdef");
	at = strchr(end + 2, '\t');
	if (digits < 2)
		return;
	if (!at)
		return;
	o->insn = memory_grow(o->insn, &o->room, o->n + 1, sizeof(*o->insn));
	o->insn[o->n++] = (struct objdump_line){pc, o->ntext, (uint8_t)(digits / 2)};
	n = strcspn(at + 1, "\n");
	o->text = memory_grow(o->text, &o->room_text, o->ntext + n + 1, 1);
	memcpy(o->text + o->ntext, at + 1, n);
	o->ntext += n;
	o->text[o->ntext++] = 0;
}

void objdump_take(const struct objdump *o, size_t i, struct instruction *to)
{
	const struct objdump_line *from = &o->insn[i];
	char *at = to->text;

	to->pc = from->pc;
	to->size = from->size;
	snprintf(to->text, sizeof(to->text), "%s", o->text + from->text);
	while ((at = strchr(at, '\t')) != NULL)
		*at = ' ';
}

/* For qsort: by address, for sections need not ascend. */
static int compare_instructions(const void *va, const void *vb)
{
	const struct objdump_line *a = va, *b = vb;

	return order(a->pc, b->pc);
}

/* Read all lines, and wait for the end. */
static void read_all(struct objdump *o, int fd, pid_t pid)
{
	FILE *from = fdopen(fd, "r");
	char *line = NULL;
	size_t size = 0;

	while (from && getline(&line, &size, from) >= 0)
		take_line(o, line);
	free(line);
	if (from)
		fclose(from);
	waitpid(pid, NULL, 0);
	if (o->n)
		qsort(o->insn, o->n, sizeof(*o->insn), compare_instructions);
}

struct objdump *objdump_load(const char *program, const char *path)
{
	struct objdump *o = memory_zeroed(1, sizeof(*o));
	int fd[2];
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) < 0) {
		o->error = errno;
		return o;
	}
	o->error = start_objdump(program, path, fd[1], &pid);
	close(fd[1]);
	if (o->error)
		close(fd[0]);
	else
		read_all(o, fd[0], pid);
	return o;
}

void objdump_free(struct objdump *o)
{
	if (!o)
		return;
	free(o->insn);
	free(o->text);
	free(o);
}
