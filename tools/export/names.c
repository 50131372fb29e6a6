/* Numbers for strings: see names.h. */
#include <stdlib.h>
#include <string.h>
#include "tools/export/names.h"
#include "tools/hash.h"
#include "tools/memory.h"

/* Find the slot of a string, or the free one where it would be: there always is one. */
static uint32_t *names_slot(const struct names *t, const char *name)
{
	size_t i = hash_of(name, strlen(name)) & (t->slots - 1);

	while (t->slot[i] && strcmp(t->name[t->slot[i] - 1], name) != 0)
		i = (i + 1) & (t->slots - 1);
	return &t->slot[i];
}

/* Double the table if it is half full. */
static void names_grow(struct names *t)
{
	uint32_t i;

	if (t->n * 2ull < t->slots)
		return;
	free(t->slot);
	t->slots *= 2;
	if (t->slots == 0)
		t->slots = 256;
	t->slot = memory_zeroed(t->slots, sizeof(*t->slot));
	for (i = 0; i < t->n; i++)
		*names_slot(t, t->name[i]) = i + 1;
}

uint32_t names_number(struct names *t, const char *name)
{
	uint32_t *slot;

	names_grow(t);
	slot = names_slot(t, name);
	if (*slot)
		return *slot - 1;
	t->name = memory_grow(t->name, &t->room, t->n + 1, sizeof(*t->name));
	t->name[t->n] = memory_string(name, strlen(name));
	*slot = ++t->n;
	return *slot - 1;
}

void names_free(struct names *t)
{
	uint32_t i;

	for (i = 0; i < t->n; i++)
		free(t->name[i]);
	free(t->name);
	free(t->slot);
	*t = (struct names){.n = 0};
}
