// A line of text with the options, the source's name, a 0, the bitcode.
#include "compiler/again_section.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_MAX_BYTES = 256,
    NO_TOKENS = 1,
    NO_YIELDS = 2,
    YIELDS_EVERYWHERE = 4,
    EVERYWHERE = 8,
    NO_SHARED_ROWS = 16,
    SHARED_ROWS = 32,
    ALL_SEGMENTS = 64,
    SAVES = 128
};

void *again_section_make(const struct compiler_options *options, const char *name, const void *bitcode,
                         size_t bitcode_size, size_t *size) {
    const struct subvector_options *sv = &options->subvector;
    const unsigned flags = (options->no_tokens ? NO_TOKENS : 0u) | (options->no_yields ? NO_YIELDS : 0u) |
                           (options->yields_everywhere ? YIELDS_EVERYWHERE : 0u) | (sv->everywhere ? EVERYWHERE : 0u) |
                           (sv->no_shared_rows ? NO_SHARED_ROWS : 0u) | (sv->shared_rows ? SHARED_ROWS : 0u) |
                           (sv->all_segments ? ALL_SEGMENTS : 0u) | (options->saves ? SAVES : 0u);
    char line[LINE_MAX_BYTES];
    const size_t length = (size_t)snprintf(
        line, sizeof line, "tandem-again 1 registers %u flags %u calls %u yield %u %u sv %u %u %u %u target %.15s\n",
        options->register_limit, flags, (unsigned)options->calls, (unsigned)options->yield.kind, options->yield.number,
        (unsigned)sv->way, (unsigned)sv->cut, (unsigned)sv->threshold_kind, sv->threshold,
        sv->target != NULL ? sv->target : "-");
    const size_t name_size = strlen(name) + 1;
    *size = length + name_size + bitcode_size;
    char *bytes = malloc(*size);
    if (bytes == NULL) return NULL;
    memcpy(bytes, line, length);
    memcpy(bytes + length, name, name_size);
    memcpy(bytes + length + name_size, bitcode, bitcode_size);
    return bytes;
}

bool again_section_read(const void *bytes, size_t size, struct again_section *to) {
    *to = (struct again_section){.name = NULL};
    char line[LINE_MAX_BYTES];
    const char *end = memchr(bytes, '\n', size < sizeof line ? size : sizeof line - 1);
    if (end == NULL) return false;
    const size_t length = (size_t)(end - (const char *)bytes) + 1;
    memcpy(line, bytes, length);
    line[length] = '\0';
    unsigned flags, calls, kind, way, cut, threshold_kind;
    struct compiler_options *options = &to->options;
    struct subvector_options *sv = &options->subvector;
    if (sscanf(line, "tandem-again 1 registers %u flags %u calls %u yield %u %u sv %u %u %u %u target %15s",
               &options->register_limit, &flags, &calls, &kind, &options->yield.number, &way, &cut, &threshold_kind,
               &sv->threshold, to->target) != 10)
        return false;
    if (calls > COMPILER_CALLS_ALWAYS || kind > YIELD_KIND_RANDOM || way > SUBVECTOR_LOOP || cut > CUT_RUNS ||
        threshold_kind > THRESHOLD_SET || options->register_limit > 255)
        return false;
    const char *name = end + 1, *name_end = memchr(name, 0, size - length);
    if (name_end == NULL) return false;
    to->name = strdup(name);
    if (to->name == NULL) return false;
    options->calls = (enum compiler_calls)calls;
    options->yield.kind = (enum yield_kind)kind;
    options->no_tokens = (flags & NO_TOKENS) != 0;
    options->no_yields = (flags & NO_YIELDS) != 0;
    options->yields_everywhere = (flags & YIELDS_EVERYWHERE) != 0;
    options->saves = (flags & SAVES) != 0;
    sv->way = (enum subvector_way)way;
    sv->cut = (enum segment_cut)cut;
    sv->threshold_kind = (enum threshold_kind)threshold_kind;
    sv->everywhere = (flags & EVERYWHERE) != 0;
    sv->no_shared_rows = (flags & NO_SHARED_ROWS) != 0;
    sv->shared_rows = (flags & SHARED_ROWS) != 0;
    sv->all_segments = (flags & ALL_SEGMENTS) != 0;
    sv->target = strcmp(to->target, "-") != 0 ? to->target : NULL;
    to->bitcode = name_end + 1;
    to->bitcode_size = size - length - (size_t)(name_end + 1 - name);
    return true;
}
