/*
 * A profile in memory, whoever counted it. Readers (profread.h) fill it; reports, exports
 * and comparisons look at nothing else. Addresses are those of the images as linked.
 */
#ifndef TOOLS_PROFILE_PROFDATA_H
#define TOOLS_PROFILE_PROFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tools/code/addr.h"
#include "tools/code/buildid.h"
#include "tools/distinct.h"
#include "tools/profile/calls.h"
#include "tools/profile/runinfo.h"
#include "tools/texts.h"

struct image;

/* What a count counts. */
enum profdata_unit {
	PROFDATA_TICKS,	       /* of the profiling clock: samples */
	PROFDATA_INSTRUCTIONS, /* that ran: exact, by coverage */
	PROFDATA_BYTES,	       /* of memory that were allocated and not freed */
	PROFDATA_CALLS,	       /* of the kernel's functions: exact, by coverage */
	PROFDATA_MICROSECONDS, /* that processes waited: exact */
	PROFDATA_EXECUTED,     /* instructions of all code in a machine, by gnomon record: exact */
	PROFDATA_CYCLES,       /* of the clock that measured calls: exact, by kpcall */
	PROFDATA_NANOSECONDS, /* that functions ran, from entry to return: exact, by kptrace */
	/* Each has a name in profdata.c, and is an event in export. */
	PROFDATA_NUNITS
};

/*
 * What the processor was doing, what a process waited for, or what became of memory whose paths are
 * known; other counts than ticks, microseconds and these have KERNEL and USER only.
 */
enum profdata_mode {
	PROFDATA_KERNEL,    /* in the kernel, for a process or for itself */
	PROFDATA_INTERRUPT, /* in a device's interrupt */
	PROFDATA_USER,	    /* in a program */
	PROFDATA_IDLE,	    /* waiting for something to do */
	PROFDATA_OUTSIDE,   /* outside of what was profiled: no address is known */
	PROFDATA_IN_USE,    /* memory of that path that is in use */
	PROFDATA_FREED,	    /* and what was freed of it */
	PROFDATA_PIPE,	    /* for a pipe's other end */
	PROFDATA_SLEEP,	    /* for a time */
	PROFDATA_CHILD,	    /* for a child's end */
	PROFDATA_LOCK,	    /* for a lock of the kernel's */
	PROFDATA_DEVICE,    /* for a device */
	PROFDATA_READY,	    /* for a processor: ready, but not running */
	PROFDATA_NPATH,	    /* there was no room for the path: no address is known either */
	PROFDATA_NMODES
};

/* A bit for each mode that is of memory, and for each that is a wait. */
#define PROFDATA_MEMORY (1u << PROFDATA_IN_USE | 1u << PROFDATA_FREED)
#define PROFDATA_WAITING ((1u << (PROFDATA_READY + 1)) - (1u << PROFDATA_PIPE))

extern const char *const profdata_unit_name[];	      /* "ticks", "instructions", ... */
extern const char *const profdata_mode_name[PROFDATA_NMODES]; /* "kernel", "interrupt" ... */
extern const char *const profdata_mode_step[PROFDATA_NMODES]; /* as a step: "[kernel]" ... */

#define PROFDATA_NONE UINT32_MAX /* no image, no process name */

/* An executable that addresses are in. */
struct profdata_image {
	char *name;	  /* "kernel", or the last part of its path; never NULL */
	char *path;	  /* in the guest; NULL: unknown */
	char buildid[BUILDID_SIZE]; /* hexadecimal; empty: unknown */
	char *file; /* of the host, as FILE.run tells; NULL: it does not */
	bool told;  /* it was said why there is no such file */
	bool noted; /* the build id, too, is from there: the profile has the name alone */
	bool kernel;
	bool recorded;	    /* by gnomon record, and path is the host's */
	bool relative;	    /* until bind_images(): addresses count from the start of its text */
	uint32_t text_size, text_slack; /* its bytes, rounded up to a multiple of slack; or 0 */
	struct image *elf;  /* its file on the host, after bind_images(); NULL: not found */
};

/* One step of a path, which many paths may share: an address, and the image that it is in. */
struct profdata_frame {
	code_addr pc;
	uint32_t image; /* index, or PROFDATA_NONE */
	uint32_t span;	/* bytes of text from pc on that a count of it is of; 0: a return address */
};

/* What was counted at one place, or on one path to it. */
struct profdata_sample {
	uint64_t count;
	size_t path;	/* index of the outermost step in the paths of the profile */
	uint16_t depth; /* number of frames: 0 (no address is known), 1 (just where) or more */
	uint8_t mode;
	bool cut;	/* outer frames are missing: the path was too deep */
	uint32_t process; /* index of its name, or PROFDATA_NONE */
	uint32_t times;	  /* how often processes waited there; 0: not known */
	uint32_t memory;  /* what else is known of memory there: an index and 1; 0: nothing */
};

/* Memory that was allocated at a place, beside the bytes of it that are in use. */
struct profdata_memory {
	uint64_t blocks;	   /* that are in use */
	uint64_t total, allocated; /* bytes, and blocks, whether they are in use or not */
};

/* Calls: from an address of the caller to an address of the called function's start. */
struct profdata_arc {
	code_addr frompc, selfpc;
	uint32_t image;
	uint64_t count;
};

/* A moment of a time line: a tick, or a change of process or of function on a CPU. */
struct profdata_record {
	uint64_t us;	  /* since the machine was started; or what the unit is */
	uint32_t cpu, pid;
	uint32_t process; /* index of its name */
	uint32_t sample;  /* index of its path; PROFDATA_NONE: it runs from then on, 0 is idle */
	uint8_t wait;	  /* then: the mode of its wait that is over; else no wait */
};

/* That a process does not run at an edge of the part that was chosen. */
struct profdata_reach {
	uint64_t left, runs; /* since when, and until when */
	uint32_t pid, process; /* its number, and its name when it runs again */
	uint8_t wait;	       /* what it waited for, as a record has it */
};

/* A moment at which what ran on a CPU woke a process. */
struct profdata_woken {
	uint64_t us;
	uint32_t cpu, pid;
};

/* A moment that somebody has given a name, from a process on a CPU. */
struct profdata_mark {
	uint64_t us;
	uint32_t cpu, pid;
	char *text; /* as it is shown */
};

/* A CPU that a time line is of. */
struct profdata_cpu {
	uint32_t cpu;
	uint64_t overwritten; /* its earlier records, which were lost for those that are there */
	uint64_t since;	      /* the time of its first record; UINT64_MAX: it has none */
};

struct profdata {
	/* "kpdata", "gmon.out", "stacks", "waits", "trace", "modules", "prf", "calls" */
	const char *format;
	const char *unsure; /* what the file's form does not tell; NULL: it tells all */
	char *ambiguous; /* that other marks could bound the part, too; NULL: none could */
	const char *left_out; /* why the end of the file was left out; NULL: nothing was */
	enum profdata_unit unit;
	unsigned width;	 /* bytes of an address in the file; 0: it does not say */
	double us;	 /* microseconds of a tick, or of a unit of time; 0: unknown, or none */
	uint64_t period; /* instructions between two samples, on average; 0: all are counted */
	uint64_t total;	 /* the sum of all samples' counts */
	uint64_t by_mode[PROFDATA_NMODES]; /* the same by mode */
	struct runinfo run; /* how it was counted, whatever part is selected */
	uint64_t calls;	 /* in the kernel, which profdata_split() has taken out */
	bool has_paths;	 /* some sample has a depth above 1 */
	bool has_modes;	 /* each sample's mode was counted, and is not just where its address is */
	bool kernel_only; /* what was outside the kernel is known only as a sum */

	struct profdata_image *image;
	size_t nimage;
	struct profdata_frame *frame;
	size_t nframe;
	uint32_t *path; /* of all samples: indices of frames, the outermost first */
	size_t npath;
	struct profdata_sample *sample;
	size_t nsample;
	struct profdata_memory *memory; /* of samples, unless the file tells only bytes in use */
	size_t nmemory;
	struct profdata_arc *arc;
	size_t narc;
	char **name; /* of processes */
	size_t nname;

	/* A time line's: CPU by CPU, ascending in time. Its samples count its ticks. */
	struct profdata_record *record;
	size_t nrecord;
	uint64_t overwritten; /* earlier records that were lost for these */
	uint64_t from, to;    /* the part that was chosen of it */
	bool has_from, has_to; /* else it has all from its beginning, or to its end */
	uint64_t last;	       /* the last record of all of it, if a part was chosen */
	struct profdata_reach *reach; /* over the edges of that part */
	size_t nreach;
	struct profdata_woken *woken; /* in the same order */
	size_t nwoken;
	struct profdata_mark *mark; /* ascending in time */
	size_t nmark;
	struct profdata_cpu *on; /* the CPUs, also those without records */
	size_t non;

	/* Calls whose times were measured; its samples count those of the functions alone. */
	struct calls timed;

	size_t room_image, room_frame, room_path, room_sample, room_arc, room_name, room_on,
		room_woken, room_mark, room_memory, room_reach;
	struct distinct known; /* the frames that profdata_add() has added */
	struct texts known_names, known_images;
};

/*
 * Begin with an empty profile, and free it with all that it owns, which the ELF files of its
 * images are not. Exhausted memory ends the program (memory.h).
 */
void profdata_init(struct profdata *p, const char *format, enum profdata_unit unit);
void profdata_free(struct profdata *p);

/*
 * Find the image of that name and build id ("": unknown), or add it. Strings are copied; path
 * may be NULL. Return its index.
 */
uint32_t profdata_image(struct profdata *p, const char *name, const char *path,
			const char *buildid, bool kernel);

/* Find a process name of n characters, none of them NUL, or add it. Return its index. */
uint32_t profdata_name(struct profdata *p, const char *name, size_t n);

/*
 * Add a sample: `like` has its count, mode, cut and process. The last of the frames has a span, as
 * have others that are no return addresses. A count of 0 is left out. More than UINT16_MAX frames
 * are cut at the outer end.
 */
void profdata_add(struct profdata *p, const struct profdata_sample *like,
		  const struct profdata_frame *frame, size_t depth);

/* Add to the count of a sample. */
void profdata_more(struct profdata *p, uint32_t sample, uint64_t count);

/* Add a sample without a path: a count in `span` bytes of an image's text from pc on. */
void profdata_add_pc(struct profdata *p, uint32_t image, code_addr pc, uint32_t span,
		     uint64_t count);

/* The same for bytes in use, of which there may be none, and what else is known of them. */
void profdata_add_memory(struct profdata *p, uint32_t image, code_addr pc, uint64_t bytes,
			 const struct profdata_memory *memory);

/* Add a count for which no address is known. */
void profdata_add_mode(struct profdata *p, enum profdata_mode mode, uint64_t count);

/* Add calls; a count of 0 is left out. */
void profdata_add_arc(struct profdata *p, const struct profdata_arc *arc);

/* Return the indices of a sample's frames, the outermost first. */
static inline const uint32_t *profdata_path(const struct profdata *p,
					    const struct profdata_sample *s)
{
	return p->path + s->path;
}

/* Return, by image, whether the profile has addresses of it; the caller frees that. */
bool *profdata_used_images(const struct profdata *p);

/* Return whether blocks of memory are known, and what was ever allocated. */
bool profdata_has_memory(const struct profdata *p);

/*
 * Return what is known of the memory of a sample. Of paths that is bytes and blocks, which are both
 * in the first sample of a path: in use or not.
 */
struct profdata_memory profdata_memory_of(const struct profdata *p,
					  const struct profdata_sample *s);

/* Return the innermost frame of a sample, or NULL. */
static inline const struct profdata_frame *profdata_leaf(const struct profdata *p,
							 const struct profdata_sample *s)
{
	if (s->depth == 0)
		return NULL;
	return p->frame + profdata_path(p, s)[s->depth - 1];
}

/* Return the name of an image; "" for PROFDATA_NONE. */
static inline const char *profdata_image_name(const struct profdata *p, uint32_t image)
{
	if (image == PROFDATA_NONE)
		return "";
	return p->image[image].name;
}

/* Keep only the samples for which keep() returns true, and their records; arcs stay. */
void profdata_filter(struct profdata *p, bool (*keep)(const struct profdata *p,
						      const struct profdata_sample *s, void *arg),
		     void *arg);

/* Return whether nothing is known of its CPU from that record on, up to the next: kptrace(5). */
bool profdata_is_off(const struct profdata *p, const struct profdata_record *r);

/* Return the end of the records of one CPU that begin there: the index after the last. */
size_t profdata_cpu_end(const struct profdata *p, size_t first);

/*
 * Of a time line keep only the first n records, which the caller has put there, and make the
 * samples' counts anew from them; samples that no record has go.
 */
void profdata_recount(struct profdata *p, size_t n);

/* Add up what was outside the kernel, as in a profile that is kernel_only. */
void profdata_sum_outside(struct profdata *p);

/*
 * Coverage counts calls in the kernel and instructions elsewhere, which cannot be added: take
 * the calls out, and note how many they were. If there is nothing else they become the unit.
 */
void profdata_split(struct profdata *p);

/*
 * Return whether records tell where a CPU was from then on, up to its next one, and count how much
 * that was; else a record is a tick, or a change of process.
 */
static inline bool profdata_of_functions(const struct profdata *p)
{
	return p->unit == PROFDATA_EXECUTED || p->unit == PROFDATA_NANOSECONDS;
}

/* Return whether counts are of time of which the modes tell what it went to. */
static inline bool profdata_is_time(const struct profdata *p)
{
	return p->unit == PROFDATA_TICKS || p->unit == PROFDATA_MICROSECONDS;
}

/*
 * Return whether ticks of two lengths count the same time. The clock of cycles is measured anew at
 * each boot, by which its units differ a little, though it is one clock.
 */
bool profdata_same_tick(enum profdata_unit unit, double us, double other_us);

/* Return counts as milliseconds; 0 if they have no known length. */
double profdata_ms(const struct profdata *p, uint64_t ticks);

/* Return a line that says how many ticks are missing, if that is more than 1 %; to be freed. */
char *profdata_loss(const struct profdata *p);

/* Print "FILE: gmon.out, 40 ticks of 500 us, 20.00 ms", without a newline. */
void profdata_print(const struct profdata *p, const char *file);

#endif
