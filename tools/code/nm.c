/* Functions from the text that nm prints: see nm.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/code/nm.h"
#include "tools/memory.h"
#include "tools/printable.h"

#define PAGE ((code_addr)4096) /* the last function may have the rest of it */
#define LINE (1 << 20) /* bytes of a line, with a NUL: the rest of a longer one is another line */

/* Have the text reach a function. Where the last one ends is not told: with its page, at most. */
static void nm_reach(struct symbols *s, code_addr at)
{
	if (!s->has_text)
		s->ktzero = at;
	if (at < s->ktzero)
		s->ktzero = at;
	if (at >= s->etext)
		s->etext = (at + PAGE) & -PAGE;
	s->has_text = true;
}

/* Add a function. */
static void nm_add(struct symbols *s, size_t *room, code_addr at, const char *name, bool global)
{
	char *shown = printable(name);
	size_t number = texts_number(&s->shown, shown, strlen(shown));

	free(shown);
	s->sym = memory_grow(s->sym, room, s->n + 1, sizeof(*s->sym));
	s->sym[s->n++] = (struct symbol){
		.start = at, .end = at, .global = global,
		.name = s->shown.text[number].text, .plain = s->shown.text[number].text,
	};
}

/* Read a line. One without an address is of a symbol of another file. */
static bool nm_line(struct symbols *s, size_t *room, const char *line)
{
	char digits[17], *name = NULL, type, module[2];
	int n = sscanf(line, "%16[0-9a-fA-F] %c %ms %1[[]", digits, &type, &name, module);
	code_addr at;

	if (n < 3)
		return *line == ' ';
	s->width = (unsigned)strlen(digits) / 2;
	at = strtoull(digits, NULL, 16);
	if (strchr("tTwW", type)) {
		nm_add(s, room, at, name, isupper((unsigned char)type));
		if (n == 3)
			nm_reach(s, at);
	}
	free(name);
	return strlen(digits) % 8 == 0;
}

bool nm_read(struct symbols *s, const char *path)
{
	FILE *f = fopen(path, "r");
	char *line;
	size_t room = 0;
	bool good = true;

	if (!f)
		return false;
	line = memory_zeroed(LINE, 1);
	while (good && fgets(line, LINE, f))
		good = nm_line(s, &room, line);
	free(line);
	fclose(f);
	if (!good)
		s->n = 0;
	if (s->n > 0)
		return true;
	free(s->sym);
	s->sym = NULL;
	return false;
}
