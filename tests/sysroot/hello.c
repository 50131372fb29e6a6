/*
 * A program as others write them: several files, floating point, memory, files, sorting, jumps,
 * signals, directories, time, and a call that the kernel may lack. tests/e2e/sysroot.t knows what
 * it prints.
 */
#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "words.h"

static jmp_buf back;
static volatile sig_atomic_t caught;

static void catch(int sig)
{
	caught = sig;
}

static void numbers(void)
{
	double x = strtod("2.5e-1", NULL);
	div_t d = div(17, 5);

	printf("%f %.15g %e %.3f\n", sqrt(2), atan2(1, 1) * 4, exp(x), pow(3, 0.5));
	printf("%d %d %lld %zu\n", d.quot, d.rem, 1LL << 40, sizeof(off_t));
}

static void files(const char *name)
{
	struct word *words;
	struct stat st;
	FILE *f = fopen(name, "w+");
	size_t n;

	fputs("the cat and the dog and the bird\n", f);
	rewind(f);
	n = words_read(f, &words);
	fclose(f);
	stat(name, &st);
	printf("%zu words, most often %s and %s, in %ld bytes\n", n, words[0].text, words[1].text,
	       (long)st.st_size);
	printf("%d ", unlink(name));
	puts(fopen(name, "r") ? "still there" : strerror(errno));
}

static void folder(const char *name)
{
	struct dirent *e;
	DIR *d = opendir(name);
	int n = 0;

	while (d && (e = readdir(d)))
		n += strcmp(e->d_name, "hello.c") == 0 || strcmp(e->d_name, "words.c") == 0;
	if (d)
		closedir(d);
	printf("%d of 2 names\n", n);
}

static void matches(void)
{
	regmatch_t m[2];
	regex_t re;

	regcomp(&re, "([0-9]+) *apples", REG_EXTENDED);
	printf("%d", regexec(&re, "say 42 apples", 2, m, 0));
	printf(" %d-%d\n", (int)m[1].rm_so, (int)m[1].rm_eo);
}

/* A sleep takes as long as it says, also where what is left goes to where the length is. */
static void sleeps(void)
{
	struct timespec start, end, length = {0, 30000000};
	int n;

	clock_gettime(CLOCK_MONOTONIC, &start);
	usleep(20000);
	nanosleep(&length, &length);
	clock_gettime(CLOCK_MONOTONIC, &end);
	signal(SIGALRM, catch);
	alarm(1);
	length = (struct timespec){3, 500000000};
	n = nanosleep(&length, &length);
	end.tv_sec -= start.tv_sec;
	end.tv_nsec -= start.tv_nsec;
	printf("%d with %d left, slept %d\n", n, (int)length.tv_sec,
	       end.tv_sec * 1000 + end.tv_nsec / 1000000 >= 50);
}

int main(int argc, char **argv)
{
	time_t day = 86400 * 365;
	int n;

	setlocale(LC_ALL, "");
	numbers();
	files("/tmp/words");
	folder(argc > 1 ? argv[1] : ".");
	matches();
	signal(SIGUSR1, catch);
	raise(SIGUSR1);
	printf("caught %d\n", caught == SIGUSR1);
	sleeps();
	if (setjmp(back) == 0)
		longjmp(back, 7);
	puts(asctime(gmtime(&day)));
	n = chroot("/") + chroot("/");
	printf("%d %s\n", n, strerror(errno));
	return argc > 2 ? atoi(argv[2]) : 0;
}
