// The quick way for machines with AVX2 and FMA; the Makefile says which.
#define NATIVE_RUN native_run_v3
#include "native_loop.h"
