// Loops with bounds, left by the threads at different times; and one whose end only the data knows.

__kernel void bounded(__global const uint *in, __global uint *out, uint n) {
    const uint item = get_global_id(0);
    uint sum = 0;
    for (uint i = 0; i < n; i++)
        for (uint k = item % 7; k < 9; k++) sum = sum * 3 + in[(i + k + item) % 1024];
    for (uint i = 0; i < 16; i++) {
        if ((in[item] >> i & 3) == 3) break;
        sum += i;
    }
    out[item] = sum;
}

__kernel void over_data(__global const uint *in, __global uint *out, uint n) {
    const uint item = get_global_id(0);
    uint at = item, sum = 0;
    while (at % 64 != 63) {
        sum += at;
        at += 1 + in[at % 1024] % 2;
    }
    out[item] = sum + n;
}

// The same with a kind of YIELD of its own.
#define ASKING(name, yield)                                                           \
    __kernel void name(__global const uint *in, __global uint *out, uint n) {         \
        const uint item = get_global_id(0);                                           \
        uint at = item, sum = 0;                                                      \
        while (at % 64 != 63) {                                                       \
            yield;                                                                    \
            sum += at;                                                                \
            at += 1 + in[at % 1024] % 2;                                              \
        }                                                                             \
        out[item] = sum + n;                                                          \
    }
ASKING(every_time, tandem_yield_nth(1))
ASKING(every_third, tandem_yield_nth(3))
