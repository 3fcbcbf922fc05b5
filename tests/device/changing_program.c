#include "changing_program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/isa.h"
#include "gen/methods.h"
#include "isa/assembler.h"
#include "random_numbers.h"

#define TEXT_MAX (1u << 16)
#define SEARCHED (256u << 10)
#define MARK 0x5EAC0DE5u
#define DEADLINE 30000u
#define LAUNCHES 3u

struct maker {
    char *text;
    size_t used;
    uint64_t random;
};

static uint32_t pick(struct maker *m, uint32_t below) {
    return random_below(&m->random, below);
}

static __attribute__((format(printf, 2, 3))) void line(struct maker *m, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(m->text + m->used, TEXT_MAX - m->used, format, arguments);
    va_end(arguments);
    if (length < 0 || m->used + (size_t)length + 2 > TEXT_MAX) abort();  // the sizes below cannot fill it
    m->used += (size_t)length;
    m->text[m->used++] = '\n';
    m->text[m->used] = 0;
}

// R1: where the code begins. R2: its words. R3: the thread's random number. R4: a random place in the code, R5 another
// one; R6, R7: what is stored.
static void change(struct maker *m) {
    static const char *const stores[] = {"STG.32 [R4], R3",      "STG.32 [R4], R6", "STG.U8 [R4], R3",
                                         "STG.U16 [R4 + 2], R3", "ST.32 [R4], R6",  "ATOMG.XOR RZ, [R4], R6",
                                         "STG.64 [R4], R6"};
    line(m, "SHL R4, R3, 13\nXOR R3, R3, R4\nSHR R4, R3, 17\nXOR R3, R3, R4\nSHL R4, R3, 5\nXOR R3, R3, R4");
    line(m, "UMULHI R4, R3, R2\nSHL R4, R4, 2\nIADD R4, R4, R1");
    const uint32_t what = pick(m, 10);
    if (what < 8) {  // a copy of another instruction
        line(m, "IMUL R5, R3, 0x9E3779B1\nUMULHI R5, R5, R2\nSHL R5, R5, 2\nIADD R5, R5, R1\nAND R5, R5, -8");
        line(m, "AND R4, R4, -8\nLDG.64 R6, [R5]\nSTG.64 [R4], R6");
    } else if (what < 9) {  // a word of an instruction where another word of one stands
        line(m,
             "IMUL R5, R3, 0x9E3779B1\nUMULHI R5, R5, R2\nSHL R5, R5, 2\nIADD R5, R5, R1\nLDG.32 R6, [R5]\nSTG.32 "
             "[R4], R6");
    } else {
        const uint32_t store = pick(m, 7);
        line(m, "MOV R6, 0x%x\n%s%s", pick(m, 4) == 0 ? pick(m, UINT32_MAX) : 1u << pick(m, 32),
             store == 6 ? "AND R4, R4, -8\n" : "", stores[store]);
    }
}

static void make(struct maker *m) {
    const uint32_t blocks = 2 + pick(m, 40), rounds = 1 + pick(m, 4), changing = 1 + pick(m, 16);
    line(m, ".kernel wild\n.registers 16\n.arg value code\n.arg value words\n.arg value seed");
    line(m, "MOV R15, 0x%x", MARK);
    line(m,
         "LDC.32 R1, c[0][0x40]\nLDC.32 R2, c[0][0x44]\nLDC.32 R3, c[0][0x48]\nS2R R4, SR_TID_X\nS2R R5, SR_CTAID_X");
    line(m,
         "SHL R5, R5, 16\nIADD R4, R4, R5\nIMUL R4, R4, 0x9E3779B1\nXOR R3, R3, R4\nOR R3, R3, 1\nMOV R10, 0\nagain:");
    for (uint32_t b = 0; b < blocks; b++) {
        if (pick(m, changing) == 0) {
            if (pick(m, 3) == 0)
                line(m, "AND R8, R3, %u\nISETP.EQ P1, R8, 0\nSSY past%u\n@!P1 BRA past%u", pick(m, 64), b, b);
            change(m);
            line(m, "past%u:", b);
        } else {
            for (uint32_t i = 1 + pick(m, 12); i > 0; i--)
                line(m, "IADD R%u, R%u, %u", 11 + pick(m, 3), 11 + pick(m, 3), pick(m, 1000));
        }
    }
    line(m, "IADD R10, R10, 1\nISETP.LT P0, R10, %u\n@P0 BRA again\nEXIT", rounds);
}

tandem_addr changing_program_find(struct tandem_device *device, uint32_t first, uint32_t second) {
    uint32_t *words = malloc(SEARCHED);
    tandem_addr found = 0;
    if (words != NULL && tandem_read(device, 0, words, SEARCHED) == TANDEM_OK) {
        for (uint32_t i = 0; i + 1 < SEARCHED / 4 && found == 0; i++)
            if (words[i] == first && words[i + 1] == second) found = 4 * i;
    }
    free(words);
    return found;
}

struct run {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
};

static enum tandem_status load(struct run *r, const char *text, uint32_t *bytes) {
    struct code_object object;
    char error[256];
    void *elf = NULL;
    size_t size = 0;
    if (!assemble(text, strlen(text), "changing", &object, error, sizeof error) ||
        !code_object_write(&object, &elf, &size, error, sizeof error))
        abort();  // the maker is wrong
    *bytes = (uint32_t)(object.text_words * 8);
    const enum tandem_status status = tandem_module_load(r->device, elf, size, &r->module);
    free(elf);
    code_object_free(&object);
    return status;
}

static enum tandem_status launch(const struct run *r, struct maker *m, uint32_t bytes) {
    // MOV R15, MARK
    const tandem_addr code =
        changing_program_find(r->device, (uint32_t)isa_encode_imm(OP_MOV_I, ISA_PT, false, 15, 0, 0, 0), MARK);
    const uint32_t begin = code == 0 ? 4096 : code, words = bytes / 4, seed = pick(m, UINT32_MAX);
    const uint32_t local = 1 + pick(m, 64);
    const struct tandem_range range = {.dimensions = 1, .global = {local * (1 + pick(m, 4))}, .local = {local}};
    const struct tandem_argument arguments[] = {{&begin, 4}, {&words, 4}, {&seed, 4}};
    enum tandem_status status = TANDEM_OK;
    if (pick(m, 2) == 0) status = tandem_method(r->channel, COMPUTE_SUBCHANNEL, COMPUTE_INVALIDATE_SHADER_CACHES, 1);
    if (status == TANDEM_OK) status = tandem_launch(r->channel, r->module, "wild", &range, arguments, 3);
    return status == TANDEM_OK ? tandem_finish(r->channel, DEADLINE) : status;
}

static enum tandem_status run(struct run *r, struct maker *m, struct changing_outcomes *outcomes) {
    uint32_t bytes = 0;
    enum tandem_status status = load(r, m->text, &bytes);
    if (status == TANDEM_OK) status = tandem_channel_open(r->device, 16, 0, &r->channel);
    if (status != TANDEM_OK) return status;
    for (uint32_t i = 0; i < LAUNCHES && status == TANDEM_OK; i++) {
        status = launch(r, m, bytes);
        outcomes->count[status]++;
        if (status == TANDEM_CHANNEL_FAULT) status = tandem_channel_reset(r->channel);
    }
    return status == TANDEM_MISMATCH ? status : TANDEM_OK;  // whatever else became of it
}

bool changing_program_run(const char *device, uint64_t seed, struct changing_outcomes *outcomes, char *why,
                          size_t why_size) {
    struct maker m = {.text = malloc(TEXT_MAX), .random = seed};
    struct run r = {0};
    char name[256];
    if (m.text == NULL) abort();
    for (unsigned i = 0; i < 5; i++)
        (void)pick(&m, 2);
    make(&m);
    snprintf(name, sizeof name, "%s,mem=4,seed=%llu", device, (unsigned long long)(seed % 1000000));
    enum tandem_status status = tandem_open(name, &r.device, why, why_size);
    if (status == TANDEM_OK) {
        status = run(&r, &m, outcomes);
        if (status != TANDEM_OK)
            snprintf(why, why_size, "%s: %s", tandem_status_name(status), tandem_message(r.device));
        tandem_module_unload(r.module);
        (void)tandem_channel_close(r.channel);
        const enum tandem_status end = tandem_close(r.device);
        if (status == TANDEM_OK && end != TANDEM_OK) {
            status = end;
            snprintf(why, why_size, "close: %s", tandem_status_name(end));
        }
    }
    free(m.text);
    return status == TANDEM_OK;
}
