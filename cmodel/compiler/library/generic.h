// Pointers into any memory, which OpenCL C 1.2, the library's language, has no word for.
#ifndef TANDEM_LIBRARY_GENERIC_H
#define TANDEM_LIBRARY_GENERIC_H

#define GENERIC __attribute__((opencl_generic))

// Vectors from elements in a row and back.
#define DECLARE_ROWS(type)                                        \
    type##2 OVERLOAD vload2(size_t at, const GENERIC type *p);    \
    type##3 OVERLOAD vload3(size_t at, const GENERIC type *p);    \
    type##4 OVERLOAD vload4(size_t at, const GENERIC type *p);    \
    type##8 OVERLOAD vload8(size_t at, const GENERIC type *p);    \
    type##16 OVERLOAD vload16(size_t at, const GENERIC type *p);  \
    void OVERLOAD vstore2(type##2 x, size_t at, GENERIC type *p); \
    void OVERLOAD vstore3(type##3 x, size_t at, GENERIC type *p); \
    void OVERLOAD vstore4(type##4 x, size_t at, GENERIC type *p); \
    void OVERLOAD vstore8(type##8 x, size_t at, GENERIC type *p); \
    void OVERLOAD vstore16(type##16 x, size_t at, GENERIC type *p);

#endif
