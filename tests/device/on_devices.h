// One test body, run on every kind of device: ON_DEVICES(suite, body, "IDs what") makes the tests body_model, body_rtl,
// body_tandem and body_full (tandem, the widest configuration).
#ifndef TANDEM_TESTS_ON_DEVICES_H
#define TANDEM_TESTS_ON_DEVICES_H

#include <criterion/criterion.h>

#include "driver/tandem.h"

#define ON_DEVICES(suite, body, what)                             \
    Test(suite, body##_model, .description = what " [model]") {   \
        body("model:small");                                      \
    }                                                             \
    Test(suite, body##_rtl, .description = what " [rtl]") {       \
        body("rtl:nano");                                         \
    }                                                             \
    Test(suite, body##_tandem, .description = what " [tandem]") { \
        body("tandem:nano");                                      \
    }                                                             \
    Test(suite, body##_small, .description = what " [tandem]") {  \
        body("tandem:small");                                     \
    }                                                             \
    Test(suite, body##_full, .description = what " [tandem]") {   \
        body("tandem:full");                                      \
    }

// Expects the status; shows the device's message when it is another.
#define must(device, expected, call)                                                                        \
    do {                                                                                                    \
        enum tandem_status status_ = (call);                                                                \
        cr_assert_eq(status_, expected, "%s: %s, expected %s: %s", #call, tandem_status_name(status_),      \
                     tandem_status_name(expected), status_ == TANDEM_CLOSED ? "" : tandem_message(device)); \
    } while (0)

// With 4 MiB of memory, unless the name says how much. TANDEM_TESTS_OVER=systemc: in the SystemC platform.
struct tandem_device *open_device(const char *name);
void close_device(struct tandem_device *device);
uint32_t read_word(struct tandem_device *device, tandem_addr address);
void write_word(struct tandem_device *device, tandem_addr address, uint32_t value);
tandem_addr new_words(struct tandem_device *device, uint32_t count);
// Assembles a program of one or more kernels and loads it.
struct tandem_module *load_assembly(struct tandem_device *device, const char *text);

#endif
