// `make coverage`: what a verilated model has covered goes into the directory TANDEM_COVERAGE, a file each time.
#ifndef TANDEM_TB_COVERAGE_FILE_H
#define TANDEM_TB_COVERAGE_FILE_H

#include <unistd.h>
#include <verilated.h>
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

#include <cstdlib>
#include <string>

// Nothing in a build without counters, or when the variable is not set. The model must still be there.
static inline void write_coverage(VerilatedContext &context) {
#if VM_COVERAGE
    const char *directory = std::getenv("TANDEM_COVERAGE");
    if (directory == nullptr) return;
    std::string name = std::string(directory) + "/XXXXXX.dat";
    const int file = mkstemps(&name[0], 4);
    if (file < 0) return;
    close(file);
    context.coveragep()->write(name.c_str());
#else
    (void)context;
#endif
}

#endif
