/* The page of gnomon report --html inside gnomon: PAGE is the file that `make` put together. */
__asm__(".pushsection .rodata\n"
	".globl page_begin, page_end\n"
	"page_begin: .incbin \"" PAGE "\"\n"
	"page_end:\n"
	".popsection\n");
