# How often each word occurs, and on how many lines: those that occur most.
{
	split("", seen)
	n = split(tolower($0), word, /[^a-z]+/)
	for (i = 1; i <= n; i++)
		if (length(word[i]) > 2) {
			count[word[i]]++
			if (!(word[i] in seen)) lines[word[i]]++
			seen[word[i]] = 1
		}
}
END {
	for (round = 0; round < 20; round++) {
		best = ""
		for (w in count)
			if (best == "" || count[w] > count[best] || (count[w] == count[best] && w < best)) best = w
		printf "%5d %5d %s\n", count[best], lines[best], best
		delete count[best]
	}
}
