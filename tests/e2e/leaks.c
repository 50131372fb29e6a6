/*
 * A program whose memory is known: lines that end with an equals sign and two numbers say
 * what mprof(1) has to show beside them: bytes that are not freed, and the most at a time.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *volatile kept;

static void __attribute__((noipa)) forget(void)
{
	kept = malloc(100); /* = 1000 1000 */
}

static void *__attribute__((noipa)) lend(size_t n)
{
	return malloc(n); /* = 0 5000 */
}

/* Each round has more than the one before. */
static void __attribute__((noipa)) grow(void)
{
	char *p = NULL;

	for (size_t n = 1; n <= 3000; n++)
		p = realloc(p, n); /* = 0 3000 */
	free(p);
}

int main(void)
{
	void *p[5];

	for (int i = 0; i < 10; i++)
		forget();
	for (int i = 0; i < 5; i++)
		p[i] = lend(1000);
	for (int i = 0; i < 5; i++)
		free(p[i]);
	grow();
	kept = strdup("seven"); /* = 6 6 */
	kept = calloc(3, 11); /* = 33 33 */
	if (fork() == 0) {
		free(kept); /* that is a copy */
		_exit(0);
	}
	return 0;
}
