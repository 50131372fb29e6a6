/* Streams, over files that can be short, broken, or terminals. */
#include <errno.h>
#include "tests/libc/gn.h"

#define OUT (&fake_file[1])
#define SIZE 4096 /* of a stream's buffer */

static int set_up(void **state)
{
	fake_reset();
	return 0;
}

/* Open file 3, which holds the text. */
static GNFILE *open_text(const char *mode, const char *text)
{
	GNFILE *f;

	fake_reset();
	fake_make(3, "f", text);
	f = gn_fopen("f", mode);
	assert_non_null(f);
	return f;
}

static void assert_content(int fd, const char *text)
{
	assert_int_equal(fake_file[fd].len, strlen(text));
	assert_memory_equal(fake_file[fd].data, text, strlen(text));
}

static void modes(void **state)
{
	GNFILE *f;

	assert_null(gn_fopen("f", "q"));
	assert_int_equal(gn_errno, EINVAL);
	assert_null(gn_fopen("f", "r"));
	assert_int_equal(gn_errno, ENOENT);
	f = gn_fopen("f", "w");
	gn_fputs("one", f);
	assert_int_equal(gn_fclose(f), 0);
	assert_content(3, "one");
	f = gn_fopen("f", "a");
	gn_fputs("two", f);
	gn_fclose(f);
	assert_content(3, "onetwo");
	f = gn_fopen("f", "r");
	assert_int_equal(gn_fputs("x", f), -1);
	assert_int_equal(gn_errno, EBADF);
	assert_true(gn_ferror(f));
	gn_fclose(f);
	f = gn_fopen("f", "w");
	assert_content(3, "");
	assert_int_equal(gn_fgetc(f), -1);
	assert_int_equal(gn_errno, EBADF);
	gn_fclose(f);
}

static void reads_characters(void **state)
{
	GNFILE *f = open_text("r", "ab\xff");

	assert_int_equal(gn_fgetc(f), 'a');
	assert_int_equal(gn_ungetc('x', f), 'x');
	assert_int_equal(gn_ungetc('y', f), 'y');
	assert_int_equal(gn_fgetc(f), 'y');
	assert_int_equal(gn_fgetc(f), 'x');
	assert_int_equal(gn_fgetc(f), 'b');
	assert_int_equal(gn_fgetc(f), 0xff);
	assert_false(gn_feof(f));
	assert_int_equal(gn_fgetc(f), EOF);
	assert_true(gn_feof(f));
	assert_false(gn_ferror(f));
	assert_int_equal(gn_ungetc('z', f), 'z');
	assert_false(gn_feof(f));
	assert_int_equal(gn_fgetc(f), 'z');
	assert_int_equal(gn_ungetc(EOF, f), EOF);
	gn_fclose(f);
	f = open_text("r", "");
	for (int i = 0; i < 8; i++)
		assert_int_equal(gn_ungetc('0' + i, f), '0' + i);
	assert_int_equal(gn_ungetc('8', f), EOF);
	assert_int_equal(gn_fgetc(f), '7');
	gn_fclose(f);
}

/* The end, once seen, stays until clearerr(); an error is not the end. */
static void ends(void **state)
{
	GNFILE *f = open_text("r", "a");

	assert_int_equal(gn_fgetc(f), 'a');
	assert_int_equal(gn_fgetc(f), EOF);
	fake_file[3].len = 0;
	fake_file[3].at = 0;
	fake_file[3].data[0] = 'b';
	fake_file[3].len = 1;
	assert_int_equal(gn_fgetc(f), EOF);
	gn_clearerr(f);
	assert_int_equal(gn_fgetc(f), 'b');
	fake_file[3].fail = EIO;
	gn_errno = 0;
	assert_int_equal(gn_fgetc(f), EOF);
	assert_int_equal(gn_errno, EIO);
	assert_true(gn_ferror(f));
	assert_false(gn_feof(f));
	gn_clearerr(f);
	assert_false(gn_ferror(f));
	gn_fclose(f);
}

/* fread and fwrite of every size around the buffer's, with reads and writes that fall short. */
static void blocks(void **state)
{
	static const size_t sizes[] = {1, 7, SIZE - 1, SIZE, SIZE + 1, 3 * SIZE + 5};
	static const size_t limits[] = {0, 1000, SIZE - 3};
	static char in[4 * SIZE], back[4 * SIZE];

	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = (char)(i * 31 + i / 256);
	for (size_t s = 0; s < nelem(sizes); s++) {
		for (size_t l = 0; l < nelem(limits); l++) {
			GNFILE *f = open_text("w+", "");

			fake_file[3].most = limits[l];
			assert_int_equal(gn_fwrite(in, 1, 3, f), 3);
			assert_int_equal(gn_fwrite(in + 3, 1, sizes[s], f), sizes[s]);
			assert_int_equal(gn_ftell(f), 3 + (long)sizes[s]);
			gn_rewind(f);
			memset(back, 0, sizeof(back));
			assert_int_equal(gn_fgetc(f), (unsigned char)in[0]);
			assert_int_equal(gn_fread(back, 1, sizeof(back), f), 2 + sizes[s]);
			assert_memory_equal(back, in + 1, 2 + sizes[s]);
			assert_true(gn_feof(f));
			gn_fclose(f);
		}
	}
}

/* What is larger than the buffer goes past it. */
static void large_blocks(void **state)
{
	static char large[3 * SIZE];
	GNFILE *f = open_text("w+", "");

	assert_int_equal(gn_fwrite(large, sizeof(large), 1, f), 1);
	assert_int_equal(fake_file[3].writes, 1);
	gn_rewind(f);
	assert_int_equal(gn_fread(large, sizeof(large), 1, f), 1);
	assert_int_equal(fake_file[3].reads, 1);
	gn_fclose(f);
}

static void elements(void **state)
{
	GNFILE *f = open_text("r", "0123456789");
	char buf[16];

	assert_int_equal(gn_fread(buf, 4, 0, f), 0);
	assert_int_equal(gn_fread(buf, 0, 4, f), 0);
	assert_int_equal(gn_fread(buf, SIZE_MAX, 2, f), 0);
	assert_int_equal(gn_errno, EOVERFLOW);
	assert_int_equal(gn_fread(buf, 4, 4, f), 2);
	gn_fclose(f);
	f = open_text("w", "");
	assert_int_equal(gn_fwrite("abcdef", 2, 3, f), 3);
	assert_int_equal(gn_fwrite("abcdef", SIZE_MAX, 3, f), 0);
	gn_fclose(f);
	assert_content(3, "abcdef");
}

/* Files are written when the buffer is full, terminals after a line, stderr at once. */
static void buffering(void **state)
{
	GNFILE *f = open_text("w", "");

	gn_fputs("a\nb", f);
	assert_int_equal(fake_file[3].writes, 0);
	for (int i = 0; i < SIZE; i++)
		gn_fputc('x', f);
	assert_int_equal(fake_file[3].len, SIZE);
	assert_int_equal(gn_fflush(f), 0);
	assert_int_equal(fake_file[3].len, SIZE + 3);
	assert_int_equal(gn_setvbuf(f, NULL, _IOLBF, 0), 0);
	gn_fputs("line", f);
	assert_int_equal(fake_file[3].len, SIZE + 3);
	gn_fputc('\n', f);
	assert_int_equal(fake_file[3].len, SIZE + 8);
	assert_int_equal(gn_setvbuf(f, NULL, 7, 0), EOF);
	gn_fclose(f);

	fake_file[1].tty = 1;
	gn_fprintf(gn_stdout, "%s", "ask");
	assert_int_equal(OUT->len, 0);
	gn_fprintf(gn_stdout, "%d\n", 5);
	assert_content(1, "ask5\n");
	gn_fputs("name? ", gn_stdout);
	fake_file[0].tty = 1;
	assert_int_equal(gn_fgetc(gn_stdin), EOF);
	assert_content(1, "ask5\nname? ");

	gn_fputs("e", gn_stderr);
	assert_int_equal(fake_file[2].writes, 1);
	gn_fprintf(gn_stderr, "%s: %d\n", "message", 12);
	assert_int_equal(fake_file[2].writes, 2);
	assert_content(2, "emessage: 12\n");
}

static void broken(void **state)
{
	GNFILE *f = open_text("w", "");

	fake_file[3].fail = ENOSPC;
	assert_int_equal(gn_fputs("abc", f), 0);
	assert_int_equal(gn_fflush(f), EOF);
	assert_int_equal(gn_errno, ENOSPC);
	assert_true(gn_ferror(f));
	assert_int_equal(gn_fputs("abc", f), 0);
	assert_int_equal(gn_fclose(f), EOF);
}

static void lines(void **state)
{
	GNFILE *f = open_text("r", "one\n\nthree and more\nlast");
	char buf[8];

	assert_ptr_equal(gn_fgets(buf, sizeof(buf), f), buf);
	assert_string_equal(buf, "one\n");
	assert_non_null(gn_fgets(buf, sizeof(buf), f));
	assert_string_equal(buf, "\n");
	assert_non_null(gn_fgets(buf, sizeof(buf), f));
	assert_string_equal(buf, "three a");
	assert_non_null(gn_fgets(buf, 1, f));
	assert_string_equal(buf, "");
	assert_non_null(gn_fgets(buf, sizeof(buf), f));
	assert_string_equal(buf, "nd more");
	assert_non_null(gn_fgets(buf, sizeof(buf), f));
	assert_string_equal(buf, "\n");
	assert_non_null(gn_fgets(buf, sizeof(buf), f));
	assert_string_equal(buf, "last");
	assert_null(gn_fgets(buf, sizeof(buf), f));
	assert_null(gn_fgets(buf, 0, f));
	gn_fclose(f);
}

static void long_lines(void **state)
{
	static char text[SIZE * 3];
	GNFILE *f;
	char *line = NULL;
	size_t size = 0;

	memset(text, 'l', SIZE * 2);
	strcpy(text + SIZE * 2, "\nshort\n\nend");
	f = open_text("r", text);
	fake_file[3].most = 333;
	assert_int_equal(gn_getline(&line, &size, f), SIZE * 2 + 1);
	assert_memory_equal(line, text, SIZE * 2 + 1);
	assert_int_equal(gn_getline(&line, &size, f), 6);
	assert_string_equal(line, "short\n");
	assert_int_equal(gn_getline(&line, &size, f), 1);
	assert_int_equal(gn_getline(&line, &size, f), 3);
	assert_string_equal(line, "end");
	assert_int_equal(gn_getline(&line, &size, f), -1);
	assert_true(gn_feof(f));
	gn_free(line);
	gn_fclose(f);
}

static void seeks(void **state)
{
	GNFILE *f = open_text("r+", "0123456789");
	char buf[4];

	assert_int_equal(gn_fgetc(f), '0');
	assert_int_equal(gn_ftell(f), 1);
	assert_int_equal(gn_fseek(f, 3, SEEK_CUR), 0);
	assert_int_equal(gn_fgetc(f), '4');
	assert_int_equal(gn_fseek(f, -2, SEEK_END), 0);
	assert_int_equal(gn_fgetc(f), '8');
	assert_int_equal(gn_fseek(f, -20, SEEK_CUR), -1);
	assert_int_equal(gn_errno, EINVAL);
	/* From reading to writing without a seek: at the place of the next byte. */
	assert_int_equal(gn_fseek(f, 2, SEEK_SET), 0);
	assert_int_equal(gn_fgetc(f), '2');
	gn_fputs("XY", f);
	assert_int_equal(gn_ftell(f), 5);
	assert_int_equal(gn_fread(buf, 1, 2, f), 2);
	assert_memory_equal(buf, "56", 2);
	/* fflush gives back what was read too early. */
	assert_int_equal(fake_file[3].at, 10);
	assert_int_equal(gn_fflush(f), 0);
	assert_int_equal(fake_file[3].at, 7);
	gn_fclose(f);
	assert_content(3, "012XY56789");
	f = open_text("r", "abc");
	fake_file[3].pipe = 1;
	assert_int_equal(gn_fgetc(f), 'a');
	assert_int_equal(gn_fseek(f, 0, SEEK_SET), -1);
	assert_int_equal(gn_errno, ESPIPE);
	assert_int_equal(gn_ftell(f), -1);
	gn_fclose(f);
}

static void descriptors(void **state)
{
	GNFILE *f, *g;

	fake_make(5, "five", "55");
	f = gn_fdopen(5, "r");
	assert_int_equal(gn_fgetc(f), '5');
	gn_fclose(f);
	assert_null(gn_fdopen(5, "z"));
	f = open_text("w", "");
	gn_fputs("kept", f);
	fake_make(4, "other", "text");
	g = gn_freopen("other", "r", f);
	assert_ptr_equal(g, f);
	assert_int_equal(gn_fgetc(g), 't');
	gn_fclose(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(modes, set_up),
		cmocka_unit_test_setup(reads_characters, set_up),
		cmocka_unit_test_setup(ends, set_up),
		cmocka_unit_test_setup(blocks, set_up),
		cmocka_unit_test_setup(large_blocks, set_up),
		cmocka_unit_test_setup(elements, set_up),
		cmocka_unit_test_setup(buffering, set_up),
		cmocka_unit_test_setup(broken, set_up),
		cmocka_unit_test_setup(lines, set_up),
		cmocka_unit_test_setup(long_lines, set_up),
		cmocka_unit_test_setup(seeks, set_up),
		cmocka_unit_test_setup(descriptors, set_up),
	};

	return RUN(tests, NULL, NULL);
}
