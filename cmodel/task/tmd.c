// Fields of a TMD by name.
#include "task/tmd.h"

struct bits {
    uint32_t high, low, stride;
};

static const struct bits fields[TMD_FIELD_COUNT] = {
#define X(name, high, low, stride) {high, low, stride},
    TMD_FIELDS(X)
#undef X
};

// RELEASE1 and the later constant buffers stand further on.
static uint32_t low_bit(enum tmd_field field, unsigned index) {
    return fields[field].low + index * fields[field].stride;
}

// Fields of more than one word's width do not exist, but a field may lie across two words.
static uint64_t field_mask(enum tmd_field field) {
    return (UINT64_C(2) << (fields[field].high - fields[field].low)) - 1;
}

uint32_t tmd_get(const uint32_t tmd[TMD_WORDS], enum tmd_field field, unsigned index) {
    const uint32_t low = low_bit(field, index), word = low / 32;
    uint64_t value = tmd[word];
    if (word + 1 < TMD_WORDS) value |= (uint64_t)tmd[word + 1] << 32;
    return (uint32_t)(value >> low % 32 & field_mask(field));
}

void tmd_set(uint32_t tmd[TMD_WORDS], enum tmd_field field, unsigned index, uint32_t value) {
    const uint32_t low = low_bit(field, index), word = low / 32;
    const uint64_t mask = field_mask(field) << low % 32, bits = (uint64_t)value << low % 32 & mask;
    tmd[word] = (tmd[word] & ~(uint32_t)mask) | (uint32_t)bits;
    if (mask >> 32 != 0) tmd[word + 1] = (tmd[word + 1] & ~(uint32_t)(mask >> 32)) | (uint32_t)(bits >> 32);
}
