// The upper half of a product of 128 bits, from four products of 32 bits. libclc's body multiplies as signed numbers, which may
// not overflow, so LLVM makes wrong code of it where it knows something of the operands.
#include "tandem.h"

ulong OVERLOAD mul_hi(ulong a, ulong b) {
    const ulong al = (uint)a, ah = a >> 32, bl = (uint)b, bh = b >> 32;
    const ulong middle = ah * bl + (al * bl >> 32), other = al * bh + (uint)middle;
    return ah * bh + (middle >> 32) + (other >> 32);
}
long OVERLOAD mul_hi(long a, long b) {
    const ulong high = mul_hi((ulong)a, (ulong)b);
    return (long)(high - (a < 0 ? (ulong)b : 0) - (b < 0 ? (ulong)a : 0));
}
VECTORS_2(long, mul_hi, long, long)
VECTORS_2(ulong, mul_hi, ulong, ulong)
