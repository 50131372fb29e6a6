/* true: does nothing, successfully. */

int main(void)
{
	return 0;
}
