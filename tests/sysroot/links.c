/* W3: names that lead to other files, by newlib's functions. */
#include <utime.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	char target[20] = "", path[1024];
	struct stat st;
	FILE *f;

	mkdir("/tmp/here", 0755);
	chdir("/tmp/here");
	f = fopen("file", "w");
	fputs("text", f);
	fclose(f);
	printf("%d %d ", symlink("../here/./file", "l"), link("file", "other"));
	printf("%d %s\n", (int)readlink("l", target, sizeof(target)), target);
	lstat("l", &st);
	printf("%d %d ", S_ISLNK(st.st_mode), (int)st.st_size);
	stat("l", &st);
	printf("%d %d %d\n", S_ISREG(st.st_mode), (int)st.st_size, (int)st.st_nlink);
	printf("%s %s\n", realpath("l", path), realpath("#c/.././null", NULL));
	printf("%d ", symlink("loop", "loop"));
	printf("%s\n", realpath("loop", path) ? path : strerror(errno));
	printf("%d ", readlink("file", target, sizeof(target)));
	printf("%s\n", strerror(errno));
	printf("%d ", open("l", O_RDONLY | O_NOFOLLOW));
	printf("%s ", strerror(errno));
	printf("%d ", open("file", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_SYNC) > 2);
	printf("%d\n", (uid_t)-1 == -1 && (gid_t)-1 == -1);
	printf("%d ", link("/tmp", "new"));
	printf("%s\n", strerror(errno));
	return 0;
}
