// Headers as files, since clang reads these.
#include "opencl/headers.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Does the name stay below the folder, whatever its parts are?
static bool name_inside(const char *name) {
    if (*name == '/' || *name == '\0') return false;
    for (const char *at = name; at != NULL; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0')) return false;
    }
    return true;
}

static bool write_header(const char *folder, const char *name, const char *text, size_t size) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return false;
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) return false;
    }
    FILE *file = fopen(path, "we");
    if (file == NULL) return false;
    const bool written = fwrite(text, 1, size, file) == size;
    return (fclose(file) == 0) && written;
}

cl_int header_folder_make(struct header_folder *folder, cl_uint count, const cl_program *headers, const char **names,
                          struct build_options *options) {
    folder->path[0] = '\0';
    if (count == 0) return CL_SUCCESS;
    for (cl_uint k = 0; k < count; k++)
        if (!name_inside(names[k])) return CL_INVALID_VALUE;
    strcpy(folder->path, "/tmp/tandem-headers-XXXXXX");
    if (mkdtemp(folder->path) == NULL) {
        folder->path[0] = '\0';
        return CL_OUT_OF_HOST_MEMORY;
    }
    bool good = build_options_add(options, "-I") && build_options_add(options, folder->path);
    for (cl_uint k = 0; k < count && good; k++)
        good = write_header(folder->path, names[k], headers[k]->source, headers[k]->source_size);
    if (!good) header_folder_remove(folder);
    return good ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    return remove(path);
}

void header_folder_remove(struct header_folder *folder) {
    if (folder->path[0] != '\0') (void)nftw(folder->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    folder->path[0] = '\0';
}
