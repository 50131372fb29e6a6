/*
 * Memory as the boot loader found it: Multiboot Specification 0.6.96, section 3.3.
 * What the loader left is copied or kept out of the free memory.
 */
#include "boot/memory.h"
#include "kernel/cmdline.h"
#include "kernel/frame.h"
#include "kernel/image.h"
#include "kernel/memory.h"
#include "kernel/print.h"

#define LOADER_MAGIC 0x2BADB002u
#define HAS_CMDLINE 4u
#define HAS_MODS 8u
#define HAS_MMAP 64u
#define MAXMODULE 8
#define MAXRANGE 32
#define LOW_END 0x100000u	/* below: firmware, and pages for starting other CPUs */
#define DIRECT_MAX 0x38000000u /* physical memory above 896 MB has no place in the direct map */
#define AVAILABLE 1
#define LEAST_FREE 1536u /* KB: with that the system comes to its prompt */

struct info {
	uint32_t flags, mem_lower, mem_upper, boot_device, cmdline, mods_count, mods_addr, syms[4],
		mmap_length, mmap_addr;
};

struct mod {
	uint32_t start, end, string, reserved;
};

struct mmap {
	uint32_t size;
	uint64_t base, length;
	uint32_t type;
} __attribute__((packed));

struct range {
	uint32_t start, end;
};

static struct module modules[MAXMODULE];
static unsigned nmodule;
static struct range available[MAXRANGE], taken[MAXMODULE + 2];
static unsigned navailable, ntaken;
static uint32_t ram_end; /* end of the highest memory of any kind in the direct map */

/* Keep the pages that [start, end) touches out of the free memory. */
static void take(uint32_t start, uint32_t end)
{
	taken[ntaken++] = (struct range){start & ~(PAGE - 1), (end + PAGE - 1) & ~(PAGE - 1)};
}

/* Note one entry of the memory map; what lies above the direct map is left out. */
static void map_entry(const struct mmap *e)
{
	if (e->base >= DIRECT_MAX)
		return;
	uint64_t end = e->length > DIRECT_MAX - e->base ? DIRECT_MAX : e->base + e->length;
	if ((uint32_t)end > ram_end)
		ram_end = (uint32_t)end;
	if (e->type == AVAILABLE && end > LOW_END && navailable < MAXRANGE)
		available[navailable++] = (struct range){
			e->base < LOW_END ? LOW_END : (uint32_t)e->base, (uint32_t)end};
}

/* Note what memory there is. */
static void read_map(const struct info *in)
{
	if (!(in->flags & HAS_MMAP))
		lacking("no memory map from the boot loader");
	for (uint32_t at = in->mmap_addr; at < in->mmap_addr + in->mmap_length;) {
		const struct mmap *e = p2v(at);
		map_entry(e);
		at += e->size + 4;
	}
}

/* Note the modules and where they lie; those after the first MAXMODULE are left out. */
static void read_modules(const struct info *in)
{
	const struct mod *m = p2v(in->mods_addr);

	for (uint32_t i = 0; in->flags & HAS_MODS && i < in->mods_count && i < MAXMODULE; i++) {
		const char *path = m[i].string ? p2v(m[i].string) : "";
		const char *base = strrchr(path, '/');
		modules[nmodule].data = p2v(m[i].start);
		modules[nmodule].size = m[i].end - m[i].start;
		strlcpy(modules[nmodule].name, base ? base + 1 : path, sizeof(modules[0].name));
		nmodule++;
		take(m[i].start, m[i].end);
	}
}

/* Find the first taken range that overlaps [start, end), or NULL. */
static const struct range *overlap(uint32_t start, uint32_t end)
{
	for (unsigned i = 0; i < ntaken; i++)
		if (taken[i].start < end && start < taken[i].end)
			return &taken[i];
	return NULL;
}

/* Find room for n bytes in available memory that is not taken; 0: there is none. */
static uint32_t find_room(size_t n)
{
	for (unsigned a = 0; a < navailable; a++) {
		uint32_t start = (available[a].start + PAGE - 1) & ~(PAGE - 1);
		const struct range *t;
		while (start + n <= available[a].end && (t = overlap(start, start + n)) != NULL)
			start = t->end;
		if (start + n <= available[a].end)
			return start;
	}
	return 0;
}

/* Add to the free memory what of [start, end) is not taken. */
static void add_free(uint32_t start, uint32_t end)
{
	while (start < end) {
		const struct range *t = overlap(start, start + PAGE);
		uint32_t stop = end;
		if (t) {
			start = t->end;
			continue;
		}
		for (unsigned i = 0; i < ntaken; i++)
			if (taken[i].start > start && taken[i].start < stop)
				stop = taken[i].start;
		frame_add(start, stop);
		start = stop;
	}
}

/* Stop if the kernel and the modules leave less memory than the system needs to start. */
static void need_free(uint32_t kb)
{
	if (kb < LEAST_FREE)
		lacking("too little memory: %u KB beside the kernel and the initrd, %u needed", kb,
			LEAST_FREE);
}

/* Find the free memory, place the frame table in it, and give the rest to the allocator. */
void memory_init(uint32_t magic, uint32_t pa)
{
	if (magic != LOADER_MAGIC)
		lacking("no multiboot: the boot loader left the number %x, not %x", magic,
			LOADER_MAGIC);
	const struct info *in = p2v(pa);
	cmdline_init(in->flags & HAS_CMDLINE ? p2v(in->cmdline) : "");
	take(LOW_END, v2p(ebss));
	read_modules(in);
	read_map(in);
	size_t table = frame_table_size(ram_end);
	uint32_t room = find_room(table);
	if (!room)
		need_free(0);
	take(room, room + table);
	frame_init(p2v(room), ram_end);
	vm_init(ram_end);
	for (unsigned a = 0; a < navailable; a++)
		add_free(available[a].start, available[a].end);
	need_free(frame_free_count() * (PAGE / 1024));
}

/* Print a line on memory, and one for each module. */
void memory_print(void)
{
	printk("memory: %u KB free, kernel text %u KB, constants %u KB, data %u KB\n",
	       frame_free_count() * (PAGE / 1024), (uint32_t)(etext - ktzero + 1023) / 1024,
	       (uint32_t)(erodata - srodata + 1023) / 1024, (uint32_t)(ebss - sdata + 1023) / 1024);
	for (unsigned i = 0; i < nmodule; i++)
		printk("module%u: %s, %u KB\n", i, modules[i].name,
		       (modules[i].size + 1023) / 1024);
}

/* Copy what is known of module i to *m; false past the last. */
bool memory_module(unsigned i, struct module *m)
{
	if (i < nmodule)
		*m = modules[i];
	return i < nmodule;
}
