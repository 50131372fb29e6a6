# What each change was, and the tests of a file's subject, are in tests/mutants.
mutants: ## whether tests notice N=40 small changes of FILE=; SEED= draws others
	@N=$(N) SEED=$(SEED) ONLY="$(ONLY)" TESTS="$(TESTS)" tests/mutants/run "$(FILE)"
.PHONY: mutants
