// Second compiles: kernels that are compiled again when their arguments are known, by every launch, by itself.
//
// The first compile holds for any arguments. A launch knows the memory that each pointer argument leads to; these
// regions are compared pair by pair, and when that allows something, and is worth it, the kernel is compiled once more.
// Such a variant is kept and used for launches with exactly the same facts, never for others; the choice is made anew
// at every launch. What it takes: a code object that the compiler has made (section .tandem.again), and the compiler in
// the program (libtandem has it). Without either, every launch runs the first compile.
//
// The compile happens within the launch that it is made for, and nothing is decided by the CPU's clock: the same calls
// on a device of the same name make the same choices.
#ifndef TANDEM_DRIVER_RECOMPILE_H
#define TANDEM_DRIVER_RECOMPILE_H

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

// When a second compile is made, for launches that have facts. The device's name says it too (again=).
enum tandem_recompile {
    TANDEM_RECOMPILE_AUTO,    // when launches with these facts have taken so long that it should pay (driver/policy.c);
                              // it is dropped when the device's own cycles show that it is no faster
    TANDEM_RECOMPILE_ALWAYS,  // at once, and kept
    TANDEM_RECOMPILE_NEVER,
};

struct tandem_recompile_options {
    enum tandem_recompile when;
    unsigned variants_max;  // facts that a module remembers at a time; 0: 64
    uint64_t price;         // AUTO: what a compile costs, in cycles of the device; 0: reckoned from the program's size
};
// For launches from now on. Variants that exist stay in use, unless `when` is NEVER.
void tandem_set_recompile(struct tandem_device *device, const struct tandem_recompile_options *options);
// Another compiler than the one that is linked; NULL: none. context must live as long as the device.
void tandem_set_compiler(struct tandem_device *device, alias_compile *compile, void *context);

// Why: a line without its end for each thing that is found or decided: kernel and relations, what the compile is worth
// and what it costs, its time, what was allowed and done, code size and registers before and after, cycles before and
// after, kept or dropped. NULL: none. Until this is called, lines go to standard error when "recompile" is a word of
// the environment's TANDEM_LOG. The call must not use the device.
typedef void tandem_recompile_log(void *context, const char *line);
void tandem_set_recompile_log(struct tandem_device *device, tandem_recompile_log *call, void *context);

// tandem_launch_scheduled() for arguments whose regions the caller knows better than the driver. regions: one for each
// argument (those of values and of local memory are not looked at), for example sub-buffers. A region that wraps, or
// that the argument's value does not lie in, is TANDEM_BAD_ARGUMENT. What is said must be true: a kernel that reaches
// through an argument what lies outside its region may compute anything.
//
// The other launches take for each pointer the allocation (tandem_alloc()) that it points into, or just behind; of
// another pointer nothing is known.
enum tandem_status tandem_launch_regions(struct tandem_channel *channel, struct tandem_module *module,
                                         const char *kernel, const struct tandem_range *range,
                                         const struct tandem_scheduling *scheduling,
                                         const struct tandem_argument *arguments, const struct tandem_region *regions,
                                         size_t count);

struct tandem_recompile_counts {
    uint64_t launches;  // of the module's kernels by the host
    uint64_t hits;      // that used a variant made by an earlier launch
    uint64_t first;     // that ran the first compile
    unsigned compiles;  // second compiles that were tried
    unsigned refused;   // of these: failed, or no gain could be seen in the code
    unsigned dropped;   // of these: proved no faster
    double seconds;     // of the CPU's clock, spent in second compiles
};
struct tandem_recompile_counts tandem_recompile_counts(const struct tandem_module *module);

#ifdef __cplusplus
}
#endif

#endif
