/* poll(2), by an older name of the header. */
#ifndef _SYS_POLL_H
#define _SYS_POLL_H

#include <poll.h>

#endif
