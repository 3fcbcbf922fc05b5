// One call of the compiler.
#include "opencl/compile.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "opencl/cache.h"

#define SOURCE_NAME "program.cl"  // in messages

static bool run_compiler(const struct compile_input *input, struct compiled *to) {
    struct compiler_result result;
    if (!input->full_profile && !build_options_add(input->options, "-D__EMBEDDED_PROFILE__=1")) return false;
    const struct compiler_options options = {.arguments = input->options->front,
                                             .front_only = input->front_only,
                                             .more = input->more,
                                             .more_count = input->more_count};
    const bool good = compiler_compile(input->source, input->size, SOURCE_NAME, &options, &result);
    if (!input->full_profile) input->options->front[--input->options->count] = NULL;
    to->log = result.messages;
    result.messages = NULL;
    if (good) {
        to->code = result.elf;
        to->size = result.elf_size;
        result.elf = NULL;
    }
    compiler_result_free(&result);
    return good;
}

bool compile(const struct compile_input *input, struct compiled *to) {
    struct cache_key key = cache_key_make(input);
    *to = (struct compiled){.code = NULL};
    bool good = cache_find(&key, to);
    if (!good) {
        good = run_compiler(input, to);
        if (good) cache_keep(&key, to);
    }
    cache_key_free(&key);
    return good;
}
