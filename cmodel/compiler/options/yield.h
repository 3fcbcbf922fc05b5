// Options: the YIELD of loops without a bound. No global state.
#ifndef TANDEM_COMPILER_OPTIONS_YIELD_H
#define TANDEM_COMPILER_OPTIONS_YIELD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum yield_kind {
    YIELD_KIND_AUTO,   // plain where the loop waits for other threads, else at every 256th execution
    YIELD_KIND_PLAIN,  // at each execution
    YIELD_KIND_NTH,    // at every number-th, 1 to YIELD_NTH_MOST
    YIELD_KIND_RANDOM  // with a probability of number / 65536, 1 to YIELD_RANDOM_MOST
};
enum { YIELD_NTH_MOST = 256, YIELD_RANDOM_MOST = 65535 };

// All-zero: auto.
struct yield_options {
    enum yield_kind kind;
    uint32_t number;
};

// From text: auto, plain, nth=N, random=P. False: it is none of these, *expected says what is.
bool yield_set(struct yield_options *options, const char *text, const char **expected);

#ifdef __cplusplus
}
#endif

#endif
