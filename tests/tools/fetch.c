/* tools/run/fetch.c: files, output and status from sequences of frames, sensible and not. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/test.h"
#include "tools/run/fetch.h"
#include "tests/tools/framedata.h"

#define nelem(a) (sizeof(a) / sizeof((a)[0]))
#define ID "0123456789abcdef0123456789abcdef01234567"

static char dir[64];

/* All that the script has printed. */
static char printed[256];

static int output(void *arg, const uint8_t *p, size_t n)
{
	strncat(printed, (const char *)p, n);
	return 0;
}

/* Hand over a frame of a type with text as its payload. */
static int hand(struct fetch *x, char type, const char *text)
{
	struct frame f = {
		.type = type, .length = strlen(text), .payload = (const uint8_t *)text,
		.offset = 1234,
	};

	return fetch_frame(x, &f);
}

/* The start of a file. */
static int hand_file(struct fetch *x, uint64_t size, const char *file)
{
	uint8_t buf[256];
	struct frame f = {.type = 'F', .length = 8 + strlen(file), .payload = buf};

	framedata_number(buf, size, 8);
	memcpy(buf + 8, file, strlen(file));
	return fetch_frame(x, &f);
}

/* A fetch of two files into the test's folder. */
static void begin(struct fetch *x, struct fetch_file file[2])
{
	static struct progress none;

	file[0] = (struct fetch_file){.guest = "/dev/kpdata", .name = "kpdata"};
	file[1] = (struct fetch_file){.guest = "/tmp/x", .name = "y"};
	*x = (struct fetch){
		.dir = dir, .file = file, .nfile = 2, .keep_version = true, .output = output,
		.progress = &none,
	};
	printed[0] = 0;
}

/* The content of a file in the folder; "-" if there is none. */
static const char *content(const char *name)
{
	static char buf[512];
	char path[128];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (!f)
		return "-";
	n = fread(buf, 1, sizeof(buf) - 1, f);
	buf[n] = 0;
	fclose(f);
	return buf;
}

/* Everything goes well. */
static void good(void **state)
{
	struct fetch_file file[2];
	struct fetch x;

	begin(&x, file);
	assert_int_equal(hand(&x, 'V', "gnomon 0.1 " ID "\n"), 0);
	assert_int_equal(hand(&x, 'O', "one\n"), 0);
	assert_int_equal(hand(&x, 'O', ""), 0);
	assert_int_equal(hand(&x, 'O', "two\n"), 0);
	assert_int_equal(hand_file(&x, 10, "/dev/kpdata"), 0);
	assert_int_equal(hand(&x, 'D', "hello"), 0);
	assert_string_equal(content("kpdata"), "-");
	assert_string_equal(content(strrchr(x.out.temp, '/') + 1), "hello");
	assert_int_equal(hand(&x, 'D', "world"), 0);
	assert_string_equal(content("kpdata"), "helloworld");
	assert_string_equal(content("kpdata.part"), "-");
	assert_int_equal(hand_file(&x, 0, "/tmp/x"), 0);
	assert_int_equal(hand(&x, 'X', "\3"), -1);
	assert_false(x.ended);
	assert_int_equal(fetch_frame(&x, &(struct frame){.type = 'X', .length = 4,
				     .payload = (const uint8_t *)"\3\0\0"}), 0);
	fetch_finish(&x);
	assert_true(x.ended);
	assert_int_equal(x.status, 3);
	assert_int_equal(x.failed, 0);
	assert_string_equal(printed, "one\ntwo\n");
	assert_string_equal(content("y"), "");
	assert_string_equal(content("version"), "gnomon 0.1 " ID "\n");
	assert_string_equal(content("kpdata.run"), "build=" ID "\n");
	assert_string_equal(content("y.run"), "build=" ID "\n");
	assert_int_equal(hand(&x, 'O', "late"), -1);
}

/*
 * C5: what the guest says of its clock stands beside files, with the machine; lines about other
 * things do not, nor does anything old stay.
 */
static void clocks(void **state)
{
	static const char machine[] = "qemu=7.2.22\naccel=tcg\nmemory_mb=64\nicount=3\n";
	static const char info[] =
		"# kpinfo version=1 build=" ID " machine=M memory_kb=65536\n"
		"# profiler=any clock=pit delivery=nmi hz=1000 ticks=12 lost=2\n"
		"# cpu=0 ticks=12 lost=2\n"
		"# profiler=kprof x=\tcut";
	struct fetch_file file[2];
	char wanted[512];
	struct fetch x;

	begin(&x, file);
	x.run = (struct runinfo){
		.qemu = "7.2.22", .accel = "tcg", .memory_mb = 64, .icount = "3",
	};
	assert_int_equal(hand(&x, 'C', info), 0);
	assert_int_equal(hand_file(&x, 0, "/dev/kpdata"), 0);
	snprintf(wanted, sizeof(wanted), "%s%s", machine,
		 "profiler=any clock=pit delivery=nmi hz=1000 ticks=12 lost=2\n"
		 "cpu=0 ticks=12 lost=2\nprofiler=kprof x=_cut\n");
	assert_string_equal(content("kpdata.run"), wanted);
	begin(&x, file);
	assert_int_equal(hand(&x, 'C', ""), 0);
	assert_int_equal(hand_file(&x, 0, "/dev/kpdata"), 0);
	assert_string_equal(content("kpdata.run"), "-");
}

/* Lines that find no room are left out, whole. */
static void talkative(void **state)
{
	static char lines[20 * 1000 + 1];
	struct fetch_file file[2];
	struct fetch x;
	size_t i;

	begin(&x, file);
	for (i = 0; i < sizeof(lines) - 1; i++)
		lines[i] = i % 1000 == 999 ? '\n' : "# cpu="[i % 1000 % 6];
	assert_int_equal(hand(&x, 'C', lines), 0);
	assert_int_equal(strlen(x.clock), CLOCK_MAX / 998 * 998);
}

/* A kernel that does not say which it is: there is no build id then, not even an old one. */
static void nameless(void **state)
{
	struct fetch_file file[2];
	struct fetch x;

	good(state);
	begin(&x, file);
	assert_int_equal(hand(&x, 'V', "gnomon 0.1 0123\n"), 0);
	assert_string_equal(x.run.build, "");
	assert_int_equal(hand_file(&x, 1, "/dev/kpdata"), 0);
	assert_int_equal(hand(&x, 'D', "!"), 0);
	assert_string_equal(content("kpdata"), "!");
	assert_string_equal(content("kpdata.run"), "-");
}

/* A file that stops half-way: its part stays, the old file is left alone, the rest goes on. */
static void incomplete(void **state)
{
	struct fetch_file file[2];
	struct fetch x;

	good(state);
	begin(&x, file);
	assert_int_equal(hand_file(&x, 10, "/dev/kpdata"), 0);
	assert_int_equal(hand(&x, 'D', "half"), 0);
	assert_int_equal(hand(&x, 'E', "/dev/kpdata: I/O error"), 0);
	assert_int_equal(hand_file(&x, 1, "/tmp/x"), 0);
	assert_int_equal(hand(&x, 'D', "z"), 0);
	fetch_finish(&x);
	assert_int_equal(x.failed, 1);
	assert_string_equal(content("kpdata"), "helloworld");
	assert_string_equal(content("kpdata.part"), "half");
	assert_string_equal(content("y"), "z");
}

/* Files that never come, with and without a reason. */
static void missing(void **state)
{
	struct fetch_file file[2];
	struct fetch x;

	begin(&x, file);
	assert_int_equal(hand(&x, 'E', "/tmp/x: No such file"), 0);
	assert_false(x.left);
	assert_int_equal(hand(&x, 'B', ""), 0);
	assert_true(x.left);
	fetch_finish(&x);
	assert_int_equal(x.failed, 2);
}

/* Frames that make no sense are refused, with their place and the reason. */
static void nonsense(void **state)
{
	static const struct { char type; const char *text, *why; } row[] = {
		{'D', "data", "belong to no file"}, {'F', "short", "too short"},
		{'F', "12345678/etc/passwd", "nobody asked for the file /etc/passwd"},
		{'F', "12345678", "nobody asked"},  {'F', "12345678/dev/kpdat", "nobody asked"},
		{'X', "", "no 4 bytes"},	    {'X', "12345", "no 4 bytes"},
		{'Q', "", "unknown type 'Q'"},
	};
	struct fetch_file file[2];
	struct fetch x;
	char line[300];
	size_t i;

	for (i = 0; i < nelem(row); i++) {
		begin(&x, file);
		assert_int_equal(hand(&x, row[i].type, row[i].text), -1);
		assert_non_null(strstr(x.why.text, row[i].why));
		assert_non_null(strstr(x.why.text, "byte 1234:"));
	}
	begin(&x, file);
	assert_int_equal(hand_file(&x, 4, "/tmp/x"), 0);
	assert_int_equal(hand(&x, 'D', "12345"), -1);
	memset(line, 'v', sizeof(line) - 1);
	line[sizeof(line) - 1] = 0;
	fetch_finish(&x);
	begin(&x, file);
	assert_int_equal(hand(&x, 'V', line), -1);
}

/* A file that cannot be written is named. */
static void unwritable(void **state)
{
	struct fetch_file file[2];
	struct fetch x;

	begin(&x, file);
	x.dir = "/nowhere";
	assert_int_equal(hand(&x, 'V', "gnomon 0.1 " ID), -1);
	assert_int_equal(hand_file(&x, 10, "/dev/kpdata"), -1);
	assert_non_null(strstr(x.why.text, "cannot write /nowhere/kpdata: No such file"));
}

/* Each test starts with an empty folder. */
static int empty(void **state)
{
	static const char *const name[] = {
		"kpdata", "kpdata.part", "kpdata.run", "y", "y.part", "y.run", "version",
	};
	char path[128];
	size_t i;

	for (i = 0; i < nelem(name); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, name[i]);
		unlink(path);
	}
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(good, empty),	   cmocka_unit_test_setup(nameless, empty),
		cmocka_unit_test_setup(clocks, empty), cmocka_unit_test_setup(talkative, empty),
		cmocka_unit_test_setup(incomplete, empty), cmocka_unit_test_setup(missing, empty),
		cmocka_unit_test_setup(nonsense, empty),
		cmocka_unit_test_setup(unwritable, empty),
	};
	int failed;

	snprintf(dir, sizeof(dir), "/tmp/gnomon-fetch.%d", getpid());
	mkdir(dir, 0777);
	/* What it prints is not part of the test's output. */
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	failed = RUN(tests, NULL, NULL);
	empty(NULL);
	rmdir(dir);
	return failed;
}
