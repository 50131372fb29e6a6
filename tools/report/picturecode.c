/* The page of gnomon-report(1) --html: a function's source and code. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/memory.h"
#include "tools/profile/coverage.h"
#include "tools/report/annotate.h"
#include "tools/report/page/page.h"
#include "tools/report/picture.h"

#define BEFORE 3 /* lines before the first that has code: there is its name */

/* Return a count, as text with a mark if some of it may be of what follows. */
static json_t *json_count(uint64_t count, bool shared)
{
	json_t *out;
	char *text;

	if (!shared || count == 0)
		return page_count(count);
	text = memory_format("%" PRIu64 "%c", count, REPORT_SHARED);
	out = json_string(text);
	free(text);
	return out;
}

/* Return [line, count, text] of a line, and how often it ran, if that is known. */
static json_t *json_line(const struct picture *p, const struct annotation *a, unsigned line,
			 const char *text)
{
	const struct line_counted all = annotation_line(a, line);
	json_t *out = json_pack("[I, o, o]", (json_int_t)line,
				json_count(all.count, all.shared), page_text(text));

	if (report_has_runs(p->r) && all.own)
		json_array_append_new(out, page_count(all.runs));
	return out;
}

/* Return that of each line from the function's first to its last. */
static json_t *json_source(struct picture *p, const struct annotation *a)
{
	json_t *out = json_array();
	const char *text;
	size_t n = source_lines(&p->r->sources, a->dir, a->file);
	unsigned line = a->first;

	source_of(&p->r->sources, a->dir, a->file, a->elf);
	if (line > BEFORE)
		line -= BEFORE;
	if (a->begin < line)
		line = a->begin;
	for (; line; line = annotation_next(a, line, n)) {
		text = source_line(&p->r->sources, a->dir, a->file, line);
		if (!text)
			text = "";
		json_array_append_new(out, json_line(p, a, line, text));
		p->text += PICTURE_COSTS + strlen(text);
	}
	return out;
}

/* Return [address, count, text] of an instruction, with the function that was inlined there. */
static json_t *json_instruction(struct picture *p, const struct annotated *c)
{
	const char *mark = "", *inlined = "";
	char *text, *pc = memory_format("%" CODE_ADDR, c->insn.pc);
	json_t *out;

	if (c->inlined && c->innermost.file) {
		mark = "  ; ";
		inlined = c->innermost.function;
	}
	text = memory_format("%s%s%s", c->insn.text, mark, inlined);
	out = json_pack("[s, o, o]", pc, json_count(c->count, c->shared), page_text(text));
	p->text += PICTURE_COSTS + strlen(pc) + strlen(text);
	free(pc);
	free(text);
	return out;
}

/* Return all instructions; those of an inlined function are below the functions they are in. */
static json_t *json_code(struct picture *p, const struct annotation *a)
{
	const struct symbol *in = NULL, *last = NULL;
	json_t *out = json_array();
	size_t i;

	for (i = 0; i < a->n; i++, last = in) {
		in = image_symbol(a->elf, a->code[i].insn.pc);
		if (a->inlined && in != last && in) {
			char *text = memory_format("in %s:", in->name);

			json_array_append_new(out, json_pack("[s, I, o]", "", (json_int_t)0,
							     page_text(text)));
			free(text);
		}
		json_array_append_new(out, json_instruction(p, &a->code[i]));
	}
	return out;
}

/* Annotate a function. Return 0, or -1 and why. */
static int annotate_function(struct picture *p, struct annotation *a, const struct function *f,
			     const char *file, struct complaint *why)
{
	const struct profdata_image *image;
	const struct symbol *s;

	if (f->image == PROFDATA_NONE)
		return complain(why, "no address is known");
	image = &p->r->prof.image[f->image];
	if (!image->elf)
		return complain(why, "there is no file of %s; give it with --image", image->name);
	if (f->inlined)
		return annotation_inlined(a, image->elf, f->name, file, &p->counts[f->image],
					  why);
	s = image_symbol(image->elf, f->start);
	if (!s)
		return complain(why, "no function of %s has these addresses", image->name);
	return annotation_make(a, image->elf, s, &p->counts[f->image], why);
}

uint64_t picture_annotate(struct picture *p, const struct function *f, const char *file,
			  json_t *row, bool code)
{
	struct annotation a;
	struct complaint why;
	uint64_t total;
	char *where;

	if (annotate_function(p, &a, f, file, &why) < 0) {
		json_object_set_new(row, "missing", page_text(why.text));
		return 0;
	}
	if (p->r->options.inlined)
		annotation_own(&a);
	file = a.file;
	if (!file)
		file = "?";
	where = memory_format("%s:%u", file, a.first);
	json_object_set_new(row, "where", page_text(where));
	json_object_set_new(row, "source", json_source(p, &a));
	if (code)
		json_object_set_new(row, "code", json_code(p, &a));
	free(where);
	total = a.total;
	annotation_free(&a);
	return total;
}
