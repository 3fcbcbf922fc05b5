// What it costs that CTAs step aside: parents that wait for children deeper and deeper, and how soon a task of a higher
// level runs where every warp is held by a kernel that does not end. Figures, never a verdict.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/tandem.h"
#include "isa/assembler.h"

static const char help[] =
    "usage: aside-bench [DEVICE]...\n"
    "Prints, for each device (default: rtl: of each configuration), cycles a generation of parents that wait for "
    "their\n"
    "child, 2 and 60 of them, and cycles from the launch of a task of a higher level to its end, on a device that has\n"
    "nothing to do and on one whose warps are all held by kernels of 16 or 64 registers that spin.\n";

enum { DEPTH_MOST = 60, DEADLINE = 40000000 };

#define SPINS(name, registers)                        \
    ".kernel " name "\n.registers " registers         \
    "\n.local_bytes 48\n.saves 1\n.arg global word\n" \
    "LDC.32 R1, c[0][RZ + 0x40]\nagain: LDG.32 R3, [R1]\nISETP.EQ P0, R3, 0\n@P0 BRA again\nEXIT\n"

static const char program[] =
    ".handler\n.kernel leaf\n.registers 8\n.arg global count\n"
    "LDC.32 R1, c[0][RZ + 0x40]\nMOV R2, 1\nATOMG.ADD RZ, [R1], R2\nEXIT\n"
    ".kernel parent\n.registers 16\n.local_bytes 48\n.saves 1\n.arg global tmd\n"
    "LDC.32 R1, c[0][RZ + 0x40]\nLDG.32 R4, [R1]\nLAUNCH.WAIT R4\nEXIT\n" SPINS("spins16", "16") SPINS("spins64", "64");

struct bench {
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *low, *high;
    struct tandem_info info;
    tandem_addr words;  // count, word of the spinning, then a TMD for each generation
    tandem_addr stamps;
};

static bool good(const struct bench *b, enum tandem_status status) {
    if (status != TANDEM_OK)
        fprintf(stderr, "aside-bench: %s: %s\n", tandem_status_name(status), tandem_message(b->device));
    return status == TANDEM_OK;
}

static bool begin(struct bench *b, const char *name) {
    char full[600], message[512] = "";
    struct code_object object;
    void *elf = NULL;
    size_t size = 0;
    *b = (struct bench){0};
    snprintf(full, sizeof full, "%.500s,mem=64", name);
    if (tandem_open(full, &b->device, message, sizeof message) != TANDEM_OK ||
        !assemble(program, sizeof program - 1, "step_aside.c", &object, message, sizeof message)) {
        fprintf(stderr, "aside-bench: %s\n", message);
        return false;
    }
    tandem_get_info(b->device, &b->info);
    const bool written = code_object_write(&object, &elf, &size, message, sizeof message);
    code_object_free(&object);
    const bool loaded = written && good(b, tandem_module_load(b->device, elf, size, &b->module));
    free(elf);
    return loaded && good(b, tandem_channel_open(b->device, 16, 0, &b->low)) &&
           good(b, tandem_channel_open(b->device, 16, 3, &b->high)) &&
           good(b, tandem_alloc(b->device, 32, 32, &b->stamps)) &&
           good(b, tandem_alloc(b->device, 4 * (DEPTH_MOST + 8), 32, &b->words));
}

static bool end(struct bench *b) {
    if (b->low != NULL) (void)tandem_channel_close(b->low);
    if (b->high != NULL) (void)tandem_channel_close(b->high);
    if (b->module != NULL) tandem_module_unload(b->module);
    return b->device == NULL || tandem_close(b->device) == TANDEM_OK;
}

// By the channel's own time stamps: before what is launched next, and behind its end.
static bool stamp(const struct bench *b, struct tandem_channel *channel, bool behind) {
    if (behind && !good(b, tandem_wfi(channel))) return false;
    return good(b, tandem_time_stamp(channel, b->stamps + (behind ? 16 : 0)));
}

static bool finish(const struct bench *b, struct tandem_channel *channel, uint64_t *taken) {
    uint64_t stamps[4];
    if (!stamp(b, channel, true) || !good(b, tandem_finish(channel, DEADLINE)) ||
        !good(b, tandem_read(b->device, b->stamps, stamps, sizeof stamps)))
        return false;
    *taken = (stamps[3] - stamps[1]) / b->info.ns_per_cycle;
    return true;
}

// So many parents, each the child of the one before, the last one with a leaf. *taken: cycles in all.
static bool generations(struct bench *b, uint32_t depth, uint64_t *taken) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_scheduling plain = {0, false};
    tandem_addr tmd = 0;
    for (uint32_t i = depth; i > 0; i--) {
        const tandem_addr argument = i == depth ? b->words : b->words + 32 + 4 * (i - 1);
        const struct tandem_argument arguments = {&argument, 4};
        const uint32_t number = tmd >> 8;
        if (i < depth && !good(b, tandem_write(b->device, argument, &number, 4))) return false;
        if (i > 1 && !good(b, tandem_task_build(b->low, b->module, i == depth ? "leaf" : "parent", &one, &plain,
                                                &arguments, 1, &tmd)))
            return false;
        if (i == 1 && !stamp(b, b->low, false)) return false;
        if (i == 1 && !good(b, tandem_launch(b->low, b->module, "parent", &one, &arguments, 1))) return false;
    }
    return finish(b, b->low, taken);
}

// From the launch of a leaf of the highest level to its end.
static bool leaf(struct bench *b, uint64_t *taken) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument count = {&b->words, 4};
    const struct tandem_scheduling first = {63, false};
    return stamp(b, b->high, false) &&
           good(b, tandem_launch_scheduled(b->high, b->module, "leaf", &one, &first, &count, 1)) &&
           finish(b, b->high, taken);
}

static bool beside(struct bench *b, const char *kernel, uint32_t ctas, uint64_t *taken) {
    const struct tandem_range range = {.dimensions = 1, .global = {ctas * b->info.threads}, .local = {b->info.threads}};
    const tandem_addr word = b->words + 4;
    const struct tandem_argument argument = {&word, 4};
    uint32_t value = 0;
    bool done = good(b, tandem_write(b->device, word, &value, 4)) &&
                good(b, tandem_launch(b->low, b->module, kernel, &range, &argument, 1)) &&
                good(b, tandem_submit(b->low)) && good(b, tandem_run(b->device, 20000)) && leaf(b, taken);
    value = 1;
    return done && good(b, tandem_write(b->device, word, &value, 4)) && good(b, tandem_finish(b->low, DEADLINE));
}

static bool measure(const char *name) {
    struct bench b;
    uint64_t two, many, alone, few, wide;
    bool done = begin(&b, name) && generations(&b, 2, &two) && generations(&b, DEPTH_MOST, &many) && leaf(&b, &alone);
    const uint32_t ctas = b.info.warps * b.info.sms;
    done = done && beside(&b, "spins16", ctas, &few) && beside(&b, "spins64", ctas, &wide);
    if (done) {
        printf("%-12s parents that wait, cycles a generation: 2 deep %.0f, %d deep %.0f\n", name, (double)two / 2,
               DEPTH_MOST, (double)many / DEPTH_MOST);
        printf(
            "%-12s a task of the highest level, cycles from launch to end: alone %.0f, beside spinning warps of 16 "
            "registers %.0f, of 64 %.0f\n",
            name, (double)alone, (double)few, (double)wide);
    }
    return end(&b) && done;
}

int main(int argc, char **argv) {
    static const char *const each[] = {"rtl:nano", "rtl:small", "rtl:full"};
    bool done = true;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    if (argc > 1 && argv[1][0] == '-') {
        fprintf(stderr, "aside-bench: unknown option %s; --help tells what there is\n", argv[1]);
        return 2;
    }
    for (int i = 1; i < argc; i++)
        done = measure(argv[i]) && done;
    for (size_t i = 0; argc == 1 && i < sizeof each / sizeof each[0]; i++)
        done = measure(each[i]) && done;
    return done ? 0 : 1;
}
