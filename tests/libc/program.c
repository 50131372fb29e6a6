/* A program's arguments, environment, messages and end, and sysctl(3). */
#include <errno.h>
#include <unistd.h>
#include "tests/libc/gn.h"

static jmp_buf ended;
static int ended_with;

static void on_exit_hook(int status)
{
	ended_with = status;
	longjmp(ended, 1);
}

static int set_up(void **state)
{
	fake_reset();
	fake_exit = on_exit_hook;
	gn_environ = NULL;
	gn_setprogname("/bin/prog");
	return 0;
}

/* What getopt makes of a command line, in one line: letters, arguments, index at the end. */
static void options_text(char *const *argv, const char *letters, char *out, size_t size)
{
	int argc = 0, c;
	size_t n = 0;

	while (argv[argc])
		argc++;
	gn_optind = 1;
	while ((c = gn_getopt(argc, argv, letters)) != -1) {
		n += (size_t)snprintf(out + n, size - n, "%c", c);
		if (c == '?' || c == ':')
			n += (size_t)snprintf(out + n, size - n, "(%c)", gn_optopt);
		else if (gn_optarg)
			n += (size_t)snprintf(out + n, size - n, "=%s", gn_optarg);
		n += (size_t)snprintf(out + n, size - n, " ");
	}
	snprintf(out + n, size - n, "@%d", gn_optind);
}

static void options(void **state)
{
	static const struct {
		char *argv[7];
		const char *letters, *result;
	} row[] = {
		{{"p"}, "ab", "@1"},
		{{"p", "-a", "-b", "x"}, "ab", "a b @3"},
		{{"p", "-ab", "x", "-a"}, "ab", "a b @2"},
		{{"p", "-ofile", "-o", "other", "x"}, "o:", "o=file o=other @4"},
		{{"p", "-abfile"}, "ab:", "a b=file @2"},
		{{"p", "-a", "--", "-b"}, "ab", "a @3"},
		{{"p", "-a", "-", "-b"}, "ab", "a @2"},
		{{"p", "-x", "-a"}, "a", "?(x) a @3"},
		{{"p", "-o"}, "o:", "?(o) @2"},
		{{"p", "-o"}, ":o:", ":(o) @2"},
		{{"p", "-x"}, ":o:", "?(x) @2"},
		{{"p", "-:"}, "o:", "?(:) @2"},
		{{"p", "-o", "-a"}, "o:a", "o=-a @3"},
		{{"p", "-a-"}, "a", "a ?(-) @2"},
	};
	char buf[100];

	for (size_t i = 0; i < nelem(row); i++) {
		options_text(row[i].argv, row[i].letters, buf, sizeof(buf));
		assert_string_equal(buf, row[i].result);
	}
	assert_int_equal(fake_file[2].writes, 4);
	fake_reset();
	options_text((char *[]){"p", "-x", NULL}, "a", buf, sizeof(buf));
	assert_string_equal(fake_file[2].data, "prog: unknown option -- x\n");
	fake_reset();
	options_text((char *[]){"p", "-a", NULL}, "a:", buf, sizeof(buf));
	assert_string_equal(fake_file[2].data, "prog: option requires an argument -- a\n");
	gn_opterr = 0;
	fake_reset();
	options_text((char *[]){"p", "-x", NULL}, "a", buf, sizeof(buf));
	assert_int_equal(fake_file[2].writes, 0);
	gn_opterr = 1;
}

static void environment(void **state)
{
	static char own[] = "OWN=1", none[] = "AB";
	char *initial[] = {"A=1", "AB=2", "A=3", NULL};
	char name[16];

	assert_null(gn_getenv("A"));
	assert_int_equal(gn_unsetenv("A"), 0);
	gn_environ = initial;
	assert_string_equal(gn_getenv("A"), "1");
	assert_string_equal(gn_getenv("AB"), "2");
	assert_null(gn_getenv("B"));
	assert_null(gn_getenv(""));
	assert_int_equal(gn_setenv("A", "9", 0), 0);
	assert_string_equal(gn_getenv("A"), "1");
	assert_int_equal(gn_setenv("A", "9", 1), 0);
	assert_string_equal(gn_getenv("A"), "9");
	assert_int_equal(gn_putenv(own), 0);
	own[4] = '7';
	assert_string_equal(gn_getenv("OWN"), "7");
	assert_int_equal(gn_unsetenv("A"), 0);
	assert_null(gn_getenv("A"));
	assert_string_equal(gn_getenv("AB"), "2");
	assert_int_equal(gn_putenv(none), 0);
	assert_null(gn_getenv("AB"));
	assert_int_equal(gn_setenv("", "x", 1), -1);
	assert_int_equal(gn_errno, EINVAL);
	assert_int_equal(gn_setenv("X=Y", "x", 1), -1);
	assert_int_equal(gn_unsetenv(""), -1);
	for (int i = 0; i < 50; i++) {
		snprintf(name, sizeof(name), "V%d", i);
		assert_int_equal(gn_setenv(name, name, 1), 0);
	}
	for (int i = 0; i < 50; i++) {
		snprintf(name, sizeof(name), "V%d", i);
		assert_string_equal(gn_getenv(name), name);
	}
	assert_string_equal(gn_getenv("OWN"), "7");
}

/* Setting a variable again and again takes no more memory. */
static void environment_is_freed(void **state)
{
	size_t used;

	gn_setenv("V", "value", 1);
	used = fake_break_used();
	for (int i = 0; i < 10000; i++)
		assert_int_equal(gn_setenv("V", "a rather long value for a variable", 1), 0);
	assert_int_equal(fake_break_used(), used);
}

static void programs(void **state)
{
	char *argv[] = {"x", NULL};

	assert_int_equal(gn_execvp("x", argv), -1);
	assert_int_equal(gn_errno, ENOENT);
	assert_string_equal(fake_exec, "/bin/x\n");
	fake_reset();
	gn_execvp("./x", argv);
	assert_string_equal(fake_exec, "./x\n");
	fake_reset();
	gn_setenv("PATH", "/a::/b", 1);
	gn_execvp("x", argv);
	assert_string_equal(fake_exec, "/a/x\nx\n/b/x\n");
	fake_reset();
	fake_exec_errno = EACCES;
	gn_execlp("x", "x", NULL);
	assert_int_equal(gn_errno, EACCES);
	assert_string_equal(fake_exec, "/a/x\nx\n/b/x\n");
	fake_reset();
	fake_exec_errno = E2BIG;
	gn_execvp("x", argv);
	assert_int_equal(gn_errno, E2BIG);
	assert_string_equal(fake_exec, "/a/x\n");
	fake_reset();
	gn_execvp("", argv);
	assert_int_equal(gn_errno, ENOENT);
	assert_string_equal(fake_exec, "");
}

static void messages(void **state)
{
	static char *argv[] = {"/bin/other", NULL};

	gn_errno = ENOENT;
	gn_warn("%s", "/a/file");
	gn_warnx("%d words", 3);
	assert_string_equal(fake_file[2].data,
			    "prog: /a/file: No such file or directory\nprog: 3 words\n");
	assert_int_equal(fake_file[2].writes, 2);
	fake_reset();
	gn_errno = EIO;
	gn_perror("this");
	gn_perror(NULL);
	assert_string_equal(fake_file[2].data, "this: Input/output error\nInput/output error\n");
	fake_reset();
	gn_errno = EIO;
	if (setjmp(ended) == 0)
		gn_err(4, NULL);
	assert_int_equal(ended_with, 4);
	assert_string_equal(fake_file[2].data, "prog: Input/output error\n");
	gn___argv = argv;
	gn_setprogname("plain");
	assert_string_equal(gn_getprogname(), "plain");
}

static char order[8];

static void first(void)
{
	strcat(order, "1");
}

static void second(void)
{
	strcat(order, "2");
	gn_fputs("from atexit ", gn_stdout);
	gn_atexit(first);
}

/* exit() calls the functions, the last one first, then writes what the streams hold. */
static void ends(void **state)
{
	gn_atexit(first);
	gn_atexit(second);
	gn_fputs("kept ", gn_stdout);
	assert_int_equal(fake_file[1].len, 0);
	if (setjmp(ended) == 0)
		gn_exit(3);
	assert_int_equal(ended_with, 3);
	assert_string_equal(order, "211");
	assert_string_equal(fake_file[1].data, "kept from atexit ");
	for (int i = 0; i < 32; i++)
		assert_int_equal(gn_atexit(first), 0);
	assert_int_equal(gn_atexit(first), -1);
	assert_int_equal(gn_errno, ENOMEM);
}

#define STATE "/sysctl/kern/profiling/state"

/* G9: sysctl(3) over the files that the kernel serves. */
static void sysctl_reads(void **state)
{
	const int mib[] = {1, 16, 0};
	char buf[8] = "xxxxxxx";
	size_t len = sizeof(buf);

	fake_make(3, STATE, "\1\2\3\4");
	assert_int_equal(gn_sysctlbyname("kern.profiling.state", buf, &len, NULL, 0), 0);
	assert_int_equal(len, 4);
	assert_memory_equal(buf, "\1\2\3\4xxx", 7);
	len = 0;
	assert_int_equal(gn_sysctl(mib, 3, NULL, &len, NULL, 0), 0);
	assert_int_equal(len, 4);
	len = 4;
	assert_int_equal(gn_sysctl(mib, 3, buf, &len, NULL, 0), 0);
	assert_int_equal(len, 4);
	memset(buf, 'x', 7);
	len = 3;
	assert_int_equal(gn_sysctl(mib, 3, buf, &len, NULL, 0), -1);
	assert_int_equal(gn_errno, ENOMEM);
	assert_memory_equal(buf, "\1\2\3xxxx", 7);
	fake_file[3].most = 1;
	len = sizeof(buf);
	assert_int_equal(gn_sysctl(mib, 3, buf, &len, NULL, 0), 0);
	assert_int_equal(len, 4);
	fake_file[3].fail = EIO;
	assert_int_equal(gn_sysctl(mib, 3, buf, &len, NULL, 0), -1);
	assert_int_equal(gn_errno, EIO);
	assert_int_equal(fake_file[3].flags, -1);
}

static void sysctl_writes(void **state)
{
	char buf[4];
	size_t len = sizeof(buf);

	fake_make(3, STATE, "old!");
	assert_int_equal(gn_sysctlbyname("kern.profiling.state", buf, &len, "new!", 4), 0);
	assert_memory_equal(buf, "old!", 4);
	assert_memory_equal(fake_file[3].data, "new!", 4);
	/* If the old value does not fit, nothing is set. */
	len = 1;
	assert_int_equal(gn_sysctlbyname("kern.profiling.state", buf, &len, "nay!", 4), -1);
	assert_memory_equal(fake_file[3].data, "new!", 4);
	fake_file[3].denied = 1;
	assert_int_equal(gn_sysctlbyname("kern.profiling.state", NULL, NULL, "nay!", 4), -1);
	assert_int_equal(gn_errno, EPERM);
	fake_file[3].denied = 0;
	fake_file[3].most = 2;
	assert_int_equal(gn_sysctlbyname("kern.profiling.state", NULL, NULL, "both", 4), -1);
	assert_int_equal(gn_errno, EINVAL);
}

static void sysctl_names(void **state)
{
	static const char *const wrong[] = {
		"",
		".",
		"kern..profiling",
		"kern.",
		".kern",
		"kern/profiling/state",
		"../etc",
		"kern.nothing",
		"a.very.long.name.that.goes.on.and.on.until.it.is.too.long.for.us",
	};
	static const struct {
		int mib[3];
		unsigned n;
		int error;
	} row[] = {
		{{1, 16, 5}, 3, ENOENT},  {{1, 16, -1}, 3, ENOENT}, {{1, 17, 0}, 3, ENOENT},
		{{2, 16, 0}, 3, ENOENT},  {{1, 16, 0}, 2, EISDIR},  {{1, 16, 0}, 1, EINVAL},
		{{1, 16, 0}, 13, EINVAL},
	};
	size_t len = 0;

	fake_make(3, "/sysctl/kern", "")->dir = 1;
	fake_make(4, "/sysctl/kern//profiling", ""); /* a kernel would find it */
	fake_make(5, "/sysctl/kern/", "");
	fake_make(6, "/sysctl//kern", "");
	for (size_t i = 0; i < nelem(wrong); i++) {
		gn_errno = 0;
		assert_int_equal(gn_sysctlbyname(wrong[i], NULL, &len, NULL, 0), -1);
		assert_int_equal(gn_errno, ENOENT);
	}
	assert_int_equal(gn_sysctlbyname("kern", NULL, &len, NULL, 0), -1);
	assert_int_equal(gn_errno, EISDIR);
	for (size_t i = 0; i < nelem(row); i++) {
		assert_int_equal(gn_sysctl(row[i].mib, row[i].n, NULL, &len, NULL, 0), -1);
		assert_int_equal(gn_errno, row[i].error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(options, set_up),
		cmocka_unit_test_setup(environment, set_up),
		cmocka_unit_test_setup(environment_is_freed, set_up),
		cmocka_unit_test_setup(programs, set_up),
		cmocka_unit_test_setup(messages, set_up),
		cmocka_unit_test_setup(ends, set_up),
		cmocka_unit_test_setup(sysctl_reads, set_up),
		cmocka_unit_test_setup(sysctl_writes, set_up),
		cmocka_unit_test_setup(sysctl_names, set_up),
	};

	return RUN(tests, NULL, NULL);
}
