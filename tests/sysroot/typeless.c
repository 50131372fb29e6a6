/* A program whose time is that of a function in assembly, which stands behind one of C. */
int spin(int n);

static volatile int rounds = 200;

int main(void)
{
	for (int i = 0; i < rounds; i++)
		spin(20000);
	return 0;
}
