/* Looks for a source file before a command is run: see sources.h. */
#include "userland/profile/sources.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "userland/command/printable.h"
#include "userland/files/path.h"
#include "userland/files/whole.h"
#include "userland/profile/lines.h"
#include "userland/profile/modules.h"
#include "userland/profile/symtab.h"

#define DEEPEST 16 /* folders in each other */

/* What a module's table of lines says of a source file. */
enum answer { LACKS, HAS, UNKNOWN };

bool sources_named(const char *file, const char *wanted)
{
	const char *base = strrchr(file, '/');

	return strcmp(file, wanted) == 0 || (base && strcmp(base + 1, wanted) == 0);
}

/* Ask the table of an executable file. */
static enum answer ask_file(const char *path, const char *wanted)
{
	enum answer answer = UNKNOWN;
	struct symtab s;
	struct lines l;

	symtab_load(&s, path);
	if (s.lines && !lines_read(&l, s.lines, s.lines_size, true)) {
		answer = LACKS;
		for (size_t i = 0; i < l.nfiles; i++)
			if (sources_named(l.file[i], wanted))
				answer = HAS;
		lines_free(&l);
	}
	symtab_free(&s);
	return answer;
}

/* Ask the program that a command's name means. */
static enum answer ask_command(const char *command, const char *wanted)
{
	const char *path = getenv("PATH"), *end;
	char file[1024];

	if (strchr(command, '/'))
		return ask_file(command, wanted);
	for (path = path ? path : "/bin"; *path; path = *end ? end + 1 : end) {
		end = path + strcspn(path, ":");
		snprintf(file, sizeof(file), "%.*s/%s", (int)(end - path), path, command);
		if (access(file, X_OK) == 0)
			return ask_file(file, wanted);
	}
	return UNKNOWN;
}

/* Ask a module by its name: a path, the kernel, or the last part of the command's path. */
static enum answer ask_module(const char *module, const char *command, const char *wanted)
{
	enum answer answer = UNKNOWN;
	char *base = path_base(command);

	if (strcmp(module, MODULES_KERNEL) == 0)
		answer = ask_file(MODULES_KERNEL_PATH, wanted);
	else if (strchr(module, '/'))
		answer = ask_file(module, wanted);
	else if (strcmp(module, base) == 0)
		answer = ask_command(command, wanted);
	free(base);
	return answer;
}

/* Return whether a folder has a file of that name, or a folder in it does. */
static bool folder_has(const char *dir, const char *wanted, unsigned depth)
{
	char **names = depth < DEEPEST ? path_names(dir, NULL) : NULL;
	bool found = false;

	for (char **name = names; name && *name && !found; name++) {
		char *path = path_join(dir, *name);

		/* Names of folders have no dot: so none has to be asked whether it is one. */
		found = sources_named(path + sizeof(SOURCES_DIR), wanted) ||
			(!strchr(*name, '.') && folder_has(path, wanted, depth + 1));
		free(path);
	}
	if (names)
		path_names_free(names);
	return found;
}

const char *sources_lack(const char *wanted, char *const *module, size_t n, const char *command)
{
	for (size_t i = 0; i < n; i++)
		if (ask_module(module[i], command, wanted) != LACKS)
			return NULL;
	if (n > 0)
		return "no module that would be counted has such a source file";
	if (ask_command(command, wanted) != LACKS ||
	    ask_file(MODULES_KERNEL_PATH, wanted) != LACKS ||
	    folder_has(SOURCES_DIR, wanted, 0))
		return NULL;
	return "neither the command nor the kernel has such a source file, nor " SOURCES_DIR
	       "; -m names the program that has";
}

char *sources_read(struct sources_text *before, const char *name, size_t *size)
{
	char path[1024], *text;
	struct stat st;

	*size = 0;
	snprintf(path, sizeof(path), "%s%s", *name == '/' ? "" : SOURCES_DIR "/", name);
	if (stat(path, &st) < 0) {
		warn("%s", path);
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		warnx("%s: not a file", path);
		return NULL;
	}
	for (; before->name; before++)
		if (before->dev == st.st_dev && before->ino == st.st_ino) {
			warnx("%s: its text is that of %s", path, before->name);
			return NULL;
		}
	text = whole_read(path, size);
	if (!text) {
		warn("%s", path);
		return NULL;
	}
	*before = (struct sources_text){.name = name, .dev = st.st_dev, .ino = st.st_ino};
	printable_file(text, *size);
	return text;
}
