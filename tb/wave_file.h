// FST wave files from outside: Verilator's writer deletes what stands where it is to write, does not look at what its
// writes say, and dies when its own side file (FILE.hier) was cut short.
#ifndef TANDEM_TB_WAVE_FILE_H
#define TANDEM_TB_WAVE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Before the writer is opened: where it is to write, symbolic links followed (to, of size bytes). False with the reason
// in why: something stands there that is no file, or no file can be made.
bool wave_file_prepare(const char *path, char *to, size_t size, char *why, size_t why_size);
// After the writer has been opened and its streams flushed: can its side file still grow? False: the names of the
// signals are not all there, and the writer must not be closed.
bool wave_file_begun(const char *path);
// After the writer has been closed: is the file whole, block by block?
bool wave_file_whole(const char *path);

#ifdef __cplusplus
}
#endif
#endif
