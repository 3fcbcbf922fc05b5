// Names of the kinds of arguments, for everybody who reads or writes them; so in a file that needs nothing else.
#include "isa/code_object.h"

static const char *const names[ARG_KINDS] = {
    [ARG_VALUE] = "value", [ARG_GLOBAL] = "global",   [ARG_CONSTANT] = "constant", [ARG_LOCAL] = "local",
    [ARG_IMAGE] = "image", [ARG_SAMPLER] = "sampler", [ARG_PIPE] = "pipe"};

const char *code_argument_kind_name(enum code_argument_kind kind) {
    return names[kind];
}
