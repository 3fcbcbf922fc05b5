// Which order sub-vector sequences are executed in, and what is learned about regions of programs. Twin of
// rtl/sm/subvector.sv, which tells how.
#ifndef TANDEM_CMODEL_SM_SUBVECTOR_H
#define TANDEM_CMODEL_SM_SUBVECTOR_H

#include <stdbool.h>
#include <stdint.h>

enum { SUBVECTOR_REGIONS_MAX = 4, SUBVECTOR_WARPS_MAX = 64, SUBVECTOR_NONE = 0xFF };

// A region: the address of an SVSTART.AUTO.
struct subvector_region {
    bool valid;
    uint32_t channel, address;
    bool second, trial, steady;
    uint32_t reads, misses;  // of the window under way; its cycles are the RTL's
    uint32_t cost;           // mean cycles of windows, the last one counts half; in a trial of those before it
    uint32_t before;         // .. of the order before, or what the last trial did not beat; none: UINT32_MAX
    uint32_t wait, back;
    bool doubt;  // the last window was dear
    bool begun;  // in this one a warp has come while none was in the region
};

struct subvector_warp {
    bool inside;  // in a region
    bool fixed;   // and stays in the second order
    bool second;
    uint32_t region;
};

struct subvector {
    uint32_t warps, window, region_count;
    struct subvector_region regions[SUBVECTOR_REGIONS_MAX];
    uint32_t next;
    struct subvector_warp warp[SUBVECTOR_WARPS_MAX];
    uint32_t counted;  // region of the read that was counted last, or SUBVECTOR_NONE
};

// warps: at most SUBVECTOR_WARPS_MAX. regions: SV_REGIONS, 1 to SUBVECTOR_REGIONS_MAX.
void subvector_init(struct subvector *subvector, uint32_t warps, uint32_t l1_lines, uint32_t regions);

struct subvector_request {
    uint32_t warp, channel, address;  // of the SVSTART
    uint32_t mod;                     // table sv
    uint32_t setting;                 // SV_ORDER
    uint32_t threshold;               // SV_THRESHOLD
    bool shares;                      // the warp has shared rows
};
struct subvector_answer {
    bool second;      // portion by portion; else instruction by instruction
    bool watch;       // the order may change inside the sequence
    uint32_t region;  // that the warp is in, or SUBVECTOR_NONE
};
// An SVSTART that a thread executes: its warp may be in a region from now on.
struct subvector_answer subvector_start(struct subvector *subvector, const struct subvector_request *request);
// A BRA.TURN that a thread of the warp executes: the warp takes its region's order, unless that is the first and portions
// of it still wait for their turn. Before subvector_order().
void subvector_turn(struct subvector *subvector, uint32_t warp, bool split);
// What control instructions of the warp must know, and its loads.
struct subvector_answer subvector_order(const struct subvector *subvector, uint32_t warp);
// Its SVEND token has left the deque, or it has ended.
void subvector_leave(struct subvector *subvector, uint32_t warp);

// A read of a load that was issued in the region. False: a window ended before it, and nobody said so.
bool subvector_read(struct subvector *subvector, uint32_t region);
// That read hits.
void subvector_hit(struct subvector *subvector);

struct subvector_window {
    uint32_t reads, misses;
    bool second, trial;  // of the region from now on
};
// The region's window ends after so many cycles. False: it does not.
bool subvector_window(struct subvector *subvector, uint32_t region, uint32_t cycles, uint32_t threshold,
                      struct subvector_window *window);

// A region of the kernel whose code lies there is in the first order, and rates count with these values of SV_ORDER and
// SV_THRESHOLD.
bool subvector_looks_first(const struct subvector *subvector, uint32_t setting, uint32_t threshold, uint32_t channel,
                           uint32_t base, uint32_t size);

#endif
