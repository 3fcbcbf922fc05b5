#include "random_program.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "gen/save_handler.h"
#include "random_numbers.h"
#include "trap_handler.h"

#define TEXT_MAX (1u << 18)
#define DEPTH_MAX 4u
#define FUNCTIONS 3u
// R0..R11: data. R12: the buffer. R13: address. R16 + depth: loop counters. R20 + function: return addresses. R24 +
// function: the counter of its loops, its own, so that a loop that calls it ends. R27: the thread's own 16 bytes of shared
// memory, as a generic address.
#define DATA_REGISTERS 12u
#define REGISTERS 28u
#define LOCAL_BYTES 64u

struct maker {
    char *text;
    size_t used;
    uint64_t random;
    unsigned labels, statements;
    unsigned functions_below;  // only functions of lower number are called, so that calls end
    bool jumps;                // a long-jump token stands
    bool own;                  // threads reach only their own memory and registers: 16 bytes at R14, R27
    bool sequence;             // inside a sub-vector sequence: no other, no barrier
    uint32_t local;            // where the program's local memory begins
    bool traps;  // TRAPs here and there; where is no part of `random`, so that the rest is the same without
    uint64_t trap_random;
    bool yields, exits;  // the program may have them, then it has no barriers: those need all threads together
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

// "", "@P3 ", "@!P1 "
static const char *guard(struct maker *m, char text[8]) {
    text[0] = 0;
    if (pick(m, 3) == 0) snprintf(text, 8, "@%sP%u ", pick(m, 2) ? "!" : "", pick(m, 6));
    return text;
}

static uint32_t number(struct maker *m) {
    static const uint32_t corners[] = {0,          1,          2,          31,        32,         0x7FFFFFFF,
                                       0x80000000, 0xFFFFFFFF, 0xFF,       0x10000,   0x3F800000, 0xBF000000,
                                       0x4B7FFFFF, 0x7F7FFFFF, 0x7F800000, 0x7FC00000};
    return pick(m, 2) ? corners[pick(m, 16)] : pick(m, UINT32_MAX);
}

static void arithmetic(struct maker *m) {
    static const char *const two[] = {"IADD",  "ISUB",  "IMUL", "IMULHI",  "UMULHI",  "AND",     "OR",
                                      "XOR",   "SHL",   "SHR",  "SAR",     "IMIN",    "IMAX",    "UMIN",
                                      "UMAX",  "UBFE",  "IBFE", "IADDSAT", "UADDSAT", "ISUBSAT", "USUBSAT",
                                      "IABSD", "UABSD", "FADD", "FMUL",    "FMIN",    "FMAX"};
    static const char *const three[] = {"IMAD", "IMADHI", "UMADHI", "PRMT", "BFI", "FSHL", "FSHR", "FFMA"};
    static const char *const carry[] = {"IADDO", "IADDC", "ISUBO", "ISUBC"};
    static const char *const one[] = {"MOV",      "POPC",    "CLZ",     "BREV",     "F2I.RTZ",
                                      "F2I.URTE", "I2F.RTE", "I2F.RTN", "I2F.URTP", "FRND.RTE",
                                      "FRND.RTP", "FRCP",    "FRSQ",    "FEX2",     "FLG2"};
    char g[8], b[16];
    if (pick(m, 2)) {
        snprintf(b, sizeof b, "R%u", pick(m, DATA_REGISTERS));
    } else {
        snprintf(b, sizeof b, "0x%x", number(m));
    }
    const uint32_t rd = pick(m, DATA_REGISTERS), ra = pick(m, DATA_REGISTERS);
    switch (pick(m, 8)) {
        case 0: line(m, "%s%s R%u, %s", guard(m, g), one[pick(m, 15)], rd, b); break;
        case 1:
            line(m, "%s%s R%u, R%u, R%u, R%u", guard(m, g), three[pick(m, 8)], rd, ra, pick(m, DATA_REGISTERS),
                 pick(m, DATA_REGISTERS));
            break;
        case 2: line(m, "%sSEL R%u, R%u, %s, %sP%u", guard(m, g), rd, ra, b, pick(m, 2) ? "!" : "", pick(m, 7)); break;
        case 3: line(m, "%s%s R%u, R%u, %s, P%u", guard(m, g), carry[pick(m, 4)], rd, ra, b, pick(m, 6)); break;
        default: line(m, "%s%s R%u, R%u, %s", guard(m, g), two[pick(m, 27)], rd, ra, b); break;
    }
}

static void predicate(struct maker *m) {
    static const char *const compare[] = {"EQ", "NE", "LT", "LE", "GT", "GE", "ULT", "ULE", "UGT", "UGE"};
    static const char *const relation[] = {"OEQ", "UNE", "OLT", "OGE", "ULE", "UNO"};
    static const char *const logic[] = {"AND", "OR", "XOR"};
    char g[8];
    switch (pick(m, 6)) {
        case 0:
            line(m, "%sPSETP.%s P%u, %sP%u, P%u", guard(m, g), logic[pick(m, 3)], pick(m, 6), pick(m, 2) ? "!" : "",
                 pick(m, 7), pick(m, 7));
            break;
        case 1: line(m, "%sP2R R%u", guard(m, g), pick(m, DATA_REGISTERS)); break;
        case 2: line(m, "%sR2P R%u, 0x%x", guard(m, g), pick(m, DATA_REGISTERS), pick(m, 64)); break;
        case 4:
            line(m, "%sFSETP.%s P%u, R%u, R%u", guard(m, g), relation[pick(m, 6)], pick(m, 6), pick(m, DATA_REGISTERS),
                 pick(m, DATA_REGISTERS));
            break;
        case 3:
            line(m, "%sISETP.%s P%u, R%u, 0x%x", guard(m, g), compare[pick(m, 10)], pick(m, 6), pick(m, DATA_REGISTERS),
                 number(m));
            break;
        default:
            line(m, "%sISETP.%s P%u, R%u, R%u", guard(m, g), compare[pick(m, 10)], pick(m, 6), pick(m, DATA_REGISTERS),
                 pick(m, DATA_REGISTERS));
            break;
    }
}

// Each thread goes to one of the three memories, by predicates.
static void generic_memory(struct maker *m) {
    static const char *const sizes[] = {"U8", "S8", "U16", "S16", "32", "32"};
    static const uint32_t masks[] = {0xFF, 0xFF, 0xFE, 0xFE, 0xFC, 0xFC};
    static const char *const atoms[] = {"ADD", "MIN", "MAX",  "UMIN", "UMAX", "AND",
                                        "OR",  "XOR", "XCHG", "INC",  "DEC",  "SUB"};
    char g[8], rd[8];
    const uint32_t what = pick(m, 7), size = what < 3 ? 4 : pick(m, 6), step = pick(m, 3) * 0x01000000u;
    const uint32_t from = pick(m, DATA_REGISTERS), p = pick(m, 6), q = pick(m, 6);
    const uint32_t operand = pick(m, DATA_REGISTERS);
    snprintf(rd, sizeof rd, "R%u", pick(m, DATA_REGISTERS));
    if (pick(m, 10) == 0) snprintf(rd, sizeof rd, "RZ");
    if (m->own) {
        line(m, "AND R13, R%u, %u\n@P%u IADD R13, R13, R27\n@!P%u IADD R13, R13, R14", from, masks[size] & 15, p, p);
    } else {
        line(m, "AND R13, R%u, 0x%x\n@P%u IADD R13, R13, 0xFE000000\n@!P%u IADD R13, R13, R12", from, masks[size], p,
             p);
    }
    line(m, "@P%u AND R13, R%u, 0x%x\n@P%u IADD R13, R13, 0x%x", q, from, masks[size] & 0x3F, q, 0xFF000000 + m->local);
    if (what == 0) {
        line(m, "%sATOM.CAS %s, [R13], R%u, R%u", guard(m, g), rd, operand, pick(m, DATA_REGISTERS));
    } else if (what < 3) {
        line(m, "%sATOM.%s %s, [R13], R%u", guard(m, g), atoms[pick(m, 12)], rd, operand);
    } else {
        line(m, "ISUB R13, R13, 0x%x", step);  // the sum counts
        if (what < 5) {
            line(m, "%sST.%s [R13 + 0x%x], %s", guard(m, g), sizes[size], step, rd);
        } else {
            line(m, "%sLD.%s %s, [R13 + 0x%x]", guard(m, g), sizes[size], rd, step);
        }
    }
}

static void memory(struct maker *m) {
    static const char *const sizes[] = {"U8", "S8", "U16", "S16", "32", "32", "64", "128"};
    static const uint32_t masks[] = {0xFFF, 0xFFF, 0xFFE, 0xFFE, 0xFFC, 0xFFC, 0xFF8, 0xFF0};
    static const char *const atoms[] = {"ADD", "MIN", "MAX",  "UMIN", "UMAX", "AND",
                                        "OR",  "XOR", "XCHG", "INC",  "DEC",  "SUB"};
    char g[8], rd[8];
    const uint32_t size = pick(m, 8), align = size == 7 ? 4 : size == 6 ? 2 : 1;
    snprintf(rd, sizeof rd, "R%u", pick(m, DATA_REGISTERS / align) * align);
    if (pick(m, 10) == 0) snprintf(rd, sizeof rd, "RZ");
    const uint32_t from = pick(m, DATA_REGISTERS);
    const uint32_t what = pick(m, 9);
    if (what >= 7) {
        generic_memory(m);
        return;
    }
    if (m->own && what != 6) {
        line(m, "AND R13, R%u, 0x%x\nIADD R13, R13, R14", from, masks[size] & 15);
        if (pick(m, 3) == 0 && size < 6) {
            line(m, "AND R13, R13, -4\n%sATOMG.%s %s, [R13], R%u", guard(m, g), atoms[pick(m, 12)], rd,
                 pick(m, DATA_REGISTERS));
        } else if (pick(m, 2)) {
            line(m, "%sSTG.%s [R13], %s", guard(m, g), sizes[size], rd);
        } else {
            line(m, "%sLDG.%s %s, [R13]", guard(m, g), sizes[size], rd);
        }
        return;
    }
    switch (what) {
        case 6:
            line(m, "AND R13, R%u, 0x%x", from, masks[size % 6] & 0x3F);
            if (pick(m, 2)) {
                line(m, "%sSTL.%s [R13 + %u], %s", guard(m, g), sizes[size % 6], m->local, rd);
            } else {
                line(m, "%sLDL.%s %s, [R13 + %u]", guard(m, g), sizes[size % 6], rd, m->local);
            }
            break;
        case 0:
            line(m, "AND R13, R%u, 0xFFC\nIADD R13, R13, R12", from);
            if (pick(m, 4) == 0) {
                line(m, "%sATOMG.CAS %s, [R13 + %u], R%u, R%u", guard(m, g), size < 6 ? rd : "RZ", 4 * pick(m, 8),
                     pick(m, DATA_REGISTERS), pick(m, DATA_REGISTERS));
            } else {
                line(m, "%sATOMG.%s %s, [R13 + %u], R%u", guard(m, g), atoms[pick(m, 12)], size < 6 ? rd : "RZ",
                     4 * pick(m, 8), pick(m, DATA_REGISTERS));
            }
            break;
        case 1: line(m, "AND R13, R%u, 0x30\n%sLDC.%s %s, c[0][R13]", from, guard(m, g), sizes[size], rd); break;
        case 2:
        case 3:
            line(m, "AND R13, R%u, 0x%x\nIADD R13, R13, R12\n%sSTG.%s [R13 + %u], %s", from, masks[size], guard(m, g),
                 sizes[size], 16 * pick(m, 8), rd);
            break;
        default:
            line(m, "AND R13, R%u, 0x%x\nIADD R13, R13, R12\n%sLDG.%s %s, [R13 + %u]", from, masks[size], guard(m, g),
                 sizes[size], rd, 16 * pick(m, 8));
            break;
    }
}

// Scalar registers (S0 is the loop's), SHFL, and a software sub-vector loop around some statements without control.
static void scalar(struct maker *m) {
    char g[8];
    switch (pick(m, 8)) {
        case 0: line(m, "%sSMOV S%u, 0x%x", guard(m, g), 1 + pick(m, 15), number(m)); break;
        case 1:
            line(m, "%sSMOV S%u, %s", guard(m, g), 1 + pick(m, 15),
                 (const char *[]){"S1", "S2", "S9", "EXEC_LO", "EXEC_HI"}[pick(m, 5)]);
            break;
        case 2: line(m, "%sR2S S%u, R%u", guard(m, g), 1 + pick(m, 15), pick(m, DATA_REGISTERS)); break;
        case 3: line(m, "%sVOTE S%u", guard(m, g), 2 + 2 * pick(m, 7)); break;
        case 4: line(m, "%sSRD R%u, S%u", guard(m, g), pick(m, DATA_REGISTERS), 1 + pick(m, 15)); break;
        case 5: line(m, "%sSRD R%u, EXEC_%s", guard(m, g), pick(m, DATA_REGISTERS), pick(m, 2) ? "LO" : "HI"); break;
        case 6: {
            char b[16];
            snprintf(b, sizeof b, pick(m, 4) ? "R%u" : "%u", pick(m, DATA_REGISTERS));
            line(m, "%sSHFL R%u, R%u, %s", guard(m, g), pick(m, DATA_REGISTERS), pick(m, DATA_REGISTERS), b);
            break;
        }
        default: {
            const unsigned l = m->labels++;
            line(m, "SVLOOP_BEGIN after%u\nfirst%u:", l, l);
            for (uint32_t i = 1 + pick(m, 5); i > 0; i--) {
                const uint32_t what = pick(m, 4);
                if (what == 0) {
                    memory(m);
                } else if (what == 1) {
                    predicate(m);
                } else {
                    arithmetic(m);
                }
            }
            line(m, "SVLOOP_END first%u\nafter%u:", l, l);
            break;
        }
    }
}

static void block(struct maker *m, unsigned depth, unsigned loop);

static void choice(struct maker *m, unsigned depth, unsigned loop) {
    const unsigned l = m->labels++;
    line(m, "SSY end%u\n@%sP%u %s else%u", l, pick(m, 2) ? "!" : "", pick(m, 6),
         pick(m, 3) == 0           ? "JMP"
         : m->yields && pick(m, 2) ? "BRA.NTH"
                                   : "BRA",
         l);
    block(m, depth + 1, loop);
    line(m, "SYNC end%u\nelse%u:", l, l);
    if (pick(m, 2)) {
        line(m, "@P%u SYNC end%u", pick(m, 6), l);
        block(m, depth + 1, loop);
    }
    line(m, "SYNC end%u\nend%u:", l, l);
}

static void repeat(struct maker *m, unsigned depth) {
    const unsigned l = m->labels++, counter = m->functions_below == FUNCTIONS ? 16 + depth : 24 + m->functions_below;
    line(m, "AND R%u, R%u, %u\nPBRK out%u\nloop%u:", counter, pick(m, DATA_REGISTERS), pick(m, 2) ? 1 : 3, l, l);
    const bool inner = pick(m, 3) == 0;
    if (inner) line(m, "PCONT next%u", l);
    block(m, depth + 1, l + 1);
    if (inner) line(m, "@P%u CONT next%u", pick(m, 6), l);
    if (inner) line(m, "MOV R%u, 0x%x\nCONT next%u\nnext%u:", pick(m, DATA_REGISTERS), number(m), l, l);
    line(m, "ISUB R%u, R%u, 1\nISETP.LT P6, R%u, 0\n@P6 BRK out%u\nBRA%s loop%u\nout%u:", counter, counter, counter, l,
         m->yields && pick(m, 2) ? ".NTH" : "", l, l);
}

// In functions there is none: they are called from sequences.
static void sequence(struct maker *m, unsigned depth, unsigned loop) {
    const unsigned l = m->labels++;
    line(m, "SVSTART%s after%u", (const char *[]){"", ".ALWAYS", ".AUTO"}[pick(m, 3)], l);
    m->sequence = true;
    block(m, depth + 1, loop);
    m->sequence = false;
    line(m, "SVEND\nafter%u:", l);
}

static void statement(struct maker *m, unsigned depth, unsigned loop) {
    const uint32_t what = pick(m, 32);
    m->statements++;
    if (m->traps && random_below(&m->trap_random, depth == 0 ? 8 : 24) == 0) line(m, "TRAP trap_handler");
    if (depth == 0 && !m->yields && !m->exits && !m->sequence && pick(m, 8) == 0) {
        line(m, "BAR");
        return;
    }
    if (m->jumps && pick(m, 40) == 0) {
        line(m, "@P%u LONGJMP", pick(m, 6));
        return;
    }
    if (!m->sequence && m->functions_below == FUNCTIONS && depth < DEPTH_MAX && pick(m, 12) == 0) {
        sequence(m, depth, loop);
    } else if (!m->own && pick(m, 10) == 0) {
        scalar(m);
    } else if (what < 14) {
        arithmetic(m);
    } else if (what < 18) {
        predicate(m);
    } else if (what < 24) {
        memory(m);
    } else if (what < 27 && depth < DEPTH_MAX && m->statements < 150) {
        choice(m, depth, loop);
    } else if (what < 29 && depth < DEPTH_MAX && m->statements < 150) {
        repeat(m, depth);
    } else if (what == 29 && m->functions_below > 0) {
        const unsigned f = pick(m, m->functions_below);
        line(m, "%s R%u, function%u", pick(m, 2) ? "CAL" : "JCAL", 20 + f, f);
    } else if (what == 30) {
        if (loop != 0 && pick(m, 2))
            line(m, "@P%u BRK out%u", pick(m, 6), loop - 1);
        else if (m->yields)
            line(m, "YIELD");
    } else if (what == 31 && m->exits && pick(m, 2)) {
        line(m, "@P%u EXIT", pick(m, 6));
    } else {
        line(m, pick(m, 2) ? "MEMBAR" : "NOP");
    }
}

static void block(struct maker *m, unsigned depth, unsigned loop) {
    const uint32_t count = 1 + pick(m, depth == 0 ? 24 : 6);
    for (uint32_t i = 0; i < count; i++)
        statement(m, depth, loop);
}

static const char *const wrong[] = {"LDG.32 R1, [-32]",
                                    "STG.U16 [1], R1",
                                    "SSY +0",
                                    "CAL RZ, +0",
                                    "YIELD",
                                    "BAR",
                                    "LDC.32 R1, c[0][0xFFFC]",
                                    "LDL.32 R1, [64]",
                                    "STL.U16 [63], R1",
                                    "LD.32 R1, [0xFE000100]",
                                    "ST.U8 [0xFF000040], R1",
                                    "LD.32 R1, [0xFE000002]",
                                    "LD.32 R1, [0xFDFFFFFC]"};

enum more { NOTHING_MORE, TRAPS, SAVES };

static void make(uint64_t seed, uint32_t threads, bool own, enum more more, struct random_program *to) {
    const bool traps = more == TRAPS;
    struct maker m = {.own = own, .random = seed, .traps = traps, .trap_random = seed + 1};
    if (more == SAVES) m.local = SAVE_OWN_BYTES;
    for (unsigned i = 0; i < 5; i++)
        (void)pick(&m, 2);
    m.text = malloc(TEXT_MAX);
    if (m.text == NULL) abort();
    m.yields = pick(&m, 2) != 0;
    m.exits = pick(&m, 3) == 0;
    to->grid = 1 + pick(&m, 4);
    to->cta = 1 + pick(&m, threads);
    if (more == SAVES) line(&m, ".handler");
    line(&m, ".kernel random\n.registers %u\n.local_bytes %u\n.shared_bytes %u\n.arg global data", REGISTERS,
         m.local + LOCAL_BYTES + (traps ? trap_handler_bytes(REGISTERS) : 0), own ? 16 * to->cta : 256);
    if (more == SAVES) line(&m, ".saves 1");
    line(&m,
         "LDC.32 R12, c[0][64]\nS2R R0, SR_TID_X\nS2R R1, SR_CTAID_X\nIMAD R2, R0, R0, R1\nS2R R3, SR_LANEID\nBREV R4, "
         "R0\nS2R R5, SR_WARPID");
    line(&m, "R2P R2, 0x3F");
    for (unsigned i = 0; i < 64; i += 4)
        line(&m, "STL.32 [%u], R%u", m.local + i, i / 4 % 6);
    if (own)
        line(&m,
             "S2R R15, SR_NTID_X\nIMAD R14, R15, R1, R0\nSHL R14, R14, 4\nIADD R14, R14, R12\nSHL R27, R0, 4\n"
             "IADD R27, R27, 0xFE000000");
    m.functions_below = FUNCTIONS;
    // A thread that yields may find its exit or long-jump token gone, so with YIELD races decide who gets there.
    const bool tokens = !(own && m.yields);
    const bool last = pick(&m, 4) == 0 && tokens;
    if (last) line(&m, "PEXIT last");
    block(&m, 0, 0);
    m.jumps = pick(&m, 3) == 0 && tokens;
    if (m.jumps) line(&m, "PLONGJMP handler");
    block(&m, 1, 0);
    if (m.jumps) line(&m, "LONGJMP\nhandler:");
    m.jumps = false;
    block(&m, 0, 0);
    // Now and then one thread reaches where it may not.
    if (!own && pick(&m, 8) == 0) line(&m, "ISETP.EQ P0, R0, %u\n@P0 %s", pick(&m, to->cta), wrong[pick(&m, 13)]);
    if (own) {  // what the data registers and predicates hold goes to memory too
        for (unsigned r = 0; r < 8; r++)
            line(&m, "SHL R%u, R%u, 1\nXOR R%u, R%u, R%u", 8 + r % 4, 8 + r % 4, 8 + r % 4, 8 + r % 4, r);
        line(&m,
             "P2R R15\nXOR R8, R8, R15\nLDG.128 R0, [R14]\nXOR R8, R8, R0\nIMAD R9, R9, R8, R1\nXOR R10, R10, R2\n"
             "XOR R11, R11, R3\nSTG.128 [R14], R8\nEXIT");
    } else
        line(&m, "SHL R13, R0, 2\nAND R13, R13, 0x1FC\nIADD R13, R13, R12\nSTG.32 [R13 + 0x1800], R2\nEXIT");
    if (last)
        line(&m, own ? "last: STG.32 [R14], R3\nEXIT"
                     : "last: AND R13, R0, 0x1FC\nIADD R13, R13, R12\nSTG.32 [R13 + 0x1A00], R3\nEXIT");
    for (unsigned f = FUNCTIONS; f-- > 0;) {
        m.functions_below = f;
        line(&m, "function%u:", f);
        block(&m, DEPTH_MAX - 1, 0);
        line(&m, "@P%u RET R%u", pick(&m, 6), 20 + f);
        block(&m, DEPTH_MAX - 1, 0);
        line(&m, "RET R%u", 20 + f);
    }
    if (traps) {
        char *handler = trap_handler_text(REGISTERS, LOCAL_BYTES);
        line(&m, "%s", handler);
        free(handler);
    }
    to->text = m.text;
}

void random_program_make(uint64_t seed, uint32_t threads, struct random_program *to) {
    make(seed, threads, false, NOTHING_MORE, to);
}

void random_program_make_free(uint64_t seed, uint32_t threads, struct random_program *to) {
    make(seed, threads, true, NOTHING_MORE, to);
}

void random_program_make_trapped(uint64_t seed, uint32_t threads, bool own, struct random_program *to) {
    make(seed, threads, own, TRAPS, to);
}

void random_program_make_saving(uint64_t seed, uint32_t threads, struct random_program *to) {
    make(seed, threads, true, SAVES, to);
}
