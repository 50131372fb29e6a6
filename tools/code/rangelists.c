/* How long lists of ranges are: see rangelists.h. */
#include <dwarf.h>
#include "tools/code/rangelists.h"
#include "userland/formats/le.h"

/* What the lists of a unit are read by. */
struct unit {
	Dwarf_Half version;
	uint8_t address, offset; /* bytes of an address, and of an offset */
};

/* Return how many bytes the number at `at' has, LEB128. */
static size_t number_size(const uint8_t *bytes, size_t n, size_t at)
{
	size_t end = at;

	while (end < n && bytes[end] & 0x80)
		end++;
	return end + 1 - at;
}

/* Return how many bytes a list of DWARF 4 has from there on: it ends with two zeros. */
static size_t old_size(const struct rangelists *r, size_t from, unsigned address)
{
	size_t at, i;

	for (at = from; at < r->nold; at += 2 * address) {
		for (i = at; i < r->nold && i < at + 2 * address; i++)
			if (r->old[i])
				break;
		if (i == at + 2 * address)
			break;
	}
	return at - from;
}

/* Return how many bytes a list of DWARF 5 has from there on: each of its entries tells its kind. */
static size_t new_size(const struct rangelists *r, size_t from, unsigned address)
{
	/* of each kind, how many numbers and how many addresses follow */
	static const uint8_t has[][2] = {
		[DW_RLE_base_addressx] = {1, 0}, [DW_RLE_startx_endx] = {2, 0},
		[DW_RLE_startx_length] = {2, 0}, [DW_RLE_offset_pair] = {2, 0},
		[DW_RLE_base_address] = {0, 1}, [DW_RLE_start_end] = {0, 2},
		[DW_RLE_start_length] = {1, 1},
	};
	size_t at = from;
	unsigned kind, i;

	while (at < r->nnew) {
		kind = r->new[at++];
		if (kind == DW_RLE_end_of_list || kind > DW_RLE_start_length)
			break;
		at += has[kind][1] * address;
		for (i = 0; i < has[kind][0]; i++)
			at += number_size(r->new, r->nnew, at);
	}
	return at - from;
}

/*
 * Return where a list of DWARF 5 begins that an entry names by its number: a table has that, at a
 * place which the unit tells; without one it follows the head of the section.
 */
static size_t numbered(const struct rangelists *r, const struct unit *u, Dwarf_Die *unit,
		       Dwarf_Word number)
{
	Dwarf_Word base = u->offset == 8 ? 20 : 12;
	Dwarf_Attribute mem;

	dwarf_formudata(dwarf_attr(unit, DW_AT_rnglists_base, &mem), &base);
	if (base > r->nnew)
		return r->nnew;
	if (number >= (r->nnew - base) / u->offset)
		return r->nnew;
	return base + le_get_word(r->new + base + number * u->offset, u->offset);
}

size_t rangelists_size(const struct rangelists *r, Dwarf_Die *die)
{
	Dwarf_Attribute mem, *ranges = dwarf_attr(die, DW_AT_ranges, &mem);
	struct unit u;
	Dwarf_Word from;
	Dwarf_Die unit;

	if (!ranges)
		return 0;
	if (!dwarf_cu_die(die->cu, &unit, &u.version, NULL, &u.address, &u.offset, NULL, NULL))
		return 0;
	if (dwarf_formudata(ranges, &from) != 0)
		return 0;
	if (u.version < 5)
		return old_size(r, from, u.address);
	if (dwarf_whatform(ranges) == DW_FORM_rnglistx)
		from = numbered(r, &u, &unit, from);
	return new_size(r, from, u.address);
}
