// How well the threads of warps kept together: warp instructions of a run against those that the same threads would
// have needed had they always waited for each other.
#ifndef TANDEM_TESTS_WARP_PATHS_H
#define TANDEM_TESTS_WARP_PATHS_H

#include <stdbool.h>
#include <stdint.h>

struct warp_paths {
    uint64_t executed;  // warp instructions without tokens
    uint64_t tokens;    // warp instructions that push tokens or yield: SSY, PBRK, PCONT, YIELD, ..
    uint64_t ideal;     // what `executed` is at best
};

// Reads a trace (trace=FILE of the device's name) of one launch in regular order and adds up its warps. False: the file
// cannot be read, has no instruction in it, or has more than the reader takes.
//
// The ideal: each thread takes the path through the code that it took, and every place of that path has a time, the
// number of its block in an order in which loops are in one piece, and with it, for each loop around it, the number of
// the iteration. Threads of a warp that are at a place at the same time need one instruction. So all meet again at
// immediate post-dominators, at the end of each iteration, and where conditions join early.
bool warp_paths_read(const char *file, struct warp_paths *paths);

#endif
