// The YIELD of loops without a bound, from text: see yield.h.
#include "compiler/options/yield.h"

#include <stdlib.h>
#include <string.h>

static bool number_behind(const char *text, const char *name, uint32_t most, uint32_t *number) {
    const size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] < '0' || text[length] > '9') return false;
    char *end;
    const unsigned long value = strtoul(text + length, &end, 10);
    *number = (uint32_t)value;
    return *end == 0 && value >= 1 && value <= most;
}

bool yield_set(struct yield_options *options, const char *text, const char **expected) {
    struct yield_options set = {0};
    *expected = "must be auto, plain, nth=N (N from 1 to 256) or random=P (P from 1 to 65535, in 65536ths)";
    if (strcmp(text, "auto") == 0) {
        set.kind = YIELD_KIND_AUTO;
    } else if (strcmp(text, "plain") == 0) {
        set.kind = YIELD_KIND_PLAIN;
    } else if (number_behind(text, "nth=", YIELD_NTH_MOST, &set.number)) {
        set.kind = YIELD_KIND_NTH;
    } else if (number_behind(text, "random=", YIELD_RANDOM_MOST, &set.number)) {
        set.kind = YIELD_KIND_RANDOM;
    } else {
        return false;
    }
    *options = set;
    return true;
}
