// Command blocks made word by word: what a driver would not write.
#ifndef TANDEM_TESTS_RAW_BLOCKS_H
#define TANDEM_TESTS_RAW_BLOCKS_H

#include <stdint.h>

#include "driver/tandem.h"

#define BLOCK_WORDS 256u

// Headers, by the positions of the public class.
#define INC(method, count) (1u << 29 | (uint32_t)(count) << 16 | (method) / 4u)
#define NON_INC(method, count) (3u << 29 | (uint32_t)(count) << 16 | (method) / 4u)
#define IMMD(method, data) (4u << 29 | (uint32_t)(data) << 16 | (method) / 4u)
#define ONE_INC(method, count) (5u << 29 | (uint32_t)(count) << 16 | (method) / 4u)
#define END_SEGMENT (7u << 29)
#define ON(subchannel) ((uint32_t)(subchannel) << 13)
enum { SEMA = 0x10, SEMB = 0x14, SEMC = 0x18, SEMD = 0x1C, REFERENCE = 0x50 };
enum { ACQUIRE = 1, RELEASE = 2, ACQ_GEQ = 4, ACQ_AND = 8, REDUCTION = 16 };
#define RELEASE_NOW (RELEASE | 1u << 20 | 1u << 24)  // without a wait for idle, four bytes

struct blocks {
    const char *name;
    struct tandem_device *device;
    struct tandem_channel *channel;  // number 0
    uint32_t space;                  // bytes of the device's own one, from address 0 on
    tandem_addr block, words;        // words: 16, in two lines
    uint32_t text[BLOCK_WORDS], count;
};

struct blocks blocks_begin(const char *name);
void blocks_end(struct blocks *b);
void block_put(struct blocks *b, uint32_t word);
// The four methods of a semaphore operation.
void block_semaphore(struct blocks *b, uint32_t address, uint32_t payload, uint32_t operation);
// Hands over what has been put as one block; as two, the first with so many words.
void block_submit(struct blocks *b);
void block_submit_in_two(struct blocks *b, uint32_t first);
// Hands it over: it ends without a fault, or with this one.
void block_passes(struct blocks *b, const char *what);
void block_faults(struct blocks *b, uint32_t code, uint32_t info, const char *what);
// What has been handed over must end with this fault; the channel is reset then.
void expect_block_fault(struct blocks *b, uint32_t code, uint32_t info, const char *what);

#endif
