# "make lab N=1" tells how far a lab is solved; "make labs" builds what the labs look at.
$(eval $(call program,labs/,user/docs/labs/programs/))
# What students write in docs/labs/mine, and the answers.
$(eval $(call program,labs/mine/,user/docs/labs/mine/))
$(eval $(call program,labs/answers/,user/docs/labs/answers/))
# What is elsewhere: docs/labs/check brings it here.
$(eval $(call program,labs/given/,user/$(B)/labs/given/))

# A kernel that has nothing of Gnomon's, and knows of no profiler.
SHOP	= nasm -f elf32 docs/labs/shop/start.asm -o $@.o && $(CROSS)gcc -O1 -g -ffreestanding -fno-pic \
	  -fno-stack-protector -nostdlib -static -Wl,--build-id=none,-Ttext=0x100000,-e,start \
	  -Wl,-z,noexecstack $@.o $(FEWER) $< -o $@
define shop
$(B)/labs/$1: $2 docs/labs/shop/start.asm
	$$(call say,LD,$$@)
	mkdir -p $$(@D)
	$$(SHOP)
endef
$(eval $(call shop,shop.elf,docs/labs/shop/shop.c))
$(eval $(call shop,shop-fewer.elf,docs/labs/shop/shop.c))
$(eval $(call shop,given/7.elf,$(B)/labs/given/7.c))
$(eval $(call shop,given/7-fewer.elf,$(B)/labs/given/7.c))
$(eval $(call shop,%/7.elf,docs/labs/%/7.c))
$(eval $(call shop,%/7-fewer.elf,docs/labs/%/7.c))
# Another number of sales, for a kernel that only prints what the lab's does.
$(B)/labs/%-fewer.elf: FEWER = -DSALES=3001

LABS	= $(B)/labs/shop.elf $(B)/kprof $(B)/gnomon $(B)/record.so $(B)/gnomon.elf $(B)/initrd.cpio \
	  $(patsubst docs/labs/programs/%.c,$(B)/guest/labs/%,$(wildcard docs/labs/programs/*.c))
labs: $(LABS) ## what the labs look at
lab: $(LABS) ## how far lab N is solved: docs/labs
	@B=$(B) docs/labs/check $(N) || [ $$? = 1 ] # some are wrong, which it has said
.PHONY: lab labs
