/*
 * virtio-9p devices. Each request has a tag, its own chain of descriptors, and a second chain
 * for its Tflush, so nothing has to be looked for and nothing can run out on the way.
 *
 * The device may write to a request's memory until it says that it is done with it. A process
 * that does not want to wait for that sends a Tflush. A device that does not answer in time is
 * reset and loses its access to memory, and from then on every request fails with EIO.
 */
#include "drivers/bus/virtio9p.h"
#include "drivers/bus/virtio.h"
#include "kernel/clock.h"
#include "kernel/memory.h"
#include "kernel/print.h"
#include "kernel/proc.h"

#define VENDOR 0x1af4
#define DEVICE_MODERN 0x1049
#define DEVICE_LEGACY 0x1009 /* or in both forms */
#define FEATURE_TAG 1u

#define NCALL 16
#define TAG_MAX 32
#define ANSWER_NS 30000000000ull /* how long a request may take */
#define FLUSH_NS 5000000000ull	 /* and how long it may take to drop it */

#define TFLUSH 108
#define FLUSH_SIZE 9

struct call {
	struct ninep_msg msg;
	uint8_t flush[FLUSH_SIZE], flushed[32]; /* Tflush, and its answer */
	bool taken;		       /* server's lock; it is in use */
	bool posted;		       /* server's lock; and free when the device is done with it */
	bool waiting, flush_waiting;   /* server's lock; the device has it, its Tflush */
	struct waitq q;		       /* the process that waits for either */
};

struct server {
	char tag[TAG_MAX]; /* constant once found */
	unsigned ncall;	   /* constant once found */
	struct virtio v;
	struct spinlock lock;
	struct virtq q;	   /* lock */
	bool dead;	   /* lock; it was given up */
	struct call *call; /* ncall of them, in memory that the device reaches */
	struct waitq free; /* the processes that wait for a free one */
};

static struct server servers[NINEP_SERVERS] = {
	[0 ... NINEP_SERVERS - 1] = {.lock.name = "virtio9p"},
};
static int nserver; /* constant after virtio9p_init */

/* Let everybody who waits look again. The caller holds the lock. */
static void wake_all(struct server *s)
{
	for (unsigned i = 0; i < s->ncall; i++)
		wait_wake(&s->call[i].q);
	wait_wake(&s->free);
}

/* Take access to memory from a device that cannot be trusted. The caller holds the lock. */
static void give_up(struct server *s, const char *why)
{
	if (s->dead)
		return;
	virtio_stop(&s->v);
	s->dead = true;
	printk("virtio9p: %s: the host %s: given up\n", s->tag, why);
}

/* Take a chain back that the device is done with: whom to wake; NULL: no chain. Lock held. */
static struct waitq *take_back(struct server *s)
{
	uint32_t written;
	int chain = s->dead ? -EAGAIN : virtq_get(&s->q, &written);
	struct call *c;

	if (chain == -EPROTO)
		give_up(s, "answers nonsense");
	if (chain < 0)
		return NULL;
	c = &s->call[(unsigned)chain % s->ncall];
	if ((unsigned)chain >= s->ncall) {
		c->flush_waiting = false;
	} else {
		c->waiting = false;
		c->msg.answer = written;
		if (c->posted) {
			c->taken = c->posted = false;
			return &s->free;
		}
	}
	return &c->q;
}

static void virtio9p_intr(void *arg)
{
	struct server *s = arg;
	struct waitq *q;

	if (!virtio_interrupted(&s->v))
		return;
	HOLD_SPIN(&s->lock);
	while ((q = take_back(s)) != NULL)
		wait_wake(q);
	if (s->dead)
		wake_all(s);
}

/* Read the mount tag from the device's configuration: two bytes of length, then the tag. */
static void read_tag(struct server *s)
{
	unsigned n = virtio_config(&s->v, 0) | (unsigned)virtio_config(&s->v, 1) << 8, i;

	for (i = 0; i < n && i < TAG_MAX - 1; i++)
		s->tag[i] = (char)virtio_config(&s->v, 2 + i);
	s->tag[i] = 0;
}

/* Make the requests and tell the device of their queue. */
static int set_up(struct server *s, const struct pci_dev *pci)
{
	int err = virtio_init(&s->v, pci, FEATURE_TAG);

	if (!err)
		err = virtio_queue(&s->v, 0, 2 * NCALL, &s->q);
	if (err)
		return err;
	s->ncall = s->q.chains / 2;
	if (s->ncall == 0)
		return -ENOTSUP;
	s->call = kzalloc(s->ncall * sizeof(*s->call));
	if (!s->call)
		return -ENOMEM;
	for (unsigned i = 0; i < s->ncall; i++)
		s->call[i].msg.tag = (uint16_t)i;
	read_tag(s);
	err = pci_irq(pci, "virtio9p", virtio9p_intr, s);
	if (!err)
		virtio_start(&s->v);
	return err;
}

/* Set up all devices of that kind, as long as there is room. */
static void find(uint16_t device)
{
	const struct pci_dev *pci = NULL;

	while ((pci = pci_next(pci)) != NULL && nserver < NINEP_SERVERS) {
		struct server *s = &servers[nserver];
		int err;

		if (pci->vendor != VENDOR || pci->device != device)
			continue;
		err = set_up(s, pci);
		if (err) {
			printk("virtio9p: device %02x:%02x: error %d\n", pci->bus, pci->slot,
			       -err);
			virtio_stop(&s->v);
			continue;
		}
		printk("virtio9p: %s: %s, irq %u\n", s->tag, s->v.modern ? "modern" : "legacy",
		       pci->irq);
		nserver++;
	}
}

void virtio9p_init(void)
{
	find(DEVICE_MODERN);
	find(DEVICE_LEGACY);
}

int virtio9p_find(const char *tag)
{
	for (int i = 0; i < nserver; i++)
		if (strcmp(servers[i].tag, tag) == 0)
			return i;
	return -ENODEV;
}

/* Find a request that is not in use, or NULL. The caller holds the lock. */
static struct call *find_free(struct server *s)
{
	for (unsigned i = 0; i < s->ncall; i++)
		if (!s->call[i].taken)
			return &s->call[i];
	return NULL;
}

int virtio9p_begin(int server, bool deaf, struct ninep_msg **m)
{
	struct server *s = &servers[server];
	struct call *c = NULL;
	uint64_t deadline = time_ns() + ANSWER_NS;
	int err = 0;

	spin_lock(&s->lock);
	while (!s->dead && !err && !(c = find_free(s)))
		err = deaf ? wait_uninterruptible(&s->free, &s->lock, deadline)
			   : wait_on(&s->free, &s->lock, deadline);
	if (c)
		c->taken = true;
	else if (err == -ETIMEDOUT) {
		give_up(s, "does not answer");
		wake_all(s);
	}
	spin_unlock(&s->lock);
	if (!c)
		return err ? err : -EIO;
	c->msg.nout = c->msg.answer = c->msg.nsend = c->msg.nrecv = 0;
	*m = &c->msg;
	return 0;
}

void virtio9p_end(int server, struct ninep_msg *m)
{
	struct server *s = &servers[server];

	HOLD_SPIN(&s->lock);
	s->call[m->tag].taken = false;
	wait_wake(&s->free);
}

/* Give the request to the device. The caller holds the lock. */
static void send(struct server *s, struct call *c)
{
	struct ninep_msg *m = &c->msg;
	struct virtio_buf b[VIRTQ_CHAIN];
	unsigned nout = 0, n;

	b[nout++] = (struct virtio_buf){m->out, m->nout};
	if (m->nsend)
		b[nout++] = (struct virtio_buf){m->send, m->nsend};
	n = nout;
	b[n++] = (struct virtio_buf){m->in, m->nrecv ? NINEP_DATA : NINEP_MSG};
	if (m->nrecv)
		b[n++] = (struct virtio_buf){m->recv, m->nrecv};
	c->waiting = true;
	virtq_put(&s->v, &s->q, m->tag, b, nout, n - nout);
}

/* Ask the device to drop the request. The caller holds the lock. */
static void send_flush(struct server *s, struct call *c)
{
	const uint16_t tag = c->msg.tag, own = (uint16_t)(tag + s->ncall);
	const uint8_t text[FLUSH_SIZE] = {FLUSH_SIZE, 0, 0, 0, TFLUSH, (uint8_t)own, 0,
					  (uint8_t)tag, 0};
	const struct virtio_buf b[] = {{c->flush, FLUSH_SIZE}, {c->flushed, sizeof(c->flushed)}};

	memcpy(c->flush, text, sizeof(text));
	c->flush_waiting = true;
	virtq_put(&s->v, &s->q, own, b, 1, 1);
}

/* Sleep until the device has neither the request nor its Tflush. The caller holds the lock. */
static int await(struct server *s, struct call *c, uint64_t ns, bool deaf)
{
	uint64_t deadline = time_ns() + ns;
	int err = 0;

	while ((c->waiting || c->flush_waiting) && !s->dead && !err)
		err = deaf ? wait_uninterruptible(&c->q, &s->lock, deadline)
			   : wait_on(&c->q, &s->lock, deadline);
	if (!c->waiting && !c->flush_waiting)
		return 0;
	return s->dead ? -EIO : err;
}

void virtio9p_post(int server, struct ninep_msg *m)
{
	struct server *s = &servers[server];
	struct call *c = &s->call[m->tag];

	HOLD_SPIN(&s->lock);
	if (!s->dead) {
		c->posted = true;
		send(s, c);
	}
}

int virtio9p_call(int server, struct ninep_msg *m)
{
	struct server *s = &servers[server];
	struct call *c = &s->call[m->tag];
	int err = -EIO;

	idle_hold();
	spin_lock(&s->lock);
	if (!s->dead) {
		send(s, c);
		err = await(s, c, ANSWER_NS, false);
	}
	if (err == -EINTR) {
		send_flush(s, c);
		err = await(s, c, FLUSH_NS, true);
		/* An answer that overtook the Tflush counts: the server did what was asked. */
		if (!err && m->answer == 0)
			err = -EINTR;
	}
	if (err == -ETIMEDOUT)
		give_up(s, "does not answer");
	if (s->dead)
		wake_all(s);
	spin_unlock(&s->lock);
	idle_release();
	return err;
}
