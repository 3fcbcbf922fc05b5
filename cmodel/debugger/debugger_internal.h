// State of a debugger, shared by the files of this folder.
#ifndef TANDEM_DEBUGGER_INTERNAL_H
#define TANDEM_DEBUGGER_INTERNAL_H

#include <signal.h>

#include "debugger/debugger.h"

struct breakpoint {
    bool used;
    char where[96];
    uint32_t *words;  // instruction indices, owned
    size_t count;
    uint64_t hits;
};

// Where a warp stood when a stop was told for it, so that it is not told again.
struct told {
    bool valid;
    uint32_t serial, pc;
    bool fault;  // its fault has been told
};

// Towards what it runs, and where the warp stood that is stepped.
struct aim {
    enum debugger_goal goal;
    struct debugger_thread who;
    struct warp_place place;
    uint32_t line;
    bool waits;           // for any warp to start
    bool begun;           // its first cycle is known
    uint64_t from, most;  // cycles
    uint64_t quiet_from, quiet_instructions;
};

struct debugger {
    struct debugger_options options;
    const struct ppu *ppu;
    const struct ppu_config *config;
    struct breakpoint breakpoints[DEBUGGER_BREAKPOINTS_MAX];  // number n is at n - 1
    uint8_t *marks;                                           // of each instruction: breakpoints that are there
    size_t marked;                                            // instructions with one
    struct told *told;                                        // [sm * warps + warp]
    struct aim aim;
    volatile sig_atomic_t interrupted;
};

// One line into why; returns 0.
unsigned debugger_refuse(char *why, size_t why_size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
