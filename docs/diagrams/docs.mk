# "make docs": the manual and the papers as pages for a browser, and the manual as one PDF.
diagrams: ## the drawings of docs/diagrams.md, after a change of their texts
	for text in docs/diagrams/*.dot; do docs/diagrams/draw $$text >$${text%.dot}.svg || exit 1; done
docs: ## the manual and the papers for a browser, and the manual as a PDF, in build/docs
	tools/build/docs $(B)/docs
demo: all ## docs/demo.md, what the console shows
	B=$(B) tests/e2e/demo.t -u
.PHONY: diagrams docs demo
