// Code that a kernel overwrites: who executes the old word and who the new one (rtl/sm/instructions.md, Code in memory).
#include <stdio.h>

#include "changing_program.h"
#include "common/seed.h"
#include "gen/isa.h"
#include "gen/methods.h"
#include "on_devices.h"

#define DEADLINE 4000000u
#define ROUNDS 40u
#define NEVER 1000u
#define OLD 0x5EAC0001u
#define NEW 0x5EAC0002u

// Each thread goes round 40 times over an instruction that loads OLD; in a given round thread 0 of the grid makes it
// load NEW. Out, for each thread: the sum of the numbers' low halves, the last number, how often one was smaller than
// the one before.
static const char body[] =
    ".kernel change\n.registers 16\n.arg global out\n.arg value place\n.arg value number\n.arg value round\n"
    "    LDC.32 R1, c[0][0x40]\n    LDC.32 R2, c[0][0x44]\n    LDC.32 R3, c[0][0x48]\n    LDC.32 R4, c[0][0x4C]\n"
    "    S2R R0, SR_TID_X\n    S2R R7, SR_CTAID_X\n    S2R R8, SR_NTID_X\n    IMAD R0, R7, R8, R0\n"
    "    MOV R6, 0\n    MOV R9, 0\n    MOV R11, 0\n    MOV R12, 0\n    ISETP.EQ P1, R0, 0\n"
    "again:\n    ISETP.EQ P0, R9, R4\n    PSETP.AND P0, P0, P1\n    @P0 STG.32 [R2 + 4], R3\n"
    "    MOV R5, 0x5EAC0001\n"
    "    ISETP.ULT P2, R5, R11\n    @P2 IADD R12, R12, 1\n    MOV R11, R5\n    AND R10, R5, 0xFFFF\n"
    "    IADD R6, R6, R10\n    IADD R9, R9, 1\n    ISETP.LT P0, R9, 40\n    @P0 BRA again\n"
    "    SHL R10, R0, 4\n    IADD R1, R1, R10\n    STG.32 [R1], R6\n    STG.32 [R1 + 4], R11\n    STG.32 [R1 + 8], "
    "R12\n"
    "    EXIT\n";

struct world {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    tandem_addr out, place;
    uint32_t threads;
};

// What the threads have seen afterwards: least and most numbers of which kind.
static void launch(struct world *w, uint32_t round, uint32_t least, uint32_t most) {
    const uint32_t number = NEW;
    const struct tandem_range range = {.dimensions = 1, .global = {w->threads}, .local = {32}};
    const struct tandem_argument arguments[] = {{&w->out, 4}, {&w->place, 4}, {&number, 4}, {&round, 4}};
    must(w->device, TANDEM_OK, tandem_launch(w->channel, w->module, "change", &range, arguments, 4));
    must(w->device, TANDEM_OK, tandem_finish(w->channel, DEADLINE));
    for (uint32_t t = 0; t < w->threads; t++) {
        const uint32_t sum = read_word(w->device, w->out + 16 * t), last = read_word(w->device, w->out + 16 * t + 4);
        const uint32_t back = read_word(w->device, w->out + 16 * t + 8);
        cr_assert(sum >= ROUNDS * least && sum <= ROUNDS * most, "thread %u: sum %u", t, sum);
        cr_assert(last == OLD || last == NEW, "thread %u: 0x%x", t, last);
        cr_assert_eq(back, 0, "thread %u went back to the old word %u times", t, back);
    }
}

static void begin(struct world *w, const char *name) {
    *w = (struct world){.device = open_device(name)};
    struct tandem_info info;
    tandem_get_info(w->device, &info);
    w->threads = 32 * 4 * info.sms;
    w->module = load_assembly(w->device, body);
    w->out = new_words(w->device, 4 * w->threads);
    w->place = changing_program_find(w->device, (uint32_t)isa_encode_imm(OP_MOV_I, ISA_PT, false, 5, 0, 0, 0), OLD);
    cr_assert_neq(w->place, 0);
    must(w->device, TANDEM_OK, tandem_channel_open(w->device, 16, 0, &w->channel));
}

static void end(struct world *w) {
    tandem_module_unload(w->module);
    must(w->device, TANDEM_OK, tandem_channel_close(w->channel));
    close_device(w->device);
}

static void invalidate(struct world *w) {
    must(w->device, TANDEM_OK, tandem_method(w->channel, COMPUTE_SUBCHANNEL, COMPUTE_INVALIDATE_SHADER_CACHES, 1));
}

// Own code, that of other warps and of other SMs, while it runs: old or new, and never back. Launched again it may be
// either; after the invalidation all is new.
static void by_a_kernel(const char *name) {
    struct world w;
    begin(&w, name);
    launch(&w, NEVER, 1, 1);
    launch(&w, 20, 1, 2);
    launch(&w, NEVER, 1, 2);
    invalidate(&w);
    launch(&w, NEVER, 2, 2);
    end(&w);
}
ON_DEVICES(changed_code, by_a_kernel, "code that a kernel overwrites is old or new until it is invalidated, then new")

// The CPU's stores are no different.
static void by_the_cpu(const char *name) {
    struct world w;
    begin(&w, name);
    launch(&w, NEVER, 1, 1);
    write_word(w.device, w.place + 4, NEW);
    launch(&w, NEVER, 1, 2);
    invalidate(&w);
    launch(&w, NEVER, 2, 2);
    end(&w);
}
ON_DEVICES(changed_code, by_the_cpu, "code that the CPU overwrites is old or new until it is invalidated, then new")

// An instruction that becomes illegal: the kernel ends, or faults there.
static void to_nonsense(const char *name) {
    struct world w;
    struct tandem_fault fault;
    begin(&w, name);
    launch(&w, NEVER, 1, 1);
    write_word(w.device, w.place, 0xFFu);
    invalidate(&w);
    const uint32_t round = NEVER, number = 0;
    const struct tandem_range range = {.dimensions = 1, .global = {32}, .local = {32}};
    const struct tandem_argument arguments[] = {{&w.out, 4}, {&w.place, 4}, {&number, 4}, {&round, 4}};
    must(w.device, TANDEM_OK, tandem_launch(w.channel, w.module, "change", &range, arguments, 4));
    must(w.device, TANDEM_CHANNEL_FAULT, tandem_finish(w.channel, DEADLINE));
    cr_assert(tandem_channel_fault(w.channel, &fault));
    cr_assert_eq(fault.info, 0xFF, "%s", fault.text);
    must(w.device, TANDEM_OK, tandem_channel_reset(w.channel));
    end(&w);
}
ON_DEVICES(changed_code, to_nonsense, "an instruction that becomes illegal faults")

// Kernels that write everywhere into their code, while they run and between launches.
static void random_changes(const char *name) {
    const uint64_t seed = seed_from_environment();
    struct changing_outcomes outcomes = {{0}};
    fprintf(stderr, "%s: programs that change themselves, TANDEM_SEED=%llu repeats them\n", name,
            (unsigned long long)seed);
    for (unsigned i = 0; i < 12; i++) {
        char why[1024] = "";
        cr_assert(changing_program_run(name, seed + i, &outcomes, why, sizeof why), "TANDEM_SEED=%llu on %s: %s",
                  (unsigned long long)(seed + i), name, why);
    }
    cr_assert_gt(outcomes.count[TANDEM_OK] + outcomes.count[TANDEM_CHANNEL_FAULT], 6);
}
ON_DEVICES(changed_code, random_changes, "code overwritten at random is never a mismatch")
