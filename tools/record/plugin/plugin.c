/*
 * The plugin of gnomon-record(1): it tells counts.h of each block of instructions that QEMU runs.
 * Arguments are KEY=VALUE:
 *
 *	out=FILE	what is written at the end
 *	text=LO:HI	the kernel's text, hexadecimal; in the upper half all above lo
 *	from=ADDRESS	count from there on, hexadecimal; and until=ADDRESS, up to there
 *	period=N	count samples alone, one for each N instructions, with random distances
 *	exact=on	count each instruction, which is right also where a block is left early
 *	turns=on	if there are several processors, they take turns
 *	trace=N		keep the last N entries to and returns from functions of each processor
 *	slow=ADDRESS:N	the trace ends when that function has taken more than N instructions
 *	most=N		end the machine after that many instructions
 *	for=N		end it after that many nanoseconds of its time
 *
 * What the file has before is lines: "function ADDRESS", which is traced; programs.h has others.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/record/plugin/counts.h"
#include "tools/record/plugin/moved.h"
#include "tools/record/plugin/qemuplugin.h"
#include "tools/record/plugin/watch.h"

#define FIRMWARE 0xfff00000u /* where processors of 32 bits begin */

int qemu_plugin_version = 1;

static struct counts counts __attribute__((aligned(64)));
static struct programs programs;
static struct moved moved;
static int64_t allowed; /* nanoseconds of the machine's time; 0: none */
static uint64_t shift; /* by which the kernel runs above the addresses that were told */
static struct cells known; /* numbers of blocks, by a hash of pc, length and content */
static decode_fn *decode;
static uint64_t lo, hi;
static unsigned width;
static const char *out;
static bool exact, pushes;
static bool turns; /* processors take turns */
static bool alone; /* there is one processor */
static bool parallel; /* processors may run at the same time, each in a thread */
static pthread_mutex_t lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP; /* of all, if so */

/* What not every version has: additions without a call; and an instruction's bytes, in two ways. */
static void (*add_inline)(struct qemu_plugin_insn *insn, int op, void *at, uint64_t n);
static const void *(*data_at)(const struct qemu_plugin_insn *insn);
static size_t (*data_copy)(const struct qemu_plugin_insn *insn, void *to, size_t n);

/* End QEMU with a message: there is nobody to whom an error could be returned. */
static void fail(const char *what)
{
	fprintf(stderr, "gnomon record: %s\n", what);
	exit(1);
}

/* What QEMU calls as a block begins (entering() chooses); the argument is the struct block. */
static void enter(unsigned cpu, void *arg)
{
	counts_enter(&counts, cpu, arg);
}

/* The only processor is number 0: so what is known of it lies at addresses that are constants. */
static void enter_alone(unsigned cpu, void *arg)
{
	(void)cpu;
	counts_enter(&counts, 0, arg);
}

static void all(unsigned cpu, void *arg)
{
	(void)cpu;
	counts_all(&counts, 0, arg);
}

static void sample(unsigned cpu, void *arg)
{
	(void)cpu;
	counts_sample(&counts, 0, arg);
}

static void all_by_call(unsigned cpu, void *arg)
{
	(void)cpu;
	counts_all_by_call(&counts, 0, arg);
}

static void sample_by_call(unsigned cpu, void *arg)
{
	(void)cpu;
	counts_sample_by_call(&counts, 0, arg);
}

static void enter_locked(unsigned cpu, void *arg)
{
	pthread_mutex_lock(&lock);
	counts_enter(&counts, cpu, arg);
	pthread_mutex_unlock(&lock);
}

static void add(unsigned cpu, void *arg)
{
	(void)cpu;
	++*(uint64_t *)arg;
}

/*
 * A call's instruction writes to memory. QEMU has these functions called for accesses of later
 * instructions, too; only while the block runs do they count.
 */
static inline void pushed(unsigned cpu, uint32_t info, uint64_t address, void *arg)
{
	if (counts.shadow.cpu[cpu].block == arg && qemu_plugin_mem_is_store(info))
		shadow_pushed(&counts.shadow, cpu, address);
}

/* A return loads its address. */
static inline void popped(unsigned cpu, uint32_t info, uint64_t address, void *arg)
{
	if (counts.shadow.cpu[cpu].block == arg && !qemu_plugin_mem_is_store(info))
		shadow_popped(&counts.shadow, cpu, address);
}

/* The same two for the only processor. */
static void pushed_alone(unsigned cpu, uint32_t info, uint64_t address, void *arg)
{
	(void)cpu;
	pushed(0, info, address, arg);
}

static void popped_alone(unsigned cpu, uint32_t info, uint64_t address, void *arg)
{
	(void)cpu;
	popped(0, info, address, arg);
}

/* Get an instruction. */
static void fetch(struct qemu_plugin_insn *insn, struct decode_insn *to, uint8_t byte[static 16])
{
	to->pc = qemu_plugin_insn_vaddr(insn);
	to->n = order_min(qemu_plugin_insn_size(insn), 16);
	to->byte = byte;
	if (data_at)
		memcpy(byte, data_at(insn), to->n);
	else
		data_copy(insn, byte, to->n);
}

/* Return whether an address is the kernel's. */
static bool is_kernel(uint64_t pc)
{
	bool upper = lo >> (8 * width - 1);

	if (width == 4 && pc >= FIRMWARE)
		return false;
	return pc >= lo && (upper || pc < hi);
}

/* Return whose code is at an address. */
static uint8_t where_is(uint64_t pc)
{
	if (is_kernel(pc))
		return SHADOW_INSIDE;
	if (programs.n > 0)
		return SHADOW_PROGRAM;
	return SHADOW_OUTSIDE;
}

/* The kernel runs elsewhere: so do the marks, and what was translated there is the kernel's. */
static void move(uint64_t by)
{
	uint64_t further = by - shift;
	struct table *chosen = &counts.trace.chosen;
	size_t i, n = chosen->n;

	lo += further;
	hi += further;
	if (counts.from)
		counts.from += further;
	if (counts.until)
		counts.until += further;
	if (counts.shadow.slow)
		counts.shadow.slow += further;
	for (i = 0; i < n; i++)
		*table_at(chosen, chosen->row[i].key[0] + further, 0, 0) = 1;
	shift = by;
	for (i = 0; i < counts.nblock; i++) {
		struct shadow_block *at = &counts.block[i]->at;

		at->where = where_is(at->pc);
		at->after[0] = at->after[1] = NULL;
	}
}

/* Return whether it is not known yet where the kernel runs. */
static bool unsettled(void)
{
	if (shift)
		return false;
	return moved.code.n > 0 && !moved_votes(&moved, 0);
}

/*
 * Look whether the first bytes of a block are a function's. The kernel has moved if enough are, and
 * none ran in its place. If they do so later, it has only begun elsewhere.
 */
static void look(uint64_t pc, const uint8_t byte[static MOVED_BYTES])
{
	uint64_t by;

	if (!moved_look(&moved, pc, byte, &by))
		return;
	if (moved_votes(&moved, by) < MOVED_ENOUGH)
		return;
	if (by == shift)
		return;
	if (!by)
		move(0);
	else if (unsettled())
		move(by);
}

/* Make a block as it has been translated. Return a hash of pc, length and content; it is not 0. */
static uint64_t make(struct qemu_plugin_tb *tb, struct block *b)
{
	uint64_t hash;
	struct decode_insn insn = {.n = 0};
	struct decoded end;
	uint8_t byte[16], first[MOVED_BYTES];
	size_t have = 0;
	struct programs_set set = {.may = UINT64_MAX, .has = UINT64_MAX};
	size_t i, k;

	b->at.n = (uint32_t)qemu_plugin_tb_n_insns(tb);
	b->at.pc = qemu_plugin_tb_vaddr(tb);
	hash = (0xcbf29ce484222325u ^ b->at.pc) * 0x100000001b3u;
	hash = (hash ^ b->at.n) * 0x100000001b3u;
	for (i = 0; i < b->at.n; i++) {
		fetch(qemu_plugin_tb_get_insn(tb, i), &insn, byte);
		programs_look(&programs, &set, insn.pc, byte, insn.n);
		for (k = 0; k < insn.n && have < MOVED_BYTES; k++)
			first[have++] = byte[k];
		for (k = 0; k < insn.n; k++)
			hash = (hash ^ byte[k]) * 0x100000001b3u;
	}
	if (moved.code.n && have == MOVED_BYTES)
		look(b->at.pc, first);
	end = decode(&insn);
	b->at.next = insn.pc + insn.n;
	b->at.end = end.end;
	b->at.target = end.target;
	b->at.where = where_is(b->at.pc);
	if (b->at.where == SHADOW_PROGRAM)
		b->at.whose = programs_number(&programs, &set, b->at.pc);
	if (b->at.where != SHADOW_INSIDE && !counts.shadow.began)
		*table_at(&counts.shadow.firmware, b->at.pc / SHADOW_PAGE, 0, 0) = 1;
	b->at.pushes = pushes;
	return hash ? hash : 1;
}

/* Keep a block, with what counts each of its instructions if that is asked for. */
static struct block *keep(struct qemu_plugin_tb *tb, const struct block *made)
{
	struct block *b = counts_add(&counts, made);
	struct block_each *each;
	size_t i;

	if (!b)
		fail("out of memory");
	if (!exact)
		return b;
	each = memory_zeroed(1, sizeof(*each));
	each->ran = memory_zeroed(b->at.n, sizeof(*each->ran));
	each->offset = memory_zeroed(b->at.n, sizeof(*each->offset));
	for (i = 0; i < b->at.n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		each->offset[i] = (uint16_t)(qemu_plugin_insn_vaddr(insn) - b->at.pc);
	}
	b->each = each;
	return b;
}

/* Return the block that has been translated, an earlier one if that is the same. */
static struct block *block_of(struct qemu_plugin_tb *tb)
{
	struct block made = {.begun = 0};
	uint64_t hash = make(tb, &made), *number;

	number = cells_at(&known, hash);
	if (*number)
		return counts.block[*number - 1];
	*number = counts.nblock + 1;
	return keep(tb, &made);
}

/* Have each instruction counted. */
static void count_each(struct qemu_plugin_tb *tb, struct block *b)
{
	size_t i;

	for (i = 0; i < b->at.n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (add_inline)
			add_inline(insn, 0, &b->each->ran[i], 1);
		else
			qemu_plugin_register_vcpu_insn_exec_cb(insn, add, 0, &b->each->ran[i]);
	}
}

/* Have QEMU end as if somebody had asked it to. */
static void end(void)
{
	kill(getpid(), SIGTERM);
}

/* Return what is called for each run of the block that is translated, for it is about to run. */
static exec_fn *entering(void)
{
	bool by_call = counts_by_call(&counts, 0);

	if (parallel)
		return enter_locked;
	if (!alone)
		return enter;
	if (counts.from || counts.until)
		return enter_alone;
	if (counts.period)
		return by_call ? sample_by_call : sample;
	if (counts_timed(&counts))
		return enter_alone;
	return by_call ? all_by_call : all;
}

/* Called when QEMU has translated a block. */
static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct qemu_plugin_insn *last;
	struct block *b;

	(void)id;
	if (n == 0)
		return;
	pthread_mutex_lock(&lock);
	if (counts.nblock == 0 && !watch_begin(allowed, end))
		fail("no thread can be made");
	b = block_of(tb);
	pthread_mutex_unlock(&lock);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, entering(), 0, b);
	if (exact)
		count_each(tb, b);
	if (b->at.where == SHADOW_OUTSIDE && !unsettled())
		return;
	if (!pushes)
		return;
	last = qemu_plugin_tb_get_insn(tb, n - 1);
	if (b->at.end == DECODE_CALL)
		qemu_plugin_register_vcpu_mem_cb(last, alone ? pushed_alone : pushed, 0,
						 QEMU_ACCESSES, &b->at);
	if (b->at.end == DECODE_RETURN)
		qemu_plugin_register_vcpu_mem_cb(last, alone ? popped_alone : popped, 0,
						 QEMU_ACCESSES, &b->at);
}

static void ended(plugin_id id, void *arg)
{
	uint64_t n, by = moved_most(&moved, &n);

	(void)id;
	(void)arg;
	counts_end(&counts);
	counts.shift = shift;
	if (n >= MOVED_ENOUGH)
		counts.moved = by;
	if (counts_write(&counts, out) < 0)
		fail("the counts cannot be written");
}

/* Find what this QEMU has, before it looks which version the plugin wants. */
__attribute__((constructor)) static void find(void)
{
	*(void **)&add_inline = dlsym(RTLD_DEFAULT, "qemu_plugin_register_vcpu_insn_exec_inline");
	if (!add_inline)
		qemu_plugin_version = 2;
}

/* Choose what the version and the machine decide. */
static void choose(const struct qemu_info_t *info)
{
	void *data = dlsym(RTLD_DEFAULT, "qemu_plugin_insn_data");

	if (info->version.cur < 3)
		*(void **)&data_at = data;
	else
		*(void **)&data_copy = data;
	decode = decode_of(info->target);
	if (!decode)
		fail("this machine's instructions are not known: those of i386, x86_64, "
		     "riscv64 and aarch64 are");
	width = decode_width(info->target);
	parallel = info->system && info->smp.cpus > 1;
	alone = info->system && info->smp.most == 1;
	pushes = strcmp(info->target, "i386") == 0 || strcmp(info->target, "x86_64") == 0;
	if (info->system && info->smp.most > SHADOW_CPUS)
		fail("64 processors at most");
	if (turns && parallel && info->version.cur >= 2)
		fail("this version of QEMU does not tell which of several processors runs when "
		     "they take turns: leave out -icount and thread=single");
}

/* Read what gnomon record has written where the counts will be. */
static void read_lines(void)
{
	FILE *from = fopen(out, "r");
	unsigned long long entry, word[2];
	uint8_t byte[MOVED_BYTES];
	char *line = NULL;
	size_t size = 0, i;

	if (!from)
		fail("its file cannot be read");
	while (getline(&line, &size, from) > 0) {
		if (sscanf(line, "function %llx\n", &entry) == 1)
			*table_at(&counts.trace.chosen, entry, 0, 0) = 1;
		else if (sscanf(line, "code %llx %16llx%16llx", &entry, &word[0], &word[1]) == 3) {
			for (i = 0; i < MOVED_BYTES; i++)
				byte[i] = (uint8_t)(word[i / 8] >> 8 * (7 - i % 8));
			moved_add(&moved, entry, byte);
		} else if (programs_add(&programs, line) < 0)
			fail("a program cannot be read");
	}
	free(line);
	fclose(from);
	counts.shadow.programs = &programs;
}

/* Take an argument with numbers; addresses are hexadecimal. Return whether it is one. */
static bool take_numbers(const char *arg)
{
	struct shadow *s = &counts.shadow;
	bool is = sscanf(arg, "text=%" SCNx64 ":%" SCNx64, &lo, &hi) == 2;

	is |= sscanf(arg, "from=%" SCNx64, &counts.from) == 1;
	is |= sscanf(arg, "until=%" SCNx64, &counts.until) == 1;
	is |= sscanf(arg, "period=%" SCNu64, &counts.period) == 1;
	is |= sscanf(arg, "trace=%" SCNu64, &counts.trace.keep) == 1;
	is |= sscanf(arg, "most=%" SCNu64, &counts.most) == 1;
	is |= sscanf(arg, "for=%" SCNd64, &allowed) == 1;
	is |= sscanf(arg, "slow=%" SCNx64 ":%" SCNu64, &s->slow, &s->limit) == 2;
	return is;
}

/* Take an argument. */
static void take(const char *arg)
{
	if (take_numbers(arg))
		return;
	if (strncmp(arg, "out=", 4) == 0)
		out = strdup(arg + 4);
	else if (strcmp(arg, "exact=on") == 0)
		exact = true;
	else if (strcmp(arg, "turns=on") == 0)
		turns = true;
	else
		fail("the plugin's arguments are out=FILE, text=LO:HI, from=, until=, period=, "
		     "exact=on, turns=on, trace=, slow=, most= and for=");
}

/* Called when QEMU loads the plugin. */
int qemu_plugin_install(plugin_id id, const struct qemu_info_t *info, int argc, char **argv)
{
	int i;

	counts.most = UINT64_MAX;
	counts.ended = end;
	shadow_init(&counts.shadow);
	programs_init(&programs);
	for (i = 0; i < argc; i++)
		take(argv[i]);
	if (!out)
		fail("the plugin needs out=FILE");
	read_lines();
	choose(info);
	counts_begin(&counts);
	if (counts_write_begun(out) < 0)
		fail("its file cannot be written");
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
