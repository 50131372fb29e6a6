/* Reads the GNU build id note of an ELF file; System V ABI, "Object Files". */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "userland/profile/buildid.h"

#define PT_NOTE 4
#define NT_GNU_BUILD_ID 3
#define ID_MAX (BUILDID_MAX / 2)

struct elf_head {
	uint8_t ident[16];
	uint16_t type, machine;
	uint32_t version, entry, phoff, shoff, flags;
	uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};

struct elf_segment {
	uint32_t type, offset, vaddr, paddr, filesz, memsz, flags, align;
};

struct note {
	uint32_t namesz, descsz, type;
	char name[4];
	uint8_t id[ID_MAX];
};

static int read_at(int fd, uint32_t at, void *buf, size_t n)
{
	return lseek(fd, at, SEEK_SET) == (off_t)at && read(fd, buf, n) == (ssize_t)n ? 0 : -1;
}

/* Whether the note, of which n bytes are there, is a build id. */
static int is_id(const struct note *note, size_t n)
{
	return n >= offsetof(struct note, id) && note->namesz == 4 &&
	       memcmp(note->name, "GNU", 4) == 0 && note->type == NT_GNU_BUILD_ID &&
	       note->descsz <= ID_MAX && note->descsz <= n - offsetof(struct note, id);
}

/* The id in hexadecimal. -1 when this is no 32-bit ELF file that has one. */
static int id_of(int fd, char hex[2 * ID_MAX + 1])
{
	struct elf_head head;
	struct elf_segment seg;
	struct note note;

	if (read_at(fd, 0, &head, sizeof(head)) || memcmp(head.ident, "\177ELF\1\1", 6) != 0 ||
	    head.phentsize < sizeof(seg))
		return -1;
	for (uint32_t i = 0; i < head.phnum; i++) {
		if (read_at(fd, head.phoff + i * head.phentsize, &seg, sizeof(seg)))
			return -1;
		size_t n = seg.filesz < sizeof(note) ? seg.filesz : sizeof(note);
		if (seg.type != PT_NOTE || read_at(fd, seg.offset, &note, n) || !is_id(&note, n))
			continue;
		for (uint32_t b = 0; b < note.descsz; b++)
			snprintf(hex + 2 * b, 3, "%02x", note.id[b]);
		return 0;
	}
	return -1;
}

/* The last word of the version is the id. */
void buildid_running(char hex[BUILDID_MAX + 1])
{
	char version[128], *id;
	int fd = open("/dev/version", O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, version, sizeof(version) - 1);

	if (n < 0)
		err(1, "/dev/version");
	close(fd);
	while (n > 0 && version[n - 1] == '\n')
		n--;
	version[n] = 0;
	id = strrchr(version, ' ');
	snprintf(hex, BUILDID_MAX + 1, "%s", id ? id + 1 : "");
}

void buildid_check(const char *path)
{
	char hex[BUILDID_MAX + 1], running[BUILDID_MAX + 1];
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		err(1, "%s", path);
	if (id_of(fd, hex) < 0)
		errx(1, "%s: not a kernel image with a build id", path);
	close(fd);
	buildid_running(running);
	if (strcmp(running, hex) != 0)
		errx(1, "%s is not the running kernel", path);
}
