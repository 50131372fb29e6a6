# Completion of gnomon(1) for bash: `. tools/completion.bash'. It asks the program itself what
# there is, by --help, and so is never behind it.
# shellcheck shell=bash

# The options of a help text, each on a line of its own.
_gnomon_options() {
	grep -oE -- '(^|[ ,[|])--?[A-Za-z][a-z-]*' | grep -oE -- '--?[A-Za-z].*' | sort -u
}

# What the help text says may follow an option: words with a bar between them.
_gnomon_choices() {
	sed -n "s/.*$1\(, --[a-z-]*\)\{0,1\}[ =]\([a-z.]*\(|[a-z.]*\)\{1,\}\).*/\2/p" | tr '|' '\n'
}

_gnomon() {
	local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} words help
	COMPREPLY=()
	if ((COMP_CWORD == 1)) || [[ $COMP_CWORD == 2 && ${COMP_WORDS[1]} == help ]]; then
		words=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z]\{1,\}\)  *.*/\1/p')
	else
		help=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null)
		if [[ $word == -* ]]; then
			words=$(_gnomon_options <<<"$help")
		else
			words=$(_gnomon_choices "${COMP_WORDS[COMP_CWORD - 1]}" <<<"$help")
		fi
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	if ((COMP_CWORD > 1 && ${#COMPREPLY[@]} == 0)); then
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -o filenames -F _gnomon gnomon

# gnomon-push(1): a server's kind, its address, and then a file.
complete -o default -W 'pyroscope parca otlp' gnomon-push
