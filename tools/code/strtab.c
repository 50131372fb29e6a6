/* String tables of ELF files: see strtab.h. */
#include <gelf.h>
#include "tools/code/strtab.h"

bool strtab_sound(Elf *elf, size_t n)
{
	Elf_Scn *scn = elf_getscn(elf, n);
	const char *names;
	Elf_Data *data;
	GElf_Shdr head;

	if (!gelf_getshdr(scn, &head)) /* not there, too */
		return false;
	if (head.sh_flags & SHF_COMPRESSED)
		return false;
	data = elf_getdata(scn, NULL);
	if (!data)
		return false;
	names = data->d_buf;
	if (!names || data->d_size == 0)
		return false;
	return names[data->d_size - 1] == '\0';
}
