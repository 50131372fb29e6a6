/* What tells an ELF file from others of its name: see buildid.h. */
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include "tools/code/buildid.h"
#include "tools/code/sections.h"
#include "userland/formats/crc32.h"

void buildid_read(void *elf, char id[static BUILDID_SIZE])
{
	const void *bytes;
	ssize_t i, n;

	*id = 0;
	if (sections_overlap(elf))
		return;
	n = dwelf_elf_gnu_build_id(elf, &bytes);
	if (n != 20)
		return;
	for (i = 0; i < n; i++)
		sprintf(id + 2 * i, "%02x", ((const unsigned char *)bytes)[i]);
}

void buildid_of_code(void *elf, char id[static BUILDID_SIZE])
{
	Elf_Scn *section = NULL;
	uint32_t crc = 0, size = 0;
	const Elf_Data *code;
	GElf_Shdr head;

	*id = 0;
	if (sections_overlap(elf))
		return;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		code = sections_is_code(section, &head) ? elf_rawdata(section, NULL) : NULL;
		if (!code || !code->d_buf)
			continue;
		crc = crc32_add(crc, code->d_buf, code->d_size);
		size += (uint32_t)code->d_size;
	}
	if (size)
		snprintf(id, BUILDID_SIZE, "%08" PRIx32 "%08" PRIx32, size, crc);
}
