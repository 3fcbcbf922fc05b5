// For segments in sub-vector order: many values alive at once, and rows that each work-item reads for itself.
#ifndef VALUES
#define VALUES 40  // 20, 40 or 80
#endif
#ifndef ROW
#define ROW 72
#endif

#define TEN(X, d) X(d##0) X(d##1) X(d##2) X(d##3) X(d##4) X(d##5) X(d##6) X(d##7) X(d##8) X(d##9)
#define FORTY(X) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4)
#if VALUES == 80
#define EACH(X) FORTY(X) TEN(X, 5) TEN(X, 6) TEN(X, 7) TEN(X, 8)
#elif VALUES == 20
#define EACH(X) TEN(X, 1) TEN(X, 2)
#else
#define EACH(X) FORTY(X)
#endif
#define LOAD(k) uint v##k = in[(item + k) % 64] + k;
#define MIX(k)                                                                                                         \
    {                                                                                                                  \
        uint old = v##k;                                                                                               \
        v##k = last * 5 + (old >> 3);                                                                                  \
        last = old ^ (uint)k;                                                                                          \
    }
#define START(k) uint v##k = at * (2 * k + 1) + (at >> (k % 13));
#define SUM(k) sum = sum * 31 + v##k;

// Every value goes through every other one, so that none can be made late or given up early.
__kernel void many_alive(__global const uint *in, __global uint *out, uint n) {
    uint item = get_global_id(0);
    if (item >= n) return;
    EACH(LOAD)
    for (uint round = 0; round < 4; round++) {
        uint last = v10 + round;
        EACH(MIX)
    }
    uint sum = 0;
    EACH(SUM)
    out[item] = sum;
}

// Waits for memory most of the time, with few values alive, and needs many for a short while.
__kernel void wait_and_mix(__global const uint *in, __global uint *out, uint n) {
    uint item = get_global_id(0), at = item;
    for (uint k = 0; k < n; k++)
        at = in[(at & 15) + k * 16] + item;
    EACH(START)
    for (uint round = 0; round < 2; round++) {
        uint last = v10 + round;
        EACH(MIX)
    }
    uint sum = 0;
    EACH(SUM)
    out[item] = sum;
}

// Each work-item walks along a row of its own: a line of memory serves it eight times, if the cache still holds it.
// With STEP each word's place hangs on the sum before: a work-item never asks for a line that is on its way to it already.
#ifdef STEP
#define NEXT_BY(sum) ((n >> 31) * (sum))
#else
#define NEXT_BY(sum) 0
#endif
__kernel void row_sums(__global const uint *in, __global uint *out, uint n) {
    uint item = get_global_id(0), sum = 0;
    for (uint k = 0; k < n; k++)
        sum = sum * 3 + in[item * ROW + k + NEXT_BY(sum)];
    out[item] = sum;
}

static __attribute__((noinline)) uint stir(uint a, uint b) {
    for (uint k = 0; k < (b & 3); k++)
        a = a * 5 + (b >> k);
    return a ^ b;
}
#define STIR(k) last = stir(last, v##k);

// Values alive across calls of a function that is kept.
__kernel void calls_alive(__global const uint *in, __global uint *out, uint n) {
    uint item = get_global_id(0);
    if (item >= n) return;
    EACH(LOAD)
    uint last = item;
    for (uint round = 0; round < 2; round++) {
        EACH(STIR)
        EACH(MIX)
    }
    uint sum = last;
    EACH(SUM)
    out[item] = sum;
}
