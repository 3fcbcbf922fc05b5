#include "space_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/seed.h"
#include "isa/assembler.h"
#include "random_numbers.h"

#define HONEST_STEPS 20u

// work: out[i] = in[i] after some steps. Of the hostile module - wild: writes random values to random words of
// [0, mask], but not below `least`; sweep: a value to each word of [from, to); anywhere: random values, all 32 bits of
// address; family: launches children at random addresses; hang: never ends.
static const char work[] =
    ".kernel work\n.registers 12\n.arg global in\n.arg global out\n.arg value steps\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R3, c[0][RZ + 0x48]\n"
    "    S2R R0, SR_CTAID_X\n    S2R R4, SR_NTID_X\n    S2R R5, SR_TID_X\n    IMAD R0, R0, R4, R5\n    SHL R4, R0, 2\n"
    "    IADD R1, R1, R4\n    IADD R2, R2, R4\n    LDG.32 R6, [R1]\n"
    "step:\n    IMUL R6, R6, 1664525\n    IADD R6, R6, R0\n    SHR R7, R6, 13\n    XOR R6, R6, R7\n    STG.32 [R2], "
    "R6\n"
    "    IADD R3, R3, -1\n    ISETP.GT P0, R3, 0\n    @P0 BRA step\n"
    "    EXIT\n";
#define SEED                                                                                           \
    "    S2R R0, SR_CTAID_X\n    S2R R4, SR_NTID_X\n    S2R R5, SR_TID_X\n    IMAD R0, R0, R4, R5\n"   \
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R3, c[0][RZ + 0x48]\n" \
    "    LDC.32 R9, c[0][RZ + 0x4c]\n    IMUL R6, R0, 0x61C88647\n    XOR R1, R1, R6\n    OR R1, R1, 1\n"
#define NEXT                                                                                                          \
    "    SHL R6, R1, 13\n    XOR R1, R1, R6\n    SHR R6, R1, 17\n    XOR R1, R1, R6\n    SHL R6, R1, 5\n    XOR R1, " \
    "R1, R6\n"
#define AGAIN "    IADD R2, R2, -1\n    ISETP.GT P0, R2, 0\n    @P0 BRA again\n    EXIT\n"
#define FOUR ".arg value seed\n.arg value count\n.arg value mask\n.arg value least\n"
static const char hostile[] =
    ".kernel wild\n.registers 12\n" FOUR SEED "again:\n" NEXT "    AND R7, R1, R3\n    SHL R7, R7, 2\n" NEXT
    "    ISETP.GE P1, R7, R9\n    @P1 STG.32 [R7], R1\n" AGAIN ".kernel anywhere\n.registers 12\n" FOUR SEED
    "again2:\n" NEXT "    SHR R7, R1, 2\n    SHL R7, R7, 2\n" NEXT
    "    STG.32 [R7], R1\n"
    "    IADD R2, R2, -1\n    ISETP.GT P0, R2, 0\n    @P0 BRA again2\n    EXIT\n"
    ".kernel family\n.registers 12\n" FOUR SEED "again3:\n" NEXT
    "    AND R7, R1, R3\n    SHR R7, R7, 6\n    LAUNCH R7\n"
    "    IADD R2, R2, -1\n    ISETP.GT P0, R2, 0\n    @P0 BRA again3\n    EXIT\n"
    // seed: the value, count: from, mask: to, least: bytes between two words of a thread
    ".kernel sweep\n.registers 12\n" FOUR
    "    S2R R0, SR_CTAID_X\n    S2R R4, SR_NTID_X\n    S2R R5, SR_TID_X\n    IMAD R0, R0, R4, R5\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    LDC.32 R3, c[0][RZ + 0x48]\n"
    "    LDC.32 R9, c[0][RZ + 0x4c]\n    SHL R0, R0, 2\n    IADD R2, R2, R0\n"
    "again4:\n    STG.32 [R2], R1\n    IADD R2, R2, R9\n    ISETP.LT P0, R2, R3\n    @P0 BRA again4\n    EXIT\n"
    ".kernel hang\n.registers 12\n" FOUR "forever:\n    BRA forever\n    EXIT\n";

uint32_t space_random(struct space_world *w) {
    return (uint32_t)(random_bits(&w->random) >> 16);
}

struct tandem_module *space_assembly(struct tandem_space *space, struct tandem_device *device, const char *text) {
    struct code_object object;
    char error[512] = "";
    cr_assert(assemble(text, strlen(text), "test", &object, error, sizeof error), "%s", error);
    void *elf = NULL;
    size_t size = 0;
    cr_assert(code_object_write(&object, &elf, &size, error, sizeof error), "%s", error);
    struct tandem_module *module = NULL;
    must(device, TANDEM_OK, tandem_space_module_load(space, elf, size, &module));
    free(elf);
    code_object_free(&object);
    return module;
}

static uint32_t pattern(unsigned which, uint32_t at) {
    return (at + 1) * 0x9E3779B1u ^ which;
}

static void fill_witness(struct space_world *w, unsigned which) {
    uint32_t *words = malloc(SPACE_BYTES);
    for (uint32_t i = 0; i < SPACE_BYTES / 4; i++)
        words[i] = pattern(which, i);
    must(w->device, TANDEM_OK, tandem_space_write(w->witness[which], 0, words, SPACE_BYTES));
    free(words);
}

void witnesses_whole(struct space_world *w) {
    uint32_t *words = malloc(SPACE_BYTES);
    for (unsigned which = 0; which < 2; which++) {
        must(w->device, TANDEM_OK, tandem_space_read(w->witness[which], 0, words, SPACE_BYTES));
        for (uint32_t i = 0; i < SPACE_BYTES / 4; i++)
            cr_assert_eq(words[i], pattern(which, i), "word 0x%x of witness %u is 0x%08x", 4 * i, which, words[i]);
    }
    free(words);
}

void hostile_load(struct space_world *w) {
    w->bad_module = space_assembly(w->hostile, w->device, hostile);
    must(w->device, TANDEM_OK, tandem_space_alloc(w->hostile, 4096, 256, &w->scratch));
}

void hostile_renew(struct space_world *w) {
    tandem_module_unload(w->bad_module);
    must(w->device, TANDEM_OK, tandem_space_free(w->hostile, w->scratch));
    hostile_load(w);
}

void space_world_begin(struct space_world *w, const char *name, uint64_t seed) {
    char full[128];
    snprintf(full, sizeof full, "%s,mem=4,space=1", name);
    *w = (struct space_world){.device = open_device(full), .random = seed != 0 ? seed : seed_from_environment()};
    printf("%s: seed %llu\n", name, (unsigned long long)w->random);
    struct tandem_space **const order[] = {&w->witness[0], &w->hostile, &w->witness[1], &w->honest};
    struct tandem_space_info info;
    uint64_t end = 1u << 20;
    for (unsigned s = 0; s < 4; s++) {
        must(w->device, TANDEM_OK, tandem_space_open(w->device, SPACE_BYTES, order[s]));
        tandem_space_get_info(*order[s], &info);
        cr_assert_eq(info.base, end);  // one behind the other
        end += info.bytes;
    }
    for (unsigned which = 0; which < 2; which++)
        fill_witness(w, which);
    must(w->device, TANDEM_OK, tandem_space_channel_open(w->hostile, 16, 0, &w->bad));
    must(w->device, TANDEM_OK, tandem_space_channel_open(w->honest, 8, 1, &w->good));
    w->good_module = space_assembly(w->honest, w->device, work);
    hostile_load(w);
    must(w->device, TANDEM_OK, tandem_space_alloc(w->honest, 4 * HONEST_THREADS, 32, &w->in));
    must(w->device, TANDEM_OK, tandem_space_alloc(w->honest, 4 * HONEST_THREADS, 32, &w->out));
}

void space_world_end(struct space_world *w) {
    witnesses_whole(w);
    tandem_module_unload(w->bad_module);
    tandem_module_unload(w->good_module);
    must(w->device, TANDEM_OK, tandem_space_close(w->hostile));  // with whatever it does
    must(w->device, TANDEM_OK, tandem_channel_close(w->bad));
    must(w->device, TANDEM_OK, tandem_channel_close(w->good));
    must(w->device, TANDEM_OK, tandem_space_close(w->honest));
    for (unsigned which = 0; which < 2; which++)
        must(w->device, TANDEM_OK, tandem_space_close(w->witness[which]));
    close_device(w->device);
}

static uint32_t honest_input(const struct space_world *w, uint32_t i) {
    return (w->rounds + 1) * 7919u + i * 104729u;
}

static uint32_t honest_output(const struct space_world *w, uint32_t i) {
    uint32_t x = honest_input(w, i);
    for (unsigned k = 0; k < HONEST_STEPS; k++) {
        x = x * 1664525u + i;
        x ^= x >> 13;
    }
    return x;
}

void honest_submit(struct space_world *w) {
    uint32_t in[HONEST_THREADS], out[HONEST_THREADS] = {0}, steps = HONEST_STEPS;
    w->rounds++;
    for (uint32_t i = 0; i < HONEST_THREADS; i++)
        in[i] = honest_input(w, i);
    must(w->device, TANDEM_OK, tandem_space_write(w->honest, w->in, in, sizeof in));
    must(w->device, TANDEM_OK, tandem_space_write(w->honest, w->out, out, sizeof out));
    const struct tandem_range range = {.dimensions = 1, .global = {HONEST_THREADS}, .local = {32}};
    const struct tandem_argument arguments[] = {{&w->in, 4}, {&w->out, 4}, {&steps, 4}};
    must(w->device, TANDEM_OK, tandem_launch(w->good, w->good_module, "work", &range, arguments, 3));
    must(w->device, TANDEM_OK, tandem_submit(w->good));
}

bool honest_done(struct space_world *w, uint64_t deadline) {
    const enum tandem_status status = tandem_finish(w->good, deadline);
    if (status == TANDEM_TIMEOUT) return false;
    must(w->device, TANDEM_OK, status);
    uint32_t out[HONEST_THREADS];
    must(w->device, TANDEM_OK, tandem_space_read(w->honest, w->out, out, sizeof out));
    for (uint32_t i = 0; i < HONEST_THREADS; i++)
        cr_assert_eq(out[i], honest_output(w, i), "round %u: honest thread %u has 0x%08x", w->rounds, i, out[i]);
    return true;
}

void honest_round(struct space_world *w, bool may_stop) {
    honest_submit(w);
    if (honest_done(w, 200000)) return;
    cr_assert(may_stop, "round %u: the honest launch did not end: %s", w->rounds, tandem_message(w->device));
    must(w->device, TANDEM_OK, tandem_channel_reset(w->bad));
    cr_assert(honest_done(w, 200000), "round %u: the honest launch does not end: %s", w->rounds,
              tandem_message(w->device));
}

enum tandem_status hostile_launch(struct space_world *w, const char *kernel, uint32_t threads, const uint32_t *words,
                                  size_t count) {
    struct tandem_argument arguments[4];
    for (size_t i = 0; i < count; i++)
        arguments[i] = (struct tandem_argument){&words[i], 4};
    const struct tandem_range range = {.dimensions = 1, .global = {threads}, .local = {32}};
    enum tandem_status status = tandem_launch(w->bad, w->bad_module, kernel, &range, arguments, count);
    return status == TANDEM_OK ? tandem_submit(w->bad) : status;
}

void hostile_settle(struct space_world *w, uint64_t deadline) {
    enum tandem_status status = tandem_finish(w->bad, deadline);
    cr_assert(
        status == TANDEM_OK || status == TANDEM_CHANNEL_FAULT || status == TANDEM_TIMEOUT || status == TANDEM_FULL,
        "%s: %s", tandem_status_name(status), tandem_message(w->device));
    if (status != TANDEM_OK) must(w->device, TANDEM_OK, tandem_channel_reset(w->bad));
}
