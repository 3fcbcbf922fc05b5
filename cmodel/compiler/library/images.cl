// Functions of images: coordinates to texels, samplers, questions. By the names that clang calls them by: an image is the
// address of its words (image.h), a sampler a number (builtins/images.c).
//
// Of what OpenCL leaves open: coordinates outside the image without a sampler, or with CLK_ADDRESS_NONE, are taken to the
// edge; what is written outside goes nowhere; infinite ones and NaN give some texel or the border.
#include "texels.h"

// A place in an image; what it has no dimension for is 0.
struct place {
    int x, y, z;
};

static inline int within(int at, int least, int most) {
    return at < least ? least : at > most ? most : at;
}

static inline uint address_of(image_t image, struct place at) {
    return image[IMAGE_TEXELS] + (uint)at.z * image[IMAGE_SLICE_PITCH] + (uint)at.y * image[IMAGE_ROW_PITCH] +
           (uint)at.x * image[IMAGE_TEXEL_BYTES];
}

static inline bool inside(image_t image, struct place at) {
    return (uint)at.x < image[IMAGE_WIDTH] && (uint)at.y < image[IMAGE_HEIGHT] && (uint)at.z < image[IMAGE_DEPTH];
}

static inline struct place at_edge(image_t image, struct place at) {
    return (struct place){within(at.x, 0, (int)image[IMAGE_WIDTH] - 1), within(at.y, 0, (int)image[IMAGE_HEIGHT] - 1),
                          within(at.z, 0, (int)image[IMAGE_DEPTH] - 1)};
}

static inline float4 fetch_float(image_t image, struct place at) {
    const uint address = address_of(image, at);
    return image[IMAGE_FAST] != 0 ? *(const __global float4 *)address : tandem_texel_float(image, address);
}

static inline uint4 fetch_int(image_t image, struct place at) {
    return tandem_texel_int(image, address_of(image, at));
}

static inline float4 texel_float(image_t image, struct place at) {
    return inside(image, at) ? fetch_float(image, at) : (float4)(0.0f, 0.0f, 0.0f, from_uint_rte(image[IMAGE_BORDER]));
}

static inline uint4 texel_int(image_t image, struct place at) {
    return inside(image, at) ? fetch_int(image, at) : (uint4)(0u, 0u, 0u, image[IMAGE_BORDER]);
}

// ---- coordinates: the addressing modes ----

static inline float mirrored(float s) {
    return fabs(s - 2.0f * __builtin_rintf(0.5f * s));
}

// The texel that a coordinate lies in; outside the image only by CLK_ADDRESS_CLAMP.
static inline int nearest(uint sampler, float s, int size) {
    const uint mode = sampler & SAMPLER_ADDRESSING;
    if (mode == SAMPLER_REPEAT) {
        const float part = s - __builtin_floorf(s);
        const int at = to_int_rtn(part * from_int_rte(size));
        return at > size - 1 ? at - size : at;
    }
    if (mode == SAMPLER_MIRRORED_REPEAT) return min(to_int_rtn(mirrored(s) * from_int_rte(size)), size - 1);
    const int at = to_int_rtn((sampler & SAMPLER_NORMALIZED) != 0 ? s * from_int_rte(size) : s);
    return mode == SAMPLER_CLAMP ? at : within(at, 0, size - 1);
}

static inline int nearest_whole(uint sampler, int at, int size) {
    return (sampler & SAMPLER_ADDRESSING) == SAMPLER_CLAMP ? at : within(at, 0, size - 1);
}

static inline int layer_of(float s, int layers) {
    return within(to_int_rte(s), 0, layers - 1);
}

// The two texels that a coordinate lies between, and how far it is from the first.
struct between {
    int first, second;
    float part;
};

static inline struct between neighbours(uint sampler, float s, int size) {
    const uint mode = sampler & SAMPLER_ADDRESSING;
    const float sizes = from_int_rte(size);
    float u = s;
    if (mode == SAMPLER_REPEAT) {
        u = (s - __builtin_floorf(s)) * sizes;
    } else if (mode == SAMPLER_MIRRORED_REPEAT) {
        u = mirrored(s) * sizes;
    } else if ((sampler & SAMPLER_NORMALIZED) != 0) {
        u = s * sizes;
    }
    u -= 0.5f;
    const float whole = __builtin_floorf(u);
    struct between found = {within(to_int_rtn(whole), -2, size), 0, u - whole};
    found.second = found.first + 1;
    if (mode == SAMPLER_REPEAT) {
        if (found.first < 0) found.first += size;
        if (found.second > size - 1) found.second -= size;
    } else if (mode != SAMPLER_CLAMP) {
        found.first = within(found.first, 0, size - 1);
        found.second = within(found.second, 0, size - 1);
    }
    return found;
}

// ---- filters ----

// dimensions: that are filtered, 1 to 3; arrays have their layer in at.
float4 __attribute__((noinline)) tandem_image_linear(image_t image, uint sampler, uint dimensions, int layer, float x,
                                                     float y, float z);
float4 __attribute__((noinline)) tandem_image_linear(image_t image, uint sampler, uint dimensions, int layer, float x,
                                                     float y, float z) {
    const struct between none = {0, 0, 0.0f};
    const struct between in_x = neighbours(sampler, x, (int)image[IMAGE_WIDTH]);
    const struct between in_y = dimensions > 1 ? neighbours(sampler, y, (int)image[IMAGE_HEIGHT]) : none;
    const struct between in_z = dimensions > 2 ? neighbours(sampler, z, (int)image[IMAGE_DEPTH]) : none;
    float4 sum = 0.0f;
#pragma clang loop unroll(disable)
    for (uint corner = 0; corner < 1u << dimensions; corner++) {
        const bool right = (corner & 1) != 0, low = (corner & 2) != 0, deep = (corner & 4) != 0;
        const struct place at = {right ? in_x.second : in_x.first, low ? in_y.second : in_y.first,
                                 dimensions > 2 ? deep ? in_z.second : in_z.first : layer};
        float weight = right ? in_x.part : 1.0f - in_x.part;
        weight *= low ? in_y.part : 1.0f - in_y.part;
        weight *= deep ? in_z.part : 1.0f - in_z.part;
        sum += weight * texel_float(image, at);
    }
    return sum;
}

#define LINEAR(sampler) (((sampler) & SAMPLER_LINEAR) != 0)
#define WIDTH ((int)image[IMAGE_WIDTH])
#define HEIGHT ((int)image[IMAGE_HEIGHT])
#define DEPTH ((int)image[IMAGE_DEPTH])

// Where a kind of image has a coordinate: as floats with a sampler, as integers with one, and without.
#define PLACE_FLOAT_1(c) {nearest(sampler, c, WIDTH), 0, 0}
#define PLACE_FLOAT_1A(c) {nearest(sampler, c.x, WIDTH), 0, layer_of(c.y, DEPTH)}
#define PLACE_FLOAT_2(c) {nearest(sampler, c.x, WIDTH), nearest(sampler, c.y, HEIGHT), 0}
#define PLACE_FLOAT_2A(c) {nearest(sampler, c.x, WIDTH), nearest(sampler, c.y, HEIGHT), layer_of(c.z, DEPTH)}
#define PLACE_FLOAT_3(c) {nearest(sampler, c.x, WIDTH), nearest(sampler, c.y, HEIGHT), nearest(sampler, c.z, DEPTH)}
#define PLACE_INT_1(c) {nearest_whole(sampler, c, WIDTH), 0, 0}
#define PLACE_INT_1A(c) {nearest_whole(sampler, c.x, WIDTH), 0, within(c.y, 0, DEPTH - 1)}
#define PLACE_INT_2(c) {nearest_whole(sampler, c.x, WIDTH), nearest_whole(sampler, c.y, HEIGHT), 0}
#define PLACE_INT_2A(c) {nearest_whole(sampler, c.x, WIDTH), nearest_whole(sampler, c.y, HEIGHT), within(c.z, 0, DEPTH - 1)}
#define PLACE_INT_3(c) \
    {nearest_whole(sampler, c.x, WIDTH), nearest_whole(sampler, c.y, HEIGHT), nearest_whole(sampler, c.z, DEPTH)}
#define PLACE_1(c) {c, 0, 0}
#define PLACE_1A(c) {c.x, 0, c.y}
#define PLACE_2(c) {c.x, c.y, 0}
#define PLACE_2A(c) {c.x, c.y, c.z}
#define PLACE_3(c) {c.x, c.y, c.z}
#define LINEAR_1(c) tandem_image_linear(image, sampler, 1, 0, c, 0.0f, 0.0f)
#define LINEAR_1A(c) tandem_image_linear(image, sampler, 1, layer_of(c.y, DEPTH), c.x, 0.0f, 0.0f)
#define LINEAR_2(c) tandem_image_linear(image, sampler, 2, 0, c.x, c.y, 0.0f)
#define LINEAR_2A(c) tandem_image_linear(image, sampler, 2, layer_of(c.z, DEPTH), c.x, c.y, 0.0f)
#define LINEAR_3(c) tandem_image_linear(image, sampler, 3, 0, c.x, c.y, c.z)

// ---- the functions ----

#define NAMED(result, function, symbol, ...)            \
    result function(__VA_ARGS__) __asm__(symbol);       \
    result function(__VA_ARGS__)

// With a sampler. name: of the functions here; kind: the image's in the symbol; ints, floats: the coordinates' types,
// int_mark, float_mark: theirs in the symbol. take: what OpenCL gives of the four floats.
#define SAMPLED_FLOAT(name, kind, form, ints, floats, int_mark, float_mark, result, take)                             \
    NAMED(result, name##_sampled, "_Z11read_imagef" kind "_ro11ocl_sampler" float_mark, image_t image, uint sampler,  \
          floats c) {                                                                                                 \
        if (LINEAR(sampler)) return LINEAR_##form(c) take;                                                            \
        const struct place at = PLACE_FLOAT_##form(c);                                                                \
        return texel_float(image, at) take;                                                                           \
    }                                                                                                                 \
    NAMED(result, name##_sampled_int, "_Z11read_imagef" kind "_ro11ocl_sampler" int_mark, image_t image,              \
          uint sampler, ints c) {                                                                                     \
        const struct place at = PLACE_INT_##form(c);                                                                  \
        return texel_float(image, at) take;                                                                           \
    }
#define SAMPLED_INT(name, kind, form, ints, floats, int_mark, float_mark, function, result)                           \
    NAMED(result, name##_##result##_sampled, function kind "_ro11ocl_sampler" float_mark, image_t image, uint sampler, \
          floats c) {                                                                                                 \
        const struct place at = PLACE_FLOAT_##form(c);                                                                \
        return as_##result(texel_int(image, at));                                                                     \
    }                                                                                                                 \
    NAMED(result, name##_##result##_sampled_int, function kind "_ro11ocl_sampler" int_mark, image_t image,            \
          uint sampler, ints c) {                                                                                     \
        const struct place at = PLACE_INT_##form(c);                                                                  \
        return as_##result(texel_int(image, at));                                                                     \
    }

// Without one, from images that are read only and from those that are written too.
#define PLAIN(name, kind, form, ints, int_mark, access)                                                               \
    NAMED(int4, name##access##_int, "_Z11read_imagei" kind #access int_mark, image_t image, ints c) {                 \
        const struct place at = PLACE_##form(c);                                                                      \
        return as_int4(fetch_int(image, at_edge(image, at)));                                                         \
    }                                                                                                                 \
    NAMED(uint4, name##access##_uint, "_Z12read_imageui" kind #access int_mark, image_t image, ints c) {              \
        const struct place at = PLACE_##form(c);                                                                      \
        return fetch_int(image, at_edge(image, at));                                                                  \
    }
#define PLAIN_FLOAT(name, kind, form, ints, int_mark, access, result, take)                                           \
    NAMED(result, name##access##_float, "_Z11read_imagef" kind #access int_mark, image_t image, ints c) {             \
        const struct place at = PLACE_##form(c);                                                                      \
        return fetch_float(image, at_edge(image, at)) take;                                                           \
    }

// again: how the symbol says that the numbers have the coordinates' type.
#define WRITTEN(name, kind, form, ints, int_mark, int_again, access)                                                  \
    NAMED(void, name##access##_put_int, "_Z12write_imagei" kind #access int_mark int_again, image_t image, ints c,    \
          int4 v) {                                                                                                   \
        const struct place at = PLACE_##form(c);                                                                      \
        if (inside(image, at)) tandem_texel_put_int(image, address_of(image, at), as_uint4(v));                       \
    }                                                                                                                 \
    NAMED(void, name##access##_put_uint, "_Z13write_imageui" kind #access int_mark "Dv4_j", image_t image, ints c,    \
          uint4 v) {                                                                                                  \
        const struct place at = PLACE_##form(c);                                                                      \
        if (inside(image, at)) tandem_texel_put_int(image, address_of(image, at), v);                                 \
    }

static inline void put_float(image_t image, struct place at, float4 v) {
    if (!inside(image, at)) return;
    const uint address = address_of(image, at);
    if (image[IMAGE_FAST] != 0) {
        *(__global float4 *)address = v;
    } else {
        tandem_texel_put_float(image, address, v);
    }
}
#define WRITTEN_FLOAT(name, kind, form, ints, int_mark, access, floats, mark, give)                                   \
    NAMED(void, name##access##_put_float, "_Z12write_imagef" kind #access int_mark mark, image_t image, ints c,       \
          floats v) {                                                                                                 \
        const struct place at = PLACE_##form(c);                                                                      \
        put_float(image, at, give);                                                                                   \
    }

#define QUESTION(name, kind, access, word, function)                                                                  \
    NAMED(int, name##access##_##word, function kind #access, image_t image) { return (int)image[word]; }
#define QUESTIONS(name, kind, access)                                                                                 \
    QUESTION(name, kind, access, IMAGE_WIDTH, "_Z15get_image_width")                                                  \
    QUESTION(name, kind, access, IMAGE_TYPE, "_Z27get_image_channel_data_type")                                       \
    QUESTION(name, kind, access, IMAGE_ORDER, "_Z23get_image_channel_order")
#define QUESTIONS_1(name, kind, access)
#define QUESTIONS_1A(name, kind, access) QUESTION(name, kind, access, IMAGE_DEPTH, "_Z20get_image_array_size")
#define QUESTIONS_2(name, kind, access)                                                                               \
    QUESTION(name, kind, access, IMAGE_HEIGHT, "_Z16get_image_height")                                                \
    NAMED(int2, name##access##_dimensions, "_Z13get_image_dim" kind #access, image_t image) {                         \
        return (int2)(WIDTH, HEIGHT);                                                                                 \
    }
#define QUESTIONS_2A(name, kind, access) \
    QUESTIONS_2(name, kind, access) QUESTION(name, kind, access, IMAGE_DEPTH, "_Z20get_image_array_size")
#define QUESTIONS_3(name, kind, access)                                                                               \
    QUESTION(name, kind, access, IMAGE_HEIGHT, "_Z16get_image_height")                                                \
    QUESTION(name, kind, access, IMAGE_DEPTH, "_Z15get_image_depth")                                                  \
    NAMED(int4, name##access##_dimensions, "_Z13get_image_dim" kind #access, image_t image) {                         \
        return (int4)(WIDTH, HEIGHT, DEPTH, 0);                                                                       \
    }

#define READ(name, kind, form, ints, int_mark, access)   \
    PLAIN(name, kind, form, ints, int_mark, access)      \
    PLAIN_FLOAT(name, kind, form, ints, int_mark, access, float4, )
#define WRITE(name, kind, form, ints, int_mark, int_again, access)   \
    WRITTEN(name, kind, form, ints, int_mark, int_again, access)     \
    WRITTEN_FLOAT(name, kind, form, ints, int_mark, access, float4, "Dv4_f", v)
#define ASK(name, kind, form, access) QUESTIONS(name, kind, access) QUESTIONS_##form(name, kind, access)
#define ASK_ALL(name, kind, form) ASK(name, kind, form, _ro) ASK(name, kind, form, _wo) ASK(name, kind, form, _rw)

#define SAMPLED(name, kind, form, ints, floats, int_mark, float_mark)                                          \
    SAMPLED_FLOAT(name, kind, form, ints, floats, int_mark, float_mark, float4, )                              \
    SAMPLED_INT(name, kind, form, ints, floats, int_mark, float_mark, "_Z11read_imagei", int4)                 \
    SAMPLED_INT(name, kind, form, ints, floats, int_mark, float_mark, "_Z12read_imageui", uint4)
#define IMAGES(name, kind, form, ints, int_mark, int_again)        \
    READ(name, kind, form, ints, int_mark, _ro)                    \
    READ(name, kind, form, ints, int_mark, _rw)                    \
    WRITE(name, kind, form, ints, int_mark, int_again, _wo)        \
    WRITE(name, kind, form, ints, int_mark, int_again, _rw)        \
    ASK_ALL(name, kind, form)

SAMPLED(line, "14ocl_image1d", 1, int, float, "i", "f")
SAMPLED(lines, "20ocl_image1d_array", 1A, int2, float2, "Dv2_i", "Dv2_f")
SAMPLED(plane, "14ocl_image2d", 2, int2, float2, "Dv2_i", "Dv2_f")
SAMPLED(planes, "20ocl_image2d_array", 2A, int4, float4, "Dv4_i", "Dv4_f")
SAMPLED(room, "14ocl_image3d", 3, int4, float4, "Dv4_i", "Dv4_f")

IMAGES(line, "14ocl_image1d", 1, int, "i", "Dv4_i")
IMAGES(buffer, "21ocl_image1d_buffer", 1, int, "i", "Dv4_i")
IMAGES(lines, "20ocl_image1d_array", 1A, int2, "Dv2_i", "Dv4_i")
IMAGES(plane, "14ocl_image2d", 2, int2, "Dv2_i", "Dv4_i")
IMAGES(planes, "20ocl_image2d_array", 2A, int4, "Dv4_i", "S0_")
IMAGES(room, "14ocl_image3d", 3, int4, "Dv4_i", "S0_")

// Depths are one number.
#define DEPTHS(name, kind, form, ints, floats, int_mark, float_mark)                                  \
    SAMPLED_FLOAT(name, kind, form, ints, floats, int_mark, float_mark, float, .x)                    \
    PLAIN_FLOAT(name, kind, form, ints, int_mark, _ro, float, .x)                                     \
    PLAIN_FLOAT(name, kind, form, ints, int_mark, _rw, float, .x)                                     \
    WRITTEN_FLOAT(name, kind, form, ints, int_mark, _wo, float, "f", (float4)(v, 0.0f, 0.0f, 1.0f))   \
    WRITTEN_FLOAT(name, kind, form, ints, int_mark, _rw, float, "f", (float4)(v, 0.0f, 0.0f, 1.0f))   \
    ASK_ALL(name, kind, form)
DEPTHS(depth, "20ocl_image2d_depth", 2, int2, float2, "Dv2_i", "Dv2_f")
DEPTHS(depths, "26ocl_image2d_array_depth", 2A, int4, float4, "Dv4_i", "Dv4_f")
