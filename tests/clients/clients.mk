# FLAMEGRAPH= is the folder with FlameGraph's scripts, of which Debian has no package. The table of
# docs/clients.md is made anew; pictures of windows are in build/clients.
FLAMEGRAPH =
CLIENTS	= $(B)/clients.table
clients: all ## what other programs say of our exports, for docs/clients.md
	FLAMEGRAPH=$(FLAMEGRAPH) tests/clients/run $(B) >$(CLIENTS) || status=$$?; cat $(CLIENTS); \
	awk -v made=$(CLIENTS) 'BEGIN { while ((getline row <made) > 0) table = table row "\n" } \
		/^\|/ { printf "%s", table; table = ""; next } { print }' docs/clients.md \
		>$(B)/clients.md; cp $(B)/clients.md docs/clients.md; exit $${status-0}
.PHONY: clients
