// The device API: names, memory, wrong use. What channels and launches do is in tests/device.
#include <criterion/criterion.h>
#include <string.h>

#include "driver/heap.h"
#include "driver/tandem.h"
#include "isa/assembler.h"
#include "isa/code_object.h"
#include "random_numbers.h"

static struct tandem_device *open_model(void) {
    struct tandem_device *device = NULL;
    char message[512];
    cr_assert_eq(tandem_open("model:nano,mem=4", &device, message, sizeof message), TANDEM_OK, "%s", message);
    return device;
}

Test(driver, info) {
    struct tandem_device *device = open_model();
    struct tandem_info info;
    tandem_get_info(device, &info);
    cr_assert_eq(info.threads, 32);
    cr_assert_eq(info.lanes, 4);
    cr_assert_str_eq(info.backend, "model");
    cr_assert_eq(info.memory_bytes, 4u << 20);
    tandem_close(device);
}

Test(driver, memory_is_checked) {
    struct tandem_device *device = open_model();
    uint32_t word = 5;
    tandem_addr a = 0, b = 0;
    cr_assert_eq(tandem_write(device, 4u << 20, &word, 4), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_write(device, (4u << 20) - 2, &word, 4), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_read(device, UINT32_MAX, &word, 4), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_alloc(device, 8u << 20, 32, &a), TANDEM_NO_MEMORY);
    cr_assert_eq(tandem_alloc(device, 100, 3, &a), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_alloc(device, 100, 4096, &a), TANDEM_OK);
    cr_assert_eq(a % 4096, 0);
    cr_assert_eq(tandem_alloc(device, 100, 32, &b), TANDEM_OK);
    cr_assert_eq(tandem_free(device, a + 32), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_free(device, a), TANDEM_OK);
    cr_assert_eq(tandem_free(device, a), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_close(device), TANDEM_OK);
}

Test(driver, channels_are_checked, .description = "WQ-1 WQ-8 wrong sizes and priorities, too many channels") {
    struct tandem_device *device = open_model();
    struct tandem_channel *channels[3] = {NULL};
    cr_assert_eq(tandem_channel_open(device, 1, 0, &channels[0]), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_channel_open(device, 65537, 0, &channels[0]), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_channel_open(device, 8, 4, &channels[0]), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_channel_open(device, 8, 3, &channels[0]), TANDEM_OK);
    cr_assert_eq(tandem_channel_open(device, 8, 0, &channels[1]), TANDEM_OK);
    cr_assert_eq(tandem_channel_open(device, 8, 0, &channels[2]), TANDEM_NO_DEVICE);
    cr_assert_eq(tandem_method(channels[0], 8, 0x100, 0), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_method(channels[0], 0, 0x102, 0), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_method(channels[0], 0, 0x4000, 0), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_launch_tmd(channels[0], 0x80), TANDEM_BAD_ARGUMENT);
    cr_assert_eq(tandem_channel_close(channels[0]), TANDEM_OK);
    cr_assert_eq(tandem_channel_open(device, 8, 0, &channels[2]), TANDEM_OK);
    cr_assert_eq(tandem_channel_close(channels[1]), TANDEM_OK);
    cr_assert_eq(tandem_channel_close(channels[2]), TANDEM_OK);
    cr_assert_eq(tandem_close(device), TANDEM_OK);
}

Test(driver, block_too_long, .description = "WQ-5 a command block has an end") {
    struct tandem_device *device = open_model();
    struct tandem_channel *channel = NULL;
    cr_assert_eq(tandem_channel_open(device, 8, 0, &channel), TANDEM_OK);
    enum tandem_status status = TANDEM_OK;
    for (int i = 0; i < 100000 && status == TANDEM_OK; i++)
        status = tandem_method(channel, 0, 0x08, 0);
    cr_assert_eq(status, TANDEM_FULL);
    cr_assert_eq(tandem_channel_close(channel), TANDEM_OK);
    cr_assert_eq(tandem_close(device), TANDEM_OK);
}

Test(driver, closed, .description = "WQ-1 calls on a closed device say so") {
    struct tandem_device *device = open_model();
    struct tandem_channel *channel = NULL;
    cr_assert_eq(tandem_channel_open(device, 8, 0, &channel), TANDEM_OK);
    cr_assert_eq(tandem_close(device), TANDEM_OK);
    cr_assert_eq(tandem_close(device), TANDEM_CLOSED);  // the channel still holds the handle
    uint32_t word = 0;
    struct tandem_fault fault;
    cr_assert_eq(tandem_submit(channel), TANDEM_CLOSED);
    cr_assert_eq(tandem_wfi(channel), TANDEM_CLOSED);
    cr_assert_eq(tandem_wait(channel, 0x1000, 1, 100), TANDEM_CLOSED);
    cr_assert_eq(tandem_finish(channel, 100), TANDEM_CLOSED);
    cr_assert_eq(tandem_channel_reset(channel), TANDEM_CLOSED);
    cr_assert_eq(tandem_read(device, 0x1000, &word, 4), TANDEM_CLOSED);
    cr_assert_not(tandem_channel_fault(channel, &fault));
    cr_assert_eq(tandem_channel_close(channel), TANDEM_OK);
}

Test(driver, broken_code) {
    struct tandem_device *device = open_model();
    struct tandem_module *module = NULL;
    cr_assert_eq(tandem_module_load(device, "not an ELF", 10, &module), TANDEM_BAD_CODE);
    cr_assert_null(module);
    cr_assert(strlen(tandem_message(device)) > 10);
    cr_assert_eq(tandem_module_load_file(device, "/nonexistent/kernel.elf", &module), TANDEM_BAD_CODE);
    cr_assert_null(module);
    cr_assert_eq(tandem_close(device), TANDEM_OK);
}

// Random allocations and frees against a plain map of bytes.
Test(driver, heap) {
    enum { SIZE = 4096, LIVE = 64 };
    struct heap heap;
    cr_assert(heap_init(&heap, 0, SIZE));
    unsigned char used[SIZE] = {0};
    struct {
        uint64_t start, size;
    } live[LIVE];
    unsigned count = 0;
    uint64_t random = 12345;
    for (int step = 0; step < 20000; step++) {
        uint64_t bits = random_bits(&random) >> 33;
        if (bits % 2 == 0 && count < LIVE) {
            uint64_t size = 1 + bits / 2 % 200, alignment = 1ull << (bits / 512 % 7), start = 0;
            if (!heap_alloc(&heap, size, alignment, &start)) continue;
            cr_assert_eq(start % alignment, 0);
            cr_assert_leq(start + size, SIZE);
            for (uint64_t i = start; i < start + size; i++)
                cr_assert_eq(used[i]++, 0);
            live[count].start = start;
            live[count++].size = size;
        } else if (count > 0) {
            unsigned i = (unsigned)(bits / 2 % count);
            cr_assert(heap_free(&heap, live[i].start));
            cr_assert_not(heap_free(&heap, live[i].start));
            memset(used + live[i].start, 0, live[i].size);
            live[i] = live[--count];
        }
    }
    while (count > 0)
        cr_assert(heap_free(&heap, live[--count].start));
    cr_assert_eq(heap_available(&heap), SIZE);
    cr_assert_eq(heap.count, 1);
    heap_destroy(&heap);
}

Test(driver, local_arguments,
     .description = "pointers to local memory take a size and no data, and all must fit the multiprocessor") {
    static const char source[] = ".kernel k\n.shared_bytes 4000\n.arg local a\n.arg local b\nEXIT\n";
    struct tandem_device *device = open_model();
    struct tandem_channel *channel = NULL;
    struct tandem_module *module = NULL;
    struct code_object object;
    char error[256];
    void *elf = NULL;
    size_t size = 0;
    uint32_t word = 0;
    cr_assert(assemble(source, sizeof source - 1, "test", &object, error, sizeof error), "%s", error);
    cr_assert(code_object_write(&object, &elf, &size, error, sizeof error), "%s", error);
    code_object_free(&object);
    cr_assert_eq(tandem_channel_open(device, 4, 0, &channel), TANDEM_OK);
    cr_assert_eq(tandem_module_load(device, elf, size, &module), TANDEM_OK);
    free(elf);
    const struct tandem_range range = {.dimensions = 1, .global = {1}};
    const struct {
        struct tandem_argument arguments[2];
        const char *says;  // NULL: good
    } cases[] = {
        {{{NULL, 40}, {NULL, 48}}, NULL},  // 4000 + 40, from 4048 on 48: 4096
        {{{NULL, 40}, {NULL, 49}}, "4096 bytes"}, {{{NULL, 49}, {NULL, 48}}, "4096 bytes"},
        {{{NULL, SIZE_MAX}, {NULL, 1}}, "4096"},  {{{NULL, 1}, {NULL, (size_t)1 << 32}}, "4096"},
        {{{&word, 4}, {NULL, 4}}, "argument 0"},  {{{NULL, 4}, {NULL, 0}}, "argument 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const enum tandem_status status = tandem_launch(channel, module, "k", &range, cases[i].arguments, 2);
        cr_expect_eq(status, cases[i].says == NULL ? TANDEM_OK : TANDEM_BAD_ARGUMENT, "case %zu: %s", i,
                     tandem_message(device));
        if (cases[i].says != NULL)
            cr_expect(strstr(tandem_message(device), cases[i].says) != NULL, "%s", tandem_message(device));
    }
    cr_expect_eq(tandem_finish(channel, 100000), TANDEM_OK, "%s", tandem_message(device));
    tandem_channel_close(channel);
    tandem_module_unload(module);
    cr_assert_eq(tandem_close(device), TANDEM_OK);
}

Test(driver, native_names, .description = "native= in a device's name: 0 or 1, of the model alone [model]") {
    static const struct {
        const char *name, *message;
    } wrong[] = {{"model:nano,native=2", "native=2: not a number from 0 to 1"},
                 {"model:nano,native=", "native=: not a number"},
                 {"model:nano,native=on", "native=on: not a number"},
                 {"model:nano,native=01", "native=01: not a number"},
                 {"model:nano,native", "no KEY=VALUE"},
                 {"model:nano,native=0,native=1", "stands there twice"},
                 {"rtl:nano,native=0", "only the model alone"},
                 {"tandem:nano,native=1", "only the model alone"},
                 {"systemc:nano,core=rtl,native=0", "only the model alone"},
                 {"uart:/dev/null,native=0", "has no option native"}};
    static const char *const right[] = {"model:nano,mem=4,native=0", "model:nano,mem=4,native=1"};
    struct tandem_device *device;
    char message[512];
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        cr_assert_neq(tandem_open(wrong[k].name, &device, message, sizeof message), TANDEM_OK, "%s", wrong[k].name);
        cr_assert_not_null(strstr(message, wrong[k].message), "%s: %s", wrong[k].name, message);
    }
    for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
        cr_assert_eq(tandem_open(right[k], &device, message, sizeof message), TANDEM_OK, "%s", message);
        cr_assert_eq(tandem_close(device), TANDEM_OK);
    }
}
