// Work made by the PPU's own threads (tests/kernels/work_queue.cl) on every kind of device: nothing lost, nothing
// twice, on every lap; what goes wrong goes wrong by name.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/library/work_queue.h"
#include "gen/registers.h"
#include "work_bench.h"

// The same body where the CPU moves GP_PUT.
#define BY_SOFTWARE(body)                                     \
    static void body##_software(const char *name) {           \
        char full[64];                                        \
        snprintf(full, sizeof full, "%s,put=software", name); \
        body(full);                                           \
    }

static struct work_bench begin(const char *name, uint32_t entries, uint32_t pieces) {
    return work_begin(name, entries, pieces, "work_queue.elf", "");
}

// The simulated RTL is slow: less of the same there.
static bool is_slow(const char *name) {
    return strncmp(name, "model", 5) != 0;
}

// `threads` work-items make `each` pieces; returns how many got in. Each of these ran once and no other.
static uint32_t adders(struct work_bench *b, uint32_t threads, uint32_t local, uint32_t each, uint32_t mode) {
    const uint32_t total = threads * each, room = total + 1;
    tandem_addr done = new_words(b->device, room), order = new_words(b->device, room),
                results = new_words(b->device, room);
    const struct tandem_argument arguments[] = {{&done, 4}, {&order, 4}, {&results, 4}, {&each, 4}, {&mode, 4}};
    work_run(b, "adders", threads, local, arguments, 5);
    uint32_t *counts = malloc(4 * room), *answers = malloc(4 * room), in = 0;
    must(b->device, TANDEM_OK, tandem_read(b->device, done, counts, 4 * room));
    must(b->device, TANDEM_OK, tandem_read(b->device, results, answers, 4 * room));
    for (uint32_t i = 0; i < total; i++) {
        cr_assert_eq(counts[i], answers[i] == WORK_OK ? 1 : 0, "piece %u, answered %d, ran %u times", i,
                     (int)answers[i], counts[i]);
        in += answers[i] == WORK_OK;
    }
    cr_assert_eq(read_word(b->device, order), in);
    free(counts);
    free(answers);
    must(b->device, TANDEM_OK, tandem_free(b->device, done));
    must(b->device, TANDEM_OK, tandem_free(b->device, order));
    must(b->device, TANDEM_OK, tandem_free(b->device, results));
    return in;
}

static void few(const char *name) {
    struct work_bench b = begin(name, 16, 64);
    cr_assert_eq(adders(&b, 1, 1, 1, WORK_WAIT), 1);
    cr_assert_eq(adders(&b, 4, 4, 1, WORK_WAIT), 4);
    cr_assert_eq(adders(&b, 1, 1, 0, WORK_WAIT), 0);
    // Memory of pieces used up: the thread is told, nothing is lost.
    work_again(&b, 16, 4);
    cr_assert_eq(adders(&b, 1, 1, 10, WORK_PARK), 4);
    cr_assert_eq(adders(&b, 1, 1, 4, WORK_PARK), 4);
    work_end(&b);
}
ON_DEVICES(work_queue, few,
           "WQ-10 WQ-11 WQ-12 WQ-13 WQ-16 WQ-17 WQ-20 WQ-21 WQ-26 WQ-27 a few pieces, then none; memory used up")
BY_SOFTWARE(few)
ON_DEVICES(work_queue, few_software, "WQ-18 WQ-14 WQ-16 a few pieces; the CPU moves GP_PUT")

// What a kernel makes stands still until the kernel has ended, at the first launch and at those that find what the launch before left; and the CPU's
// channel goes on when all of it has run.
static void order(const char *name) {
    struct work_bench b = begin(name, 16, 64);
    const tandem_addr done = new_words(b.device, 8), came = new_words(b.device, 8), ran = new_words(b.device, 1),
                      behind = new_words(b.device, 1);
    const uint32_t each = 3, turns = 2000;
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument arguments[] = {{&done, 4}, {&came, 4}, {&ran, 4}, {&each, 4}, {&turns, 4}};
    for (uint32_t lap = 1; lap <= 3; lap++) {
        write_word(b.device, came, 0);
        write_word(b.device, ran, 77);
        must(b.device, TANDEM_OK, tandem_launch(b.channel, b.module, "late", &one, arguments, 5));
        must(b.device, TANDEM_OK, tandem_semaphore_release(b.channel, behind, lap, false));
        must(b.device, TANDEM_OK, tandem_submit(b.channel));
        // Looked at closely: a wait would look some thousand cycles later.
        for (uint32_t k = 0; k < 1000000 && read_word(b.device, behind) != lap; k++)
            must(b.device, TANDEM_OK, tandem_run(b.device, 20));
        cr_assert_eq(read_word(b.device, behind), lap);
        cr_expect_eq(read_word(b.device, ran), 0, "launch %u: %u pieces ran before their kernel had ended", lap,
                     read_word(b.device, ran));
        cr_expect_eq(read_word(b.device, came), each, "launch %u: the channel went on after %u pieces", lap,
                     read_word(b.device, came));
        must(b.device, TANDEM_OK, tandem_finish(b.channel, WORK_DEADLINE));
        for (uint32_t k = 0; k < each; k++)
            cr_expect_eq(read_word(b.device, done + 4 * k), lap, "launch %u: piece %u", lap, k);
    }
    work_end(&b);
}
ON_DEVICES(work_queue, order,
           "WQ-12 WQ-13 WQ-17 WQ-25 WQ-28 a kernel, then its work, then what stands behind it in the channel")

// A channel of its own is taken from the device when a program that makes work is launched, and by no other.
static void only_when_used(const char *name) {
    static const char plain[] =
        ".kernel plain\n.registers 4\n.arg global out\n    LDC.32 R1, c[0][RZ + 0x40]\n    MOV R2, 5\n    STG.32 [R1], "
        "R2\n    EXIT\n";
    struct work_bench b = work_begin(name, 0, 0, "work_queue.elf", "");
    struct tandem_module *module = load_assembly(b.device, plain);
    struct tandem_channel *others[16] = {NULL};
    const tandem_addr out = new_words(b.device, 1);
    uint32_t count = 0;
    while (count < 16 && tandem_channel_open(b.device, 8, 0, &others[count]) == TANDEM_OK)
        count++;
    cr_assert_gt(count, 0);
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_argument argument = {&out, 4};
    must(b.device, TANDEM_OK, tandem_launch(b.channel, module, "plain", &one, &argument, 1));
    must(b.device, TANDEM_OK, tandem_finish(b.channel, WORK_DEADLINE));
    cr_expect_eq(read_word(b.device, out), 5);
    const uint32_t zero = 0;
    const struct tandem_argument arguments[] = {{&out, 4}, {&zero, 4}};
    must(b.device, TANDEM_NO_DEVICE, tandem_launch(b.channel, b.module, "chain", &one, arguments, 2));
    must(b.device, TANDEM_OK, tandem_channel_close(others[0]));
    must(b.device, TANDEM_OK, tandem_launch(b.channel, b.module, "chain", &one, arguments, 2));
    must(b.device, TANDEM_OK, tandem_finish(b.channel, WORK_DEADLINE));
    for (uint32_t k = 1; k < count; k++)
        must(b.device, TANDEM_OK, tandem_channel_close(others[k]));
    tandem_module_unload(module);
    work_end(&b);
}
ON_DEVICES(work_queue, only_when_used, "WQ-10 a queue is made for programs that make work, and for no others")

// 64 warps at once, far more pieces than the ring has entries. mode: what who finds no room does. On the model each
// warp has 16 threads that add; make long has as many on the RTL.
static void warps(struct work_bench *b, uint32_t mode) {
    const uint32_t local = is_slow(b->name) ? 1 : 16, in = adders(b, 64 * local, local, 1, mode);
    if (mode == WORK_FAIL) {
        cr_assert(in >= 1 && in < 64 * local, "%u", in);
    } else {
        cr_assert_eq(in, 64 * local);
    }
}
static void park(const char *name) {
    struct work_bench b = begin(name, 16, 1024);
    warps(&b, WORK_PARK);
    work_again(&b, 12, 1024);
    warps(&b, WORK_PARK);
    work_again(&b, 4, 1024);
    cr_assert_eq(adders(&b, 16, 2, 1, WORK_PARK), 16);
    work_end(&b);
}
static void fail(const char *name) {
    struct work_bench b = begin(name, 16, 1024);
    warps(&b, WORK_FAIL);
    work_again(&b, 12, 1024);
    warps(&b, WORK_FAIL);
    work_end(&b);
}
ON_DEVICES(work_queue, park, "WQ-15 WQ-21 WQ-22 WQ-24 WQ-29 64 warps, laps and laps of 16, 12 and 4 entries")
BY_SOFTWARE(park)
ON_DEVICES(work_queue, park_software,
           "WQ-18 WQ-15 WQ-22 WQ-29 64 warps, rings of 16, 12 and 4; the CPU gives back what was passed")
ON_DEVICES(work_queue, fail, "WQ-22 64 warps: who finds no room of 16 or 12 is told so, and nothing is lost")
BY_SOFTWARE(fail)
ON_DEVICES(work_queue, fail_software, "WQ-18 WQ-22 who finds no room is told so; the CPU moves GP_PUT")

// Adders wait for room: the channel is let go before the launch has ended. 64 warps, threads of one warp, one thread.
static void wait_for_room(const char *name) {
    struct work_bench b = begin(name, 16, 1024);
    warps(&b, WORK_WAIT);
    work_again(&b, 12, 256);
    cr_assert_eq(adders(&b, 16, 8, 2, WORK_WAIT), 32);
    const uint32_t each = is_slow(name) ? 18 : 120;
    cr_assert_eq(adders(&b, 1, 1, each, WORK_WAIT), each);
    work_end(&b);
}
ON_DEVICES(work_queue, wait_for_room, "WQ-15 WQ-22 WQ-24 WQ-29 laps of 16 and 12 entries, the adders wait")
BY_SOFTWARE(wait_for_room)
ON_DEVICES(work_queue, wait_for_room_software, "WQ-18 WQ-22 WQ-29 adders wait until the CPU gives entries back")

// make long has a thousand on the RTL.
static void deep(const char *name) {
    struct work_bench b = begin(name, 16, 8);
    tandem_addr out = new_words(b.device, 1001);
    const uint32_t left = is_slow(name) ? 12 : 1000;
    const struct tandem_argument arguments[] = {{&out, 4}, {&left, 4}};
    work_run(&b, "chain", 1, 1, arguments, 2);
    for (uint32_t i = 0; i <= left; i++)
        cr_assert_eq(read_word(b.device, out + 4 * i), i);
    work_end(&b);
}
ON_DEVICES(work_queue, deep, "WQ-25 WQ-26 a chain of launches, each made by the one before, in eight pieces of memory")

// The same queue for launch after launch; positions are taken back now and then, as they are before they come to 2^32.
// A launch takes six entries, on slow devices four.
static void launches(struct work_bench *b, uint32_t entries, uint32_t rebase) {
    struct tandem_work_queue_state state;
    must(b->device, TANDEM_OK, tandem_work_queue_state(b->channel, &state));
    if (rebase != 0) write_word(b->device, state.record + (uint32_t)offsetof(struct work_queue, rebase), rebase);
    tandem_addr out = new_words(b->device, 4);
    const uint32_t left = is_slow(b->name) ? 1 : 2, rounds = is_slow(b->name) ? entries * 5 / 8
                                                             : entries == 16  ? 1000
                                                                              : 200;
    const struct tandem_argument arguments[] = {{&out, 4}, {&left, 4}};
    for (uint32_t i = 0; i < rounds; i++) {
        work_run(b, "chain", 1, 1, arguments, 2);
        for (uint32_t k = 1; k <= left; k++)
            cr_assert_eq(read_word(b->device, out + 4 * k), k * (i + 1), "%u entries, launch %u", entries, i);
    }
    must(b->device, TANDEM_OK, tandem_work_queue_state(b->channel, &state));
    cr_assert_eq(state.launches, rounds);
    // More than two laps; or no further than where they are taken back.
    if (rebase == 0) {
        cr_assert_gt(state.soft_put, 3 * entries, "%u entries: soft GP_PUT %u", entries, state.soft_put);
    } else {
        cr_assert_gt(entries + 1 + rounds * (2 * left + 2), rebase + 1);
        cr_assert_leq(state.soft_put, rebase + 1, "%u entries: soft GP_PUT %u", entries, state.soft_put);
    }
}
static void many_launches(const char *name) {
    struct work_bench b = begin(name, 16, 16);
    launches(&b, 16, 0);
    work_again(&b, 12, 16);
    launches(&b, 12, 0);
    work_end(&b);
}
static void taken_back(const char *name) {
    struct work_bench b = begin(name, 12, 16);
    launches(&b, 12, 26);
    work_again(&b, 5, 16);
    launches(&b, 5, 11);
    work_end(&b);
}
ON_DEVICES(work_queue, many_launches, "WQ-15 WQ-28 launch after launch through one queue of 16, of 12")
BY_SOFTWARE(many_launches)
ON_DEVICES(work_queue, many_launches_software, "WQ-18 WQ-15 WQ-28 launch after launch; the CPU moves GP_PUT")
ON_DEVICES(work_queue, taken_back, "WQ-15 WQ-28 positions taken back, rings of 12 and 5")

static uint32_t pointer(struct work_bench *b, unsigned channel, uint32_t offset) {
    return tandem_reg_read(b->device, REG_USERD_BASE + channel * REG_USERD_STRIDE + offset);
}

// Where the CPU moves GP_PUT the driver begins anew when the positions are used up, and counts what it gives back.
static void begun_anew(const char *name) {
    char full[64];
    snprintf(full, sizeof full, "%s,put=software", name);
    struct work_bench b = begin(full, 0, 0);
    const struct tandem_work_queue sizes = {.entries = 5, .pieces = 16, .rebase = 11};
    struct tandem_work_queue wrong = sizes;
    struct tandem_work_queue_state state;
    struct tandem_statistics statistics;
    wrong.rebase = 9;
    must(b.device, TANDEM_BAD_ARGUMENT, tandem_work_queue_open(b.channel, &wrong));
    must(b.device, TANDEM_OK, tandem_work_queue_open(b.channel, &sizes));
    tandem_addr out = new_words(b.device, 4);
    const uint32_t left = 1, rounds = is_slow(name) ? 6 : 60;
    const struct tandem_argument arguments[] = {{&out, 4}, {&left, 4}};
    for (uint32_t i = 0; i < rounds; i++) {
        work_run(&b, "chain", 1, 1, arguments, 2);
        cr_assert_eq(read_word(b.device, out + 4), i + 1, "launch %u", i);
        must(b.device, TANDEM_OK, tandem_work_queue_state(b.channel, &state));
        cr_assert_lt(state.shadow_put, 11 + 5 + 6, "launch %u", i);  // a launch takes up to six
        cr_assert_eq(pointer(&b, state.channel, USERD_GP_PUT), state.gp_get == 0 ? 4 : state.gp_get - 1);
        // The hardware was not asked to do it.
        const uint32_t control =
            tandem_reg_read(b.device, REG_CHANNEL_BASE + state.channel * REG_CHANNEL_STRIDE + CHANNEL_CONTROL);
        cr_assert_eq(CHANNEL_CONTROL_PPU_OWNED_OF(control), 0);
    }
    cr_assert_lt(state.launches, rounds, "the queue has never begun anew");
    tandem_get_statistics(b.device, &statistics);
    cr_assert_geq(statistics.put_moves, rounds);
    work_end(&b);
}
ON_DEVICES(work_queue, begun_anew, "WQ-18 WQ-14 WQ-28 GP_PUT that the CPU moves, positions that begin anew")

// A thread that stores where the registers would be, or outside its memory, on either channel: inside there is only
// memory, outside is a fault; GP_GET and GP_PUT stay. The queue is then made anew and works.
static void hostile(const char *name) {
    struct work_bench b = begin(name, 16, 16);
    struct tandem_work_queue_state state;
    must(b.device, TANDEM_OK, tandem_work_queue_state(b.channel, &state));
    struct tandem_info info;
    tandem_get_info(b.device, &info);
    const uint32_t addresses[] = {0x80010088u, 0x8001008Cu, 0xFFFFFFFCu, (uint32_t)info.memory_bytes,
                                  0x40000000u + REG_USERD_BASE + 0x28Cu};
    const char *const kernels[] = {"store", "store_by_piece"};
    const struct tandem_range range = {.dimensions = 1, .global = {1}, .local = {1}};
    const uint32_t value = 3;
    for (uint32_t i = 0; i < 2 * sizeof addresses / sizeof addresses[0]; i++) {
        const struct tandem_argument arguments[] = {{&addresses[i / 2], 4}, {&value, 4}};
        struct tandem_fault fault;
        must(b.device, TANDEM_OK, tandem_launch(b.channel, b.module, kernels[i % 2], &range, arguments, 2));
        must(b.device, TANDEM_CHANNEL_FAULT, tandem_finish(b.channel, WORK_DEADLINE));
        cr_assert(tandem_channel_fault(b.channel, &fault));
        cr_expect_eq(fault.code, FAULT_MEMORY_BOUNDS, "%s", fault.text);
        cr_expect_eq(strstr(fault.text, "work queue") != NULL, i % 2 == 1, "%s", fault.text);
        cr_expect_eq(pointer(&b, 0, USERD_GP_GET), 0);
        cr_expect_eq(pointer(&b, 0, USERD_GP_PUT), 1);
        const uint32_t get = pointer(&b, state.channel, USERD_GP_GET);
        cr_expect_eq(get, i % 2 == 0 ? 0 : 2, "%u", get);
        cr_expect_eq(pointer(&b, state.channel, USERD_GP_PUT), get == 0 ? 15 : get - 1);
        must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
        cr_assert_eq(adders(&b, 2, 2, 1, WORK_WAIT), 2);
        must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
    }
    work_end(&b);
}
ON_DEVICES(work_queue, hostile, "WQ-4 WQ-8 WQ-29 hostile threads: a fault by name, pointers unchanged")
BY_SOFTWARE(hostile)
ON_DEVICES(work_queue, hostile_software,
           "WQ-18 WQ-4 hostile threads: GP_PUT that software moves is out of reach as well")

// Sizes that the kernel or the device does not have.
static void refused(struct work_bench *b) {
    tandem_addr results = new_words(b->device, 3);
    const struct tandem_argument arguments[] = {{&results, 4}};
    work_run(b, "refused", 1, 1, arguments, 1);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq((int32_t)read_word(b->device, results + 4 * i), WORK_BAD, "%u", i);
}

// GP_PUT of a PPU-owned channel is the channel's own; the CPU's writes do nothing.
static void owned_put(const char *name) {
    struct work_bench b = begin(name, 12, 16);
    struct tandem_work_queue_state state;
    must(b.device, TANDEM_OK, tandem_work_queue_state(b.channel, &state));
    cr_expect(state.consistent);
    cr_expect_eq(pointer(&b, state.channel, USERD_GP_PUT), 11);
    tandem_reg_write(b.device, REG_USERD_BASE + state.channel * REG_USERD_STRIDE + USERD_GP_PUT, 5);
    cr_expect_eq(pointer(&b, state.channel, USERD_GP_PUT), 11);
    cr_assert_eq(adders(&b, 3, 3, 1, WORK_WAIT), 3);
    refused(&b);
    work_end(&b);
}
ON_DEVICES(work_queue, owned_put,
           "WQ-14 WQ-20 WQ-29 GP_PUT follows GP_GET by itself; sizes that cannot be are refused to the thread")

// Should the protocol ever be broken, an entry that nobody has written stops the channel with a name.
static void unwritten(const char *name) {
    struct work_bench b = begin(name, 16, 16);
    struct tandem_work_queue_state state;
    struct tandem_fault fault;
    struct work_queue record;
    must(b.device, TANDEM_OK, tandem_work_queue_state(b.channel, &state));
    must(b.device, TANDEM_OK, tandem_read(b.device, state.record, &record, sizeof record));
    cr_assert_eq(record.soft_put % 16, 1);
    cr_assert_eq(record.shadow_put % 16, 15);
    write_word(b.device, record.semaphores, 16);
    write_word(b.device, state.record + (uint32_t)offsetof(struct work_queue, x), 1);
    must(b.device, TANDEM_CHANNEL_FAULT, tandem_wait(b.channel, record.semaphores + 4, 1, WORK_DEADLINE));
    cr_assert(tandem_channel_fault(b.channel, &fault));
    cr_expect_eq(fault.code, FAULT_GPENTRY, "%s", fault.text);
    must(b.device, TANDEM_OK, tandem_channel_reset(b.channel));
    cr_assert_eq(adders(&b, 4, 4, 1, WORK_WAIT), 4);
    work_end(&b);
}
ON_DEVICES(work_queue, unwritten, "WQ-14 WQ-16 WQ-24 an entry that is not written is found out")

static void expect_words(struct work_bench *b, const char *what, tandem_addr at, const uint32_t *wanted,
                         uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        cr_expect_eq(read_word(b->device, at + 4 * i), wanted[i], "%s, word %u: 0x%08x, expected 0x%08x", what, i,
                     read_word(b->device, at + 4 * i), wanted[i]);
}

// What a thread and the tail write, word by word: a method header is SEC_OP 31:29 (1 INC), COUNT 28:16, SUBCHANNEL
// 15:13, ADDRESS / 4 11:0.
static void golden_words(const char *name) {
    struct work_bench b = work_begin(name, 0, 0, "work_queue.elf", "");
    const struct tandem_work_queue sizes = {.entries = 16, .pieces = 4, .keep_passed = true};
    struct tandem_work_queue_state state;
    struct work_queue q;
    must(b.device, TANDEM_OK, tandem_work_queue_open(b.channel, &sizes));
    must(b.device, TANDEM_OK, tandem_work_queue_state(b.channel, &state));
    must(b.device, TANDEM_OK, tandem_read(b.device, state.record, &q, sizeof q));
    const tandem_addr shadow = state.record + offsetof(struct work_queue, shadow_put);
    cr_assert_eq(adders(&b, 1, 1, 1, WORK_FAIL), 1);
    const tandem_addr piece = read_word(b.device, q.blocks + 128 + 4 * WORK_TASK_NUMBER) << 8;
    const uint32_t number = (piece - q.pool) / q.piece_bytes, place = q.places + 4 * number;
    cr_assert(number < 4 && piece == q.pool + number * q.piece_bytes && read_word(b.device, place) == piece);

    const uint32_t ends = q.blocks + 16 * 128;  // blocks that end launches
    const uint32_t ring[] = {
        ends,
        12 << 10,  // the driver's: acquire X, acquire semaphore 0
        q.blocks + 128 + 40,
        15 << 10,  // launch
        q.blocks + 256 + 100,
        5 << 10,  // the adder's acquire
        ends + 128,
        17 << 10,  // WFI; release Y; acquire X
        q.blocks + 512 + 100,
        5 << 10,  // its acquire
        0,
        1,  // not written: control entry, opcode ILLEGAL
    };
    expect_words(&b, "ring", q.ring, ring, 12);
    const uint32_t x = state.record + offsetof(struct work_queue, x), y = state.record + offsetof(struct work_queue, y);
    const uint32_t first[] = {
        0x20012000, 0xA0C0,  // SET_OBJECT on subchannel 1: the compute class
        0x20040004, 0,      x,
        1,          0x1001,  // SEMAPHOREA to D: ACQUIRE, ACQUIRE_SWITCH
        0x20040004, 0,      q.semaphores,
        16,         0x1001,
    };
    expect_words(&b, "first block", ends, first, 12);
    const uint32_t launch[] = {
        0x20040004, 0,          shadow,
        33,         0x01100002,  // RELEASE of one word, no wait: shadow GP_PUT = 17 + 16
        0x20022582, 0,          read_word(b.device, piece + 228),  // SET_PROGRAM_REGION_A, B
        0x200221E4, 0,          0,                                 // SET_SHADER_LOCAL_MEMORY_A, B: it needs none
        0x200120AD, piece >> 8,                                    // SEND_PCAS_A
        0x200120AF, 2,                                             // SEND_SIGNALING_PCAS_B: SCHEDULE
    };
    expect_words(&b, "launch", q.blocks + 128 + 40, launch, 15);
    const uint32_t acquire[] = {0x20040004, 0, q.semaphores + 8, 18, 0x1001};
    expect_words(&b, "acquire", q.blocks + 256 + 100, acquire, 5);
    const uint32_t tail[] = {
        0x2001001E, 0,                                                           // WFI
        0x20040004, 0, shadow, 35, 0x01100002, 0x20040004, 0, y, 1, 0x01100002,  // release Y
        0x20040004, 0, x,      2,  0x1001,                                       // acquire X of the next launch
    };
    expect_words(&b, "tail", ends + 128, tail, 17);

    uint32_t tmd[64];
    must(b.device, TANDEM_OK, tandem_read(b.device, piece, tmd, sizeof tmd));
    cr_expect_eq(tmd[12], 1, "CTA_RASTER_WIDTH");
    cr_expect_eq(tmd[13], 0x00010001, "CTA_RASTER_HEIGHT, DEPTH");
    cr_expect_eq(tmd[17], 0, "SHARED_MEMORY_SIZE");
    cr_expect_eq(tmd[18], 0x00010016, "CTA_THREAD_DIMENSION0, QMD_MAJOR_VERSION 1, QMD_VERSION 6: 0x%08x", tmd[18]);
    cr_expect_eq(tmd[19], 0x00010001, "CTA_THREAD_DIMENSION1, 2");
    cr_expect_eq(tmd[20] & 0xFF, 1, "CONSTANT_BUFFER_VALID");
    cr_expect_eq(tmd[29], piece + WORK_CONSTANTS, "CONSTANT_BUFFER_ADDR_LOWER(0)");
    cr_expect_eq(tmd[30], 0x4C << 15, "CONSTANT_BUFFER_SIZE(0): 0x%08x", tmd[30]);
    cr_expect(tmd[46] >> 24 != 0, "REGISTER_COUNT");
    cr_expect_eq(tmd[6], 1 << 10, "QMD_GROUP_ID, SEMAPHORE_RELEASE_ENABLE0");
    cr_expect_eq(tmd[23], place, "RELEASE_ADDRESS_LOWER(0)");
    cr_expect_eq(tmd[24], 1u << 31, "RELEASE_STRUCTURE_SIZE(0)");
    cr_expect_eq(tmd[25], piece, "RELEASE_PAYLOAD(0)");
    static const uint8_t zero[] = {0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 14, 15, 16, 21, 22, 26, 27, 28, 31, 61, 62, 63};
    for (size_t i = 0; i < sizeof zero; i++)
        cr_expect_eq(tmd[zero[i]], 0, "word %u of the TMD: 0x%08x", zero[i], tmd[zero[i]]);
    work_end(&b);
}
ON_DEVICES(work_queue, golden_words, "WQ-11 WQ-20 WQ-23 WQ-27 TU-1 golden words of the public formats")

Test(work_queue, wrong_sizes, .description = "WQ-11 WQ-15 sizes of a queue that cannot be [model]") {
    struct tandem_device *device = open_device("model:nano");
    struct tandem_channel *channel = NULL, *other = NULL;
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &channel));
    const struct tandem_work_queue wrong[] = {{.entries = 3},
                                              {.entries = 65537},
                                              {.pieces = 3},
                                              {.pieces = 1 << 21},
                                              {.piece_bytes = 768 + 32},
                                              {.piece_bytes = 512},
                                              {.priority = 4},
                                              {.pieces = 1 << 20, .piece_bytes = 1 << 20}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        enum tandem_status status = tandem_work_queue_open(channel, &wrong[i]);
        cr_expect(status == TANDEM_BAD_ARGUMENT || status == TANDEM_NO_MEMORY, "%zu: %s", i,
                  tandem_status_name(status));
    }
    struct tandem_work_queue_state state;
    must(device, TANDEM_BAD_ARGUMENT, tandem_work_queue_state(channel, &state));
    const struct tandem_work_queue good = {.entries = 4};
    must(device, TANDEM_OK, tandem_channel_open(device, 8, 0, &other));
    must(device, TANDEM_NO_DEVICE, tandem_work_queue_open(channel, &good));  // no channel is left
    must(device, TANDEM_OK, tandem_channel_close(other));
    must(device, TANDEM_OK, tandem_work_queue_open(channel, &good));
    must(device, TANDEM_BAD_ARGUMENT, tandem_work_queue_open(channel, &good));
    must(device, TANDEM_OK, tandem_channel_close(channel));
    close_device(device);
}
