// The device API used wrongly, and with things that do not end: names, arguments, deadlines.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/tandem.h"
#include "isa/assembler.h"
#include "isa/code_object.h"

struct world {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
};

// A device with one channel and a program of two kernels: k ends at once, hang never does.
static struct world begin(void) {
    static const char source[] =
        ".kernel k\nEXIT\n.end\n.kernel hang\nagain:\nBRA again\nEXIT\n.end\n"
        ".kernel unequal\n.non_uniform 1\nEXIT\n.end\n";
    struct world w = {0};
    struct code_object object;
    char message[512];
    void *elf = NULL;
    size_t size = 0;
    cr_assert(assemble(source, sizeof source - 1, "test", &object, message, sizeof message), "%s", message);
    cr_assert(code_object_write(&object, &elf, &size, message, sizeof message), "%s", message);
    code_object_free(&object);
    cr_assert_eq(tandem_open("model:nano,mem=4", &w.device, message, sizeof message), TANDEM_OK, "%s", message);
    cr_assert_eq(tandem_channel_open(w.device, 8, 0, &w.channel), TANDEM_OK);
    cr_assert_eq(tandem_module_load(w.device, elf, size, &w.module), TANDEM_OK);
    free(elf);
    return w;
}

static void end(struct world *w) {
    tandem_channel_close(w->channel);
    tandem_module_unload(w->module);
    cr_assert_eq(tandem_close(w->device), TANDEM_OK);
}

static uint64_t cycles(struct tandem_device *device) {
    struct tandem_statistics statistics;
    tandem_get_statistics(device, &statistics);
    return statistics.cycles;
}

Test(driver_misuse, names, .description = "WQ-1 wrong device names are told apart") {
    const struct {
        const char *name, *says;
    } cases[] = {
        {"", "no such kind"},
        {"model", "no such kind"},
        {"modell:nano", "no such kind"},
        {"model:huge", "no configuration"},
        {"model:nano,seed=x", "seed"},
        {"model:nano,mem=0", "mem"},
        {"model:nano,mem=9999", "mem"},
        {"model:nano,color=red", "color"},
        {"model:nano,wave=x.fst", "waves"},
        {"model:nano,trace=/nonexistent/x", "trace"},
        {"model:nano,seed=-1", "seed"},
        {"model:nano,mem=", "mem"},
        {"model:nano,mem=1", "from 2 to 4095"},
        {"model:nano,small", "\"small\" is no KEY=VALUE"},
        {"model:mem=4,nano", "\"nano\" is no KEY=VALUE"},
        {"model:nano,", "\"\" is no KEY=VALUE"},
        {"model:nano,,mem=4", "\"\" is no KEY=VALUE"},
        {"model:nano,=4", "\"\": unknown"},
        {"model:nano,mem=4,seed=1,mem=8", "mem stands there twice"},
        {"model:nano,trace=a,trace=b", "trace stands there twice"},
        {"model:nano,seed= -5", "seed"},
        {"model:nano,seed= 5", "seed"},
        {"model:nano,seed=5 ", "seed"},
        {"model:nano,seed=+5", "seed"},
        {"model:nano,seed=18446744073709551616", "seed"},
        {"model:nano,seed=0x", "seed"},
        {"model:nano,mem=010", "without zeros in front"},
        {"model:nano,mem=1e1", "mem"},
        {"model:nano_injected", "no configuration"},
        {"model:nano,mem=4,bus_error=0x400000+1", "past the device's 4194304 bytes"},
        {"model:nano,bus_error=0x3FFFFF+2,mem=4", "past the device's 4194304 bytes"},
        {"model:nano,bus_error=4096+0", "bus_error"},
        {"model:nano,tokens=0", "from 1 to 65536"},
        {"model:nano,tokens=4", "a power of two from 8 to 8192"},
        {"model:nano,tokens=1000", "a power of two from 8 to 8192"},
        {"model:nano,tokens=16384", "a power of two from 8 to 8192"},
        {"model:full,tokens=65536", "a power of two from 8 to 32768"},
        {"model:full,mem=4,tokens=32768", "16777216 bytes, more than half of the device's 4194304"},
        {"model:nano,bus_error=0xFFFFFFFF+0xFFFFFFFF", "past the device's"},
        {"model:na\x1b[31mno", "control character 0x1b"},
        {"model:nano,trace=a\nb", "control character 0x0a"},
        {"\x7fmodel:nano", "character 1 is the control character 0x7f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tandem_device *device = NULL;
        char message[512] = "";
        cr_expect_eq(tandem_open(cases[i].name, &device, message, sizeof message), TANDEM_NO_DEVICE, "%s",
                     cases[i].name);
        cr_expect_null(device);
        cr_expect(strstr(message, cases[i].says) != NULL, "\"%s\" says: %s", cases[i].name, message);
        for (const char *c = message; *c != '\0'; c++)
            cr_expect((unsigned char)*c >= 0x20 && *c != 0x7F, "\"%s\" is said raw", cases[i].name);
    }
}

Test(driver_misuse, good_names, .description = "WQ-1 names that are as they should be") {
    static const char *const names[] = {"model:", "model:nano,seed=18446744073709551615", "model:seed=0,mem=0x4",
                                        "model:,mem=4", "model:nano,mem=4,bus_error=0x3FFFFF+1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct tandem_device *device = NULL;
        char message[512] = "";
        cr_assert_eq(tandem_open(names[i], &device, message, sizeof message), TANDEM_OK, "%s: %s", names[i], message);
        cr_expect_eq(tandem_close(device), TANDEM_OK);
    }
}

Test(driver_misuse, no_scheduling, .description = "TU-5 a launch and a task without a scheduling are plain ones") {
    struct world w = begin();
    const struct tandem_range range = {.dimensions = 1, .global = {32}};
    tandem_addr tmd = 0;
    cr_assert_eq(tandem_task_build(w.channel, w.module, "k", &range, NULL, NULL, 0, &tmd), TANDEM_OK, "%s",
                 tandem_message(w.device));
    cr_expect_eq(tandem_free(w.device, tmd), TANDEM_OK);
    cr_assert_eq(tandem_launch_scheduled(w.channel, w.module, "k", &range, NULL, NULL, 0), TANDEM_OK);
    cr_assert_eq(tandem_finish(w.channel, 10000), TANDEM_OK, "%s", tandem_message(w.device));
    end(&w);
}

Test(driver_misuse, sizes, .description = "TU-1 a global size of 0, queues without threads") {
    struct world w = begin();
    tandem_addr tmd = 0;
    for (uint32_t d = 0; d < 3; d++) {
        struct tandem_range range = {.dimensions = 3, .global = {4, 4, 4}};
        char says[64];
        range.global[d] = 0;
        snprintf(says, sizeof says, "global size in dimension %u is 0", d);
        cr_expect_eq(tandem_launch(w.channel, w.module, "k", &range, NULL, 0), TANDEM_BAD_ARGUMENT);
        cr_expect(strstr(tandem_message(w.device), says) != NULL, "%s", tandem_message(w.device));
    }
    const struct tandem_queue queue = {.ring = 4096, .entries = 4, .entry_bytes = 4, .per_cta = 1};
    cr_expect_eq(tandem_launch_queue(w.channel, w.module, "k", 0, &queue, NULL, NULL, 0, &tmd), TANDEM_BAD_ARGUMENT);
    cr_expect(strstr(tandem_message(w.device), "0 threads") != NULL, "%s", tandem_message(w.device));
    end(&w);
}

Test(driver_misuse, unequal_groups, .description = "TU-6 CL-2 local sizes that do not divide global sizes") {
    const struct tandem_range range = {.dimensions = 2, .global = {10, 7}, .local = {4, 3}};
    struct world w = begin();
    struct tandem_kernel_info info;
    tandem_addr tmd = 0;
    cr_expect_eq(tandem_launch(w.channel, w.module, "k", &range, NULL, 0), TANDEM_BAD_ARGUMENT);
    cr_expect(strstr(tandem_message(w.device), "dimension 0 the local size 4 must divide the global size 10") != NULL,
              "%s", tandem_message(w.device));
    cr_assert_eq(tandem_get_kernel_info(w.module, "k", &info), TANDEM_OK);
    cr_expect_not(info.non_uniform);
    cr_assert_eq(tandem_get_kernel_info(w.module, "unequal", &info), TANDEM_OK);
    cr_expect(info.non_uniform);
    cr_expect_eq(tandem_launch(w.channel, w.module, "unequal", &range, NULL, 0), TANDEM_OK);
    cr_expect_eq(tandem_finish(w.channel, 100000), TANDEM_OK, "%s", tandem_message(w.device));
    cr_expect_eq(tandem_task_build(w.channel, w.module, "unequal", &range, NULL, NULL, 0, &tmd), TANDEM_BAD_ARGUMENT);
    cr_expect(strstr(tandem_message(w.device), "build a task of whole work-groups") != NULL, "%s",
              tandem_message(w.device));
    end(&w);
}

Test(driver_misuse, bus_errors_outside, .description = "WQ-8 bus errors only where there is memory") {
    struct world w = begin();
    cr_expect_eq(tandem_set_bus_errors(w.device, 4u << 20, 1, false), TANDEM_BAD_ARGUMENT);
    cr_expect_eq(tandem_set_bus_errors(w.device, (4u << 20) - 1, 2, false), TANDEM_BAD_ARGUMENT);
    cr_expect_eq(tandem_set_bus_errors(w.device, 0, (4u << 20) + 1, false), TANDEM_BAD_ARGUMENT);
    cr_expect_eq(tandem_set_bus_errors(w.device, (4u << 20) - 1, 1, false), TANDEM_OK);
    cr_expect_eq(tandem_set_bus_errors(w.device, 0, 0, false), TANDEM_OK);
    end(&w);
}

Test(driver_misuse, deadline,
     .description = "WQ-3 SP-3 a wait ends at its deadline; closing the channel then ends its task at once") {
    struct world w = begin();
    const struct tandem_range range = {.dimensions = 1, .global = {32}};
    cr_assert_eq(tandem_launch(w.channel, w.module, "hang", &range, NULL, 0), TANDEM_OK);
    cr_assert_eq(tandem_finish(w.channel, 1000), TANDEM_TIMEOUT);
    cr_expect_eq(cycles(w.device), 1000, "%llu cycles", (unsigned long long)cycles(w.device));
    cr_assert_eq(tandem_channel_close(w.channel), TANDEM_OK);
    cr_expect_lt(cycles(w.device), 2000, "%llu cycles", (unsigned long long)cycles(w.device));
    // The task has been ended: its channel of the device is free.
    struct tandem_channel *others[2] = {NULL};
    for (int i = 0; i < 2; i++)
        cr_assert_eq(tandem_channel_open(w.device, 8, 0, &others[i]), TANDEM_OK, "%s", tandem_message(w.device));
    tandem_channel_close(others[1]);
    cr_assert_eq(tandem_launch(others[0], w.module, "k", &range, NULL, 0), TANDEM_OK);
    cr_expect_eq(tandem_finish(others[0], 100000), TANDEM_OK, "%s", tandem_message(w.device));
    w.channel = others[0];
    end(&w);
}

Test(driver_misuse, late_end,
     .description = "WQ-1 SP-3 a channel that was closed while tasks are pending is given out again") {
    struct world w = begin();
    struct tandem_channel *others[2] = {NULL};
    const struct tandem_range range = {.dimensions = 1, .global = {32}};
    for (int i = 0; i < 4; i++)
        cr_assert_eq(tandem_launch(w.channel, w.module, "k", &range, NULL, 0), TANDEM_OK);
    cr_assert_eq(tandem_finish(w.channel, 3), TANDEM_TIMEOUT);
    cr_assert_eq(tandem_channel_close(w.channel), TANDEM_OK);
    cr_assert_eq(tandem_run(w.device, 10000), TANDEM_OK);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(tandem_channel_open(w.device, 8, 0, &others[i]), TANDEM_OK, "%s", tandem_message(w.device));
        cr_assert_eq(tandem_launch(others[i], w.module, "k", &range, NULL, 0), TANDEM_OK);
        cr_expect_eq(tandem_finish(others[i], 10000), TANDEM_OK, "%s", tandem_message(w.device));
    }
    tandem_channel_close(others[0]);
    w.channel = others[1];
    end(&w);
}
