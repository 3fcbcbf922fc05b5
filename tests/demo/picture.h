// Pictures as binary PGM (P5) or PPM (P6), 8 bits a sample, any size.
#ifndef TANDEM_DEMO_PICTURE_H
#define TANDEM_DEMO_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct picture {
    uint32_t width, height, channels;  // channels: 1 (PGM) or 3 (PPM)
    uint32_t maximum;                  // largest sample value of the header, 1 to 255
    uint8_t *samples;                  // width * height * channels
    size_t size;
};

// False: one line in error says what is wrong and where in the file; nothing is owned then. Else picture_free().
bool picture_read(const char *path, struct picture *picture, char *error, size_t error_size);
bool picture_write(const char *path, const struct picture *picture, char *error, size_t error_size);
void picture_free(struct picture *picture);

#endif
