/*
 * tools/profile/readstacks.c of waits, and readtrace.c: what they make of whole files, and of
 * damaged ones.
 * Links: tests/tools/readers.c
 */
#include "tests/test.h"
#include "tests/tools/readers.h"
#include "tools/memory.h"

static const char waits[] =
	"# kpwait version=1 build=" ID "\n"
	"sort;[pipe];0x00401234;0xc0101234;0xc0105678 1234567\n"
	"sort;[ready];0x00401234;0xc0101234;0xc0105678 2500\n"
	"sh;[child];0x00401234;0xc0101234 5000000000\n"
	"sh;[sleep];[cut];0xc0101234 3\n"
	"sh;[lock];0xc0101234 4\n"
	"sh;[device];0xc0101234 5\n"
	"[overflow] 17\n"
	"# unit=us waits=1234 overflow=17 depth=64 total_us=5001237096\n";

/* H10: microseconds, by what was waited for. */
static void read_waits(void **state)
{
	static const uint32_t first[] = {0x401234, 0xc0101234, 0xc0105678};
	static const struct damaged d[] = {
		{"# kpwait version=1\nsh;[kernel];0xc0101234 4\n", "line 2: NAME;[MODE]"},
		{"# kpwait version=1\nsh;[lock];0xc0101234 4\n# unit=us waits=1 total_us=5\n",
		 "5 us expected, the lines have 4"},
		{"# kpwait version=1\nsh;[lock];0xc0101234 4\n", "no line tells how many us"},

	};
	static const char sumless[] = "# kpwait version=1\nsh;[lock];0xc0101234 4\n"
				      "# unit=us waits=1 overflow=0 depth=64\n";
	static const struct damaged ticks = {"sh;[lock];0xc0101234 4\n", "NAME;[MODE]"};
	struct complaint why;
	struct profdata p;

	assert_true(profread_is_waits((const uint8_t *)waits, strlen(waits)));
	assert_false(profread_is_stacks((const uint8_t *)waits, strlen(waits)));
	assert_int_equal(read_bytes(profread_waits, &p, waits, strlen(waits), &why), 0);
	assert_true(p.unit == PROFDATA_MICROSECONDS && p.us == 1 && p.has_modes);
	assert_true(p.total == 5001237096 && p.by_mode[PROFDATA_CHILD] == 5000000000);
	assert_int_equal(p.nsample, 7);
	expect_sample(&p, 0, 1234567, PROFDATA_PIPE, 3, first);
	expect_sample(&p, 1, 2500, PROFDATA_READY, 3, first);
	expect_sample(&p, 6, 17, PROFDATA_NPATH, 0, NULL);
	assert_true(profdata_ms(&p, 2500) == 2.5);
	assert_string_equal(p.image[p.frame[1].image].buildid, ID);
	profdata_free(&p);
	shake(profread_waits, waits, strlen(waits));
	refuse(profread_waits, d, nelem(d));
	refuse(profread_stacks, &ticks, 1);
	assert_int_equal(read_bytes(profread_waits, &p, sumless, strlen(sumless), &why), 0);
	profdata_free(&p);
}

static const char trace[] =
	"# kptrace version=1 build=" ID " cpus=2\n"
	"# cpu=0 records=4 overwritten=123\n"
	"12345678 0 7 sh;[kernel];0x00401234;0xc0101230\n"
	"12345680 0 7 sh;[kernel];0x00401234;0xc0101230\n"
	"# woken=9 us=12345990\n"
	"12346000 0 9 cat;[switch]\n"
	"# wait=[pipe]\n"
	"12346000 0 9 cat;[user];[cut];0x00401234\n"
	"# cpu=1 records=2 overwritten=2\n"
	"345678 1 0 idle;[idle];0xc0101230\n"
	"345679 1 3 ?;[overflow]\n";

/* H9: the ticks and changes of process in their order, and the paths of the ticks. */
static void read_trace(void **state)
{
	static const uint32_t pc[] = {0x401234, 0xc0101230};
	static const struct damaged d[] = {
		{"# kptrace version=1\n5 0 7 sh;[user];0x00401234\n", "line 2: # cpu=N"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n"
		 "5 0 7 sh;[user];0x00401234\n", "truncated: records are missing"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n"
		 "5 0 7 sh;[user];0x00401234\n# cpu=1 records=0 overwritten=0\n",
		 "1 records of cpu0 are missing"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n"
		 "5 0 7 sh;[switch]\n4 0 7 sh;[switch]\n", "line 4: a time that is not before"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n5 1 7 sh;[switch]\n",
		 "line 3: a record of the CPU"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n5 0 sh;[switch]\n",
		 "TIME CPU PID PATH"},
		{"# kptrace version=1\n# cpu=0 records=2 overwritten=0\n5 0 7 ;[switch]\n",
		 "NAME;[MODE]"},
		{"# kptrace version=1\n# cpu=0 records=1 overwritten=0\n"
		 "5 0 7 a;[pipe];0x00401234\n",
		 "NAME;[MODE]"},
		{"# kptrace version=1\n# cpu=0 records=2\n", "overwritten=N"},
		{"# kptrace version=1\n# cpu=0 records=0 overwritten=0\n# wait=[pipe]\n",
		 "line 3: a wait, after the record"},
		{"# kptrace version=1\n# cpu=0 records=1 overwritten=0\n"
		 "5 0 7 sh;[switch]\n# wait=[idle]\n", "line 4: a wait"},
		{"# kptrace version=1\n# cpu=0 records=0 overwritten=0\n# woken=7\n",
		 "# woken=PID us=TIME"},
		{"# kptrace version=1 cpus=2\n# cpu=0 records=0 overwritten=0\n",
		 "CPUs are missing"},
		{"# kptrace version=1\n", "CPUs are missing"},
		{"# kptrace\n", "version"},
	};
	struct complaint why;
	struct profdata p;

	assert_true(profread_is_trace((const uint8_t *)trace, strlen(trace)));
	assert_int_equal(read_bytes(profread_trace, &p, trace, strlen(trace), &why), 0);
	assert_true(p.total == 5 && p.nsample == 4 && p.overwritten == 125 && p.nrecord == 6);
	expect_sample(&p, 0, 2, PROFDATA_KERNEL, 2, pc);
	expect_sample(&p, 3, 1, PROFDATA_NPATH, 0, NULL);
	assert_true(p.record[1].us == 12345680 && p.record[1].pid == 7 && !p.record[1].sample);
	assert_true(p.record[2].sample == PROFDATA_NONE && p.record[2].pid == 9);
	assert_string_equal(p.name[p.record[2].process], "cat");
	assert_true(p.record[2].wait == PROFDATA_PIPE && p.record[3].wait == 0);
	assert_true(p.nwoken == 1 && p.woken[0].us == 12345990 && p.woken[0].pid == 9);
	assert_true(p.record[4].cpu == 1 && p.record[4].sample == 2);
	assert_string_equal(p.image[p.frame[0].image].name, "sh");
	profdata_free(&p);
	shake(profread_trace, trace, strlen(trace));
	refuse(profread_trace, d, nelem(d));
}

/* R8: of functions; a path counts the instructions up to the next record. */
static void read_functions(void **state)
{
	static const uint32_t pc[] = {0xc0100010, 0xc0100100};
	static const char text[] =
		"# kptrace version=2 unit=instructions text=0xc0100000-0xc0200000 build=" ID "\n"
		"# kernel=/boot/my.elf\n"
		"# cpu=0 records=5 overwritten=9\n"
		"100 0 0 guest;[kernel];0xc0100000\n"
		"110 0 0 guest;[kernel];0xc0100010;0xc0100100\n"
		"125 0 0 guest;[kernel];0xc0100010\n"
		"130 0 0 guest;[kernel];0xc0100010;0xc0100100\n"
		"137 0 0 off;[switch]\n";
	static const struct damaged d[] = {
		{"# kptrace version=2 unit=instructions text=0xc0100000-0xc0200000\n"
		 "# cpu=0 records=2 overwritten=0\n0 0 0 g;[user];0x00401234\n"
		 "9223372036854776 0 0 g;[switch]\n", "line 4: a time of less than 2^63 ns"},
	};
	struct complaint why;
	struct profdata p;

	assert_int_equal(read_bytes(profread_trace, &p, text, strlen(text), &why), 0);
	assert_true(p.unit == PROFDATA_EXECUTED && p.total == 37 && p.nrecord == 5);
	expect_sample(&p, 1, 15 + 7, PROFDATA_KERNEL, 2, pc);
	expect_sample(&p, 2, 5, PROFDATA_KERNEL, 1, pc);
	assert_int_equal(p.overwritten, 9);
	assert_string_equal(p.image[p.frame[0].image].path, "/boot/my.elf");
	profdata_free(&p);
	shake(profread_trace, text, strlen(text));
	refuse(profread_trace, d, nelem(d));
}

/* Refuse a time line that was written to a stream, for that reason. */
static void refuse_stream(struct memory_stream *s, const char *reason)
{
	struct damaged one = {.why = reason};

	memory_stream_close(s);
	one.text = s->data;
	refuse(profread_trace, &one, 1);
	free(s->data);
}

/* Instructions of so many processors that their sum has more than 64 bits. */
static void sum_of_instructions(void **state)
{
	struct memory_stream s;
	int i;

	memory_stream_open(&s);
	fputs("# kptrace version=2 unit=instructions text=0xc0100000-0xc0200000\n", s.f);
	for (i = 0; i < 2001; i++)
		fprintf(s.f, "# cpu=%d records=2 overwritten=0\n0 %d 0 g;[user];0x00401234\n"
			"9223372036854775 %d 0 g;[switch]\n", i, i, i);
	refuse_stream(&s, "add up to 2^64 or more");
}

/* The records of the next time line, as "TIME CPU PID NAME path", where 0 stands for 0xc0100000. */
static char *shown(const struct profdata *p)
{
	const struct profdata_record *r;
	struct memory_stream to;
	size_t i;

	memory_stream_open(&to);
	for (r = p->record; r < p->record + p->nrecord; r++) {
		fprintf(to.f, "%d %d %d %s", (int)r->us, (int)r->cpu, (int)r->pid,
			p->name[r->process]);
		for (i = 0; r->sample != PROFDATA_NONE && i < p->sample[r->sample].depth; i++)
			fprintf(to.f, " %x", (unsigned)p->frame[profdata_path(p,
				&p->sample[r->sample])[i]].pc & 0xfffff);
		fputc('\n', to.f);
	}
	memory_stream_close(&to);
	return to.data;
}

static void expect_shown(const char *text, const char *expected)
{
	struct complaint why;
	struct profdata p;
	char *is;

	if (read_bytes(profread_trace, &p, text, strlen(text), &why) < 0)
		fail_msg("%s", why.text);
	is = shown(&p);
	assert_string_equal(is, expected);
	free(is);
	profdata_free(&p);
}

static const char called[] =
	"# kptrace version=1 build=" ID " cpus=2 period_us=1000\n"
	"# cpu=0 records=4 overwritten=0\n"
	"# return=7 ns=9500;0xc0100050\n"
	"10 0 7 sh;[switch]\n"
	"# call=7 ns=10100;0xc0100010\n"
	"# call=7 ns=10200;0xc0100020\n"
	"# call=7 ns=10300;0xc0100020\n"
	"# return=7 ns=10350;0xc0100020\n"
	"10 0 7 sh;[kernel];0xc0100024\n"
	"12 0 9 cat;[switch]\n"
	"# wait=[pipe]\n"
	"# call=9 ns=12500;0xc0100030\n"
	"# return=9 ns=12600;0xc0100030\n"
	"# woken=7 us=12\n"
	"20 0 0 off;[switch]\n"
	"# cpu=1 records=3 overwritten=0\n"
	"11 1 0 idle;[switch]\n"
	"13 1 7 sh;[switch]\n"
	"# return=7 ns=14000;0xc0100020\n"
	"# call=7 ns=14100;0xc0100040\n"
	"# return=7 ns=14250;0xc0100010\n"
	"20 1 0 off;[switch]\n"
	"# mark=9 cpu=0 us=12 here\n";

/*
 * T5: entries and returns as a time line of functions: nested, of one that calls itself, of
 * processes that take turns and change the CPU, returns without an entry, and the reverse.
 */
static void read_calls(void **state)
{
	static const uint32_t pc[] = {0xc0100010, 0xc0100020, 0xc0100020};
	struct complaint why;
	struct profdata p;

	expect_shown(called,
		     "9500 0 7 sh\n10000 0 7 sh\n10100 0 7 sh 10\n10200 0 7 sh 10 20\n"
		     "10300 0 7 sh 10 20 20\n10350 0 7 sh 10 20\n12000 0 9 cat\n"
		     "12500 0 9 cat 30\n12600 0 9 cat\n20000 0 0 off\n"
		     "11000 1 0 idle\n13000 1 7 sh 10 20\n14000 1 7 sh 10\n14100 1 7 sh 10 40\n"
		     "14250 1 7 sh\n20000 1 0 off\n");
	assert_int_equal(read_bytes(profread_trace, &p, called, strlen(called), &why), 0);
	assert_true(p.unit == PROFDATA_NANOSECONDS && profdata_of_functions(&p));
	assert_true(p.total == 1900 + 100 + 1250 && p.nsample == 5 && p.has_paths);
	expect_sample(&p, 0, 100 + 100, PROFDATA_KERNEL, 1, pc);
	expect_sample(&p, 1, 100 + 1650 + 1000, PROFDATA_KERNEL, 2, pc);
	expect_sample(&p, 2, 50, PROFDATA_KERNEL, 3, pc);
	expect_sample(&p, 4, 150, PROFDATA_KERNEL, 2, (uint32_t[]){0xc0100010, 0xc0100040});
	assert_true(profdata_ms(&p, 2500000) == 2.5);
	assert_true(p.frame[0].span == 1 && p.image[p.frame[0].image].kernel);
	assert_true(p.record[6].wait == PROFDATA_PIPE && p.record[5].wait == 0);
	assert_true(p.woken[0].us == 12000 && p.mark[0].us == 12000);
	assert_true(p.on[0].since == 9500 && p.on[1].since == 11000);
	profdata_free(&p);
	shake(profread_trace, called, strlen(called));
}

/* A processor on which a call takes 2^63 - 1 ns. */
#define LONG(cpu) "# cpu=" cpu " records=0 overwritten=0\n# call=7" cpu " ns=0;0xc0100010\n" \
	"# return=7" cpu " ns=9223372036854775807;0xc0100010\n"
#define ONE_CPU "# kptrace version=1 cpus=1\n# cpu=0 records=0 overwritten=0\n"

/* T5: what is not known is not made up, and names are those that processes have then. */
static void doubtful_calls(void **state)
{
	/* While it did not run here it may have returned, where the records of that are lost. */
	expect_shown("# kptrace version=1 cpus=2\n# cpu=0 records=3 overwritten=5\n"
		     "1 0 7 sh;[switch]\n# call=7 ns=1500;0xc0100010\n2 0 9 cat;[switch]\n"
		     "3 0 7 sh;[switch]\n# call=7 ns=3500;0xc0100020\n"
		     "# cpu=1 records=1 overwritten=1\n4 1 0 idle;[switch]\n",
		     "1000 0 7 sh\n1500 0 7 sh 10\n2000 0 9 cat\n3000 0 7 sh\n3500 0 7 sh 20\n"
		     "4000 1 0 idle\n");
	/* But if it ran until all records are there, what it is in is known. */
	expect_shown("# kptrace version=1 cpus=2\n# cpu=0 records=3 overwritten=5\n"
		     "1 0 7 sh;[switch]\n# call=7 ns=1500;0xc0100010\n3 0 9 cat;[switch]\n"
		     "4 0 7 sh;[switch]\n"
		     "# cpu=1 records=1 overwritten=1\n2 1 0 idle;[switch]\n",
		     "1000 0 7 sh\n1500 0 7 sh 10\n3000 0 9 cat\n4000 0 7 sh 10\n"
		     "2000 1 0 idle\n");
	/* Nothing is where recording was stopped meanwhile, on whatever CPU it had run. */
	expect_shown("# kptrace version=1 cpus=2\n# cpu=0 records=3 overwritten=0\n"
		     "1 0 7 sh;[switch]\n# call=7 ns=1500;0xc0100010\n2 0 0 off;[switch]\n"
		     "3 0 0 idle;[switch]\n"
		     "# cpu=1 records=2 overwritten=0\n2 1 0 off;[switch]\n4 1 7 sh;[switch]\n",
		     "1000 0 7 sh\n1500 0 7 sh 10\n2000 0 0 off\n3000 0 0 idle\n"
		     "2000 1 0 off\n4000 1 7 sh\n");
	/* In the microsecond in which it comes to another CPU, the call here was before. */
	expect_shown("# kptrace version=1 cpus=2\n# cpu=1 records=1 overwritten=0\n"
		     "5 1 7 sh;[switch]\n# return=7 ns=6000;0xc0100010\n"
		     "# cpu=0 records=1 overwritten=0\n"
		     "# call=7 ns=5400;0xc0100010\n5 0 9 cat;[switch]\n",
		     "5400 1 7 sh 10\n6000 1 7 sh\n5400 0 7 sh 10\n5400 0 9 cat\n");
	/* Without changes of process the calls tell who runs; idle ones are of their CPUs. */
	expect_shown("# kptrace version=1 cpus=2\n# cpu=0 records=1 overwritten=0\n"
		     "# call=0 ns=1000;0xc0100010\n# call=8 ns=1100;0xc0100020\n"
		     "# return=0 ns=1200;0xc0100010\n2 0 8 ls;[kernel];0xc0100020\n"
		     "# call=9 ns=2100;0xc0100020\n"
		     "# cpu=1 records=0 overwritten=0\n# call=0 ns=1150;0xc0100030\n",
		     "1000 0 0 idle 10\n1100 0 8 ls 20\n1200 0 0 idle\n2000 0 8 ls 20\n"
		     "2100 0 9 ? 20\n1150 1 0 idle 30\n");
	/* A program that another has become. */
	expect_shown("# kptrace version=1 cpus=1\n# cpu=0 records=2 overwritten=0\n"
		     "1 0 7 sh;[switch]\n2 0 7 ls;[user];0x00401000\n# call=7 ns=2100;0xc0100010\n",
		     "1000 0 7 sh\n2100 0 7 ls 10\n");
	/* What a function called and did not return from is left with it. */
	expect_shown(ONE_CPU "# call=7 ns=1;0xc0100010\n# call=7 ns=2;0xc0100020\n"
		     "# call=7 ns=3;0xc0100030\n# return=7 ns=4;0xc0100010\n",
		     "1 0 7 ? 10\n2 0 7 ? 10 20\n3 0 7 ? 10 20 30\n4 0 7 ?\n");
}

/* T5: damaged calls are refused in words. */
static void refuse_calls(void **state)
{
	static const struct damaged d[] = {
		{"# kptrace version=1\n# call=7 ns=1;0xc0100010\n", "line 2: # cpu=N"},
		{ONE_CPU "# call=7 ns=1;0xc01000\n", "line 3: a process's number and ns=TIME"},
		{ONE_CPU "# call=7 ns=1;0xc0100010", "line 3, which is cut short: a process"},
		{ONE_CPU "# call=7 ns=1;0xc010001g\n", "line 3: a process's number and ns=TIME"},
		{ONE_CPU "# call=7 ns=1;0xc0100010;0xc0100020\n", "line 3: a process's number"},
		{ONE_CPU "# call=7 ns=1 0xc0100010\n", "line 3: a process's number and ns=TIME"},
		{ONE_CPU "# call=x ns=1;0xc0100010\n", "line 3: a process's number and ns=TIME"},
		{ONE_CPU "# return=4294967296 ns=1;0xc0100010\n", "line 3: a process's number"},
		{ONE_CPU "# return=7 us=1;0xc0100010\n", "line 3: a process's number and ns=TIME"},
		{ONE_CPU "# call=7 ns=2;0xc0100010\n# return=7 ns=1;0xc0100010\n",
		 "line 4: a time that is not before the last"},
		{"# kptrace version=1\n# cpu=0 records=1 overwritten=0\n5 0 7 sh;[switch]\n"
		 "# call=7 ns=4999;0xc0100010\n", "line 4: a time that is not before the last"},
		{"# kptrace version=1\n# cpu=0 records=1 overwritten=0\n"
		 "# call=7 ns=5000;0xc0100010\n4 0 7 sh;[switch]\n",
		 "line 4: a time that is not before the last"},
		{"# kptrace version=2 unit=instructions text=0xc0100000-0xc0200000\n"
		 "# cpu=0 records=0 overwritten=0\n# call=7 ns=5000;0xc0100010\n",
		 "line 3: a call with a time, in a file of instructions"},
		{ONE_CPU "# call=7 ns=5000;0xc0100010\n# mark=7 cpu=0 us=9223372036854776 x\n",
		 "line 4: a time of less than 2^63 ns"},
		{ONE_CPU "# woken=7 us=9223372036854776\n", "line 3: a time of less than 2^63 ns"},
		{ONE_CPU "# call=7 ns=9223372036854775808;0xc0100010\n", "a process's number and"},
		{"# kptrace version=1 cpus=3\n" LONG("0") LONG("1") LONG("2"), "add up to 2^64 ns"},
		{ONE_CPU "# cpu=0 records=0 overwritten=0\n", "line 3: cpu0 comes twice"},
		{"# kptrace version=1\n# cpu=0 records=0 overwritten=9223372036854775807\n"
		 "# cpu=1 records=0 overwritten=1\n",
		 "line 3: less than 2^63 records overwritten, in all expected"},
	};
	struct memory_stream deep;
	int i;

	refuse(profread_trace, d, nelem(d));
	memory_stream_open(&deep);
	fputs(ONE_CPU, deep.f);
	for (i = 0; i < 1025; i++)
		fprintf(deep.f, "# call=7 ns=%d;0xc0100010\n", i);
	refuse_stream(&deep, "line 1027: more than 1024 calls in each other");
}

/* H14: a process deep in calls that has another name at each of its records. */
static void refuse_long_paths(void **state)
{
	struct memory_stream s;
	int i;

	memory_stream_open(&s);
	fputs("# kptrace version=1\n# cpu=0 records=33000 overwritten=0\n", s.f);
	for (i = 0; i < 1024; i++)
		fprintf(s.f, "# call=7 ns=%d;0xc0100010\n", i);
	for (i = 0; i < 33000; i++)
		fprintf(s.f, "2 0 7 p%d;[switch]\n", i);
	refuse_stream(&s, "its calls have more than 33554432 functions on their paths");
}

/* For profdata_filter(). */
static bool is_idle(const struct profdata *p, const struct profdata_sample *s, void *unused)
{
	return s->mode == PROFDATA_IDLE;
}

/* H9: what is left out takes its records along. */
static void part_of_trace(void **state)
{
	struct complaint why;
	struct profdata p;

	assert_int_equal(read_bytes(profread_trace, &p, trace, strlen(trace), &why), 0);
	profdata_filter(&p, is_idle, NULL);
	assert_true(p.nrecord == 2 && p.record[0].sample == PROFDATA_NONE);
	assert_true(p.record[1].sample == 0 && p.nsample == 1 && p.total == 1);
	profdata_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_waits), cmocka_unit_test(read_trace),
		cmocka_unit_test(part_of_trace), cmocka_unit_test(read_functions),
		cmocka_unit_test(sum_of_instructions),
		cmocka_unit_test(read_calls), cmocka_unit_test(doubtful_calls),
		cmocka_unit_test(refuse_calls), cmocka_unit_test(refuse_long_paths),
	};

	return RUN(tests, NULL, NULL);
}
