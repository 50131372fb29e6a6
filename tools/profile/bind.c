/* Finding the ELF file of each program that a profile is of: see bind.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/memory.h"
#include "tools/profile/bind.h"
#include "tools/profile/kpdata.h"

/* Return, by image, whether the profile has addresses of it; the caller frees that. */
static bool *used_images(const struct profdata *p)
{
	bool *used = memory_zeroed(p->nimage, sizeof(*used));
	size_t i;

	for (i = 0; i < p->nframe; i++)
		if (p->frame[i].image != PROFDATA_NONE)
			used[p->frame[i].image] = true;
	for (i = 0; i < p->narc; i++)
		if (p->arc[i].image != PROFDATA_NONE)
			used[p->arc[i].image] = true;
	return used;
}

/* Whether a file has an image's name. "program" is the name of one that is not known. */
static bool same_name(const struct image *elf, const struct profdata_image *image)
{
	return image->kernel ? elf->kernel :
			       !elf->kernel && (strcmp(image->name, "program") == 0 ||
						strcmp(image->name, elf->name) == 0);
}

/*
 * Look through the files that are open. Return one of the same build id, else one of the same
 * name; if the profile knows another build id, that one is *near instead.
 */
static struct image *look(const struct images *images, const struct profdata_image *image,
			  struct image **near)
{
	struct image *best = NULL, *elf;
	size_t i;

	for (i = 0; i < images->n; i++) {
		elf = images->image[i];
		if (*image->buildid && strcmp(elf->symbols.buildid, image->buildid) == 0)
			return elf;
		if (!same_name(elf, image))
			continue;
		if (*image->buildid)
			*near = elf;
		else if (!best)
			best = elf;
	}
	return best;
}

/* Open DIR/SUB/NAME if it is there. -1 and why: it is, but cannot be used. */
static int open_default(struct images *images, const char *sub, const char *name,
			struct complaint *why)
{
	char *path = memory_format("%s/%s%s", images->dir, sub, name);
	int bad = access(path, R_OK) == 0 && images_add(images, path, why) < 0;

	free(path);
	return bad ? -1 : 0;
}

/* Open the gnomon.elf in a folder beside a profile if it is the kernel that the profile is of. */
static int open_in(struct images *images, const char *profile, const char *folder,
		   const char *buildid, struct complaint *why)
{
	const char *slash = strrchr(profile, '/');
	char *path = memory_format("%.*s%sgnomon.elf", slash ? (int)(slash + 1 - profile) : 0,
				   profile, folder);
	struct complaint none;
	struct symbols s;
	bool same = false;
	int bad = 0;

	if (symbols_load(&s, path, &none) == 0) {
		same = strcmp(s.buildid, buildid) == 0;
		symbols_free(&s);
	}
	if (same)
		bad = images_add(images, path, why);
	free(path);
	return bad;
}

/* Open that beside a profile, or where the folders of several runs are. */
static int open_beside(struct images *images, const char *profile, const char *buildid,
		       struct complaint *why)
{
	return open_in(images, profile, "", buildid, why) < 0 ? -1 :
	       open_in(images, profile, "../", buildid, why);
}

/*
 * Find an image's file: those that the user named come first, then, by its build id, that beside
 * the profile, then those that were built.
 */
static int find(struct images *images, struct profdata_image *image, const char *profile,
		struct complaint *why)
{
	static const char *const folders[] = {"bin/", "pg/", NULL};
	struct image *near = NULL;
	size_t i;

	image->elf = look(images, image, &near);
	if (!image->elf && image->kernel && *image->buildid) {
		if (open_beside(images, profile, image->buildid, why) < 0)
			return -1;
		image->elf = look(images, image, &near);
	}
	if (!image->elf && !near && images->dir && image->kernel &&
	    open_default(images, "", "gnomon.elf", why) < 0)
		return -1;
	for (i = 0; !image->elf && folders[i] && images->dir && !image->kernel; i++) {
		if (!strchr(image->name, '/') &&
		    open_default(images, folders[i], image->name, why) < 0)
			return -1;
		image->elf = look(images, image, &near);
	}
	if (!image->elf)
		image->elf = look(images, image, &near);
	if (image->elf || !near)
		return 0;
	return complain(why, "from another %s: the build id of %s is %s, that of %s is %s%s",
			image->kernel ? "kernel" : "program", image->name, image->buildid,
			near->path, *near->symbols.buildid ? near->symbols.buildid : "not there",
			image->kernel ? "; the right gnomon.elf is found if it is kept beside the "
					"profile" : "");
}

/* Check that a histogram has as many buckets as the kernel's text needs. */
static int check_size(const struct profdata_image *image, struct complaint *why)
{
	struct kpdata k = {.nbucket = 0};

	if (!image->text_size)
		return 0;
	k.nbucket = image->text_size / image->text_slack;
	k.shift = __builtin_ctz(image->text_slack);
	return kpdata_fits(&k, &image->elf->symbols, why);
}

/* Check that a file's addresses are those of an image of this class. */
static int check_width(const struct profdata *p, const struct image *elf, struct complaint *why)
{
	if (!p->width || p->width == elf->symbols.width)
		return 0;
	return complain(why, "its addresses have %u bits, those of %s have %u", 8 * p->width,
			elf->path, 8 * elf->symbols.width);
}

/*
 * Complain that the kernel has no file; if one that was named is of another class, it is that one.
 * A kernel that was named may lack what tells it from programs.
 */
static int no_kernel(const struct profdata *p, const struct images *images, struct complaint *why)
{
	const char *other = NULL;
	size_t i;

	for (i = 0; i < images->n; i++) {
		if (check_width(p, images->image[i], why) < 0)
			return -1;
		if (!images->image[i]->symbols.has_text)
			other = images->image[i]->path;
	}
	return complain(why, "there is no file of the kernel; give it with --image%s%s%s",
			other ? " (" : "", other ? other : "",
			other ? " has no symbols ktzero and etext, as kernels have)" : "");
}

/* Make an image's relative addresses absolute. */
static void move(struct profdata *p, uint32_t image)
{
	size_t i;

	if (!p->image[image].relative)
		return;
	for (i = 0; i < p->nframe; i++)
		if (p->frame[i].image == image)
			p->frame[i].pc += p->image[image].elf->text;
	p->image[image].relative = false;
}

/* Bind one image of a profile. */
static int bind_one(struct images *images, struct profdata *p, uint32_t i, const char *path,
		    struct complaint *why)
{
	struct profdata_image *image = &p->image[i];

	if (find(images, image, path, why) < 0)
		return -1;
	if (image->elf) {
		if (check_size(image, why) < 0 || check_width(p, image->elf, why) < 0)
			return -1;
		move(p, i);
		return 0;
	}
	if (image->kernel)
		return no_kernel(p, images, why);
	if (image->relative || strcmp(image->name, "program") == 0)
		return complain(why, "there is no file of %s; give it with --image",
				image->relative ? image->name : "the program that was counted");
	return 0;
}

/* Make the ticks in the function where the kernel waits idle time, if their mode is not known. */
static void find_idle(struct profdata *p)
{
	const struct profdata_frame *leaf;
	const struct symbol *symbol;
	struct profdata_sample *s;

	for (s = p->sample; s < p->sample + p->nsample; s++) {
		leaf = profdata_leaf(p, s);
		if (!leaf || s->mode != PROFDATA_KERNEL || !p->image[leaf->image].kernel)
			continue;
		symbol = image_symbol(p->image[leaf->image].elf, leaf->pc);
		if (!symbol || strcmp(symbol->name, SYMBOLS_IDLE) != 0)
			continue;
		p->by_mode[PROFDATA_KERNEL] -= s->count;
		p->by_mode[PROFDATA_IDLE] += s->count;
		s->mode = PROFDATA_IDLE;
	}
}

/* Images without addresses in the profile may be missing. */
int bind_images(struct profdata *p, struct images *images, const char *path,
		struct complaint *why)
{
	bool *used = used_images(p);
	uint32_t i;
	int bad = 0;

	for (i = 0; i < p->nimage && !bad; i++)
		if (used[i])
			bad = bind_one(images, p, i, path, why);
	free(used);
	if (!bad && p->unit == PROFDATA_TICKS && !p->has_modes)
		find_idle(p);
	return bad;
}
