// Options: which parts of a program run in sub-vector order, and how. No global state.
#ifndef TANDEM_COMPILER_OPTIONS_SUBVECTOR_H
#define TANDEM_COMPILER_OPTIONS_SUBVECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ppu_config;

enum subvector_way {
    SUBVECTOR_OFF,           // everything in regular order
    SUBVECTOR_INSTRUCTIONS,  // SVSTART .. SVEND around a segment; what lives only inside goes to shared rows
    SUBVECTOR_AUTO,          // SVSTART.AUTO .. SVEND: the PPU decides by its miss rate; shared rows only when asked for
    SUBVECTOR_COPIES,        // the segment's code once for each portion, each for its threads alone
    SUBVECTOR_LOOP,          // SVLOOP_BEGIN .. SVLOOP_END: the low half of the warp, then the high half
};
enum segment_cut {
    CUT_PRESSURE,   // maximal runs in which more registers than the threshold are alive, and those in which fewer are
    CUT_LOOPS,      // outermost loops
    CUT_FUNCTIONS,  // what each call in the kernel brought in
    CUT_RUNS,       // straight runs of instructions
};
enum threshold_kind {
    THRESHOLD_COMPUTED,  // the largest that lets most warps of the target be resident
    THRESHOLD_FIXED,     // THRESHOLD_REGISTERS
    THRESHOLD_SHARE,     // `threshold` percent of the registers that a lane of the target has for one thread
    THRESHOLD_SET,       // `threshold`
};
enum { THRESHOLD_REGISTERS = 32 };

// All-zero: off.
struct subvector_options {
    enum subvector_way way;
    enum segment_cut cut;
    enum threshold_kind threshold_kind;
    uint32_t threshold;
    bool everywhere;      // sub-vector order is the default, regular order goes around segments under the threshold
    bool no_shared_rows;  // all registers private
    bool shared_rows;     // with SUBVECTOR_AUTO too
    bool all_segments;    // those that save nothing too
    const char *target;   // named configuration whose portions and register file count; NULL: small
};

// Sets an option from text: way (instructions, auto, copies, loop, off), cut (pressure, loop, function, run), threshold
// (computed, fixed, N: 0 to 255 registers, N%: 1 to 100), default (regular, subvector), rows (shared, private), target
// (a named configuration; kept as the pointer). False: name or value is unknown, *expected says what is.
bool subvector_set(struct subvector_options *options, const char *name, const char *value, const char **expected);

// The configuration to reckon with. NULL: there is none of that name.
const struct ppu_config *subvector_target(const struct subvector_options *options);

#ifdef __cplusplus
}
#endif

#endif
