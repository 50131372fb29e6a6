/* The options of gnomon-run(1): reading and checking them, before anything is done. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "tools/env.h"
#include "tools/run/runopts.h"

#define CPU_MAX 64 /* the kernel does not start more */
#define REPEAT_MAX 9999
#define SEED_MAX 999999
#define MEM_MIN 6 /* megabytes: for the kernel, the initrd and what is unpacked from it */

const char runopts_usage[] =
	"usage: gnomon run [OPTION...] COMMAND [WORD...]\n"
	"       gnomon run [OPTION...] -s SCRIPT | -\n"
	"\n"
	"Boots the kernel in QEMU, runs commands in it, prints what they print and\n"
	"returns their exit status.\n"
	"\n"
	"  -f GUESTFILE[:NAME]   bring a file back, into DIR (may be repeated)\n"
	"  -p FILE:GUESTPATH     put a file into the guest (may be repeated)\n"
	"  -o DIR                where files go, and the guest's /n/remote (default: out/\n"
	"                        beside the kernel, or here if that was installed)\n"
	"  --keep                with -f: keep the kernel and the programs that ran in DIR\n"
	"  --serial              no /n/remote: files come back by the serial port\n"
	"  -s SCRIPT             run a file of commands; - is the standard input\n"
	"  -t SECONDS            time limit, of the clock on the wall (default: 60)\n"
	"  -v                    show the guest's console on the standard error\n"
	"  --repeat N            do it N times, with seeds from --seed on; the files of each\n"
	"                        run go to DIR/1 to DIR/N (DIR/01 ... from 10 on)\n"
	"  --seed N              when ticks of the profiling clock come, at random (default: 0)\n"
	"  -h, --help            show this\n"
	"  --gdb PORT            wait for make gdb to come to this port of this machine\n"
	"  --console FILE        keep the guest's console\n"
	"  --sound FILE          give the guest a sound card; what it plays, as WAV\n"
	"  --append WORDS        more for the kernel's command line\n"
	"  --smp N, --mem MB, --cpu MODEL, --accel NAME, --icount SHIFT|auto|off\n"
	"  --kernel FILE, --initrd FILE, --qemu PROGRAM\n"
	"\n"
	"Exit status: the commands' own; 123 a file did not come; 124 the time limit;\n"
	"125 the guest ended early, or its data are damaged; 126, 127 QEMU cannot be\n"
	"run, is not there; 2 usage.\n";

enum { OPT_SMP = 256, OPT_MEM, OPT_ICOUNT, OPT_ACCEL, OPT_APPEND, OPT_KERNEL, OPT_INITRD, OPT_CPU,
       OPT_QEMU, OPT_CONSOLE, OPT_SOUND, OPT_SERIAL, OPT_REPEAT, OPT_SEED,
       OPT_GDB, OPT_KEEP };

static const struct option longopts[] = {
	{"smp", required_argument, NULL, OPT_SMP},
	{"mem", required_argument, NULL, OPT_MEM},
	{"icount", required_argument, NULL, OPT_ICOUNT},
	{"accel", required_argument, NULL, OPT_ACCEL},
	{"append", required_argument, NULL, OPT_APPEND},
	{"kernel", required_argument, NULL, OPT_KERNEL},
	{"initrd", required_argument, NULL, OPT_INITRD},
	{"cpu", required_argument, NULL, OPT_CPU},
	{"qemu", required_argument, NULL, OPT_QEMU},
	{"console", required_argument, NULL, OPT_CONSOLE},
	{"sound", required_argument, NULL, OPT_SOUND},
	{"serial", no_argument, NULL, OPT_SERIAL},
	{"repeat", required_argument, NULL, OPT_REPEAT},
	{"seed", required_argument, NULL, OPT_SEED},
	{"gdb", required_argument, NULL, OPT_GDB},
	{"keep", no_argument, NULL, OPT_KEEP},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/* Whether s is a whole decimal number from lo to hi. */
static bool is_number(const char *s, unsigned long lo, unsigned long hi)
{
	unsigned long v;

	if (!*s)
		return false;
	if (s[strspn(s, "0123456789")])
		return false;
	v = strtoul(s, NULL, 10);
	return v >= lo && v <= hi;
}

/* -t SECONDS, which may have a fraction. */
static int set_limit(struct runopts *o, const char *arg, struct complaint *why)
{
	char *end;
	double v = strtod(arg, &end);
	bool number = end > arg && *end == 0;

	if (!number || !(v > 0 && v <= 1e6))
		return complain(why, "-t %s: a time limit is a number of seconds", arg);
	o->limit_ns = (uint64_t)(v * 1e9);
	return 0;
}

/* Whether a fetched file may have that name; there is room for a suffix. */
static bool good_name(const char *s)
{
	static const char *const taken[] = {"", ".", "..", "version"};
	size_t i;

	for (i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (strcmp(s, taken[i]) == 0)
			return false;
	return !strchr(s, '/') && strlen(s) < 200;
}

/* Return the name that a fetched file gets: what follows the colon, or the path's last part. */
static const char *name_of(const char *arg)
{
	const char *last = strrchr(arg, ':');

	if (!last)
		last = strrchr(arg, '/');
	if (!last)
		return arg;
	return last + 1;
}

/* -f GUESTFILE[:NAME]; the name is the path's last part unless it is given. */
static int add_fetch(struct runopts *o, char *arg, struct complaint *why)
{
	char *colon = strrchr(arg, ':');
	const char *name = name_of(arg);
	bool path = *arg && colon != arg && !strchr(arg, '\n');
	unsigned i;

	if (o->nfetch == RUN_MAXFILES)
		return complain(why, "-f %s: too many files", arg);
	if (!path || !good_name(name))
		return complain(why, "-f %s: should be GUESTFILE or GUESTFILE:NAME, "
				     "NAME without a slash", arg);
	for (i = 0; i < o->nfetch; i++)
		if (strcmp(o->fetch[i].name, name) == 0)
			return complain(why, "-f %s: a second file called %s", arg, name);
	if (colon)
		*colon = 0;
	o->fetch[o->nfetch] = (struct fetch_file){.guest = arg, .name = name};
	outfile_nonce(o->fetch[o->nfetch++].nonce);
	return 0;
}

/* Whether a path begins at the root and can be that of a file. */
static bool is_file_path(const char *s)
{
	return *s == '/' && s[strlen(s) - 1] != '/';
}

/* -p FILE:GUESTPATH; FILE may hold colons. */
static int add_put(struct runopts *o, char *arg, struct complaint *why)
{
	char *colon = strrchr(arg, ':');
	bool both = colon && colon > arg;

	if (o->nput == RUN_MAXFILES)
		return complain(why, "-p %s: too many files", arg);
	if (!both || !is_file_path(colon + 1))
		return complain(why, "-p %s: should be FILE:GUESTPATH, GUESTPATH from the root",
				arg);
	*colon = 0;
	o->put[o->nput++] = (struct put){.host = arg, .guest = colon + 1};
	return 0;
}

/* Set an option that has to be a number; the text is kept. */
static int set_number(const char **to, const char *option, const char *arg, unsigned long lo,
		      unsigned long hi, struct complaint *why)
{
	if (!is_number(arg, lo, hi))
		return complain(why, "%s %s: should be a number from %lu to %lu", option, arg, lo,
				hi);
	*to = arg;
	return 0;
}

/* --repeat N. */
static int set_repeat(struct runopts *o, const char *arg, struct complaint *why)
{
	const char *text;

	if (set_number(&text, "--repeat", arg, 1, REPEAT_MAX, why) < 0)
		return -1;
	o->repeat = strtoul(text, NULL, 10);
	return 0;
}

/* --seed N. */
static int set_seed(struct runopts *o, const char *arg, struct complaint *why)
{
	const char *text;

	if (set_number(&text, "--seed", arg, 0, SEED_MAX, why) < 0)
		return -1;
	o->seed = strtoul(text, NULL, 10);
	return 0;
}

/* --icount SHIFT, auto or off. */
static int set_icount(struct runopts *o, const char *arg, struct complaint *why)
{
	bool word = strcmp(arg, "off") == 0 || strcmp(arg, "auto") == 0;

	if (!word && !is_number(arg, 0, 10))
		return complain(why, "--icount %s: should be 0 to 10, auto or off", arg);
	o->machine.icount = arg;
	return 0;
}

/* Take one option. */
static int take_option(struct runopts *o, int opt, char *arg, struct complaint *why)
{
	struct machine *m = &o->machine;

	switch (opt) {
	case 't': return set_limit(o, arg, why);
	case 'f': return add_fetch(o, arg, why);
	case 'p': return add_put(o, arg, why);
	case 'o': o->dir = arg; o->keep_version = true; return 0;
	case 's': o->script = arg; return 0;
	case 'v': o->verbose = true; return 0;
	case OPT_SMP: return set_number(&m->smp, "--smp", arg, 1, CPU_MAX, why);
	case OPT_MEM: return set_number(&m->mem, "--mem", arg, MEM_MIN, 4095, why);
	case OPT_ICOUNT: return set_icount(o, arg, why);
	case OPT_ACCEL: m->accel = arg; return 0;
	case OPT_APPEND: m->append = arg; return 0;
	case OPT_KERNEL: o->kernel = arg; return 0;
	case OPT_INITRD: o->initrd = arg; return 0;
	case OPT_CPU: m->cpu = arg; return 0;
	case OPT_QEMU: m->qemu = arg; return 0;
	case OPT_CONSOLE: o->console = arg; return 0;
	case OPT_SERIAL: m->folder = false; return 0;
	case OPT_REPEAT: return set_repeat(o, arg, why);
	case OPT_SEED: return set_seed(o, arg, why);
	case OPT_GDB: return set_number(&m->gdb, "--gdb", arg, 1, 65535, why);
	case OPT_KEEP: o->keep = true; return 0;
	case OPT_SOUND: o->sound = arg; m->sound = true; return 0;
	}
	return -1;
}

/* Say what getopt found wrong. */
static int bad_option(int argc, char **argv, int opt, struct complaint *why)
{
	const char *word = argv[0];

	if (optind > 0 && optind <= argc)
		word = argv[optind - 1];
	if (opt == ':')
		return complain(why, "%s: an argument is missing", word);
	if (optopt > 0 && optopt < 256)
		return complain(why, "-%c: no such option", optopt);
	return complain(why, "%s: no such option", word);
}

/* Take one option, or say what is wrong with it. */
static int take_or_complain(struct runopts *o, int argc, char **argv, int opt,
			    struct complaint *why)
{
	if (opt == '?' || opt == ':')
		return bad_option(argc, argv, opt, why);
	return take_option(o, opt, optarg, why);
}

/* Take what is left: the command's words, or "-". */
static int take_command(struct runopts *o, int argc, char **argv, struct complaint *why)
{
	bool dash = argc == 1 && strcmp(argv[0], "-") == 0;

	if (dash && !o->script) {
		o->script = argv[0];
		argc = 0;
	}
	if (o->script) {
		if (argc > 0)
			return complain(why, "%s: a script and a command cannot both be run",
					argv[0]);
	} else if (argc == 0) {
		return complain(why, "nothing to run was given");
	}
	o->command = argv;
	o->ncommand = argc;
	return 0;
}


/* Return how many times as long the time limit is: tests ask for more on a busy host. */
static unsigned patience(void)
{
	const char *times = env_or("GNOMON_PATIENCE", "1");

	if (!is_number(times, 1, 1000))
		return 1;
	return (unsigned)strtoul(times, NULL, 10);
}

/* Return what icount is unless an option says so: only QEMU's emulator can count instructions. */
static const char *usual_icount(const char *accel)
{
	if (strncmp(accel, "tcg", 3) == 0)
		return "3";
	return "off";
}

int runopts_parse(struct runopts *o, int argc, char **argv, struct complaint *why)
{
	int opt;

	*o = (struct runopts){
		.dir = "",
		.machine = {
			.qemu = env_or("QEMU", "qemu-system-i386"), .accel = "tcg", .cpu = "max",
			.smp = "1", .mem = "64", .append = "", .folder = true,
		},
	};
	opterr = 0;
	while ((opt = getopt_long(argc, argv, "+:t:o:f:p:s:vh", longopts, NULL)) != -1) {
		if (opt == 'h')
			return RUNOPTS_HELP;
		if (take_or_complain(o, argc, argv, opt, why) < 0)
			return RUNOPTS_WRONG;
	}
	if (o->keep && o->nfetch == 0) {
		complain(why, "--keep: it keeps what profiles are of, which -f brings back");
		return RUNOPTS_WRONG;
	}
	if (o->limit_ns == 0)
		o->limit_ns = (o->machine.gdb ? 3600ull : 60) * 1000000000u;
	o->limit_ns *= patience();
	if (!o->machine.icount)
		o->machine.icount = usual_icount(o->machine.accel);
	if (take_command(o, argc - optind, argv + optind, why) < 0)
		return RUNOPTS_WRONG;
	return RUNOPTS_OK;
}
