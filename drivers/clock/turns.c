/*
 * Processors that an emulator runs in turn.
 *
 * QEMU's -icount has one thread for all CPUs. Before QEMU 8.1 each CPU in turn may run until the
 * machine's next timer is due. Whoever comes after one that has used up that time may run no
 * instruction, and so may be passed over for as long as the CPU before it is busy; and a CPU that
 * arms the timer which is due before all others loses its turn in that very store, finds the time
 * gone when it comes back, and so may never leave its clock's handler. docs/accuracy.md has more.
 *
 * Two things give every CPU its turns. Whenever a timer becomes the one that is due first, QEMU
 * ends the turn and lets each of the other CPUs have a whole one. CPU 0 is never passed over, so
 * when it arms its clock, it has one store more make a timer of the HPET due at once, which
 * interrupts nobody; and so has a CPU that waits for another with interrupts off. And another such
 * timer, the beat, comes again and again, so that turns are short: CPU 0 has had a turn of its own
 * before its clock is due again, or it would never leave the
 * clock's handler. tests/drivers/clocksinturn.c shows it with a model of QEMU.
 *
 * Registers are those of the IA-PC HPET Specification 1.0a, section 2.3.
 */
#include "drivers/clock/turns.h"
#include "drivers/bus/acpi.h"
#include "drivers/clock/tsc.h"
#include "kernel/machine/cmdline.h"
#include "kernel/machine/lib.h"
#include "kernel/machine/print.h"
#include "kernel/machine/smp.h"
#include "kernel/machine/string.h"
#include "kernel/memory/kvm.h"
#include "kernel/sched/idle.h"

/* Byte offsets. */
#define HPET_CONFIG 0x010
#define HPET_TIMER_CONFIG(n) (0x100 + 0x20 * (n))
#define HPET_TIMER_AT(n) (0x108 + 0x20 * (n))
#define HPET_SIZE 0x400

#define HPET_ENABLE 1u
#define HPET_PERIODIC 0x08u

enum { END_TURN, BEAT }; /* which timer does what; neither interrupts */

#define HPET_NS 10 /* the emulator's HPET counts these */

#define BEAT_NS 10000 /* at least: a turn must be longer than a tick takes */

#define IDLE_NS 10000000 /* between two beats while all CPUs are idle */

#define TRIALS 32

static volatile uint32_t *hpet; /* NULL: CPUs do not run in turn; constant after turns_init() */
static void (*turns_arm_timer)(uint32_t cycles); /* what is armed */
static uint32_t round_cycles; /* all CPUs have had two turns by then */
static uint32_t beat;	      /* between two beats, in HPET_NS, while a CPU is busy */
static uint32_t ended;	      /* when a CPU ended its turn last; the TSC's lower half */

/* Return how long some hundred instructions take. */
static uint32_t turns_trial(void)
{
	uint32_t start = rdtsc_low();

	for (unsigned i = 0; i < 100; i++)
		__asm__ volatile("");
	return rdtsc_low() - start;
}

/* Return whether an emulator tells the time by counting instructions: equal work takes as long. */
static bool turns_counted(void)
{
	uint32_t took[TRIALS], least = UINT32_MAX;
	unsigned equal = 0;

	for (unsigned i = 0; i < TRIALS; i++) {
		took[i] = turns_trial();
		if (took[i] < least)
			least = took[i];
	}
	for (unsigned i = 0; i < TRIALS; i++)
		if (took[i] == least)
			equal++;
	return equal > TRIALS / 2;
}

/* Return whether the hypervisor's signature, in leaf 0x40000000, is that of QEMU's emulator. */
static bool turns_emulated(void)
{
	struct cpuid id = cpuid(0x40000000);

	return id.ebx == 0x54474354; /* "TCGT" */
}

static void hpet_write(unsigned reg, uint32_t v)
{
	hpet[reg / 4] = v;
}

/* Set the time between two beats, from the next one on. */
UNSEEN static void turns_beat(uint32_t time)
{
	static uint32_t set;

	if (time != set)
		hpet_write(HPET_TIMER_AT(BEAT), time);
	set = time;
}

uint32_t turns_pace(uint32_t ns)
{
	if (ns < 2 * ncpu * BEAT_NS)
		ns = 2 * ncpu * BEAT_NS;
	round_cycles = (uint32_t)(tsc_hz() / 1000 * ns / 1000000);
	beat = ns / (2 * ncpu * HPET_NS);
	if (hpet)
		turns_beat(beat);
	return round_cycles;
}

/*
 * End this CPU's turn: the time that is set has gone by, so that timer is due at once. But not
 * before all have had turns since the last time, this CPU, too.
 */
UNSEEN static void turns_end(void)
{
	uint32_t now = rdtsc_low();

	if (now - ended < round_cycles)
		return;
	ended = now;
	hpet_write(HPET_TIMER_AT(END_TURN), 0);
}

/* Return whether no CPU has anything to do. Then nobody needs turns, and the host is spared. */
UNSEEN static bool turns_idle(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < IDLE_WORDS; i++)
		for (uint32_t bits = idle_cpus[i]; bits; bits &= bits - 1)
			n++;
	return n == ncpu;
}

UNSEEN static void turns_arm(uint32_t cycles)
{
	turns_arm_timer(cycles);
	if (cpu_id() != 0)
		return;
	turns_end();
	turns_beat(turns_idle() ? IDLE_NS / HPET_NS : beat);
}

void turns_init(void)
{
	char word[4];

	if (cmdline_get("turns", word, sizeof(word)) && strcmp(word, "off") == 0)
		return;
	if (ncpu == 1 || acpi->hpet == 0)
		return;
	if (!turns_emulated() || !turns_counted())
		return;
	hpet = map_device(acpi->hpet, HPET_SIZE);
	hpet_write(HPET_TIMER_CONFIG(END_TURN), 0);
	hpet_write(HPET_TIMER_CONFIG(BEAT), HPET_PERIODIC);
	hpet_write(HPET_CONFIG, HPET_ENABLE);
	smp_turn = turns_end;
	printk("turns: an emulator runs the CPUs in turn\n");
	turns_pace(TURNS_NS);
}

const struct timer *turns_timer(const struct timer *t)
{
	static struct timer in_turn;

	if (!hpet)
		return t;
	in_turn = *t;
	in_turn.turns = true;
	in_turn.max_ns = TURNS_NS;
	turns_arm_timer = t->arm;
	in_turn.arm = turns_arm;
	return &in_turn;
}
