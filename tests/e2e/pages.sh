# Pages of docs/ whose code shows a session: what their commands print now, and whether the page
# still shows that. Commands stand in the page's code behind a prompt: $ is the host's, gnomon% the
# guest's. What follows up to the next one, or the end of the code, is shown as their output.
# It is chance whether an interrupt comes while a call is being counted, or a tick while another is:
# what kgmon says of that is not shown.
# shellcheck shell=sh disable=SC2154

# page_commands PAGE: $tmp/commands gets a line for each command, with its number and whose it is;
# $tmp/shown.N what the page shows of command N. What is printed goes to $tmp/printed.N.
page_commands() {
	awk -v tmp="$tmp" '
		/^```/ { code = !code; shown = ""; next }
		/^<!-- keys: .* -->$/ { keys = $0; next }
		!code { next }
		/^(\$|gnomon%) / {
			shown = sprintf("%s/shown.%d", tmp, ++n)
			printf "" >shown
			printf "" >sprintf("%s/printed.%d", tmp, n)
			where = $1 == "$" ? "host" : "guest"
			sub(/^[^ ]* /, "")
			print n, where, $0
			if (keys != "")
				$0 = substr(keys, 12, length(keys) - 15)
			if (where == "guest")
				print >(tmp "/keys")
			keys = ""
			next
		}
		/^kgmon: (lost:|[0-9]+ calls?) / { next }
		shown { print >shown }' "$1" >"$tmp/commands"
}

# page_host FOLDER: run the host's commands, with FOLDER for build/out. What they would make exists
# already.
page_host() {
	while read -r i where command; do
		case $where$command in
		guest* | hostmake*) continue ;;
		esac
		echo "$command" | sed "s|build/out|$1|g; s|build/|$b/|g" >"$tmp/command"
		sh "$tmp/command" </dev/null 2>&1 | sed "s|$1|build/out|g; s|$b/|build/|g" >"$tmp/printed.$i"
	done <"$tmp/commands"
}

# page_update PAGE: put what is printed now into the page.
page_update() {
	awk -v tmp="$tmp" '
		/^```/ { code = !code; skip = 0 }
		code && /^(\$|gnomon%) / {
			print
			out = sprintf("%s/printed.%d", tmp, ++n)
			while ((getline line <out) > 0) {
				if (line ~ /^kgmon: (lost:|[0-9]+ calls?) /)
					continue
				sub(/[ \t]+$/, "", line)
				print line
			}
			skip = 1
			next
		}
		!skip' "$1" >"$tmp/page" && cp "$tmp/page" "$1"
}

# page_compare: every line must match one of the others, but for numbers, which may differ a little,
# and the ids of builds.
page_compare() {
	while read -r i where command; do
		awk -v shown="$tmp/shown.$i" '
			function id(a) {
				return length(a) >= 8 && a ~ /^[0-9a-f]*$/ ||
					a ~ /^c0[0-9a-f]*[.][.]c0[0-9a-f]*$/
			}
			function like(a, b,   m, n, k, x, y, d) {
				gsub(/^[^0-9A-Za-z_.]+|[^0-9A-Za-z_.]+$/, "", a)
				gsub(/^[^0-9A-Za-z_.]+|[^0-9A-Za-z_.]+$/, "", b)
				n = split(a, x, /[^0-9A-Za-z_.]+/)
				m = split(b, y, /[^0-9A-Za-z_.]+/)
				if (n != m)
					return 0
				for (k = 1; k <= n; k++) {
					if (x[k] == y[k] || id(x[k]) && id(y[k]))
						continue
					if (x[k] !~ /^[0-9.]+$/ || y[k] !~ /^[0-9.]+$/)
						return 0
					d = x[k] - y[k]
					if (d < 0)
						d = -d
					if (d > 20 + (x[k] + y[k]) / 3)
						return 0
				}
				return 1
			}
			FILENAME == shown { page[++n] = $0; next }
			/^kgmon: (lost:|[0-9]+ calls?) / { next }
			{
				for (i = 1; i <= n && !(i in page && like(page[i], $0)); i++)
					;
				if (i > n)
					differs = differs "not shown: " $0 "\n"
				else
					delete page[i]
			}
			END {
				for (i = 1; i <= n; i++)
					if (i in page)
						differs = differs "not printed: " page[i] "\n"
				printf "%s", differs
				exit differs != ""
			}' "$tmp/shown.$i" "$tmp/printed.$i" >"$tmp/differ"
		ok $? "$where: $command" "$(cat "$tmp/differ")"
	done <"$tmp/commands"
}
