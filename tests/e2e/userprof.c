/*
 * A program to be profiled: functions that are called a known number of times, and of which
 * one takes nearly all the time. Its argument says what to do besides.
 * Flags: -pg
 */
#include <sys/gmon.h>
#include <sys/wait.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SEEN __attribute__((noinline, noclone))

static volatile unsigned sink;

static SEEN void leaf(void)
{
	sink++;
}

static SEEN void heavy(void)
{
	for (unsigned i = 0; i < 2000000; i++)
		sink += i;
}

static SEEN void middle(void)
{
	for (int i = 0; i < 100; i++)
		leaf();
}

static SEEN void work(void)
{
	for (int i = 0; i < 10; i++)
		middle();
	for (int i = 0; i < 30; i++)
		heavy();
	leaf();
}

/* What is done while it is off leaves no trace, and on and on again is nothing new. */
static SEEN void paused(void)
{
	moncontrol(0);
	moncontrol(0);
	work();
	moncontrol(1);
	moncontrol(1);
}

/* monitor() with a buffer of its own, for all of the text that is from heavy() on. */
static SEEN void by_hand(void)
{
	static unsigned buffer[65536];
	extern char etext[];

	_mcleanup();
	monitor((int (*)(void))heavy, (int (*)(void))etext, buffer, sizeof(buffer), 0);
	work();
	monitor(NULL, NULL, NULL, 0, 0);
	rename("gmon.out", "by-hand.out");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "paused") == 0)
		paused();
	if (strcmp(what, "by-hand") == 0)
		by_hand();
	else
		work();
	puts("done");
	return 3;
}
