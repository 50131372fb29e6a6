/* The guest's programs that gnomon record is told of: see program.h. */
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/memory.h"
#include "tools/record/program.h"

#define PARTS 64 /* of code, of all programs; as many as the plugin keeps */

/* Call something for each file, with its absolute name; 0, or -1 and *why. */
static int program_each(const char *files, int (*call)(const char *path, void *arg,
						       struct complaint *why),
			void *arg, struct complaint *why)
{
	char *copy = memory_string(files, strlen(files)), *at = copy, *file, *path;
	int bad = 0;

	while (!bad && (file = strsep(&at, ","))) {
		path = realpath(file, NULL);
		if (!path)
			bad = complain_errno(why, file);
		else
			bad = call(path, arg, why);
		free(path);
	}
	free(copy);
	return bad;
}

/* Print the last part of a path as the name of a process: kpstack(5) has some characters as '_'. */
static void program_print_name(const char *path, FILE *to)
{
	const char *at = strrchr(path, '/') + 1;

	for (; *at; at++) {
		char c = *at;

		if (c <= ' ')
			c = '_';
		if (strchr(";[]#\x7f", c))
			c = '_';
		putc(c, to);
	}
}

/* What is printed, and how many parts there are. */
struct program_list {
	FILE *to;
	unsigned parts;
};

/* Print what a program is called and where it begins, and its parts that have code. */
static void program_print_parts(Elf *elf, uint64_t entry, const char *path,
				struct program_list *list)
{
	GElf_Phdr head;
	size_t i, n;

	if (elf_getphdrnum(elf, &n) != 0)
		n = 0;
	fputs("program ", list->to);
	program_print_name(path, list->to);
	fprintf(list->to, " %" PRIx64 " %s\n", entry, path);
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &head))
			continue;
		if (head.p_type != PT_LOAD)
			continue;
		if (!(head.p_flags & PF_X))
			continue;
		fprintf(list->to, "part %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", head.p_vaddr,
			head.p_offset, head.p_filesz);
		list->parts++;
	}
}

/* Print one. */
static int program_print_one(const char *path, void *arg, struct complaint *why)
{
	struct program_list *list = arg;
	unsigned before = list->parts;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	GElf_Ehdr head;
	Elf *elf;
	int bad = 0;

	if (fd < 0)
		return complain_errno(why, path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || !gelf_getehdr(elf, &head))
		bad = complain(why, "%s: not an ELF file", path);
	else if (head.e_type != ET_EXEC)
		bad = complain(why, "%s: it runs at an address of the system's choice, which is "
				"not known: it is position-independent", path);
	else
		program_print_parts(elf, head.e_entry, path, list);
	elf_end(elf);
	close(fd);
	if (bad)
		return bad;
	if (list->parts == before)
		return complain(why, "%s: it has no segment with code", path);
	if (list->parts > PARTS)
		return complain(why, "%s: too many programs: %u parts of code at most", path,
				PARTS);
	return 0;
}

int program_print(const char *files, FILE *to, struct complaint *why)
{
	struct program_list list = {.to = to};

	return program_each(files, program_print_one, &list, why);
}

/* Say so if no process has the name of a file. */
static int program_tell_one(const char *path, void *arg, struct complaint *why)
{
	struct texts *processes = arg;
	size_t known = processes->n;
	struct memory_stream s;

	(void)why;
	memory_stream_open(&s);
	program_print_name(path, s.f);
	memory_stream_close(&s);
	if (texts_number(processes, s.data, s.n) == known)
		fprintf(stderr, "gnomon record: %s: no process was known to be this program: it "
				"did not run, or what ran of it is another's as well\n", path);
	free(s.data);
	return 0;
}

void program_tell_unrun(const char *files, struct texts *processes)
{
	struct complaint none;

	program_each(files, program_tell_one, processes, &none);
}

/* Print the name of one. */
static int program_print_line(const char *path, void *to, struct complaint *why)
{
	(void)why;
	fputs("# program=", to);
	program_print_name(path, to);
	fprintf(to, " %s\n", path);
	return 0;
}

void program_print_names(const char *files, FILE *to)
{
	struct complaint none;

	program_each(files, program_print_line, to, &none);
}
