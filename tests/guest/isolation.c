/* What a user cannot learn, read, write or become: B14. docs/security.md says what stops him. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/bind.h>
#include <sys/profil.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "userland/libc/libc.h"
#include "tests/guest/tap.h"

#define KERNEL 0xc0000000u

static char *self; /* this program's path */

/* ---- what is the owner's alone */

static void none_reads_kernel(void)
{
	struct stat st;

	must(stat("/boot/gnomon", &st) == 0);
	if (st.st_mode & 0004)
		exit(99);
	must_fail(open("/boot/gnomon", O_RDONLY), EACCES);
	must_fail(open("#c/log", O_RDONLY), EACCES);
}

static void kernel_image(void)
{
	if (tap_exists("#X"))
		tap_skip("this machine was given another image of its kernel");
	tap_as_none(none_reads_kernel);
}

/* Exit with 0 if no descriptor is open but the first three. */
static int look_at_descriptors(void)
{
	struct stat st;

	for (int fd = 3; fd < 64; fd++)
		if (fstat(fd, &st) == 0)
			return fd;
	return 0;
}

static void descriptors(void)
{
	char command[64];

	tap_program((char *[]){ "/bin/as", "none", self, "descriptors", NULL });
	snprintf(command, sizeof(command), "true | as none %s descriptors", self);
	tap_program((char *[]){ "/bin/sh", "-c", command, NULL });
}

/* ---- what calls and new programs are given */

/* Make a system call with odd arguments, which it must not change; return its result. */
static uint32_t odd_call(uint32_t number)
{
	uint32_t r, b = ~0u, c = ~0u, d = ~0u, si = ~0u, di = ~0u;

	__asm__ volatile("int $0x80"
			 : "=a"(r), "+b"(b), "+c"(c), "+d"(d), "+S"(si), "+D"(di)
			 : "0"(number)
			 : "memory", "cc");
	must((b & c & d & si & di) == ~0u);
	return r;
}

/* No call leaves anything of the kernel's in a register. */
static void none_calls(void)
{
	/* They end, are two, wait for ever, and get the registers of a frame. */
	static const uint8_t others[] = { SYS_exit, SYS_fork, SYS_sigsuspend, SYS_sigreturn };

	for (uint32_t n = 0; n < NSYS + 16; n++) {
		if (memchr(others, (int)n, sizeof(others)))
			continue;
		uint32_t r = odd_call(n);
		if (r >= KERNEL && r < (uint32_t)-4095)
			dprintf(1, "# system call %u returned 0x%x\n", (unsigned)n, (unsigned)r);
		must(r < KERNEL || r >= (uint32_t)-4095);
	}
}

static void registers_after_calls(void)
{
	tap_as_none(none_calls);
}

#define TEXT 0x400000u
#define OTHER 0x1000u /* where a program's second segment is */

/* A program of two segments; entry is at code, which both are in. */
struct program {
	uint8_t ident[16];
	uint16_t type, machine;
	uint32_t version, entry, phoff, shoff, flags;
	uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
	struct {
		uint32_t type, off, va, pa, filesz, memsz, flags, align;
	} segment[2];
	uint8_t code[48];
	uint32_t gate[2];
};

static const struct program program = {
	.ident = { 0x7f, 'E', 'L', 'F', 1, 1, 1 }, .type = 2, .machine = 3, .version = 1,
	.entry = TEXT + offsetof(struct program, code), .phoff = 52, .ehsize = 52,
	.phentsize = 32, .phnum = 2,
	.segment = {
		{ 1, offsetof(struct program, gate), OTHER, 0, 8, 8, 6, 0 },
		{ 1, 0, TEXT, 0, sizeof(struct program), sizeof(struct program), 5, 0 },
	},
};

/* Run the program; return its wait status, or 100 + errno as an exit status if exec failed. */
static int run(const struct program *p)
{
	int fd = open("program", O_WRONLY | O_CREAT | O_TRUNC, 0755), status;

	must(fd >= 0 && write(fd, p, sizeof(*p)) == (ssize_t)sizeof(*p) && close(fd) == 0);
	pid_t pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		setuid(UID_NONE);
		execv("program", (char *[]){ "program", NULL });
		_exit(100 + errno);
	}
	must(waitpid(pid, &status, 0) == pid);
	return status;
}

/* Exit with 0 if all registers but the stack pointer are 0. */
static const uint8_t look_at_registers[] = {
	0x09, 0xd8, 0x09, 0xc8, 0x09, 0xd0, /* or ebx, ecx, edx to eax */
	0x09, 0xf0, 0x09, 0xf8, 0x09, 0xe8, /* or esi, edi, ebp to it */
	0x89, 0xc3,			    /* mov ebx, eax */
	0xc1, 0xe8, 0x10, 0x09, 0xc3,	    /* shr eax, 16; or ebx, eax */
	0x88, 0xf8, 0x08, 0xc3,		    /* mov al, bh; or bl, al */
	0xb8, 1, 0, 0, 0, 0xcd, 0x80,	    /* exit(ebx) */
};

static void registers_of_a_program(void)
{
	struct program p = program;

	memcpy(p.code, look_at_registers, sizeof(look_at_registers));
	must(run(&p) == 0);
	memcpy(p.code, "\x43\x90\x09\xd8", 4); /* inc ebx: the program sees what is not 0 */
	must(run(&p) == 1 << 8);
}

/* What is copied to a program is as long as it should be, and the same each time. */
static void what_is_copied(void)
{
	static uint8_t a[512], b[512];
	int fd = open("#/", O_RDONLY), n;

	memset(a, 0xa5, sizeof(a));
	memset(b, 0x5a, sizeof(b));
	must(sys3(SYS_stat, (int)"#/bin/sh", (int)a, 0) == 0);
	must(sys3(SYS_stat, (int)"#/bin/sh", (int)b, 0) == 0);
	must(memcmp(a, b, sizeof(struct stat)) == 0 && a[sizeof(struct stat)] == 0xa5);
	memset(a, 0xa5, sizeof(a));
	must((n = sys3(SYS_getdents, fd, (int)a, sizeof(a))) > 0);
	for (int at = 0; at < n;) {
		const struct dirent *d = (const struct dirent *)(a + at);
		int end = at + (int)offsetof(struct dirent, d_name) + (int)strlen(d->d_name) + 1;

		/* Between a name and the next entry nothing is written. */
		for (at += d->d_reclen; end < at; end++)
			must(a[end] == 0xa5);
	}
	memset(b, 0x5a, sizeof(b));
	must(sys3(SYS_pipe, (int)b, 0, 0) == 0 && b[8] == 0x5a);
}

/* ---- the processor */

/* A gate to kernel mode where the descriptor table of a processor after its reset would be. */
static void local_descriptors(void)
{
	static const uint8_t call[] = {
		0x9a, 0, 0, 0, 0, 0x07, 0x10,  /* call far 0x1007:0, which is OTHER / 8 * 8 + 7 */
		0xbb, 0, 0, 0, 0,	       /* mov ebx, 0 */
		0xb8, 1, 0, 0, 0, 0xcd, 0x80,  /* exit(ebx) */
	};
	static const uint8_t beyond[] = { 0xcb }; /* where the gate leads: ret far */
	uint32_t to = TEXT + offsetof(struct program, code) + sizeof(call);
	struct program p = program;

	memcpy(p.code, call, sizeof(call));
	memcpy(p.code + sizeof(call), beyond, sizeof(beyond));
	p.gate[0] = 0x08u << 16 | (to & 0xffff);
	p.gate[1] = (to & 0xffff0000) | 0xec00;
	must(run(&p) == SIGSEGV);
	memset(p.code, 0x90, 7); /* without the call it is a good program */
	must(run(&p) == 0);
}

enum { DS, ES, FS, GS, SS, CS, NSEGMENT };

/* Load the selector in the lower half of arg into the register in the upper half. */
static void load_selector(uintptr_t arg)
{
	uint32_t s = arg & 0xffff, user = 0x23;
	struct {
		uint32_t offset;
		uint16_t selector;
	} __attribute__((packed)) far = { 0, (uint16_t)s };

	switch (arg >> 16) {
	case DS:
		__asm__ volatile("movl %0, %%ds; movl %1, %%ds" : : "r"(s), "r"(user));
		break;
	case ES:
		__asm__ volatile("movl %0, %%es; movl %1, %%es" : : "r"(s), "r"(user));
		break;
	case FS:
		__asm__ volatile("movl %0, %%fs" : : "r"(s));
		break;
	case GS:
		__asm__ volatile("movl %0, %%gs" : : "r"(s));
		break;
	case SS:
		__asm__ volatile("movl %0, %%ss" : : "r"(s));
		break;
	default:
		__asm__ volatile("movl $1f, %0; ljmp *%0; 1:" : "+m"(far));
	}
	must(getpid() > 0);
}

/* Return whether a program may have that in the register: its own two segments, or none. */
static bool may_load(uint32_t s, unsigned segment)
{
	if (segment == SS)
		return s == 0x23;
	if (segment == CS)
		return (s & ~3u) == 0x18;
	return s < 4 || (s & ~3u) == 0x18 || (s & ~3u) == 0x20;
}

static void none_loads(void)
{
	for (uint32_t segment = 0; segment < NSEGMENT; segment++) {
		for (uint32_t s = 0; s < 0x80; s++) {
			int want = may_load(s, segment) ? 0 : SIGSEGV;
			int status = tap_status(load_selector, segment << 16 | s);

			if (status != want)
				dprintf(1, "# selector 0x%x in register %u: status 0x%x\n",
					(unsigned)s, (unsigned)segment, (unsigned)status);
			must(status == want);
		}
	}
}

/* Return whether the processor says anything of what the selector stands for. */
static bool is_seen(uint32_t s)
{
	uint8_t r, w, rights, limit;
	uint32_t to;

	__asm__("verr %w1; setz %0" : "=q"(r) : "r"(s) : "cc");
	__asm__("verw %w1; setz %0" : "=q"(w) : "r"(s) : "cc");
	__asm__("lar %2, %1; setz %0" : "=q"(rights), "=r"(to) : "r"(s) : "cc");
	__asm__("lsl %2, %1; setz %0" : "=q"(limit), "=r"(to) : "r"(s) : "cc");
	return r || w || rights || limit;
}

static void selectors(void)
{
	for (uint32_t s = 0; s <= 0xffff; s++) {
		bool seen = is_seen(s), mine = (s & ~3u) == 0x18 || (s & ~3u) == 0x20;

		if (seen != mine)
			dprintf(1, "# selector 0x%x is %sseen\n", (unsigned)s, seen ? "" : "not ");
		must(seen == mine);
	}
	tap_as_none(none_loads);
}

static void read_counter(uintptr_t counter)
{
	__asm__ volatile("rdpmc" : : "c"(counter) : "eax", "edx");
}

static void counters(void)
{
	must(tap_status(read_counter, 0) == SIGSEGV);
	must(tap_status(read_counter, 0x40000000) == SIGSEGV);
}

/* Make n system calls, and be busy between, with the stack and the frame pointer at esp. */
static void call_with_stack(uint32_t esp, uint32_t n)
{
	__asm__ volatile("pushl %%ebp; movl %%esp, %%edi; movl %0, %%esp; movl %0, %%ebp\n"
			 "1:	movl %2, %%eax\n\t"
			 "int $0x80\n\t"
			 "movl $200, %%ecx\n"
			 "2:	loop 2b\n\t"
			 "decl %%esi\n\t"
			 "jnz 1b\n\t"
			 "movl %%edi, %%esp; popl %%ebp"
			 : "+d"(esp), "+S"(n)
			 : "i"(SYS_getpid)
			 : "eax", "ecx", "edi", "memory", "cc");
}

static void none_points(void)
{
	static const uint32_t esp[] = {
		0xc0000004, 0xc0101000, 0xc0200003, 0xf8001ffc, 0xf8002000, 0xfee00000, 0xfffffffc,
		0xbffffffc, 0xbffffffe, 0xbffff000, 0, 3, 0x1000,
	};

	for (size_t i = 0; i < nelem(esp); i++)
		call_with_stack(esp[i], 2000);
}

/* Return whether a path of the program's own, in kpstack's text, has an address of the kernel's. */
static bool shows_kernel(const char *text)
{
	for (const char *at = text; (at = strstr(at, "[user]")) != NULL; at++) {
		const char *end = strchr(at, '\n');

		for (const char *a = at; (a = strstr(a, ";0x")) != NULL && a < end; a++)
			if (strtoul(a + 3, NULL, 16) >= KERNEL)
				return true;
	}
	return false;
}

/* Ticks come by NMI, wherever the stack pointer and the frame pointer lead. */
static void stack_in_the_kernel(void)
{
	must(kpctl("hz 5000") == 0 && kpctl("stacks on") == 0 && kpctl("startclr") == 0);
	tap_as_none(none_points);
	must(kpctl("stop") == 0);
	const char *text = tap_read("/dev/kpstack");
	must(strstr(text, "[user]") != NULL && !shows_kernel(text));
	must(kpctl("stacks off") == 0 && kpctl("hz 1000") == 0);
}

/* ---- profiles that would go to memory that is not the caller's to write */

static const uint32_t constant[1024] = { 1, 2, 3 };
static uint32_t shared[1024];

/* Have every sample counted in one cell at base, of two kinds in turn, while this runs. */
static void profile_into(uintptr_t base)
{
	struct prof whole = { (void *)base, 4, 0, 2 };

	profil((void *)base, 4, 0, 2);
	tap_spin(60);
	sprofil(&whole, 1, NULL, PROF_UINT);
	tap_spin(60);
	profil(NULL, 0, 0, 0);
}

static void none_profiles(void)
{
	static const uintptr_t base[] = {
		0, 0x1000, 0xbfffeffd, 0xbffff000, 0xbffffffe, KERNEL - 2, KERNEL, 0xc0100000,
		0xf8001000, 0xfee000b0, 0xfffffffe, (uintptr_t)constant,
		(uintptr_t)profile_into, (uintptr_t)&constant[1023],
	};
	uint8_t text[16];

	memcpy(text, (const void *)profile_into, sizeof(text));
	for (size_t i = 0; i < nelem(base); i++)
		must(tap_status(profile_into, base[i]) == 0);
	must(memcmp(text, (const void *)profile_into, sizeof(text)) == 0);
	for (size_t i = 0; i < nelem(constant); i++)
		must(constant[i] == (i < 3 ? i + 1 : 0));
}

static void profile_of_a_copy(uintptr_t base)
{
	for (int i = 0; i < 100 && *(volatile uint32_t *)base == 0; i++)
		profile_into(base); /* until a sample has come: on a busy host that takes long */
	must(*(volatile uint32_t *)base != 0);
}

static void profiles(void)
{
	tap_as_none(none_profiles);
	/* A page that is shared until it is written becomes the profiled process's own. */
	must(tap_status(profile_of_a_copy, (uintptr_t)shared) == 0);
	must(shared[0] == 0);
}

/* ---- others' processes */

static pid_t owners; /* a process of the owner's, in a group of its own */

static void none_signals(void)
{
	must_fail(kill(owners, 0), EPERM);
	must_fail(kill(owners, SIGKILL), EPERM);
	must_fail(kill(-owners, SIGKILL), EPERM);
	must_fail(setpgid(owners, 0), ESRCH);
	must_fail(kill(1, SIGKILL), EPERM);
	/* In the owner's group, a user still signals only what is his: the caller is. */
	must(setpgid(0, owners) == 0 && signal(SIGTERM, SIG_IGN) == SIG_DFL);
	must(kill(-owners, SIGTERM) == 0 && kill(0, SIGTERM) == 0);
	kill(0, SIGKILL);
}

static void signals(void)
{
	int status;

	owners = tap_sleeper();
	must(setpgid(owners, owners) == 0);
	pid_t pid = fork();
	must(pid >= 0);
	if (pid == 0) {
		must(setuid(UID_NONE) == 0);
		none_signals();
		_exit(1);
	}
	must(waitpid(pid, &status, 0) == pid && status == SIGKILL);
	must(waitpid(owners, &status, WNOHANG) == 0);
	tap_finish(owners);
}

/* ---- the console */

static void none_at_the_console(void)
{
	int ctl = open("/dev/consctl", O_RDWR);

	must_fail(open("/dev/cons", O_RDONLY), EACCES);
	must_fail(open("/dev/cons", O_RDWR), EACCES);
	must(ctl >= 0 && write(ctl, "rawon", 5) == 5);
	must(strncmp(tap_read("/dev/consctl"), "rawon\n", 6) == 0);
	for (;;)
		tap_sleep(1000);
}

/* What is typed goes to the owner, in lines, whatever a user asks for. */
static void console(void)
{
	pid_t pid = fork();

	must(pid >= 0);
	if (pid == 0) {
		must(setuid(UID_NONE) == 0);
		none_at_the_console();
	}
	tap_sleep(100);
	must(waitpid(pid, NULL, WNOHANG) == 0);
	must(strncmp(tap_read("/dev/consctl"), "rawoff\n", 7) == 0);
	tap_finish(pid);
}

/* ---- time of others */

/* Memory that costs its user nothing would still cost others the time to share and free it. */
static void empty_segment(void)
{
	struct program p = program;

	memcpy(p.code, "\xbb\0\0\0\0\xb8\1\0\0\0\xcd\x80", 12); /* exit(0) */
	must(run(&p) == 0);
	p.segment[0].flags = 4; /* as constants, which the program cannot write */
	must(run(&p) == 0);
	p.segment[0].memsz = 0x1000;
	must(run(&p) == 0);
	p.segment[0].memsz = 0x1001;
	must(run(&p) == (100 + ENOEXEC) << 8);
	p.segment[0].va = 0x10000000;
	p.segment[0].memsz = 0xa0000000;
	must(run(&p) == (100 + ENOEXEC) << 8);
}

/* List a directory of many members over and over, by the channel that the owner has, too. */
static void none_lists(int fd)
{
	static char big[32768];

	for (;;) {
		must(sys3(SYS_getdents, fd, (int)big, sizeof(big)) >= 0);
		must(lseek(fd, 0, SEEK_SET) == 0);
	}
}

/* Users who take a lock again and again, and keep it long each time, let the owner have it. */
static void locks(void)
{
	char name[24];
	pid_t pid[2];
	int64_t begin;

	must(mkdir("u", 0755) == 0);
	for (int i = 0; i < 63; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		must(mkdir(name, 0755) == 0 && bind(name, "u", MAFTER) == 0);
		for (int j = 0; j < 10; j++) {
			snprintf(name, sizeof(name), "d%d/%d.%d", i, i, j);
			tap_write(name, "");
		}
	}
	int fd = open("u", O_RDONLY);
	must(fd >= 0);
	for (size_t i = 0; i < nelem(pid); i++) {
		pid[i] = fork();
		must(pid[i] >= 0);
		if (pid[i] == 0) {
			must(setuid(UID_NONE) == 0);
			none_lists(fd);
		}
	}
	tap_sleep(50);
	begin = tap_now();
	must(lseek(fd, 0, SEEK_CUR) >= 0);
	must(tap_now() - begin < 2000000000);
	/* Both at once: one of them cannot be ended while it waits for the other. */
	for (size_t i = 0; i < nelem(pid); i++)
		must(kill(pid[i], SIGKILL) == 0);
	for (size_t i = 0; i < nelem(pid); i++)
		must(waitpid(pid[i], NULL, 0) == pid[i]);
}

static const struct tap_case cases[] = {
	{ "B14: the kernel's image and log", kernel_image },
	{ "B14: a user's program gets three descriptors", descriptors },
	{ "B14: registers after system calls", registers_after_calls },
	{ "B14: registers of a new program", registers_of_a_program },
	{ "B14: what is copied to programs", what_is_copied },
	{ "B14: local descriptors", local_descriptors },
	{ "B14: selectors", selectors },
	{ "B14: performance counters", counters },
	{ "B14: an NMI finds the stack pointer in the kernel", stack_in_the_kernel },
	{ "B14: profiles into what is not the caller's to write", profiles },
	{ "B14: signals to the owner's processes", signals },
	{ "B14: the console's input is the owner's", console },
	{ "B14: a segment that the file does not have", empty_segment },
	{ "B14: a lock that users take again and again", locks },
};

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1 && strcmp(argv[1], "descriptors") == 0)
		return look_at_descriptors();
	return tap_run(cases, nelem(cases));
}
