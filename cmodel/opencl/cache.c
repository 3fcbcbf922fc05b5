// The folder of compiled programs.
#include "opencl/cache.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opencl/environment.h"
#include "opencl/hash.h"
#include "opencl/object.h"

#define SUFFIX ".tandem-cl"
#define DEFAULT_MIB 256u
#define PATH_ROOM 4096u
// Said in the Makefile, which gives it here.
#ifndef TANDEM_VERSION
#define TANDEM_VERSION "without version"
#endif

struct head {
    char magic[8];
    uint64_t key_size, code_size, log_size;
    uint64_t hash;  // of the code
};
static const char magic[8] = "TandemC1";

static void append(struct cache_key *key, const void *data, size_t size) {
    char *more = key->text != NULL ? realloc(key->text, key->size + size) : NULL;
    if (more == NULL) free(key->text);
    key->text = more;
    if (more == NULL) return;
    memcpy(more + key->size, data, size);
    key->size += size;
}

static void append_text(struct cache_key *key, const char *text) {
    append(key, text, strlen(text) + 1);
}

static bool includes(const char *source, size_t size) {
    return memmem(source, size, "include", strlen("include")) != NULL;
}

static void build_text(char *to, size_t size) {
    Dl_info info;
    struct stat status;
    to[0] = '\0';
    if (dladdr(&opencl_dispatch, &info) != 0 && stat(info.dli_fname, &status) == 0)
        snprintf(to, size, "%lld %lld.%09ld", (long long)status.st_size, (long long)status.st_mtim.tv_sec,
                 status.st_mtim.tv_nsec);
}

uint64_t cache_build(void) {
    char text[96];
    build_text(text, sizeof text);
    return hash_bytes(HASH_START, text, strlen(text));
}

static void append_build(struct cache_key *key) {
    char text[96];
    build_text(text, sizeof text);
    append_text(key, text);
}

struct cache_key cache_key_make(const struct compile_input *input) {
    struct cache_key key = {.text = NULL};
    if (environment_text("TANDEM_CACHE") == NULL || input->options->reads_files || input->more_count > 0 ||
        includes(input->source, input->size))
        return key;
    key.text = malloc(1);
    append_text(&key, "Tandem " TANDEM_VERSION);
    append_build(&key);
    append_text(&key, input->full_profile ? "full" : "embedded");
    append_text(&key, input->front_only ? "bitcode" : "code");
    append_text(&key, input->config != NULL ? input->config : "");
    for (size_t k = 0; k < input->options->count; k++)
        append_text(&key, input->options->front[k]);
    append_text(&key, "");
    append(&key, input->source, input->size);
    return key;
}

void cache_key_free(struct cache_key *key) {
    free(key->text);
    *key = (struct cache_key){.text = NULL};
}

static bool path_of(const struct cache_key *key, char *to) {
    const uint64_t hash = hash_bytes(HASH_START, key->text, key->size);
    return snprintf(to, PATH_ROOM, "%s/%016" PRIx64 SUFFIX, environment_text("TANDEM_CACHE"), hash) < (int)PATH_ROOM;
}

static void *read_part(FILE *file, size_t size) {
    char *part = malloc(size + 1);
    if (part == NULL || fread(part, 1, size, file) != size) {
        free(part);
        return NULL;
    }
    part[size] = '\0';
    return part;
}

static bool read_file(FILE *file, const struct cache_key *key, struct compiled *to) {
    struct head head;
    struct stat status;
    if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.magic, magic, sizeof magic) != 0) return false;
    if (head.key_size != key->size || fstat(fileno(file), &status) != 0) return false;
    if ((uint64_t)status.st_size != sizeof head + head.key_size + head.code_size + head.log_size) return false;
    char *own = read_part(file, key->size);
    const bool same = own != NULL && memcmp(own, key->text, key->size) == 0;
    free(own);
    if (!same) return false;
    to->size = head.code_size;
    to->code = read_part(file, head.code_size);
    if (to->code != NULL && hash_bytes(HASH_START, to->code, to->size) == head.hash)
        to->log = read_part(file, head.log_size);
    if (to->log != NULL) return true;
    free(to->code);
    *to = (struct compiled){.code = NULL};
    return false;
}

bool cache_find(const struct cache_key *key, struct compiled *to) {
    char path[PATH_ROOM];
    if (key->text == NULL || !path_of(key, path)) return false;
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    const bool good = read_file(file, key, to);
    if (good) (void)futimens(fileno(file), NULL);  // used now: it goes last
    (void)fclose(file);
    if (good) log_line("%s is taken from the cache", path);
    return good;
}

struct kept {
    char name[64];
    int64_t used;
    uint64_t size;
};

static int by_use(const void *one, const void *other) {
    const struct kept *a = one, *b = other;
    return (a->used > b->used) - (a->used < b->used);
}

static size_t list_kept(DIR *folder, struct kept **list) {
    size_t count = 0, room = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        struct stat status;
        if (strstr(entry->d_name, SUFFIX) == NULL || strlen(entry->d_name) >= sizeof(*list)->name ||
            fstatat(dirfd(folder), entry->d_name, &status, 0) != 0)
            continue;
        if (count == room) {
            struct kept *more = realloc(*list, (room = 2 * room + 64) * sizeof *more);
            if (more == NULL) break;
            *list = more;
        }
        struct kept *to = &(*list)[count++];
        strcpy(to->name, entry->d_name);
        to->used = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
        to->size = (uint64_t)status.st_size;
    }
    return count;
}

static void keep_bounded(const char *path) {
    const uint64_t most = environment_number("TANDEM_CACHE_MIB", DEFAULT_MIB) << 20;
    DIR *folder = opendir(path);
    struct kept *list = NULL;
    uint64_t sum = 0;
    if (folder == NULL) return;
    const size_t count = list_kept(folder, &list);
    for (size_t k = 0; k < count; k++)
        sum += list[k].size;
    if (count > 0) qsort(list, count, sizeof *list, by_use);
    for (size_t k = 0; k < count && sum > most; k++) {
        if (unlinkat(dirfd(folder), list[k].name, 0) == 0) sum -= list[k].size;
    }
    free(list);
    (void)closedir(folder);
}

static bool write_file(FILE *file, const struct cache_key *key, const struct compiled *compiled) {
    const char *log = compiled->log != NULL ? compiled->log : "";
    struct head head = {.key_size = key->size,
                        .code_size = compiled->size,
                        .log_size = strlen(log),
                        .hash = hash_bytes(HASH_START, compiled->code, compiled->size)};
    memcpy(head.magic, magic, sizeof magic);
    bool good = fwrite(&head, sizeof head, 1, file) == 1 && fwrite(key->text, 1, key->size, file) == key->size;
    good = good && fwrite(compiled->code, 1, compiled->size, file) == compiled->size;
    good = good && fwrite(log, 1, head.log_size, file) == head.log_size;
    return fclose(file) == 0 && good;
}

void cache_keep(const struct cache_key *key, const struct compiled *compiled) {
    char path[PATH_ROOM], part[PATH_ROOM + 16];
    const char *folder = environment_text("TANDEM_CACHE");
    if (key->text == NULL || folder == NULL || !path_of(key, path)) return;
    (void)mkdir(folder, 0777);
    snprintf(part, sizeof part, "%s.XXXXXX", path);
    const int handle = mkostemp(part, O_CLOEXEC);
    FILE *file = handle >= 0 ? fdopen(handle, "w") : NULL;
    if (file == NULL) {
        log_line("TANDEM_CACHE: %s cannot be written", part);
        if (handle >= 0) (void)close(handle);
        return;
    }
    if (!write_file(file, key, compiled) || rename(part, path) != 0) {
        (void)unlink(part);
        return;
    }
    keep_bounded(folder);
}
