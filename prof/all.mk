prof-all: ## prof/ in two files, prof_all.h and prof_all.c, in build/
	prof/all $(B)
.PHONY: prof-all
