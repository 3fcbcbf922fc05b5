// FST files from outside: what stands in their place, whether they are whole.
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wave_file.h"

static char folder[] = "/tmp/test-wave-XXXXXX";

static void begin(void) {
    cr_assert_not_null(mkdtemp(folder));
}
static void end(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

static const char *place(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// Blocks {kind, bytes behind kind and length}; the last one is cut short by `cut` bytes.
struct block {
    unsigned char kind;
    uint64_t bytes;
};
static bool whole(const struct block *blocks, size_t count, unsigned cut) {
    unsigned char content[4096];
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t length = blocks[i].bytes + 8;
        content[size++] = blocks[i].kind;
        for (unsigned b = 0; b < 8; b++)
            content[size++] = (unsigned char)(length >> (56 - 8 * b));
        if (blocks[i].bytes > 1000) continue;  // says so, and has none
        memset(content + size, 0, blocks[i].bytes);
        size += blocks[i].bytes;
    }
    FILE *file = fopen(place("x.fst"), "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(content, 1, size - cut, file), size - cut);
    cr_assert_eq(fclose(file), 0);
    return wave_file_whole(place("x.fst"));
}
#define WHOLE(cut, ...) \
    whole((const struct block[]){__VA_ARGS__}, sizeof((const struct block[]){__VA_ARGS__}) / sizeof(struct block), cut)

enum { HEADER = 0, VALUES = 8, GEOMETRY = 3, NAMES = 6, UNWRITTEN = 255 };

Test(wave_file, blocks, .init = begin, .fini = end) {
    cr_expect(WHOLE(0, {HEADER, 321}, {VALUES, 100}, {GEOMETRY, 20}, {NAMES, 30}));
    cr_expect(WHOLE(0, {HEADER, 321}, {GEOMETRY, 0}, {NAMES, 0}), "no value ever changed");
    cr_expect_not(WHOLE(1, {HEADER, 321}, {VALUES, 100}, {GEOMETRY, 20}, {NAMES, 30}), "the last byte is missing");
    cr_expect_not(WHOLE(35, {HEADER, 321}, {VALUES, 100}, {GEOMETRY, 20}, {NAMES, 30}), "a block's length is cut");
    cr_expect_not(WHOLE(0, {HEADER, 321}, {VALUES, 100}, {GEOMETRY, 20}), "no names");
    cr_expect_not(WHOLE(0, {HEADER, 321}, {VALUES, 100}, {NAMES, 30}), "no geometry");
    cr_expect_not(WHOLE(0, {HEADER, 321}, {UNWRITTEN, 100}, {GEOMETRY, 20}, {NAMES, 30}), "a block that was begun");
    cr_expect_not(WHOLE(0, {HEADER, 320}, {GEOMETRY, 20}, {NAMES, 30}), "a short header");
    cr_expect_not(WHOLE(0, {GEOMETRY, 20}, {NAMES, 30}), "no header");
    cr_expect_not(WHOLE(9, {HEADER, 0}), "empty");
    cr_expect_not(WHOLE(0, {HEADER, 321}, {GEOMETRY, 20}, {NAMES, 30}, {VALUES, UINT64_MAX - 7}), "a length of 0");
    cr_expect_not(WHOLE(0, {HEADER, 321}, {GEOMETRY, 20}, {NAMES, 30}, {VALUES, UINT64_MAX - 8}), "beyond all files");
    cr_expect_not(wave_file_whole(place("none")));
}

Test(wave_file, places, .init = begin, .fini = end) {
    char to[4096], why[4500] = "";
    cr_expect(wave_file_prepare(place("new.fst"), to, sizeof to, why, sizeof why), "%s", why);
    cr_expect_str_eq(to, place("new.fst"));
    cr_expect(wave_file_prepare(place("new.fst"), to, sizeof to, why, sizeof why), "a file may be replaced");
    cr_expect_not(wave_file_prepare(place("new.fst"), to, 4, why, sizeof why));
    cr_expect_str_eq(why, "the name is too long");
    cr_assert_eq(mkfifo(place("pipe"), 0600), 0);
    cr_expect_not(wave_file_prepare(place("pipe"), to, sizeof to, why, sizeof why));
    cr_expect_not_null(strstr(why, "is no file"), "%s", why);
    cr_assert_eq(symlink("pipe", place("link")), 0);
    cr_expect_not(wave_file_prepare(place("link"), to, sizeof to, why, sizeof why));
    cr_assert_eq(mkdir(place("x.hier"), 0700), 0);
    cr_expect_not(wave_file_prepare(place("x"), to, sizeof to, why, sizeof why));
    cr_expect_not_null(strstr(why, "x.hier is there"), "%s", why);
    cr_expect_not(wave_file_prepare(place("none/x"), to, sizeof to, why, sizeof why));
    cr_assert_eq(symlink("new.fst", place("good")), 0);
    cr_expect(wave_file_prepare(place("good"), to, sizeof to, why, sizeof why), "%s", why);
    cr_expect_str_eq(to, place("new.fst"));
    cr_expect_not(wave_file_begun(place("new.fst")), "there is no side file");
    FILE *side = fopen(place("new.fst.hier"), "wb");
    cr_assert(side != NULL && fputs("names", side) >= 0 && fclose(side) == 0);
    cr_expect(wave_file_begun(place("new.fst")));
    struct stat status;
    cr_expect(stat(place("new.fst.hier"), &status) == 0 && status.st_size == 5, "as it was");
}
