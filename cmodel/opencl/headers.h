// The headers of clCompileProgram: programs whose sources the front end finds as files in a folder of their own.
#ifndef TANDEM_OPENCL_HEADERS_H
#define TANDEM_OPENCL_HEADERS_H

#include "opencl/build_options.h"
#include "opencl/program.h"

struct header_folder {
    char path[64];  // "": there are no headers
};

// Writes them, and adds the folder to the options. A name that would lead out of the folder is CL_INVALID_VALUE.
cl_int header_folder_make(struct header_folder *folder, cl_uint count, const cl_program *headers, const char **names,
                          struct build_options *options);
void header_folder_remove(struct header_folder *folder);

#endif
