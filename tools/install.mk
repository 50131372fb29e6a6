# What is made of the tree for others: an installation, an archive of the sources, a package.
PREFIX	?= /usr/local
DESTDIR	?=
INSTALL	= DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' tools/install/tree
BUILT	= $(B)/mklines $(B)/gnomon.elf $(B)/initrd.cpio $(B)/record.so $(HOST) $(PROGRAMS)

install: $(BUILT) ## the host programs, their manual, the kernel; PREFIX= DESTDIR=
	$(INSTALL) install $(B) $(VERSION) $(HOST)
uninstall: ## removes just that
	$(INSTALL) uninstall
deb: $(BUILT) ## a package of them for Debian, build/gnomon_*.deb
	tools/install/deb $(B) $(B) $(VERSION) $(HOST)
dist: ## the sources as they were committed last, in build/
	@tools/install/dist gnomon-$(VERSION) $(B)

.PHONY: install uninstall deb dist
