/* false: does nothing, unsuccessfully. */

int main(void)
{
	return 1;
}
