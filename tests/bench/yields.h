// What YIELD costs programs that wait for nobody: see yields.c.
#ifndef TANDEM_TESTS_BENCH_YIELDS_H
#define TANDEM_TESTS_BENCH_YIELDS_H

#include <stdbool.h>

// Prints the figures. False: something failed, said on stderr.
bool measure_yields(void);

#endif
