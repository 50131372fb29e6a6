/*
 * shop: a kernel that knows of no profiler. It adds up what customers bought, prints a sum on the
 * serial line and ends the machine. Lab 7 finds out where its time goes, from outside.
 */
#define GOODS 500
#ifndef SALES
#define SALES 4000
#endif
#define NAME 12 /* bytes of a name, with its end */
#define SERIAL 0x3f8
#define PART __attribute__((noinline)) /* a function that profiles show by its name */

struct good {
	char name[NAME];
	unsigned price, sold;
};

static struct good goods[GOODS];
static unsigned seed = 1;

static inline void outb(unsigned short port, unsigned char value)
{
	__asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static PART void print(const char *s)
{
	while (*s)
		outb(SERIAL, (unsigned char)*s++);
}

static PART void print_number(unsigned n)
{
	char digits[11];
	char *at = digits + 10;

	*at = '\0';
	do
		*--at = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	print(at);
}

/* Write the name of a good: its number, with zeros before it. */
static PART void name_of(unsigned number, char *name)
{
	for (int i = NAME - 2; i >= 0; i--) {
		name[i] = (char)('0' + number % 10);
		number /= 10;
	}
	name[NAME - 1] = '\0';
}

static PART int same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static PART struct good *find(const char *name)
{
	for (unsigned i = 0; i < GOODS; i++)
		if (same(goods[i].name, name))
			return &goods[i];
	return 0;
}

static PART unsigned next_random(void)
{
	seed = seed * 1103515245 + 12345;
	return seed >> 16;
}

static PART void open_shop(void)
{
	for (unsigned i = 0; i < GOODS; i++) {
		name_of(i * 7 % GOODS, goods[i].name);
		goods[i].price = 10 + i % 90;
	}
}

static PART void sell(void)
{
	char name[NAME];
	struct good *good;

	name_of(next_random() % GOODS, name);
	good = find(name);
	if (good)
		good->sold++;
}

void shop(void)
{
	unsigned sum = 0;

	open_shop();
	for (unsigned i = 0; i < SALES; i++)
		sell();
	for (unsigned i = 0; i < GOODS; i++)
		sum += goods[i].sold * goods[i].price;
	print_number(sum);
	print("\n");
}
