/* Finding the ELF file of each program that a profile is of: see bind.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/memory.h"
#include "tools/profile/bind.h"
#include "tools/profile/kpdata.h"
#include "tools/slurp.h"

#define SAID 12 /* digits of a build id, as a rule more than tell any two apart */

/* Return the name of the file that gnomon record has counted. */
static const char *recorded_name(const struct profdata_image *image)
{
	const char *slash = strrchr(image->path, '/');

	if (slash)
		return slash + 1;
	return image->path;
}

/* Return whether a file that the user named is called as the one that gnomon record has counted. */
static bool same_file(const struct image *elf, const struct profdata_image *image)
{
	if (!image->recorded)
		return false;
	if (elf->found)
		return false;
	return strcmp(recorded_name(image), elf->name) == 0;
}

/* What the file of an image is looked for with. */
struct search {
	struct images *images;
	struct profdata_image *image;
	const char *profile; /* its path */
	struct image *near;  /* a file of that name, but of another build */
};

/* Return the first file of a program's name. "program" is the name of one that is not known. */
static struct image *program_named(struct images *images, const char *name)
{
	size_t i;

	if (strcmp(name, "program") != 0)
		return imagekeys_find(&images->keys, IMAGEKEYS_NAME, name);
	for (i = 0; i < images->n; i++)
		if (!images->image[i]->kernel)
			return images->image[i];
	return NULL;
}

/* Return the first file that has an image's name, which is a program's, or NULL. */
static struct image *first_named(struct images *images, const struct profdata_image *image)
{
	struct image *named = program_named(images, image->name), *given;

	if (!image->recorded)
		return named;
	given = imagekeys_find(&images->keys, IMAGEKEYS_GIVEN, recorded_name(image));
	if (!given)
		return named;
	if (named && named->number < given->number)
		return named;
	return given;
}

/* Keep a file of another build to be named: of programs the first, which is one of the user's. */
static void bind_near(struct search *s, struct image *elf)
{
	if (s->near && !s->image->kernel)
		return;
	s->near = elf;
}

/* Look through the files that are open, for a kernel: all of its name are kernels then. */
static void look_for_kernel(struct search *s)
{
	struct image *elf;
	size_t i;

	for (i = 0; i < s->images->n; i++) {
		elf = s->images->image[i];
		if (symbols_are(&elf->symbols, s->image->buildid)) {
			s->image->elf = elf;
			return;
		}
		if (!elf->kernel && !same_file(elf, s->image))
			continue;
		if (*s->image->buildid)
			bind_near(s, elf);
		else if (!s->image->elf)
			s->image->elf = elf;
		images_take_kernel(s->images, elf);
	}
}

/* Look for a program's file by what it is called: there may be very many programs. */
static void look_for_program(struct search *s)
{
	struct profdata_image *image = s->image;
	struct image *named;

	if (image->elf)
		return;
	if (*image->buildid)
		image->elf = imagekeys_find(&s->images->keys, IMAGEKEYS_ID, image->buildid);
	if (image->elf)
		return;
	named = first_named(s->images, image);
	if (*image->buildid && named)
		bind_near(s, named);
	else
		image->elf = named;
}

/*
 * Look for one of the files that are open: one of the same build id or, if the profile knows none,
 * the first of the same name.
 */
static void bind_look(struct search *s)
{
	if (s->image->kernel)
		look_for_kernel(s);
	else
		look_for_program(s);
}

/* Open DIR/SUB/NAME if it is there. -1 and why: it is, but cannot be used. */
static int open_default(struct images *images, const char *sub, const char *name,
			struct complaint *why)
{
	char *path;
	int bad = 0;

	if (!images->dir)
		return 0;
	path = memory_format("%s/%s%s", images->dir, sub, name);
	if (access(path, R_OK) == 0)
		bad = images_add(images, path, why);
	free(path);
	return bad;
}

/* Open the gnomon.elf in a folder beside a profile if it is the kernel that the profile is of. */
static int open_in(struct images *images, const char *profile, const char *folder,
		   const char *buildid, struct complaint *why)
{
	const char *slash = strrchr(profile, '/');
	struct complaint none;
	struct symbols s;
	bool same = false;
	int bad = 0, n = 0;
	char *path;

	if (slash)
		n = (int)(slash + 1 - profile);
	path = memory_format("%.*s%sgnomon.elf", n, profile, folder);
	if (symbols_load(&s, path, &none) == 0) {
		same = strcmp(s.buildid, buildid) == 0;
		symbols_free(&s);
	}
	if (same)
		bad = images_add(images, path, why);
	free(path);
	return bad;
}


/* The kernel is known by its build id beside the profile, or beside the folders of several runs. */
static int try_beside(struct search *s, struct complaint *why)
{
	const struct profdata_image *image = s->image;

	if (!image->kernel)
		return 0;
	if (!*image->buildid)
		return 0;
	if (open_in(s->images, s->profile, "", image->buildid, why) < 0)
		return -1;
	return open_in(s->images, s->profile, "../", image->buildid, why);
}

/*
 * The kernel and the programs that gnomon record has counted tell their files, whose names may be
 * others; so may their contents be by now, if no build id tells. A program without symbols has only
 * its name.
 */
static int try_recorded(struct search *s, struct complaint *why)
{
	struct profdata_image *image = s->image;
	struct image *elf;

	if (!image->recorded)
		return 0;
	if (s->near && image->kernel)
		return 0;
	if (!slurp_has(image->path))
		return 0;
	elf = images_open(s->images, image->path, why);
	if (!elf) {
		if (image->kernel)
			return -1;
		return 0;
	}
	if (image->kernel)
		images_take_kernel(s->images, elf);
	if (!*image->buildid)
		image->elf = elf;
	return 0;
}

/* The kernel that was built, unless another was named. */
static int try_built(struct search *s, struct complaint *why)
{
	if (!s->image->kernel)
		return 0;
	if (s->near)
		return 0;
	return open_default(s->images, "", "gnomon.elf", why);
}

/* A program that was built, by its name in a folder. */
static int try_program(struct search *s, const char *folder, struct complaint *why)
{
	if (s->image->kernel)
		return 0;
	if (strchr(s->image->name, '/'))
		return 0;
	return open_default(s->images, folder, s->image->name, why);
}

/* A program that was kept beside the profile, or beside the folders of several runs. */
static int try_kept(struct search *s, struct complaint *why)
{
	static const char *const folder[] = {"bin/", "../bin/"};
	const struct profdata_image *image = s->image;
	const char *slash = strrchr(s->profile, '/');
	int n = 0, bad = 0;
	char *path;
	size_t i;

	if (slash)
		n = (int)(slash + 1 - s->profile);
	if (image->kernel)
		return 0;
	if (strchr(image->name, '/'))
		return 0;
	for (i = 0; i < sizeof(folder) / sizeof(folder[0]); i++) {
		path = memory_format("%.*s%s%s", n, s->profile, folder[i], image->name);
		if (slurp_has(path))
			bad = images_add(s->images, path, why);
		free(path);
		if (bad)
			return bad;
	}
	return 0;
}

/* The file that gnomon run put into the guest by that name: by now it may be another, or none. */
static int try_noted(struct search *s, struct complaint *why)
{
	const struct profdata_image *image = s->image;
	struct complaint none;
	struct image *elf;

	(void)why;
	if (!image->file)
		return 0;
	if (!slurp_has(image->file))
		return 0;
	elf = images_open(s->images, image->file, &none);
	if (elf)
		bind_near(s, elf);
	return 0;
}

static int try_bin(struct search *s, struct complaint *why)
{
	return try_program(s, "bin/", why);
}

static int try_pg(struct search *s, struct complaint *why)
{
	return try_program(s, "pg/", why);
}

/* Complain that the only kernel that was found is of another build. */
static int another_kernel(const struct search *s, struct complaint *why)
{
	return complain(why, "from another kernel: the build id of %s is %s, that of %s is %s; the "
			"right gnomon.elf is found if it is kept beside the profile",
			s->image->name, s->image->buildid, s->near->path,
			symbols_buildid(&s->near->symbols));
}

/* Return how many digits of an id are said: enough of a build id to know it, all of others. */
static int said_digits(const char *id)
{
	int n = (int)strlen(id);

	if (n == BUILDID_SIZE - 1)
		return SAID;
	return n;
}

/* Say that the names of a program's functions are not known, for its file is of another build. */
static void say_another(const struct search *s)
{
	const struct symbols *near = &s->near->symbols;
	const char *id = symbols_buildid(near), *ran = s->image->buildid;
	struct complaint what;

	if (*near->codeid)
		id = near->codeid;
	complain(&what, "from another build of %s: its build id is %.*s, that of %s is %.*s; its "
		 "functions are not named; give the right file with --image, or keep it next "
		 "time by gnomon run --keep", s->image->name, said_digits(ran), ran,
		 s->near->path, said_digits(id), id);
	images_say(s->images, s->profile, &what);
}

/* Find an image's file: one that the user has named is open, and comes before all other places. */
static int bind_find(struct images *images, struct profdata_image *image, const char *profile,
		     struct complaint *why)
{
	static int (*const places[])(struct search *s, struct complaint *why) = {
		try_beside, try_recorded, try_built, try_kept, try_noted, try_bin, try_pg,
	};
	struct search s = {.images = images, .image = image, .profile = profile};
	size_t i;

	image->elf = NULL;
	bind_look(&s);
	for (i = 0; !image->elf && i < sizeof(places) / sizeof(places[0]); i++) {
		if (places[i](&s, why) < 0)
			return -1;
		bind_look(&s);
	}
	if (image->elf)
		return 0;
	if (!s.near)
		return 0;
	if (image->kernel)
		return another_kernel(&s, why);
	image->told = true;
	say_another(&s);
	return 0;
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
	if (!other)
		return complain(why, "there is no file of the kernel; give it with --image");
	return complain(why, "there is no file of the kernel; give it with --image (%s has no "
			"symbols ktzero and etext, as kernels have)", other);
}

/* Make relative addresses absolute, of the images that have files. */
static void bind_move(struct profdata *p)
{
	const struct profdata_image *image;
	struct profdata_frame *f;
	size_t i;

	for (f = p->frame; f < p->frame + p->nframe; f++) {
		if (f->image == PROFDATA_NONE)
			continue;
		image = &p->image[f->image];
		if (image->relative && image->elf)
			f->pc += image->elf->text;
	}
	for (i = 0; i < p->nimage; i++)
		if (p->image[i].elf)
			p->image[i].relative = false;
}

/* Complain that an image has no file, if it cannot do without. */
static int no_file(const struct profdata *p, const struct images *images,
		   const struct profdata_image *image, struct complaint *why)
{
	const char *what = "the program that was counted";

	if (image->kernel)
		return no_kernel(p, images, why);
	if (image->relative)
		what = image->name;
	else if (strcmp(image->name, "program") != 0)
		return 0;
	return complain(why, "there is no file of %s; give it with --image", what);
}

/* Bind one image of a profile. */
static int bind_one(struct images *images, struct profdata *p, uint32_t i, const char *path,
		    struct complaint *why)
{
	struct profdata_image *image = &p->image[i];

	if (bind_find(images, image, path, why) < 0)
		return -1;
	if (!image->kernel && image->elf && check_width(p, image->elf, why) < 0)
		image->elf = NULL; /* of that name, but built for another machine */
	if (!image->elf)
		return no_file(p, images, image, why);
	if (check_size(image, why) < 0)
		return -1;
	return check_width(p, image->elf, why);
}

/* Return whether a sample is of the function where the kernel waits; last is symbols_near()'s. */
static bool is_idle(const struct profdata *p, const struct profdata_sample *s, size_t *last)
{
	const struct profdata_frame *leaf = profdata_leaf(p, s);
	const struct profdata_image *image;
	const struct symbol *symbol;

	if (!leaf)
		return false;
	image = &p->image[leaf->image];
	if (!image->kernel || !image->elf)
		return false;
	symbol = symbols_near(&image->elf->symbols, last, leaf->pc);
	return symbol && strcmp(symbol->name, SYMBOLS_IDLE) == 0;
}

/* Make the ticks in the function where the kernel waits idle time, if their mode is not known. */
static void find_idle(struct profdata *p)
{
	struct profdata_sample *s;
	size_t last = 0;

	for (s = p->sample; s < p->sample + p->nsample; s++) {
		if (s->mode != PROFDATA_KERNEL)
			continue;
		if (!is_idle(p, s, &last))
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
	bool *used = profdata_used_images(p);
	uint32_t i;
	int bad = 0;

	for (i = 0; i < p->nimage && !bad; i++)
		if (used[i])
			bad = bind_one(images, p, i, path, why);
	free(used);
	if (bad)
		return -1;
	bind_move(p);
	if (p->unit == PROFDATA_TICKS && !p->has_modes)
		find_idle(p);
	return 0;
}
