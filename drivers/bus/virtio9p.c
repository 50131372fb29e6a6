/*
 * virtio-9p devices. Each request has a tag, its own chain of descriptors, and a second chain
 * for its Tflush: so none has to be found for it later, and there is always one left.
 *
 * The device may write to a request's memory until it says that it is done with it. A process
 * that does not want to wait until then sends a Tflush. A device that does not answer in time is
 * reset and loses its access to memory; from then on every request fails with EIO.
 */
#include "drivers/bus/virtio9p.h"
#include "drivers/bus/virtio.h"
#include "kernel/machine/spin.h"
#include "kernel/machine/time.h"
#include "kernel/memory/heap.h"
#include "kernel/sched/idle.h"
#include "kernel/sched/wait.h"

#define VENDOR 0x1af4
#define DEVICE 0x1049
#define DEVICE_LEGACY 0x1009 /* has the legacy form, and mostly the modern one beside it */
#define FEATURE_TAG 1u

#define TAG_MAX (VIRTIO_CONFIG - 2)
#define ANSWER_NS 30000000000ull /* how long a request may take */
#define FLUSH_NS 5000000000ull	 /* and how long it may take to drop it */

#define TFLUSH 108
#define FLUSH_SIZE 9

struct call {
	struct ninep_msg msg;
	uint8_t flush[FLUSH_SIZE], flushed[32]; /* Tflush, and its answer */
	bool taken;	  /* server's lock; somebody has it */
	unsigned pending; /* server's lock; how many of its chains the device has */
};

struct server {
	char tag[TAG_MAX + 1]; /* constant once found */
	unsigned ncall;	       /* constant once found */
	struct call *call;     /* ncall of them, in memory that the device reaches */
	struct spinlock lock;
	struct virtio v;
	bool dead;	 /* lock; it was given up */
	struct waitq q;	 /* the processes that wait for an answer or a free call */
};

static struct server servers[NINEP_SERVERS] = {
	[0 ... NINEP_SERVERS - 1] = {.lock.name = "virtio9p"},
};
static int nserver; /* constant after virtio9p_init */

/* Take access to memory from a device that cannot be trusted. The caller holds the lock. */
static void virtio9p_give_up(struct server *s, const char *why)
{
	if (s->dead)
		return;
	virtio_stop(&s->v);
	s->dead = true;
	printk("virtio9p: %s: the host %s: given up\n", s->tag, why);
	wait_wake(&s->q);
}

/* Take a chain back that the device is done with; false if there is none. The lock is held. */
static bool virtio9p_take_back(struct server *s)
{
	uint32_t written;

	if (s->dead)
		return false;
	int chain = virtio_get(&s->v, &written);
	if (chain == -EPROTO)
		virtio9p_give_up(s, "answers nonsense");
	if (chain < 0)
		return false;
	struct call *c = &s->call[(unsigned)chain % s->ncall];
	c->pending--;
	if ((unsigned)chain < s->ncall)
		c->msg.answer = written;
	return true;
}

static void virtio9p_intr(void *arg)
{
	struct server *s = arg;

	if (!virtio_interrupted(&s->v))
		return;
	HOLD_SPIN(&s->lock);
	while (virtio9p_take_back(s))
		wait_wake(&s->q);
}

/* Make the device the next server. Return NULL, or what is wrong with it. */
static const char *virtio9p_set_up(struct server *s, const struct pci_dev *pci)
{
	const char *wrong = virtio_init(&s->v, pci, FEATURE_TAG);

	if (wrong)
		return wrong;
	s->ncall = s->v.chains / 2;
	s->call = kzalloc(s->ncall * sizeof(*s->call));
	if (!s->call)
		return "no memory";
	for (unsigned i = 0; i < s->ncall; i++)
		s->call[i].msg.tag = (uint16_t)i;
	/* The configuration is the mount tag, after its length in two bytes. */
	unsigned n = min_size(s->v.config[0] | (unsigned)s->v.config[1] << 8, TAG_MAX);
	for (unsigned i = 0; i < n; i++)
		s->tag[i] = (char)s->v.config[2 + i];
	return pci_irq(pci, "virtio9p", virtio9p_intr, s) != 0 ? "no interrupt" : NULL;
}

void virtio9p_init(void)
{
	const struct pci_dev *pci = NULL;

	while ((pci = pci_next(pci)) != NULL && nserver < NINEP_SERVERS) {
		struct server *s = &servers[nserver];
		bool known = pci->device == DEVICE || pci->device == DEVICE_LEGACY;

		if (pci->vendor != VENDOR || !known)
			continue;
		const char *wrong = virtio9p_set_up(s, pci);
		if (wrong) {
			printk("virtio9p: device %02x:%02x: %s\n", pci->bus, pci->slot, wrong);
			pci_enable(pci, 0);
		} else {
			printk("virtio9p: %s: irq %u\n", s->tag, pci->irq);
			nserver++;
		}
	}
}

int virtio9p_find(const char *tag)
{
	for (int i = 0; i < nserver; i++)
		if (strcmp(servers[i].tag, tag) == 0)
			return i;
	return -ENODEV;
}

/* Find a call that neither a process nor the device has, or NULL. The caller holds the lock. */
static struct call *virtio9p_find_free(struct server *s)
{
	if (s->dead)
		return NULL;
	for (unsigned i = 0; i < s->ncall; i++)
		if (!s->call[i].taken && !s->call[i].pending)
			return &s->call[i];
	return NULL;
}

/* Sleep until something changes: 0, -EINTR, or the server is given up. The lock is held. */
static int virtio9p_await_change(struct server *s, uint64_t deadline, bool deaf)
{
	if (s->dead)
		return -EIO;
	int err = deaf ? wait_uninterruptible(&s->q, &s->lock, deadline) :
			 wait_on(&s->q, &s->lock, deadline);
	if (err == -ETIMEDOUT)
		virtio9p_give_up(s, "does not answer");
	return err;
}

int virtio9p_begin(int server, bool deaf, struct ninep_msg **m)
{
	struct server *s = &servers[server];
	uint64_t deadline = time_ns() + ANSWER_NS;
	struct call *c;

	HOLD_SPIN(&s->lock);
	while ((c = virtio9p_find_free(s)) == NULL) {
		int err = virtio9p_await_change(s, deadline, deaf);

		if (err)
			return err;
	}
	c->taken = true;
	c->msg.nout = c->msg.answer = c->msg.nsend = c->msg.nrecv = 0;
	*m = &c->msg;
	return 0;
}

void virtio9p_end(int server, struct ninep_msg *m)
{
	struct server *s = &servers[server];

	HOLD_SPIN(&s->lock);
	s->call[m->tag].taken = false;
	wait_wake(&s->q);
}

/* Give a chain of the call's to the device, unless it was given up. The caller holds the lock. */
static void virtio9p_send(struct server *s, struct call *c, unsigned chain,
			  const struct virtio_buf *b, unsigned nout, unsigned n)
{
	c->pending++;
	if (!s->dead)
		virtio_put(&s->v, chain, b, nout, n);
}

/* Send the request. The caller holds the lock. */
static void virtio9p_send_request(struct server *s, struct call *c)
{
	struct ninep_msg *m = &c->msg;
	struct virtio_buf b[VIRTIO_CHAIN] = {{m->out, m->nout}};
	unsigned nout = 1, n;

	if (m->nsend)
		b[nout++] = (struct virtio_buf){m->send, m->nsend};
	n = nout;
	b[n++] = (struct virtio_buf){m->in, m->nrecv ? NINEP_DATA : NINEP_MSG};
	if (m->nrecv)
		b[n++] = (struct virtio_buf){m->recv, m->nrecv};
	virtio9p_send(s, c, m->tag, b, nout, n);
}

/* Ask the device to drop the request. The caller holds the lock. */
static void virtio9p_send_flush(struct server *s, struct call *c)
{
	const uint16_t tag = c->msg.tag, own = (uint16_t)(tag + s->ncall);
	const uint8_t text[FLUSH_SIZE] = {FLUSH_SIZE, 0, 0, 0, TFLUSH, (uint8_t)own, 0,
					  (uint8_t)tag, 0};
	const struct virtio_buf b[] = {{c->flush, FLUSH_SIZE}, {c->flushed, sizeof(c->flushed)}};

	memcpy(c->flush, text, sizeof(text));
	virtio9p_send(s, c, own, b, 1, nelem(b));
}

/* Sleep until the device has neither the request nor its Tflush. The caller holds the lock. */
static int virtio9p_await(struct server *s, struct call *c, uint64_t ns, bool deaf)
{
	uint64_t deadline = time_ns() + ns;
	int err = 0;

	while (c->pending && !err)
		err = virtio9p_await_change(s, deadline, deaf);
	return c->pending ? err : 0;
}

void virtio9p_post(int server, struct ninep_msg *m)
{
	struct server *s = &servers[server];
	struct call *c = &s->call[m->tag];

	HOLD_SPIN(&s->lock);
	virtio9p_send_request(s, c);
	c->taken = false;
}

int virtio9p_call(int server, struct ninep_msg *m)
{
	struct server *s = &servers[server];
	struct call *c = &s->call[m->tag];

	idle_hold();
	HOLD_SPIN(&s->lock);
	virtio9p_send_request(s, c);
	int err = virtio9p_await(s, c, ANSWER_NS, false);
	if (err == -EINTR) {
		virtio9p_send_flush(s, c);
		err = virtio9p_await(s, c, FLUSH_NS, true);
		/* An answer that overtook the Tflush counts: the server did what was asked. */
		if (!err && m->answer == 0)
			err = -EINTR;
	}
	idle_release();
	return err;
}
