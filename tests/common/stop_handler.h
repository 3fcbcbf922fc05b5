// A handler with which warps step aside: stores all that a warp is, and brings it back. For tests of the SM alone, whose task side stands in
// for the task unit. It stands outside of the program, where instruction 0 of the program region jumps to. C17 and C++11, header only.
#ifndef TANDEM_TESTS_COMMON_STOP_HANDLER_H
#define TANDEM_TESTS_COMMON_STOP_HANDLER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gen/isa.h"
#include "isa/assembler.h"

#define STOP_TEXT_MAX (1u << 15)

// In memory: the handler; the address of the next record; a list for each slot: how many have been put and taken, then
// the records; the records, zero before they are taken.
#define STOP_HANDLER 0x100000u
#define STOP_NEXT_RECORD 0x107000u
#define STOP_LISTS 0x108000u
#define STOP_LIST_BYTES 0x800u
#define STOP_LIST_MOST (STOP_LIST_BYTES / 4 - 2)
#define STOP_RECORDS 0x110000u
#define STOP_REGISTERS 10u  // that a program must have: the handler's own
#define STOP_LOCAL 64u      // bytes of local memory: 16 of the program, then the handler's

// A record: where the CTA is, how many warps are in it, its shared memory, then of each warp a word of each thread for each of these.
enum { STOP_X, STOP_YZ, STOP_SAVED, STOP_HEAD };  // STOP_SAVED: how many of its warps are in it
enum {
    STOP_PREDICATES,
    STOP_TPC,
    STOP_SCALARS,
    STOP_REASONS = STOP_SCALARS + 16,
    STOP_LOCALS = STOP_REASONS + 8,
    STOP_COUNT = STOP_LOCALS + 4,
    STOP_TOKENS
};
#define STOP_TOKENS_MOST 24u
#define STOP_TOKEN_WORDS 3u
#define STOP_SPILLED 16u  // in local memory: R0 to R4, predicates

struct stop_handler {
    uint32_t threads;                   // of a warp
    uint32_t registers, shared, warps;  // of the task
    size_t used;
    char text[STOP_TEXT_MAX];
};

static __attribute__((format(printf, 2, 3))) void stop_line(struct stop_handler *h, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(h->text + h->used, STOP_TEXT_MAX - h->used, format, arguments);
    va_end(arguments);
    if (length < 0 || h->used + (size_t)length + 2 > STOP_TEXT_MAX) abort();
    h->used += (size_t)length;
    h->text[h->used++] = '\n';
    h->text[h->used] = 0;
}

static uint32_t stop_warp_bytes(const struct stop_handler *h) {
    return 4 * h->threads * (h->registers + STOP_TOKENS + STOP_TOKENS_MOST * STOP_TOKEN_WORDS);
}
static uint32_t stop_warps_at(const struct stop_handler *h) {
    return (4 * STOP_HEAD + h->shared + 127) & ~127u;
}
static uint32_t stop_record_bytes(const struct stop_handler *h) {
    return stop_warps_at(h) + h->warps * stop_warp_bytes(h);
}
static uint32_t stop_at(const struct stop_handler *h, uint32_t word) {
    return 4 * h->threads * (h->registers + word);
}

// R1: the record. R1 = the thread's first word in it.
static void stop_own(struct stop_handler *h) {
    stop_line(h,
              "S2R R2, SR_WARPID\nIMUL R2, R2, %u\nIADD R1, R1, R2\nS2R R2, SR_LANEID\nSHL R2, R2, 2\nIADD R1, R1, R2",
              stop_warp_bytes(h));
    stop_line(h, "IADD R1, R1, %u", stop_warps_at(h));
}

// R1: the record. The CTA's shared memory, a word a thread and turn.
static void stop_shared(struct stop_handler *h, const char *name, bool save) {
    if (h->shared == 0) return;
    stop_line(h, "S2R R2, SR_LANEID\nSHL R2, R2, 2\nIADD R3, R1, R2\nMOV R4, 0\n%s:\nISETP.LT P2, R2, %u", name,
              h->shared);
    if (save) stop_line(h, "@P2 LDS.32 R0, [R2]\n@P2 STG.32 [R3 + %u], R0", 4 * (unsigned)STOP_HEAD);
    if (!save) stop_line(h, "@P2 LDG.32 R0, [R3 + %u]\n@P2 STS.32 [R2], R0", 4 * (unsigned)STOP_HEAD);
    stop_line(h, "IADD R2, R2, %u\nIADD R3, R3, %u\nIADD R4, R4, %u\nISETP.LT P2, R4, %u\n@P2 BRA %s", 4 * h->threads,
              4 * h->threads, 4 * h->threads, h->shared, name);
}

// R2 = the list of the task.
static void stop_list(struct stop_handler *h) {
    stop_line(h, "S2R R2, SR_TMD\nAND R2, R2, 15\nIMUL R2, R2, %u\nIADD R2, R2, %u\nMOV R3, 1", STOP_LIST_BYTES,
              STOP_LISTS);
}

static void stop_save(struct stop_handler *h) {
    // The first warp of the CTA takes a record.
    stop_line(h, "S2R R2, SR_LANEID\nISETP.EQ P1, R2, 0\nSRD R1, CTA_RECORD\nISETP.NE P2, R1, 0\n@P2 BRA have");
    stop_line(h, "MOV R3, %u\nMOV R4, %u\n@P1 ATOMG.ADD R1, [R3], R4\nR2S CTA_RECORD, R1\nSRD R1, CTA_RECORD",
              STOP_NEXT_RECORD, stop_record_bytes(h));
    stop_line(h,
              "S2R R2, SR_CTAID_X\n@P1 STG.32 [R1], R2\nS2R R2, SR_CTAID_Y\nS2R R3, SR_CTAID_Z\nSHL R3, R3, 16\n"
              "OR R2, R2, R3\n@P1 STG.32 [R1 + 4], R2\nhave:\nMOV R3, 1\n@P1 ATOMG.ADD RZ, [R1 + 8], R3");
    stop_own(h);
    for (uint32_t r = 0; r < 5; r++)
        stop_line(h, "LDL.32 R0, [%u]\nSTG.32 [R1 + %u], R0", STOP_SPILLED + 4 * r, 4 * h->threads * r);
    for (uint32_t r = 5; r < h->registers; r++)
        stop_line(h, "STG.32 [R1 + %u], R%u", 4 * h->threads * r, r);
    stop_line(h, "LDL.32 R0, [%u]\nSTG.32 [R1 + %u], R0\nSRD R0, TPC\nSTG.32 [R1 + %u], R0", STOP_SPILLED + 20,
              stop_at(h, STOP_PREDICATES), stop_at(h, STOP_TPC));
    for (uint32_t s = 0; s < 16; s++)
        stop_line(h, "SRD R0, S%u\nSTG.32 [R1 + %u], R0", s, stop_at(h, STOP_SCALARS + s));
    for (uint32_t k = 0; k < 4; k++)
        stop_line(h, "SRD R0, REASON%u_LO\nSTG.32 [R1 + %u], R0\nSRD R0, REASON%u_HI\nSTG.32 [R1 + %u], R0", k,
                  stop_at(h, STOP_REASONS + 2 * k), k, stop_at(h, STOP_REASONS + 2 * k + 1));
    for (uint32_t l = 0; l < 4; l++)
        stop_line(h, "LDL.32 R0, [%u]\nSTG.32 [R1 + %u], R0", 4 * l, stop_at(h, STOP_LOCALS + l));
    stop_line(
        h, "IADD R3, R1, %u\nMOV R2, 0\ntake:\nTPOP\nSRD R0, TOKEN\nSHR R4, R0, 28\nISETP.EQ P2, R4, 0\n@P2 BRA taken",
        stop_at(h, STOP_TOKENS));
    stop_line(h, "STG.32 [R3], R0\nSRD R0, TOKEN_LO\nSTG.32 [R3 + %u], R0\nSRD R0, TOKEN_HI\nSTG.32 [R3 + %u], R0",
              4 * h->threads, 8 * h->threads);
    stop_line(h, "IADD R3, R3, %u\nIADD R2, R2, 1\nBRA take\ntaken:\nSTG.32 [R1 + %u], R2", 12 * h->threads,
              stop_at(h, STOP_COUNT));
    // The last warp of the CTA stores the shared memory, and puts the record into the task's list.
    stop_line(h, "SRD R0, CTA_ALIVE\nISETP.NE P2, R0, 1\n@P2 BRA gone\nlast:\nSRD R1, CTA_RECORD");
    stop_shared(h, "store_shared", true);
    stop_list(h);
    stop_line(
        h,
        "@P1 ATOMG.ADD R0, [R2], R3\nSHL R0, R0, 2\nIADD R0, R0, R2\n@P1 STG.32 [R0 + 8], R1\ngone:\nMEMBAR\nTLEAVE");
}

// Of two words of a mask, low in R7 and high in R8: this thread's bit, as P3. R6: its number.
static void stop_own_bit(struct stop_handler *h) {
    stop_line(
        h,
        "ISETP.GE P2, R6, 32\nSEL R7, R8, R7, P2\nAND R9, R6, 31\nSHR R7, R7, R9\nAND R7, R7, 1\nISETP.EQ P3, R7, 1");
}

// The token at R3: its kind in R4, its address in TPC, whether this thread is of it in P3.
static void stop_load_token(struct stop_handler *h) {
    stop_line(h, "LDG.32 R0, [R3]\nSHR R4, R0, 28\nR2S TPC, R0\nLDG.32 R7, [R3 + %u]\nLDG.32 R8, [R3 + %u]",
              4 * h->threads, 8 * h->threads);
    stop_own_bit(h);
}

static void stop_restore(struct stop_handler *h) {
    // The first warp of the CTA finds a record, and brings back what is the CTA's.
    stop_line(h,
              "restore:\nS2R R6, SR_LANEID\nISETP.EQ P1, R6, 0\nSRD R1, CTA_RECORD\nISETP.NE P2, R1, 0\n@P2 BRA found");
    stop_list(h);
    stop_line(
        h,
        "@P1 ATOMG.ADD R0, [R2 + 4], R3\nSHL R0, R0, 2\nIADD R0, R0, R2\n@P1 LDG.32 R1, [R0 + 8]\nR2S CTA_RECORD, R1");
    stop_line(h, "SRD R1, CTA_RECORD\nLDG.32 R0, [R1]\nR2S CTA_X, R0\nLDG.32 R0, [R1 + 4]\nR2S CTA_YZ, R0");
    stop_shared(h, "load_shared", false);
    stop_line(h, "found:\nMOV R3, -1");
    stop_own(h);
    // A warp that had ended before the CTA left ends again. If it is the last, and others have left again, the CTA leaves.
    stop_line(h, "LDG.32 R0, [R1 + %u]\nISETP.NE P2, R0, 0\n@P2 BRA was_alive\nSRD R0, CTA_ALIVE\nISETP.NE P2, R0, 1",
              stop_at(h, STOP_TPC));
    stop_line(
        h, "@P2 BRA ended\nSRD R0, CTA_RECORD\nLDG.32 R0, [R0 + 8]\nISETP.NE P2, R0, 0\n@P2 BRA last\nended:\nTEXIT");
    stop_line(h, "was_alive:\nSRD R0, CTA_RECORD\n@P1 ATOMG.ADD RZ, [R0 + 8], R3");
    // Yield tokens from the first to the last, the others from the last to the first.
    stop_line(h, "LDG.32 R2, [R1 + %u]\nIADD R3, R1, %u\nMOV R5, 0\nyields:\nISETP.GE P0, R5, R2\n@P0 BRA others",
              stop_at(h, STOP_COUNT), stop_at(h, STOP_TOKENS));
    stop_load_token(h);
    stop_line(h,
              "ISETP.EQ P0, R4, %u\nPSETP.AND P0, P0, P3\n@P0 TPUSH.YIELD\nIADD R3, R3, %u\nIADD R5, R5, 1\nBRA yields",
              (unsigned)KIND_YIELD, 12 * h->threads);
    stop_line(h, "others:\nISETP.EQ P0, R5, 0\n@P0 BRA put\nISUB R5, R5, 1\nISUB R3, R3, %u", 12 * h->threads);
    stop_load_token(h);
    for (uint32_t kind = 1; kind < 16; kind++) {
        if (isa_kind_names[kind] == NULL || kind == KIND_YIELD || kind == KIND_HELD || kind == KIND_ABSENT) continue;
        stop_line(h, "ISETP.EQ P0, R4, %u\nPSETP.AND P0, P0, P3\n@P0 TPUSH.%s", kind, isa_kind_names[kind]);
    }
    stop_line(h, "BRA others\nput:\nMOV R5, 0");
    for (uint32_t k = 0; k < 4; k++) {
        stop_line(h, "LDG.32 R7, [R1 + %u]\nLDG.32 R8, [R1 + %u]", stop_at(h, STOP_REASONS + 2 * k),
                  stop_at(h, STOP_REASONS + 2 * k + 1));
        stop_own_bit(h);
        stop_line(h, "SHL R7, R7, %u\nOR R5, R5, R7", k);
    }
    for (uint32_t kind = 0; kind < 16; kind++)
        if (isa_kind_names[kind] != NULL)
            stop_line(h, "ISETP.EQ P0, R5, %u\n@P0 TREASON.%s", kind, isa_kind_names[kind]);
    for (uint32_t s = 0; s < 16; s++)
        stop_line(h, "LDG.32 R0, [R1 + %u]\nR2S S%u, R0", stop_at(h, STOP_SCALARS + s), s);
    for (uint32_t l = 0; l < 4; l++)
        stop_line(h, "LDG.32 R0, [R1 + %u]\nSTL.32 [%u], R0", stop_at(h, STOP_LOCALS + l), 4 * l);
    stop_line(h, "LDG.32 R0, [R1 + %u]\nR2S TPC, R0\nSTG.32 [R1 + %u], RZ\nLDG.32 R0, [R1 + %u]\nR2P R0, 0x7F",
              stop_at(h, STOP_TPC), stop_at(h, STOP_TPC), stop_at(h, STOP_PREDICATES));
    for (uint32_t r = 0; r < h->registers; r++)
        if (r != 1) stop_line(h, "LDG.32 R%u, [R1 + %u]", r, 4 * h->threads * r);
    stop_line(h, "LDG.32 R1, [R1 + %u]\nTRET", 4 * h->threads);
}

// The words of the handler, in *object, which is the caller's (code_object_free).
static void stop_handler_make(struct stop_handler *h, struct code_object *object) {
    char error[256];
    h->used = 0;
    stop_line(h, ".kernel handler");
    for (uint32_t r = 0; r < 5; r++)
        stop_line(h, "STL.32 [%u], R%u", STOP_SPILLED + 4 * r, r);
    stop_line(h, "P2R R0\nSTL.32 [%u], R0\nSRD R0, TPC\nISETP.EQ P0, R0, 0\n@P0 BRA restore", STOP_SPILLED + 20);
    stop_save(h);
    stop_restore(h);
    if (!assemble(h->text, h->used, "handler", object, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        abort();
    }
}

#endif
