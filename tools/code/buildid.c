/* What tells an ELF file from others of its name: see buildid.h. */
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include "tools/code/buildid.h"
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

/* Return how many bytes of code a section has in a file of so many; `at' becomes where. */
static size_t code_of(Elf_Scn *section, size_t n, size_t *at)
{
	GElf_Shdr head;

	if (!gelf_getshdr(section, &head))
		return 0;
	if (!(head.sh_flags & SHF_EXECINSTR) || head.sh_type == SHT_NOBITS)
		return 0;
	if (head.sh_offset > n || head.sh_size > n - head.sh_offset)
		return 0;
	*at = head.sh_offset;
	return head.sh_size;
}

/* Sections that have more code than the file has bytes lie one over the other: of such no id. */
void buildid_of_code(void *elf, char id[static BUILDID_SIZE])
{
	size_t n = 0, at = 0, of, size = 0;
	const char *file = elf_rawfile(elf, &n);
	Elf_Scn *section = NULL;
	uint32_t crc = 0;

	*id = 0;
	while (file && (section = elf_nextscn(elf, section))) {
		of = code_of(section, n, &at);
		size += of;
		if (size > n)
			return;
		crc = crc32_add(crc, (const unsigned char *)file + at, of);
	}
	if (size)
		snprintf(id, BUILDID_SIZE, "%08" PRIx32 "%08" PRIx32, (uint32_t)size, crc);
}
