// How far results of OpenCL C's floating-point functions are from the true ones: references from the host's libm in
// long double, and the limits of the full profile (OpenCL 1.2, section 7.4).
#ifndef TANDEM_TESTS_MATH_ACCURACY_H
#define TANDEM_TESTS_MATH_ACCURACY_H

#include <stddef.h>
#include <stdint.h>

struct math_function {
    const char *name;                 // kernel test_<name> of tests/kernels/math.cl
    long double (*one)(long double);  // one of these two
    long double (*two)(long double x, long double y);
    double limit;  // in units in the last place; negative: none is given
};

extern const struct math_function math_functions[];
extern const size_t math_function_count;

// Of those whose second operand is a whole number, here the one nearest to y.
long double math_pown(long double x, long double y);
long double math_rootn(long double x, long double y);

// Distance of the result from the truth in units in the last place of the truth as a float. 0 when both are NaN, or the
// same infinity or zero (the sign of a zero counts for functions that have to be exact); infinite when they are not of
// one kind. An infinite result where the truth is beyond the largest float counts as exact, and so does the largest
// float within the limit.
double math_error(const struct math_function *function, float x, float y, float got);

// Operands to try, the k-th of a sequence that depends on the seed: corner cases first, then numbers of every size.
// pair: 0 first operand, 1 second.
uint32_t math_operand(uint64_t seed, uint64_t k, unsigned pair);

#endif
