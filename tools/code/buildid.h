/*
 * What tells an ELF file from others of its name: the build id, which linkers make of all that they
 * link (--build-id), and which stays when symbols and lines are taken out.
 */
#ifndef TOOLS_CODE_BUILDID_H
#define TOOLS_CODE_BUILDID_H

#define BUILDID_SIZE 41 /* bytes of one in hexadecimal, with its NUL */

/* Write the build id of an open ELF file; "": it has none of the usual 20 bytes. */
void buildid_read(void *elf, char id[static BUILDID_SIZE]);

/*
 * Write what can stand in the place of a build id where there is none: the size of the code and its
 * CRC-32, together 16 digits; "": there is no code.
 */
void buildid_of_code(void *elf, char id[static BUILDID_SIZE]);

#endif
