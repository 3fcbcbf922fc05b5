// Numbers of 16 bits: see half_number.h.
#include "half_number.h"

#include <math.h>

enum { FRACTION_BITS = 10, LEAST_EXPONENT = -24, INFINITE = 0x7C00, QUIET_NAN = 0x7E00 };

uint16_t half_of_double(double x) {
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x)) return sign | QUIET_NAN;
    const double size = fabs(x);
    if (size == 0.0) return sign;
    if (size >= 65520.0) return sign | INFINITE;
    // The last place's exponent: that of a number below the normal range, or more. What rounds up into the next power of
    // two comes out right by itself.
    int exponent = 0;
    (void)frexp(size, &exponent);
    const int place = exponent - FRACTION_BITS - 1, last = place > LEAST_EXPONENT ? place : LEAST_EXPONENT;
    const uint16_t whole = (uint16_t)rint(ldexp(size, -last));
    return (uint16_t)(sign | (((last - LEAST_EXPONENT) << FRACTION_BITS) + whole));
}

double half_to_double(uint16_t bits) {
    const int exponent = bits >> FRACTION_BITS & 31, fraction = bits & 1023;
    const double size = exponent == 31  ? fraction != 0 ? (double)NAN : (double)INFINITY
                        : exponent == 0 ? ldexp(fraction, LEAST_EXPONENT)
                                        : ldexp(fraction + 1024, exponent - 1 + LEAST_EXPONENT);
    return (bits & 0x8000) != 0 ? -size : size;
}
