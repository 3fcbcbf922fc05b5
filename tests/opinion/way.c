#include "way.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "random_numbers.h"

static void say(struct way *way, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct way *way, const char *format, ...) {
    const size_t used = strlen(way->text);
    va_list arguments;
    if (used > 0) strncat(way->text, ", ", sizeof way->text - used - 1);
    va_start(arguments, format);
    vsnprintf(way->text + strlen(way->text), sizeof way->text - strlen(way->text), format, arguments);
    va_end(arguments);
}

// Small thresholds: the kernels have few registers alive, and every piece should become a segment now and then.
static void pick_threshold(uint64_t *state, struct subvector_options *to, struct way *way) {
    switch (random_below(state, 5)) {
        case 0:
            to->threshold_kind = THRESHOLD_COMPUTED;
            say(way, "threshold computed");
            return;
        case 1:
            to->threshold_kind = THRESHOLD_SHARE;
            to->threshold = 1 + random_below(state, 40);
            say(way, "threshold %u%%", to->threshold);
            return;
        default:
            to->threshold_kind = THRESHOLD_SET;
            to->threshold = random_below(state, 16);
            say(way, "threshold %u", to->threshold);
    }
}

static void pick_subvector(uint64_t *state, const char *target, struct way *way) {
    static const char *const ways[] = {"instructions", "auto", "copies", "loop"};
    static const char *const cuts[] = {"pressure", "loop", "function", "run"};
    struct subvector_options *to = &way->options.subvector;
    const char *expected;
    const uint32_t which = random_below(state, 4), cut = random_below(state, 4);
    (void)subvector_set(to, "way", ways[which], &expected);
    (void)subvector_set(to, "cut", cuts[cut], &expected);
    (void)subvector_set(to, "cost", "none", &expected);
    say(way, "sub-vector segments by %s, cut %s", ways[which], cuts[cut]);
    pick_threshold(state, to, way);
    to->everywhere = random_below(state, 2) != 0;
    to->no_shared_rows = random_below(state, 4) == 0;
    to->target = target;
    if (to->everywhere) say(way, "default subvector");
    if (to->no_shared_rows) say(way, "rows private");
}

void way_make(uint64_t number, const char *target, struct way *way) {
    static const unsigned limits[] = {20, 24, 32, 48};
    uint64_t state = number * UINT64_C(0xD1342543DE82EF95);
    *way = (struct way){.options = {.subvector = {.target = target}}};
    if (random_below(&state, 3) != 0) pick_subvector(&state, target, way);
    if (random_below(&state, 4) == 0) {
        way->options.calls = COMPILER_CALLS_ALWAYS;
        say(way, "calls always");
    } else if (random_below(&state, 4) == 0) {
        way->options.calls = COMPILER_CALLS_NEVER;
        say(way, "calls never");
    }
    if (random_below(&state, 3) == 0) {
        way->options.register_limit = limits[random_below(&state, 4)];
        say(way, "%u registers", way->options.register_limit);
    }
    const uint32_t yields = random_below(&state, 6);
    way->no_locks = way->options.no_yields = yields == 0;
    way->options.yields_everywhere = yields == 1;
    if (yields < 2) say(way, "YIELD %s", yields == 0 ? "nowhere" : "in every loop");
    if (random_below(&state, 6) == 0 || way->text[0] == '\0') {
        way->options.clang_options = "-cl-opt-disable";
        say(way, "without clang's optimizer");
    }
}
