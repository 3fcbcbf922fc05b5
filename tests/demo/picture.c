#include "picture.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_MAX (1u << 30)

// The next number of the header; comments run from # to the end of a line. -1: none there.
static long header_number(FILE *file) {
    int c = fgetc(file);
    while (c == '#' || isspace(c)) {
        if (c == '#') {
            while (c != '\n' && c != EOF)
                c = fgetc(file);
        } else {
            c = fgetc(file);
        }
    }
    if (!isdigit(c)) return -1;
    long value = 0;
    for (; isdigit(c); c = fgetc(file)) {
        if (value > 100000000) return -1;
        value = 10 * value + (c - '0');
    }
    return isspace(c) ? value : -1;  // exactly one white space ends the header
}

static bool read_header(FILE *file, const char *path, struct picture *picture, char *error, size_t error_size) {
    int p = fgetc(file), kind = fgetc(file);
    if (p != 'P' || (kind != '5' && kind != '6')) {
        snprintf(error, error_size, "%s: not a binary PGM (P5) or PPM (P6)", path);
        return false;
    }
    static const char *const names[] = {"width", "height", "largest value"};
    const long limits[] = {100000000, 100000000, 255};
    long values[3];
    for (int i = 0; i < 3; i++) {
        values[i] = header_number(file);
        if (values[i] < 1 || values[i] > limits[i]) {
            snprintf(error, error_size, "%s: near byte %ld: the %s is missing or not from 1 to %ld", path, ftell(file),
                     names[i], limits[i]);
            return false;
        }
    }
    picture->width = (uint32_t)values[0];
    picture->height = (uint32_t)values[1];
    picture->maximum = (uint32_t)values[2];
    picture->channels = kind == '5' ? 1 : 3;
    uint64_t size = (uint64_t)picture->width * picture->height * picture->channels;
    if (size > SAMPLES_MAX) {
        snprintf(error, error_size, "%s: %u x %u pixels are more than this reads", path, picture->width,
                 picture->height);
        return false;
    }
    picture->size = (size_t)size;
    return true;
}

bool picture_read(const char *path, struct picture *picture, char *error, size_t error_size) {
    *picture = (struct picture){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
        return false;
    }
    bool good = read_header(file, path, picture, error, error_size);
    if (good) {
        picture->samples = malloc(picture->size);
        size_t got = picture->samples != NULL ? fread(picture->samples, 1, picture->size, file) : 0;
        good = got == picture->size;
        if (!good && picture->samples != NULL) {
            snprintf(error, error_size, "%s: cut short: %zu of %zu bytes of samples are there", path, got,
                     picture->size);
        } else if (!good) {
            snprintf(error, error_size, "%s: the host has no memory for %zu samples", path, picture->size);
        }
    }
    fclose(file);
    if (!good) picture_free(picture);
    return good;
}

bool picture_write(const char *path, const struct picture *picture, char *error, size_t error_size) {
    FILE *file = fopen(path, "wb");
    bool good = file != NULL &&
                fprintf(file, "P%c\n%u %u\n%u\n", picture->channels == 1 ? '5' : '6', picture->width, picture->height,
                        picture->maximum) > 0 &&
                fwrite(picture->samples, 1, picture->size, file) == picture->size;
    int reason = errno;
    if (file != NULL && fclose(file) != 0) good = false;
    if (!good) snprintf(error, error_size, "%s: %s", path, strerror(reason));
    return good;
}

void picture_free(struct picture *picture) {
    free(picture->samples);
    *picture = (struct picture){0};
}
