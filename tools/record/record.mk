# The plugin of gnomon record, which QEMU loads. A function of it is called for each block of
# instructions, and what that calls is inlined across files, and made anew for a single processor.
PLUGIN	= $(call object,plugin/,$(call in,tools/record/plugin,c) tools/memory.c)
$(eval $(call world,plugin/,,HOSTCC))
$(PLUGIN): EXTRA = -fPIC -fvisibility=hidden -flto -O3
$(B)/record.so: $(PLUGIN) $(B)/sources
	$(call say,LD,$@)
	$(HOSTCC) -flto -shared $(filter %.o,$^) -o $@
