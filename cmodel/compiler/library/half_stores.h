// Stores of numbers as halfs: vstore_half and vstorea_half of every length. real: float or double; round: its bits as a
// half.
#ifndef TANDEM_LIBRARY_HALF_STORES_H
#define TANDEM_LIBRARY_HALF_STORES_H

#define STORES(real, space, form, round)                                \
    void OVERLOAD vstore_half##form(real x, size_t at, space half *p) { \
        ((space ushort *)p)[at] = round(x);                             \
    }                                                                   \
    STORE_3(real, space, vstore_half3##form, 3, round)                  \
    STORE_3(real, space, vstorea_half3##form, 4, round)                 \
    STORE_N(real, space, vstore_half, form, round) STORE_N(real, space, vstorea_half, form, round)
#define STORE_3(real, space, name, stride, round)                   \
    void OVERLOAD name(real##3 x, size_t at, space half *p) {       \
        space ushort *to = (space ushort *)p + stride * at;         \
        to[0] = round(x.x), to[1] = round(x.y), to[2] = round(x.z); \
    }
#define STORE_N(real, space, name, form, round)                                         \
    void OVERLOAD name##2##form(real##2 x, size_t at, space half *p) {                  \
        space ushort *to = (space ushort *)p + 2 * at;                                  \
        to[0] = round(x.x), to[1] = round(x.y);                                         \
    }                                                                                   \
    void OVERLOAD name##4##form(real##4 x, size_t at, space half *p) {                  \
        space ushort *to = (space ushort *)p + 4 * at;                                  \
        to[0] = round(x.x), to[1] = round(x.y), to[2] = round(x.z), to[3] = round(x.w); \
    }                                                                                   \
    void OVERLOAD name##8##form(real##8 x, size_t at, space half *p) {                  \
        name##4##form(x.lo, 2 * at, p), name##4##form(x.hi, 2 * at + 1, p);             \
    }                                                                                   \
    void OVERLOAD name##16##form(real##16 x, size_t at, space half *p) {                \
        name##8##form(x.lo, 2 * at, p), name##8##form(x.hi, 2 * at + 1, p);             \
    }
#define EVERY_FORM(real, space, rte, rtz, rtp, rtn) \
    STORES(real, space, , rte)                      \
    STORES(real, space, _rte, rte)                  \
    STORES(real, space, _rtz, rtz)                  \
    STORES(real, space, _rtp, rtp)                  \
    STORES(real, space, _rtn, rtn)
#define EVERY_PLACE(real, rte, rtz, rtp, rtn)      \
    EVERY_FORM(real, __global, rte, rtz, rtp, rtn) \
    EVERY_FORM(real, __local, rte, rtz, rtp, rtn)  \
    EVERY_FORM(real, __private, rte, rtz, rtp, rtn)

#endif
