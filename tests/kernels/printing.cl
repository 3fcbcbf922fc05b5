// printf: conversions, vectors, strings, divergence, records that do not fit, printing by launched work.
__constant char table_format[] = "table %d of %s\n";
__constant char name[] = "constants";

static void show(__constant char *format, int value) { printf(format, value, name); }

// One thread prints every conversion with numbers from memory.
__kernel void conversions(__global const int *n, __global const float *f, __global const long *w) {
    printf("plain\n");
    printf("100%%|%d|%i|%5d|%-5d|%05d|%+d|% d|%.4d\n", n[0], n[1], n[0], n[0], n[0], n[0], n[0], n[0]);
    printf("%u|%o|%#o|%x|%#X|%c|%hhd|%hu\n", n[1], n[0], n[0], n[1], n[0], n[2], n[1], n[1]);
    printf("%ld|%lu|%lx|%20ld|\n", w[0], w[0], w[1], w[1]);
    printf("%f|%e|%g|%.2f|%10.3e|%G|%+.1f|%a\n", f[0], f[0], f[0], f[0], f[1], f[1], f[0], f[2]);
    printf("%f %F %g %E %5.1f|%-6f|\n", f[3], f[3], f[4], f[4], f[5], f[5]);
    printf("[%s][%8s][%-8s][%.2s]\n", "string", name, n[0] > 0 ? "yes" : "no", name + 3);
    printf("%p|%14p|%p\n", (__global char *)0x1234, (__global char *)0x10, (__global char *)0);
    show(table_format, n[0]);
}

// Integers under conversions of another length, which clang only warns of.
__kernel void lengths(__global const int *n, __global const long *w) {
    printf("%d|%u|%x|%c|%hd|%5d|\n", w[0], w[0], w[1], w[2], w[1], w[2]);
    printf("%ld|%lu|%lx|%5ld|\n", n[1], n[1], n[1], n[0]);
    printf("%lld|%llu|%llx|%lld\n", w[0], w[0], w[1], n[1]);
}

__kernel void vectors(__global const float4 *f, __global const int4 *n, __global const long2 *w) {
    const float4 a = f[0];
    const int4 b = n[0];
    printf("%v4hlf|%2.2v4hlf|%v3hlg|%v2hle\n", a, a, a.xyz, a.xy);
    printf("%v4hld|%#v4hlx|%v2d|%5v3hli|\n", b, as_uint4(b), b.xy, b.xyz);
    printf("%v4hhd|%v4hhu|%v2hd|%v8hx\n", convert_char4(b), convert_uchar4(b), convert_short2(b.xy),
           convert_ushort8((int8)(b, b)));
    printf("%v2ld|%v2lu\n", w[0], as_ulong2(w[0]));
    printf("%v16hhx\n", convert_uchar16((int16)(b, b, b, b)));
}

// Every thread that is at an odd place, each in its own way; results of printf.
__kernel void threads(__global int *results) {
    const int i = (int)get_global_id(0);
    results[i] = 7;
    if (i % 2 == 0) return;
    for (int k = 0; k < i % 4; k++) {
        if (i % 4 == 1) results[i] = printf("one %d\n", i);
        else results[i] = printf("three %d.%d\n", i, k);
    }
}

__kernel void short_lines(__global int *results) {
    const int i = (int)get_global_id(0);
    results[i] = printf("<%d>\n", i);
}

__kernel void faults(volatile __global int *at) {
    printf("before %d\n", 1);
    *at = 1;
    printf("behind\n");
}
