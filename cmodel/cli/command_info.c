// tandem info: what a device is, or what a program holds.
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "driver/tandem.h"
#include "isa/printf_format.h"

static void help(FILE *to) {
    fputs(
        "usage: tandem info [DEVICE | FILE]\n"
        "Tells what a device is (model:, rtl:small, tandem:full; without an argument: the three configurations of the "
        "model), or what\n"
        "kernels a code object, an OpenCL C file or an assembly file holds: registers, code size, arguments.\n",
        to);
}

static int info_device(const char *name) {
    struct tandem_device *device = NULL;
    char message[512];
    if (tandem_open(name, &device, message, sizeof message) != TANDEM_OK) {
        complain("info", "%s", message);
        return EXIT_FAILED;
    }
    struct tandem_info info;
    tandem_get_info(device, &info);
    printf("%s:%s\n", info.backend, info.config);
    printf("  %u threads a warp on %u lanes, %u warps an SM, %u SM\n", info.threads, info.lanes, info.warps, info.sms);
    printf(
        "  %u channels, %u task slots, %u tokens a warp, %u register rows, %u constant buffers, %u bytes of shared "
        "memory\n",
        info.channels, info.task_slots, info.deque_entries, info.vgpr_rows, info.const_banks, info.shared_bytes);
    printf("  %llu bytes of memory, %llu free\n", (unsigned long long)info.memory_bytes,
           (unsigned long long)info.memory_free);
    return tandem_close(device) == TANDEM_OK ? EXIT_OK : EXIT_FAILED;
}

void print_kernel(const struct code_kernel *kernel) {
    printf("kernel %s: %u registers, %u instructions, %u bytes of constants", kernel->name, kernel->registers,
           kernel->code_size / 8, kernel->constant_bytes);
    if (kernel->shared_bytes != 0) printf(", %u bytes of local memory a work-group", kernel->shared_bytes);
    if (kernel->local_bytes != 0)
        printf(", %u bytes of private memory (%u of them spilled registers)", kernel->local_bytes, kernel->spill_bytes);
    if (kernel->reqd_local[0] != 0)
        printf(", local size %u %u %u", kernel->reqd_local[0], kernel->reqd_local[1], kernel->reqd_local[2]);
    putchar('\n');
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const struct code_argument *argument = &kernel->arguments[i];
        printf("  %zu %-8s %-16s %u bytes at 0x%x  %s\n", i, code_argument_kind_name(argument->kind), argument->name,
               argument->size, argument->offset, argument->type);
    }
}

// What printf prints: number, types of the arguments, text.
static void print_format(size_t number, const struct code_format *format) {
    const bool string = strcmp(format->types, PRINTF_STRING) == 0;
    printf("%s %zu %s%s\"", string ? "string" : "printf", number, string ? "" : format->types,
           string || format->types[0] == '\0' ? "" : " ");
    for (const char *c = format->text; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7F) {
            printf("\\%03o", byte);
        } else {
            putchar(byte);
        }
    }
    puts("\"");
}

static int info_main(int argc, char **argv) {
    if (argc > 2) return usage_error(&command_info, "one device or file at a time");
    if (argc < 2) {
        static const char *const names[] = {"model:nano", "model:small", "model:full"};
        int result = EXIT_OK;
        for (size_t i = 0; i < 3 && result == EXIT_OK; i++)
            result = info_device(names[i]);
        return result;
    }
    if (strchr(argv[1], ':') != NULL) return info_device(argv[1]);
    struct code_object object;
    if (!load_program("info", argv[1], NULL, &object)) return EXIT_FAILED;
    printf("%zu instructions, %zu bytes of constant data, %zu kernels\n", object.text_words, object.rodata_size,
           object.kernel_count);
    for (size_t i = 0; i < object.kernel_count; i++)
        print_kernel(&object.kernels[i]);
    for (size_t i = 0; i < object.format_count; i++)
        print_format(i, &object.formats[i]);
    code_object_free(&object);
    return EXIT_OK;
}

const struct command command_info = {"info", "tell what a device is or what a program holds", help, info_main};
