/* `#c`: the console and other small files of the system. */
#ifndef DRIVERS_DEVCONS_H
#define DRIVERS_DEVCONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dev.h"

extern const struct dev consdev; /* 'c' */

/* From the keyboard's driver, interrupt handler or not, in order: n bytes were typed. */
void cons_input(const uint8_t *s, size_t n);

/* Who sends the console's output; it may sleep. Until this is called output is dropped. */
void cons_output(void (*write)(const char *s, size_t n));

/*
 * How to make cons_input()'s caller wait when so much was typed ahead that bytes
 * would be lost: true stops it, false lets it go on. Called from cons_input() too.
 */
void cons_throttle(void (*hold)(bool stop));

#endif
