# Takes the EXAMPLES out of a manual page, for examples.t. In the folder dir it leaves
#   guest, host  shell scripts that run the examples of each side, the Nth after a line "@ N";
#                the last line that they print is "@ end"
#   N.shown      what the page says that the Nth prints
#   untried      a line for each example that is not tried: why
# The page shows which is which:
# - What begins with #include is a program, which the guest has by the name program.
# - The host is meant where the sentence above says "on the host", and on the pages of the host's
#   programs; the guest everywhere else.
# - A line that ends with "prints" stands above what the example before it prints.
# - The comment "Not tried: REASON" stands above an example that is not tried.
#
# usage: awk -v dir=FOLDER -v program=PATH -f examples.awk PAGE

FNR == 1 { hosts = FILENAME ~ /\/(gnomon[-a-z]*|kprof)\.1$/ }
/^\.Sh / { on = $2 == "EXAMPLES" }
!on { next }
/^\.Bd / { inside = 1; next }
/^\.Ed/ { take(); inside = 0; above = reason = text = ""; next }
inside { gsub(/\\e/, "\\"); text = text $0 "\n"; next }
/^\.\\" Not tried: / { reason = substr($0, 16); next }
/^\.Pp/ { above = ""; next }
{ above = above " " $0 }

# Put the example that ends here where it belongs.
function take() {
	if (above ~ /prints:?$/) {
		printf "%s", text >(dir "/" n ".shown")
		return
	}
	n++
	if (reason)
		print reason >(dir "/untried")
	else if (text ~ /^#include/)
		script("guest", "mkdir -p /tmp" program "\ncd /tmp" program "\n" program "\n")
	else
		script(hosts || above ~ /[Oo]n the host/ ? "host" : "guest", text)
}

# What was printed before may not end with the end of a line.
function script(side, lines)
{
	sides[side]
	printf "echo; echo @ %d\n%s", n, lines >(dir "/" side)
}

END {
	for (side in sides)
		print "echo; echo @ end" >(dir "/" side)
}
