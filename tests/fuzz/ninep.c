/*
 * Answers of a 9P server: drivers/files/ninep.c. The first byte chooses the request, the second
 * whether its data go apart; the rest is the answer.
 * Runs: 30000
 * Links: tests/fuzz/mutate.c drivers/files/ninep.c tests/drivers/fakes.c
 */
#include "tests/drivers/fakes.h"
#include "tests/fuzz/fuzz.h"
#include "drivers/files/ninep.h"
#include "drivers/bus/virtio.h"
#include "drivers/bus/virtio9p.h"
#include "kernel/file/dev.h"

#define BUF 700 /* bytes that are read: more than are copied */
#define HEAD 7	/* bytes of an answer before its fields */
#define TAG 0x0b0a

static struct ninep_msg *msg;
static const uint8_t *answer;
static size_t nanswer;
static bool apart;
static uint8_t *buf;
static struct ninep_qid qid;
static struct ninep_attr attr;

bool virtio_reaches(const void *p)
{
	return p != NULL && apart;
}

int virtio9p_begin(int server, bool deaf, struct ninep_msg **m)
{
	if (msg)
		abort();
	msg = malloc(sizeof(*msg));
	memset(msg, 0xa5, sizeof(*msg));
	msg->nout = msg->answer = msg->nsend = msg->nrecv = 0;
	msg->tag = TAG;
	*m = msg;
	return 0;
}

/* The answer lands where the request's memory is, as far as there is room. */
int virtio9p_call(int server, struct ninep_msg *m)
{
	size_t here = m->nrecv ? NINEP_DATA : NINEP_MSG, most = here + m->nrecv;

	m->answer = (uint32_t)(nanswer < most ? nanswer : most);
	memcpy(m->in, answer, m->answer < here ? m->answer : here);
	if (m->answer > here)
		memcpy(m->recv, answer + here, m->answer - here);
	return 0;
}

void virtio9p_end(int server, struct ninep_msg *m)
{
	if (m != msg)
		abort();
	free(msg);
	msg = NULL;
}

void virtio9p_post(int server, struct ninep_msg *m)
{
	virtio9p_end(server, m);
}

static int do_version(void)
{
	return ninep_version(2);
}

static int do_attach(void)
{
	return ninep_attach(2, 1);
}

static int do_walk(void)
{
	return ninep_walk(2, 1, 2, "ab", &qid);
}

static int do_clone(void)
{
	return ninep_walk(2, 1, 2, NULL, NULL);
}

static int do_create(void)
{
	return ninep_create(2, 1, "ab", O_WRONLY, 0640, &qid);
}

static int do_read(void)
{
	return ninep_read(2, 1, buf, BUF, 0);
}

/* The entries that came are read one by one. */
static int do_readdir(void)
{
	ssize_t n = ninep_readdir(2, 1, buf, BUF, 0), at = 0, used;
	struct ninep_entry e;

	if (n > BUF)
		abort();
	while (at < n && (used = ninep_entry(buf + at, (size_t)(n - at), &e)) > 0) {
		if (strlen(e.name) > NAME_MAX)
			abort();
		at += used;
	}
	return (int)n;
}

static int do_write(void)
{
	return ninep_write(2, 1, buf, BUF, 5);
}

static int do_getattr(void)
{
	return ninep_getattr(2, 1, &attr);
}

static const struct {
	int (*run)(void);
	uint8_t type; /* of the answer */
} requests[] = {
	{do_version, 101}, {do_attach, 105}, {do_walk, 111}, {do_clone, 111}, {do_create, 15},
	{do_read, 117}, {do_readdir, 41}, {do_write, 119}, {do_getattr, 25},
};

void fuzz_fields(struct fuzz_fields *f, const uint8_t *data, size_t n)
{
	fuzz_field(f, n, 0, 1, FUZZ_LITTLE);
	fuzz_field(f, n, 1, 1, FUZZ_LITTLE);
	fuzz_field(f, n, 2, 4, FUZZ_LITTLE);
	fuzz_field(f, n, 6, 1, FUZZ_LITTLE);
	for (size_t at = 2 + HEAD; at < n && at < 64; at += 2) {
		fuzz_field(f, n, at, 2, FUZZ_LITTLE);
		fuzz_field(f, n, at, 4, FUZZ_LITTLE);
		fuzz_field(f, n, at, 8, FUZZ_LITTLE);
	}
}

/* The size, the type and the tag are those expected. */
void fuzz_seal(uint8_t *data, size_t n)
{
	if (n < 2 + HEAD)
		return;
	for (unsigned i = 0; i < 4; i++)
		data[2 + i] = (uint8_t)((n - 2) >> 8 * i);
	data[6] = requests[data[0] % nelem(requests)].type;
	data[7] = TAG & 0xff;
	data[8] = TAG >> 8;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	int r;

	if (n < 2)
		return -1;
	answer = data + 2;
	nanswer = n - 2;
	apart = data[1] & 1;
	buf = malloc(BUF);
	memset(buf, 0, BUF);
	r = requests[data[0] % nelem(requests)].run();
	if (r < -4095 || r > BUF || msg)
		abort();
	free(buf);
	return 0;
}
