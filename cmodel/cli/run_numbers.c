// Numbers of `tandem run`: values and contents of buffers, by the types of OpenCL C.
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/half_number.h"
#include "run.h"

static const struct {
    const char *name;
    struct run_element element;
} types[] = {
    {"char", {ELEMENT_SIGNED, 1, 1}},     {"uchar", {ELEMENT_UNSIGNED, 1, 1}}, {"short", {ELEMENT_SIGNED, 2, 1}},
    {"ushort", {ELEMENT_UNSIGNED, 2, 1}}, {"int", {ELEMENT_SIGNED, 4, 1}},     {"uint", {ELEMENT_UNSIGNED, 4, 1}},
    {"long", {ELEMENT_SIGNED, 8, 1}},     {"ulong", {ELEMENT_UNSIGNED, 8, 1}}, {"float", {ELEMENT_FLOAT, 4, 1}},
    {"half", {ELEMENT_FLOAT, 2, 1}},      {"double", {ELEMENT_FLOAT, 8, 1}},   {"size_t", {ELEMENT_UNSIGNED, 4, 1}},
};

// A word of a type's name: "float", "float4". False: none that is known.
static bool find_type(const char *word, size_t length, struct run_element *element) {
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        const size_t name = strlen(types[k].name);
        if (length < name || strncmp(word, types[k].name, name) != 0) continue;
        const unsigned lanes = length == name ? 1u : (unsigned)strtoul(word + name, NULL, 10);
        if (length > name && (!isdigit((unsigned char)word[name]) || lanes < 2 || lanes > 16)) continue;
        *element = types[k].element;
        element->lanes = lanes;
        return true;
    }
    return false;
}

struct run_element run_element_of(const char *type, size_t size) {
    struct run_element element = {ELEMENT_UNSIGNED, 4, 1};
    for (const char *at = type; *at != '\0';) {
        const size_t length = strcspn(at, " *&");
        if (length > 0 && find_type(at, length, &element)) return element;
        at += length + (at[length] != '\0');
    }
    if (size == 1 || size == 2 || size == 8) element.bytes = (unsigned)size;
    if (size > 8 && size % 4 == 0) element.lanes = (unsigned)(size / 4);
    return element;
}

static const char *set_float(const char *text, struct run_element element, void *to) {
    char *end = NULL;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || isspace((unsigned char)*text)) return "is not a number";
    const float narrow = (float)value;
    const uint16_t half = half_of_double(value);
    memcpy(to,
           element.bytes == 2   ? (const void *)&half
           : element.bytes == 4 ? (const void *)&narrow
                                : &value,
           element.bytes);
    return NULL;
}

// Any pattern of the element's bits: -128 to 255 for a char, signed or not.
static const char *set_integer(const char *text, struct run_element element, void *to) {
    uint64_t value = 0;
    if (!parse_number(text, &value)) {
        const bool fraction = strpbrk(text, ".eE") != NULL && strspn(text, "+-0123456789.eE") == strlen(text);
        return fraction ? "is not an integer" : "is not a number";
    }
    if (element.bytes < 8) {
        const uint64_t bound = 1ull << (8 * element.bytes);
        if (*text == '-' ? (int64_t)value < -(int64_t)(bound / 2) : value >= bound) return "is too large for its type";
    }
    memcpy(to, &value, element.bytes);  // little-endian, as the device is
    return NULL;
}

const char *run_numbers(const char *text, struct run_element element, void *to, size_t room, size_t *size) {
    *size = 0;
    for (const char *at = text;; at++) {
        char word[64];
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof word) return "is not a number";
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (*size + element.bytes > room) return "has more numbers than fit";
        uint8_t *place = (uint8_t *)to + *size;
        const char *wrong =
            element.kind == ELEMENT_FLOAT ? set_float(word, element, place) : set_integer(word, element, place);
        if (wrong != NULL) return wrong;
        *size += element.bytes;
        at += length;
        if (*at == '\0') return NULL;
    }
}

static void print_number(const uint8_t *bytes, struct run_element element) {
    if (element.kind == ELEMENT_FLOAT) {
        // As many digits as tell the number from its neighbours.
        uint16_t half;
        float narrow;
        double wide;
        if (element.bytes == 2) {
            memcpy(&half, bytes, sizeof half);
            printf("%.5g", half_to_double(half));
        } else if (element.bytes == 4) {
            memcpy(&narrow, bytes, sizeof narrow);
            printf("%.9g", (double)narrow);
        } else {
            memcpy(&wide, bytes, sizeof wide);
            printf("%.17g", wide);
        }
        return;
    }
    uint64_t value = 0;
    memcpy(&value, bytes, element.bytes);
    const unsigned unused = 64 - 8 * element.bytes;
    if (element.kind == ELEMENT_SIGNED) {
        printf("%" PRId64, (int64_t)(value << unused) >> unused);
    } else {
        printf("%" PRIu64, value);
    }
}

void run_print(const void *bytes, size_t size, struct run_element element) {
    const size_t count = size / element.bytes, in_line = element.lanes == 3  ? 4
                                                         : element.lanes > 1 ? element.lanes
                                                                             : 16;
    for (size_t k = 0; k < count; k++) {
        print_number((const uint8_t *)bytes + k * element.bytes, element);
        putchar(k % in_line == in_line - 1 || k + 1 == count ? '\n' : ' ');
    }
}
