// Conversions to and from halfs, with every rounding. A half is a float, so that conversions from it are those of floats;
// whole numbers that no float is are beyond the halfs' range whichever way they are rounded to one.
#include "convert.h"
#include "half_type.h"

ushort tandem_double_to_half(ulong x);
ushort tandem_double_to_half_rtz(ulong x);
ushort tandem_double_to_half_rtp(ulong x);
ushort tandem_double_to_half_rtn(ulong x);

#define INTEGERS(make, ...)                                                                                            \
    make(char, __VA_ARGS__) make(uchar, __VA_ARGS__) make(short, __VA_ARGS__) make(ushort, __VA_ARGS__)                \
    make(int, __VA_ARGS__) make(uint, __VA_ARGS__) make(long, __VA_ARGS__) make(ulong, __VA_ARGS__)

// A name that is defined here is no longer found among clang's own: each function that is called is declared.
#define TO_INTEGER(type, name)                                                                                         \
    type OVERLOAD convert_##type##name(float x);                                                                       \
    type OVERLOAD convert_##type##_sat##name(float x);                                                                 \
    CONVERT(type, name, half, convert_##type##name((float)x))                                                          \
    CONVERT(type, _sat##name, half, convert_##type##_sat##name((float)x))
#define FROM_INTEGER(type, name, rounding) CONVERT(half, name, type, as_half(rounding((float)x)))
#define ALL(name, rounding, double_rounding)                                                                           \
    INTEGERS(TO_INTEGER, name)                                                                                         \
    INTEGERS(FROM_INTEGER, name, rounding)                                                                             \
    CONVERT(half, name, half, x)                                                                                       \
    CONVERT(half, name, float, as_half(rounding(x)))                                                                   \
    CONVERT(half, name, double, as_half(double_rounding(as_ulong(x))))                                                 \
    CONVERT(float, name, half, (float)x)                                                                               \
    CONVERT(double, name, half, (double)x)
ALL(, tandem_float_to_half, tandem_double_to_half)
ALL(_rte, tandem_float_to_half, tandem_double_to_half)
ALL(_rtz, half_rtz, tandem_double_to_half_rtz)
ALL(_rtp, half_rtp, tandem_double_to_half_rtp)
ALL(_rtn, half_rtn, tandem_double_to_half_rtn)
