// Launches on every kind of device: what a grid computes, the order of WFI and release, TMD faults, faults of threads.
#include <string.h>

#include "gen/registers.h"
#include "on_devices.h"
#include "task/task_internal.h"
#include "task/tmd.h"

#define DEADLINE 4000000u

// out[i] = i * 3 + base for each thread of a one-dimensional grid.
static const char fill[] =
    ".kernel fill\n"
    ".registers 8\n"
    ".arg global out\n"
    ".arg value base\n"
    "    S2R R0, SR_CTAID_X\n"
    "    S2R R1, SR_NTID_X\n"
    "    S2R R2, SR_TID_X\n"
    "    IMAD R0, R0, R1, R2\n"
    "    LDC.32 R3, c[0][RZ + 0x40]\n"
    "    LDC.32 R4, c[0][RZ + 0x44]\n"
    "    IMUL R5, R0, 3\n"
    "    IADD R5, R5, R4\n"
    "    SHL R6, R0, 2\n"
    "    IADD R6, R6, R3\n"
    "    STG.32 [R6], R5\n"
    "    EXIT\n";

static void grids(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, fill);
    struct tandem_channel *channel = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    tandem_addr out = new_words(device, 1024), done = new_words(device, 1);
    const uint32_t shapes[][2] = {{1, 1}, {32, 32}, {64, 64}, {96, 48}, {200, 40}, {7, 7}, {330, 33}};
    for (uint32_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        uint32_t base = 1000 * s;
        struct tandem_range range = {.dimensions = 1, .global = {shapes[s][0]}, .local = {shapes[s][1]}};
        struct tandem_argument arguments[] = {{&out, 4}, {&base, 4}};
        must(device, TANDEM_OK, tandem_launch(channel, module, "fill", &range, arguments, 2));
        must(device, TANDEM_OK, tandem_semaphore_release(channel, done, s + 1, true));
        must(device, TANDEM_OK, tandem_submit(channel));
        must(device, TANDEM_OK, tandem_wait(channel, done, s + 1, DEADLINE));
        uint32_t words[1024];
        must(device, TANDEM_OK, tandem_read(device, out, words, sizeof words));
        for (uint32_t i = 0; i < shapes[s][0]; i++)
            cr_assert_eq(words[i], 3 * i + base, "shape %u, thread %u: %u", s, i, words[i]);
        // WFI for itself: the release behind it does not wait.
        write_word(device, out, 0);
        must(device, TANDEM_OK, tandem_launch(channel, module, "fill", &range, arguments, 2));
        must(device, TANDEM_OK, tandem_wfi(channel));
        must(device, TANDEM_OK, tandem_semaphore_release(channel, done, 1000 + s, false));
        must(device, TANDEM_OK, tandem_submit(channel));
        for (uint32_t k = 0; k < 100000 && read_word(device, done) != 1000 + s; k++)
            must(device, TANDEM_OK, tandem_run(device, 20));
        cr_assert_eq(read_word(device, done), 1000 + s);
        must(device, TANDEM_OK, tandem_read(device, out, words, sizeof words));
        for (uint32_t i = 0; i < shapes[s][0]; i++)
            cr_assert_eq(words[i], 3 * i + base, "shape %u, thread %u: %u when WFI had ended", s, i, words[i]);
        write_word(device, done, s + 1);
        memset(words, 0, sizeof words);
        must(device, TANDEM_OK, tandem_write(device, out, words, sizeof words));
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(tasks, grids, "WQ-6 TU-1 TU-6 TU-9 TU-10 grids of many shapes, done when the release after WFI is seen")

// More launches in flight than the task unit has places for, on two channels at once.
static void many_launches(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, fill);
    struct tandem_channel *channels[2] = {NULL, NULL};
    tandem_addr out[2];
    for (uint32_t c = 0; c < 2; c++) {
        must(device, TANDEM_OK, tandem_channel_open(device, 40, c, &channels[c]));
        out[c] = new_words(device, 32 * 30);
    }
    for (uint32_t i = 0; i < 30; i++) {
        for (uint32_t c = 0; c < 2; c++) {
            tandem_addr part = out[c] + 128 * i;
            uint32_t base = 100 * i + c;
            struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {16}};
            struct tandem_argument arguments[] = {{&part, 4}, {&base, 4}};
            must(device, TANDEM_OK, tandem_launch(channels[c], module, "fill", &range, arguments, 2));
            must(device, TANDEM_OK, tandem_submit(channels[c]));
        }
    }
    for (uint32_t c = 0; c < 2; c++)
        must(device, TANDEM_OK, tandem_finish(channels[c], DEADLINE));
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < 30; i++) {
            uint32_t words[32];
            must(device, TANDEM_OK, tandem_read(device, out[c] + 128 * i, words, sizeof words));
            for (uint32_t t = 0; t < 32; t++)
                cr_assert_eq(words[t], 3 * t + 100 * i + c);
        }
        must(device, TANDEM_OK, tandem_channel_close(channels[c]));
    }
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(tasks, many_launches, "WQ-6 WQ-8 TU-4 TU-10 more launches than slots, two channels")

// More tasks than the task unit has places of any kind: they wait in memory, and the host is not held up.
static const char adding[] =
    ".kernel spin\n.registers 8\n.arg global word\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n"
    "again:\n    LDG.32 R2, [R1]\n    ISETP.EQ P0, R2, 0\n    @P0 BRA again\n    EXIT\n"
    ".kernel add\n.registers 8\n.arg global word\n.arg value what\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n"
    "    LDC.32 R2, c[0][RZ + 0x44]\n"
    "    ATOMG.ADD RZ, [R1], R2\n    EXIT\n";

static void thousands_pending(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, adding);
    struct tandem_channel *blocker = NULL, *channel = NULL;
    const uint32_t tasks = 1100, slots = tandem_reg_read(device, REG_CONFIG1) >> 8 & 0xFF;
    const uint32_t block = REG_CHANNEL_BASE + REG_CHANNEL_STRIDE, userd = REG_USERD_BASE + REG_USERD_STRIDE;
    must(device, TANDEM_OK, tandem_channel_open(device, 64, 0, &blocker));
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &channel));
    tandem_addr gate = new_words(device, 1), sum = new_words(device, 1);
    struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    struct tandem_argument pointer = {&gate, 4};
    for (uint32_t i = 0; i < slots; i++)
        must(device, TANDEM_OK, tandem_launch(blocker, module, "spin", &one, &pointer, 1));
    must(device, TANDEM_OK, tandem_submit(blocker));
    must(device, TANDEM_OK, tandem_run(device, 5000));
    uint32_t expected = 0;
    for (uint32_t i = 1; i <= tasks; i++) {
        struct tandem_argument arguments[] = {{&sum, 4}, {&i, 4}};
        must(device, TANDEM_OK, tandem_launch(channel, module, "add", &one, arguments, 2));
        expected += i;
    }
    must(device, TANDEM_OK, tandem_submit(channel));
    for (uint32_t i = 0; i < 100 && tandem_reg_read(device, userd + USERD_GP_GET) != 1; i++)
        must(device, TANDEM_OK, tandem_run(device, 5000));
    cr_assert_eq(tandem_reg_read(device, userd + USERD_GP_GET), 1, "the host is not held up");
    cr_assert_eq(tandem_reg_read(device, block + CHANNEL_STATUS) >> 8, tasks);
    cr_assert_eq(read_word(device, sum), 0);
    write_word(device, gate, 1);
    must(device, TANDEM_OK, tandem_finish(channel, DEADLINE));
    must(device, TANDEM_OK, tandem_finish(blocker, DEADLINE));
    cr_assert_eq(read_word(device, sum), expected);
    must(device, TANDEM_OK, tandem_channel_close(channel));
    must(device, TANDEM_OK, tandem_channel_close(blocker));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(tasks, thousands_pending, "TU-2 WQ-6 over a thousand pending tasks stand in memory, the host goes on")

// Every CTA counts itself in its own word, and waits for the gate. Tasks of level 0 fill the table; one of level 9
// takes a slot of theirs, and what it took the slot from goes on where it stopped.
static const char counting[] =
    ".kernel count\n.registers 8\n.arg global counts\n.arg global gate\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n"
    "    LDC.32 R2, c[0][RZ + 0x44]\n"
    "    S2R R0, SR_CTAID_X\n    SHL R0, R0, 2\n    IADD R1, R1, R0\n"
    "    MOV R3, 1\n    ATOMG.ADD RZ, [R1], R3\n"
    "again:\n    LDG.32 R4, [R2]\n    ISETP.EQ P0, R4, 0\n    @P0 BRA again\n    EXIT\n"
    ".kernel open\n.registers 8\n.arg global gate\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    MOV R2, 1\n    STG.32 [R1], R2\n    EXIT\n";

#define CTAS 40u
static void evicted(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, counting);
    struct tandem_channel *low = NULL, *high = NULL;
    const uint32_t slots = tandem_reg_read(device, REG_CONFIG1) >> 8 & 0xFF;
    must(device, TANDEM_OK, tandem_channel_open(device, 64, 0, &low));
    must(device, TANDEM_OK, tandem_channel_open(device, 16, 0, &high));
    // Each low task has a gate of its own; the first CTAs of the table fill the multiprocessor.
    tandem_addr gates = new_words(device, 16), done = new_words(device, 1), counts[16];
    struct tandem_range grid = {.dimensions = 1, .global = {CTAS}, .local = {1}};
    struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    for (uint32_t i = 0; i < slots + 2; i++) {
        tandem_addr gate = gates + 4 * i;
        counts[i] = new_words(device, CTAS);
        struct tandem_argument arguments[] = {{&counts[i], 4}, {&gate, 4}};
        must(device, TANDEM_OK, tandem_launch(low, module, "count", &grid, arguments, 2));
    }
    must(device, TANDEM_OK, tandem_submit(low));
    must(device, TANDEM_OK, tandem_run(device, 6000));
    struct tandem_argument last = {&done, 4};
    const struct tandem_scheduling urgent = {.level = 9}, impossible = {.level = 64};
    must(device, TANDEM_BAD_ARGUMENT, tandem_launch_scheduled(high, module, "open", &one, &impossible, &last, 1));
    must(device, TANDEM_OK, tandem_launch_scheduled(high, module, "open", &one, &urgent, &last, 1));
    must(device, TANDEM_OK, tandem_submit(high));
    must(device, TANDEM_OK, tandem_run(device, 6000));
    cr_assert_eq(read_word(device, done), 0, "the running CTAs stay");
    // Their gates open: they end, the slot of an evicted one goes to the urgent task before other CTAs of it.
    for (uint32_t i = 0; i < slots + 2; i++)
        write_word(device, gates + 4 * i, 1);
    must(device, TANDEM_OK, tandem_wait(high, done, 1, DEADLINE));
    uint32_t counted = 0;
    for (uint32_t i = 0; i < slots + 2; i++) {
        for (uint32_t k = 0; k < CTAS; k++)
            counted += read_word(device, counts[i] + 4 * k);
    }
    cr_assert_lt(counted, (slots + 2) * CTAS, "the urgent task came before the end of the others");
    must(device, TANDEM_OK, tandem_finish(low, DEADLINE));
    for (uint32_t i = 0; i < slots + 2; i++) {
        for (uint32_t k = 0; k < CTAS; k++)
            cr_assert_eq(read_word(device, counts[i] + 4 * k), 1, "task %u, CTA %u", i, k);
    }
    must(device, TANDEM_OK, tandem_channel_close(low));
    must(device, TANDEM_OK, tandem_channel_close(high));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(tasks, evicted, "TU-5 TU-2 a task of a higher level takes the slot of a lower one, every CTA runs once")

struct bad_tmd {
    enum tmd_field field;
    uint32_t value, fault;
    enum tmd_field with_field;  // a second one, when with is not 0
    uint32_t with;
};

// A grid of one CTA with nothing wrong.
static void good_tmd(uint32_t tmd[TMD_WORDS]) {
    memset(tmd, 0, TMD_BYTES);
    tmd_set(tmd, TMD_QMD_VERSION, 0, 6);
    tmd_set(tmd, TMD_QMD_MAJOR_VERSION, 0, 1);
    tmd_set(tmd, TMD_PROGRAM_OFFSET, 0, 0x1000);
    tmd_set(tmd, TMD_TANDEM_CODE_SIZE, 0, 64);
    tmd_set(tmd, TMD_REGISTER_COUNT, 0, 8);
    tmd_set(tmd, TMD_CTA_RASTER_WIDTH, 0, 1);
    tmd_set(tmd, TMD_CTA_RASTER_HEIGHT, 0, 1);
    tmd_set(tmd, TMD_CTA_RASTER_DEPTH, 0, 1);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION0, 0, 32);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION1, 0, 1);
    tmd_set(tmd, TMD_CTA_THREAD_DIMENSION2, 0, 1);
}

static void malformed_tmds(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_channel *channel = NULL, *other = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &other));
    tandem_addr tmd_at = 0, word = new_words(device, 1);
    must(device, TANDEM_OK, tandem_alloc(device, TMD_BYTES, 256, &tmd_at));
    const struct bad_tmd bads[] = {
        {TMD_QMD_VERSION, 5, FAULT_TMD_VERSION, 0, 0},
        {TMD_QMD_MAJOR_VERSION, 2, FAULT_TMD_VERSION, 0, 0},
        {TMD_REGISTER_COUNT, 0, FAULT_TMD_REGISTER_COUNT, 0, 0},
        {TMD_CTA_THREAD_DIMENSION0, 0, FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, 0, 0},
        {TMD_CTA_RASTER_HEIGHT, 0, FAULT_TMD_CTA_THREAD_DIMENSION_ZERO, 0, 0},
        {TMD_CTA_THREAD_DIMENSION0, 60000, FAULT_TMD_TOTAL_THREADS, 0, 0},
        {TMD_PROGRAM_OFFSET, 0x1004, FAULT_TMD_PROGRAM_OFFSET, 0, 0},
        {TMD_PROGRAM_OFFSET, 0x01000000, FAULT_TMD_PROGRAM_OFFSET, 0, 0},
        {TMD_SHARED_MEMORY_SIZE, 0x3FFFF, FAULT_TMD_SHARED_MEMORY_SIZE, 0, 0},
        {TMD_TANDEM_WAVEFRONT, 16, FAULT_TMD_KIND, 0, 0},
        {TMD_BARRIER_COUNT, 2, FAULT_TMD_KIND, 0, 0},
        {TMD_SCHEDULE_ON_PUT_UPDATE_ENABLE, 1, FAULT_TMD_KIND, 0, 0},
        {TMD_CIRCULAR_QUEUE_SIZE, 3, FAULT_TMD_CIRCULAR_QUEUE_SIZE, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 16},
        {TMD_CIRCULAR_QUEUE_SIZE, 0x8000, FAULT_TMD_CIRCULAR_QUEUE_ADDR, TMD_CIRCULAR_QUEUE_ENTRY_SIZE, 0xFF0},
        {TMD_CONSTANT_BUFFER_VALID, 1, FAULT_TMD_CONSTANT_BUFFER, TMD_CONSTANT_BUFFER_ADDR_LOWER, 0x0FFFFF00},
    };
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        uint32_t tmd[TMD_WORDS];
        good_tmd(tmd);
        tmd_set(tmd, bads[i].field, 0, bads[i].value);
        if (bads[i].with != 0) tmd_set(tmd, bads[i].with_field, 0, bads[i].with);
        must(device, TANDEM_OK, tandem_write(device, tmd_at, tmd, sizeof tmd));
        must(device, TANDEM_OK, tandem_launch_tmd(channel, tmd_at));
        must(device, TANDEM_OK, tandem_submit(channel));
        struct tandem_fault fault;
        must(device, TANDEM_CHANNEL_FAULT, tandem_wait(channel, word, 1, DEADLINE));
        cr_assert(tandem_channel_fault(channel, &fault));
        cr_expect_eq(fault.code, bads[i].fault, "case %zu: %s", i, fault.text);
        must(device, TANDEM_OK, tandem_finish(other, DEADLINE));
        must(device, TANDEM_OK, tandem_channel_reset(channel));
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    must(device, TANDEM_OK, tandem_channel_close(other));
    close_device(device);
}
ON_DEVICES(tasks, malformed_tmds, "TU-11 each malformed TMD is refused by name, the neighbour goes on")

// Software writes into a TMD that waits in a list: the task unit trusts nothing that it reads back.
static void changed_while_pending(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, counting);
    struct tandem_channel *busy = NULL, *channel = NULL;
    const uint32_t slots = tandem_reg_read(device, REG_CONFIG1) >> 8 & 0xFF;
    must(device, TANDEM_OK, tandem_channel_open(device, 64, 0, &busy));
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    const tandem_addr counts = new_words(device, CTAS), gate = new_words(device, 1), word = new_words(device, 1);
    tandem_addr tmd_at = 0;
    must(device, TANDEM_OK, tandem_alloc(device, TMD_BYTES, 256, &tmd_at));
    static const uint32_t faults[] = {FAULT_TMD_LINK, FAULT_TMD_RESUME};
    for (uint32_t k = 0; k < 2; k++) {
        struct tandem_range grid = {.dimensions = 1, .global = {CTAS}, .local = {1}};
        struct tandem_argument arguments[] = {{&counts, 4}, {&gate, 4}};
        write_word(device, gate, 0);
        for (uint32_t i = 0; i < slots; i++)
            must(device, TANDEM_OK, tandem_launch(busy, module, "count", &grid, arguments, 2));
        must(device, TANDEM_OK, tandem_submit(busy));
        must(device, TANDEM_OK, tandem_run(device, 6000));
        uint32_t tmd[TMD_WORDS];
        good_tmd(tmd);
        must(device, TANDEM_OK, tandem_write(device, tmd_at, tmd, sizeof tmd));
        must(device, TANDEM_OK, tandem_launch_tmd(channel, tmd_at));
        must(device, TANDEM_OK, tandem_submit(channel));
        must(device, TANDEM_OK, tandem_run(device, 6000));
        must(device, TANDEM_OK, tandem_read(device, tmd_at, tmd, sizeof tmd));
        const uint32_t state = tmd_get(tmd, TMD_TANDEM_STATE, 0);
        cr_assert_neq(state & 3, 0, "it is pending");
        if (k == 0) {
            tmd_set(tmd, TMD_QMD_GROUP_ID, 0, 7);
        } else {
            tmd_set(tmd, TMD_TANDEM_STATE, 0, (state & ~3u) | TASK_EVICTED);
            tmd_set(tmd, TMD_CTA_RASTER_WIDTH_RESUME, 0, 5);
        }
        must(device, TANDEM_OK, tandem_write(device, tmd_at, tmd, sizeof tmd));
        write_word(device, gate, 1);
        struct tandem_fault fault;
        must(device, TANDEM_CHANNEL_FAULT, tandem_wait(channel, word, 1, DEADLINE));
        cr_assert(tandem_channel_fault(channel, &fault));
        cr_expect_eq(fault.code, faults[k], "case %u: %s", k, fault.text);
        must(device, TANDEM_OK, tandem_finish(busy, DEADLINE));
        must(device, TANDEM_OK, tandem_channel_reset(channel));
    }
    must(device, TANDEM_OK, tandem_channel_close(channel));
    must(device, TANDEM_OK, tandem_channel_close(busy));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(tasks, changed_while_pending, "TU-3 TU-11 a TMD that was changed while it waited is refused by name")

// Threads that do wrong: the task ends, the channel has the fault with address and program counter, the neighbour's
// task is not harmed.
static const char wrong[] =
    ".kernel outside\n.registers 8\n"
    "    MOV R0, 0x0FFFFFF0\n    STG.32 [R0], R0\n    EXIT\n"
    ".kernel userd\n.registers 8\n"  // the register window's own address: there is nothing of it in a channel's space
    "    MOV R0, 0xFFF1008C\n    STG.32 [R0], R0\n    EXIT\n"
    ".kernel unaligned\n.registers 8\n"
    "    MOV R0, 0x1002\n    LDG.32 R1, [R0]\n    EXIT\n"
    ".kernel illegal\n.registers 8\n"
    "    .word 0\n    EXIT\n"
    ".kernel registers\n.registers 4\n"
    "    MOV R4, 1\n    EXIT\n"
    ".kernel constant\n.registers 8\n"
    "    LDC.32 R1, c[1][RZ + 0]\n    EXIT\n"
    ".kernel runaway\n.registers 8\n"
    "    JMP 0x3FFFF\n    EXIT\n"
    ".kernel spin\n.registers 8\n.arg global word\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n"
    "again:\n    LDG.32 R2, [R1]\n    ISETP.EQ P0, R2, 0\n    @P0 BRA again\n    EXIT\n";

static void thread_faults(const char *name) {
    struct tandem_device *device = open_device(name);
    struct tandem_module *module = load_assembly(device, wrong);
    struct tandem_channel *channel = NULL, *other = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &other));
    tandem_addr word = new_words(device, 1), gate = new_words(device, 1);
    struct tandem_argument pointer = {&gate, 4};
    struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {32}};
    must(device, TANDEM_OK, tandem_launch(other, module, "spin", &range, &pointer, 1));
    must(device, TANDEM_OK, tandem_submit(other));
    must(device, TANDEM_OK, tandem_run(device, 3000));
    const uint32_t pointers = REG_USERD_BASE + REG_USERD_STRIDE;
    cr_assert_eq(tandem_reg_read(device, pointers + USERD_GP_GET), 1);
    const struct {
        const char *kernel;
        uint32_t fault;
    } cases[] = {
        {"outside", FAULT_MEMORY_BOUNDS},      {"userd", FAULT_MEMORY_BOUNDS},
        {"unaligned", FAULT_MEMORY_ALIGNMENT}, {"illegal", FAULT_ILLEGAL_INSTRUCTION},
        {"registers", FAULT_REGISTER_BOUNDS},  {"constant", FAULT_CONSTANT_BOUNDS},
        {"runaway", FAULT_PROGRAM_BOUNDS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        must(device, TANDEM_OK, tandem_launch(channel, module, cases[i].kernel, &range, NULL, 0));
        must(device, TANDEM_OK, tandem_submit(channel));
        struct tandem_fault fault;
        must(device, TANDEM_CHANNEL_FAULT, tandem_wait(channel, word, 1, DEADLINE));
        cr_assert(tandem_channel_fault(channel, &fault));
        cr_expect_eq(fault.code, cases[i].fault, "kernel %s: %s", cases[i].kernel, fault.text);
        cr_assert_eq(tandem_reg_read(device, pointers + USERD_GP_GET), 1);
        cr_assert_eq(tandem_reg_read(device, pointers + USERD_GP_PUT), 1);
        cr_assert_eq(tandem_reg_read(device, REG_USERD_BASE + USERD_GP_PUT), 1);
        must(device, TANDEM_OK, tandem_channel_reset(channel));
    }
    struct tandem_fault fault;
    cr_assert_not(tandem_channel_fault(other, &fault));
    write_word(device, gate, 1);
    must(device, TANDEM_OK, tandem_finish(other, DEADLINE));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    must(device, TANDEM_OK, tandem_channel_close(other));
    tandem_module_unload(module);
    close_device(device);
}
ON_DEVICES(tasks, thread_faults, "WQ-4 WQ-8 threads that fault end their task alone")
