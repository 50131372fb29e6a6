/* clock(3) counts in the kernel's clock ticks, as times(2) does. */
#ifndef _MACHTIME_H_
#define _MACHTIME_H_

#define _CLOCKS_PER_SEC_ 100

#endif
