// printf: a thread takes a record with one atomic addition, fills it and marks it as written. A record that does not fit
// is counted and goes to a place that nobody reads, so that no thread needs a branch for its words.
#include "printf_buffer.h"

typedef volatile __global struct printf_buffer *printf_buffer_t;
uint __tandem_printf_buffer(void);

uint tandem_printf_begin(uint bytes) {
    printf_buffer_t buffer = (printf_buffer_t)__tandem_printf_buffer();
    const uint at = atomic_add(&buffer->put, bytes);
    if (at + bytes <= buffer->capacity) return buffer->records + at;
    atomic_inc(&buffer->dropped);
    if (at > PRINTF_PUT_MAX) atomic_min(&buffer->put, PRINTF_PUT_MAX);
    return (uint)(buffer + 1);
}

uint tandem_printf_end(uint record, uint format) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *(volatile __global uint *)record = format;
    return record == (uint)((printf_buffer_t)__tandem_printf_buffer() + 1) ? 0xFFFFFFFFu : 0;
}
