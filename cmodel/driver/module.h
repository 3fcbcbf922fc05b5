// A loaded program.
#ifndef TANDEM_DRIVER_MODULE_H
#define TANDEM_DRIVER_MODULE_H

#include "driver/space.h"
#include "isa/code_object.h"

struct tandem_module {
    struct tandem_device *device;
    struct tandem_space *space;
    struct code_object object;
    tandem_addr text, rodata, data;
    bool shares_data;           // data is another compile's of the same program
    tandem_addr work_kernels;   // what threads need to launch its kernels, 0: none makes work itself
    tandem_addr work_local;     // local memory of their threads, 0: they need none
    uint32_t work_local_bytes;  // of each of their threads
    struct {
        struct tandem_module *next;   // of space->printing
        tandem_addr buffer, records;  // 0: it does not print
        uint32_t capacity, read;      // bytes; of those, handed out
        uint32_t dropped;             // of the buffer's count, reported
        bool used;                    // launched since the buffer was begun
    } print;
    struct turned *turned;      // forms of its kernels for work-groups larger than what is resident
    struct variants *variants;  // of its kernels; a variant itself has none
    uint32_t constants_max;     // the largest constant buffer 0 of its kernels
};

enum tandem_status module_load(struct tandem_space *space, const void *elf, size_t size, struct tandem_module **module);
enum tandem_status module_load_file(struct tandem_space *space, const char *path, struct tandem_module **module);
void module_unload(struct tandem_module *module);

#endif
