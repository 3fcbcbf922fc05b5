// Task metadata (TMD): the 256 bytes of a QMD 01_06 of the public compute class, and what ours adds in bits that 01_06
// leaves unused. Bit positions are the public ones (tmd.tbl); read and write fields only through tmd_get and tmd_set.
#ifndef TANDEM_TASK_TMD_H
#define TANDEM_TASK_TMD_H

#include <stdint.h>

#include "gen/tmd.h"

#define TMD_BYTES 256u
#define TMD_WORDS 64u

enum tmd_field {
#define X(name, high, low, stride) TMD_##name,
    TMD_FIELDS(X)
#undef X
        TMD_FIELD_COUNT
};

// index: which RELEASE or CONSTANT_BUFFER; 0 for every other field. Values wider than the field are cut to its low
// bits.
uint32_t tmd_get(const uint32_t tmd[TMD_WORDS], enum tmd_field field, unsigned index);
void tmd_set(uint32_t tmd[TMD_WORDS], enum tmd_field field, unsigned index, uint32_t value);

#endif
