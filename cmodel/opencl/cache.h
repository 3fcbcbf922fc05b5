// TANDEM_CACHE: compiled programs, kept in a folder by what they are made of.
//
// A file holds its whole key besides the code, so that no hash decides what is used. Files come to their names whole,
// by renaming, so that any number of processes may use one folder.
#ifndef TANDEM_OPENCL_CACHE_H
#define TANDEM_OPENCL_CACHE_H

#include "opencl/compile.h"

struct cache_key {
    char *text;  // NULL: this is not kept
    size_t size;
};

// What the compilation depends on. Nothing is kept without TANDEM_CACHE, or of what reads further files.
struct cache_key cache_key_make(const struct compile_input *input);
// False: it is not there.
bool cache_find(const struct cache_key *key, struct compiled *to);
// What cannot be written is not kept. The least recently used files go when the folder has become too large.
void cache_keep(const struct cache_key *key, const struct compiled *compiled);
void cache_key_free(struct cache_key *key);

// A number of the library that compiles: another build may compile differently under the same version.
uint64_t cache_build(void);

#endif
