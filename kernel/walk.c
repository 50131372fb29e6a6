/*
 * From paths to channels, in the namespace of the calling process; and what
 * changes directories by path.
 *
 * A path begins at the root, at a device's root ("#T", "#Tspec"), or in the
 * current directory. ".." goes by the name, not by the tree: it cuts the last
 * element off the path walked so far and walks what is left anew, so that it
 * leads out of a mounted tree by the way one came.
 */
#include "kernel/dev.h"
#include "kernel/memory.h"
#include "kernel/ns.h"
#include "kernel/proc.h"

struct walk {
	struct chan *c;		 /* how far we are */
	size_t len;		 /* of name */
	char name[PATH_MAX];	 /* the path to c, clean and absolute */
	char elem[NAME_MAX + 1]; /* the element being walked */
};

/* Follows what is mounted on w->c, if anything is: from then on w->c is its first member. */
static int walk_enter(struct walk *w)
{
	struct union_mount *u = ns_mounted(proc_self()->ns, w->c);
	struct chan *c;

	if (!u)
		return 0;
	c = chan_clone(u->m[0].c);
	if (!c) {
		union_put(u);
		return -ENOMEM;
	}
	c->mount = u;
	chan_put(w->c);
	w->c = c;
	return 0;
}

/* Begins at the place of channel c, whose name is given. */
static int begin_at(struct walk *w, const struct chan *c, const char *name)
{
	w->len = strlcpy(w->name, name, sizeof(w->name));
	w->c = chan_clone(ns_place(c));
	return w->c ? walk_enter(w) : -ENOMEM;
}

/* Begins at the device that the path's first element names; moves *path past that. */
static int begin_device(struct walk *w, const char **path)
{
	const char *s = *path + 1;
	char letter = *s ? *s++ : 0;
	size_t n = 0;
	int err;

	if (letter == 0)
		return -ENODEV;
	/* The root device's letter is a slash: its spec is always empty. */
	while (letter != '/' && s[n] && s[n] != '/')
		n++;
	if (n >= sizeof(w->elem))
		return -ENAMETOOLONG;
	memcpy(w->elem, s, n);
	w->elem[n] = 0;
	err = chan_attach(letter, w->elem, &w->c);
	if (err)
		return err;
	w->len = strlcpy(w->name, w->c->name, sizeof(w->name));
	*path = s + n;
	return 0;
}

/* Takes the starting place from the beginning of the path. */
static int walk_begin(struct walk *w, const char **path)
{
	struct proc *p = proc_self();

	if (**path == '#')
		return begin_device(w, path);
	if (**path == '/' || !p->cwd)
		return begin_at(w, ns_root(p->ns), "/");
	return begin_at(w, p->cwd, p->cwd->name);
}

/* A channel to the entry elem of the one directory d, which is not a union here. */
static int find_in(struct chan *d, const char *elem, struct chan **out)
{
	int err = chan_permit(d, MAY_EXEC);
	struct chan *c;

	if (err)
		return err;
	c = chan_clone(d);
	if (!c)
		return -ENOMEM;
	err = chan_walk(c, elem);
	if (err)
		chan_put(c);
	else
		*out = c;
	return err;
}

/*
 * The entry elem of directory dir, in the first member that has it when dir is a
 * union; *holder, if asked for, is that member (borrowed from dir). The error is
 * the first one that is not -ENOENT.
 */
static int find_entry(struct chan *dir, const char *elem, struct chan **holder, struct chan **out)
{
	struct union_mount *u = dir->mount;
	unsigned n = u ? u->n : 1;
	int result = -ENOENT;

	if (dir->type != S_IFDIR)
		return -ENOTDIR;
	for (unsigned i = 0; i < n; i++) {
		struct chan *d = u ? u->m[i].c : dir;
		int err = find_in(d, elem, out);

		if (!err && holder)
			*holder = d;
		if (!err)
			return 0;
		if (result == -ENOENT)
			result = err;
	}
	return result;
}

/* Moves w to the entry w->elem, n characters, of its directory, and into what is mounted there. */
static int walk_step(struct walk *w, size_t n)
{
	bool slash = w->name[w->len - 1] != '/';
	struct chan *c;
	int err;

	if (w->len + slash + n >= sizeof(w->name))
		return -ENAMETOOLONG;
	err = find_entry(w->c, w->elem, NULL, &c);
	if (err)
		return err;
	if (slash)
		w->name[w->len++] = '/';
	memcpy(w->name + w->len, w->elem, n + 1);
	w->len += n;
	chan_put(w->c);
	w->c = c;
	return walk_enter(w);
}

static int walk_follow(struct walk *w, const char *path);

/* Moves w to the directory above, by name. The root of a tree is its own parent. */
static int walk_climb(struct walk *w)
{
	size_t n = w->len;
	const char *path;
	char *up;
	int err;

	if (w->c->type != S_IFDIR)
		return -ENOTDIR;
	while (n > 0 && w->name[n - 1] != '/')
		n--;
	if (n == 0) /* "#X" */
		return 0;
	if (n == 2 && w->name[0] == '#') /* "#/" or "#//name" */
		n = 3;
	w->name[n > 1 ? n - 1 : 1] = 0;
	up = kstrdup(w->name);
	if (!up)
		return -ENOMEM;
	chan_put(w->c);
	w->c = NULL;
	path = up;
	err = walk_begin(w, &path);
	if (!err)
		err = walk_follow(w, path);
	kfree(up);
	return err;
}

/* Copies the path's next element to w->elem and moves *path past it; its length; 0: none. */
static int next_element(struct walk *w, const char **path)
{
	const char *s = *path;
	size_t n = 0;

	while (*s == '/')
		s++;
	while (s[n] && s[n] != '/') {
		if (n == NAME_MAX)
			return -ENAMETOOLONG;
		w->elem[n] = s[n];
		n++;
	}
	w->elem[n] = 0;
	*path = s + n;
	return (int)n;
}

/* 1 for ".", 2 for "..", 0 for any other name. */
static unsigned dots(const char *elem)
{
	if (elem[0] != '.')
		return 0;
	return !elem[1] ? 1 : elem[1] == '.' && !elem[2] ? 2 : 0;
}

/* Walks the elements of path from where w is. A slash at the end asks for a directory. */
static int walk_follow(struct walk *w, const char *path)
{
	int n, r;

	while ((n = next_element(w, &path)) > 0) {
		unsigned special = dots(w->elem);

		if (special == 1)
			r = w->c->type == S_IFDIR ? 0 : -ENOTDIR;
		else if (special == 2)
			r = walk_climb(w);
		else
			r = walk_step(w, (size_t)n);
		if (r < 0)
			return r;
		if (*path == '/' && w->c->type != S_IFDIR)
			return -ENOTDIR;
	}
	return n;
}

/*
 * A channel, not open and the caller's own, to what path names. -ENOENT, -ENOTDIR,
 * -EACCES for a directory that may not be searched, -ENAMETOOLONG, -ENODEV for
 * an unknown device, -ENOMEM.
 */
int ns_walk(const char *path, struct chan **out)
{
	struct walk *w;
	int err;

	if (*path == 0)
		return -ENOENT;
	w = kmalloc(sizeof(*w));
	if (!w)
		return -ENOMEM;
	w->c = NULL;
	err = walk_begin(w, &path);
	if (!err)
		err = walk_follow(w, path);
	if (!err) {
		kfree(w->c->name);
		w->c->name = kstrdup(w->name);
		if (!w->c->name)
			err = -ENOMEM;
	}
	if (err)
		chan_put(w->c);
	else
		*out = w->c;
	kfree(w);
	return err;
}

/*
 * Walks to the directory that path's last element is in, and copies that element
 * to last (NAME_MAX + 1 bytes). -EINVAL when the last element is no name: "/",
 * ".", "..", "#X". A slash at the end is ignored: *slash.
 */
static int walk_parent(const char *path, struct chan **dir, char *last, bool *slash)
{
	size_t end = strlen(path);
	char *up = kstrdup(path), *base;
	int err = -EINVAL;

	if (!up)
		return -ENOMEM;
	*slash = end > 0 && up[end - 1] == '/';
	while (end > 0 && up[end - 1] == '/')
		up[--end] = 0;
	base = strrchr(up, '/');
	base = base ? base + 1 : up;
	if (!*path) {
		err = -ENOENT;
	} else if (strlcpy(last, base, NAME_MAX + 1) > NAME_MAX) {
		err = -ENAMETOOLONG;
	} else if (*base && strcmp(base, ".") != 0 && strcmp(base, "..") != 0 &&
		   (base > up || *up != '#')) {
		*base = 0;
		err = ns_walk(*up ? up : ".", dir);
	}
	kfree(up);
	return err;
}

/* The path of the entry last in dir, to be freed; NULL when it is too long or memory is short. */
static char *path_join(const struct chan *dir, const char *last, int *err)
{
	size_t n = strlen(dir->name), size = n + strlen(last) + 2;
	char *s;

	*err = -ENAMETOOLONG;
	if (size > PATH_MAX)
		return NULL;
	*err = -ENOMEM;
	s = kmalloc(size);
	if (s)
		snprintf(s, size, "%s%s%s", dir->name, dir->name[n - 1] == '/' ? "" : "/", last);
	return s;
}

/*
 * Where in dir new files go: itself; in a union the first member mounted with
 * MCREATE, or the only member there is. NULL: nowhere.
 */
static struct chan *creator(struct chan *dir)
{
	struct union_mount *u = dir->mount;

	if (!u)
		return dir;
	if (u->n == 1)
		return u->m[0].c;
	for (unsigned i = 0; i < u->n; i++) {
		if (u->m[i].create)
			return u->m[i].c;
	}
	return NULL;
}

/*
 * Makes the entry last in dir, which is known to have none of that name, and opens it. Where
 * nothing can be made, who would take an old file as well is told that it is not there.
 */
static int create_in(struct chan *dir, const char *last, uint32_t mode, int flags,
		     struct chan **out)
{
	struct chan *d, *c;
	char *name;
	int err;

	if (dir->type != S_IFDIR)
		return -ENOTDIR;
	d = creator(dir);
	if (!d || !d->dev->create)
		return (mode & S_IFDIR) || (flags & O_EXCL) ? -EPERM : -ENOENT;
	err = chan_permit(d, MAY_WRITE | MAY_EXEC);
	if (err)
		return err;
	name = path_join(dir, last, &err);
	if (!name)
		return err;
	c = chan_clone(d);
	err = c ? d->dev->create(c, last, mode, flags) : -ENOMEM;
	if (err) {
		kfree(name);
		chan_put(c);
		return err;
	}
	c->opened = true;
	c->flags = flags;
	c->name = name;
	*out = c;
	return 0;
}

/* Makes a file, or a directory if mode says S_IFDIR. -EEXIST when any member has the name. */
static int create_path(const char *path, uint32_t mode, int flags, struct chan **out)
{
	struct chan *dir, *there;
	char last[NAME_MAX + 1];
	bool slash;
	int err = walk_parent(path, &dir, last, &slash);

	if (err)
		return err == -EINVAL ? -EEXIST : err;
	err = find_entry(dir, last, NULL, &there);
	if (!err) {
		chan_put(there);
		err = -EEXIST;
	} else if (err == -ENOENT) {
		err = slash && !(mode & S_IFDIR) ? -EISDIR
						 : create_in(dir, last, mode, flags, out);
	}
	chan_put(dir);
	return err;
}

/* Whether c, which exists, may be opened so. */
static int check_open(struct chan *c, int flags)
{
	static const uint8_t wants[4] = {
		[O_RDONLY] = MAY_READ,
		[O_WRONLY] = MAY_WRITE,
		[O_RDWR] = MAY_READ | MAY_WRITE,
	};
	int may = wants[flags & O_ACCMODE];

	if (flags & O_TRUNC)
		may |= MAY_WRITE;
	if ((flags & O_CREAT) && (flags & O_EXCL))
		return -EEXIST;
	if (c->type == S_IFDIR && ((may & MAY_WRITE) || (flags & O_CREAT)))
		return -EISDIR;
	if (c->type != S_IFDIR && (flags & O_DIRECTORY))
		return -ENOTDIR;
	return chan_permit(c, may);
}

/* Opens what path names, which exists or -ENOENT. */
static int open_existing(const char *path, int flags, struct chan **out)
{
	struct chan *c;
	int err = ns_walk(path, &c);

	if (err)
		return err;
	err = check_open(c, flags);
	if (!err && c->dev->open)
		err = c->dev->open(c, flags);
	if (err) {
		chan_put(c);
		return err;
	}
	c->opened = true;
	c->flags = flags;
	*out = c;
	return 0;
}

/*
 * open(2): an open channel with one reference. mode is for a file that O_CREAT
 * makes. Errors as ns_walk's, and -EEXIST, -EISDIR, -EINVAL for flags that make
 * no sense, -EPERM for O_EXCL where nothing can be created.
 */
int ns_open(const char *path, int flags, uint32_t mode, struct chan **out)
{
	const int known = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DIRECTORY |
			  O_CLOEXEC;
	int err;

	if ((flags & ~known) || (flags & O_ACCMODE) == O_ACCMODE ||
	    ((flags & O_CREAT) && (flags & O_DIRECTORY)))
		return -EINVAL;
	err = open_existing(path, flags, out);
	if (err != -ENOENT || !(flags & O_CREAT))
		return err;
	err = create_path(path, S_IFREG | (mode & 0777), flags, out);
	/* Somebody else was faster: then it exists. */
	if (err == -EEXIST && !(flags & O_EXCL))
		err = open_existing(path, flags, out);
	return err;
}

/* mkdir(2). */
int ns_mkdir(const char *path, uint32_t mode)
{
	struct chan *c;
	int err = create_path(path, S_IFDIR | (mode & 0777), O_RDONLY, &c);

	if (!err)
		chan_put(c);
	return err;
}

/*
 * The entry last of dir, for removing or renaming it: *holder is the directory
 * proper that has it. -EBUSY when something is mounted on it, -EACCES when the
 * directory may not be written.
 */
static int find_to_change(struct chan *dir, const char *last, struct chan **holder,
			  struct chan **out)
{
	struct union_mount *u;
	int err = find_entry(dir, last, holder, out);

	if (err)
		return err;
	u = ns_mounted(proc_self()->ns, *out);
	err = u ? -EBUSY : chan_permit(*holder, MAY_WRITE | MAY_EXEC);
	union_put(u);
	if (err)
		chan_put(*out);
	return err;
}

/* Removes a file or an empty directory. */
int ns_remove(const char *path)
{
	struct chan *dir, *holder, *c;
	char last[NAME_MAX + 1];
	bool slash;
	int err = walk_parent(path, &dir, last, &slash);

	if (err)
		return err;
	err = find_to_change(dir, last, &holder, &c);
	if (!err) {
		if (slash && c->type != S_IFDIR)
			err = -ENOTDIR;
		else
			err = c->dev->remove ? c->dev->remove(c) : -EPERM;
		chan_put(c);
	}
	chan_put(dir);
	return err;
}

/* The directory proper in which a rename puts the name: where it is, or where new files go. */
static int rename_target(struct chan *dir, const char *last, struct chan **holder)
{
	struct chan *there;
	int err = find_to_change(dir, last, holder, &there);

	if (!err)
		chan_put(there);
	if (err != -ENOENT)
		return err;
	*holder = creator(dir);
	return *holder ? chan_permit(*holder, MAY_WRITE | MAY_EXEC) : -EPERM;
}

/* rename(2), once the directories are known. */
static int rename_between(struct chan *fromdir, const char *fromlast, struct chan *todir,
			  const char *tolast)
{
	struct chan *holder, *newdir, *c;
	int err = find_to_change(fromdir, fromlast, &holder, &c);

	if (err)
		return err;
	err = rename_target(todir, tolast, &newdir);
	if (!err && newdir->dev != c->dev)
		err = -EXDEV;
	if (!err)
		err = c->dev->rename ? c->dev->rename(c, newdir, tolast) : -EPERM;
	chan_put(c);
	return err;
}

/* rename(2): -EXDEV between devices; what had the new name is gone. */
int ns_rename(const char *from, const char *to)
{
	struct chan *fromdir, *todir;
	char *last = kmalloc(2 * (NAME_MAX + 1)), *tolast;
	bool slash;
	int err;

	if (!last)
		return -ENOMEM;
	tolast = last + NAME_MAX + 1;
	err = walk_parent(from, &fromdir, last, &slash);
	if (!err) {
		err = walk_parent(to, &todir, tolast, &slash);
		if (!err) {
			err = rename_between(fromdir, last, todir, tolast);
			chan_put(todir);
		}
		chan_put(fromdir);
	}
	kfree(last);
	return err;
}
