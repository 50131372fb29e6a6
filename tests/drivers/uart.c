/*
 * The serial driver over two simulated 16550s, whose interrupt line is an edge as on a PC.
 * Links: drivers/console/uart.c tests/drivers/fakes.c
 */
#include "drivers/console/ring.h"
#include "drivers/console/uart.h"
#include "tests/drivers/fakes.h"
#include "kernel/abi/errno.h"

#define FIFO 16

/* A 16550 with a wire: what the driver sends is kept, what the test sends arrives. */
static struct chip {
	uint16_t port;
	uint8_t irq;
	bool present;
	uint8_t ier, lcr, mcr, scratch, errors;
	bool thre_pending;
	uint8_t rx[FIFO], tx[FIFO];
	unsigned nrx, ntx;
	bool line, edge;	  /* the interrupt's level, and whether it rose */
	uint8_t sent[1 << 18];
	unsigned nsent;
} chips[NUART] = {{.port = 0x3f8, .irq = 4}, {.port = 0x2f8, .irq = 3}};

static uint8_t console[1 << 18];
static unsigned nconsole;

uint64_t rdtsc(void)
{
	return 0;
}

void *p2v(uint32_t pa)
{
	return NULL;
}

static uint8_t iir(const struct chip *c)
{
	if ((c->ier & 4) && c->errors)
		return 0xc6;
	if ((c->ier & 1) && c->nrx > 0)
		return 0xc4;
	if ((c->ier & 2) && c->thre_pending)
		return 0xc2;
	return 0xc1;
}

/* The line follows the state; a rise is an edge, and only edges interrupt. */
static void update(struct chip *c)
{
	bool now = (c->mcr & 8) && iir(c) != 0xc1;

	c->edge |= now && !c->line;
	c->line = now;
}

static struct chip *chip(uint16_t port)
{
	return port >= 0x3f8 ? &chips[UART_COM1] : &chips[UART_COM2];
}

static bool other_cpu; /* there is another, which serves an interrupt when no lock keeps it out */

static void serve_elsewhere(const struct chip *c)
{
	if (!other_cpu || fake_locks > 0)
		return;
	other_cpu = false;
	fake_irq[c->irq](fake_irq_arg[c->irq]);
	other_cpu = true;
}

static void write_data(struct chip *c, uint8_t v)
{
	serve_elsewhere(c);
	if (c->lcr & 0x80)
		return;
	if (c->mcr & 0x10) {
		c->rx[c->nrx++] = v;
		return;
	}
	if (c->ntx == FIFO)
		fail_msg("the transmitter was overrun");
	c->tx[c->ntx++] = v;
	c->thre_pending = false;
}

void outb(uint16_t port, uint8_t v)
{
	struct chip *c = chip(port);

	if (!c->present)
		return;
	switch (port & 7) {
	case 0:
		write_data(c, v);
		break;
	case 1:
		if (!(c->lcr & 0x80)) {
			if (!(c->ier & 2) && (v & 2) && c->ntx == 0)
				c->thre_pending = true;
			c->ier = v;
		}
		break;
	case 3:
		c->lcr = v;
		break;
	case 4:
		c->mcr = v;
		break;
	case 7:
		c->scratch = v;
		break;
	}
	update(c);
}

static uint8_t read_data(struct chip *c)
{
	uint8_t v = c->rx[0];

	if (c->nrx == 0)
		return 0;
	memmove(c->rx, c->rx + 1, --c->nrx);
	return v;
}

uint8_t inb(uint16_t port)
{
	struct chip *c = chip(port);
	uint8_t v = 0xff;

	if (!c->present)
		return v;
	switch (port & 7) {
	case 0:
		v = read_data(c);
		break;
	case 2:
		v = iir(c);
		if (v == 0xc2)
			c->thre_pending = false;
		break;
	case 5:
		v = (uint8_t)((c->nrx > 0) | c->errors | (c->ntx == 0 ? 0x60 : 0));
		c->errors = 0;
		/* A driver that polls sees the transmitter empty the next time. */
		if (c->ntx > 0) {
			memcpy(c->sent + c->nsent, c->tx, c->ntx);
			c->nsent += c->ntx;
			c->ntx = 0;
			c->thre_pending = true;
		}
		break;
	case 7:
		v = c->scratch;
		break;
	}
	update(c);
	return v;
}

/* Let pending interrupts come, till there are no more edges. */
static void interrupts(void)
{
	unsigned i;

	for (i = 0; i < NUART; i++)
		while (chips[i].edge) {
			chips[i].edge = false;
			fake_irq[chips[i].irq](fake_irq_arg[chips[i].irq]);
			/* A line that stays high after the handler will never interrupt again. */
			assert_true(!chips[i].line || chips[i].edge);
		}
}

/* One step of the wire: all that the transmitters hold is sent. */
static void step(void)
{
	unsigned i;

	for (i = 0; i < NUART; i++) {
		struct chip *c = &chips[i];

		memcpy(c->sent + c->nsent, c->tx, c->ntx);
		c->nsent += c->ntx;
		c->thre_pending |= c->ntx > 0;
		c->ntx = 0;
		update(c);
	}
	interrupts();
}

/* A byte arrives; false when the sender has to hold it back: RTS is off and the FIFO full. */
static bool arrive(struct chip *c, uint8_t v)
{
	if (c->nrx == FIFO)
		return false;
	c->rx[c->nrx++] = v;
	update(c);
	interrupts();
	return true;
}

static void take_console(const uint8_t *s, size_t n)
{
	assert_int_equal(fake_locks, 0);
	memcpy(console + nconsole, s, n);
	nconsole += (unsigned)n;
}

static uint8_t pattern(unsigned i)
{
	return (uint8_t)(i * 167 + (i >> 8));
}

static int wait_a_step(void)
{
	step();
	return 0;
}

static int wait_signal(void)
{
	return -EINTR;
}

static int wait_for_input(void)
{
	arrive(&chips[UART_COM2], 0x42);
	return 0;
}

static void a_port_that_is_not_there(void **state)
{
	uint8_t b[4] = {1, 2, 3, 4};

	uart_early();
	uart_print("lost", 4);
	assert_int_equal(uart_write(UART_COM1, b, 4), 4);
	assert_false(uart_present(UART_COM1));
	assert_int_equal(chips[UART_COM1].nsent, 0);
}

static void early_output_is_polled(void **state)
{
	char text[20000];
	unsigned i;

	chips[UART_COM1].present = chips[UART_COM2].present = true;
	uart_early();
	assert_true(uart_present(UART_COM1));
	for (i = 0; i < sizeof text; i++)
		text[i] = (char)pattern(i);
	uart_print(text, sizeof text);
	uart_drain();
	assert_int_equal(chips[UART_COM1].nsent, sizeof text);
	assert_memory_equal(chips[UART_COM1].sent, text, sizeof text);
	assert_int_equal(chips[UART_COM1].ier, 0);
	chips[UART_COM1].nsent = 0;
}

static void init_finds_both(void **state)
{
	uart_init(take_console);
	assert_true(uart_present(UART_COM2));
	assert_true(fake_logged("uart0: 16550A at 0x3f8 irq 4\nuart1: 16550A at 0x2f8 irq 3\n"));
	assert_int_equal(chips[UART_COM2].mcr & 0x1b, 0x0b);
}

static void every_byte_goes_out_in_order(void **state)
{
	static uint8_t data[100000];
	unsigned i;

	fake_wait = wait_a_step;
	for (i = 0; i < sizeof data; i++)
		data[i] = pattern(i);
	chips[UART_COM2].nsent = 0;
	assert_int_equal(uart_write(UART_COM2, data, sizeof data), sizeof data);
	for (i = 0; i < 2000; i++)
		step();
	assert_int_equal(chips[UART_COM2].nsent, sizeof data);
	assert_memory_equal(chips[UART_COM2].sent, data, sizeof data);
	assert_int_equal(chips[UART_COM2].ier & 2, 0); /* and the transmitter rests */
}

static void a_signal_ends_a_write_early(void **state)
{
	static uint8_t data[20000];
	int32_t n;

	fake_wait = wait_signal;
	n = uart_write(UART_COM2, data, sizeof data);
	assert_in_range(n, RING_SIZE, RING_SIZE + FIFO);
	assert_in_range(uart_write(UART_COM2, data, 1000), 0, FIFO); /* what the chip took */
	assert_int_equal(uart_write(UART_COM2, data, 1000), -EINTR);
	fake_wait = wait_a_step;
	for (n = 0; n < 2000; n++)
		step();
}

static void printing_never_sleeps(void **state)
{
	static char text[50000];

	fake_wait = NULL; /* would crash */
	chips[UART_COM1].nsent = 0;
	memset(text, 'x', sizeof text);
	uart_print(text, sizeof text);
	uart_print_sync("panic", 5);
	assert_int_equal(chips[UART_COM1].nsent, sizeof text + 5);
	assert_memory_equal(chips[UART_COM1].sent + sizeof text, "panic", 5);
	interrupts();
}

/* Queue so much at COM2 that most of it waits; false when it is sent at once. */
static bool queue(uint8_t *data, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		data[i] = pattern(i);
	chips[UART_COM2].nsent = 0;
	assert_int_equal(uart_write(UART_COM2, data, n), n);
	return chips[UART_COM2].nsent < n;
}

static void a_drain_and_another_cpus_interrupts_keep_order(void **state)
{
	uint8_t data[1000];

	assert_true(queue(data, sizeof data));
	other_cpu = true;
	uart_drain();
	other_cpu = false;
	step();
	assert_int_equal(chips[UART_COM2].nsent, sizeof data);
	assert_memory_equal(chips[UART_COM2].sent, data, sizeof data);
}

static void a_panic_sends_what_the_other_port_has_queued(void **state)
{
	uint8_t data[1000];

	assert_true(queue(data, sizeof data));
	uart_print_sync("panic", 5);
	assert_int_equal(chips[UART_COM2].nsent, sizeof data);
	assert_memory_equal(chips[UART_COM2].sent, data, sizeof data);
	interrupts();
}

static void console_input_arrives_in_order(void **state)
{
	unsigned i;

	nconsole = 0;
	for (i = 0; i < 50000; i++)
		assert_true(arrive(&chips[UART_COM1], pattern(i)));
	assert_int_equal(nconsole, 50000);
	for (i = 0; i < 50000; i++)
		assert_int_equal(console[i], pattern(i));
}

static void a_throttled_console_loses_nothing(void **state)
{
	unsigned i, n;

	nconsole = 0;
	uart_throttle(true);
	for (n = 0; arrive(&chips[UART_COM1], pattern(n)); n++)
		if (n == 7000)
			assert_int_equal(chips[UART_COM1].mcr & 3, 0); /* RTS has dropped */
	assert_int_equal(n, RING_SIZE + FIFO);
	assert_int_equal(nconsole, 0);
	uart_throttle(false);
	interrupts();
	assert_int_equal(nconsole, n);
	for (i = 0; i < n; i++)
		assert_int_equal(console[i], pattern(i));
	assert_int_equal(chips[UART_COM1].mcr & 3, 3);
	assert_true(arrive(&chips[UART_COM1], 1));
	assert_int_equal(nconsole, n + 1);
}

static void a_reader_gets_what_is_there(void **state)
{
	uint8_t b[100];

	fake_wait = wait_for_input;
	assert_int_equal(uart_read(NULL, b, sizeof b, 0), 1);
	assert_int_equal(b[0], 0x42);
	arrive(&chips[UART_COM2], 0);
	arrive(&chips[UART_COM2], 0xff);
	arrive(&chips[UART_COM2], 3);
	assert_int_equal(uart_read(NULL, b, 2, 0), 2);
	assert_int_equal(b[1], 0xff);
	assert_int_equal(uart_read(NULL, b, sizeof b, 0), 1);
	fake_wait = wait_signal;
	assert_int_equal(uart_read(NULL, b, sizeof b, 0), -EINTR);
}

static void a_full_ring_stops_the_sender_and_loses_nothing(void **state)
{
	uint8_t b[1000];
	unsigned n = 0, got = 0;
	int32_t i, m;

	while (got < 100000) {
		while (n < 100000 && arrive(&chips[UART_COM2], pattern(n)))
			n++;
		m = uart_read(NULL, b, sizeof b, 0);
		assert_in_range(m, 1, sizeof b);
		for (i = 0; i < m; i++)
			assert_int_equal(b[i], pattern(got++));
		interrupts();
	}
}

static void errors_do_no_harm(void **state)
{
	uint8_t b;

	chips[UART_COM2].errors = 0x1e;
	arrive(&chips[UART_COM2], 7);
	interrupts();
	assert_int_equal(uart_read(NULL, &b, 1, 0), 1);
	assert_int_equal(b, 7);
}

static void ring_holds_its_size_across_the_wrap(void **state)
{
	static struct ring r = {.in = UINT32_MAX - 2, .out = UINT32_MAX - 2};
	static uint8_t data[RING_SIZE + 2], b[RING_SIZE];
	unsigned i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 + i / 256);
	assert_int_equal(ring_get(&r, b, 8), 0);
	for (i = 0; i < 20; i++) {
		assert_int_equal(ring_put(&r, data, sizeof(data)), RING_SIZE);
		assert_true(ring_full(&r));
		assert_int_equal(ring_get(&r, b, 3), 3);
		assert_memory_equal(b, data, 3);
		assert_int_equal(ring_get(&r, b, RING_SIZE), RING_SIZE - 3);
		assert_memory_equal(b, data + 3, RING_SIZE - 3);
		assert_int_equal(ring_used(&r), 0);
	}
}

int main(void)
{
	/* In this order: from no port over the early one to both. */
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ring_holds_its_size_across_the_wrap),
		cmocka_unit_test(a_port_that_is_not_there),
		cmocka_unit_test(early_output_is_polled),
		cmocka_unit_test(init_finds_both),
		cmocka_unit_test(every_byte_goes_out_in_order),
		cmocka_unit_test(a_signal_ends_a_write_early),
		cmocka_unit_test(printing_never_sleeps),
		cmocka_unit_test(a_drain_and_another_cpus_interrupts_keep_order),
		cmocka_unit_test(a_panic_sends_what_the_other_port_has_queued),
		cmocka_unit_test(console_input_arrives_in_order),
		cmocka_unit_test(a_throttled_console_loses_nothing),
		cmocka_unit_test(a_reader_gets_what_is_there),
		cmocka_unit_test(a_full_ring_stops_the_sender_and_loses_nothing),
		cmocka_unit_test(errors_do_no_harm),
	};

	return RUN(tests, NULL, NULL);
}
