// The configuration that a bench's unit was made with: compiled with -DBENCH_CONFIG="name".
#ifndef TANDEM_TESTS_RTL_BENCH_CONFIG_H
#define TANDEM_TESTS_RTL_BENCH_CONFIG_H

#include <cstdio>
#include <cstdlib>

#include "gen/config.h"

// Ends the program when there is none of that name.
static inline const struct ppu_config *bench_config() {
    const struct ppu_config *config = ppu_config_find(BENCH_CONFIG);
    if (config == nullptr) {
        std::fprintf(stderr, "this bench was compiled for \"%s\", which is no configuration\n", BENCH_CONFIG);
        std::exit(2);
    }
    return config;
}

#endif
