// The quick way for machines with AVX-512; the Makefile says which.
#define NATIVE_RUN native_run_v4
#include "native_loop.h"
