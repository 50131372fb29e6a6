/* What tells an ELF file from others of its name: see buildid.h. */
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include "tools/code/buildid.h"
#include "tools/order.h"
#include "userland/formats/crc32.h"

void buildid_read(void *elf, char id[static BUILDID_SIZE])
{
	const void *bytes;
	ssize_t i, n = dwelf_elf_gnu_build_id(elf, &bytes);

	*id = 0;
	if (n != 20)
		return;
	for (i = 0; i < n; i++)
		sprintf(id + 2 * i, "%02x", ((const unsigned char *)bytes)[i]);
}

/* Return whether a section has code that is in the file, and what its header says. */
static bool has_code(Elf_Scn *section, GElf_Shdr *head)
{
	if (!gelf_getshdr(section, head))
		return false;
	return head->sh_flags & SHF_EXECINSTR && head->sh_type != SHT_NOBITS;
}

/* Return whether sections of code lie one over the other: they have more bytes than the file. */
static bool overlap(Elf *elf)
{
	Elf_Scn *section = NULL;
	uint64_t sum = 0, end = 0;
	GElf_Shdr head;

	while ((section = elf_nextscn(elf, section)) != NULL) {
		if (!has_code(section, &head) || head.sh_size > UINT32_MAX)
			continue;
		sum += head.sh_size;
		if (head.sh_offset < UINT32_MAX)
			end = order_max(end, head.sh_offset + head.sh_size);
	}
	return sum > end;
}

void buildid_of_code(void *elf, char id[static BUILDID_SIZE])
{
	Elf_Scn *section = NULL;
	uint32_t crc = 0, size = 0;
	const Elf_Data *code;
	GElf_Shdr head;

	*id = 0;
	if (overlap(elf))
		return;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		code = has_code(section, &head) ? elf_rawdata(section, NULL) : NULL;
		if (!code || !code->d_buf)
			continue;
		crc = crc32_add(crc, code->d_buf, code->d_size);
		size += (uint32_t)code->d_size;
	}
	if (size)
		snprintf(id, BUILDID_SIZE, "%08" PRIx32 "%08" PRIx32, size, crc);
}
