/* Pictures of data files: see picture.h. The memory lives as long as the channel is open. */
#include "kernel/picture.h"
#include "kernel/memory.h"

struct picture *picture_new(struct chan *c, size_t len)
{
	struct picture *pic = kmalloc(sizeof(*pic) + len);

	if (pic)
		*pic = (struct picture){.room = len, .len = len};
	c->aux = pic;
	return pic;
}

int picture_take(struct chan *c, size_t size, picture_fill *fill)
{
	struct picture *pic = picture_new(c, size);
	ssize_t n;

	if (!pic)
		return -ENOMEM;
	n = fill(c, (char *)pic->data, size);
	if (n < 0) {
		kfree(pic);
		return n;
	}
	pic->len = (size_t)n;
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

void picture_close(struct chan *c)
{
	kfree(c->aux);
}

ssize_t picture_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	const struct picture *pic = c->aux;

	return read_mem(buf, n, off, pic->data, pic->len);
}
