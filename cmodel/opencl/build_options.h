// The options of clBuildProgram, clCompileProgram and clLinkProgram.
#ifndef TANDEM_OPENCL_BUILD_OPTIONS_H
#define TANDEM_OPENCL_BUILD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define BUILD_OPTIONS_MAX 1024u

struct build_options {
    const char *front[BUILD_OPTIONS_MAX + 1];  // for the front end, NULL at the end; they point into text
    size_t count;
    char *text;
    bool create_library, enable_link_options;
    bool reads_files;  // -I, -include: what is compiled depends on more than the source
};

enum build_step { BUILD_COMPILES = 1, BUILD_LINKS = 2 };

// options may be NULL. steps: what the options are for, BUILD_COMPILES, BUILD_LINKS or both. False: one of them is no
// option of this step, or there are too many.
bool build_options_read(struct build_options *to, const char *options, unsigned steps);
// One more for the front end; it must outlive the options.
bool build_options_add(struct build_options *to, const char *word);
void build_options_free(struct build_options *options);

#endif
