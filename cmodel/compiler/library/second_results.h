// Vector forms of functions that leave a second result in memory, from the one for single numbers.
#ifndef TANDEM_LIBRARY_SECOND_RESULTS_H
#define TANDEM_LIBRARY_SECOND_RESULTS_H

#define SECOND_VECTORS(name, real, second, space)                       \
    real##2 OVERLOAD name(real##2 x, space second##2 * p) {             \
        second a, b;                                                    \
        const real##2 first = (real##2)(name(x.x, &a), name(x.y, &b));  \
        *p = (second##2)(a, b);                                         \
        return first;                                                   \
    }                                                                   \
    real##3 OVERLOAD name(real##3 x, space second##3 * p) {             \
        second##2 a;                                                    \
        second b;                                                       \
        const real##3 first = (real##3)(name(x.xy, &a), name(x.z, &b)); \
        *p = (second##3)(a, b);                                         \
        return first;                                                   \
    }                                                                   \
    SECOND_HALVES(name, real, second, 4, 2, space)                      \
    SECOND_HALVES(name, real, second, 8, 4, space)                      \
    SECOND_HALVES(name, real, second, 16, 8, space)
#define SECOND_HALVES(name, real, second, n, m, space)                   \
    real##n OVERLOAD name(real##n x, space second##n *p) {               \
        second##m a, b;                                                  \
        const real##n first = (real##n)(name(x.lo, &a), name(x.hi, &b)); \
        *p = (second##n)(a, b);                                          \
        return first;                                                    \
    }

#endif
