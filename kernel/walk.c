/*
 * From paths to channels, in the namespace of the calling process.
 *
 * A path begins at the root, at a device's root ("#T", "#Tspec"), or in the
 * current directory. ".." goes by the name, not by the tree: it cuts the last
 * element off the path walked so far and walks what is left anew, so that it
 * leads out of a mounted tree by the way one came.
 */
#include "kernel/ns.h"

struct walk {
	struct chan *c;		 /* how far we are */
	size_t len;		 /* of name */
	char name[PATH_MAX];	 /* the path to c, clean and absolute */
	char elem[NAME_MAX + 1]; /* the element being walked */
};

/* Follow what is mounted on w->c, if anything is: then w->c becomes its first member. */
static int walk_enter(struct walk *w)
{
	struct union_mount *u = ns_mounted(proc_self()->ns, w->c);

	if (!u)
		return 0;
	struct chan *c = chan_clone(u->m[0].c);
	if (!c) {
		union_put(u);
		return -ENOMEM;
	}
	c->mount = u;
	chan_put(w->c);
	w->c = c;
	return 0;
}

/* Begin at the place of channel c, whose name is given. */
static int begin_at(struct walk *w, const struct chan *c, const char *name)
{
	w->len = strlcpy(w->name, name, sizeof(w->name));
	w->c = chan_clone(ns_place(c));
	return w->c ? walk_enter(w) : -ENOMEM;
}

/* Begin at the device that the path's first element names, and move *path past that. */
static int begin_device(struct walk *w, const char **path)
{
	const char *s = *path + 1;
	char letter = *s ? *s++ : 0;
	size_t n = 0;

	if (letter == 0)
		return -ENODEV;
	/* The root device's letter is a slash: its spec is always empty. */
	while (letter != '/' && s[n] && s[n] != '/')
		n++;
	if (n >= sizeof(w->elem))
		return -ENAMETOOLONG;
	memcpy(w->elem, s, n);
	w->elem[n] = 0;
	int err = chan_attach(letter, w->elem, &w->c);
	if (err)
		return err;
	w->len = strlcpy(w->name, w->c->name, sizeof(w->name));
	*path = s + n;
	return 0;
}

/* Begin where the first characters of the path say. */
static int walk_begin(struct walk *w, const char **path)
{
	struct proc *p = proc_self();

	if (**path == '#')
		return begin_device(w, path);
	if (**path == '/' || !p->cwd)
		return begin_at(w, ns_root(p->ns), "/");
	return begin_at(w, p->cwd, p->cwd->name);
}

/* Move w to the entry w->elem, n characters, of its directory, and into what is mounted there. */
static int walk_step(struct walk *w, size_t n)
{
	bool slash = w->name[w->len - 1] != '/';
	struct chan *c;

	if (w->len + slash + n >= sizeof(w->name))
		return -ENAMETOOLONG;
	int err = union_find(w->c, w->elem, NULL, &c);
	if (err)
		return err;
	if (slash)
		w->name[w->len++] = '/';
	memcpy(w->name + w->len, w->elem, n + 1);
	w->len += n;
	chan_put(w->c);
	w->c = c;
	err = give_way();
	return err ? err : walk_enter(w);
}

/* Copy the path's next element to w->elem and move *path past it. Its length; 0: none is left. */
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

/* Walk a path without dots from where it begins. */
static int walk_clean(struct walk *w, const char *path)
{
	int n, err = walk_begin(w, &path);

	while (!err && (n = next_element(w, &path)) != 0)
		err = n < 0 ? n : walk_step(w, (size_t)n);
	return err;
}

/* Move w to the directory above, by name. The root of a tree is its own parent. */
static int walk_climb(struct walk *w)
{
	size_t n = w->len;

	if (w->c->type != S_IFDIR)
		return -ENOTDIR;
	while (n > 0 && w->name[n - 1] != '/')
		n--;
	if (n == 0) /* "#X" */
		return 0;
	if (n == 2 && w->name[0] == '#') /* "#/" or "#//name" */
		n = 3;
	w->name[n > 1 ? n - 1 : 1] = 0;
	char *up = kstrdup(w->name);
	if (!up)
		return -ENOMEM;
	chan_put(w->c);
	w->c = NULL;
	int err = walk_clean(w, up); /* a channel's name has no dots */
	kfree(up);
	return err;
}

/* Walk the elements of path from where it begins. A slash at the end asks for a directory. */
static int walk_path(struct walk *w, const char *path)
{
	int n, err = walk_begin(w, &path);

	while (!err && (n = next_element(w, &path)) != 0) {
		bool dot = w->elem[0] == '.';

		if (n < 0)
			return n;
		if (dot && n == 1)
			err = w->c->type == S_IFDIR ? 0 : -ENOTDIR;
		else if (dot && n == 2 && w->elem[1] == '.')
			err = walk_climb(w);
		else
			err = walk_step(w, (size_t)n);
		if (!err && *path == '/' && w->c->type != S_IFDIR)
			err = -ENOTDIR;
	}
	return err;
}

/*
 * Make a channel, not open and the caller's own, to what path names. -ENOENT, -ENOTDIR,
 * -EACCES for a directory that may not be searched, -ENAMETOOLONG, -ENODEV for an unknown
 * device, -EINTR, -ENOMEM.
 */
int ns_walk(const char *path, struct chan **out)
{
	if (*path == 0)
		return -ENOENT;
	struct walk *w = kmalloc(sizeof(*w));
	if (!w)
		return -ENOMEM;
	w->c = NULL;
	int err = walk_path(w, path);
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
 * Walk to the directory that path's last element is in, and fill in *t, a TARGET.
 * -EINVAL if the last element is no name: "/", ".", "..", "#X".
 */
int walk_parent(const char *path, struct target *t)
{
	size_t end = strlen(path);
	char *up = kmalloc(end + 2), *base;
	int err = -EINVAL;

	if (!up)
		return -ENOMEM;
	t->slash = end > 0 && path[end - 1] == '/';
	while (end > 0 && path[end - 1] == '/')
		end--;
	memcpy(up, path, end);
	up[end] = 0;
	base = strrchr(up, '/');
	base = base ? base + 1 : up;
	if (!*path) {
		err = -ENOENT;
	} else if (strlen(base) > NAME_MAX) {
		err = -ENAMETOOLONG;
	} else if (*base && strcmp(base, ".") != 0 && strcmp(base, "..") != 0 &&
		   (base > up || *up != '#')) {
		memmove(base + 1, base, strlen(base) + 1);
		*base = 0;
		err = ns_walk(*up ? up : ".", &t->dir);
	}
	t->path = up;
	t->name = base + 1;
	return err;
}

/* Give back what walk_parent() filled in. */
void target_put(struct target *t)
{
	chan_put(t->dir);
	kfree(t->path);
}
