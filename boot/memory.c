/*
 * Memory as the boot loader found it: Multiboot Specification 0.6.96, section 3.3, and
 * Multiboot2 Specification 2.0, section 3.6. What the loader left is copied or kept out of the free
 * memory.
 */
#include "boot/memory.h"
#include "drivers/console/screen.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/image.h"
#include "kernel/machine/string.h"
#include "kernel/memory/frame.h"
#include "kernel/memory/kvm.h"

#define MAGIC1 0x2BADB002u /* in eax: which of the two */
#define MAGIC2 0x36D76289u
#define HAS_CMDLINE 4u
#define HAS_MODS 8u
#define HAS_MMAP 64u
#define HAS_FRAMEBUFFER 4096u
#define FRAMEBUFFER_RGB 1
#define MAXMODULE 8
#define MAXRANGE 32
#define LOW_END 0x100000u	/* below: firmware, and pages for starting other CPUs */
#define DIRECT_MAX 0x38000000u /* physical memory above 896 MB has no place in the direct map */
#define AVAILABLE 1
#define LEAST_FREE 1536u /* KB: with that the system comes to its prompt */

/* A frame buffer, in both specifications but for two bytes that are reserved in the second. */
struct video {
	uint64_t address;
	uint32_t pitch, width, height;
	uint8_t bits, type;
} __attribute__((packed));

struct colours {
	uint8_t red, red_bits, green, green_bits, blue, blue_bits;
};

struct info {
	uint32_t flags, mem_lower, mem_upper, boot_device, cmdline, mods_count, mods_addr, syms[4],
		mmap_length, mmap_addr, drives[2], config, name, apm, vbe[4];
	struct video video;
	struct colours colours;
} __attribute__((packed));

struct mod {
	uint32_t start, end, string, reserved;
};

struct mmap {
	uint32_t size;
	uint64_t base, length;
	uint32_t type;
} __attribute__((packed));

/* Multiboot 2 leaves tags, each at a multiple of 8 bytes. */
struct tag {
	uint32_t type, size;
	union {
		char text[1];
		struct {
			uint32_t start, end;
			char name[1];
		} module;
		struct {
			uint32_t entry_size, version;
		} map;
		struct {
			struct video video;
			uint16_t reserved;
			struct colours colours;
		} __attribute__((packed)) screen;
	};
};

enum {
	TAG_END, TAG_CMDLINE, TAG_MODULE = 3, TAG_MAP = 6, TAG_SCREEN = 8, TAG_ACPI = 14, TAG_ACPI2,
};

struct range {
	uint32_t start, end;
};

static struct module modules[MAXMODULE];
static unsigned nmodule;
static struct range available[MAXRANGE], taken[MAXMODULE + 3];
static unsigned navailable, ntaken;
static struct framebuffer framebuffer; /* without a width, there is none */
static const void *acpi_root;
static uint32_t ram_end; /* end of the highest memory of any kind in the direct map */

/* Keep the pages that [start, end) touches out of the free memory. */
static void memory_take(uint32_t start, uint32_t end)
{
	taken[ntaken++] = (struct range){start & ~(PAGE - 1), (end + PAGE - 1) & ~(PAGE - 1)};
}

/* Note one entry of the memory map; what lies above the direct map is left out. */
static void memory_map_entry(uint64_t base, uint64_t length, uint32_t type)
{
	struct range r = {.start = LOW_END, .end = DIRECT_MAX};

	if (base >= DIRECT_MAX)
		return;
	if (length <= DIRECT_MAX - base)
		r.end = (uint32_t)(base + length);
	if (base > LOW_END)
		r.start = (uint32_t)base;
	if (r.end > ram_end)
		ram_end = r.end;
	if (type != AVAILABLE || navailable == MAXRANGE)
		return;
	if (r.end > LOW_END)
		available[navailable++] = r;
}

/* Note a module and where it lies; those after the first MAXMODULE are left out. */
static void memory_module_entry(uint32_t start, uint32_t end, const char *path)
{
	if (nmodule == MAXMODULE)
		return;
	modules[nmodule].data = p2v(start);
	modules[nmodule].size = end - start;
	strlcpy(modules[nmodule].name, path_last(path), sizeof(modules[0].name));
	nmodule++;
	memory_take(start, end);
}

/* Note a frame buffer. One of 64 bits of address, or of indexed colours, is of no use to us. */
static void memory_screen_entry(const struct video *v, const struct colours *c)
{
	if (v->type == FRAMEBUFFER_RGB && v->address + v->pitch * (uint64_t)v->height <= UINT32_MAX)
		framebuffer = (struct framebuffer){
			(uint32_t)v->address, v->pitch, v->width, v->height, v->bits,
			c->red, c->green, c->blue};
}

/* Read the list of modules that a boot loader of the first specification left. */
static void memory_read_modules(const struct info *in)
{
	const struct mod *m = p2v(in->mods_addr);

	for (uint32_t i = 0; i < in->mods_count; i++) {
		const char *name = "";

		if (m[i].string)
			name = p2v(m[i].string);
		memory_module_entry(m[i].start, m[i].end, name);
	}
}

/* Read the memory map that such a boot loader left. */
static void memory_read_map(const struct info *in)
{
	for (uint32_t at = 0; at < in->mmap_length;) {
		const struct mmap *e = p2v(in->mmap_addr + at);
		memory_map_entry(e->base, e->length, e->type);
		at += e->size + 4;
	}
}

/* Read what a boot loader of the first specification left. */
static void memory_read1(const struct info *in)
{
	const char *line = "";

	if (in->flags & HAS_CMDLINE)
		line = p2v(in->cmdline);
	cmdline_init(line);
	if (in->flags & HAS_MODS)
		memory_read_modules(in);
	if (in->flags & HAS_FRAMEBUFFER)
		memory_screen_entry(&in->video, &in->colours);
	if (in->flags & HAS_MMAP)
		memory_read_map(in);
}

/* Note what a tag of the second specification says. */
static void memory_read_tag(const struct tag *t)
{
	const uint8_t *end = (const uint8_t *)t + t->size;

	switch (t->type) {
	case TAG_CMDLINE:
		cmdline_init(t->text);
		break;
	case TAG_MODULE:
		memory_module_entry(t->module.start, t->module.end, t->module.name);
		break;
	case TAG_MAP:
		for (const uint8_t *e = (const uint8_t *)(&t->map + 1); e < end;
		     e += t->map.entry_size) {
			const struct mmap *m = (const void *)(e - sizeof(m->size));
			memory_map_entry(m->base, m->length, m->type);
		}
		break;
	case TAG_SCREEN:
		memory_screen_entry(&t->screen.video, &t->screen.colours);
		break;
	case TAG_ACPI:
	case TAG_ACPI2: /* it comes after the other, and says more */
		acpi_root = t->text;
		break;
	}
}

/* Read the tags at pa, which stay where they are. */
static void memory_read2(uint32_t pa)
{
	uint32_t size = *(const uint32_t *)p2v(pa);
	const struct tag *t;

	memory_take(pa, pa + size);
	cmdline_init("");
	for (uint32_t at = 8; at < size; at += (t->size + 7) & ~7u) {
		t = p2v(pa + at);
		if (t->type == TAG_END)
			return;
		memory_read_tag(t);
	}
}

/* Find the first taken range that overlaps [start, end), or NULL. */
static const struct range *memory_overlap(uint32_t start, uint32_t end)
{
	for (unsigned i = 0; i < ntaken; i++)
		if (taken[i].start < end && start < taken[i].end)
			return &taken[i];
	return NULL;
}

/* Find room for n bytes in available memory that is not taken; 0: there is none. */
static uint32_t memory_find_room(size_t n)
{
	for (unsigned a = 0; a < navailable; a++) {
		uint32_t start = (available[a].start + PAGE - 1) & ~(PAGE - 1);
		const struct range *t;
		while (start + n <= available[a].end &&
		       (t = memory_overlap(start, start + n)) != NULL)
			start = t->end;
		if (start + n <= available[a].end)
			return start;
	}
	return 0;
}

/* Add to the free memory what of [start, end) is not taken. */
static void memory_add_free(uint32_t start, uint32_t end)
{
	while (start < end) {
		const struct range *t = memory_overlap(start, start + PAGE);
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
static void memory_need_free(uint32_t kb)
{
	if (kb < LEAST_FREE)
		lacking("too little memory: %u KB beside the kernel and the initrd, %u needed", kb,
			LEAST_FREE);
}

/* Find the free memory, place the frame table in it, and give the rest to the allocator. */
void memory_init(uint32_t magic, uint32_t pa)
{
	memory_take(LOW_END, v2p(ebss));
	if (magic == MAGIC1)
		memory_read1(p2v(pa));
	else if (magic == MAGIC2)
		memory_read2(pa);
	else
		lacking("no multiboot: the boot loader left the number %x, not %x", magic, MAGIC1);
	if (navailable == 0)
		lacking("no memory map from the boot loader");
	size_t table = ram_end / PAGE * sizeof(struct frame);
	uint32_t room = memory_find_room(table);
	if (!room)
		memory_need_free(0);
	memory_take(room, room + table);
	frame_init(p2v(room), ram_end);
	kvm_init(ram_end);
	for (unsigned a = 0; a < navailable; a++)
		memory_add_free(available[a].start, available[a].end);
	memory_need_free(frame_free_count() * (PAGE / 1024));
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

const struct framebuffer *memory_screen(void)
{
	if (!framebuffer.width)
		return NULL;
	return &framebuffer;
}

const void *memory_acpi(void)
{
	return acpi_root;
}
