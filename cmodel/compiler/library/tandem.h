// What the bodies of the device library are made of: functions that selection turns into single instructions. Their
// symbols begin with "tandem." (no name of C does), those of the library's own helpers with "tandem_".
#ifndef TANDEM_LIBRARY_H
#define TANDEM_LIBRARY_H

#define INSTRUCTION(type, name, symbol, ...) type name(__VA_ARGS__) __asm__("tandem." symbol) __attribute__((const))

INSTRUCTION(uint, umulhi, "umulhi", uint a, uint b);
INSTRUCTION(int, smulhi, "smulhi", int a, int b);

// Table units, see the architecture for their errors.
INSTRUCTION(float, table_rcp, "rcp", float x);
INSTRUCTION(float, table_rsq, "rsq", float x);
INSTRUCTION(float, table_ex2, "ex2", float x);
INSTRUCTION(float, table_lg2, "lg2", float x);

// Float to the nearest integer that there is, NaN to 0.
INSTRUCTION(int, to_int_rte, "f2i.rte", float x);
INSTRUCTION(int, to_int_rtz, "f2i.rtz", float x);
INSTRUCTION(int, to_int_rtp, "f2i.rtp", float x);
INSTRUCTION(int, to_int_rtn, "f2i.rtn", float x);
INSTRUCTION(uint, to_uint_rte, "f2i.urte", float x);
INSTRUCTION(uint, to_uint_rtz, "f2i.urtz", float x);
INSTRUCTION(uint, to_uint_rtp, "f2i.urtp", float x);
INSTRUCTION(uint, to_uint_rtn, "f2i.urtn", float x);

INSTRUCTION(float, from_int_rte, "i2f.rte", int x);
INSTRUCTION(float, from_int_rtz, "i2f.rtz", int x);
INSTRUCTION(float, from_int_rtp, "i2f.rtp", int x);
INSTRUCTION(float, from_int_rtn, "i2f.rtn", int x);
INSTRUCTION(float, from_uint_rte, "i2f.urte", uint x);
INSTRUCTION(float, from_uint_rtz, "i2f.urtz", uint x);
INSTRUCTION(float, from_uint_rtp, "i2f.urtp", uint x);
INSTRUCTION(float, from_uint_rtn, "i2f.urtn", uint x);

#define OVERLOAD __attribute__((overloadable))

// The vector forms of a function, from the one for single numbers.
#define VECTORS_1(result, name, ta)                                                                    \
    result##2 OVERLOAD name(ta##2 a) { return (result##2)(name(a.x), name(a.y)); }                     \
    result##3 OVERLOAD name(ta##3 a) { return (result##3)(name(a.x), name(a.y), name(a.z)); }          \
    result##4 OVERLOAD name(ta##4 a) { return (result##4)(name(a.lo), name(a.hi)); }                   \
    result##8 OVERLOAD name(ta##8 a) { return (result##8)(name(a.lo), name(a.hi)); }                   \
    result##16 OVERLOAD name(ta##16 a) { return (result##16)(name(a.lo), name(a.hi)); }
#define VECTORS_2(result, name, ta, tb)                                                                \
    result##2 OVERLOAD name(ta##2 a, tb##2 b) { return (result##2)(name(a.x, b.x), name(a.y, b.y)); }  \
    result##3 OVERLOAD name(ta##3 a, tb##3 b) {                                                        \
        return (result##3)(name(a.x, b.x), name(a.y, b.y), name(a.z, b.z));                            \
    }                                                                                                  \
    result##4 OVERLOAD name(ta##4 a, tb##4 b) { return (result##4)(name(a.lo, b.lo), name(a.hi, b.hi)); } \
    result##8 OVERLOAD name(ta##8 a, tb##8 b) { return (result##8)(name(a.lo, b.lo), name(a.hi, b.hi)); } \
    result##16 OVERLOAD name(ta##16 a, tb##16 b) { return (result##16)(name(a.lo, b.lo), name(a.hi, b.hi)); }

// Without a detour over the library's other half. clz: not of 0.
#define fma(a, b, c) __builtin_fmaf(a, b, c)
#define trunc(x) __builtin_truncf(x)
#define fabs(x) __builtin_fabsf(x)
#define copysign(x, y) __builtin_copysignf(x, y)
#define isnan(x) __builtin_isnan(x)
#define clz(x) ((uint)__builtin_clz(x))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define isfinite(x) __builtin_isfinite(x)

#endif
