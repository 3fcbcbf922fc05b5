// The report: a line for each segment, one for the kernel.
#include "compiler/segments/report.h"

#include "compiler/segments/segments.h"

static const char *const kinds[] = {"run", "branch", "loop", "function", "region"};
static const char *const ways[] = {"", "instructions", "instructions, by miss rate", "copies", "loop over halves"};

static uint32_t rows_of(const struct segments *s, uint32_t private, uint32_t shared) {
    return private * s->portions + (shared + s->portions - 1) / s->portions * s->portions;
}

static void report_segment(const struct machine_function *function, const struct segment *told, struct text *to) {
    const struct segments *s = function->segments;
    text_format(to, "%s", function->compilation->name);
    if (told->first_line != 0) text_format(to, ":%u", told->first_line);
    if (told->last_line > told->first_line) text_format(to, "-%u", told->last_line);
    text_format(to, ": kernel %s, %s", function->name, kinds[told->kind]);
    if (told->kind == SEGMENT_FUNCTION) text_format(to, " called in line %u", told->call_line);
    text_format(to, ": needs %u VGPRs, threshold %u: ", told->needed, s->threshold);
    if (told->group == 0) {
        text_format(to, "regular order%s%s\n", told->reason != NULL ? ": " : "",
                    told->reason != NULL ? told->reason : "");
        return;
    }
    text_format(to, "sub-vector order (%s)", ways[s->options->way]);
    if (told->joined) {
        text_format(to, ", together with the one before\n");
        return;
    }
    uint32_t shared = s->rows[told->group - 1];
    text_format(to, ", %u VGPRs shared, %u rows saved\n", shared, rows_of(s, shared, 0) - rows_of(s, 0, shared));
}

void segments_report(const struct machine_function *function, struct text *to) {
    const struct segments *s = function->segments;
    if (s == NULL) return;
    for (size_t k = 0; k < s->count; k++)
        report_segment(function, &s->list[k], to);
    uint32_t private = function->registers_used - function->shared_rows;
    uint32_t rows = rows_of(s, private, function->shared_rows), regular = rows_of(s, s->needed, 0);
    text_format(to,
                "%s: kernel %s: %u VGPRs, %u of them shared: on %s (%u portions) %u rows a warp; in regular order it "
                "needs at least %u VGPRs, %u rows\n",
                function->compilation->name, function->name, function->registers_used, function->shared_rows,
                s->target->name, s->portions, rows, s->needed, regular);
}
