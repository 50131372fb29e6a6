/* Pictures of data files: see picture.h. The memory lives as long as the channel is open. */
#include "kernel/file/picture.h"
#include "kernel/file/dirtab.h"
#include "kernel/memory/heap.h"

#define FIRST (512 - sizeof(struct picture) - 1) /* bytes to try where the length is not known */

static const struct dirtab *picture_row(const struct chan *c)
{
	return &c->dev->dir.row[dirtab_row(c)];
}

/* Write what the row's file holds to pic, with the device's lock held. */
static int picture_show(const struct dirtab *row, struct chan *c, struct picture *pic)
{
	struct mutex *lock = c->dev->dir.lock;

	if (!lock)
		return row->show(c, pic);
	HOLD_MUTEX(lock);
	return row->show(c, pic);
}

static void picture_free(struct picture *pic)
{
	if (pic && pic->data != pic->first)
		kfree(pic->data);
	kfree(pic);
}

/* Make a picture of c's file. -ENOMEM, or the error of show. */
static int picture_take(struct chan *c, struct picture **out)
{
	const struct dirtab *row = picture_row(c);
	size_t room = FIRST + row->room;
	struct picture *pic;

	if (row->length)
		room = row->length(c);
	pic = kmalloc(sizeof(*pic) + room + 1);
	if (!pic)
		return -ENOMEM;
	*pic = (struct picture){.data = pic->first, .room = room};
	int err = picture_show(row, c, pic);
	if (!err && pic->lacking)
		err = -ENOMEM;
	if (err)
		picture_free(pic);
	else
		*out = pic;
	return err;
}

/* Have room for n bytes more, and a NUL: -ENOMEM if there is none. */
static int picture_room(struct picture *pic, size_t n)
{
	if (pic->len + n <= pic->room)
		return 0;
	size_t room = pic->len + n + pic->len / 2;
	uint8_t *data = kmalloc(room + 1);
	if (!data) {
		pic->lacking = true;
		return -ENOMEM;
	}
	memcpy(data, pic->data, pic->len);
	if (pic->data != pic->first)
		kfree(pic->data);
	pic->data = data;
	pic->room = room;
	return 0;
}

int picture_print(struct picture *pic, const char *fmt, ...)
{
	size_t n = 0, left;

	do {
		int err = picture_room(pic, n);
		if (err)
			return err;
		left = pic->room - pic->len;
		va_list ap;
		va_start(ap, fmt);
		n = (size_t)vsnprintf((char *)pic->data + pic->len, left + 1, fmt, ap);
		va_end(ap);
	} while (n > left);
	pic->len += n;
	return 0;
}

int picture_write(void *arg, const void *data, size_t n)
{
	struct picture *pic = arg;

	int err = picture_room(pic, n);

	if (err)
		return err;
	memcpy(pic->data + pic->len, data, n);
	pic->len += n;
	return 0;
}

/* A channel that can only be written needs no picture. */
int picture_open(struct chan *c, int flags)
{
	const struct dirtab *row = picture_row(c);
	struct picture *pic;

	if (!row->show || row->live)
		return 0;
	if ((flags & O_ACCMODE) == O_WRONLY)
		return 0;
	int err = picture_take(c, &pic);
	if (!err)
		c->aux = pic;
	return err;
}

void picture_close(struct chan *c)
{
	picture_free(c->aux);
}

ssize_t picture_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	struct picture *pic = c->aux;

	if (!picture_row(c)->live)
		return read_mem(buf, n, off, pic->data, pic->len);
	int err = picture_take(c, &pic);
	if (err)
		return err;
	ssize_t r = read_mem(buf, n, off, pic->data, pic->len);
	picture_free(pic);
	return r;
}
