/* The battery-backed clock. */
#pragma once

#include <stdint.h>

/* The clock's registers as read, in the order of their names, and status register B. */
struct rtc_raw {
	uint8_t second, minute, hour, day, month, year, century, status_b;
};

/* Return the seconds since 1970, UTC; 0 if the clock does not answer or shows no date. */
int64_t rtc_time(void);

/* Return the registers' time in such seconds; century 0 stands for the years 1970 to 2069. */
int64_t rtc_decode(const struct rtc_raw *raw);
