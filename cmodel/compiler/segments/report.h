// What is told about segments: see report.c.
#ifndef TANDEM_COMPILER_SEGMENTS_REPORT_H
#define TANDEM_COMPILER_SEGMENTS_REPORT_H

#include "compiler/machine/machine.h"

// After registers_allocate(): a line for each segment and one for the kernel. Nothing when options do not ask for it.
void segments_report(const struct machine_function *function, struct text *to);

#endif
