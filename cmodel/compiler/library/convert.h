// The vector forms of a conversion.
#ifndef TANDEM_LIBRARY_CONVERT_H
#define TANDEM_LIBRARY_CONVERT_H

// to and from: types of OpenCL C, `expression` of x.
#define CONVERT(to, name, from, expression)                                        \
    to OVERLOAD convert_##to##name(from x) {                                       \
        return expression;                                                         \
    }                                                                              \
    to##2 OVERLOAD convert_##to##2##name(from##2 x) {                              \
        return (to##2)(convert_##to##name(x.x), convert_##to##name(x.y));          \
    }                                                                              \
    to##3 OVERLOAD convert_##to##3##name(from##3 x) {                              \
        return (to##3)(convert_##to##2##name(x.xy), convert_##to##name(x.z));      \
    }                                                                              \
    to##4 OVERLOAD convert_##to##4##name(from##4 x) {                              \
        return (to##4)(convert_##to##2##name(x.lo), convert_##to##2##name(x.hi));  \
    }                                                                              \
    to##8 OVERLOAD convert_##to##8##name(from##8 x) {                              \
        return (to##8)(convert_##to##4##name(x.lo), convert_##to##4##name(x.hi));  \
    }                                                                              \
    to##16 OVERLOAD convert_##to##16##name(from##16 x) {                           \
        return (to##16)(convert_##to##8##name(x.lo), convert_##to##8##name(x.hi)); \
    }

#endif
