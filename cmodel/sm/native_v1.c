// The quick way for every machine of the kind; the Makefile says which.
#define NATIVE_RUN native_run_v1
#include "native_loop.h"
