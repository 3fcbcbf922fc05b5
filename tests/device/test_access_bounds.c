// Every memory instruction at its bounds, on every kind of device: the last place that is good, the first that is not,
// an address that no sum of 32 bits must wrap around, one that is not aligned (rtl/sm/instructions.md, Checks and
// faults). Threads ask in ascending order, threads that do not take part are not asked.
#include <stdio.h>
#include <string.h>

#include "gen/registers.h"
#include "on_devices.h"

#define DEADLINE 2000000u
#define SHARED 112u   // bytes of a CTA
#define LOCAL 64u     // bytes of a thread
#define CONSTANT 80u  // bytes of constant buffer 0: 64, and four arguments
#define SHARED_WINDOW 0xFE000000u
#define LOCAL_WINDOW 0xFF000000u

// at: where threads 0 to 36 go; bad: 37, late: those above; off: not 0: threads from 37 on do not take part.
#define KERNEL(number, instruction)                                                                     \
    ".kernel k" #number                                                                                 \
    "\n.registers 16\n.shared_bytes 112\n.local_bytes 64\n"                                             \
    ".arg value at\n.arg value bad\n.arg value late\n.arg value off\n"                                  \
    "    S2R R0, SR_TID_X\n    LDC.32 R1, c[0][64]\n    LDC.32 R2, c[0][68]\n    LDC.32 R3, c[0][72]\n" \
    "    LDC.32 R8, c[0][76]\n    ISETP.GE P1, R0, 37\n    @P1 MOV R1, R2\n    ISETP.GT P2, R0, 37\n"   \
    "    @P2 MOV R1, R3\n    ISETP.NE P3, R8, 0\n    PSETP.AND P3, P3, P1\n    @!P3 " instruction "\n    EXIT\n"

enum space { GLOBAL, IN_SHARED, IN_LOCAL, IN_CONSTANT, NO_BANK };

struct access {
    const char *text;
    enum space space;
    uint32_t bytes, window;
    bool atomic;
};

#define ACCESS(number, instruction, ...) \
    { KERNEL(number, instruction), __VA_ARGS__ }
static const struct access accesses[] = {
    ACCESS(0, "LDG.U8 R4, [R1]", GLOBAL, 1, 0, false),
    ACCESS(1, "LDG.S16 R4, [R1]", GLOBAL, 2, 0, false),
    ACCESS(2, "LDG.32 R4, [R1]", GLOBAL, 4, 0, false),
    ACCESS(3, "LDG.64 R4, [R1]", GLOBAL, 8, 0, false),
    ACCESS(4, "LDG.128 R4, [R1]", GLOBAL, 16, 0, false),
    ACCESS(5, "STG.U8 [R1], R4", GLOBAL, 1, 0, false),
    ACCESS(6, "STG.U16 [R1], R4", GLOBAL, 2, 0, false),
    ACCESS(7, "STG.32 [R1], R4", GLOBAL, 4, 0, false),
    ACCESS(8, "STG.64 [R1], R4", GLOBAL, 8, 0, false),
    ACCESS(9, "STG.128 [R1], R4", GLOBAL, 16, 0, false),
    ACCESS(10, "ATOMG.ADD R4, [R1], R9", GLOBAL, 4, 0, true),
    ACCESS(11, "LDS.S8 R4, [R1]", IN_SHARED, 1, 0, false),
    ACCESS(12, "LDS.U16 R4, [R1]", IN_SHARED, 2, 0, false),
    ACCESS(13, "LDS.32 R4, [R1]", IN_SHARED, 4, 0, false),
    ACCESS(14, "LDS.64 R4, [R1]", IN_SHARED, 8, 0, false),
    ACCESS(15, "LDS.128 R4, [R1]", IN_SHARED, 16, 0, false),
    ACCESS(16, "STS.U8 [R1], R4", IN_SHARED, 1, 0, false),
    ACCESS(17, "STS.U16 [R1], R4", IN_SHARED, 2, 0, false),
    ACCESS(18, "STS.32 [R1], R4", IN_SHARED, 4, 0, false),
    ACCESS(19, "STS.64 [R1], R4", IN_SHARED, 8, 0, false),
    ACCESS(20, "STS.128 [R1], R4", IN_SHARED, 16, 0, false),
    ACCESS(21, "ATOMS.XOR R4, [R1], R9", IN_SHARED, 4, 0, true),
    ACCESS(22, "LDL.U8 R4, [R1]", IN_LOCAL, 1, 0, false),
    ACCESS(23, "LDL.U16 R4, [R1]", IN_LOCAL, 2, 0, false),
    ACCESS(24, "LDL.32 R4, [R1]", IN_LOCAL, 4, 0, false),
    ACCESS(25, "STL.U8 [R1], R4", IN_LOCAL, 1, 0, false),
    ACCESS(26, "STL.U16 [R1], R4", IN_LOCAL, 2, 0, false),
    ACCESS(27, "STL.32 [R1], R4", IN_LOCAL, 4, 0, false),
    ACCESS(28, "LD.S8 R4, [R1]", IN_SHARED, 1, SHARED_WINDOW, false),
    ACCESS(29, "LD.S16 R4, [R1]", IN_SHARED, 2, SHARED_WINDOW, false),
    ACCESS(30, "LD.32 R4, [R1]", IN_SHARED, 4, SHARED_WINDOW, false),
    ACCESS(31, "ST.U8 [R1], R4", IN_SHARED, 1, SHARED_WINDOW, false),
    ACCESS(32, "ST.U16 [R1], R4", IN_SHARED, 2, SHARED_WINDOW, false),
    ACCESS(33, "ST.32 [R1], R4", IN_SHARED, 4, SHARED_WINDOW, false),
    ACCESS(34, "ATOM.ADD R4, [R1], R9", IN_SHARED, 4, SHARED_WINDOW, true),
    ACCESS(35, "LD.U8 R4, [R1]", IN_LOCAL, 1, LOCAL_WINDOW, false),
    ACCESS(36, "LD.U16 R4, [R1]", IN_LOCAL, 2, LOCAL_WINDOW, false),
    ACCESS(37, "LD.32 R4, [R1]", IN_LOCAL, 4, LOCAL_WINDOW, false),
    ACCESS(38, "ST.U8 [R1], R4", IN_LOCAL, 1, LOCAL_WINDOW, false),
    ACCESS(39, "ST.U16 [R1], R4", IN_LOCAL, 2, LOCAL_WINDOW, false),
    ACCESS(40, "ST.32 [R1], R4", IN_LOCAL, 4, LOCAL_WINDOW, false),
    ACCESS(41, "ATOM.OR R4, [R1], R9", IN_LOCAL, 4, LOCAL_WINDOW, true),
    ACCESS(42, "LDC.U8 R4, c[0][R1]", IN_CONSTANT, 1, 0, false),
    ACCESS(43, "LDC.S16 R4, c[0][R1]", IN_CONSTANT, 2, 0, false),
    ACCESS(44, "LDC.32 R4, c[0][R1]", IN_CONSTANT, 4, 0, false),
    ACCESS(45, "LDC.64 R4, c[0][R1]", IN_CONSTANT, 8, 0, false),
    ACCESS(46, "LDC.128 R4, c[0][R1]", IN_CONSTANT, 16, 0, false),
    ACCESS(47, "LDC.U8 R4, c[1][R1]", NO_BANK, 1, 0, false),
    ACCESS(48, "LDC.U16 R4, c[1][R1]", NO_BANK, 2, 0, false),
    ACCESS(49, "LDC.32 R4, c[1][R1]", NO_BANK, 4, 0, false),
    ACCESS(50, "LDC.128 R4, c[1][R1]", NO_BANK, 16, 0, false),
    ACCESS(51, "LDC.U8 R4, c[15][R1]", NO_BANK, 1, 0, false),
    ACCESS(52, "LDC.32 R4, c[15][R1]", NO_BANK, 4, 0, false),
    ACCESS(53, "LD.U8 R4, [R1]", GLOBAL, 1, 0, false),
    ACCESS(54, "LD.32 R4, [R1]", GLOBAL, 4, 0, false),
    ACCESS(55, "ST.U16 [R1], R4", GLOBAL, 2, 0, false),
    ACCESS(56, "ST.32 [R1], R4", GLOBAL, 4, 0, false),
    ACCESS(57, "ATOM.ADD R4, [R1], R9", GLOBAL, 4, 0, true),
};
#define ACCESSES (sizeof accesses / sizeof accesses[0])

struct world {
    const char *name;
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *channel;
};

struct places {
    uint32_t at, bad, late, off;
};

static void launch(const struct world *w, uint32_t number, const struct places *places, uint32_t code, uint32_t info) {
    char kernel[16];
    snprintf(kernel, sizeof kernel, "k%u", number);
    const struct tandem_range range = {.dimensions = 1, .global = {48}, .local = {48}};
    const struct tandem_argument arguments[] = {
        {&places->at, 4}, {&places->bad, 4}, {&places->late, 4}, {&places->off, 4}};
    struct tandem_fault fault = {0};
    must(w->device, TANDEM_OK, tandem_launch(w->channel, w->module, kernel, &range, arguments, 4));
    const enum tandem_status status = tandem_finish(w->channel, DEADLINE);
    const bool faulted = tandem_channel_fault(w->channel, &fault);
    cr_expect(
        status == (code == FAULT_NONE ? TANDEM_OK : TANDEM_CHANNEL_FAULT) && fault.code == code && fault.info == info,
        "%s: kernel k%u at 0x%x, 0x%x: %s, info 0x%x, expected code %u, info 0x%x", w->name, number, places->at,
        places->bad, fault.text, fault.info, code, info);
    if (faulted) must(w->device, TANDEM_OK, tandem_channel_reset(w->channel));
}

static struct world begin(const char *name) {
    static char text[ACCESSES * 600];
    size_t length = 0;
    struct world w = {.name = name, .device = open_device(name)};
    for (uint32_t i = 0; i < ACCESSES; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", accesses[i].text);
    cr_assert_lt(length, sizeof text);
    w.module = load_assembly(w.device, text);
    must(w.device, TANDEM_OK, tandem_channel_open(w.device, 8, 0, &w.channel));
    return w;
}

static void end(struct world *w) {
    must(w->device, TANDEM_OK, tandem_channel_close(w->channel));
    tandem_module_unload(w->module);
    close_device(w->device);
}

static void bounds(const char *name) {
    struct world w = begin(name);
    struct tandem_space_info info;
    tandem_space_get_info(tandem_device_space(w.device), &info);
    const uint32_t space = (uint32_t)info.bytes;
    const uint32_t sizes[] = {space, SHARED, LOCAL, CONSTANT};
    const uint32_t faults[] = {FAULT_MEMORY_BOUNDS, FAULT_SHARED_BOUNDS, FAULT_LOCAL_BOUNDS, FAULT_CONSTANT_BOUNDS};
    uint8_t last[16];
    must(w.device, TANDEM_OK, tandem_read(w.device, space - 16, last, sizeof last));
    for (uint32_t i = 0; i < ACCESSES; i++) {
        const struct access *a = &accesses[i];
        if (a->space == NO_BANK) {
            launch(&w, i, &(struct places){0, 0, 0, 0}, FAULT_CONSTANT_BOUNDS, 0);
            launch(&w, i, &(struct places){64, 0, 0, 0}, FAULT_CONSTANT_BOUNDS, 64);
            continue;
        }
        const uint32_t size = sizes[a->space], top = a->window + size, fault = faults[a->space];
        // The highest address that is aligned: not past a bound of 32 bits, far past this one. A generic address is in
        // its window: the global space ends below both.
        const uint32_t beyond = a->window != 0 ? a->window + 0x1000000 - a->bytes
                                : i >= 53      ? 0xFDFFFFF0
                                               : 0u - a->bytes;
        const uint32_t line = a->space == GLOBAL && !a->atomic ? ~31u : ~0u;
        launch(&w, i, &(struct places){top - a->bytes, top, 0xFFFFFFFF, 1}, FAULT_NONE, 0);
        launch(&w, i, &(struct places){a->window, top, top, 0}, fault, top & line);
        launch(&w, i, &(struct places){a->window, beyond, beyond, 0}, fault, beyond & line);
        if (a->space == GLOBAL) continue;
        launch(&w, i, &(struct places){a->window + a->bytes, top, 0xFFFFFFFF, 0}, fault, top);
    }
    must(w.device, TANDEM_OK, tandem_write(w.device, space - 16, last, sizeof last));
    end(&w);
}
ON_DEVICES(access_bounds, bounds, "SP-1 SP-2 WQ-4 TU-9 each memory instruction up to the end of its space")

// An address that is not aligned is told before what lies behind a bound, thread by thread.
static void alignment(const char *name) {
    struct world w = begin(name);
    for (uint32_t i = 0; i < ACCESSES; i++) {
        const struct access *a = &accesses[i];
        if (a->bytes == 1 || a->space == NO_BANK || a->space == IN_CONSTANT) continue;
        for (uint32_t wrong = 1; wrong < a->bytes; wrong *= 2)
            launch(&w, i, &(struct places){a->window, a->window + 32 + wrong, a->window + 1, 0}, FAULT_MEMORY_ALIGNMENT,
                   a->window + 32 + wrong);
        launch(&w, i, &(struct places){a->window, a->window + 0xFFFFF1, a->window, 0}, FAULT_MEMORY_ALIGNMENT,
               a->window + 0xFFFFF1);
        if (a->space != GLOBAL)
            launch(&w, i, &(struct places){a->window, a->window + 0xFFFFF0, a->window + 1, 0},
                   a->space == IN_SHARED ? FAULT_SHARED_BOUNDS : FAULT_LOCAL_BOUNDS, a->window + 0xFFFFF0);
    }
    end(&w);
}
ON_DEVICES(access_bounds, alignment, "SP-2 an access that is not aligned, of all sizes; the lowest thread is told")
