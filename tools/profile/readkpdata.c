/* Reading kpdata(5) as a profile. Its buckets are counted from the start of the kernel's text. */
#include <string.h>
#include "tools/profile/kpdata.h"
#include "tools/profile/profread.h"
#include "tools/profile/textline.h"

/* The profile has one image, the kernel, with relative addresses. */
int profread_kpdata(struct profdata *p, const struct profread_file *f, struct complaint *why)
{
	struct kpdata k;
	uint32_t i, kernel;

	if (kpdata_parse(&k, f->data, f->n, why) < 0)
		return -1;
	if (((uint64_t)k.nbucket << k.shift) > UINT32_MAX) {
		kpdata_free(&k);
		return complain(why, "damaged: buckets of more text than there are addresses");
	}
	profdata_init(p, "kpdata", PROFDATA_TICKS);
	p->us = k.us;
	p->kernel_only = true;
	kernel = profdata_image(p, "kernel", NULL, "", true);
	p->image[kernel].relative = true;
	p->image[kernel].text_size = (uint64_t)k.nbucket << k.shift;
	p->image[kernel].text_slack = 1u << k.shift;
	profdata_add_mode(p, PROFDATA_OUTSIDE, k.outside);
	for (i = 0; i < k.nbucket; i++)
		profdata_add_pc(p, kernel, i << k.shift, 1u << k.shift, k.count[i]);
	kpdata_free(&k);
	return 0;
}

/* It has no magic word: the sizes of counts and buckets must make sense. */
bool profread_is_kpdata(const uint8_t *data, size_t n)
{
	if (n < KPDATA_SPECIAL)
		return false;
	if (memcmp(data + 16, "\0\0\0", 3) != 0 || memcmp(data + 20, "\0\0\0", 3) != 0)
		return false;
	return kpdata_sizes(data[19], data[23]);
}
