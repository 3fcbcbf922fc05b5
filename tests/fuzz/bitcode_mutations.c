// bitcode-mutations: damaged LLVM bitcode handed to the compiler. Each call must return, with a code object that can be
// read or with messages, each a line that says where and what; nothing that LLVM does may reach this process.
//
// Not libFuzzer: LLVM works in a child process of each call, where no coverage is seen.
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/options.h"
#include "common/seed.h"
#include "compiler/compiler.h"
#include "random_numbers.h"

#define SIZE_MAX_BITCODE ((size_t)1 << 20)

static const char help[] =
    "usage: bitcode-mutations [--count N] [--seconds N] [--seed N] [--out FOLDER] FILE.bc...\n"
    "Damages the files, N times or for N seconds (default: 100 times), and compiles what is left of them. An input "
    "that\n"
    "is not handled is written to FOLDER (default: the current one). Exit status 1 when there is one.\n";

struct options {
    uint64_t count, seconds, seed;
    const char *out;
    char **files;
    int file_count;
};

static size_t damage(unsigned char *data, size_t size, uint64_t *state) {
    for (unsigned times = 1 + random_below(state, 4); times > 0 && size > 8; times--) {
        const size_t at = 4 + random_below(state, (uint32_t)size - 4), length = 1 + random_below(state, 32);
        const size_t end = at + length < size ? at + length : size;
        switch (random_below(state, 7)) {
            case 0: data[at] ^= (unsigned char)(1u << random_below(state, 8)); break;
            case 1: data[at] = (unsigned char)random_below(state, 256); break;
            case 2: memset(data + at, random_below(state, 2) ? 0xFF : 0, end - at); break;
            case 3: size = at; break;
            case 4:  // a piece less
                memmove(data + at, data + end, size - end);
                size -= end - at;
                break;
            case 5:  // a piece of elsewhere
                for (size_t k = at, from = 4 + random_below(state, (uint32_t)size - 4); k < end && from < size;
                     k++, from++)
                    data[k] = data[from];
                break;
            default:
                for (size_t k = at; k < end; k++)
                    data[k] = (unsigned char)random_below(state, 256);
        }
    }
    return size;
}

// What is wrong with the answer; NULL: nothing.
static const char *wrong(bool good, const struct compiler_result *result) {
    struct code_object object;
    static char error[256];
    if (good) {
        if (result->elf == NULL) return "compiled, but no code object";
        if (!code_object_read(result->elf, result->elf_size, &object, error, sizeof error)) return error;
        code_object_free(&object);
        return NULL;
    }
    if (result->elf != NULL) return "refused, but a code object";
    if (result->messages == NULL || result->messages[0] == '\0') return "refused without a message";
    for (const char *at = result->messages; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        const char *what = strstr(at, "error: ");
        if (what == NULL || what > at + length) return "a line of the messages says no error";
        at += length + (at[length] == '\n');
    }
    return NULL;
}

static bool try_one(const struct options *o, const unsigned char *data, size_t size, uint64_t number, bool *compiled) {
    const struct compiler_options options = {.time_limit = 120};
    struct compiler_result result;
    *compiled = compiler_compile((const char *)data, size, "damaged.bc", &options, &result);
    const char *what = wrong(*compiled, &result);
    if (what != NULL) {
        char path[512];
        snprintf(path, sizeof path, "%s/damaged-%llu.bc", o->out, (unsigned long long)number);
        FILE *file = fopen(path, "wb");
        if (file != NULL) {
            (void)fwrite(data, 1, size, file);
            (void)fclose(file);
        }
        fprintf(stderr, "bitcode-mutations: %s: %s; the messages:\n%s", path, what,
                result.messages != NULL ? result.messages : "");
    }
    compiler_result_free(&result);
    return what == NULL;
}

static int run(const struct options *o) {
    unsigned char *data = malloc(SIZE_MAX_BITCODE);
    if (data == NULL) return 1;
    const time_t end = time(NULL) + (time_t)o->seconds;
    uint64_t done = 0, accepted = 0;
    bool good = true;
    for (; good && (o->seconds > 0 ? time(NULL) < end : done < o->count); done++) {
        uint64_t state = o->seed + done;
        const char *path = o->files[random_below(&state, (uint32_t)o->file_count)];
        FILE *file = fopen(path, "rb");
        size_t size = file != NULL ? fread(data, 1, SIZE_MAX_BITCODE, file) : 0;
        if (file != NULL) (void)fclose(file);
        if (size < 64) {
            fprintf(stderr, "bitcode-mutations: %s: %s\n", path, file == NULL ? strerror(errno) : "too short");
            good = false;
            break;
        }
        bool compiled = false;
        // The first of all is whole: were it refused, nothing would be tried.
        if (done > 0) size = damage(data, size, &state);
        good = try_one(o, data, size, o->seed + done, &compiled);
        accepted += compiled;
        if (done == 0 && !compiled) {
            fprintf(stderr, "bitcode-mutations: %s is refused although it is whole\n", path);
            good = false;
        }
    }
    free(data);
    printf("%llu files, %llu of them compile; --seed %llu repeats them\n", (unsigned long long)done,
           (unsigned long long)accepted, (unsigned long long)o->seed);
    return good ? 0 : 1;
}

int main(int argc, char **argv) {
    struct options o = {.count = 100, .seed = seed_from_environment(), .out = "."};
    o.files = calloc((size_t)argc, sizeof *o.files);
    const struct option_row rows[] = {{"--count", &o.count, 1, UINT64_MAX, NULL},
                                      {"--seconds", &o.seconds, 0, UINT32_MAX, NULL},
                                      {"--seed", &o.seed, 0, UINT64_MAX, NULL},
                                      {"--out", NULL, 0, 0, &o.out}};
    const bool good = o.files != NULL && options_parse("bitcode-mutations", rows, sizeof rows / sizeof rows[0], argc,
                                                       argv, o.files, &o.file_count);
    if (!good || o.file_count == 0) fputs(help, stderr);
    const int result = good && o.file_count > 0 ? run(&o) : 2;
    free(o.files);
    return result;
}
