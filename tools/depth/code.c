/* The functions of a kernel's machine code: see code.h. What each does is found in follow.c. */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include "tools/depth/follow.h"
#include "tools/memory.h"

/* Return whether a section is part of the program, with bytes in the file. */
static bool has_bytes(const GElf_Shdr *sh)
{
	return sh->sh_type == SHT_PROGBITS && (sh->sh_flags & SHF_ALLOC);
}

const uint8_t *code_bytes(const struct image *image, uint32_t at, size_t n)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(image->symbols.elf, scn)) != NULL) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		if (!has_bytes(&sh))
			continue;
		if (!code_within(at, (uint32_t)sh.sh_addr, sh.sh_size))
			continue;
		uint32_t from = at - (uint32_t)sh.sh_addr;
		data = elf_getdata(scn, NULL);
		if (data && from + n <= data->d_size)
			return (const uint8_t *)data->d_buf + from;
	}
	return NULL;
}

bool code_word(const struct image *image, uint32_t at, uint32_t *out)
{
	const uint8_t *b = code_bytes(image, at, 4);

	if (b)
		*out = b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
	return b != NULL;
}

/* Make the list of functions, which has the order of the symbols: code_at() relies on it. */
static void list_functions(struct code *c)
{
	const struct symbols *s = &c->image->symbols;

	c->fn = memory_zeroed(s->n, sizeof(*c->fn));
	for (size_t i = 0; i < s->n; i++) {
		uint64_t end = s->sym[i].end;

		if (i + 1 < s->n && end > s->sym[i + 1].start)
			end = s->sym[i + 1].start;
		c->fn[c->n++] = (struct code_function){
			.name = s->sym[i].plain,
			.file = image_line(c->image, s->sym[i].start).file,
			.start = s->sym[i].start,
			.end = end,
		};
	}
}

/* Return the machine code of a function, or NULL. */
static const uint8_t *bytes_of(const struct code *c, size_t i)
{
	return code_bytes(c->image, c->fn[i].start, c->fn[i].end - c->fn[i].start);
}

int code_read(struct code *c, struct image *image, struct complaint *why)
{
	bool *returns;
	csh handle;

	*c = (struct code){.image = image};
	if (cs_open(CS_ARCH_X86, CS_MODE_32, &handle) != CS_ERR_OK)
		return complain(why, "the disassembler cannot be used");
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	list_functions(c);
	returns = memory_zeroed(c->n, sizeof(*returns));
	for (size_t i = 0; i < c->n; i++)
		returns[i] = !bytes_of(c, i) || follow_returns(handle, &c->fn[i], bytes_of(c, i));
	for (size_t i = 0; i < c->n; i++)
		if (bytes_of(c, i))
			follow_function(handle, c, &c->fn[i], bytes_of(c, i), returns);
	free(returns);
	cs_close(&handle);
	return 0;
}

void code_free(struct code *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->fn[i].call);
		free(c->fn[i].taken);
	}
	free(c->fn);
}

size_t code_at(const struct code *c, uint32_t pc)
{
	const struct symbol *s = image_symbol(c->image, pc);

	if (!s)
		return CODE_NONE;
	return (size_t)(s - c->image->symbols.sym);
}

size_t code_start(const struct code *c, uint32_t pc)
{
	size_t i = code_at(c, pc);

	if (i != CODE_NONE && c->fn[i].start != pc)
		return CODE_NONE;
	return i;
}

/* Return whether a path ends with the n bytes at `end`, as whole parts. */
static bool ends_with(const char *path, const char *end, size_t n)
{
	size_t len;

	if (!path)
		return false;
	len = strlen(path);
	if (len < n)
		return false;
	if (memcmp(path + len - n, end, n) != 0)
		return false;
	return len == n || path[len - n - 1] == '/';
}

size_t code_named(const struct code *c, const char *name, struct complaint *why)
{
	const char *colon = strrchr(name, ':');
	const char *function = name;
	size_t found = CODE_NONE;

	if (colon)
		function = colon + 1;
	for (size_t i = 0; i < c->n; i++) {
		const struct code_function *f = &c->fn[i];

		if (strcmp(f->name, function) != 0)
			continue;
		if (colon && !ends_with(f->file, name, (size_t)(colon - name)))
			continue;
		if (found != CODE_NONE) {
			complain(why, "there are several functions %s: write %s:%s or %s:%s", name,
				 c->fn[found].file, function, f->file, function);
			return CODE_NONE;
		}
		found = i;
	}
	if (found == CODE_NONE)
		complain(why, "there is no function %s", name);
	return found;
}
