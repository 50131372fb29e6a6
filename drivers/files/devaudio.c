/*
 * `#A`: the sound card as files, audio(4). What is written to audio is played. Without a card there
 * is no such device.
 *
 * The card is an AC'97 codec at Intel's controller. Register names are those of Intel's ICH data
 * sheet (290655) and, for the codec, of the AC'97 specification 2.3.
 *
 * Sound is in a ring of NBLOCK blocks of memory, each with a descriptor. The writer fills
 * block `in`; a full one is handed over by moving the card's last valid index. The card
 * interrupts after each block; it is done with those before `out`. When it has nothing left to
 * play, it is given as much of block `in` as is there; if nothing is, it is given a block of
 * silence and then stopped. It is never left without a block, since cards differ in what they
 * play then, and it is not stopped at once, since it would drop the sound that it has fetched
 * already.
 */
#include "drivers/bus/pci.h"
#include "drivers/files/devices.h"
#include "kernel/machine/time.h"
#include "kernel/memory/frame.h"

enum { QDIR, QAUDIO };

#define FRAME 4		  /* bytes: two samples of 16 bits, little-endian, left first */
#define FRAME_RATE 44100u /* a second, if the codec can */

/* The codec, from its base port: volumes (steps of -1.5 dB), and rates. */
#define MASTER 0x02
#define PCM 0x18
#define EXTENDED 0x28
#define EXTENDED_ON 0x2a
#define RATE 0x2c
#define AS_IS 0x0808 /* of PCM: above, the codec amplifies */
#define VRA 1 /* it can play at any rate, not only that of the link */
#define LINK_RATE 48000u

/* The controller: its channel for playing, and the link to the codec. */
#define BDBAR 0x10 /* physical address of the descriptors */
#define CIV 0x14   /* index of the one being played */
#define LVI 0x15   /* and of the last valid one */
#define SR 0x16
#define CR 0x1b
#define LINK 0x2c
#define LINK_STATUS 0x30

#define SR_HALTED 0x01
#define SR_LAST 0x04 /* the last valid block is over; writing ones clears this and the next two */
#define SR_BLOCK 0x08
#define SR_FIFO 0x10
#define CR_RUN 0x01
#define CR_RESET 0x02
#define CR_INTERRUPTS 0x1c
#define LINK_ON 0x02 /* not in cold reset */
#define LINK_READY 0x100

#define INTEL 0x8086
#define AUDIO 0x0401 /* class */

#define NBLOCK 32u   /* as many descriptors as the card has */
#define BLOCK 2048u  /* bytes: at 44,100 Hz 11.6 ms, and all blocks 0.37 s */
#define PATIENCE 1000000000ull /* ns: a card that plays so long without an interrupt is broken */

/* A buffer descriptor, as it is in memory. */
struct descriptor {
	uint32_t address;
	uint16_t samples;
	uint16_t flags;
};
#define ON_COMPLETION 0x8000

/* These are constant after audio_init(). */
static uint16_t codec, channel; /* base ports */
static uint8_t *sound, *silence;
static volatile struct descriptor *ring;
static unsigned rate; /* frames a second */

static struct spinlock lock = {.name = "ac97"}; /* guards the registers, and all variables below */
static bool present; /* constant after audio_init() */
static bool busy, running;
static bool ending;	 /* the last block handed over was silence */
static uint32_t in, out; /* count blocks since the card was started */
static size_t used;	 /* bytes in block `in` */
static struct waitq waiters; /* the process that writes or closes */

static uint8_t *ac97_block(uint32_t i)
{
	return sound + i % NBLOCK * BLOCK;
}

/* Stop, forget all that was queued except an unfinished frame, and go back to the first block. */
static void ac97_stop(void)
{
	used %= FRAME;
	memcpy(ac97_block(0), ac97_block(in), used);
	in = out = 0;
	outb(channel + CR, 0);
	outb(channel + CR, CR_RESET);
	for (unsigned i = 0; i < 100000; i++)
		if (!(inb(channel + CR) & CR_RESET))
			break;
	outl(channel + BDBAR, v2p((const void *)ring));
	running = ending = false;
}

/* Learn which blocks have been played. A halt is noticed only once: see ac97_hand_over(). */
static void ac97_reap(void)
{
	uint16_t status = inw(channel + SR);
	uint32_t over = (inb(channel + CIV) - out) % NBLOCK;

	outw(channel + SR, status & (SR_LAST | SR_BLOCK | SR_FIFO));
	if ((status & SR_LAST) && (status & SR_HALTED))
		out = in;
	else if (over < in - out) /* else it has not looked at the next one yet */
		out += over;
}

/*
 * Give the card the whole frames of block `in` or, if there are none, silence; what is left of the
 * block moves to the next one. The next one is free: a block that is not full is handed over only
 * when the card has no other. The status is read first, because it may tell of a halt, and the new
 * block ends that.
 */
static void ac97_hand_over(void)
{
	size_t whole = used / FRAME * FRAME, n = whole;
	const uint8_t *from = ac97_block(in);

	if (whole == 0) {
		from = silence;
		n = BLOCK;
	}
	ac97_reap();
	ring[in % NBLOCK] = (struct descriptor){v2p(from), (uint16_t)(n / 2), ON_COMPLETION};
	used -= whole;
	memcpy(ac97_block(in + 1), ac97_block(in) + whole, used);
	outb(channel + LVI, in++ % NBLOCK);
	if (!running)
		outb(channel + CR, CR_RUN | CR_INTERRUPTS);
	running = true;
	ending = whole == 0;
}

/* Return whether the card has nothing left to play although there is something for it. */
static bool ac97_starving(void)
{
	return in == out && used >= FRAME;
}

/*
 * Handle the interrupt. A card that has nothing left goes on with what there is, or is stopped once
 * it has had silence. The process that waits may go on once half the ring is free.
 */
static void ac97_interrupt(void *)
{
	HOLD_SPIN(&lock);
	ac97_reap(); /* finds nothing when it was another card on this line */
	if (running && in == out) {
		if (ending && !ac97_starving())
			ac97_stop();
		else
			ac97_hand_over();
	}
	if (in - out <= NBLOCK / 2)
		wait_wake(&waiters);
}

/* Put as many of n bytes into the ring as fit, and return how many. The lock is held. */
static size_t ac97_fill(const uint8_t *p, size_t n)
{
	size_t done = 0;

	while (done < n && in - out < NBLOCK) {
		size_t part = min_size(n - done, BLOCK - used);

		memcpy(ac97_block(in) + used, p + done, part);
		used += part;
		done += part;
		if (used == BLOCK)
			ac97_hand_over();
	}
	if (ac97_starving())
		ac97_hand_over();
	return done;
}

/* Sleep until the card is done with half the ring: -EINTR, or -EIO when nothing happens. */
static int ac97_wait(void)
{
	uint32_t was = out;
	int err = wait_on(&waiters, &lock, time_ns() + PATIENCE);

	if (err != -ETIMEDOUT)
		return err;
	return out == was ? -EIO : 0;
}

/*
 * Queue n bytes, sleeping while there is no room. Return how many were queued; -EINTR; or -EIO
 * if the card plays nothing. Bytes of an incomplete frame wait for the next write.
 */
static ssize_t audio_write(struct chan *, const void *buf, size_t n, uint64_t)
{
	size_t done = 0;
	int err = 0;

	HOLD_SPIN(&lock);
	while (done < n && !err) {
		done += ac97_fill((const uint8_t *)buf + done, n - done);
		if (done < n)
			err = ac97_wait();
	}
	return done > 0 ? (ssize_t)done : err;
}

/* A write has to wait for room in the card's ring. */
static int audio_ready(struct chan *)
{
	HOLD_SPIN(&lock);
	if (in - out < NBLOCK)
		return READY_READ | READY_WRITE;
	return READY_READ;
}

static void audio_watch(struct chan *, struct watcher *w)
{
	wait_watch(w, &waiters, &lock);
}

/* Only one channel at a time may play: -EBUSY. */
static int audio_open(struct chan *c, int)
{
	HOLD_SPIN(&lock);
	if (c->qid != QAUDIO)
		return 0;
	if (busy)
		return -EBUSY;
	busy = true;
	return 0;
}

/* Wait until all is played, or the card is stuck, or a signal comes; then stop it. */
static void audio_close(struct chan *c)
{
	if (c->qid != QAUDIO)
		return;
	HOLD_SPIN(&lock);
	while (in != out && ac97_wait() == 0)
		;
	ac97_stop();
	used = 0;
	busy = false;
}

/* Reset the link, and the codec with it; false when that does not answer within a second. */
static bool ac97_reset_codec(void)
{
	uint64_t end = time_ns() + PATIENCE;

	outl(channel + LINK, 0);
	for (unsigned i = 0; i < 10; i++)
		inl(channel + LINK_STATUS); /* the reset must last a microsecond */
	outl(channel + LINK, LINK_ON);
	while (!(inl(channel + LINK_STATUS) & LINK_READY)) {
		if (time_ns() > end)
			return false;
		cpu_relax();
	}
	rate = LINK_RATE;
	if (inw(codec + EXTENDED) & VRA) {
		rate = FRAME_RATE;
		outw(codec + EXTENDED_ON, inw(codec + EXTENDED_ON) | VRA);
		outw(codec + RATE, FRAME_RATE);
	}
	outw(codec + MASTER, 0);
	outw(codec + PCM, AS_IS);
	return true;
}

/* Allocate the blocks, a silent one, and their descriptors, and tell the card of them. */
static bool ac97_allocate(void)
{
	const size_t size = (NBLOCK + 1) * BLOCK + NBLOCK * sizeof(*ring);

	sound = frame_alloc_n((size + PAGE - 1) / PAGE);
	if (!sound)
		return false;
	silence = memset(sound + NBLOCK * BLOCK, 0, BLOCK);
	ring = (volatile struct descriptor *)(silence + BLOCK);
	ac97_stop();
	return true;
}

/* Return whether d is such a card, and find both its ranges of ports. */
static bool ac97_is_card(const struct pci_dev *d, struct pci_bar *mixer, struct pci_bar *master)
{
	if (d->class != AUDIO || d->vendor != INTEL)
		return false;
	if (!pci_bar(d, 0, mixer) || !pci_bar(d, 1, master))
		return false;
	return mixer->io && master->io;
}

/* Find the card, set it up and print so. Once, after pci_init(). */
static void audio_init(void)
{
	const struct pci_dev *d = NULL;
	struct pci_bar mixer, master;
	const char *lacking = NULL;

	do
		d = pci_next(d);
	while (d && !ac97_is_card(d, &mixer, &master));
	if (!d)
		return;
	codec = (uint16_t)mixer.base;
	channel = (uint16_t)master.base;
	pci_enable(d, PCI_IO | PCI_MASTER);
	if (!ac97_reset_codec())
		lacking = "codec that answers";
	else if (!ac97_allocate())
		lacking = "memory";
	else if (pci_irq(d, "ac97", ac97_interrupt, NULL) < 0)
		lacking = "interrupt";
	if (lacking)
		printk("ac97: no %s\n", lacking);
	else
		printk("ac97: at 0x%x irq %u, %u Hz\n", channel, d->irq, rate);
	present = !lacking;
}

/* -ENODEV if there is no card. */
static int audio_attach(struct chan *, const char *spec)
{
	if (!present)
		return -ENODEV;
	if (*spec)
		return -ENOENT;
	return 0;
}

static const struct dirtab rows[] = {
	[QDIR] = {".", S_IFDIR | 0555},
	[QAUDIO] = {"audio", S_IFCHR | 0222, .write = audio_write},
};

const struct dev audiodev = {
	.letter = 'A', .name = "audio", .dir = {rows, nelem(rows), NULL}, .init = audio_init,
	.attach = audio_attach, .open = audio_open, .close = audio_close, .read = dirtab_read,
	.write = dirtab_write, .ready = audio_ready, .watch = audio_watch,
};
