// Integer builtins that libclc has no body for on our target.
#include "tandem.h"

#define MAD_HI(type)                                             \
    type OVERLOAD mad_hi(type a, type b, type c) { \
        return mul_hi(a, b) + c;                    \
    }
#define EVERY_SIZE(make, type) make(type) make(type##2) make(type##3) make(type##4) make(type##8) make(type##16)

EVERY_SIZE(MAD_HI, char)
EVERY_SIZE(MAD_HI, uchar)
EVERY_SIZE(MAD_HI, short)
EVERY_SIZE(MAD_HI, ushort)
EVERY_SIZE(MAD_HI, int)
EVERY_SIZE(MAD_HI, uint)
EVERY_SIZE(MAD_HI, long)
EVERY_SIZE(MAD_HI, ulong)
