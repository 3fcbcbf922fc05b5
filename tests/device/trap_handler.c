#include "trap_handler.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "gen/isa.h"

#define TEXT_MAX (1u << 16)
#define PLANES 4u

// What a thread's bytes hold, in words behind its registers; what is alike for all threads each of them has.
enum { PREDICATES, TPC, SCALARS, REASONS = SCALARS + 16, COUNT = REASONS + 2 * PLANES, TOKENS };
#define TOKEN_WORDS 3u

struct handler {
    char *text;
    size_t used;
    uint32_t registers, local;
};

static __attribute__((format(printf, 2, 3))) void line(struct handler *h, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(h->text + h->used, TEXT_MAX - h->used, format, arguments);
    va_end(arguments);
    if (length < 0 || h->used + (size_t)length + 2 > TEXT_MAX) abort();
    h->used += (size_t)length;
    h->text[h->used++] = '\n';
    h->text[h->used] = 0;
}

static uint32_t at(const struct handler *h, uint32_t word) {
    return h->local + 4 * (h->registers + word);
}

uint32_t trap_handler_bytes(uint32_t registers) {
    return (4 * (registers + TOKENS + TRAP_TOKENS * TOKEN_WORDS) + 15) & ~15u;
}

static void save(struct handler *h) {
    for (uint32_t r = 0; r < h->registers; r++)
        line(h, "STL.32 [%u], R%u", h->local + 4 * r, r);
    line(h, "P2R R0\nSTL.32 [%u], R0\nSRD R0, TPC\nSTL.32 [%u], R0", at(h, PREDICATES), at(h, TPC));
    for (uint32_t s = 0; s < 16; s++)
        line(h, "SRD R0, S%u\nSTL.32 [%u], R0", s, at(h, SCALARS + s));
    for (uint32_t k = 0; k < PLANES; k++)
        line(h, "SRD R0, REASON%u_LO\nSTL.32 [%u], R0\nSRD R0, REASON%u_HI\nSTL.32 [%u], R0", k, at(h, REASONS + 2 * k),
             k, at(h, REASONS + 2 * k + 1));
    line(h, "MOV R1, %u\nMOV R2, 0\ntrap_take:\nTPOP\nSRD R3, TOKEN\nSHR R4, R3, 28\nISETP.EQ P0, R4, 0",
         at(h, TOKENS));
    line(h, "@P0 BRA trap_taken\nSTL.32 [R1], R3\nSRD R3, TOKEN_LO\nSTL.32 [R1 + 4], R3\nSRD R3, TOKEN_HI");
    line(h, "STL.32 [R1 + 8], R3\nIADD R1, R1, 12\nIADD R2, R2, 1\nBRA trap_take\ntrap_taken:\nSTL.32 [%u], R2",
         at(h, COUNT));
}

static void ruin(struct handler *h) {
    line(h, "TREASON.EXIT\nMOV R0, 0xDEAD0000\nR2P R0, 0x7F\nR2S TPC, R0");
    for (uint32_t r = 0; r < h->registers; r++)
        line(h, "MOV R%u, 0x%x", r, 0xDEAD0000 + r);
    for (uint32_t s = 0; s < 16; s++)
        line(h, "SMOV S%u, 0x%x", s, 0xDEAD1000 + s);
}

// Of two words of a mask, low in R7 and high in R8: this thread's bit, as P3. R6: its number.
static void own_bit(struct handler *h) {
    line(h,
         "ISETP.GE P2, R6, 32\nSEL R7, R8, R7, P2\nAND R9, R6, 31\nSHR R7, R7, R9\nAND R7, R7, 1\nISETP.EQ P3, R7, 1");
}

// The token at R1: kind in R4, address in TPC, whether this thread is of it in P3.
static void load_token(struct handler *h) {
    line(h, "LDL.32 R3, [R1]\nSHR R4, R3, 28\nR2S TPC, R3\nLDL.32 R7, [R1 + 4]\nLDL.32 R8, [R1 + 8]");
    own_bit(h);
}

static void put_tokens(struct handler *h) {
    // The yield tokens from the first to the last, behind each other; then the others, from the last to the first.
    line(h, "LDL.32 R2, [%u]\nMOV R1, %u\nMOV R5, 0\nS2R R6, SR_LANEID", at(h, COUNT), at(h, TOKENS));
    line(h, "trap_yields:\nISETP.GE P0, R5, R2\n@P0 BRA trap_others");
    load_token(h);
    line(h, "ISETP.EQ P0, R4, %u\nPSETP.AND P0, P0, P3\n@P0 TPUSH.YIELD", (unsigned)KIND_YIELD);
    line(h, "IADD R1, R1, 12\nIADD R5, R5, 1\nBRA trap_yields");
    line(h, "trap_others:\nISETP.EQ P0, R5, 0\n@P0 BRA trap_put\nISUB R5, R5, 1\nISUB R1, R1, 12");
    load_token(h);
    for (uint32_t kind = 1; kind < 16; kind++) {
        if (isa_kind_names[kind] == NULL || kind == KIND_YIELD || kind == KIND_HELD || kind == KIND_ABSENT) continue;
        line(h, "ISETP.EQ P0, R4, %u\nPSETP.AND P0, P0, P3\n@P0 TPUSH.%s", kind, isa_kind_names[kind]);
    }
    line(h, "BRA trap_others\ntrap_put:");
}

static void set_reasons(struct handler *h) {
    line(h, "MOV R5, 0");
    for (uint32_t k = 0; k < PLANES; k++) {
        line(h, "LDL.32 R7, [%u]\nLDL.32 R8, [%u]", at(h, REASONS + 2 * k), at(h, REASONS + 2 * k + 1));
        own_bit(h);
        line(h, "SHL R7, R7, %u\nOR R5, R5, R7", k);
    }
    for (uint32_t kind = 0; kind < 16; kind++) {
        if (isa_kind_names[kind] != NULL) line(h, "ISETP.EQ P0, R5, %u\n@P0 TREASON.%s", kind, isa_kind_names[kind]);
    }
}

char *trap_handler_text(uint32_t registers, uint32_t local) {
    struct handler h = {.text = malloc(TEXT_MAX), .registers = registers, .local = local};
    if (h.text == NULL || registers < 10) abort();
    line(&h, "trap_handler:");
    save(&h);
    ruin(&h);
    put_tokens(&h);
    set_reasons(&h);
    for (uint32_t s = 0; s < 16; s++)
        line(&h, "LDL.32 R0, [%u]\nR2S S%u, R0", at(&h, SCALARS + s), s);
    line(&h, "LDL.32 R0, [%u]\nR2S TPC, R0\nLDL.32 R0, [%u]\nR2P R0, 0x7F", at(&h, TPC), at(&h, PREDICATES));
    for (uint32_t r = 0; r < registers; r++)
        line(&h, "LDL.32 R%u, [%u]", r, local + 4 * r);
    line(&h, "TRET");
    return h.text;
}
