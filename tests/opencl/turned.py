#!/usr/bin/env python3
"""A real picture turned, through pyopencl's images and samplers, as any program would do it; checked with NumPy.

usage: turned.py PICTURE.pgm        which devices there are says TANDEM_DEVICES
"""
import sys

import numpy as np
import pyopencl as cl

from picture import read_pgm

ANGLE = 0.3
SOURCE = """
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void turned(__read_only image2d_t from, sampler_t smooth, __write_only image2d_t to, float cosine, float sine) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float2 size = convert_float2(get_image_dim(from));
    const float2 p = convert_float2(at) + 0.5f - 0.5f * size;
    const float2 q = (float2)(cosine * p.x - sine * p.y, sine * p.x + cosine * p.y) + 0.5f * size;
    write_imagef(to, at, read_imagef(from, smooth, q / size));
}
__kernel void mean(__read_only image2d_t from, __global float *to) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    float sum = 0.0f;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) sum += read_imagef(from, nearest, at + (int2)(x, y)).x;
    to[at.y * get_image_width(from) + at.x] = sum / 9.0f;
}
"""


def expected_turn(picture):
    height, width = picture.shape
    x, y = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    u, v = np.cos(ANGLE) * x - np.sin(ANGLE) * y + width / 2 - 0.5, np.sin(ANGLE) * x + np.cos(ANGLE) * y + height / 2 - 0.5
    left, top = np.floor(u), np.floor(v)

    def texel(column, row):
        return picture[np.clip(row, 0, height - 1).astype(int), np.clip(column, 0, width - 1).astype(int)].astype(float)
    above = (1 - (u - left)) * texel(left, top) + (u - left) * texel(left + 1, top)
    below = (1 - (u - left)) * texel(left, top + 1) + (u - left) * texel(left + 1, top + 1)
    return (1 - (v - top)) * above + (v - top) * below


def expected_mean(picture):
    wide = np.pad(picture / 255.0, 1)
    return sum(wide[1 + y:1 + y + picture.shape[0], 1 + x:1 + x + picture.shape[1]] for y in (-1, 0, 1) for x in (-1, 0, 1)) / 9


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    picture = np.ascontiguousarray(read_pgm(sys.argv[1])[:40, :56])
    height, width = picture.shape
    failures = 0
    for device in next(p for p in cl.get_platforms() if p.name == "Tandem").get_devices():
        context = cl.Context([device])
        queue = cl.CommandQueue(context)
        program = cl.Program(context, SOURCE).build()
        flags = cl.mem_flags
        format_wanted = cl.ImageFormat(cl.channel_order.R, cl.channel_type.UNORM_INT8)
        if format_wanted not in cl.get_supported_image_formats(context, flags.READ_WRITE, cl.mem_object_type.IMAGE2D):
            sys.exit("the format is not there")
        source = cl.image_from_array(context, picture, 1, norm_int=True)
        target = cl.Image(context, flags.READ_WRITE, format_wanted, shape=(width, height))
        smooth = cl.Sampler(context, True, cl.addressing_mode.CLAMP_TO_EDGE, cl.filter_mode.LINEAR)
        sums = cl.Buffer(context, flags.WRITE_ONLY, picture.size * 4)
        program.turned(queue, (width, height), None, source, smooth, target, np.float32(np.cos(ANGLE)), np.float32(np.sin(ANGLE)))
        program.mean(queue, (width, height), None, source, sums)
        result, means = np.empty_like(picture), np.empty((height, width), np.float32)
        cl.enqueue_copy(queue, result, target, origin=(0, 0), region=(width, height))
        cl.enqueue_copy(queue, means, sums)
        queue.finish()
        turned = np.abs(result - expected_turn(picture)).max() <= 0.51 and result.std() > 1
        good = turned and np.abs(means - expected_mean(picture)).max() < 1e-6
        failures += not good
        print(f"{'ok  ' if good else 'FAIL'} {device.name}")
    sys.exit(1 if failures else 0)


main()
