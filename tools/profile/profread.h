/*
 * Reading a profile from a file of any kind, which its content tells: kpdata(5), gmon.out in
 * GNU's form, gmon(5), and 4.4BSD's, kpstack(5), kpwait(5), kpmem(5), kptrace(5), kpcall(5),
 * modules(5), and the logs of prf(7).
 */
#ifndef TOOLS_PROFILE_PROFREAD_H
#define TOOLS_PROFILE_PROFREAD_H

#include "tools/complaint.h"
#include "tools/code/image.h"
#include "tools/profile/profdata.h"

/*
 * Read path ("-": the standard input), and find the files of its images. Data of other kernels
 * and programs than those in `images` are refused by name, for numbers with wrong names are
 * worse than none. Return 0, or -1 and *why, beginning with the path. The caller ends with
 * profdata_free(), after success only.
 */
int profread(struct profdata *p, const char *path, struct images *images, struct complaint *why);

/*
 * Read the bytes of a file that begins as profiles do; the others are refused, however large they
 * are, by their first bytes. The caller frees *data, which a NUL follows. 0, or -1 and *why.
 */
int profread_bytes(const char *path, uint8_t **data, size_t *n, struct complaint *why);

/*
 * Read the n bytes at data (a NUL that does not count follows), which are those of path, for
 * merging: the files of images are not looked for, and addresses may be relative.
 */
int profread_data(struct profdata *p, const char *path, const uint8_t *data, size_t n,
		  struct complaint *why);

/* What a reader is given; nothing of it is kept. */
struct profread_file {
	const uint8_t *data;	     /* a NUL that does not count follows */
	size_t n;		     /* bytes */
	const struct images *images; /* they tell which addresses are the kernel's; or NULL */
};

/*
 * The readers: the bytes of a file into p, which they initialise and, on failure, free again.
 * Return 0, or -1 and *why: with the offset or line, and what was expected. Addresses may be
 * relative (struct profdata_image).
 */
typedef int profread_reader(struct profdata *p, const struct profread_file *f,
			    struct complaint *why);
profread_reader profread_kpdata, profread_gmon, profread_stacks, profread_waits, profread_memory,
	profread_trace, profread_calls, profread_modules, profread_prf;

/*
 * Return whether data look like a file of each kind, by its first n bytes: SLURP_HEAD of them, or
 * all. Such a file may still be damaged, which its reader finds. kpdata's has no magic word: what
 * no other takes is tried for that.
 */
bool profread_is_gmon(const uint8_t *data, size_t n);
bool profread_is_stacks(const uint8_t *data, size_t n);
bool profread_is_waits(const uint8_t *data, size_t n);
bool profread_is_memory(const uint8_t *data, size_t n);
bool profread_is_trace(const uint8_t *data, size_t n);
bool profread_is_calls(const uint8_t *data, size_t n);
bool profread_is_modules(const uint8_t *data, size_t n);
bool profread_is_prf(const uint8_t *data, size_t n);
bool profread_is_kpdata(const uint8_t *data, size_t n);

#endif
