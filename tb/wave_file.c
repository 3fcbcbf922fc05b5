#define _XOPEN_SOURCE 700

#include "wave_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Blocks of an FST file: a byte that says of what kind, the length behind it in eight bytes, highest first.
enum {
    BLOCK_HEADER = 0,
    BLOCK_GEOMETRY = 3,
    BLOCK_NAMES = 4,
    BLOCK_NAMES_LZ4 = 6,
    BLOCK_NAMES_LZ4_TWICE = 7,
    BLOCK_UNWRITTEN = 255
};
#define HEADER_BYTES 329u

static bool side_file(const char *path, char *to, size_t size) {
    const int length = snprintf(to, size, "%s.hier", path);
    return length > 0 && (size_t)length < size;
}

static bool is_file_or_nothing(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? S_ISREG(status.st_mode) : errno == ENOENT;
}

bool wave_file_prepare(const char *path, char *to, size_t size, char *why, size_t why_size) {
    char side[PATH_MAX];
    char *real = realpath(path, NULL);
    const int length = snprintf(to, size, "%s", real != NULL ? real : path);
    free(real);
    if (length < 0 || (size_t)length >= size || !side_file(to, side, sizeof side)) {
        snprintf(why, why_size, "the name is too long");
        return false;
    }
    if (!is_file_or_nothing(to) || !is_file_or_nothing(side)) {
        snprintf(why, why_size, "%s is there and is no file; waves would take its place",
                 is_file_or_nothing(to) ? side : to);
        return false;
    }
    FILE *file = fopen(to, "wb");
    if (file == NULL || fclose(file) != 0) {
        snprintf(why, why_size, "%s", strerror(errno));
        return false;
    }
    return true;
}

bool wave_file_begun(const char *path) {
    char side[PATH_MAX];
    struct stat status;
    if (!side_file(path, side, sizeof side)) return false;
    const int file = open(side, O_WRONLY);
    if (file < 0) return false;
    // A byte too many, taken away again.
    const bool room =
        fstat(file, &status) == 0 && pwrite(file, "", 1, status.st_size) == 1 && ftruncate(file, status.st_size) == 0;
    return close(file) == 0 && room;
}

bool wave_file_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    bool geometry = false, names = false, good = true;
    uint64_t at = 0;
    for (bool first = true; good; first = false) {
        unsigned char block[9];
        uint64_t length = 0;
        const size_t got = fread(block, 1, sizeof block, file);
        if (got == 0 && feof(file)) break;
        for (unsigned i = 1; i < sizeof block; i++)
            length = length << 8 | block[i];
        good = got == sizeof block && length >= 8 && length <= INT64_MAX / 2 && block[0] != BLOCK_UNWRITTEN &&
               (block[0] == BLOCK_HEADER) == first && (!first || length == HEADER_BYTES);
        geometry = geometry || block[0] == BLOCK_GEOMETRY;
        names = names || block[0] == BLOCK_NAMES || block[0] == BLOCK_NAMES_LZ4 || block[0] == BLOCK_NAMES_LZ4_TWICE;
        if (!good) break;
        at += 1 + length;
        // The block's last byte must be there.
        good = fseeko(file, (off_t)(at - 1), SEEK_SET) == 0 && fgetc(file) != EOF;
    }
    good = good && ferror(file) == 0 && geometry && names;
    return fclose(file) == 0 && good;
}
