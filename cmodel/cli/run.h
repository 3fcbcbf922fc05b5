// What `tandem run` is asked for: one file, one device, launches one after the other, buffers that they share.
#ifndef TANDEM_CLI_RUN_H
#define TANDEM_CLI_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli.h"
#include "compile_options.h"
#include "driver/tandem.h"
#include "options.h"

enum { RUN_ARGUMENTS_MAX = 64, RUN_LAUNCHES_MAX = 32, RUN_BUFFERS_MAX = 64, RUN_VALUE_MAX = 128, RUN_NAME_MAX = 32 };
#define RUN_NOT_GIVEN UINT64_MAX

struct run_launch {
    const char *kernel;  // NULL: the only one
    struct option_sizes global, local, offset;
    uint64_t level, repeat;
    bool at_head;
    const char *arguments[RUN_ARGUMENTS_MAX];
    size_t argument_count;
};

struct run_options {
    const char *file, *device, *wave, *timeline, *trace, *seed;
    uint64_t deadline, printf_bytes;  // 0: the default
    bool stats, again_log;
    int again;  // by the words of the option; -1: as the device's name says
    // The channel, and the queue of work that its threads make.
    uint64_t priority, ring_entries, work_entries, work_pieces, work_piece_bytes, work_priority;
    int work_put;  // by the words of the option; -1: as the device's name says
    // Registers of the device that choose how it works; RUN_NOT_GIVEN or -1: as after reset.
    int sv_order, policy, l1;
    bool round_robin;
    uint64_t slice;
    uint64_t sv_miss_share, yield_seed;
    struct compile_options compile;
    struct run_launch launches[RUN_LAUNCHES_MAX];
    size_t launch_count;
    const char *shown[RUN_BUFFERS_MAX], *saved[RUN_BUFFERS_MAX];  // NAME; NAME:FILE
    size_t shown_count, saved_count;
};

// EXIT_OK, or EXIT_USAGE after a complaint.
int run_options_parse(int argc, char **argv, struct run_options *options);
void run_options_help(FILE *to);

// What elements a value or a buffer is made of, by the name of its type ("float4", "__global uchar *"). Without a known
// name: `size` bytes of unsigned integer, or 32-bit words.
struct run_element {
    enum { ELEMENT_UNSIGNED, ELEMENT_SIGNED, ELEMENT_FLOAT } kind;
    unsigned bytes;  // 1, 2, 4 or 8 of each number
    unsigned lanes;  // numbers in one
};
struct run_element run_element_of(const char *type, size_t size);
// Numbers with commas to at most `room` bytes; *size is what they take. NULL, or what is wrong with the text.
const char *run_numbers(const char *text, struct run_element element, void *to, size_t room, size_t *size);
void run_print(const void *bytes, size_t size, struct run_element element);

struct run_buffer {
    char name[RUN_NAME_MAX];  // "": it has none
    tandem_addr address;
    size_t size;
    void *bytes;  // what it holds at first; NULL: zeros
    char *out;    // file to write afterwards, "-": standard output; NULL: none
    struct run_element element;
};

struct run_plan {
    struct run_buffer buffers[RUN_BUFFERS_MAX];
    size_t buffer_count;
    struct {
        const struct code_kernel *kernel;
        struct {
            int buffer;  // or -1: a value, or local memory of `size` bytes
            size_t size;
            uint8_t value[RUN_VALUE_MAX];
        } arguments[RUN_ARGUMENTS_MAX];
    } launches[RUN_LAUNCHES_MAX];
};

// Everything that can be found wrong without a device is found here. False after a complaint. run_plan_free() in any
// case.
bool run_plan_make(const struct run_options *options, const struct code_object *object, struct run_plan *plan);
void run_plan_free(struct run_plan *plan);
const struct run_buffer *run_plan_find(const struct run_plan *plan, const char *name, size_t length);

// Who looks on while kernels run, NULL in run_file(): nobody.
struct run_watch {
    void *context;
    // Everything is loaded, nothing is launched. False, after a complaint or with `left`: nothing will be.
    bool (*begin)(void *context, struct tandem_device *device, const struct code_object *object);
    // All has ended, well or not, and what was asked for is written; the device is still as it was then.
    void (*end)(void *context, bool good);
    bool left;  // who looks on has ended the run: nothing is complained of, nothing is left to tell
};
// Loads and runs what the options say. The exit code.
int run_file(struct run_options *run, struct run_watch *watch);

#endif
