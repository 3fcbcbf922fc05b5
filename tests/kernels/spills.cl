// Kernels with more live values than registers, when there is a limit. Also read as C.
#define EACH(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11) x(12) x(13) x(14) x(15) x(16) x(17) x(18) x(19) x(20) x(21) x(22) x(23) x(24) x(25) x(26) x(27)

// Values that live over a loop in which each changes the next.
__kernel void crowded(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
#define MAKE(k) uint v##k = a * (k + 3u) ^ b >> k;
    EACH(MAKE)
    for (uint r = 0; r < (a & 7u) + 2u; r++) {
#define TURN(k) v##k = v##k * 5u + (v##k >> 7 ^ r);
        EACH(TURN)
        uint held = v0;
        v0 = v9;
        v9 = v17 ^ v3;
        v17 = held;
        if ((v5 ^ r) & 1u) {
            v5 += v6;
            v20 -= v21;
        } else {
            v21 ^= v22 + v23;
        }
    }
#define KEEP(k) out[32 * i + k] = v##k;
    EACH(KEEP)
}

// Values made before two nested loops and read behind them; inside, a few are read often.
__kernel void held_over(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1], sum = 0;
    EACH(MAKE)
    for (uint x = 0; x < (b & 3u) + 1u; x++) {
        for (uint y = 0; y < (a & 3u) + 2u; y++) {
            sum = sum * 31u + (v1 ^ y) + v2 * x;
            if (sum & 64u) continue;
            v3 += sum;
        }
        v4 ^= sum;
    }
    EACH(KEEP)
    out[32 * i + 28] = sum;
}

// Constants and arguments are made again rather than kept.
__kernel void remade(__global const uint *in, __global uint *out, uint n) {
    uint i = (uint)get_global_id(0);
    if (i >= n) return;
    uint a = in[2 * i], b = in[2 * i + 1];
    EACH(MAKE)
    for (uint r = 0; r < 3u; r++) {
#define MIX(k) v##k = (v##k ^ (0x12345u * (k + 1u) + (n << k))) * 0x9E3779B1u;
        EACH(MIX)
    }
    EACH(KEEP)
}
