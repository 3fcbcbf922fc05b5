// Arithmetic of 64 bits, correctly rounded to nearest even: library_operations.c's sister double_operations.c puts calls
// in the place of LLVM's operations. No function here sees the type itself.
#include "doubles.h"

#define CALLED __attribute__((noinline))

ulong tandem_double_add(ulong a, ulong b) CALLED;
ulong tandem_double_multiply(ulong a, ulong b) CALLED;
ulong tandem_double_fma(ulong a, ulong b, ulong c) CALLED;
ulong tandem_double_divide(ulong a, ulong b) CALLED;
ulong tandem_double_sqrt(ulong x) CALLED;
ulong tandem_double_remainder(ulong a, ulong b) CALLED;

ulong tandem_double_add(ulong a, ulong b) {
    bool swap = double_magnitude(a) < double_magnitude(b);
    ulong x = swap ? b : a, y = swap ? a : b;  // x the larger
    uint ex = double_exponent(x), ey = double_exponent(y);
    bool apart = (x ^ y) >> 63 != 0;
    if (ex == 2047u) return double_is_nan(x) || (ey == 2047u && apart) ? DOUBLE_NAN : x;
    ulong mx = (x & DOUBLE_FRACTION) | (ex != 0 ? DOUBLE_HIDDEN : 0ul);
    ulong my = (y & DOUBLE_FRACTION) | (ey != 0 ? DOUBLE_HIDDEN : 0ul);
    ex = max(ex, 1u);
    ey = max(ey, 1u);
    my = shift_right_sticky(my << 10, min(ex - ey, 63u));
    ulong m = (mx << 10) + (apart ? 0ul - my : my);
    if (m == 0) return apart ? 0ul : x & DOUBLE_SIGN;
    // One place to the right, or as many to the left as there are and the exponent has.
    uint zeros = clz64(m);
    if (zeros == 0) {
        m = m >> 1 | (m & 1ul);
        ex++;
    } else {
        uint n = min(zeros - 1u, ex - 1u);
        m <<= n;
        ex -= n;
    }
    m += 0x1FFu + ((uint)(m >> 10) & 1u);
    ulong bits = ((ulong)(ex - 1u) << 52) + (m >> 10);
    return (x & DOUBLE_SIGN) | (ex > 2046u ? DOUBLE_INFINITY : bits);
}

struct product {
    ulong high, low;
};

static inline struct product full_product(ulong a, ulong b) {
    ulong al = (uint)a, ah = a >> 32, bl = (uint)b, bh = b >> 32;
    ulong low = al * bl, first = ah * bl + (low >> 32), second = al * bh + (uint)first;
    return (struct product){ah * bh + (first >> 32) + (second >> 32), second << 32 | (uint)low};
}

ulong tandem_double_multiply(ulong a, ulong b) {
    ulong sign = (a ^ b) & DOUBLE_SIGN;
    ulong ma = double_magnitude(a), mb = double_magnitude(b);
    int ea = (int)double_exponent(a), eb = (int)double_exponent(b);
    if ((uint)ea - 1u >= 2046u || (uint)eb - 1u >= 2046u) {
        if (ma > DOUBLE_INFINITY || mb > DOUBLE_INFINITY) return DOUBLE_NAN;
        if (ma == DOUBLE_INFINITY || mb == DOUBLE_INFINITY)
            return ma == 0 || mb == 0 ? DOUBLE_NAN : sign | DOUBLE_INFINITY;
        if (ma == 0 || mb == 0) return sign;
        ma = double_normalized(ma, &ea);
        mb = double_normalized(mb, &eb);
    }
    ma = (ma & DOUBLE_FRACTION) | DOUBLE_HIDDEN;
    mb = (mb & DOUBLE_FRACTION) | DOUBLE_HIDDEN;
    struct product p = full_product(ma << 10, mb << 11);  // the first bit at 125 or 126
    uint up = (uint)(p.high >> 62) ^ 1u;
    ulong m = (p.high << up) | (ulong)(p.low != 0);
    return double_rounded(sign, ea + eb - 1022 - (int)up, m, RTE);
}

static inline struct product right_sticky(struct product x, uint n) {
    if (n >= 128u) return (struct product){0ul, 1ul};
    struct product r = {n >= 64u ? 0ul : x.high >> n, 0ul};
    ulong lost;
    if (n >= 64u) {
        lost = x.low | (x.high & ~(~0ul << (n - 64u)));
        r.low = x.high >> (n - 64u);
    } else {
        lost = x.low & ~(~0ul << n);
        r.low = n == 0 ? x.low : x.low >> n | x.high << (64u - n);
    }
    r.low |= (ulong)(lost != 0);
    return r;
}

ulong tandem_double_fma(ulong a, ulong b, ulong c) {
    ulong sign = (a ^ b) & DOUBLE_SIGN;
    ulong ma = double_magnitude(a), mb = double_magnitude(b), mc = double_magnitude(c);
    if (ma > DOUBLE_INFINITY || mb > DOUBLE_INFINITY || mc > DOUBLE_INFINITY) return DOUBLE_NAN;
    if (ma == DOUBLE_INFINITY || mb == DOUBLE_INFINITY) {
        if (ma == 0 || mb == 0 || (mc == DOUBLE_INFINITY && ((sign ^ c) & DOUBLE_SIGN) != 0)) return DOUBLE_NAN;
        return sign | DOUBLE_INFINITY;
    }
    if (mc == DOUBLE_INFINITY) return c;
    if (ma == 0 || mb == 0) return mc != 0 ? c : sign & c;
    int ea, eb, ec = 0;
    ma = double_normalized(ma, &ea);
    mb = double_normalized(mb, &eb);
    struct product p = full_product(ma << 10, mb << 11), other = {0ul, 0ul};
    int e = ea + eb - 1022;
    if (p.high >> 62 == 0) {
        p.high = p.high << 1 | p.low >> 63;
        p.low <<= 1;
        e--;
    }
    if (mc != 0) {
        other.high = double_normalized(mc, &ec) << 10;
        bool apart = ((sign ^ c) & DOUBLE_SIGN) != 0;
        if (ec > e || (ec == e && other.high > p.high)) {
            struct product held = p;
            p = other;
            other = held;
            int held_e = e;
            e = ec;
            ec = held_e;
            sign = c & DOUBLE_SIGN;
        }
        other = right_sticky(other, (uint)(e - ec));
        if (apart) {
            ulong borrow = (ulong)(p.low < other.low);
            p.low -= other.low;
            p.high -= other.high + borrow;
            if ((p.high | p.low) == 0) return 0ul;
        } else {
            p.low += other.low;
            p.high += other.high + (ulong)(p.low < other.low);
        }
    }
    // The first bit to 62 of the upper half.
    if (p.high >> 63 != 0) {
        p.low = p.low >> 1 | (p.low & 1ul) | p.high << 63;
        p.high >>= 1;
        e++;
    } else {
        if (p.high == 0) {
            p.high = p.low;
            p.low = 0;
            e -= 64;
        }
        uint n = clz64(p.high);
        if (n == 0) {
            p.low = p.high << 63;
            p.high >>= 1;
            e++;
        } else if (n > 1u) {
            n--;
            p.high = p.high << n | p.low >> (64u - n);
            p.low <<= n;
            e -= (int)n;
        }
    }
    return double_rounded(sign, e, p.high | (ulong)(p.low != 0), RTE);
}

// 2^62 / d for d in [2^31, 2^32), some units low: the table's 16 bits, and one step of Newton's.
static inline uint reciprocal_below(uint d) {
    uint x = to_uint_rtz(table_rcp(as_float(0x3F800000u | (d >> 8 & 0x7FFFFFu))) * 0x1p31f);
    int rest = (int)((long)(0x4000000000000000ul - (ulong)d * x) >> 16);
    return x + (uint)((int)(x >> 1) * (long)rest >> 45) - 2u;
}

ulong tandem_double_divide(ulong a, ulong b) {
    ulong sign = (a ^ b) & DOUBLE_SIGN;
    ulong ma = double_magnitude(a), mb = double_magnitude(b);
    if (ma > DOUBLE_INFINITY || mb > DOUBLE_INFINITY) return DOUBLE_NAN;
    if (ma == DOUBLE_INFINITY) return mb == DOUBLE_INFINITY ? DOUBLE_NAN : sign | DOUBLE_INFINITY;
    if (mb == 0) return ma == 0 ? DOUBLE_NAN : sign | DOUBLE_INFINITY;
    if (mb == DOUBLE_INFINITY || ma == 0) return sign;
    int ea, eb;
    ma = double_normalized(ma, &ea);
    mb = double_normalized(mb, &eb);
    // a / b in [1/2, 1), b with its first bit at 58: what is left of a fits 64 bits, though a quotient is some units low.
    uint up = (uint)(ma < mb);
    ma <<= 5u + up;
    mb <<= 6;
    uint r = reciprocal_below((uint)(mb >> 27));
    uint q = umulhi((uint)(ma >> 27), r);  // times 2^30
    ulong rest = (ma << 30) - mb * q;
    uint more = umulhi((uint)(rest >> 31), r);  // times 2^26
    rest = (rest << 26) - mb * more;
    uint low = 0;
    for (int k = 2; k >= 0; k--) {
        ulong part = mb << k;
        bool fits = rest >= part;
        rest -= fits ? part : 0ul;
        low |= fits ? 1u << k : 0u;
    }
    ulong quotient = ((ulong)q << 26) + more + low;
    return double_rounded(sign, ea - eb + 1023 - (int)up, quotient << 7 | (ulong)(rest != 0), RTE);
}

ulong tandem_double_sqrt(ulong x) {
    if (double_magnitude(x) == 0 || x == DOUBLE_INFINITY) return x;
    if (x > DOUBLE_INFINITY) return DOUBLE_NAN;
    int e;
    ulong m = double_normalized(x, &e);
    uint odd = (uint)(e & 1) ^ 1u;
    m <<= odd;  // [1, 4) times 2^52
    e = (e - 1023 - (int)odd) >> 1;
    // 1 / sqrt(m) times 2^31: the table's 16 bits, and one step of Newton's.
    uint upper = (uint)(m >> 22);
    uint y = to_uint_rtz(table_rsq((float)upper * 0x1p-30f) * 0x1p31f);
    int off = (int)((long)(0x1000000000000000ul - (ulong)upper * umulhi(y, y)) >> 16);
    y += (uint)((int)(y >> 1) * (long)off >> 44);
    // The root's first 30 bits, then 25 more from what is left, a few units low; then what is right.
    uint g = umulhi(upper, y);
    int rest = (int)((long)((m << 6) - (ulong)g * g) >> 4);
    ulong root = ((ulong)g << 25) + (ulong)((long)rest * (int)(y >> 1) >> 31) - 4ul;
    ulong left = (m << 56) - root * root;
    for (int k = 2; k >= 0; k--) {
        ulong part = (2ul * root + (1ul << k)) << k;
        bool fits = left >= part;
        left -= fits ? part : 0ul;
        root += fits ? 1ul << k : 0ul;
    }
    return double_rounded(0ul, e + 1023, root << 8 | (ulong)(left != 0), RTE);
}
