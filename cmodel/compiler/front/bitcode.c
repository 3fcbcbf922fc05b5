// Programs that come as LLVM bitcode in place of OpenCL C: the same child process as always reads them, so whatever
// LLVM does over a damaged file happens there.
#include "compiler/front/bitcode.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MEMORY_MAX ((rlim_t)4 << 30)

bool bitcode_given(const void *source, size_t size) {
    return size >= 4 && memcmp(source, "BC\xC0\xDE", 4) == 0;
}

#ifndef __SANITIZE_ADDRESS__
// Bytes that the process has reserved so far: the caller's devices too, whose memory may be gigabytes.
static rlim_t address_space(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) return 0;
    if (fscanf(file, "%lu", &pages) != 1) pages = 0;
    (void)fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}
#endif

void bitcode_take(struct compilation *compilation, void **bitcode, size_t *size) {
    // LLVM's reader tells there what it thinks of debug information; what matters becomes a message.
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) (void)dup2(nowhere, STDERR_FILENO);
#ifndef __SANITIZE_ADDRESS__  // whose shadow alone is larger
    const rlim_t most = address_space() + MEMORY_MAX;
    const struct rlimit limit = {most, most};
    (void)setrlimit(RLIMIT_AS, &limit);
#endif
    *size = compilation->source_size;
    *bitcode = take(*size, 1);
    memcpy(*bitcode, compilation->source, *size);
}
