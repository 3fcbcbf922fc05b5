// Memory that answers with errors, on every kind of device: each kind of request that meets one faults the channel it
// was made for, with the address; another channel goes on meanwhile; and after a reset the channel works again.
#include <stdlib.h>
#include <string.h>

#include "gen/methods.h"
#include "gen/registers.h"
#include "on_devices.h"
#include "task/tmd.h"

#define DEADLINE 2000000u
#define WORDS 256u
#define LINE 32u

// R3: where a thread's words are: 16 bytes for each of `at`. good: what the other channel runs.
#define BEGIN(name)                                                                                \
    ".kernel " name                                                                                \
    "\n.registers 16\n.arg global at\n"                                                            \
    "    S2R R0, SR_TID_X\n    LDC.32 R3, c[0][RZ + 0x40]\n    SHL R1, R0, 2\n    SHL R2, R0, 4\n" \
    "    MOV R8, 1\n    MOV R9, 2\n    MOV R10, 3\n    MOV R11, 4\n"
static const char kernels[] =
    BEGIN("load") "    IADD R3, R3, R1\n    LDG.32 R4, [R3]\n    IADD R4, R4, 1\n    EXIT\n"
    BEGIN("load_wide") "    IADD R3, R3, R2\n    LDG.128 R4, [R3]\n    IADD R4, R7, 1\n    EXIT\n"
    // Only the last eight threads of 32 meet the line behind the first three.
    BEGIN("load_portion") "    IADD R3, R3, R1\n    LDG.32 R4, [R3 - 96]\n    IADD R4, R4, 1\n    EXIT\n"
    // Portions, and the second load, want lines that are on their way.
    BEGIN("load_shared") "    LDG.32 R4, [R3]\n    LDG.32 R5, [R3 + 4]\n    IADD R4, R5, 1\n    EXIT\n"
    BEGIN("load_beside") "    IADD R3, R3, R1\n    LDG.32 R4, [R3 + 32]\n    LDG.32 R5, [R3]\n    IADD R4, R5, 1\n    EXIT\n"
    BEGIN("store") "    IADD R3, R3, R1\n    STG.32 [R3], R0\n    IADD R4, R0, 1\n    EXIT\n"
    BEGIN("store_bytes") "    IADD R3, R3, R0\n    STG.U8 [R3], R0\n    EXIT\n"
    BEGIN("store_wide") "    IADD R3, R3, R2\n    STG.128 [R3], R8\n    EXIT\n"
    BEGIN("atomic") "    IADD R3, R3, R1\n    ATOMG.ADD R4, [R3], R8\n    IADD R4, R4, 1\n    EXIT\n"
    BEGIN("atomic_same") "    ATOMG.ADD RZ, [R3 + 4], R8\n    EXIT\n"
    // Several requests are in flight when the first is answered; of the loads nothing is left but the stores' addresses.
    BEGIN("many") "    IADD R3, R3, R1\n    LDG.32 R4, [R3]\n    LDG.32 R5, [R3 + 128]\n    STG.32 [R3 + 256], R0\n"
                  "    LDG.32 R6, [R3 + 64]\n    STG.32 [R3 + 384], R0\n    EXIT\n"
    BEGIN("good") "    IADD R3, R3, R1\n    MOV R6, 60\n"
                  "more:\n    LDG.32 R4, [R3]\n    IADD R4, R4, 1\n    STG.32 [R3], R4\n    ATOMG.ADD RZ, [R3 + 128], R8\n"
                  "    ISUB R6, R6, 1\n    ISETP.GT P0, R6, 0\n    @P0 BRA more\n    EXIT\n";
static const char constants[] =
    ".kernel fetched\n.registers 8\n.arg global at\n"
    "    S2R R0, SR_TID_X\n    LDC.32 R3, c[0][RZ + 0x40]\n    SHL R1, R0, 2\n"
    "    IADD R3, R3, R1\n    STG.32 [R3], R0\n    EXIT\n";

static const struct tandem_scheduling low = {0, false};

struct world {
    struct tandem_device *device;
    struct tandem_module *module;
    struct tandem_channel *channel, *other;
    tandem_addr at, good;  // the words that may fail, those of the other channel
    uint32_t rounds;
};

static struct world open_world(const char *name) {
    struct world w = {.device = open_device(name)};
    w.module = load_assembly(w.device, kernels);
    must(w.device, TANDEM_OK, tandem_channel_open(w.device, 8, 0, &w.channel));
    must(w.device, TANDEM_OK, tandem_channel_open(w.device, 8, 0, &w.other));
    must(w.device, TANDEM_OK, tandem_alloc(w.device, 4 * WORDS, 4096, &w.at));
    w.good = new_words(w.device, WORDS);
    return w;
}

static void close_world(struct world *w) {
    must(w->device, TANDEM_OK, tandem_channel_close(w->channel));
    must(w->device, TANDEM_OK, tandem_channel_close(w->other));
    tandem_module_unload(w->module);
    close_device(w->device);
}

static void launch(const struct world *w, struct tandem_channel *channel, const char *kernel, const tandem_addr at) {
    const struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {32}};
    const struct tandem_argument argument = {&at, 4};
    must(w->device, TANDEM_OK, tandem_launch(channel, w->module, kernel, &range, &argument, 1));
    must(w->device, TANDEM_OK, tandem_submit(channel));
}

static void fails(const struct world *w, tandem_addr at, size_t size, bool writes_only) {
    must(w->device, TANDEM_OK, tandem_set_bus_errors(w->device, at, size, writes_only));
}

// The channel stands faulted with a bus error at the address; reset, it has none.
static void faulted(struct world *w, const char *what, uint32_t info) {
    struct tandem_fault fault;
    cr_assert(tandem_channel_fault(w->channel, &fault), "%s: no fault", what);
    cr_assert_eq(fault.code, FAULT_BUS_ERROR, "%s: %s", what, fault.text);
    cr_assert_eq(fault.info, info, "%s: info must be 0x%x: %s", what, info, fault.text);
    cr_assert_not(tandem_channel_fault(w->other, &fault), "%s: the other channel: %s", what, fault.text);
    must(w->device, TANDEM_OK, tandem_channel_reset(w->channel));
    cr_assert_not(tandem_channel_fault(w->channel, &fault), "%s: after the reset: %s", what, fault.text);
}

static void other_done(struct world *w) {
    must(w->device, TANDEM_OK, tandem_finish(w->other, DEADLINE));
    w->rounds += 60;
    for (uint32_t t = 0; t < 64; t++)
        cr_assert_eq(read_word(w->device, w->good + 4 * t), w->rounds, "the other channel's word %u", t);
}

static void accesses(const char *name) {
    static const struct {
        const char *kernel;
        uint32_t from, size, info;
        bool writes_only;
    } cases[] = {
        {"load", 0, 4 * WORDS, 0, false},
        {"load", 64, LINE, 64, false},
        {"load_wide", 0, 4 * WORDS, 0, false},
        {"load_wide", 256, 64, 256, false},
        {"load_portion", 0, LINE, 0, false},
        {"load_shared", 0, LINE, 0, false},
        {"load_beside", 0, 4 * WORDS, 32, false},
        {"load_beside", 0, LINE, 0, false},
        {"store", 0, 4 * WORDS, 0, false},
        {"store", 96, 4, 96, true},
        {"store_bytes", 0, 4 * WORDS, 0, false},
        {"store_wide", 0, 4 * WORDS, 0, true},
        {"store_wide", 448, 64, 448, false},
        {"atomic", 0, 4 * WORDS, 0, false},
        {"atomic", 96, LINE, 96, false},
        {"atomic_same", 0, LINE, 4, false},
        {"many", 256, 128, 256, true},
        {"many", 128, 128, 128, false},
    };
    struct world w = open_world(name);
    uint32_t before[WORDS], after[WORDS];
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint32_t k = 0; k < WORDS; k++)
            before[k] = 0x01010101u * (k & 255) + i;
        must(w.device, TANDEM_OK, tandem_write(w.device, w.at, before, sizeof before));
        fails(&w, w.at + cases[i].from, cases[i].size, cases[i].writes_only);
        launch(&w, w.other, "good", w.good);
        launch(&w, w.channel, cases[i].kernel, w.at);
        must(w.device, TANDEM_CHANNEL_FAULT, tandem_finish(w.channel, DEADLINE));
        faulted(&w, cases[i].kernel, w.at + cases[i].info);
        other_done(&w);
        must(w.device, TANDEM_OK, tandem_read(w.device, w.at, after, sizeof after));
        cr_assert_eq(memcmp((uint8_t *)before + cases[i].from, (uint8_t *)after + cases[i].from, cases[i].size), 0,
                     "%s has changed memory that fails", cases[i].kernel);
        // The memory is whole again, and so is the channel.
        fails(&w, 0, 0, false);
        launch(&w, w.channel, cases[i].kernel, w.at);
        must(w.device, TANDEM_OK, tandem_finish(w.channel, DEADLINE));
    }
    cr_assert_eq(read_word(w.device, w.at + 256), 0, "the store of thread 0 of the last kernel");
    close_world(&w);
}
ON_DEVICES(bus_errors, accesses, "WQ-8 loads, stores and atomics that the memory refuses fault their channel alone")

// Atomics of memory that can be read, not written: told by the write-back of the line, when they are long answered.
static void write_backs(const char *name) {
    struct world w = open_world(name);
    static const char *const atomics[] = {"atomic", "atomic_same"};
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < WORDS; k++)
            write_word(w.device, w.at + 4 * k, 5 * k);
        fails(&w, w.at + 32 * i, LINE, true);
        launch(&w, w.other, "good", w.good);
        launch(&w, w.channel, atomics[i], w.at + 32 * i);
        must(w.device, TANDEM_OK, tandem_run(w.device, 4000));
        faulted(&w, atomics[i], w.at + 32 * i);
        other_done(&w);
        for (uint32_t k = 8 * i; k < 8 * i + 8; k++)
            cr_assert_eq(read_word(w.device, w.at + 4 * k), 5 * k, "%s: word %u has changed", atomics[i], k);
        // A reduction of the semaphore unit is an atomic as well.
        must(w.device, TANDEM_OK, tandem_method(w.channel, 0, HOST_SEMAPHOREA, 0));
        must(w.device, TANDEM_OK, tandem_method(w.channel, 0, HOST_SEMAPHOREA + 4, w.at + 32 * i + 12));
        must(w.device, TANDEM_OK, tandem_method(w.channel, 0, HOST_SEMAPHOREA + 8, 1));
        must(w.device, TANDEM_OK,
             tandem_method(w.channel, 0, HOST_SEMAPHOREA + 12,
                           HOST_SEMAPHORED_OPERATION(HOST_SEMAPHORED_OPERATION_REDUCTION) |
                               HOST_SEMAPHORED_REDUCTION(HOST_SEMAPHORED_REDUCTION_ADD)));
        must(w.device, TANDEM_OK, tandem_submit(w.channel));
        must(w.device, TANDEM_OK, tandem_run(w.device, 4000));
        faulted(&w, "reduction", w.at + 32 * i);
        fails(&w, 0, 0, false);
        launch(&w, w.channel, atomics[i], w.at + 32 * i);
        must(w.device, TANDEM_OK, tandem_finish(w.channel, DEADLINE));
        cr_assert_eq(read_word(w.device, w.at + 32 * i + 4), 5 * (8 * i + 1) + (i == 0 ? 1 : 32));
    }
    close_world(&w);
}
ON_DEVICES(bus_errors, write_backs,
           "WQ-8 a line of atomics that cannot be written back faults the channel of the atomics")

// What the host interface reads and writes: ring, command block, semaphores.
static void host(const char *name) {
    struct world w = open_world(name);
    for (uint32_t i = 0; i < 5; i++) {
        launch(&w, w.other, "good", w.good);
        uint32_t info = w.at;
        if (i == 0) {
            info = tandem_reg_read(w.device, REG_CHANNEL_BASE + CHANNEL_GP_BASE);
            fails(&w, info, 64, false);
            must(w.device, TANDEM_OK, tandem_submit_entry(w.channel, w.at, 0));
        } else {
            fails(&w, w.at, LINE, i == 4);
        }
        if (i == 1) must(w.device, TANDEM_OK, tandem_submit_entry(w.channel, w.at, 8u << 10));
        if (i == 2) must(w.device, TANDEM_OK, tandem_semaphore_acquire(w.channel, w.at, 7));
        if (i >= 3) must(w.device, TANDEM_OK, tandem_semaphore_release(w.channel, w.at, 7, i == 3));
        if (i >= 2) must(w.device, TANDEM_OK, tandem_submit(w.channel));
        must(w.device, TANDEM_CHANNEL_FAULT, tandem_wait(w.channel, w.at + 64, 1, DEADLINE));
        faulted(&w, "host", info);
        other_done(&w);
        fails(&w, 0, 0, false);
        cr_assert_eq(read_word(w.device, w.at), 0);
        must(w.device, TANDEM_OK, tandem_finish(w.channel, DEADLINE));
    }
    close_world(&w);
}
ON_DEVICES(bus_errors, host, "WQ-8 WQ-3 WQ-6 GP entries, command blocks and semaphores that the memory refuses")

// What the task unit reads and writes, and what it lets SMs read: TMD, release, constants, program.
static void tasks(const char *name) {
    struct world w = open_world(name);
    enum { CODE_BYTES = 65536 };
    static uint8_t code[2][CODE_BYTES];
    must(w.device, TANDEM_OK, tandem_read(w.device, 4096, code[0], CODE_BYTES));
    struct tandem_module *fetched = load_assembly(w.device, constants);
    must(w.device, TANDEM_OK, tandem_read(w.device, 4096, code[1], CODE_BYTES));
    uint32_t text = 0;
    while (text < CODE_BYTES && code[0][text] == code[1][text])
        text++;
    text = (text + 4096) & ~(LINE - 1);
    const struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {32}};
    const struct tandem_argument argument = {&w.at, 4};
    // The region of the channel is that of its last launch.
    must(w.device, TANDEM_OK, tandem_launch(w.channel, fetched, "fetched", &range, &argument, 1));
    must(w.device, TANDEM_OK, tandem_finish(w.channel, DEADLINE));
    tandem_addr tmd = 0;
    must(w.device, TANDEM_OK, tandem_task_build(w.channel, fetched, "fetched", &range, &low, &argument, 1, &tmd));
    uint32_t words[TMD_WORDS];
    must(w.device, TANDEM_OK, tandem_read(w.device, tmd, words, sizeof words));
    const tandem_addr bank = tmd_get(words, TMD_CONSTANT_BUFFER_ADDR_LOWER, 0);
    tmd_set(words, TMD_SEMAPHORE_RELEASE_ENABLE0, 0, 1);
    tmd_set(words, TMD_RELEASE_ADDRESS_LOWER, 0, w.at + 512);
    tmd_set(words, TMD_RELEASE_PAYLOAD, 0, 77);
    tmd_set(words, TMD_RELEASE_STRUCTURE_SIZE, 0, 1);
    must(w.device, TANDEM_OK, tandem_write(w.device, tmd, words, sizeof words));
    const struct {
        const char *what;
        tandem_addr at;
        uint32_t info;
    } cases[] = {
        {"TMD", tmd, tmd},
        {"last line of the TMD", tmd + 7 * LINE, tmd},
        {"release", w.at + 512, w.at + 512},
        {"constants", bank + 64, bank + 64},
        {"program", text, text},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        launch(&w, w.other, "good", w.good);
        fails(&w, cases[i].at, LINE, false);
        // Instructions in the cache are not read again.
        must(w.device, TANDEM_OK, tandem_method(w.channel, COMPUTE_SUBCHANNEL, COMPUTE_INVALIDATE_SHADER_CACHES, 1));
        must(w.device, TANDEM_OK, tandem_launch_tmd(w.channel, tmd));
        must(w.device, TANDEM_OK, tandem_submit(w.channel));
        must(w.device, TANDEM_CHANNEL_FAULT, tandem_wait(w.channel, w.at + 512, 77, DEADLINE));
        faulted(&w, cases[i].what, cases[i].info);
        other_done(&w);
        fails(&w, 0, 0, false);
        must(w.device, TANDEM_OK, tandem_launch(w.channel, fetched, "fetched", &range, &argument, 1));
        must(w.device, TANDEM_OK, tandem_launch_tmd(w.channel, tmd));
        must(w.device, TANDEM_OK, tandem_submit(w.channel));
        must(w.device, TANDEM_OK, tandem_wait(w.channel, w.at + 512, 77, DEADLINE));
        write_word(w.device, w.at + 512, 0);
    }
    tandem_module_unload(fetched);
    close_world(&w);
}
ON_DEVICES(bus_errors, tasks, "WQ-8 TU-11 TMDs, releases, constants and programs that the memory refuses")

// The counters of a queue that runs, and the TMD of a task that must wait in memory.
static void task_writes(const char *name) {
    struct world w = open_world(name);
    const struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {32}};
    const struct tandem_argument argument = {&w.at, 4};
    for (uint32_t i = 0; i < 3; i++) {
        const struct tandem_queue queue = {
            .ring = w.good + 512, .entries = 16, .entry_bytes = 4, .per_cta = 1, .filled = 0};
        tandem_addr tmd = 0;
        uint32_t appended = 0, entries[2] = {0, 0};
        must(w.device, TANDEM_OK,
             tandem_launch_queue(w.channel, w.module, "store", 16, &queue, &low, &argument, 1, &tmd));
        must(w.device, TANDEM_OK, tandem_submit(w.channel));
        must(w.device, TANDEM_OK, tandem_run(w.device, 3000));
        if (i < 2) {
            // Read again and again; written when entries are done.
            fails(&w, tmd, LINE, i == 1);
            must(w.device, TANDEM_OK, tandem_queue_append(w.device, tmd, &queue, entries, 2, &appended));
        } else {
            // The queue and one more hold every slot of the smallest device: the next one is made pending.
            const uint32_t slots = tandem_reg_read(w.device, REG_CONFIG1) >> 8 & 0xFF;
            for (uint32_t k = 1; k < slots; k++) {
                tandem_addr more = 0;
                must(w.device, TANDEM_OK,
                     tandem_launch_queue(w.channel, w.module, "store", 16, &queue, &low, &argument, 1, &more));
            }
            must(w.device, TANDEM_OK, tandem_submit(w.channel));
            must(w.device, TANDEM_OK, tandem_run(w.device, 6000));
            must(w.device, TANDEM_OK,
                 tandem_task_build(w.channel, w.module, "store", &range, &low, &argument, 1, &tmd));
            fails(&w, tmd + 7 * LINE, LINE, true);
            must(w.device, TANDEM_OK, tandem_launch_tmd(w.channel, tmd));
            must(w.device, TANDEM_OK, tandem_submit(w.channel));
        }
        launch(&w, w.other, "good", w.good);
        must(w.device, TANDEM_CHANNEL_FAULT, tandem_wait(w.channel, w.at + 1020, 1, DEADLINE));
        faulted(&w, i == 0 ? "queue read" : i == 1 ? "queue written" : "pending", tmd);
        if (i < 2) {
            other_done(&w);
        } else {
            must(w.device, TANDEM_OK, tandem_finish(w.other, DEADLINE));
        }
        fails(&w, 0, 0, false);
        launch(&w, w.channel, "store", w.at);
        must(w.device, TANDEM_OK, tandem_finish(w.channel, DEADLINE));
    }
    close_world(&w);
}
ON_DEVICES(bus_errors, task_writes, "WQ-8 TU-7 TU-5 counters of queues and TMDs that cannot be written")

// Any part of memory fails at any time, also in the middle of a kernel, and is whole again later: whatever comes, a
// fault is a bus error, nothing hangs, and both channels work afterwards.
static void anywhere(const char *name) {
    static const char *const names[] = {"load",   "load_wide",   "load_portion", "store", "store_bytes", "store_wide",
                                        "atomic", "atomic_same", "many",         "good",  "load_shared", "load_beside"};
    const uint32_t count = sizeof names / sizeof names[0];
    struct world w = open_world(name);
    // TANDEM_SEED=n: another sequence.
    const char *seed = getenv("TANDEM_SEED");
    uint32_t random = seed != NULL ? (uint32_t)strtoul(seed, NULL, 0) : 12345, faults = 0;
    for (uint32_t i = 0; i < 24; i++) {
        struct tandem_channel *channels[2] = {w.channel, w.other};
        const tandem_addr at[2] = {w.at, w.good};
        for (uint32_t k = 0; k < 4; k++) {
            random = random * 1664525u + 1013904223u;
            launch(&w, channels[k & 1], names[(random >> 24) % count], at[k & 1]);
            must(w.device, TANDEM_OK, tandem_semaphore_release(channels[k & 1], at[k & 1] + 900, i, false));
            must(w.device, TANDEM_OK, tandem_submit(channels[k & 1]));
            // Of what the kernels use; of all that the driver has put into memory, programs too.
            const tandem_addr all =
                i % 3 == 0 ? (random >> 8) % 0x100000 & ~LINE : at[random >> 31] + (random >> 20) % 512;
            fails(&w, all, i % 3 == 0 ? 0x8000 : 1 + (random >> 10) % 256, (random >> 9 & 1) != 0);
            must(w.device, TANDEM_OK, tandem_run(w.device, (random >> 16) % 700));
        }
        for (uint32_t c = 0; c < 2; c++) {
            struct tandem_fault fault;
            must(w.device, TANDEM_OK, tandem_run(w.device, 3000));
            if (c == 0) fails(&w, 0, 0, false);
            must(w.device, TANDEM_OK, tandem_run(w.device, 1000));
            if (tandem_channel_fault(channels[c], &fault)) {
                cr_assert_eq(fault.code, FAULT_BUS_ERROR, "round %u: %s", i, fault.text);
                must(w.device, TANDEM_OK, tandem_channel_reset(channels[c]));
                faults++;
            }
            must(w.device, TANDEM_OK, tandem_finish(channels[c], DEADLINE));
        }
    }
    cr_assert_geq(faults, 3);
    close_world(&w);
}
ON_DEVICES(bus_errors, anywhere, "WQ-8 memory that fails anywhere at any time")
