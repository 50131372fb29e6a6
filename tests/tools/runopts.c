/* tools/run/runopts.c: command lines of gnomon run, right and wrong. */
#include <getopt.h>
#include "tests/test.h"
#include "tools/run/runopts.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))
#define MAXWORD 8

/* Parse up to MAXWORD words; they have to be writable, as argv is. */
static int parse(struct runopts *o, const char *const *word, struct complaint *why)
{
	static char text[MAXWORD + 1][64];
	static char *argv[MAXWORD + 2];
	int n = 1;

	snprintf(text[0], sizeof(text[0]), "run");
	argv[0] = text[0];
	for (; n <= MAXWORD && word[n - 1]; n++) {
		snprintf(text[n], sizeof(text[n]), "%s", word[n - 1]);
		argv[n] = text[n];
	}
	argv[n] = NULL;
	optind = 0;
	return runopts_parse(o, n, argv, why);
}

/* A wrong command line, and a part of the message about it. */
static const struct {
	const char *word[MAXWORD];
	const char *why;
} wrong[] = {
	{{NULL}, "nothing to run"},
	{{"-v"}, "nothing to run"},
	{{"-s", "x", "ls"}, "cannot both"},
	{{"-s"}, "-s: an argument is missing"},
	{{"--mem"}, "--mem: an argument is missing"},
	{{"-z", "ls"}, "-z: no such option"},
	{{"--repeat", "0", "ls"}, "--repeat 0: should be a number from 1"},
	{{"--repeat", "2x", "ls"}, "--repeat 2x: should be a number"},
	{{"--seed", "-1", "ls"}, "--seed -1: should be a number from 0"},
	{{"--frob", "ls"}, "--frob: no such option"},
	{{"-t", "0", "ls"}, "-t 0:"},
	{{"-t", "-1", "ls"}, "-t -1:"},
	{{"-t", "soon", "ls"}, "-t soon:"},
	{{"-t", "1s", "ls"}, "-t 1s:"},
	{{"-t", "nan", "ls"}, "-t nan:"},
	{{"-t", "inf", "ls"}, "-t inf:"},
	{{"-f", "", "ls"}, "-f :"},
	{{"-f", "/dev/", "ls"}, "should be GUESTFILE"},
	{{"-f", "/dev/x:", "ls"}, "should be GUESTFILE"},
	{{"-f", ":x", "ls"}, "should be GUESTFILE"},
	{{"-f", "/x:../y", "ls"}, "without a slash"},
	{{"-f", "/x:..", "ls"}, "should be GUESTFILE"},
	{{"-f", "/dev/version", "ls"}, "should be GUESTFILE"},
	{{"-f", "/a/x", "-f", "/b/x", "ls"}, "a second file called x"},
	{{"-p", "x", "ls"}, "should be FILE:GUESTPATH"},
	{{"-p", "x:y", "ls"}, "should be FILE:GUESTPATH"},
	{{"-p", ":/y", "ls"}, "should be FILE:GUESTPATH"},
	{{"-p", "x:/y/", "ls"}, "should be FILE:GUESTPATH"},
	{{"--smp", "0", "ls"}, "--smp 0: should be a number from 1 to 64"},
	{{"--smp", "two", "ls"}, "from 1 to 64"},
	{{"--smp", "65", "ls"}, "from 1 to 64"},
	{{"--mem", "1", "ls"}, "--mem 1: should be a number from 6 to 4095"},
	{{"--mem", "5", "ls"}, "from 6 to 4095"},
	{{"--mem", "4096", "ls"}, "from 6 to 4095"},
	{{"--mem", " 64", "ls"}, "from 6 to 4095"},
	{{"--mem", "64M", "ls"}, "from 6 to 4095"},
	{{"--icount", "11", "ls"}, "0 to 10"},
	{{"--icount", "", "ls"}, "0 to 10"},
};

static void refused(void **state)
{
	struct complaint why;
	struct runopts o;
	size_t i;

	for (i = 0; i < nelem(wrong); i++) {
		assert_int_equal(parse(&o, wrong[i].word, &why), RUNOPTS_WRONG);
		if (!strstr(why.text, wrong[i].why))
			fail_msg("\"%s\" does not tell \"%s\"", why.text, wrong[i].why);
	}
}

/* The defaults: a run that can be repeated bit by bit. */
static void defaults(void **state)
{
	static const char *const word[] = {"ls", "-l", "/dev", NULL};
	struct complaint why;
	struct runopts o;

	assert_int_equal(parse(&o, word, &why), RUNOPTS_OK);
	assert_int_equal(o.ncommand, 3);
	assert_string_equal(o.command[1], "-l");
	assert_int_equal(o.limit_ns, 60000000000ull);
	assert_string_equal(o.machine.icount, "3");
	assert_string_equal(o.machine.smp, "1");
	assert_string_equal(o.machine.accel, "tcg");
	assert_string_equal(o.machine.cpu, "max");
	assert_true(o.machine.folder);
	assert_null(o.script);
}

/* Files to fetch and to put. */
static void files(void **state)
{
	static const char *const word[] = {
		"-f", "/dev/kpdata", "-f", "/a:b/x:y", "-p", "C:/x:/tmp/x", "-", NULL,
	};
	struct complaint why;
	struct runopts o;

	assert_int_equal(parse(&o, word, &why), RUNOPTS_OK);
	assert_int_equal(o.nfetch, 2);
	assert_string_equal(o.fetch[0].guest, "/dev/kpdata");
	assert_string_equal(o.fetch[0].name, "kpdata");
	assert_string_equal(o.fetch[1].guest, "/a:b/x");
	assert_string_equal(o.fetch[1].name, "y");
	assert_int_equal(o.nput, 1);
	assert_string_equal(o.put[0].host, "C:/x");
	assert_string_equal(o.put[0].guest, "/tmp/x");
	assert_string_equal(o.script, "-");
}

/* The smallest and the largest machine that the kernel runs on. */
static void bounds(void **state)
{
	static const char *const least[] = {"--smp", "1", "--mem", "6", "ls", NULL};
	static const char *const most[] = {"--smp", "8", "--mem", "4095", "ls", NULL};
	struct complaint why;
	struct runopts o;

	assert_int_equal(parse(&o, least, &why), RUNOPTS_OK);
	assert_string_equal(o.machine.mem, "6");
	assert_int_equal(parse(&o, most, &why), RUNOPTS_OK);
	assert_string_equal(o.machine.smp, "8");
}

/* Only QEMU's emulator counts instructions; with another accelerator it must be asked for. */
static void icount(void **state)
{
	static const struct { const char *word[MAXWORD], *icount; } row[] = {
		{{"--accel", "tcg,thread=single", "ls"}, "3"},
		{{"--accel", "kvm", "ls"}, "off"},
		{{"--accel", "kvm", "--icount", "5", "ls"}, "5"},
		{{"--icount", "off", "ls"}, "off"},
		{{"--icount", "auto", "-t", "0.5", "ls"}, "auto"},
	};
	struct complaint why;
	struct runopts o;
	size_t i;

	for (i = 0; i < nelem(row); i++) {
		assert_int_equal(parse(&o, row[i].word, &why), RUNOPTS_OK);
		assert_string_equal(o.machine.icount, row[i].icount);
	}
	assert_int_equal(o.limit_ns, 500000000);
}

/* The environment has a QEMU for all, and how much longer a busy host takes. */
static void environment(void **state)
{
	static const char *const plain[] = {"-t", "2", "ls", NULL};
	static const char *const named[] = {"--qemu", "mine", "ls", NULL};
	struct complaint why;
	struct runopts o;

	setenv("QEMU", "/opt/qemu", 1);
	setenv("GNOMON_PATIENCE", "7", 1);
	assert_int_equal(parse(&o, plain, &why), RUNOPTS_OK);
	assert_string_equal(o.machine.qemu, "/opt/qemu");
	assert_int_equal(o.limit_ns, 14000000000);
	assert_int_equal(parse(&o, named, &why), RUNOPTS_OK);
	assert_string_equal(o.machine.qemu, "mine");
	setenv("QEMU", "", 1);
	setenv("GNOMON_PATIENCE", "long", 1);
	assert_int_equal(parse(&o, plain, &why), RUNOPTS_OK);
	assert_string_equal(o.machine.qemu, "qemu-system-i386");
	assert_int_equal(o.limit_ns, 2000000000);
	unsetenv("QEMU");
	unsetenv("GNOMON_PATIENCE");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused), cmocka_unit_test(defaults), cmocka_unit_test(files),
		cmocka_unit_test(bounds), cmocka_unit_test(icount), cmocka_unit_test(environment),
	};

	unsetenv("QEMU");
	unsetenv("GNOMON_PATIENCE");
	return RUN(tests, NULL, NULL);
}
