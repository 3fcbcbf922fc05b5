// Random work for a channel of the host interface: rings of every size, command blocks with legal methods and, now and
// then, everything that is not legal. Used by host_interface_bench.
#ifndef TANDEM_TESTS_RTL_HOST_PROGRAM_H
#define TANDEM_TESTS_RTL_HOST_PROGRAM_H

#include "bench.h"

// Places in a channel's address space.
#define PROGRAM_SPACE 0x40000u       // bytes
#define PROGRAM_SEMAPHORES 0x00000u  // 64 words
#define PROGRAM_SEMAPHORE_WORDS 64u
#define PROGRAM_RING 0x01000u  // up to 40 entries
#define PROGRAM_MAX_ENTRIES 40u
#define PROGRAM_BLOCKS 0x02000u  // a block for each entry
#define PROGRAM_BLOCK_BYTES 0x200u

enum { OP_INC = 1, OP_NON_INC = 3, OP_IMMD = 4, OP_ONE_INC = 5 };

struct program {
    struct bench *bench;
    uint32_t words[PROGRAM_BLOCK_BYTES / 4];
    uint32_t count;
    uint32_t left_over;  // data words that the channel's next block has to begin with
    bool object;         // the compute class is bound
};

static inline void program_word(struct program *p, uint32_t word) {
    if (p->count < PROGRAM_BLOCK_BYTES / 4) p->words[p->count++] = word;
}

static inline void program_header(struct program *p, uint32_t op, uint32_t count, uint32_t subchannel,
                                  uint32_t method) {
    program_word(p, op << 29 | count << 16 | subchannel << 13 | method / 4);
}

static inline void program_method(struct program *p, uint32_t subchannel, uint32_t method, uint32_t data) {
    if (data < 0x2000 && bench_chance(p->bench, 1, 2)) {
        program_header(p, OP_IMMD, data, subchannel, method);
    } else {
        static const uint32_t ops[] = {OP_INC, OP_NON_INC, OP_ONE_INC};
        program_header(p, ops[bench_below(p->bench, 3)], 1, subchannel, method);
        program_word(p, data);
    }
}

static inline uint32_t program_payload(struct bench *b) {
    switch (bench_below(b, 5)) {
        case 0: return bench_below(b, 4);
        case 1: return 0u - bench_below(b, 4);
        case 2: return 0x7FFFFFFEu + bench_below(b, 4);
        default: return (uint32_t)bench_random(b);
    }
}

static inline void program_semaphore(struct program *p) {
    struct bench *b = p->bench;
    static const uint32_t kinds[] = {1, 2, 2, 2, 4, 4, 8, 16, 16, 16, 16};
    const uint32_t kind =
        bench_chance(b, 1, 150) ? bench_below(b, 32) : kinds[bench_below(b, sizeof kinds / sizeof kinds[0])];
    uint32_t d = ((uint32_t)bench_random(b) & ~31u) | kind;
    if (bench_chance(b, 99, 100)) d &= ~(8u << 27);
    uint32_t addr = PROGRAM_SEMAPHORES + 4 * bench_below(b, PROGRAM_SEMAPHORE_WORDS);
    if (bench_chance(b, 29, 30) && kind == 2 && (d >> 24 & 1) == 0) addr &= ~15u;
    if (bench_chance(b, 1, 200)) addr |= bench_below(b, 4);
    if (bench_chance(b, 1, 200)) addr = PROGRAM_SPACE + 4 * bench_below(b, bench_chance(b, 1, 2) ? 1u << 15 : 1u << 20);
    program_header(p, OP_INC, 4, bench_below(b, 8), 0x10);
    program_word(p, bench_chance(b, 1, 200) ? bench_below(b, 256) : (uint32_t)bench_random(b) & ~0xFFu);
    program_word(p, addr);
    program_word(p, kind == 8 ? (uint32_t)bench_random(b) : program_payload(b));
    program_word(p, d);
}

static inline void program_compute(struct program *p) {
    struct bench *b = p->bench;
    static const uint32_t methods[] = {0x100, 0x110, 0x21C, 0x2B4, 0x2BC, 0x2BC, 0x160C, 0x1608, 0x790, 0x794};
    if (!p->object) {
        if (bench_chance(b, 49, 50)) program_method(p, 1, 0x00, 0xA0C0);
        p->object = true;
    }
    if (bench_chance(b, 1, 3)) {  // a launch
        uint32_t tmd = (uint32_t)bench_random(b) >> 8;
        if (bench_chance(b, 1, 30))
            tmd = bench_chance(b, 1, 2) ? (uint32_t)bench_random(b) : tmd | 1u << (24 + bench_below(b, 8));
        program_method(p, 1, 0x2B4, tmd);
        if (bench_chance(b, 1, 8)) {  // twice by one header
            program_header(p, OP_NON_INC, 2, 1, 0x2BC);
            program_word(p, 2 | bench_below(b, 2));
            program_word(p, 2 | bench_below(b, 2));
            return;
        }
        program_method(p, 1, 0x2BC, 2 | bench_below(b, 2));
        return;
    }
    const uint32_t method = methods[bench_below(b, 10)];
    program_method(p, 1, method,
                   method == 0x1608 || method == 0x790 ? (bench_chance(b, 1, 40) ? 1u << bench_below(b, 32) : 0)
                                                       : (uint32_t)bench_random(b));
}

// A run of data words that nothing depends on; it may be cut off, its rest then starts the next block.
static inline void program_run(struct program *p) {
    struct bench *b = p->bench;
    const uint32_t subchannel = bench_below(b, 8), count = bench_below(b, 20);
    const uint32_t cut = bench_chance(b, 1, 8) ? bench_below(b, count + 1) : 0;
    switch (bench_below(b, 3)) {
        case 0: program_header(p, OP_NON_INC, count, subchannel, 0x08); break;
        case 1: program_header(p, OP_NON_INC, count, subchannel, 0x18); break;
        default: program_header(p, OP_ONE_INC, count, subchannel, 0x14); break;  // SEMAPHOREB, then SEMAPHOREC
    }
    for (uint32_t i = cut; i < count; i++)
        program_word(p, (uint32_t)bench_random(b));
    p->left_over = cut;
}

static inline void program_nonsense(struct program *p) {
    struct bench *b = p->bench;
    static const uint32_t methods[] = {0x00, 0x04, 0x0C, 0x24, 0x54, 0xFC, 0x100, 0x104, 0x2B0, 0x2BC, 0x22BC, 0x3FFC};
    switch (bench_below(b, 7)) {
        case 0: program_word(p, 2u << 29 | bench_below(b, 1u << 29)); break;
        case 1: program_word(p, 6u << 29 | bench_below(b, 1u << 29)); break;
        case 2: program_word(p, 0xE0000000u + 1 + bench_below(b, 1000)); break;
        case 3: program_word(p, 1 + bench_below(b, (1u << 29) - 1)); break;
        case 4: program_word(p, (uint32_t)bench_random(b)); break;
        case 5: program_method(p, bench_below(b, 8), 0x00, 0xA0C0); break;  // mostly where the class may not be bound
        default: program_method(p, bench_below(b, 8), methods[bench_below(b, 12)], (uint32_t)bench_random(b)); break;
    }
}

// The next command block of a channel, in p->words; 0 to PROGRAM_BLOCK_BYTES / 4 words.
static inline void program_block(struct program *p) {
    struct bench *b = p->bench;
    p->count = 0;
    for (; p->left_over != 0; p->left_over--)
        program_word(p, (uint32_t)bench_random(b));
    for (uint32_t i = bench_below(b, 12); i > 0 && p->left_over == 0; i--) {
        switch (bench_below(b, 12)) {
            case 0:
            case 1:
            case 2: program_semaphore(p); break;
            case 3:
            case 4: program_compute(p); break;
            case 5: program_run(p); break;
            case 6: program_method(p, bench_below(b, 8), 0x50, program_payload(b)); break;
            case 7: program_method(p, bench_below(b, 8), 0x78, bench_below(b, 2)); break;
            case 8: program_method(p, bench_below(b, 8), 0x80, bench_below(b, 4)); break;
            case 9:
                program_method(p, bench_below(b, 8), bench_chance(b, 1, 4) ? 0x20 : 0x08, (uint32_t)bench_random(b));
                break;
            case 10:
                for (uint32_t n = bench_below(b, 5); n > 0; n--)
                    program_word(p, 0);
                program_header(p, OP_INC, 0, 3, 0x1234 & ~3u);
                break;
            default:
                if (bench_chance(b, 1, 25)) program_nonsense(p);
                if (bench_chance(b, 1, 25)) {
                    program_word(p, 0xE0000000u);
                    program_nonsense(p);
                    return;
                }
                break;
        }
    }
}

// The GP entry for a block of `words` words at `addr`.
static inline void program_entry(struct program *p, uint32_t addr, uint32_t words, uint32_t entry[2]) {
    struct bench *b = p->bench;
    entry[0] = addr | bench_below(b, 4);
    entry[1] = words << 10 | bench_below(b, 2) << 9 | bench_below(b, 2) << 8 | bench_below(b, 2) << 31;
    if (words == 0) {
        entry[0] = (uint32_t)bench_random(b);
        if (bench_chance(b, 1, 30)) entry[1] |= bench_below(b, 256);
    } else if (bench_chance(b, 1, 300)) {
        entry[1] |= bench_below(b, 256);
    } else if (bench_chance(b, 1, 300)) {
        entry[0] = PROGRAM_SPACE - 4 * bench_below(b, 9);  // runs out of the space
    }
}

#endif
