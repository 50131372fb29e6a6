# Small changes of meaning that a C source in the style of this tree can have, one at a time.
#	awk -f changes.awk FILE				all of them: number, line, kind, what; by tabs
#	awk -f changes.awk -v seed=S -v n=N FILE	N of them, of all kinds, drawn by the seed
#	awk -f changes.awk -v make=K FILE		the file with change K
# What is in comments, strings and preprocessor lines (but for #define) stays as it is.

# Return the line with as many spaces for what is in comments, strings and characters.
function mask(s,	out, i, c, two) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		two = substr(s, i, 2)
		if (comment) {
			if (two == "*/") {
				comment = 0
				out = out " "
				i++
			}
			out = out " "
		} else if (quote != "") {
			if (c == "\\") {
				out = out " "
				i++
			} else if (c == quote)
				quote = ""
			out = out " "
		} else if (two == "/*") {
			comment = 1
			out = out "  "
			i++
		} else if (two == "//") {
			break
		} else if (c == "\"" || c == "'") {
			quote = c
			out = out " "
		} else
			out = out c
	}
	return out
}

# Note a change: line i becomes new.
function change(i, kind, new,	was) {
	count++
	at[count] = i
	kinds[count] = kind
	text[count] = new
	was = line[i]
	gsub(/[\t ]+/, " ", was)
	gsub(/[\t\n ]+/, " ", new)
	what[count] = was " ->" (new == "" ? " nothing" : new)
}

# Note that the len characters of line i from place p become new.
function replace(i, kind, p, len, new) {
	change(i, kind, substr(line[i], 1, p - 1) new substr(line[i], p + len))
}

# Note a change of each operator in line i that is in `to`, with spaces around it.
function operators(i,	s, p, op) {
	s = code[i]
	for (p = 1; match(substr(s, p), / (<=?|>=?|==|!=|&&|\|\||\+|-) /); p += RSTART + RLENGTH - 2) {
		op = substr(s, p + RSTART, RLENGTH - 2)
		replace(i, kind_of[op], p + RSTART, length(op), to[op])
	}
	for (p = 1; match(substr(s, p), /\(![a-z]/); p += RSTART + 1)
		replace(i, "logic", p + RSTART, 1, "")
}

function constants(i,	s, p, word) {
	s = code[i]
	if (s ~ /^[a-z].*[,)]$/) # a size in a prototype means nothing
		return
	for (p = 1; match(substr(s, p), /(0x[0-9a-fA-F]+|[0-9]+)[uUlL]*/); p += RSTART + RLENGTH - 1) {
		word = substr(s, p + RSTART - 1, RLENGTH)
		if (p + RSTART > 2 && substr(s, p + RSTART - 2, 1) ~ /[A-Za-z0-9_.]/)
			continue
		replace(i, "constant", p + RSTART - 1, RLENGTH, "(" word " + 1)")
	}
}

# A lock that is never taken: line i, and what releases it until the function's end.
function locks(i,	of, k) {
	if (code[i] ~ /^\t+HOLD_[A-Z]+\(.*\);$/)
		change(i, "lock", "")
	if (!match(code[i], /^\t+(spin|mutex)_lock\(.*\);$/))
		return
	change(i, "lock", "\t;")
	of = code[i]
	sub(/^\t+/, "", of)
	sub(/_lock/, "_unlock", of)
	for (k = i + 1; k <= NR && code[k] !~ /^}/; k++)
		if (index(code[k], of))
			also[count, k] = 1
}

function releases(i) {
	if (code[i] ~ /^\t+[a-z0-9_]*(_put|_give|free|_unpromise|_leave|_close|_stop|_off|_restore)(_[a-z]+)?\(.*\);$/)
		change(i, "release", "\t;")
	if (match(code[i], /DROPPED /))
		replace(i, "release", RSTART, RLENGTH, "")
}

# A check that never finds anything, and a return before its time.
function returns(i,	cond) {
	if (code[i] ~ /^\t+if \(.*\)$/ && code[i + 1] ~ /^\t+return.*;$/) {
		match(line[i], /if /)
		change(i, "check", substr(line[i], 1, RSTART + 2) "(0 && " substr(line[i], RSTART + 3) ")")
	}
	if (inside[i] && code[i] ~ /^\t[a-z]/ && code[i] !~ /^\t(return|case|default)/ &&
	    code[i - 1] ~ /[;{}][ ]*$/)
		change(i, "return", (void_at[i] ? "\treturn;" : "\treturn 0;") "\n" line[i])
}

function random(below) {
	state = (state * 16807) % 2147483647
	return state % below
}

function show(k) {
	printf "%d\t%d\t%s\t%s\n", k, at[k], kinds[k], what[k]
}

# Show n changes: one of each kind in turn, while there are some.
function draw(n,	k, kind, i, left) {
	state = seed % 2147483646 + 1
	for (k = 1; k <= 10; k++)
		random(2)
	for (k = 1; k <= count; k++) {
		if (!(kinds[k] in size))
			order[++nkinds] = kinds[k]
		pool[kinds[k], size[kinds[k]]++] = k
	}
	left = n < count ? n : count
	while (left > 0) {
		for (k = 1; k <= nkinds && left > 0; k++) {
			kind = order[k]
			if (!size[kind])
				continue
			i = random(size[kind])
			show(pool[kind, i])
			pool[kind, i] = pool[kind, --size[kind]]
			left--
		}
	}
}

BEGIN {
	split("< <= > >= == != && || + -", from, " ")
	split("<= < >= > != == || && - +", into, " ")
	for (k = 1; k in from; k++) {
		to[from[k]] = into[k]
		kind_of[from[k]] = k <= 6 ? "comparison" : k <= 8 ? "logic" : "sum"
	}
}

{
	line[NR] = $0
	code[NR] = mask($0)
	if (code[NR] ~ /^[a-z].*\(/)
		is_void = code[NR] ~ /(^| )void [a-z0-9_]+\(/
	body = code[NR] ~ /^{/ ? 1 : code[NR] ~ /^}/ ? 0 : body
	inside[NR] = body
	void_at[NR] = is_void
}

END {
	for (i = 1; i <= NR; i++) {
		if (code[i] ~ /^#/ && code[i] !~ /^#define/)
			continue
		operators(i)
		constants(i)
		locks(i)
		releases(i)
		returns(i)
	}
	if (make)
		for (i = 1; i <= NR; i++)
			print i == at[make] ? text[make] : (make, i) in also ? "\t;" : line[i]
	else if (n)
		draw(n)
	else
		for (k = 1; k <= count; k++)
			show(k)
}
