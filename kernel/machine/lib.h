/* Two words that every file may need. */
#pragma once

#define nelem(a) (sizeof(a) / sizeof((a)[0]))

/* Marks a function whose entry is not counted: one that runs in ticks, or too early. */
#define UNSEEN __attribute__((no_instrument_function))
