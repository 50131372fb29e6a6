/*
 * The sound driver over a simulated card: what is heard is what was written, whatever the
 * card and the writer do. The card is as the data sheet says, and, where that leaves time for
 * something to happen, late.
 * Links: tests/drivers/fakes.c
 */
#include "drivers/files/devaudio.c"
#include "tests/drivers/fakes.h"
#include "kernel/abi/errno.h"
#include "kernel/machine/time.h"
#include "kernel/machine/trap.h"
#include "kernel/memory/frame.h"

#define CODEC 0xc000
#define CHANNEL 0xc400
#define RAM (40 * PAGE)

static _Alignas(PAGE) uint8_t ram[RAM];
static struct pci_dev device = {.vendor = 0x8086, .class = 0x0401, .irq = 5};
static struct {
	bool there, ready, any_rate, has_memory, has_irq, stuck;
	bool late;   /* it looks at what it was told when it plays on, not at once */
	bool silent; /* its interrupts do not come through now */
	uint16_t enabled;
	uint16_t codec[64];
	uint32_t bdbar;
	uint8_t civ, lvi, cr;
	uint16_t sr;
	bool resumed; /* it has been told of more, and has not looked yet */
} card;
static uint8_t heard[1 << 20], wanted[1 << 20];
static size_t nheard, nwanted;
static unsigned storms;
static uint64_t now;
static struct chan audio = {.qid = QAUDIO};

uint64_t rdtsc(void)
{
	return 0;
}

uint64_t time_ns(void)
{
	return now += 1000000;
}

void *p2v(uint32_t pa)
{
	return ram + pa;
}

uint32_t v2p(const void *va)
{
	assert_true((const uint8_t *)va >= ram && (const uint8_t *)va < ram + RAM);
	return (uint32_t)((const uint8_t *)va - ram);
}

void *frame_alloc_n(size_t n)
{
	assert_true(n * PAGE <= RAM);
	memset(ram, 0xaa, RAM);
	return card.has_memory ? ram : NULL;
}

const struct pci_dev *pci_next(const struct pci_dev *after)
{
	return card.there && after == NULL ? &device : NULL;
}

bool pci_bar(const struct pci_dev *d, unsigned i, struct pci_bar *bar)
{
	assert_ptr_equal(d, &device);
	*bar = (struct pci_bar){true, i == 0 ? CODEC : CHANNEL, 256};
	return true;
}

void pci_enable(const struct pci_dev *d, uint16_t what)
{
	card.enabled = what;
}

int pci_irq(const struct pci_dev *d, const char *name, void (*fn)(void *arg), void *arg)
{
	irq_register(5, name, fn, arg);
	return card.has_irq ? 0 : -ENOTSUP;
}

/* Whether the interrupt line is up: enables and status bits are in pairs. */
static bool wants_interrupt(void)
{
	return ((card.sr & SR_LAST) && (card.cr & 4)) || ((card.sr & SR_BLOCK) && (card.cr & 0x10));
}

/* The line is a level: whoever does not make it fall is asked again, here not for ever. */
static void interrupt(void)
{
	unsigned i = 0;

	do
		fake_irq[5](fake_irq_arg[5]);
	while (wants_interrupt() && ++i < 3);
	storms += i == 3;
}

/* Go on where it stood, if there is more now. */
static void look(void)
{
	if (!card.resumed)
		return;
	card.resumed = false;
	card.sr &= (uint16_t)~SR_HALTED;
	card.civ = (card.civ + 1) % 32;
}

/* Play the block that is due; false when there is none. */
static bool play(void)
{
	const struct {
		uint32_t address;
		uint16_t samples, flags;
	} *d = p2v(card.bdbar);

	look();
	if (!(card.cr & 1) || (card.sr & SR_HALTED) || card.stuck)
		return false;
	d += card.civ;
	assert_true(d->samples > 0 && d->samples % 2 == 0);
	assert_true(nheard + d->samples * 2u <= sizeof(heard));
	memcpy(heard + nheard, p2v(d->address), d->samples * 2u);
	nheard += d->samples * 2u;
	if (d->flags & 0x8000)
		card.sr |= SR_BLOCK;
	if (card.civ == card.lvi)
		card.sr |= SR_LAST | SR_HALTED;
	else
		card.civ = (card.civ + 1) % 32;
	if (wants_interrupt() && !card.silent)
		interrupt();
	return true;
}

void outb(uint16_t port, uint8_t v)
{
	switch (port - CHANNEL) {
	case 0x15:
		card.lvi = v;
		card.resumed = (card.cr & 1) && (card.sr & SR_HALTED);
		if (!card.late)
			look();
		return;
	case 0x1b:
		if (v & 2) {
			assert_false(v & 1);
			card.civ = card.lvi = card.cr = 0;
			card.sr = SR_HALTED;
			card.resumed = false;
			return;
		}
		if ((v & 1) && !(card.cr & 1))
			card.sr &= (uint16_t)~SR_HALTED;
		card.cr = v;
		return;
	default:
		fail_msg("outb 0x%x", port);
	}
}

uint8_t inb(uint16_t port)
{
	switch (port - CHANNEL) {
	case 0x14:
		return card.civ;
	case 0x1b:
		return card.cr;
	default:
		fail_msg("inb 0x%x", port);
		return 0;
	}
}

void outw(uint16_t port, uint16_t v)
{
	if (port == CHANNEL + 0x16)
		card.sr &= (uint16_t)~(v & 0x1c);
	else if (port >= CODEC && port < CODEC + 128)
		card.codec[(port - CODEC) / 2] = v;
	else
		fail_msg("outw 0x%x", port);
}

uint16_t inw(uint16_t port)
{
	if (port == CHANNEL + 0x16)
		return card.sr;
	assert_true(port >= CODEC && port < CODEC + 128);
	return port == CODEC + 0x28 ? card.any_rate : card.codec[(port - CODEC) / 2];
}

void outl(uint16_t port, uint32_t v)
{
	if (port == CHANNEL + 0x10)
		card.bdbar = v;
	else
		assert_int_equal(port, CHANNEL + 0x2c);
}

uint32_t inl(uint16_t port)
{
	assert_int_equal(port, CHANNEL + 0x30);
	return card.ready ? 0x100 : 0;
}

/* Whoever sleeps lets the card play until it wakes him, or until nothing happens any more. */
static int play_on(void)
{
	unsigned wakes = fake_wakes;

	while (fake_wakes == wakes)
		if (!play()) {
			now += 1000000000;
			return -ETIMEDOUT;
		}
	return 0;
}

static int interrupted(void)
{
	return -EINTR;
}

ssize_t dirtab_read(struct chan *c, void *buf, size_t n, uint64_t off)
{
	return -EINVAL;
}

ssize_t dirtab_write(struct chan *c, const void *buf, size_t n, uint64_t off)
{
	return -EINVAL;
}

/* Return whether a card is found. */
static bool there(void)
{
	present = false;
	audio_init();
	return audio_attach(&audio, "") == 0;
}

static bool writable(void)
{
	return audio_ready(&audio) & READY_WRITE;
}

/* A good card, found. */
static int found(void **state)
{
	memset(&card, 0, sizeof(card));
	card.there = card.ready = card.any_rate = card.has_memory = card.has_irq = true;
	card.codec[1] = 0x8000;
	nheard = nwanted = 0;
	storms = 0;
	fake_wait = play_on;
	assert_true(there());
	return 0;
}

/* Write n bytes of a sound that never repeats, in pieces of 1 to most. */
static void write_sound(size_t n, size_t most)
{
	uint8_t *p = wanted + nwanted;

	assert_true(nwanted + n <= sizeof(wanted));
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)rand() | 1;
	while (n > 0) {
		size_t part = 1 + (size_t)rand() % most;

		part = part < n ? part : n;
		assert_int_equal(audio_write(&audio, wanted + nwanted, part, 0), part);
		nwanted += part;
		n -= part;
	}
}

/* Whether all whole frames were heard, once, in order, and besides them only silence. */
static void check_heard(void)
{
	size_t from = 0, to = 0;

	while (to < nheard) {
		if (heard[to] == 0) {
			to++;
			continue;
		}
		if (from >= nwanted || heard[to] != wanted[from])
			fail_msg("byte %zu was heard as %zu", from, to);
		from++;
		to++;
	}
	assert_int_equal(from, nwanted / FRAME * FRAME);
	assert_int_equal(storms, 0);
}

static void is_not_there(void **state)
{
	memset(&card, 0, sizeof(card));
	assert_false(there());
	assert_int_equal(fake_log[0], 0);
	card.there = true;
	assert_false(there());
	assert_true(fake_logged("ac97: no codec that answers"));
	card.ready = true;
	assert_false(there());
	assert_true(fake_logged("ac97: no memory"));
	card.has_memory = true;
	assert_false(there());
	assert_true(fake_logged("ac97: no interrupt"));
	card.has_irq = true;
	assert_true(there());
	assert_true(fake_logged("ac97: at 0xc400 irq 5, 48000 Hz"));
	assert_int_equal(card.enabled, PCI_IO | PCI_MASTER);
}

/* Pieces of every size, many times round the ring, on a prompt card and on a late one. */
static void plays(void **state)
{
	static const size_t most[] = {1, 3, 4, 100, 2048, 2049, 70000, 300000};

	for (unsigned i = 0; i < 2 * nelem(most); i++) {
		found(NULL);
		size_t size = most[i % nelem(most)];

		card.late = i >= nelem(most);
		assert_int_equal(audio_open(&audio, 0), 0);
		write_sound(size < 4 ? 30001 : 400002, size);
		audio_close(&audio);
		check_heard();
		assert_true(nheard <= nwanted + 2048); /* without a gap */
		assert_int_equal(card.cr, 0);
	}
}

/* A card that ran dry is given more before it was asked why, or before it takes it up. */
static void news_crosses(void **state)
{
	for (unsigned i = 0; i < 4; i++) {
		found(NULL);
		card.late = i & 1;
		assert_int_equal(audio_open(&audio, 0), 0);
		write_sound(8, 8);
		card.silent = i & 2;
		play();
		write_sound(3 * 2048, 5000);
		assert_true(writable());
		card.silent = false;
		interrupt();
		assert_true(writable());
		write_sound(100000, 100000);
		audio_close(&audio);
		check_heard();
	}
}

/* The card runs dry between writes: in what was written there is silence, and nothing twice. */
static void runs_dry(void **state)
{
	for (unsigned i = 0; i < 300; i++) {
		if (i % 100 == 0) {
			found(NULL);
			card.late = i >= 100;
			assert_int_equal(audio_open(&audio, 0), 0);
		}
		write_sound(1 + i * 37 % 5000, 5000);
		for (unsigned n = i % 7; n > 0; n--)
			play();
		if (i % 5 == 0) {
			while (play())
				;
			assert_int_equal(card.cr, 0);
		}
		if (i % 100 == 99) {
			audio_close(&audio);
			check_heard();
		}
	}
}

/* A gap is silent, and begins with a block of silence that pushes out what is on its way. */
static void ends_with_silence(void **state)
{
	assert_int_equal(audio_open(&audio, 0), 0);
	write_sound(8, 8);
	audio_close(&audio);
	assert_int_equal(nheard, 8 + 2048);
	check_heard();
}

static void one_at_a_time(void **state)
{
	assert_int_equal(audio_open(&audio, 0), 0);
	assert_int_equal(audio_open(&audio, 0), -EBUSY);
	write_sound(5, 5); /* a frame and a piece of one */
	audio_close(&audio);
	check_heard();
	nheard = nwanted = 0;
	assert_int_equal(audio_open(&audio, 0), 0);
	write_sound(400, 7);
	audio_close(&audio);
	check_heard(); /* the piece is forgotten */
}

static void stuck(void **state)
{
	static uint8_t noise[100000];

	card.stuck = true;
	assert_int_equal(audio_open(&audio, 0), 0);
	assert_int_equal(audio_write(&audio, noise, sizeof(noise), 0), 32 * 2048);
	assert_int_equal(audio_write(&audio, noise, 1, 0), -EIO);
	assert_false(writable());
	audio_close(&audio);
	assert_int_equal(card.cr, 0);
	assert_int_equal(audio_open(&audio, 0), 0);
	assert_true(writable());
	audio_close(&audio);
}

static void is_interrupted(void **state)
{
	static uint8_t noise[100000];

	assert_int_equal(audio_open(&audio, 0), 0);
	fake_wait = interrupted;
	assert_int_equal(audio_write(&audio, noise, sizeof(noise), 0), 32 * 2048);
	assert_int_equal(audio_write(&audio, noise, 1, 0), -EINTR);
	audio_close(&audio);
	assert_false(play());
	assert_int_equal(nheard, 0);
	fake_wait = play_on;
	assert_int_equal(audio_open(&audio, 0), 0);
	write_sound(5000, 5000);
	audio_close(&audio);
	check_heard();
}

static void foreign_interrupts(void **state)
{
	assert_int_equal(audio_open(&audio, 0), 0);
	interrupt();
	write_sound(9000, 9000);
	interrupt();
	interrupt();
	audio_close(&audio);
	interrupt();
	check_heard();
}

/* Of a codec that has a rate of its own only that can be had; the volume leaves sound as it is. */
static void settings(void **state)
{
	assert_int_equal(card.codec[1], 0);
	assert_int_equal(card.codec[12], 0x0808);
	assert_int_equal(card.codec[0x16], 44100);
	assert_int_equal(card.codec[0x15] & 1, 1);
	card.any_rate = false;
	card.codec[0x16] = 0;
	assert_true(there());
	assert_int_equal(card.codec[0x16], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_not_there),
		cmocka_unit_test_setup(plays, found),
		cmocka_unit_test_setup(news_crosses, found),
		cmocka_unit_test_setup(runs_dry, found),
		cmocka_unit_test_setup(ends_with_silence, found),
		cmocka_unit_test_setup(one_at_a_time, found),
		cmocka_unit_test_setup(stuck, found),
		cmocka_unit_test_setup(is_interrupted, found),
		cmocka_unit_test_setup(foreign_interrupts, found),
		cmocka_unit_test_setup(settings, found),
	};

	return RUN(tests, NULL, NULL);
}
