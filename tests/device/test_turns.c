// Warps that take a unit of their multiprocessor again and again, and one that needs it now and then: it gets its turn (turns.sv). Without turns
// warps fall in step with the unit, and one that is sent back comes too late each time.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gen/config.h"
#include "on_devices.h"

#define DEADLINE 400000u
// Of the warp that is watched.
#define LOOKS 40u

// There is nothing to wait for on the model.
#define ON_RTL(body, what)                                       \
    Test(turns, body##_nano, .description = what " [tandem]") {  \
        body("tandem:nano");                                     \
    }                                                            \
    Test(turns, body##_small, .description = what " [tandem]") { \
        body("tandem:small");                                    \
    }                                                            \
    Test(turns, body##_full, .description = what " [tandem]") {  \
        body("tandem:full");                                     \
    }

// All warps but the last: until the gate is open they look at it, do `what` as often as asked, and `fill` instructions without memory; they wait
// for what came of it, or not. The last one does `what` LOOKS times, each behind `pause` instructions, leaves the most cycles that it waited, and
// opens the gate.
struct shape {
    const char *config;
    uint32_t warps;
    char what;
    uint32_t times, fill;
    bool waits;
    uint32_t pause;
};
static const struct shape shapes[] = {
    // These did not end without turns.
    {"nano", 2, 's', 1, 5, false, 2},
    {"nano", 2, 's', 1, 1, false, 4},
    {"small", 4, 'g', 0, 1, false, 4},
    {"full", 5, 'g', 0, 0, true, 0},
    {"full", 6, 's', 0, 2, false, 0},
    {"full", 6, 'c', 0, 1, true, 5},
    // Of each kind one, that did.
    {"nano", 2, 'g', 0, 1, false, 4},
    {"nano", 2, 'c', 2, 0, true, 4},
    {"nano", 2, 'a', 4, 6, true, 4},
    {"small", 4, 's', 0, 2, false, 1},
    {"small", 4, 'c', 2, 0, true, 4},
    {"small", 4, 'x', 0, 1, false, 0},
    {"small", 4, 'a', 4, 6, false, 1},
    {"full", 15, 's', 0, 0, false, 3},
    {"full", 5, 'x', 0, 0, true, 0},
};

static void append(char *text, size_t size, const char *format, ...) {
    va_list list;
    const size_t length = strlen(text);
    va_start(list, format);
    vsnprintf(text + length, size - length, format, list);
    va_end(list);
}

// A load, from shared memory or by a generic address; an atomic on shared memory; a branch.
static void append_what(char *text, size_t size, char what, uint32_t to) {
    if (what == 'g') append(text, size, "    LDG.32 R%u, [R1]\n", to);
    if (what == 's') append(text, size, "    LDS.32 R%u, [R9]\n", to);
    if (what == 'x') append(text, size, "    LD.32 R%u, [R1]\n", to);
    if (what == 'a') append(text, size, "    ATOMS.ADD R%u, [R9 + 4], R9\n", to);
    if (what == 'c') append(text, size, "    BRA x%zu\nx%zu:\n", strlen(text), strlen(text));
}

static void write_program(char *text, size_t size, const struct shape *s) {
    text[0] = '\0';
    append(text, size,
           ".kernel main\n.registers 32\n.shared_bytes 256\n.arg global gate\n    LDC.32 R1, c[0][RZ + 0x40]\n"
           "    MOV R9, 0\n    S2R R0, SR_WARPID\n    ISETP.EQ P1, R0, %u\n    @P1 BRA watched\n"
           "again:\n    LDG.32 R4, [R1]\n",
           s->warps - 1);
    for (uint32_t k = 0; k < s->times; k++)
        append_what(text, size, s->what, 10 + k);
    for (uint32_t k = 0; k < s->fill; k++)
        append(text, size, "    IADD R21, R21, 1\n");
    if (s->waits) append(text, size, "    IADD R22, R10, R22\n");
    append(text, size,
           "    ISETP.EQ P0, R4, 0\n    @P0 BRA again\n    EXIT\nwatched:\n    MOV R7, %u\n    MOV R24, 0\nlook:\n",
           LOOKS);
    for (uint32_t k = 0; k < s->pause; k++)
        append(text, size, "    IADD R21, R21, 1\n");
    append(text, size, "    S2R R5, SR_CLOCK_LO\n");
    append_what(text, size, s->what, 25);
    append(text, size,
           "    IADD R25, R25, 0\n    S2R R6, SR_CLOCK_LO\n    ISUB R6, R6, R5\n    UMAX R24, R24, R6\n    ISUB R7, "
           "R7, 1\n"
           "    ISETP.NE P0, R7, 0\n    @P0 BRA look\n    STG.32 [R1 + 4], R24\n    MOV R6, 1\n    STG.32 [R1], R6\n   "
           " EXIT\n");
}

// Instructions of others that may go first, and the longest that one of them keeps its unit.
static uint32_t longest(const struct ppu_config *config) {
    const uint32_t portions = config->threads / config->lanes, others = 64 + 2 * (config->warps - 1);
    return others * (10 * portions + 40);
}

static void all(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL;
    struct tandem_info info;
    static char text[8192];
    tandem_get_info(device, &info);
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    const tandem_addr gate = new_words(device, 16);
    const struct tandem_argument argument = {&gate, sizeof gate};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const struct shape *s = &shapes[k];
        if (strcmp(s->config, info.config) != 0) continue;
        write_program(text, sizeof text, s);
        struct tandem_module *module = load_assembly(device, text);
        const struct tandem_range range = {
            .dimensions = 1, .global = {s->warps * info.threads}, .local = {s->warps * info.threads}};
        write_word(device, gate, 0);
        write_word(device, gate + 4, 0);
        must(device, TANDEM_OK, tandem_launch(channel, module, "main", &range, &argument, 1));
        must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
        const uint32_t waited = read_word(device, gate + 4);
        cr_expect_gt(waited, 0);
        cr_expect_leq(waited, longest(ppu_config_find(info.config)), "%s: shape %zu: waited %u cycles", name, k,
                      waited);
        fprintf(stderr, "%s: shape %zu: %u warps, '%c': at most %u cycles\n", name, k, s->warps, s->what, waited);
        tandem_module_unload(module);
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
ON_RTL(all, "a warp that needs a unit which others take again and again gets it in bounded time")
