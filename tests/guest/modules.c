/* The device prof(3) in the guest tests; see modules.h. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/guest/modules.h"
#include "tests/guest/tap.h"

int ctl(const char *words)
{
	return tap_say(MODULES "ctl", words);
}

/* Return the name of the next module's directory, or NULL. */
static const char *next(DIR *d)
{
	struct dirent *e;

	while ((e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' || strcmp(e->d_name, "ctl") == 0 ||
		    strcmp(e->d_name, "left") == 0)
			continue;
		must(strlen(e->d_name) == 8 && strspn(e->d_name, "0123456789abcdef") == 8);
		return e->d_name;
	}
	return NULL;
}

int modules(void)
{
	DIR *d = opendir(MODULES);
	int n = 0;

	must(d != NULL);
	while (next(d))
		n++;
	closedir(d);
	return n;
}

const char *modules_file(const char *module, const char *name)
{
	static char file[80];
	DIR *d = opendir(MODULES);
	const char *dir;

	must(d != NULL);
	while ((dir = next(d)) != NULL) {
		snprintf(file, sizeof(file), MODULES "%s/path", dir);
		if (module && strcmp(tap_read(file), module) != 0)
			continue;
		snprintf(file, sizeof(file), MODULES "%s/%s", dir, name);
		break;
	}
	closedir(d);
	return dir ? file : NULL;
}

uint64_t modules_column(const char *module, const char *name, int column, uint32_t lo, uint32_t hi)
{
	const char *file = modules_file(module, name);
	int k = 0, last = strcmp(name, "peak") == 0 ? 4 : 1;
	uint32_t word[5] = {0}; /* of a line */
	uint64_t total = 0;
	char buf[512];
	ssize_t n;

	must(file != NULL);
	int fd = open(file, O_RDONLY);
	must(fd >= 0);
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (isdigit((unsigned char)buf[i])) {
				word[k] = word[k] * 10 + (uint32_t)(buf[i] - '0');
				continue;
			}
			must(buf[i] == (k == last ? '\n' : ' '));
			if (k++ < last)
				continue;
			/* Of the kernel's coverage there are all functions, called or not. */
			must(word[last > 1 ? 3 : 1] > 0 || strcmp(module, KERNEL) == 0);
			total += word[0] >= lo && word[0] < hi ? word[column] : 0;
			memset(word, 0, sizeof(word));
			k = 0;
		}
	}
	must(n == 0 && k == 0);
	close(fd);
	return total;
}

uint64_t modules_sum(const char *module, const char *name, uint32_t lo, uint32_t hi)
{
	return modules_column(module, name, 1, lo, hi);
}
