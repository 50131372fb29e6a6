/* Pictures of data files: see picture.h. The memory lives as long as the channel is open. */
#include "kernel/picture.h"
#include "kernel/lib.h"
#include "kernel/memory.h"

#define FIRST (512 - sizeof(struct picture) - 1) /* bytes to try where the length is not known */

static const struct dirtab *row_of(const struct chan *c)
{
	return &c->dev->dir->row[dirtab_row(c)];
}

/*
 * Show c's file in a picture. How long that is shows when it has been written, and it may be longer
 * the next time: so it is tried until it fits. -ENOMEM, or the error of show.
 */
static int take(struct chan *c, struct picture **out)
{
	struct mutex *lock = c->dev->dir->lock;
	const struct dirtab *row = row_of(c);
	size_t room = row->length ? row->length(c) : FIRST;
	struct picture *pic;

	while ((pic = kmalloc(sizeof(*pic) + room + 1)) != NULL) {
		*pic = (struct picture){.room = room};
		if (lock)
			mutex_lock(lock);
		int err = row->show(c, pic);
		if (lock)
			mutex_unlock(lock);
		if (!err && pic->len <= room) {
			*out = pic;
			return 0;
		}
		room = pic->len + pic->len / 8;
		kfree(pic);
		if (err)
			return err;
	}
	return -ENOMEM;
}

int picture_print(struct picture *pic, const char *fmt, ...)
{
	size_t left = pic->len <= pic->room ? pic->room - pic->len + 1 : 0;
	va_list ap;

	va_start(ap, fmt);
	pic->len += (size_t)vsnprintf((char *)pic->data + pic->len, left, fmt, ap);
	va_end(ap);
	return 0;
}

int picture_write(void *arg, const void *data, size_t n)
{
	struct picture *pic = arg;

	if (pic->len + n <= pic->room)
		memcpy(pic->data + pic->len, data, n);
	pic->len += n;
	return 0;
}

/* Nothing is pictured for a channel that can only be written. */
int picture_open(struct chan *c, int flags)
{
	const struct dirtab *row = row_of(c);
	struct picture *pic = NULL;
	bool wanted = row->show && !row->live && (flags & O_ACCMODE) != O_WRONLY;
	int err = wanted ? take(c, &pic) : 0;

	c->aux = pic;
	return err;
}

void picture_close(struct chan *c)
{
	kfree(c->aux);
}

ssize_t picture_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	bool live = row_of(c)->live;
	struct picture *pic = c->aux;
	ssize_t r = live ? take(c, &pic) : 0;

	if (r)
		return r;
	r = read_mem(buf, n, off, pic->data, pic->len);
	if (live)
		kfree(pic);
	return r;
}
