// Integers of 33 to 64 bits: two registers each, the low word first. NONE as a part is zero here as everywhere, so that
// extended operands cost nothing.
#ifndef TANDEM_COMPILER_SELECT_WIDE_PARTS_H
#define TANDEM_COMPILER_SELECT_WIDE_PARTS_H

#include "compiler/select/values.h"

struct wide {
    uint32_t lo, hi;
};

struct wide wide_of(struct selection *s, LLVMValueRef v);
void define_wide(struct selection *s, LLVMValueRef v, struct wide w);
// The sign of a word in all bits.
uint32_t word_sign(struct selection *s, uint32_t word);
// Any integer as 64 bits.
struct wide wide_extended(struct selection *s, LLVMValueRef v, bool is_signed);
// a + b or a - b. carry: where the carry or borrow out of 64 bits is wanted, else NULL.
struct wide wide_sum(struct selection *s, bool add, struct wide a, struct wide b, uint32_t *carry);
struct wide wide_product(struct selection *s, struct wide a, struct wide b);
// p ? a : b
struct wide wide_select(struct selection *s, struct predicate p, struct wide a, struct wide b);
// Without signs.
struct predicate wide_below(struct selection *s, struct wide a, struct wide b);
struct predicate wide_compare(struct selection *s, LLVMIntPredicate how, LLVMValueRef x, LLVMValueRef y);
// OP_AND, OP_OR, OP_XOR of one word.
uint32_t both_words(struct selection *s, uint8_t op, uint32_t a, uint32_t b);
// By `amount`, a register, or where it is NONE by `fixed` bits, 0 to 63.
struct wide wide_shift(struct selection *s, LLVMOpcode op, struct wide a, uint32_t amount, uint32_t fixed);
// High word of {a, b} << n (left) or low word of {a, b} >> n; n modulo 32, in a register or fixed.
uint32_t funnel_word(struct selection *s, bool left, uint32_t a, uint32_t b, uint32_t amount, uint32_t fixed);

#endif
