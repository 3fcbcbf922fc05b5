// Accesses of memory, as wide as they can be: see access.c.
#ifndef TANDEM_COMPILER_SELECT_ACCESS_H
#define TANDEM_COMPILER_SELECT_ACCESS_H

#include "compiler/select/selection.h"

// An address for loads and stores.
struct address {
    uint32_t base, offset;
    enum memory_kind memory;
};
bool is_buffer(const struct address *at);  // a constant buffer
// Bytes of the widest access there is to this memory: 4, or 16 where there are tuples (tuples.h).
unsigned access_most(const struct address *at);
// One access of `size` bytes (1, 2, 4, 8 or 16, at most access_most()), `offset` behind the address; its alignment must
// be known. The register, or the first of the tuple, is given.
void load_to(struct selection *s, const struct address *at, uint32_t offset, unsigned size, bool is_signed,
             uint32_t to);
void store_from(struct selection *s, const struct address *at, uint32_t offset, unsigned size, uint32_t from);
// A value of 1, 2 or 4 bytes, of which `alignment` is known: less than the size means piece by piece.
uint32_t load_value(struct selection *s, const struct address *at, uint32_t offset, unsigned size, unsigned alignment,
                    bool is_signed);
// `count` parts of `size` bytes (1, 2 or 4) that lie one behind the other, in as few accesses as the alignment allows
// (of the first part; 0: the part's own). Narrow parts come extended by zeros.
void load_parts(struct selection *s, const struct address *at, unsigned size, unsigned alignment, uint32_t *parts,
                unsigned count);
void store_parts(struct selection *s, const struct address *at, unsigned size, unsigned alignment,
                 const uint32_t *parts, unsigned count);
// The sign of `width` bits of the register in all bits above them.
uint32_t sign_extended(struct selection *s, uint32_t number, unsigned width);

#endif
