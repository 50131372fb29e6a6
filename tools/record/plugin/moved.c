/* Whether a kernel runs where its file has it: see moved.h. */
#include <string.h>
#include "tools/record/plugin/moved.h"

/* Return where the address of what has these bytes is kept: 0 if nothing has, 1 if several have. */
static uint64_t *moved_at(struct moved *m, const uint8_t byte[static MOVED_BYTES])
{
	uint64_t word[2];

	memcpy(word, byte, sizeof(word));
	return table_at(&m->code, word[0], word[1], 0);
}

void moved_add(struct moved *m, uint64_t at, const uint8_t byte[static MOVED_BYTES])
{
	uint64_t *known = moved_at(m, byte);

	if (*known)
		at = 1;
	*known = at;
}

int moved_look(struct moved *m, uint64_t pc, const uint8_t byte[static MOVED_BYTES], uint64_t *by)
{
	uint64_t word[2], at, *seen;

	memcpy(word, byte, sizeof(word));
	if (!table_has(&m->code, word[0], word[1], 0))
		return 0;
	at = *moved_at(m, byte);
	if (at == 1)
		return 0;
	*by = pc - at;
	seen = table_at(&m->seen, at, *by, 0);
	if (!*seen)
		++*table_at(&m->votes, *by, 0, 0);
	*seen = 1;
	return 1;
}

uint64_t moved_votes(struct moved *m, uint64_t by)
{
	return *table_at(&m->votes, by, 0, 0);
}

uint64_t moved_most(const struct moved *m, uint64_t *n)
{
	uint64_t by = 0;
	size_t i;

	*n = 0;
	for (i = 0; i < m->votes.n; i++) {
		const struct table_row *row = &m->votes.row[i];

		if (!row->key[0]) /* these are in their place */
			continue;
		if (row->value <= *n)
			continue;
		by = row->key[0];
		*n = row->value;
	}
	return by;
}
