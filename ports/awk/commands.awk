# Commands: what they print, and what they end with, while another one has not been waited for.
BEGIN {
	"echo first" | getline line
	print line
	print system("echo second"), "after it"
	print system("exit 3"), system("true"), system("false")
	print close("echo first")
	print "b\na" | "sort"
	print close("sort")
}
