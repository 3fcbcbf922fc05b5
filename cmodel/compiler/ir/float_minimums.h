// Floating-point minima and maxima out of LLVM's sight.
//
// LLVM 19 simplifies fmax(fmax(x, y), f(x, y, ..)), where f is any intrinsic whose first two arguments are the same
// (fma, copysign), as if f were a minimum or maximum too: it asks getInverseMinMaxIntrinsic() for the opposite of f,
// which reads beyond its table. It dies of what it finds there, or makes another function of f and gives a wrong value.
// Every pass that simplifies does this (EarlyCSE is the first), so none can be left out.
// What is hidden is a function without a body or an effect: it can still be moved, shared and removed, but nothing is
// known of its value.
#ifndef TANDEM_COMPILER_IR_FLOAT_MINIMUMS_H
#define TANDEM_COMPILER_IR_FLOAT_MINIMUMS_H

#include <llvm-c/Core.h>

// Vectors are taken apart. That there are no NaNs is forgotten: by it LLVM makes minima and maxima of choices.
void float_minimums_hide(LLVMModuleRef module);
void float_minimums_show(LLVMModuleRef module);

#endif
