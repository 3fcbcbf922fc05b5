// vloadN from constant memory, and the copies that a work-group does together.
#include "tandem.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define LOADS(type)                                                                                         \
    type##2 OVERLOAD vload2(size_t at, const __constant type *p) {                                          \
        p += 2 * at;                                                                                        \
        return (type##2)(p[0], p[1]);                                                                       \
    }                                                                                                       \
    type##3 OVERLOAD vload3(size_t at, const __constant type *p) {                                          \
        p += 3 * at;                                                                                        \
        return (type##3)(p[0], p[1], p[2]);                                                                 \
    }                                                                                                       \
    type##4 OVERLOAD vload4(size_t at, const __constant type *p) {                                          \
        p += 4 * at;                                                                                        \
        return (type##4)(p[0], p[1], p[2], p[3]);                                                           \
    }                                                                                                       \
    type##8 OVERLOAD vload8(size_t at, const __constant type *p) {                                          \
        return (type##8)(vload4(2 * at, p), vload4(2 * at + 1, p));                                         \
    }                                                                                                       \
    type##16 OVERLOAD vload16(size_t at, const __constant type *p) {                                        \
        return (type##16)(vload8(2 * at, p), vload8(2 * at + 1, p));                                        \
    }

// Every work-item copies its share; an event says nothing, waiting for one is a barrier.
static size_t own_number(void) {
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

static size_t group_size(void) {
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

#define COPY(type, to_space, from_space, to_stride, from_stride, name, ...)                                 \
    event_t OVERLOAD name(to_space type *to, const from_space type *from, size_t count, __VA_ARGS__) {      \
        for (size_t k = own_number(); k < count; k += group_size())                                         \
            to[k * (to_stride)] = from[k * (from_stride)];                                                  \
        return event;                                                                                       \
    }
#define COPIES(type)                                                                                        \
    COPY(type, __local, __global, 1, 1, async_work_group_copy, event_t event)                               \
    COPY(type, __global, __local, 1, 1, async_work_group_copy, event_t event)                               \
    COPY(type, __local, __global, 1, stride, async_work_group_strided_copy, size_t stride, event_t event)   \
    COPY(type, __global, __local, stride, 1, async_work_group_strided_copy, size_t stride, event_t event)

// libclc has no hint for three elements.
#define PREFETCH(type)                                                                                      \
    void OVERLOAD prefetch(const __global type *p, size_t count) {                                          \
        (void)p;                                                                                            \
        (void)count;                                                                                        \
    }

#define EVERYTHING(type)                                                                                    \
    PREFETCH(type##3)                                                                                       \
    LOADS(type)                                                                                             \
    COPIES(type) COPIES(type##2) COPIES(type##3) COPIES(type##4) COPIES(type##8) COPIES(type##16)

EVERYTHING(char)
EVERYTHING(uchar)
EVERYTHING(short)
EVERYTHING(ushort)
EVERYTHING(int)
EVERYTHING(uint)
EVERYTHING(long)
EVERYTHING(ulong)
EVERYTHING(float)
PREFETCH(double3)
COPIES(double) COPIES(double2) COPIES(double3) COPIES(double4) COPIES(double8) COPIES(double16)
PREFETCH(half) PREFETCH(half2) PREFETCH(half4) PREFETCH(half8) PREFETCH(half16)
PREFETCH(half3)
COPIES(half) COPIES(half2) COPIES(half3) COPIES(half4) COPIES(half8) COPIES(half16)

// By the name that clang calls it by: the events are in the generic address space, which OpenCL C 1.2 cannot say.
void wait_events(int count, __attribute__((address_space(4))) uchar *events)
    __asm__("_Z17wait_group_eventsiPU3AS49ocl_event");
void wait_events(int count, __attribute__((address_space(4))) uchar *events) {
    (void)count;
    (void)events;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
