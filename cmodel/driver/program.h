// Programs that are compiled again when their arguments are known: what an OpenCL run-time calls between
// clBuildProgram and clEnqueueNDRangeKernel.
//
// The first compile holds for any arguments. A launch tells which region each pointer argument lies in; the regions are
// compared pair by pair, and when that allows something the kernel is compiled once more with it. Such a variant is
// kept and used for launches with exactly the same facts, never for others; the choice is made anew at every launch.
#ifndef TANDEM_DRIVER_PROGRAM_H
#define TANDEM_DRIVER_PROGRAM_H

#include "compiler/options/alias.h"
#include "tandem.h"

#ifdef __cplusplus
extern "C" {
#endif

// The memory that a pointer argument may lead to: a buffer or sub-buffer [address, address + size). The argument's
// value is address + offset. size 0: not known; then nothing is concluded from this argument.
struct tandem_region {
    tandem_addr address;
    uint32_t size, offset;
};

struct tandem_relation {
    enum alias_relation relation;
    uint32_t gap;                // ALIAS_APART: bytes between the end of the lower and the start of the higher one
    uint32_t bytes, start, end;  // ALIAS_OVERLAP, ALIAS_SAME: the shared range [start, end)
    int64_t distance;            // both known: from the first argument's value to the second's, in bytes
};
// ALIAS_SAME: the same region and the same offset.
struct tandem_relation tandem_relate(const struct tandem_region *first, const struct tandem_region *second);

struct tandem_program;

// When the second compile is made, for launches that have facts.
enum tandem_second {
    TANDEM_SECOND_AT_ONCE,     // after `patience` launches
    TANDEM_SECOND_WHEN_WORTH,  // and when what it is expected to save has reached what it costs (policy.c)
    TANDEM_SECOND_NEVER,       // the first compile runs every launch
};

struct tandem_program_options {
    unsigned variants_max;  // kept second compiles of a program; further facts run the first compile. 0: 64
    unsigned patience;      // launches with the same facts that run the first compile before the second is made
    enum tandem_second second;
};

// Compiles for any arguments and loads. On failure the device's message has the compiler's first line. options may be
// NULL. context must live as long as the program. The caller owns *program: tandem_program_free().
enum tandem_status tandem_program_build(struct tandem_device *device, alias_compile *compile, void *context,
                                        const struct tandem_program_options *options, struct tandem_program **program);
void tandem_program_free(struct tandem_program *program);

// As tandem_launch. regions: one for each argument (those of values and of local memory are not looked at), or NULL:
// nothing is known. A region that wraps, or that the argument's value does not lie in, is TANDEM_BAD_ARGUMENT. A second
// compile that fails, or makes code that cannot run this launch, is no error: the first compile runs.
enum tandem_status tandem_program_launch(struct tandem_channel *channel, struct tandem_program *program,
                                         const char *kernel, const struct tandem_range *range,
                                         const struct tandem_argument *arguments, const struct tandem_region *regions,
                                         size_t count);

// Tells how many cycles the last launch has taken, for the log and for TANDEM_SECOND_WHEN_WORTH.
void tandem_program_cycles(struct tandem_program *program, uint64_t cycles);

struct tandem_program_counts {
    uint64_t launches;  // all
    uint64_t hits;      // that used a variant made by an earlier launch
    uint64_t first;     // that ran the first compile
    unsigned variants;  // facts that are remembered, with the refused ones
    unsigned refused;   // variants that failed or were no gain
    double seconds;     // spent in second compiles
};
struct tandem_program_counts tandem_program_counts(const struct tandem_program *program);
// Why: relations found, what was allowed and done, code size, registers and cycles before and after. The caller frees
// the text; NULL when the host has no memory.
char *tandem_program_log(const struct tandem_program *program);

#ifdef __cplusplus
}
#endif

#endif
