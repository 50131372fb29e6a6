/* What this kernel is made of: the devices it serves, its console, the clock of its profilers. */
#include "boot/devtab.h"
#include "drivers/clock/profspan.h"
#include "drivers/files/devices.h"
#include "drivers/files/devroot.h"
#include "kernel/machine/cmdline.h"
#include "kernel/prof/profil.h"

/* How the profiling clock interrupts unless delivery= or kpctl asks for the other way. */
#define DEFAULT_DELIVERY "nmi"

extern const struct dev testdev __attribute__((weak));

const struct dev *const devtab[] = {
	&rootdev,  /* '/' */
	&consdev,  /* 'c' */
	&eiadev,   /* 't' */
	&procdev,  /* 'p' */
	&kprofdev, /* 'T' */
	&gmondev,  /* 'G' */
	&prfdev,   /* 'F' */
	&profdev,  /* 'P' */
	&ninepdev, /* '9' */
	&audiodev, /* 'A' */
	&testdev,  /* 'X', in the tests' kernel only; else NULL */
};

const unsigned devtab_count = nelem(devtab);

/* The command line may say delivery=nmi or irq, and a seed. */
void profilers_clock(const struct timer *t, const char *why)
{
	char delivery[8] = DEFAULT_DELIVERY, word[12];
	unsigned seed = 0;

	cmdline_get("delivery", delivery, sizeof(delivery));
	if (strcmp(delivery, "nmi") != 0 && strcmp(delivery, "irq") != 0)
		printk("profclock: no delivery \"%s\", by nmi it is\n", delivery);
	if (cmdline_get("seed", word, sizeof(word)) && !parse_uint(word, &seed))
		printk("profclock: no number \"%s\", the seed is 0\n", word);
	profclock_init(t, delivery, seed, why);
	profspan_describe();
	profil_clock(profclock_change);
}
