/*
 * From paths to channels, in the namespace of the calling process.
 *
 * A path begins at the root, at a device's root ("#T", "#Tspec"), or in the
 * current directory. ".." goes by the name, not by the tree: it cuts the last
 * element off the path walked so far, and what is left after as many as follow one
 * another is walked anew, so that it leads out of a mounted tree the way one came in.
 *
 * One channel moves along the path. It stops before the last name, for what is
 * done with that differs: to look it up, to make it, to remove it. Where it meets a
 * symbolic link, what that names takes the link's place in the path.
 */
#include "kernel/file/walk.h"
#include "kernel/file/ns.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"
#include "kernel/sched/sched.h"

/* Have w go on from the place of c, whatever the path to that. */
int walk_jump(struct walk *w, const struct chan *c)
{
	struct chan *new = chan_clone(c);

	if (!new)
		return -ENOMEM;
	chan_put(w->c);
	w->c = new;
	return 0;
}

/* Follow what is mounted on w->c, if anything is: then w->c becomes its first member. */
static int walk_enter(struct walk *w)
{
	struct ns *ns = proc_self()->ns;

	if (!ns_near(ns, w->c))
		return 0;
	struct union_mount *u = ns_mounted(ns, w->c);
	if (!u)
		return 0;
	int err = walk_jump(w, u->m[0].c);
	if (err)
		union_put(u);
	else
		w->c->mount = u;
	return err;
}

/* Return how long the name at s is: up to a slash or the end. */
static inline size_t walk_length(const char *s)
{
	size_t n = 0;

	while (s[n] && s[n] != '/')
		n++;
	return n;
}

/* Begin at the device that the path's first element names, and move *path past that. */
static int walk_device(struct walk *w, const char **path)
{
	const char *s = *path;
	size_t n = 1;

	if (s[1])
		n = 2;
	if (s[1] != '/') /* the root device's letter is a slash: its spec is always empty */
		n += walk_length(s + n);
	if (n > NAME_MAX + 2)
		return -ENAMETOOLONG;
	memcpy(w->name, s, n);
	w->name[n] = 0;
	w->len = n;
	*path = s + n;
	if (n < 2)
		return -ENODEV;
	return chan_attach(s[1], w->name + 2, &w->c);
}

/* Begin where the first characters of the path say. */
static int walk_begin(struct walk *w, const char **path)
{
	const struct proc *p = proc_self();
	struct chan *from = p->cwd;
	const char *name = "/";

	w->last = NULL;
	if (**path == '#')
		return walk_device(w, path);
	if (**path == '/' || !from)
		from = p->ns->root;
	else
		name = from->name;
	w->len = strlcpy(w->name, name, sizeof(w->name));
	int err = walk_jump(w, union_place(from));
	return err ? err : walk_enter(w);
}

/* Move *path to its next element. Return the length of that; 0: none is left. */
static size_t walk_next(const char **path)
{
	while (**path == '/')
		++*path;
	return walk_length(*path);
}

/* Have w stand before the name of n characters, in its directory. */
static int walk_before(struct walk *w, const char *name, size_t n)
{
	size_t at = w->len + (w->name[w->len - 1] != '/');

	if (n > NAME_MAX || at + n >= sizeof(w->name))
		return -ENAMETOOLONG;
	w->last = w->name + at;
	w->last[-1] = '/';
	memcpy(w->last, name, n);
	w->last[n] = 0;
	return 0;
}

/* Move w to the name that it stands before, if it does, and into what is mounted there. */
int walk_step(struct walk *w)
{
	if (!w->last)
		return 0;
	int err = union_walk(&w->c, w->last);
	if (err)
		return err;
	w->len = (size_t)(w->last - w->name) + strlen(w->last);
	w->last = NULL;
	err = give_way();
	return err ? err : walk_enter(w);
}

static int walk_path(struct walk *w, const char *path);

/* Cut the last element off w's path. The root of a tree is its own parent. */
static inline void walk_cut(struct walk *w)
{
	size_t n = w->len;

	while (n > 0 && w->name[n - 1] != '/')
		n--;
	if (n == 0) /* "#X" */
		return;
	if (n == 2 && w->name[0] == '#') /* "#/" or "#//name" */
		n = 3;
	if (n == 1) /* the root's slash stays */
		n = 2;
	w->len = n - 1;
	w->name[n - 1] = 0;
	w->cut = true;
}

/* Move w to where its path leads since it was cut. */
static int walk_climb(struct walk *w)
{
	char *up = kstrdup(w->name);
	if (!up)
		return -ENOMEM;
	unsigned links = w->links;
	w->cut = false;
	w->links = SYMLOOP_MAX;
	chan_put(w->c);
	w->c = NULL;
	int err = walk_path(w, up); /* a channel's name has no dots, and no links lead to it */
	if (!err)
		err = walk_step(w);
	w->links = links;
	kfree(up);
	return err;
}

/*
 * Leave the symbolic link that w has walked to. *path becomes what is to be walked then: what the
 * link names, and what *path was. It is there until w follows another link, or ends. -ELOOP for too
 * many, -ENOENT for one that is still being made.
 */
static int walk_follow(struct walk *w, const char **path)
{
	if (w->links++ == SYMLOOP_MAX)
		return -ELOOP;
	char *to = kmalloc(PATH_MAX);
	if (!to)
		return -ENOMEM;
	size_t n = (size_t)w->c->dev->read(w->c, to, PATH_MAX - 1, 0);
	if (n == 0) {
		kfree(to);
		return -ENOENT;
	}
	if (w->slash)
		to[n++] = '/';
	n += strlcpy(to + n, *path, PATH_MAX - n);
	kfree(w->rest);
	*path = w->rest = to;
	if (n >= PATH_MAX)
		return -ENAMETOOLONG;
	if (strchr("/#", *to)) {
		chan_put(w->c);
		w->c = NULL;
		return walk_begin(w, path);
	}
	walk_cut(w);
	return walk_climb(w);
}

/* Walk one more element, of n characters, to where it is the last and not walked itself. */
static inline int walk_element(struct walk *w, const char *name, size_t n)
{
	int err = 0;

	if (w->c->type != S_IFDIR)
		return -ENOTDIR;
	if (name[0] == '.' && n == 1)
		return 0;
	if (name[0] == '.' && name[1] == '.' && n == 2) {
		walk_cut(w);
		return 0;
	}
	if (w->cut)
		err = walk_climb(w);
	return err ? err : walk_before(w, name, n);
}

/*
 * Walk the elements of path, but for the last one if that is a name, from where w is or, if it is
 * nowhere yet, from where the path begins.
 */
static int walk_path(struct walk *w, const char *path)
{
	int err = 0;
	size_t n;

	if (!w->c)
		err = walk_begin(w, &path);
	while (!err && (n = walk_next(&path)) != 0) {
		err = walk_step(w);
		if (err)
			break;
		if (w->c->type == S_IFLNK) {
			err = walk_follow(w, &path);
			continue;
		}
		err = walk_element(w, path, n);
		path += n;
		w->slash = *path == '/';
	}
	if (!err && w->cut)
		err = walk_climb(w);
	return err;
}

/*
 * Move w to the last name and, if a symbolic link is to be followed or has a slash after it, to
 * what that leads to. If only that is not there, w stands before its name then; else nowhere.
 */
int walk_end(struct walk *w, bool follow)
{
	int err = walk_step(w);

	while (!err && w->c->type == S_IFLNK && (follow || w->slash)) {
		const char *path = "";

		err = walk_follow(w, &path);
		if (!err)
			err = walk_path(w, path);
		if (err)
			w->last = NULL;
		else
			err = walk_step(w);
	}
	return err;
}

/*
 * Begin a walk that is to be given back (WALK), and walk to where only the last name of path is
 * left, or to the end if that is no name: "/", ".", "..", "#X". -ENOENT, -ENOTDIR, -EACCES for a
 * directory that may not be searched, -ENAMETOOLONG, -ENODEV for an unknown device, -EINTR,
 * -ENOMEM.
 */
int walk_new(const char *path, struct walk **out)
{
	if (*path == 0)
		return -ENOENT;
	struct walk *w = *out = kmalloc(sizeof(*w));
	if (!w)
		return -ENOMEM;
	w->c = NULL;
	w->rest = NULL;
	w->slash = w->cut = false;
	w->links = 0;
	return walk_path(w, path);
}

/* Give w's channel the path that leads to it, and to the last name if w stands before that. */
int walk_name(struct walk *w)
{
	w->c->name = kstrdup(w->name);
	return w->c->name ? 0 : -ENOMEM;
}

/* End the walk, if there is one; its channel is dropped if it still has that. */
void walk_free(struct walk **w)
{
	if (!*w)
		return;
	chan_put((*w)->c);
	kfree((*w)->rest);
	kfree(*w);
}

/*
 * Make a channel, not open and the caller's own, to what path names. A slash at the end asks for a
 * directory, to which a link may lead. Errors as walk_new()'s.
 */
int ns_find(const char *path, unsigned how, struct chan **out)
{
	WALK struct walk *w = NULL;
	int err = walk_new(path, &w);

	if (!err)
		err = walk_end(w, !(how & FIND_LINK));
	if (!err && w->slash && w->c->type != S_IFDIR)
		err = -ENOTDIR;
	if (!err && how & FIND_NAMED)
		err = walk_name(w);
	if (err)
		return err;
	*out = w->c;
	w->c = NULL;
	return 0;
}
