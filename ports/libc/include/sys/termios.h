/* The console's modes; the numbers are Linux's. */
#ifndef _SYS_TERMIOS_H
#define _SYS_TERMIOS_H

#include <sys/types.h>
#include <sys/ioctl.h>

#define NCCS 19

typedef unsigned int tcflag_t, speed_t;
typedef unsigned char cc_t;

struct termios {
	tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
	cc_t c_line, c_cc[NCCS];
};

#define VINTR 0
#define VQUIT 1
#define VERASE 2
#define VKILL 3
#define VEOF 4
#define VTIME 5
#define VMIN 6
#define VSTART 8
#define VSTOP 9
#define VSUSP 10

#define BRKINT 0000002
#define INPCK 0000020
#define ISTRIP 0000040
#define INLCR 0000100
#define ICRNL 0000400
#define IXON 0002000

#define OPOST 0000001
#define ONLCR 0000004

#define CS8 0000060

#define ISIG 0000001
#define ICANON 0000002
#define ECHO 0000010
#define ECHOE 0000020
#define ECHOK 0000040
#define ECHONL 0000100
#define IEXTEN 0100000

#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2

int tcgetattr(int fd, struct termios *modes);
int tcsetattr(int fd, int when, const struct termios *modes);

#endif
