#!/usr/bin/env python3
"""A real picture through pyopencl, as any program would do it: blurred and its edges found, checked with NumPy.

usage: picture.py PICTURE.pgm [RESULT.pgm]        which devices there are says TANDEM_DEVICES
"""
import sys

import numpy as np
import pyopencl as cl

SOURCE = """
__kernel void edges(__global const uchar *in, __global uchar *out, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    int gx = 0, gy = 0;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
        for (int d = -1; d <= 1; d++) {
            int weight = d == 0 ? 2 : 1;
            gx += weight * (in[(y + d) * width + x + 1] - in[(y + d) * width + x - 1]);
            gy += weight * (in[(y + 1) * width + x + d] - in[(y - 1) * width + x + d]);
        }
    out[y * width + x] = min(abs(gx) + abs(gy), 255u);
}
__kernel void histogram(__global const uchar *in, __global uint *counts, int size, __local uint *own) {
    for (int k = get_local_id(0); k < 256; k += get_local_size(0)) own[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_global_id(0); k < size; k += get_global_size(0)) atomic_inc(&own[in[k]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_local_id(0); k < 256; k += get_local_size(0))
        if (own[k] != 0) atomic_add(&counts[k], own[k]);
}
"""


def read_pgm(path):
    with open(path, "rb") as file:
        data = file.read()
    head, at = [], 0
    while len(head) < 4:
        end = min(i for i in (data.find(b, at) for b in (b" ", b"\n")) if i >= 0)
        if data[at:at + 1] == b"#":
            end = data.find(b"\n", at)
        elif end > at:
            head.append(data[at:end])
        at = end + 1
    width, height = int(head[1]), int(head[2])
    return np.frombuffer(data, dtype=np.uint8, count=width * height, offset=at).reshape(height, width)


def expected_edges(picture):
    wide = picture.astype(np.int32)
    gx, gy = np.zeros_like(wide), np.zeros_like(wide)
    for d in (-1, 0, 1):
        weight = 2 if d == 0 else 1
        rows = wide[1 + d:wide.shape[0] - 1 + d]
        gx[1:-1, 1:-1] += weight * (rows[:, 2:] - rows[:, :-2])
        columns = wide[:, 1 + d:wide.shape[1] - 1 + d]
        gy[1:-1, 1:-1] += weight * (columns[2:] - columns[:-2])
    return np.minimum(abs(gx) + abs(gy), 255).astype(np.uint8)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    picture = read_pgm(sys.argv[1])
    height, width = picture.shape
    failures = 0
    for device in next(p for p in cl.get_platforms() if p.name == "Tandem").get_devices():
        context = cl.Context([device])
        queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
        program = cl.Program(context, SOURCE).build()
        flags = cl.mem_flags
        source = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=np.ascontiguousarray(picture))
        target = cl.Buffer(context, flags.READ_WRITE, picture.nbytes)
        counts = cl.Buffer(context, flags.READ_WRITE, 1024)
        cl.enqueue_fill_buffer(queue, counts, np.uint32(0), 0, 1024)
        edges = program.edges(queue, (width, height), None, source, target, np.int32(width), np.int32(height))
        group = min(64, device.max_work_group_size)
        program.histogram(queue, (4 * group,), (group,), target, counts, np.int32(picture.size), cl.LocalMemory(1024))
        result, found = np.empty_like(picture), np.empty(256, np.uint32)
        cl.enqueue_copy(queue, result, target)
        cl.enqueue_copy(queue, found, counts)
        same = np.array_equal(result, expected_edges(picture)) and np.array_equal(found, np.bincount(result.ravel(), minlength=256))
        cycles = (edges.profile.end - edges.profile.start) * device.max_clock_frequency // 1000
        print(f"{'ok  ' if same else 'FAIL'} {device.name}: {width} x {height} pixels, edges in {cycles} cycles of the device's clock", flush=True)
        failures += not same
        if len(sys.argv) == 3:
            with open(sys.argv[2], "wb") as file:
                file.write(b"P5\n%d %d\n255\n" % (width, height) + result.tobytes())
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
