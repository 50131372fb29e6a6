/*
 * Finding the ELF file of each program in a profile. One that the user has named comes first. Then
 * the kernel's is looked for beside the profile, where gnomon record says, and in the build tree; a
 * program's where gnomon record says, in bin beside the profile, and in the build tree's bin and
 * pg. A build id decides where the profile knows it; without it the name does.
 */
#ifndef TOOLS_PROFILE_BIND_H
#define TOOLS_PROFILE_BIND_H

#include "tools/code/image.h"
#include "tools/complaint.h"
#include "tools/profile/profdata.h"

/*
 * Give each of a profile's images its ELF file, and make relative addresses absolute. Beside the
 * profile, whose path this is, may be the gnomon.elf that it is of. Return 0,
 * or -1 and *why: the kernel has another build id, or addresses are relative and there is no file.
 * Other images that are not found keep elf NULL, and so do programs whose only file is of another
 * build, which is said.
 */
int bind_images(struct profdata *p, struct images *images, const char *path,
		struct complaint *why);

#endif
