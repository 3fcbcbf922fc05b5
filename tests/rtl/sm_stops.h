// Warps that step aside, in sm_bench: the handler, which stores all that a warp is and brings it back; included by sm_world.h. It stands
// outside of the program, where instruction 0 of its region jumps to.
#ifndef TANDEM_TESTS_RTL_SM_STOPS_H
#define TANDEM_TESTS_RTL_SM_STOPS_H

#include <cstdarg>
#include <string>
#include <vector>

#include "bench.h"

extern "C" {
#include "gen/isa.h"
#include "isa/assembler.h"
}

// In memory: the handler; the address of the next record; a list for each slot: how many have been put and taken, then
// the records; the records.
static const uint32_t HANDLER = 0x100000, NEXT_RECORD = 0x107000, LISTS = 0x108000, LIST_BYTES = 0x800,
                      LIST_MOST = LIST_BYTES / 4 - 2, RECORDS = 0x110000;
static const uint32_t STOPS_REGISTERS = 10;  // that a program must have: the handler's own
static const uint32_t STOPS_LOCAL = 64;      // bytes of local memory: 16 of the program, then the handler's

// A record: where the CTA is, its shared memory, then of each warp a word of each thread for each of these.
enum { RECORD_X, RECORD_YZ, RECORD_HEAD };
enum { SAVED_PREDICATES, SAVED_TPC, SAVED_SCALARS, SAVED_REASONS = SAVED_SCALARS + 16, SAVED_LOCAL = SAVED_REASONS + 8,
       SAVED_COUNT = SAVED_LOCAL + 4, SAVED_TOKENS };
static const uint32_t TOKENS_MOST = 24, TOKEN_WORDS = 3, SPILLED = 16;  // SPILLED: local memory, R0 to R4, predicates

struct stops_handler {
    std::string text;
    uint32_t registers, shared, warps;
};

static __attribute__((format(printf, 2, 3))) void stops_line(stops_handler &h, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    h.text += line;
    h.text += '\n';
}

static uint32_t stops_warp_bytes(const stops_handler &h) {
    return 4 * THREADS * (h.registers + SAVED_TOKENS + TOKENS_MOST * TOKEN_WORDS);
}
static uint32_t stops_warps_at(const stops_handler &h) {
    return (4 * RECORD_HEAD + h.shared + 127) & ~127u;
}
static uint32_t stops_record_bytes(const stops_handler &h) {
    return stops_warps_at(h) + h.warps * stops_warp_bytes(h);
}
static uint32_t stops_at(const stops_handler &h, uint32_t word) {
    return 4 * THREADS * (h.registers + word);
}

// R1: the record. R1 = the thread's first word in it.
static void stops_own(stops_handler &h) {
    stops_line(h, "S2R R2, SR_WARPID\nIMUL R2, R2, %u\nIADD R1, R1, R2\nS2R R2, SR_LANEID\nSHL R2, R2, 2\nIADD R1, R1, R2",
               stops_warp_bytes(h));
    stops_line(h, "IADD R1, R1, %u", stops_warps_at(h));
}

// R1: the record. The CTA's shared memory, a word a thread and turn.
static void stops_shared(stops_handler &h, const char *name, bool save) {
    if (h.shared == 0) return;
    stops_line(h, "S2R R2, SR_LANEID\nSHL R2, R2, 2\nIADD R3, R1, R2\nMOV R4, 0\n%s:\nISETP.LT P2, R2, %u", name,
               h.shared);
    stops_line(h, save ? "@P2 LDS.32 R0, [R2]\n@P2 STG.32 [R3 + %u], R0" : "@P2 LDG.32 R0, [R3 + %u]\n@P2 STS.32 [R2], R0",
               4 * (uint32_t)RECORD_HEAD);
    stops_line(h, "IADD R2, R2, %u\nIADD R3, R3, %u\nIADD R4, R4, %u\nISETP.LT P2, R4, %u\n@P2 BRA %s", 4 * THREADS,
               4 * THREADS, 4 * THREADS, h.shared, name);
}

// R2 = the list of the task.
static void stops_list(stops_handler &h) {
    stops_line(h, "S2R R2, SR_TMD\nAND R2, R2, 15\nIMUL R2, R2, %u\nIADD R2, R2, %u\nMOV R3, 1", LIST_BYTES, LISTS);
}

static void stops_save(stops_handler &h) {
    // The first warp of the CTA takes a record.
    stops_line(h, "S2R R2, SR_LANEID\nISETP.EQ P1, R2, 0\nSRD R1, CTA_RECORD\nISETP.NE P2, R1, 0\n@P2 BRA have");
    stops_line(h, "MOV R3, %u\nMOV R4, %u\n@P1 ATOMG.ADD R1, [R3], R4\nR2S CTA_RECORD, R1\nSRD R1, CTA_RECORD",
               NEXT_RECORD, stops_record_bytes(h));
    stops_line(h, "S2R R2, SR_CTAID_X\n@P1 STG.32 [R1], R2\nS2R R2, SR_CTAID_Y\nS2R R3, SR_CTAID_Z\nSHL R3, R3, 16\n"
                  "OR R2, R2, R3\n@P1 STG.32 [R1 + 4], R2\nhave:");
    stops_own(h);
    for (uint32_t r = 0; r < 5; r++)
        stops_line(h, "LDL.32 R0, [%u]\nSTG.32 [R1 + %u], R0", SPILLED + 4 * r, 4 * THREADS * r);
    for (uint32_t r = 5; r < h.registers; r++)
        stops_line(h, "STG.32 [R1 + %u], R%u", 4 * THREADS * r, r);
    stops_line(h, "LDL.32 R0, [%u]\nSTG.32 [R1 + %u], R0\nSRD R0, TPC\nSTG.32 [R1 + %u], R0", SPILLED + 20,
               stops_at(h, SAVED_PREDICATES), stops_at(h, SAVED_TPC));
    for (uint32_t s = 0; s < 16; s++)
        stops_line(h, "SRD R0, S%u\nSTG.32 [R1 + %u], R0", s, stops_at(h, SAVED_SCALARS + s));
    for (uint32_t k = 0; k < 4; k++)
        stops_line(h, "SRD R0, REASON%u_LO\nSTG.32 [R1 + %u], R0\nSRD R0, REASON%u_HI\nSTG.32 [R1 + %u], R0", k,
                   stops_at(h, SAVED_REASONS + 2 * k), k, stops_at(h, SAVED_REASONS + 2 * k + 1));
    for (uint32_t l = 0; l < 4; l++)
        stops_line(h, "LDL.32 R0, [%u]\nSTG.32 [R1 + %u], R0", 4 * l, stops_at(h, SAVED_LOCAL + l));
    stops_line(h, "IADD R3, R1, %u\nMOV R2, 0\ntake:\nTPOP\nSRD R0, TOKEN\nSHR R4, R0, 28\nISETP.EQ P2, R4, 0\n@P2 BRA taken",
               stops_at(h, SAVED_TOKENS));
    stops_line(h, "STG.32 [R3], R0\nSRD R0, TOKEN_LO\nSTG.32 [R3 + %u], R0\nSRD R0, TOKEN_HI\nSTG.32 [R3 + %u], R0",
               4 * THREADS, 8 * THREADS);
    stops_line(h, "IADD R3, R3, %u\nIADD R2, R2, 1\nBRA take\ntaken:\nSTG.32 [R1 + %u], R2", 12 * THREADS,
               stops_at(h, SAVED_COUNT));
    // The last warp of the CTA stores the shared memory, and puts the record into the task's list.
    stops_line(h, "SRD R0, CTA_ALIVE\nISETP.NE P2, R0, 1\n@P2 BRA gone\nSRD R1, CTA_RECORD");
    stops_shared(h, "store_shared", true);
    stops_list(h);
    stops_line(h, "@P1 ATOMG.ADD R0, [R2], R3\nSHL R0, R0, 2\nIADD R0, R0, R2\n@P1 STG.32 [R0 + 8], R1\ngone:\nMEMBAR\nTLEAVE");
}

// Of two words of a mask, low in R7 and high in R8: this thread's bit, as P3. R6: its number.
static void stops_own_bit(stops_handler &h) {
    stops_line(h, "ISETP.GE P2, R6, 32\nSEL R7, R8, R7, P2\nAND R9, R6, 31\nSHR R7, R7, R9\nAND R7, R7, 1\nISETP.EQ P3, R7, 1");
}

// The token at R3: its kind in R4, its address in TPC, whether this thread is of it in P3.
static void stops_load_token(stops_handler &h) {
    stops_line(h, "LDG.32 R0, [R3]\nSHR R4, R0, 28\nR2S TPC, R0\nLDG.32 R7, [R3 + %u]\nLDG.32 R8, [R3 + %u]", 4 * THREADS,
               8 * THREADS);
    stops_own_bit(h);
}

static void stops_restore(stops_handler &h) {
    // The first warp of the CTA finds a record, and brings back what is the CTA's.
    stops_line(h, "restore:\nS2R R6, SR_LANEID\nISETP.EQ P1, R6, 0\nSRD R1, CTA_RECORD\nISETP.NE P2, R1, 0\n@P2 BRA found");
    stops_list(h);
    stops_line(h, "@P1 ATOMG.ADD R0, [R2 + 4], R3\nSHL R0, R0, 2\nIADD R0, R0, R2\n@P1 LDG.32 R1, [R0 + 8]\nR2S CTA_RECORD, R1");
    stops_line(h, "SRD R1, CTA_RECORD\nLDG.32 R0, [R1]\nR2S CTA_X, R0\nLDG.32 R0, [R1 + 4]\nR2S CTA_YZ, R0");
    stops_shared(h, "load_shared", false);
    stops_line(h, "found:");
    stops_own(h);
    // Yield tokens from the first to the last, the others from the last to the first.
    stops_line(h, "LDG.32 R2, [R1 + %u]\nIADD R3, R1, %u\nMOV R5, 0\nyields:\nISETP.GE P0, R5, R2\n@P0 BRA others",
               stops_at(h, SAVED_COUNT), stops_at(h, SAVED_TOKENS));
    stops_load_token(h);
    stops_line(h, "ISETP.EQ P0, R4, %u\nPSETP.AND P0, P0, P3\n@P0 TPUSH.YIELD\nIADD R3, R3, %u\nIADD R5, R5, 1\nBRA yields",
               (unsigned)KIND_YIELD, 12 * THREADS);
    stops_line(h, "others:\nISETP.EQ P0, R5, 0\n@P0 BRA put\nISUB R5, R5, 1\nISUB R3, R3, %u", 12 * THREADS);
    stops_load_token(h);
    for (uint32_t kind = 1; kind < 16; kind++) {
        if (isa_kind_names[kind] == nullptr || kind == KIND_YIELD || kind == KIND_HELD || kind == KIND_ABSENT) continue;
        stops_line(h, "ISETP.EQ P0, R4, %u\nPSETP.AND P0, P0, P3\n@P0 TPUSH.%s", kind, isa_kind_names[kind]);
    }
    stops_line(h, "BRA others\nput:\nMOV R5, 0");
    for (uint32_t k = 0; k < 4; k++) {
        stops_line(h, "LDG.32 R7, [R1 + %u]\nLDG.32 R8, [R1 + %u]", stops_at(h, SAVED_REASONS + 2 * k),
                   stops_at(h, SAVED_REASONS + 2 * k + 1));
        stops_own_bit(h);
        stops_line(h, "SHL R7, R7, %u\nOR R5, R5, R7", k);
    }
    for (uint32_t kind = 0; kind < 16; kind++)
        if (isa_kind_names[kind] != nullptr)
            stops_line(h, "ISETP.EQ P0, R5, %u\n@P0 TREASON.%s", kind, isa_kind_names[kind]);
    for (uint32_t s = 0; s < 16; s++)
        stops_line(h, "LDG.32 R0, [R1 + %u]\nR2S S%u, R0", stops_at(h, SAVED_SCALARS + s), s);
    for (uint32_t l = 0; l < 4; l++)
        stops_line(h, "LDG.32 R0, [R1 + %u]\nSTL.32 [%u], R0", stops_at(h, SAVED_LOCAL + l), 4 * l);
    stops_line(h, "LDG.32 R0, [R1 + %u]\nR2S TPC, R0\nLDG.32 R0, [R1 + %u]\nR2P R0, 0x7F", stops_at(h, SAVED_TPC),
               stops_at(h, SAVED_PREDICATES));
    for (uint32_t r = 0; r < h.registers; r++)
        if (r != 1) stops_line(h, "LDG.32 R%u, [R1 + %u]", r, 4 * THREADS * r);
    stops_line(h, "LDG.32 R1, [R1 + %u]\nTRET", 4 * THREADS);
}

// The handler of tasks with so many registers, bytes of shared memory and warps of a CTA.
static std::vector<uint64_t> stops_program(struct bench *bench, stops_handler &h) {
    h.text.clear();
    stops_line(h, ".kernel handler");
    for (uint32_t r = 0; r < 5; r++)
        stops_line(h, "STL.32 [%u], R%u", SPILLED + 4 * r, r);
    stops_line(h, "P2R R0\nSTL.32 [%u], R0\nSRD R0, TPC\nISETP.EQ P0, R0, 0\n@P0 BRA restore", SPILLED + 20);
    stops_save(h);
    stops_restore(h);
    struct code_object object;
    char error[256];
    if (!assemble(h.text.c_str(), h.text.size(), "handler", &object, error, sizeof error))
        bench_fail(bench, "%s", error);
    std::vector<uint64_t> words(object.text, object.text + object.text_words);
    code_object_free(&object);
    return words;
}

#endif
