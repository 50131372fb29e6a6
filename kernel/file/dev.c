/*
 * The device table, and channels: counted references to places in the devices'
 * trees. ns.c joins the trees to one namespace.
 */
#include "kernel/file/dev.h"
#include "kernel/file/dirtab.h"
#include "kernel/file/file.h"
#include "kernel/file/union.h"
#include "kernel/memory/heap.h"
#include "kernel/process/proc.h"

static const struct dev *const *table; /* constant after boot */
static unsigned ntable;		       /* constant after boot */

/* Return the device of that letter, or NULL. */
static const struct dev *dev_find(char letter)
{
	for (unsigned i = 0; i < ntable; i++)
		if (table[i] && table[i]->letter == letter)
			return table[i];
	return NULL;
}

/*
 * Use this table of devices, where a row may be NULL, and have each initialise itself. Two of one
 * letter stop the machine, for only one of them could ever be reached.
 */
void dev_table(const struct dev *const *t, unsigned n)
{
	table = t;
	ntable = n;
	for (unsigned i = 0; i < n; i++) {
		const struct dev *dev = t[i];

		if (!dev)
			continue;
		const struct dev *first = dev_find(dev->letter);
		if (first != dev)
			lacking("the devices %s and %s have the same letter, '%c'", first->name,
				dev->name, dev->letter);
		if (dev->init)
			dev->init();
	}
}

/* Make a channel of the device with one reference, at no place yet; NULL: no memory. */
struct chan *chan_new(const struct dev *dev)
{
	struct chan *c = kmalloc(sizeof(*c));

	if (c)
		*c = (struct chan){.ref = 1, .dev = dev, .lock.l.name = "chan"};
	return c;
}

/*
 * Make a channel at the root of the device's tree that spec names. -ENODEV if there is no
 * such device, or the device's own error.
 */
int chan_attach(char letter, const char *spec, struct chan **out)
{
	const struct dev *dev = dev_find(letter);

	if (!dev)
		return -ENODEV;
	struct chan *c = chan_new(dev);
	if (!c)
		return -ENOMEM;
	c->type = S_IFDIR;
	int err = 0;
	if (dev->attach)
		err = dev->attach(c, spec);
	else if (*spec)
		err = -ENOENT;
	if (err)
		chan_put(c);
	else
		*out = c;
	return err;
}

/*
 * Close the file of c, which has no references any more, and free c. This calls itself, but at most
 * twice: for the file that a process's text leads to, which is no text, and for what a union is
 * made of, which has no union of its own.
 */
void chan_free(struct chan *c)
{
	if (c->opened && c->dev->close)
		c->dev->close(c);
	if (c->dev->drop)
		c->dev->drop(c);
	if (c->payer)
		account_uncharge(c->payer, ACCOUNT_FILES, 1);
	if (c->mount) /* most channels have neither, and a call costs more than the test */
		union_put(c->mount);
	if (c->name)
		kfree(c->name);
	kfree(c);
}

/* Count c among the open files of the calling process's user, until it is gone. */
int chan_count(struct chan *c)
{
	enum payer payer = proc_self()->payer;

	if (!account_charge(payer, ACCOUNT_FILES, 1))
		return -EMFILE;
	c->payer = payer;
	return 0;
}

/* Make a channel at the same place, not open, without name or union; NULL: no memory. */
struct chan *chan_clone(const struct chan *c)
{
	struct chan *new = chan_new(c->dev);

	if (!new)
		return NULL;
	new->qid = c->qid;
	new->type = c->type;
	new->aux = c->aux;
	if (c->dev->dup)
		c->dev->dup(new);
	return new;
}

/* Move c, which is not open, to the entry of that name: -ENOENT, or the device's error. */
int chan_walk(struct chan *c, const char *name)
{
	if (c->dev->walk)
		return c->dev->walk(c, name);
	return dirtab_walk(c, name);
}

/*
 * Check that the calling process has all the MAY_ bits on c: 0, -EACCES, or stat's error. The
 * file's owner has the owner's bits and everybody else the last three. With what is another's eve
 * may do everything but run a file that nobody may run; the kernel's own threads, everything.
 */
int chan_permit(struct chan *c, int may)
{
	struct proc *p = proc_self();
	struct stat st;

	if (!p->vm)
		return 0;
	int err = chan_stat(c, &st);
	if (err)
		return err;
	if ((uint32_t)p->uid == st.st_uid)
		st.st_mode >>= 6;
	else if (p->uid == UID_EVE)
		may &= c->type == S_IFREG && !(st.st_mode & 0111) ? MAY_EXEC : 0;
	if (may & ~st.st_mode)
		return -EACCES;
	return 0;
}
