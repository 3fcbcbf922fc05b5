// One call of the compiler.
#include "opencl/compile.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "opencl/cache.h"

#define SOURCE_NAME "program.cl"  // in messages

static bool run_compiler(const struct compile_input *input, struct compiled *to) {
    struct compiler_result result;
    struct build_options *given = input->options;
    const size_t before = given->count;
    // What the device is, beside what the language is.
    if (!build_options_add(given, "-U__OPENCL_VERSION__") || !build_options_add(given, "-D__OPENCL_VERSION__=300"))
        return false;
    if (!input->full_profile && !build_options_add(given, "-D__EMBEDDED_PROFILE__=1")) return false;
    const struct compiler_options options = {.arguments = given->front,
                                             .front_only = input->front_only,
                                             .without_kernels = true,
                                             .subvector = {.target = input->config},
                                             .more = input->more,
                                             .more_count = input->more_count};
    const bool good = compiler_compile(input->source, input->size, SOURCE_NAME, &options, &result);
    given->count = before;
    given->front[before] = NULL;
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
