// The state of a warp and of a channel as somebody sees them who looks from outside, a debugger above all: copies, so
// that nobody needs to know how the units keep them.
#ifndef TANDEM_CMODEL_LOOK_H
#define TANDEM_CMODEL_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#define LOOK_WHY_MAX 160u
#define LOOK_PREDICATES 7u
#define LOOK_SCALARS 16u

// Where a warp stands, in few words: asked after every step.
struct warp_place {
    bool running;     // from its start to its end; the rest means nothing otherwise
    bool faulted;     // executes nothing more
    bool killed;      // its task is being stopped
    uint32_t serial;  // of its last instruction: differs after each one
    uint32_t pc;      // of its next instruction, of the one that has faulted, in instructions from its program's start
    uint32_t region;  // address of that start, in its channel's space
    uint32_t channel, slot;
    uint64_t active;  // threads
};

struct warp_look {
    struct warp_place place;
    const char *state;       // as WARP_STATE names it
    uint32_t last_pc;        // of its last instruction
    uint32_t cta[3], group;  // its CTA in the grid; the place that the CTA has in the SM
    uint32_t index, warps;   // which warp of the CTA, of how many
    uint32_t ntid[3], grid[3];
    uint32_t registers;                  // of a thread
    uint32_t shared_bytes;               // of the CTA
    uint32_t local, local_bytes;         // where local memory begins, in the channel's space; bytes of a thread
    uint32_t constants, constant_bytes;  // constant buffer 0, in the channel's space: the launch's arguments
    uint32_t threads;                    // of a warp
    uint64_t reason[16];  // threads by the reason they are off (table kind of the ISA); [0]: those that are on
    uint64_t predicates[LOOK_PREDICATES];
    uint32_t scalars[LOOK_SCALARS];
    uint32_t tokens;
    char why[LOOK_WHY_MAX];  // what it waits for; "" when nothing keeps it
};

struct token_look {
    uint32_t kind, addr, flags;  // kind: table kind of the ISA
    uint64_t mask;
};

struct channel_look {
    bool enabled, faulted, blocked, held;
    uint32_t code, info, pc;   // of the fault
    uint32_t get, put;         // entries of the ring
    uint64_t blocked_address;  // in its space, of the semaphore that an acquire waits for
    uint32_t blocked_payload;
    uint32_t space;  // where its space begins in device memory
    uint32_t tasks;  // that it has outstanding
};

#endif
