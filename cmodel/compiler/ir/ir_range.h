// Between which limits an integer of the LLVM IR lies: see ir_range.c.
#ifndef TANDEM_COMPILER_IR_IR_RANGE_H
#define TANDEM_COMPILER_IR_IR_RANGE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

// Wide enough for both readings of 64 bits.
typedef __int128 wide_number;

struct ir_range {
    wide_number lowest, highest;
};

// 0 where the exponent is that of no integer of at most 64 bits (a width of 0, less 1).
static inline wide_number power_of_two(unsigned exponent) {
    return exponent <= 64 ? (wide_number)1 << exponent : 0;
}
// Of a value of this many bits.
struct ir_range ir_range_full(unsigned width, bool is_signed);
// Bits of an integer of at most 64, or of a pointer (32); 0: neither.
unsigned ir_width(LLVMValueRef value);
struct ir_range ir_range(LLVMValueRef value, bool is_signed);
// How many of the lowest bits are certainly 0.
unsigned ir_zeros_below(LLVMValueRef value);

#endif
