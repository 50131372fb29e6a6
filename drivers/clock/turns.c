/*
 * Processors that an emulator runs in turn.
 *
 * QEMU's -icount has one thread for all CPUs. Before QEMU 8.1 each CPU in turn may run until the
 * machine's next timer is due. Whoever comes after one that has used up that time may run no
 * instruction, and so may be passed over for as long as the CPU before it is busy; and a CPU that
 * arms the timer which is due before all others loses its turn in that very store, finds the time
 * gone when it comes back, and so may never leave its clock's handler. docs/accuracy.md has more.
 *
 * Whenever a timer becomes the one that is due first, QEMU ends the turn and lets each of the other
 * CPUs have a whole one. So with `turns=on' two timers of the HPET, which interrupt nobody, give
 * every CPU its turns: one is made due at once, by one store, after the profiling clock or a CPU's
 * own system clock was armed; the other, the beat, comes again and again, so that some timer is
 * always due soon.
 *
 * Registers are those of the IA-PC HPET Specification 1.0a, section 2.3.
 */
#include "drivers/clock/turns.h"
#include "drivers/bus/acpi.h"
#include "kernel/machine/cmdline.h"
#include "kernel/memory/kvm.h"

/* Byte offsets. */
#define HPET_CONFIG 0x010
#define HPET_COUNTER 0x0f0
#define HPET_TIMER_CONFIG(n) (0x100 + 0x20 * (n))
#define HPET_TIMER_AT(n) (0x108 + 0x20 * (n))
#define HPET_SIZE 0x400

#define HPET_ENABLE 1u
#define HPET_PERIODIC 0x08u
#define HPET_SET_AT 0x40u /* the next store sets when a periodic timer is due first */

enum { END_TURN, BEAT }; /* which timer does what; neither interrupts */

#define HPET_NS 10 /* the emulator's HPET counts these */

#define TRIALS 32
#define TCG 0x54474354u /* "TCGT": how the signature of QEMU's emulator begins, as a hypervisor's */

static volatile uint32_t *hpet; /* NULL: nothing is done; constant after turns_init() */
static void (*turns_armed[2])(uint32_t cycles); /* by whether each CPU has one: what is armed */

/* Return how long some hundred instructions take. */
static uint32_t turns_trial(void)
{
	uint32_t start = (uint32_t)rdtsc();

	for (unsigned i = 0; i < 100; i++)
		__asm__ volatile("");
	return (uint32_t)rdtsc() - start;
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

static void hpet_write(unsigned reg, uint32_t v)
{
	hpet[reg / 4] = v;
}

void turns_pace(uint32_t ns)
{
	uint32_t beat = ns / HPET_NS;

	if (!hpet)
		return;
	hpet_write(HPET_TIMER_CONFIG(BEAT), HPET_PERIODIC | HPET_SET_AT);
	hpet_write(HPET_TIMER_AT(BEAT), hpet[HPET_COUNTER / 4] + beat);
	hpet_write(HPET_TIMER_AT(BEAT), beat);
}

void turns_init(void)
{
	if (!cmdline_is("turns", "on"))
		return;
	if (ncpu == 1 || acpi->hpet == 0)
		return;
	if (cpuid(0x40000000).ebx != TCG || !turns_counted())
		return;
	hpet = map_device(acpi->hpet, HPET_SIZE);
	hpet_write(HPET_TIMER_CONFIG(END_TURN), 0);
	hpet_write(HPET_CONFIG, HPET_ENABLE);
	printk("turns: an emulator runs the CPUs in turn\n");
	turns_pace(TURNS_SLOW);
}

/*
 * End this CPU's turn: the time that is set has gone by, so the timer is due at once. Of two CPUs
 * the second may not: after its turns the first would use up each beat.
 */
UNSEEN static inline void turns_end(void)
{
	if (ncpu > 2 || cpu_id() == 0)
		hpet_write(HPET_TIMER_AT(END_TURN), 0);
}

UNSEEN static void turns_arm_each(uint32_t cycles)
{
	turns_armed[true](cycles);
	turns_end();
}

UNSEEN static void turns_arm_shared(uint32_t cycles)
{
	turns_armed[false](cycles);
	turns_end();
}

const struct timer *turns_timer(const struct timer *t)
{
	static void (*const arm[])(uint32_t) = {turns_arm_shared, turns_arm_each};
	static struct timer timers[nelem(arm)];
	struct timer *in_turn = &timers[t->percpu];

	if (!hpet)
		return t;
	*in_turn = *t;
	in_turn->turns = true;
	in_turn->arm = arm[t->percpu];
	turns_armed[t->percpu] = t->arm;
	return in_turn;
}
