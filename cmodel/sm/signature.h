// Signature: one number that tells what the warps of a multiprocessor have done, whatever the order among them and the times.
// rtl/sm/signature.sv is its twin and tells how it is made.
#ifndef TANDEM_CMODEL_SM_SIGNATURE_H
#define TANDEM_CMODEL_SM_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/bundles.h"
#include "gen/registers.h"
#include "gen/trace.h"

#define SIGNATURE_WARPS_MAX 64u

struct signature {
    uint32_t lanes;
    uint32_t kinds, name, name_mask, place;  // SIGNATURE_KINDS, ..
    uint32_t sum, left;                      // SIGNATURE, SIGNATURE_LIMIT
    uint32_t names[SIGNATURE_WARPS_MAX];     // of the warps
};

// lanes: 2 to 32.
void signature_init(struct signature *signature, uint32_t lanes);
// Software writes what counts: one of the registers SIGNATURE_LIMIT to SIGNATURE_PLACE.
void signature_write(struct signature *signature, uint32_t offset, uint32_t value);

// The name of a warp: what it works on.
uint32_t signature_name(uint32_t tmd, const uint32_t cta[3], uint32_t index);
void signature_start(struct signature *signature, uint32_t warp, uint32_t name);

// The word of an event of the warp with this name, as these registers choose it. False: it does not count (names are not looked at).
bool signature_word(const struct signature *signature, const struct trace_event *event, uint32_t name, uint32_t *word);
// What the word adds to the sum.
uint32_t signature_product(const struct signature *signature, const struct trace_event *event, uint32_t word);
// INSTR, WB, MEM_REQ of an SM, in any order among warps; others are passed over.
void signature_event(struct signature *signature, const struct trace_event *event);

#endif
