/*
 * 9P2000.L messages: what goes out, byte by byte, and what is believed of what comes back:
 * answers that are cut off, lie about lengths, belong to another request, or are noise.
 * Links: drivers/files/ninep.c tests/drivers/fakes.c
 */
#include "drivers/files/ninep.h"
#include "drivers/bus/virtio.h"
#include "drivers/bus/virtio9p.h"
#include "tests/drivers/fakes.h"
#include "kernel/abi/errno.h"

static struct ninep_msg *msg;	       /* the one there is; NULL: nobody has it */
static uint8_t asked[1024], answer[2048]; /* the request as sent, the answer to give */
static size_t nasked, nanswer;
static bool near;		       /* the caller's buffers cannot be reached */
static int begin_error, call_error;
static bool deaf_begin;
static unsigned posted;

bool virtio_reaches(const void *p)
{
	return p != NULL && !near;
}

int virtio9p_begin(int server, bool deaf, struct ninep_msg **m)
{
	assert_int_equal(server, 2);
	assert_null(msg);
	deaf_begin = deaf;
	if (begin_error)
		return begin_error;
	msg = malloc(sizeof(*msg));
	memset(msg, 0xa5, sizeof(*msg));
	msg->nout = msg->answer = msg->nsend = msg->nrecv = 0;
	msg->tag = 0x0b0a;
	*m = msg;
	return 0;
}

/* The transport: answer[] lands where the request's memory is, as far as there is room. */
int virtio9p_call(int server, struct ninep_msg *m)
{
	size_t here = m->nrecv ? NINEP_DATA : NINEP_MSG;

	assert_int_equal(server, 2);
	assert_ptr_equal(m, msg);
	memcpy(asked, m->out, m->nout);
	if (m->nsend)
		memcpy(asked + m->nout, m->send, m->nsend);
	nasked = m->nout + m->nsend;
	if (call_error)
		return call_error;
	m->answer = nanswer < here + m->nrecv ? (uint32_t)nanswer : (uint32_t)here + m->nrecv;
	memcpy(m->in, answer, m->answer < here ? m->answer : here);
	if (m->answer > here)
		memcpy(m->recv, answer + here, m->answer - here);
	return 0;
}

void virtio9p_end(int server, struct ninep_msg *m)
{
	assert_int_equal(server, 2);
	assert_ptr_equal(m, msg);
	free(msg);
	msg = NULL;
}

void virtio9p_post(int server, struct ninep_msg *m)
{
	memcpy(asked, m->out, m->nout);
	nasked = m->nout;
	posted++;
	virtio9p_end(server, m);
}

/* The answer to come: type, the right tag and size, n bytes of fields. */
static void will_answer(uint8_t type, const void *fields, size_t n)
{
	const uint8_t header[7] = {(uint8_t)(7 + n), (uint8_t)((7 + n) >> 8), 0, 0, type,
				   0x0a, 0x0b};

	memmove(answer + 7, fields, n);
	memcpy(answer, header, 7);
	nanswer = 7 + n;
}

#define BUF 64
static uint8_t *buf; /* of exactly BUF bytes, so that the sanitizer sees one too many */
static struct ninep_qid qid;
static struct ninep_attr attr;

static int do_version(void)
{
	return ninep_version(2);
}

static int do_attach(void)
{
	return ninep_attach(2, 0x01020304);
}

static int do_walk(void)
{
	return ninep_walk(2, 1, 2, "ab", &qid);
}

static int do_clone(void)
{
	return ninep_walk(2, 1, 2, NULL, NULL);
}

static int do_open(void)
{
	return ninep_open(2, 1, O_RDWR | O_TRUNC);
}

static int do_create(void)
{
	return ninep_create(2, 1, "ab", O_WRONLY, 0640, &qid);
}

static int do_mkdir(void)
{
	return ninep_mkdir(2, 1, "ab", 0750);
}

static int do_read(void)
{
	return ninep_read(2, 1, buf, BUF, 0x0102030405060708);
}

static int do_readdir(void)
{
	return ninep_readdir(2, 1, buf, BUF, 9);
}

static int do_write(void)
{
	return ninep_write(2, 1, "abcd", 4, 5);
}

static int do_getattr(void)
{
	return ninep_getattr(2, 1, &attr);
}

static int do_setattr(void)
{
	return ninep_setattr(2, 1, NINEP_SETSIZE, 0x0102030405);
}

static int do_remove(void)
{
	return ninep_remove(2, 1);
}

static int do_rename(void)
{
	return ninep_rename(2, 1, 2, "ab");
}

#define TEN "\0\0\0\0\0\0\0\0\0\0"
#define QID "\x80\4\3\2\1\x11\x12\x13\x14\x15\x16\x17\x18"

/* A request, its bytes after the tag, an answer's fields, and the result. */
static const struct {
	const char *name;
	int (*run)(void);
	uint8_t type;
	size_t nout;
	const char *out;
	size_t nin;
	const char *in;
	int result;
} cases[] = {
	{"attach", do_attach, 104, 19, "\4\3\2\1\377\377\377\377\3\0eve\0\0\377\377\377\377",
	 13, QID, 0},
	{"walk", do_walk, 110, 14, "\1\0\0\0\2\0\0\0\1\0\2\0ab", 15, "\1\0" QID, 0},
	{"clone", do_clone, 110, 10, "\1\0\0\0\2\0\0\0\0\0", 2, "\0\0", 0},
	{"open", do_open, 12, 8, "\1\0\0\0\2\2\0\0", 17, QID "\0\0\0\0", 0},
	{"create", do_create, 14, 20, "\1\0\0\0\2\0ab\1\0\0\0\xa0\1\0\0\377\377\377\377", 17,
	 QID "\0\0\0\0", 0},
	{"mkdir", do_mkdir, 72, 16, "\1\0\0\0\2\0ab\xe8\1\0\0\377\377\377\377", 13, QID, 0},
	{"read", do_read, 116, 16, "\1\0\0\0\x08\7\6\5\4\3\2\1\x40\0\0\0", 9, "\5\0\0\0hello", 5},
	{"end of file", do_read, 116, 16, "\1\0\0\0\x08\7\6\5\4\3\2\1\x40\0\0\0", 4, "\0\0\0\0", 0},
	{"readdir", do_readdir, 40, 16, "\1\0\0\0\11\0\0\0\0\0\0\0\x40\0\0\0", 7, "\3\0\0\0abc", 3},
	{"write", do_write, 118, 20, "\1\0\0\0\5\0\0\0\0\0\0\0\4\0\0\0abcd", 4, "\3\0\0\0", 3},
	{"getattr", do_getattr, 24, 12, "\1\0\0\0\377\7\0\0\0\0\0\0", 153,
	 "\377\7\0\0\0\0\0\0" QID "\xa4\x81\0\0" TEN TEN "\0\0\0\0" "\5\4\3\2\1\0\0\0" TEN TEN TEN
	 "\0\0" "\x00\xca\x9a\x3b\0\0\0\0" TEN TEN TEN TEN TEN TEN TEN, 0},
	{"setattr", do_setattr, 26, 60,
	 "\1\0\0\0\10\0\0\0\5\4\3\2\377\377\377\377\377\377\377\377\5\4\3\2\1\0\0\0" TEN
	 "\0\0\0\0\0\0\5\4\3\2\1\0\0\0\0\0\0\0\0\0\0\0", 0, "", 0},
	{"remove", do_remove, 122, 4, "\1\0\0\0", 0, "", 0},
	{"rename", do_rename, 20, 12, "\1\0\0\0\2\0\0\0\2\0ab", 0, "", 0},
};

/* What is sent is as the protocol has it, and a good answer is understood. */
static void good(void **state)
{
	for (size_t i = 0; i < nelem(cases); i++) {
		will_answer(cases[i].type + 1, cases[i].in, cases[i].nin);
		assert_int_equal(cases[i].run(), cases[i].result);
		assert_int_equal(asked[0] | asked[1] << 8, nasked);
		assert_int_equal(asked[4], cases[i].type);
		assert_memory_equal(asked + 5, "\x0a\x0b", 2);
		assert_int_equal(nasked, 7 + cases[i].nout);
		assert_memory_equal(asked + 7, cases[i].out, cases[i].nout);
		assert_false(deaf_begin);
	}
	assert_int_equal(qid.type, NINEP_DIR);
	assert_true(qid.path == 0x1817161514131211);
	assert_int_equal(attr.mode, 0100644);
	assert_true(attr.size == 0x0102030405);
	assert_int_equal(attr.mtime, 1000000000);
	will_answer(117, "\5\0\0\0hello", 9);
	do_read();
	assert_memory_equal(buf, "hello", 5);
}

/* A fid is let go of whatever happens, and nobody waits for it. */
static void clunk(void **state)
{
	ninep_clunk(2, 0x01020304);
	assert_int_equal(nasked, 11);
	assert_memory_equal(asked, "\x0b\0\0\0\x78\x0a\x0b\4\3\2\1", 11);
	assert_true(deaf_begin && posted == 1);
	begin_error = -EIO;
	ninep_clunk(2, 1);
	begin_error = 0;
	assert_int_equal(posted, 1);
}

/* Cut off anywhere, whatever its size field says, an answer is no answer. */
static void cut_off(void **state)
{
	for (size_t i = 0; i < nelem(cases); i++) {
		size_t all, need = cases[i].run == do_getattr ? 7 + 85 : 7 + cases[i].nin;

		if (cases[i].run == do_attach || cases[i].run == do_mkdir ||
		    cases[i].run == do_open)
			need = 7; /* what follows is not looked at */
		else if (cases[i].run == do_create)
			need = 7 + 13;
		will_answer(cases[i].type + 1, cases[i].in, cases[i].nin);
		all = nanswer;
		for (size_t n = 0; n < all; n++) {
			nanswer = n;
			answer[0] = (uint8_t)all;
			assert_int_equal(cases[i].run(), -EPROTO);
			answer[0] = (uint8_t)n;
			if (n < need)
				assert_int_equal(cases[i].run(), -EPROTO);
		}
	}
}

/* Any byte of the header changed makes it another message's. */
static void wrong_header(void **state)
{
	for (size_t i = 0; i < nelem(cases); i++) {
		for (unsigned at = 0; at < 7; at++) {
			for (unsigned v = 1; v < 256; v++) {
				will_answer(cases[i].type + 1, cases[i].in, cases[i].nin);
				answer[at] ^= (uint8_t)v;
				if (at == 4 && answer[4] == 7)
					continue;
				assert_int_equal(cases[i].run(), -EPROTO);
			}
		}
	}
}

/* The server's errors come through, if they can be error numbers. */
static void errors(void **state)
{
	static const struct {
		const char *field;
		size_t n;
		int result;
	} row[] = {
		{"\2\0\0\0", 4, -ENOENT}, {"\15\0\0\0", 4, -EACCES}, {"\21\0\0\0", 4, -EEXIST},
		{"\34\0\0\0", 4, -ENOSPC}, {"\47\0\0\0", 4, -ENOTEMPTY}, {"\0\0\0\0", 4, -EPROTO},
		{"\377\17\0\0", 4, -4095}, {"\0\20\0\0", 4, -EPROTO}, {"\2\0\0\x80", 4, -EPROTO},
		{"\2\0\0", 3, -EPROTO}, {"", 0, -EPROTO},
	};

	for (size_t i = 0; i < nelem(cases); i++) {
		for (size_t k = 0; k < nelem(row); k++) {
			will_answer(7, row[k].field, row[k].n);
			assert_int_equal(cases[i].run(), row[k].result);
		}
		call_error = -EINTR;
		assert_int_equal(cases[i].run(), -EINTR);
		call_error = 0;
		begin_error = -EIO;
		assert_int_equal(cases[i].run(), -EIO);
		begin_error = 0;
	}
}

/* Counts that do not fit what came, or what was asked for. */
static void counts(void **state)
{
	static const struct {
		int (*run)(void);
		uint8_t type;
		const char *in;
		size_t n;
	} row[] = {
		{do_read, 117, "\6\0\0\0hello", 9},	{do_read, 117, "\4\0\0\0hello", 9},
		{do_read, 117, "\0\0\0\x80hello", 9},	{do_read, 117, "\377\377\377\377", 4},
		{do_readdir, 41, "\377\377\377\377abc", 7}, {do_write, 119, "\5\0\0\0", 4},
		{do_write, 119, "\377\377\377\377", 4}, {do_walk, 111, "\0\0", 2},
		{do_walk, 111, "\2\0" QID QID, 28},	{do_clone, 111, "\1\0" QID, 15},
	};
	uint8_t much[4 + BUF + 1] = {BUF + 1};

	for (unsigned k = 0; k < 2; k++, near = !near) {
		for (size_t i = 0; i < nelem(row); i++) {
			will_answer(row[i].type, row[i].in, row[i].n);
			assert_int_equal(row[i].run(), -EPROTO);
		}
		will_answer(117, much, sizeof(much));
		assert_int_equal(do_read(), -EPROTO);
	}
}

/* A buffer that is large goes to the device itself, one that it cannot reach in pieces. */
static void large(void **state)
{
	static uint8_t big[1000];
	uint8_t *p = malloc(1000);

	for (unsigned i = 0; i < sizeof(big); i++)
		big[i] = (uint8_t)(i * 7);
	memcpy(answer, "\xf3\3\0\0\x75\x0a\x0b\xe8\3\0\0", 11);
	memcpy(answer + 11, big, 1000);
	nanswer = 1011;
	assert_int_equal(ninep_read(2, 1, p, 1000, 0), 1000);
	assert_memory_equal(p, big, 1000);
	for (size_t n = 0; n < 1011; n++) {
		nanswer = n;
		assert_int_equal(ninep_read(2, 1, p, 1000, 0), -EPROTO);
	}
	will_answer(119, "\xe8\3\0\0", 4);
	assert_int_equal(ninep_write(2, 1, big, 1000, 0), 1000);
	assert_int_equal(nasked, 23 + 1000);
	assert_memory_equal(asked + 23, big, 1000);
	near = true;
	will_answer(119, "\0\2\0\0", 4);
	assert_int_equal(ninep_write(2, 1, big, 1000, 0), 512);
	assert_int_equal(nasked, 23 + 512);
	will_answer(117, "\0\0\0\0", 4);
	assert_int_equal(ninep_read(2, 1, p, 1000, 0), 0);
	assert_memory_equal(asked + 7 + 12, "\0\2\0\0", 4);
	near = false;
	free(p);
}

/* Only this protocol, and messages as large as ours. */
static void version(void **state)
{
	static const struct {
		const char *in;
		size_t n;
		int result;
	} row[] = {
		{"\x18\0\2\0\10\0009P2000.L", 14, 0},
		{"\x17\0\2\0\10\0009P2000.L", 14, -EPROTO},
		{"\x18\0\4\0\10\0009P2000.L", 14, -EPROTO},
		{"\x18\0\2\0\7\0unknown", 13, -EPROTO},
		{"\x18\0\2\0\6\0009P2000", 12, -EPROTO},
		{"\x18\0\2\0\10\0009P2000.u", 14, -EPROTO},
		{"\x18\0\2\0\10\0009P2000.", 13, -EPROTO},
		{"\x18\0\2\0", 4, -EPROTO},
	};

	for (size_t i = 0; i < nelem(row); i++) {
		will_answer(101, row[i].in, row[i].n);
		memcpy(answer + 5, "\377\377", 2);
		assert_int_equal(do_version(), row[i].result);
		assert_memory_equal(asked, "\x15\0\0\0\x64\377\377\x18\0\2\0\10\0009P2000.L", 21);
	}
}

/* Entries of directories. */
static void entries(void **state)
{
	static const char head[] = QID "\1\2\3\4\5\6\7\x08\4";
	static const struct {
		const char *name;
		size_t n, len; /* bytes, and what the length field says */
		int result;
	} row[] = {
		{"abc", 3, 3, 27},	 {"abcdef", 6, 3, 27},	 {"abc", 3, 4, -EPROTO},
		{"abc", 3, 0, -EPROTO},	 {"abc", 3, 65535, -EPROTO}, {"a/c", 3, 3, -EPROTO},
		{"a\0c", 3, 3, -EPROTO}, {"", 0, 0, -EPROTO},	 {"..", 2, 2, 26},
	};
	struct ninep_entry e;
	uint8_t *p, name[256];

	for (size_t i = 0; i < nelem(row); i++) {
		p = malloc(24 + row[i].n);
		memcpy(p, head, 22);
		p[22] = (uint8_t)row[i].len;
		p[23] = (uint8_t)(row[i].len >> 8);
		memcpy(p + 24, row[i].name, row[i].n);
		assert_int_equal(ninep_entry(p, 24 + row[i].n, &e), row[i].result);
		if (row[i].result > 0)
			assert_true(e.next == 0x0807060504030201 && e.qid.type == NINEP_DIR);
		free(p);
	}
	for (size_t n = 0; n < 24; n++)
		assert_int_equal(ninep_entry((const uint8_t *)head, n, &e), -EPROTO);
	memset(name, 'x', sizeof(name));
	for (size_t len = 255; len <= 256; len++) {
		p = malloc(24 + len);
		memcpy(p, head, 22);
		p[22] = (uint8_t)len;
		p[23] = (uint8_t)(len >> 8);
		memcpy(p + 24, name, len);
		assert_int_equal(ninep_entry(p, 24 + len, &e), len == 255 ? 279 : -EPROTO);
		free(p);
	}
}

/* Noise in place of answers, with and without a good header, and as entries. */
static void noise(void **state)
{
	int x;

	for (unsigned round = 0; round < 200000; round++) {
		size_t which = round % nelem(cases);
		struct ninep_entry e;
		int r;

		nanswer = 0;
		do {
			x = rand();
			answer[nanswer++] = (uint8_t)(x >> 23);
		} while (nanswer < 200 && (x & 63));
		if (round & 1)
			will_answer(cases[which].type + 1, answer, nanswer % 60);
		r = cases[which].run();
		assert_true(r >= -4095 && r <= BUF);
		assert_true(r >= 0 || r == -EPROTO || answer[4] == 7);
		r = ninep_entry(answer, nanswer, &e);
		assert_true(r == -EPROTO || (r > 24 && (size_t)r <= nanswer));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good),	   cmocka_unit_test(clunk),
		   cmocka_unit_test(cut_off), cmocka_unit_test(wrong_header),
		cmocka_unit_test(errors),  cmocka_unit_test(counts),  cmocka_unit_test(large),
		cmocka_unit_test(version), cmocka_unit_test(entries), cmocka_unit_test(noise),
	};
	int failed;

	buf = malloc(BUF);
	failed = RUN(tests, NULL, NULL);
	free(buf);
	return failed;
}
