// --inject N for benches of units verilated with INJECT=1: the number goes to inject_i. The bench must then fail.
#ifndef TANDEM_TESTS_RTL_INJECT_H
#define TANDEM_TESTS_RTL_INJECT_H

#include <cstdlib>
#include <cstring>

// Takes the argument out of argv, so that bench_begin does not see it. 0 when it is not there.
static inline unsigned take_inject(int *argc, char **argv) {
    unsigned inject = 0;
    int to = 1;
    for (int i = 1; i < *argc; i++) {
        if (std::strcmp(argv[i], "--inject") == 0 && i + 1 < *argc) {
            inject = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 0));
        } else {
            argv[to++] = argv[i];
        }
    }
    *argc = to;
    return inject;
}

#endif
