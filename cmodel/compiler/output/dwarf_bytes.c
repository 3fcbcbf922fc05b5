// Numbers as DWARF writes them: see dwarf_bytes.h.
#include "compiler/output/dwarf_bytes.h"

void put_u8(struct text *to, unsigned value) {
    const char byte = (char)(value & 0xFFu);
    text_add(to, &byte, 1);
}

void put_u16(struct text *to, unsigned value) {
    put_u8(to, value);
    put_u8(to, value >> 8);
}

void put_u32(struct text *to, uint32_t value) {
    put_u16(to, value);
    put_u16(to, value >> 16);
}

void put_uleb(struct text *to, uint32_t value) {
    for (; value >= 0x80; value >>= 7)
        put_u8(to, value | 0x80);
    put_u8(to, value);
}

void put_sleb(struct text *to, int32_t value) {
    while (value < -64 || value > 63) {
        put_u8(to, (unsigned)value | 0x80);
        value = value < 0 ? ~(~value >> 7) : value >> 7;
    }
    put_u8(to, (unsigned)value & 0x7F);
}

void put_block(struct text *to, const struct text *bytes) {
    put_uleb(to, (uint32_t)bytes->size);
    text_add(to, bytes->data != NULL ? bytes->data : "", bytes->size);
}

void fix_u32(struct text *to, size_t at, uint32_t value) {
    for (unsigned k = 0; k < 4; k++)
        to->data[at + k] = (char)(value >> 8 * k & 0xFFu);
}
