/*
 * The file of valgrind's massif, of which ms_print makes a text and massif-visualizer a picture:
 * the bytes that were not given back, by where they were allocated. It has two moments, for a
 * picture wants some: the beginning, with nothing, and the end. Its tree has one level, for of
 * memory only the caller is known. The format is the one that massif's manual shows:
 * https://valgrind.org/docs/manual/ms-manual.html
 */
#include <inttypes.h>
#include <stdlib.h>
#include "tools/export/export.h"
#include "tools/memory.h"
#include "tools/order.h"
#include "tools/sorted.h"

/* Bytes that were allocated at a place. */
struct block {
	struct step step;
	uint64_t bytes;
};

/* For qsort: by address, and by function where none is known. */
static int compare_places(const void *va, const void *vb)
{
	const struct block *a = va, *b = vb;

	if (a->step.pc != b->step.pc)
		return order(a->step.pc, b->step.pc);
	return order(a->step.function, b->step.function);
}

/* For qsort: the most bytes first. */
static int compare_bytes(const void *va, const void *vb)
{
	const struct block *a = va, *b = vb;

	if (a->bytes != b->bytes)
		return order(b->bytes, a->bytes);
	return compare_places(va, vb);
}

/* Add the bytes of a block to another of the same place. */
static void add_bytes(void *to, const void *from)
{
	((struct block *)to)->bytes += ((const struct block *)from)->bytes;
}

/* Return all blocks, the largest first: *n of them, which the caller frees. */
static struct block *find_blocks(struct export *x, size_t *n)
{
	const struct profdata *p = &x->prof;
	struct block *block = memory_zeroed(p->nsample, sizeof(*block));
	const struct step *step;
	size_t i, depth, used = 0;

	for (i = 0; i < p->nsample; i++) {
		step = export_path(x, &p->sample[i], &depth);
		progress_add(&x->progress, 1);
		if (p->sample[i].mode != PROFDATA_FREED)
			block[used++] = (struct block){
				.step = step[depth - 1], .bytes = p->sample[i].count,
			};
	}
	*n = sorted_sum(block, used, sizeof(*block), compare_places, add_bytes);
	qsort(block, *n, sizeof(*block), compare_bytes);
	return block;
}

/* Write the beginning of a moment's numbers; what is written of the tree follows. */
static void put_moment(FILE *to, unsigned number, uint64_t bytes, const char *tree)
{
	fprintf(to, "#-----------\nsnapshot=%u\n#-----------\n", number);
	fprintf(to, "time=%u\nmem_heap_B=%" PRIu64 "\n", number, bytes);
	fprintf(to, "mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=%s\n", tree);
}

/* Write where a block was allocated. */
static void put_block(const struct export *x, const struct block *b, FILE *to)
{
	uint32_t image = x->functions.function[b->step.function].image;
	char buf[512];

	fprintf(to, " n0: %" PRIu64 " 0x%" PRIX64 ": ", b->bytes, b->step.pc);
	fputs(export_name(x, b->step.function, buf, sizeof(buf)), to);
	if (b->step.file)
		fprintf(to, " (%s:%u)\n", b->step.file, b->step.line);
	else
		fprintf(to, " (in %s)\n", profdata_image_name(&x->prof, image));
}

int export_massif(struct export *x, FILE *to, struct complaint *why)
{
	const struct profdata *p = &x->prof;
	uint64_t in_use = p->total - p->by_mode[PROFDATA_FREED];
	struct block *block;
	size_t i, n;

	if (p->unit != PROFDATA_BYTES)
		return complain(why, "massif holds bytes of memory, as mprof(1) counts them, "
				"not %s", profdata_unit_name[p->unit]);
	block = find_blocks(x, &n);
	fprintf(to, "desc: gnomon export\ncmd: %s\ntime_unit: ms\n", x->file);
	put_moment(to, 0, 0, "empty");
	put_moment(to, 1, in_use, "peak");
	fprintf(to, "n%zu: %" PRIu64 " (memory that was not given back)\n", n, in_use);
	for (i = 0; i < n; i++)
		put_block(x, &block[i], to);
	free(block);
	return 0;
}
