/* The two users, of whom the kernel knows the numbers: kernel/abi/stat.h. */
#include <pwd.h>
#include <string.h>
#include <unistd.h>

static struct passwd users[2] = {
	{"eve", "*", 0, 0, "", "host owner", "/", "/bin/sh"},
	{"none", "*", 1, 1, "", "everybody else", "/", "/bin/sh"},
};
static unsigned next;

struct passwd *getpwuid(uid_t uid)
{
	return uid < 2 ? &users[uid] : NULL;
}

struct passwd *getpwent(void)
{
	return getpwuid((uid_t)next++);
}

void setpwent(void)
{
	next = 0;
}

void endpwent(void) __attribute__((alias("setpwent")));

struct passwd *getpwnam(const char *name)
{
	struct passwd *user;
	uid_t uid;

	for (uid = 0; (user = getpwuid(uid)) && strcmp(user->pw_name, name) != 0; uid++)
		;
	return user;
}

char *getlogin(void)
{
	return getpwuid(getuid())->pw_name;
}

/* No program has another's rights. */
int issetugid(void)
{
	return 0;
}
