// Options of sub-vector order from text: see subvector.h.
#include "compiler/options/subvector.h"

#include <stdlib.h>
#include <string.h>

#include "gen/config.h"

static bool find(const char *const *names, const char *value, unsigned *number) {
    for (unsigned k = 0; names[k] != NULL; k++) {
        if (strcmp(names[k], value) != 0) continue;
        *number = k;
        return true;
    }
    return false;
}

static bool set_threshold(struct subvector_options *options, const char *value) {
    static const char *const names[] = {"computed", "fixed", NULL};
    unsigned kind;
    if (find(names, value, &kind)) {
        options->threshold_kind = kind == 0 ? THRESHOLD_COMPUTED : THRESHOLD_FIXED;
        return true;
    }
    if (*value < '0' || *value > '9') return false;
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    bool share = strcmp(end, "%") == 0;
    if ((!share && *end != 0) || number > (share ? 100 : 255) || (share && number == 0)) return false;
    options->threshold_kind = share ? THRESHOLD_SHARE : THRESHOLD_SET;
    options->threshold = (uint32_t)number;
    return true;
}

bool subvector_set(struct subvector_options *options, const char *name, const char *value, const char **expected) {
    static const char *const ways[] = {"off", "instructions", "auto", "copies", "loop", NULL};
    static const char *const cuts[] = {"pressure", "loop", "function", "run", NULL};
    static const char *const defaults[] = {"regular", "subvector", NULL};
    static const char *const rows[] = {"shared", "private", NULL};
    static const char *const costs[] = {"warps", "none", NULL};
    unsigned number = 0;
    if (strcmp(name, "way") == 0) {
        *expected = "instructions, auto, copies, loop or off";
        if (!find(ways, value, &number)) return false;
        options->way = (enum subvector_way)number;
    } else if (strcmp(name, "cut") == 0) {
        *expected = "pressure, loop, function or run";
        if (!find(cuts, value, &number)) return false;
        options->cut = (enum segment_cut)number;
    } else if (strcmp(name, "threshold") == 0) {
        *expected = "computed, fixed, 0 to 255 registers, or 1% to 100%";
        return set_threshold(options, value);
    } else if (strcmp(name, "default") == 0) {
        *expected = "regular or subvector";
        if (!find(defaults, value, &number)) return false;
        options->everywhere = number == 1;
    } else if (strcmp(name, "rows") == 0) {
        *expected = "shared or private";
        if (!find(rows, value, &number)) return false;
        options->shared_rows = number == 0;
        options->no_shared_rows = number == 1;
    } else if (strcmp(name, "cost") == 0) {
        *expected = "warps or none";
        if (!find(costs, value, &number)) return false;
        options->all_segments = number == 1;
    } else if (strcmp(name, "target") == 0) {
        *expected = PPU_CONFIG_LIST;
        if (ppu_config_find(value) == NULL) return false;
        options->target = value;
    } else {
        *expected = "way, cut, threshold, default, rows, cost or target";
        return false;
    }
    return true;
}

const struct ppu_config *subvector_target(const struct subvector_options *options) {
    return ppu_config_find(options->target != NULL ? options->target : "small");
}
