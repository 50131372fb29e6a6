/* Time since boot and of day. */
#pragma once

#include <stdint.h>

void time_init(uint64_t tsc_hz, int64_t unix_time);
uint64_t time_ns(void);		       /* since time_init, from the TSC */
uint64_t time_cycles(uint64_t cycles); /* TSC cycles in ns */
uint32_t time_tsc_khz(void);
int64_t time_unix(void); /* seconds since 1970 now */
const void *time_page(void); /* the page by which programs tell the time: abi/timepage.h */
uint64_t time_start(void); /* the TSC at time 0: hardly the same in any two starts */
/* Set *deadline to now + sec + part/parts seconds. -EINVAL if one of them is out of range. */
int time_after(int64_t sec, int32_t part, uint32_t parts, uint64_t *deadline);
