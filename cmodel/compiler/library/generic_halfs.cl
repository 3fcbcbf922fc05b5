// Halfs in any memory: their bits are there, what they say is asked of the functions on private memory.
#include "tandem.h"
#include "generic.h"

DECLARE_ROWS(ushort)

#define LOAD(n, name, step)                                                                                            \
    float##n OVERLOAD name##n(size_t at, const half *p);                                                               \
    float##n OVERLOAD name##n(size_t at, const GENERIC half *p) {                                                      \
        const ushort##n bits = vload##n(0, (const GENERIC ushort *)p + step * at);                                     \
        return name##n(0, (const half *)&bits);                                                              \
    }

float OVERLOAD vload_half(size_t at, const half *p);
float OVERLOAD vload_half(size_t at, const GENERIC half *p) {
    const ushort bits = ((const GENERIC ushort *)p)[at];
    return vload_half(0, (const half *)&bits);
}
LOAD(2, vload_half, 2)
LOAD(3, vload_half, 3)
LOAD(4, vload_half, 4)
LOAD(8, vload_half, 8)
LOAD(16, vload_half, 16)
LOAD(2, vloada_half, 2)
LOAD(3, vloada_half, 4)
LOAD(4, vloada_half, 4)
LOAD(8, vloada_half, 8)
LOAD(16, vloada_half, 16)

#define STORE(real, n, name, step, form)                                                                               \
    void OVERLOAD name##n##form(real##n x, size_t at, half *p);                                                        \
    void OVERLOAD name##n##form(real##n x, size_t at, GENERIC half *p) {                                               \
        ushort##n bits;                                                                                                \
        name##n##form(x, 0, (half *)&bits);                                                                  \
        vstore##n(bits, 0, (GENERIC ushort *)p + step * at);                                                           \
    }
#define STORES(real, form)                                                                                             \
    void OVERLOAD vstore_half##form(real x, size_t at, half *p);                                                       \
    void OVERLOAD vstore_half##form(real x, size_t at, GENERIC half *p) {                                              \
        ushort bits;                                                                                                   \
        vstore_half##form(x, 0, (half *)&bits);                                                              \
        ((GENERIC ushort *)p)[at] = bits;                                                                              \
    }                                                                                                                  \
    STORE(real, 2, vstore_half, 2, form) STORE(real, 3, vstore_half, 3, form) STORE(real, 4, vstore_half, 4, form)     \
    STORE(real, 8, vstore_half, 8, form) STORE(real, 16, vstore_half, 16, form)                                        \
    STORE(real, 2, vstorea_half, 2, form) STORE(real, 3, vstorea_half, 4, form) STORE(real, 4, vstorea_half, 4, form)  \
    STORE(real, 8, vstorea_half, 8, form) STORE(real, 16, vstorea_half, 16, form)
#define EVERY_FORM(real) STORES(real, ) STORES(real, _rte) STORES(real, _rtz) STORES(real, _rtp) STORES(real, _rtn)
EVERY_FORM(float)
EVERY_FORM(double)
