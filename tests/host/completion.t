#!/usr/bin/env bash
# Completion of gnomon's command line: subcommands, options, and files where none fits.
cd "$(dirname "$0")/../.." || exit 1
. tests/host/tap.sh
. tools/completion.bash
b=${B:-build}

# complete WORD...: what the last word can become.
offer() {
	COMP_WORDS=("$b/gnomon" "$@")
	COMP_CWORD=$#
	_gnomon
	echo "${COMPREPLY[*]}"
}

is "$(offer ru)" run 'a subcommand by its beginning'
is "$(offer '' | wc -w)" "$("$b/gnomon" --help | grep -c '^  [a-z]')" 'all subcommands'
is "$(offer run --sm)" --smp 'an option'
is "$(offer top --q)" --qmp "another subcommand's"
is "$(offer run --no)" '' 'what is no option is not offered'
is "$(offer extract -k tools/completion.b)" tools/completion.bash 'a file'
is "$(offer export -f p) $(offer export --format sp)" 'pprof perf perf.data speedscope' 'what may follow an option'
is "$(offer help m)" merge 'what there is help about'
for sub in $("$b/gnomon" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	has " $(offer "$sub" --) " ' --help ' "$sub has --help"
done
has "$(complete -p gnomon-push)" "-W 'pyroscope parca otlp'" 'gnomon-push: the servers'
finish
