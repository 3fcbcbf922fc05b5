// Behind which instructions a warp goes on, as the head of rtl/sm/fetch.sv says it: for the benches of fetch and of the issue stage.
#ifndef TANDEM_TESTS_RTL_RUNS_ON_H
#define TANDEM_TESTS_RTL_RUNS_ON_H

extern "C" {
#include "gen/isa.h"
#include "gen/registers.h"
}

static inline bool reads_time(uint64_t word) {
    const uint32_t special = (uint32_t)(word >> 32) & 0xFF;
    return (word & 0xFF) == OP_S2R && (special == SR_CLOCK_LO || special == SR_CLOCK_HI);
}

// By its opcode: whoever executes such a word goes on without waiting for the end of it.
static inline bool runs_on(uint64_t word) {
    switch (isa_table[word & 0xFF].format) {
        case FORMAT_NONE:
        case FORMAT_RA:
        case FORMAT_REL:
        case FORMAT_RELR:
        case FORMAT_ABS:
        case FORMAT_ABSR:
        case FORMAT_CALLR:
        case FORMAT_CALLX:
        case FORMAT_RETR:
        case FORMAT_YIELD:
        case FORMAT_SV:
        case FORMAT_BRA:
        case FORMAT_KIND: return false;
        case FORMAT_PR: return (word & 0xFF) != OP_VOTE;
        case FORMAT_SS: return (word & 0xFF) == OP_SRD;
        default: return !reads_time(word);
    }
}

#endif
