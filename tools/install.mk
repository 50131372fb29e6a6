# What is made of the tree for others: an installation, an archive of the sources, a package.

PREFIX	?= /usr/local
DESTDIR	?=

# The script, with where to install.
INSTALL	= DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' tools/install/tree

BUILT	= $(B)/gnomon.elf $(B)/initrd.cpio $(HOST) $(PROGRAMS)

install: $(BUILT)
	$(INSTALL) install $(B) $(VERSION) $(HOST)

uninstall:
	$(INSTALL) uninstall

# A package of Debian's, $(B)/gnomon_*.deb.
deb: $(BUILT)
	tools/install/deb $(B) $(B) $(VERSION) $(HOST)

# The sources as they were committed last.
DIST	= gnomon-$(VERSION)
GIT	= git --git-dir=.git --work-tree=.
dist:
	@mkdir -p $(B)
	@[ -z "$$($(GIT) status --porcelain)" ] || \
		{ echo "make dist: these are not committed:"; $(GIT) status --short; exit 1; } >&2
	$(GIT) archive --prefix=$(DIST)/ HEAD | gzip -9n >$(B)/$(DIST).tar.gz
	@echo $(B)/$(DIST).tar.gz

.PHONY: install uninstall deb dist
