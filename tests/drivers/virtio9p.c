/*
 * virtio-9p over a device made here: requests and answers, several at a time,
 * signals, a server that is silent, and a device that lies about its queue.
 * Links: drivers/bus/virtio.c drivers/bus/virtio9p.c tests/drivers/virtiocard.c
 * Links: tests/drivers/fakes.c
 */
#include "drivers/bus/virtio9p.h"
#include "tests/drivers/fakes.h"
#include "tests/drivers/virtiocard.h"
#include "kernel/abi/errno.h"
#include "kernel/memory/heap.h"

static struct ninep_msg *begun(void)
{
	struct ninep_msg *m;

	assert_int_equal(virtio9p_begin(0, false, &m), 0);
	memcpy(m->out, "ABCD", 4);
	m->nout = 4;
	return m;
}

/* What the device does when its turn comes. */
static int answer_one(void)
{
	uint8_t text[600];
	int head = card_take();

	assert_true(head >= 0);
	assert_int_equal(card_request((unsigned)head, text), 4);
	assert_memory_equal(text, "ABCD", 4);
	card_answer((unsigned)head, "answer", 6);
	return 0;
}

static void round_trip(void **state)
{
	for (unsigned i = 0; i < 300; i++) { /* past the end of the rings */
		struct ninep_msg *m = begun();

		fake_wait = answer_one;
		assert_int_equal(virtio9p_call(0, m), 0);
		assert_int_equal(m->answer, 6);
		assert_memory_equal(m->in, "answer", 6);
		virtio9p_end(0, m);
	}
	assert_int_equal(card.held, 0);
	assert_int_equal(fake_locks, 0);
	assert_int_equal(virtio9p_find("host"), 0);
	assert_int_equal(virtio9p_find("hos"), -ENODEV);
	assert_int_equal(virtio9p_find(""), -ENODEV);
	assert_int_equal(card.enabled, PCI_MEMORY | PCI_MASTER);
	assert_int_equal(card_status(), 1 | 2 | 4 | 8);
	assert_int_equal(card_accepted(1), 1); /* VERSION_1 */
}

static int answer_apart(void)
{
	uint8_t text[600];
	int head = card_take();

	assert_int_equal(card_request((unsigned)head, text), 4 + 300);
	assert_int_equal(text[4], 'y');
	card_answer((unsigned)head, "0123456789ABCDEFGHIJKLMNOP", 26);
	return 0;
}

/* Data that lie apart from the message. */
static void apart(void **state)
{
	struct ninep_msg *m = begun();
	uint8_t *p = kzalloc(512);

	m->send = memset(p, 'y', 300);
	m->nsend = 300;
	m->recv = p + 300;
	m->nrecv = 20;
	fake_wait = answer_apart;
	assert_int_equal(virtio9p_call(0, m), 0);
	assert_int_equal(m->answer, 26);
	assert_memory_equal(m->in, "0123456789A", 11);
	assert_memory_equal(p + 300, "BCDEFGHIJKLMNOP\0", 16);
	virtio9p_end(0, m);
}

static int first_head;

/* The second request's answer comes while the first one still waits. */
static int second_first(void)
{
	struct ninep_msg *m;

	first_head = card_take();
	m = begun();
	fake_wait = answer_one;
	assert_int_equal(virtio9p_call(0, m), 0);
	assert_memory_equal(m->in, "answer", 6);
	virtio9p_end(0, m);
	card_answer((unsigned)first_head, "late", 4);
	return 0;
}

static void out_of_order(void **state)
{
	struct ninep_msg *m = begun();

	fake_wait = second_first;
	assert_int_equal(virtio9p_call(0, m), 0);
	assert_int_equal(m->answer, 4);
	virtio9p_end(0, m);
}

static struct ninep_msg *all[64];

static int end_one(void)
{
	virtio9p_end(0, all[3]);
	return 0;
}

static int interrupted(void)
{
	return -EINTR;
}

/* There are only so many requests; who comes too late waits. */
static void all_taken(void **state)
{
	struct ninep_msg *m;

	for (unsigned i = 0; i < 16; i++)
		all[i] = begun();
	fake_wait = interrupted;
	assert_int_equal(virtio9p_begin(0, false, &m), -EINTR);
	fake_wait = end_one;
	assert_int_equal(virtio9p_begin(0, false, &m), 0);
	assert_ptr_equal(m, all[3]);
	for (unsigned i = 0; i < 16; i++)
		virtio9p_end(0, all[i]);
}

static unsigned turn;

/* No answer; to a signal either. */
static int silent(void)
{
	return turn++ == 0 ? -EINTR : -ETIMEDOUT;
}

/* The oldest of what was posted is answered. */
static int answer_posted(void)
{
	int head = card_take();

	assert_true(head >= 0);
	card_answer((unsigned)head, "posted", 6);
	return 0;
}

/* Who posts does not wait, and the request is free again when it was answered. */
static void posts(void **state)
{
	struct ninep_msg *m;

	fake_wait = NULL;
	for (unsigned i = 0; i < 16; i++)
		virtio9p_post(0, begun());
	for (unsigned i = 0; i < 20; i++) {
		fake_wait = answer_posted;
		m = begun();
		fake_wait = NULL;
		virtio9p_post(0, m);
	}
	while (card_take() >= 0)
		;
	fake_wait = silent;
	turn = 1;
	assert_int_equal(virtio9p_begin(0, true, &m), -ETIMEDOUT);
	assert_int_equal(card.enabled & PCI_MASTER, 0);
	assert_int_equal(virtio9p_begin(0, true, &m), -EIO);
}

/* What the server makes of a Tflush. */
static enum { DROPS, OVERTAKES, FLUSHED_FIRST } flush_case;

static int signal_then_flush(void)
{
	uint8_t text[64];
	int head;

	if (turn++ == 0) {
		first_head = card_take();
		return -EINTR;
	}
	if (flush_case == FLUSHED_FIRST && turn == 3) {
		card_push((unsigned)first_head, 0);
		return 0;
	}
	head = card_take();
	assert_int_equal(card_request((unsigned)head, text), 9);
	assert_memory_equal(text, "\x09\0\0\0\x6c", 5);
	assert_int_equal(text[7], first_head / 4);
	if (flush_case == DROPS)
		card_push((unsigned)first_head, 0);
	else if (flush_case == OVERTAKES)
		card_answer((unsigned)first_head, "there", 5);
	card_answer((unsigned)head, "\7\0\0\0\x6d\0\0", 7);
	return 0;
}

/* A signal ends the wait when the server has let go of the request, and not before. */
static void signals(void **state)
{
	for (flush_case = DROPS; flush_case <= FLUSHED_FIRST; flush_case++) {
		struct ninep_msg *m = begun();

		turn = 0;
		fake_wait = signal_then_flush;
		assert_int_equal(virtio9p_call(0, m), flush_case == OVERTAKES ? 0 : -EINTR);
		assert_int_equal(m->answer, flush_case == OVERTAKES ? 5 : 0);
		assert_int_equal(turn, flush_case == FLUSHED_FIRST ? 3 : 2);
		virtio9p_end(0, m);
	}
}

/* What a device can say that makes no sense, by number. */
static unsigned lie;

static int tell_lie(void)
{
	int head = card_take();
	uint8_t *u = card_part(2);
	uint16_t far = 100; /* what the index was is little beside it */

	assert_true(head >= 0); /* after a lie there is nobody left who waits */
	switch (lie) {
	case 0: card_push((uint32_t)head + 1, 0); break;
	case 1: card_push(card.size, 0); break;
	case 2: card_push(0xfffffffc, 0); break;
	case 3: card_push((uint32_t)head + 4, 0); break; /* a chain that it was not given */
	case 4: card_push((uint32_t)head, NINEP_MSG + 1); break;
	case 5: card_push((uint32_t)head, 0xffffffff); break;
	case 6: /* more chains than there are */
		memcpy(u + 2, &far, 2);
		card_interrupt();
		break;
	case 7: return -ETIMEDOUT; /* nothing at all */
	}
	return 0;
}

/* A server given up has lost its access to memory, and everybody is told. */
static void given_up(int expected)
{
	struct ninep_msg *m = begun();

	assert_int_equal(virtio9p_call(0, m), expected);
	assert_int_equal(card.enabled & PCI_MASTER, 0);
	assert_int_equal(card_status(), 0);
	assert_int_equal(fake_locks, 0);
	assert_int_equal(card.held, 0);
	assert_true(fake_logged("given up"));
	assert_int_equal(virtio9p_call(0, m), -EIO);
	virtio9p_end(0, m);
	assert_int_equal(virtio9p_begin(0, true, &m), -EIO);
	card_interrupt(); /* a late interrupt */
	assert_false(fake_logged("given up"));
}

static void lies(void **state)
{
	fake_wait = tell_lie;
	given_up(lie == 7 ? -ETIMEDOUT : -EIO);
}

static void silence(void **state)
{
	turn = 0;
	fake_wait = silent;
	given_up(-ETIMEDOUT);
}

/* A device that cannot be used is left alone, with a word. */
static void unusable(void **state)
{
	assert_int_equal(virtio9p_find("host"), -ENODEV);
	assert_true(fake_logged("virtio9p: device"));
	assert_int_equal(card.enabled & PCI_MASTER, 0);
}

/* Nor is one that has the legacy form only, and says so. */
static void legacy_only(void **state)
{
	assert_int_equal(virtio9p_find("host"), -ENODEV);
	assert_true(fake_logged("virtio9p: device 00:00: legacy device only: not supported"));
	assert_int_equal(card.enabled, 0);
}

/* With a queue of 8 there is one request at a time. */
static void small_queue(void **state)
{
	struct ninep_msg *m = begun(), *other;

	fake_wait = interrupted;
	assert_int_equal(virtio9p_begin(0, false, &other), -EINTR);
	fake_wait = answer_one;
	assert_int_equal(virtio9p_call(0, m), 0);
	virtio9p_end(0, m);
}

/* Lies are told in the order of tell_lie(). */
static const struct machine {
	const char *name;
	void (*test)(void **state);
	uint16_t size;
	unsigned lie;
	uint16_t device;
	bool legacy, stuck;
	uint8_t irq;
	unsigned allocs;
} machines[] = {
	{"a device of both forms", round_trip, 128, .device = 0x1009, .irq = 11, .allocs = 9},
	{"a modern one", round_trip, 128, .irq = 11, .allocs = 9},
	{"apart", apart, 128, .irq = 11, .allocs = 9},
	{"apart, in a large queue", apart, 256, .irq = 11, .allocs = 9},
	{"out of order", out_of_order, 128, .irq = 11, .allocs = 9},
	{"all taken", all_taken, 1024, .irq = 11, .allocs = 9},
	{"posts", posts, 128, .irq = 11, .allocs = 9},
	{"a small queue", small_queue, 8, .irq = 11, .allocs = 9},
	{"signals", signals, 128, .irq = 11, .allocs = 9},
	{"an id inside a chain", lies, 128, 0, .irq = 11, .allocs = 9},
	{"an id past the queue", lies, 128, 1, .irq = 11, .allocs = 9},
	{"an id far past it", lies, 128, 2, .irq = 11, .allocs = 9},
	{"a chain that is not its own", lies, 128, 3, .irq = 11, .allocs = 9},
	{"one byte too many", lies, 128, 4, .irq = 11, .allocs = 9},
	{"all bytes there are", lies, 128, 5, .irq = 11, .allocs = 9},
	{"more chains than there are", lies, 128, 6, .irq = 11, .allocs = 9},
	{"no answer", lies, 128, 7, .irq = 11, .allocs = 9},
	{"no answer to a Tflush", silence, 128, .irq = 11, .allocs = 9},
	{"no queue", unusable, 0, .irq = 11, .allocs = 9},
	{"half a chain", unusable, 2, .irq = 11, .allocs = 9},
	{"room for no Tflush", unusable, 4, .irq = 11, .allocs = 9},
	{"a size that is no power of two", unusable, 100, .irq = 11, .allocs = 9},
	{"a device stuck in reset", unusable, 128, .stuck = true, .irq = 11, .allocs = 9},
	{"no interrupt line", unusable, 128, .irq = PCI_NOIRQ, .allocs = 9},
	{"no memory for the queue", unusable, 128, .irq = 11, .allocs = 0},
	{"nor requests", unusable, 128, .irq = 11, .allocs = 1},
	{"the legacy form only", legacy_only, 128, .device = 0x1009, .legacy = true, .irq = 11,
	 .allocs = 9},
};

int fork(void);
int waitpid(int pid, int *status, int options);
int getpid(void);
void _exit(int status) __attribute__((noreturn));

static int parent;

/* A child has a kernel of its own, where nothing was found yet. */
static void on_machine(void **state)
{
	const struct machine *m = *state;
	int pid = fork(), result = -1;

	if (pid == 0) {
		card.size = m->size;
		card.stuck = m->stuck;
		card.allocs_left = m->allocs;
		lie = m->lie;
		card.legacy = m->legacy;
		card_plug(m->device ? m->device : 0x1049, m->irq);
		virtio9p_init();
		card.allocs_left = 100;
		m->test(state);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &result, 0), pid);
	assert_int_equal(result, 0);
}

/* A check that failed in the child ends it. */
static int leave(void **state)
{
	if (getpid() != parent)
		_exit(1);
	return 0;
}

int main(void)
{
	struct CMUnitTest tests[nelem(machines)];

	parent = getpid();
	for (size_t i = 0; i < nelem(machines); i++)
		tests[i] = (struct CMUnitTest){machines[i].name, on_machine, NULL, leave,
					       (void *)&machines[i]};
	return RUN(tests, NULL, NULL);
}
