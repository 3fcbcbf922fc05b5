// tandem run: one kernel on one device, buffers from and to files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "driver/tandem.h"
#include "gen/config.h"

static const char help[] =
    "usage: tandem run FILE [OPTION]...\n"
    "Runs a kernel of FILE (OpenCL C .cl, assembly .s, or a code object).\n"
    "  --kernel NAME       which kernel (not needed when there is one)\n"
    "  --device NAME       default model:small; rtl:nano, tandem:full,seed=7 and so on\n"
    "  --global X[,Y[,Z]]  global size (default: one work-group)\n"
    "  --local X[,Y[,Z]]   local size (default: chosen)\n"
    "  --offset X[,Y[,Z]]  global offset\n"
    "  --arg ARG           the next argument of the kernel, in order:\n"
    "                        NUMBER        a value (an int kernel argument of 1, 2, 4 or 8 bytes)\n"
    "                        in:FILE       a buffer with the file's bytes\n"
    "                        inout:FILE:OUT  the same, written to OUT afterwards\n"
    "                        out:OUT:BYTES a zeroed buffer, written to OUT afterwards (- prints it as 32-bit words)\n"
    "                        zero:BYTES    a zeroed buffer\n"
    "                        local:BYTES   so much local memory\n"
    "  --wave FILE.fst     record waves (rtl:, tandem:)\n"
    "  --timeline FILE.json  record channels, semaphores, tasks, CTAs and warps for Perfetto\n"
    "  --seed N            seed of the device's schedule and memory timing\n"
    "  --stats             a table of what the device has counted: instructions, local memory, cycles, cache, bank\n"
    "                      conflicts, warps\n"
    "  --deadline CYCLES   give up after so many cycles (default 4294967296)\n"
    "  --registers N       for the compiler: most vector registers of a thread (default: as many as the device has for "
    "a\n"
    "                      work-group of --local); further values are kept in memory\n"
    "  --printf-bytes N    bytes of the buffer that holds what the kernel prints with printf until it ends (default "
    "262144)\n"
    "  -D NAME[=VALUE], -I DIR  for the compiler\n"
    "What the kernel prints goes to standard output; lost records are told on standard error.\n"
    "Ends with a line of figures. Exit code 1 on a fault, a timeout or a mismatch between model and RTL.\n";

#define ARGUMENTS_MAX 64
#define COMPILER_OPTIONS_MAX 64

struct buffer {
    tandem_addr address;
    size_t size;
    const char *out;  // file to write afterwards, or NULL
};

struct run {
    const char *file, *kernel, *device, *wave, *timeline, *seed;
    struct tandem_range range;
    uint64_t deadline, registers, printf_bytes;  // 0: the default
    const char *arguments[ARGUMENTS_MAX];
    size_t argument_count;
    const char *compiler_options[COMPILER_OPTIONS_MAX + 1];
    size_t compiler_option_count;
    bool stats;
};

static bool parse_sizes(const char *text, uint32_t sizes[3], uint32_t *dimensions) {
    char copy[128];
    if (strlen(text) >= sizeof copy) return false;
    strcpy(copy, text);
    uint32_t count = 0;
    char *save = NULL;
    for (char *part = strtok_r(copy, ",", &save); part != NULL; part = strtok_r(NULL, ",", &save)) {
        uint64_t value = 0;
        if (count == 3 || !parse_number(part, &value) || value > UINT32_MAX) return false;
        sizes[count++] = (uint32_t)value;
    }
    if (count > *dimensions) *dimensions = count;
    return count > 0;
}

static int parse_options(int argc, char **argv, struct run *run) {
    *run = (struct run){.device = "model:small", .range = {.dimensions = 1}};
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        if (option[0] != '-') {
            if (run->file != NULL)
                return usage_error(&command_run, "one file at a time, not %s and %s", run->file, option);
            run->file = option;
            continue;
        }
        if (option[1] == 'D' || option[1] == 'I') {
            bool apart = option[2] == '\0';
            if (run->compiler_option_count + 2 > COMPILER_OPTIONS_MAX || (apart && i + 1 >= argc)) {
                return usage_error(&command_run, "%s: no value, or too many compiler options", option);
            }
            run->compiler_options[run->compiler_option_count++] = option;
            if (apart) run->compiler_options[run->compiler_option_count++] = argv[++i];
            continue;
        }
        if (strcmp(option, "--stats") == 0) {
            run->stats = true;
            continue;
        }
        if (i + 1 >= argc) return usage_error(&command_run, "option %s is unknown or needs a value", option);
        const char *value = argv[++i];
        bool good = true;
        if (strcmp(option, "--kernel") == 0) {
            run->kernel = value;
        } else if (strcmp(option, "--device") == 0) {
            run->device = value;
        } else if (strcmp(option, "--wave") == 0) {
            run->wave = value;
        } else if (strcmp(option, "--timeline") == 0) {
            run->timeline = value;
        } else if (strcmp(option, "--seed") == 0) {
            run->seed = value;
        } else if (strcmp(option, "--global") == 0) {
            good = parse_sizes(value, run->range.global, &run->range.dimensions);
        } else if (strcmp(option, "--local") == 0) {
            good = parse_sizes(value, run->range.local, &run->range.dimensions);
        } else if (strcmp(option, "--offset") == 0) {
            good = parse_sizes(value, run->range.offset, &run->range.dimensions);
        } else if (strcmp(option, "--registers") == 0) {
            good = parse_number(value, &run->registers) && run->registers >= 1 && run->registers <= 255;
        } else if (strcmp(option, "--printf-bytes") == 0) {
            good = parse_number(value, &run->printf_bytes) && run->printf_bytes >= 1 && run->printf_bytes <= UINT32_MAX;
        } else if (strcmp(option, "--deadline") == 0) {
            good = parse_number(value, &run->deadline);
        } else if (strcmp(option, "--arg") == 0) {
            if (run->argument_count == ARGUMENTS_MAX)
                return usage_error(&command_run, "more than %d arguments", ARGUMENTS_MAX);
            run->arguments[run->argument_count++] = value;
        } else {
            return usage_error(&command_run, "option %s is unknown", option);
        }
        if (!good) return usage_error(&command_run, "%s %s: not a number, or not one to three of them", option, value);
    }
    if (run->file == NULL) return usage_error(&command_run, "no file to run");
    for (uint32_t d = 0; d < run->range.dimensions; d++) {
        if (run->range.global[d] == 0) run->range.global[d] = run->range.local[d] != 0 ? run->range.local[d] : 1;
        if (run->range.local[0] != 0 && run->range.local[d] == 0) run->range.local[d] = 1;
    }
    return EXIT_OK;
}

static bool report(struct tandem_device *device, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    complain("run", "%s: %s", tandem_status_name(status), tandem_message(device));
    return false;
}

// A buffer argument: KIND:REST with KIND in, inout, out, zero.
static bool make_buffer(struct tandem_device *device, const char *text, struct buffer *buffer) {
    const char *colon = strchr(text, ':');
    char rest[512];
    if (colon == NULL || strlen(colon + 1) >= sizeof rest) {
        complain("run", "argument %s: this one is a pointer: in:FILE, inout:FILE:OUT, out:OUT:BYTES or zero:BYTES",
                 text);
        return false;
    }
    strcpy(rest, colon + 1);
    size_t kind = (size_t)(colon - text);
    bool in = strncmp(text, "in:", 3) == 0, inout = strncmp(text, "inout:", 6) == 0;
    bool out = strncmp(text, "out:", 4) == 0, zero = strncmp(text, "zero:", 5) == 0;
    char *last = strrchr(rest, ':');
    if ((inout || out) && last != NULL) *last = '\0';
    if (!(in || zero || ((inout || out) && last != NULL))) {
        complain("run", "argument %.*s: unknown kind, or a part is missing; see tandem run --help", (int)kind, text);
        return false;
    }
    void *bytes = NULL;
    if (in || inout) {
        bytes = read_file("run", rest, &buffer->size);
        if (bytes == NULL) return false;
    } else {
        uint64_t size = 0;
        if (!parse_number(zero ? rest : last + 1, &size) || size == 0 || size > UINT32_MAX) {
            complain("run", "argument %s: %s is not a size in bytes", text, zero ? rest : last + 1);
            return false;
        }
        buffer->size = (size_t)size;
        bytes = calloc(1, buffer->size);
        if (bytes == NULL) {
            complain("run", "argument %s: too large for the host's memory", text);
            return false;
        }
    }
    if (inout) buffer->out = strrchr(text, ':') + 1;
    if (out) {
        char *name = malloc(strlen(rest) + 1);
        if (name != NULL) strcpy(name, rest);
        buffer->out = name;
    }
    bool good = report(device, tandem_alloc(device, buffer->size, 256, &buffer->address)) &&
                report(device, tandem_write(device, buffer->address, bytes, buffer->size));
    free(bytes);
    return good;
}

static bool write_buffer(struct tandem_device *device, const struct buffer *buffer) {
    uint8_t *bytes = malloc(buffer->size);
    bool good = bytes != NULL && report(device, tandem_read(device, buffer->address, bytes, buffer->size));
    if (good && strcmp(buffer->out, "-") == 0) {
        for (size_t i = 0; i + 4 <= buffer->size; i += 4) {
            uint32_t word;
            memcpy(&word, bytes + i, 4);
            printf("%u%c", word, i % 64 == 60 || i + 8 > buffer->size ? '\n' : ' ');
        }
    } else if (good) {
        good = write_file("run", buffer->out, bytes, buffer->size);
    }
    free(bytes);
    return good;
}

static const struct code_kernel *choose_kernel(const struct run *run, const struct code_object *object) {
    if (run->kernel == NULL && object->kernel_count == 1) return &object->kernels[0];
    const struct code_kernel *kernel = run->kernel != NULL ? code_object_find(object, run->kernel) : NULL;
    if (kernel != NULL) return kernel;
    if (run->kernel != NULL) {
        complain("run", "%s: no kernel \"%s\"; it has:", run->file, run->kernel);
    } else {
        complain("run", "%s: has several kernels; choose one with --kernel:", run->file);
    }
    for (size_t i = 0; i < object->kernel_count; i++)
        fprintf(stderr, "    %s\n", object->kernels[i].name);
    return NULL;
}

static bool run_kernel(struct run *run, struct tandem_device *device, const struct code_object *object,
                       const struct code_kernel *kernel) {
    if (run->argument_count != kernel->argument_count) {
        complain("run", "kernel %s takes %zu arguments, %zu given with --arg", kernel->name, kernel->argument_count,
                 run->argument_count);
        return false;
    }
    struct buffer buffers[ARGUMENTS_MAX] = {0};
    uint64_t values[ARGUMENTS_MAX] = {0};
    struct tandem_argument arguments[ARGUMENTS_MAX];
    for (size_t i = 0; i < run->argument_count; i++) {
        if (kernel->arguments[i].kind == ARG_VALUE) {
            if (!parse_number(run->arguments[i], &values[i]) || kernel->arguments[i].size > sizeof values[i]) {
                complain("run", "argument %zu (%s): %s is not a number it can be given", i, kernel->arguments[i].name,
                         run->arguments[i]);
                return false;
            }
            arguments[i] = (struct tandem_argument){&values[i], kernel->arguments[i].size};
        } else if (kernel->arguments[i].kind == ARG_LOCAL) {
            if (strncmp(run->arguments[i], "local:", 6) != 0 || !parse_number(run->arguments[i] + 6, &values[i]) ||
                values[i] == 0 || values[i] > UINT32_MAX) {
                complain("run", "argument %zu (%s): %s: this one points to local memory: local:BYTES", i,
                         kernel->arguments[i].name, run->arguments[i]);
                return false;
            }
            arguments[i] = (struct tandem_argument){NULL, (size_t)values[i]};
        } else {
            if (!make_buffer(device, run->arguments[i], &buffers[i])) return false;
            arguments[i] = (struct tandem_argument){&buffers[i].address, sizeof buffers[i].address};
        }
    }
    void *elf = NULL;
    size_t size = 0;
    char error[512];
    if (run->printf_bytes != 0 && !report(device, tandem_set_printf_bytes(device, (uint32_t)run->printf_bytes)))
        return false;
    if (!code_object_write(object, &elf, &size, error, sizeof error)) {
        complain("run", "%s", error);
        return false;
    }
    struct tandem_module *module = NULL;
    struct tandem_channel *channel = NULL;
    bool good =
        report(device, tandem_module_load(device, elf, size, &module)) &&
        report(device, tandem_channel_open(device, 16, 0, &channel)) &&
        report(device, tandem_launch(channel, module, kernel->name, &run->range, arguments, run->argument_count)) &&
        report(device, tandem_finish(channel, run->deadline));
    free(elf);
    for (size_t i = 0; i < run->argument_count; i++) {
        if (good && buffers[i].out != NULL) good = write_buffer(device, &buffers[i]);
        if (strncmp(run->arguments[i], "out:", 4) == 0) free((char *)buffers[i].out);
    }
    if (channel != NULL) tandem_channel_close(channel);
    tandem_module_unload(module);
    return good;
}

// As many registers as the register file of the device's configuration has for each thread of a work-group.
static unsigned registers_for(const struct run *run) {
    if (run->registers != 0) return (unsigned)run->registers;
    char name[32] = "small";
    const char *colon = strchr(run->device, ':');
    if (colon != NULL) snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 1, ","), colon + 1);
    const struct ppu_config *config = ppu_config_find(name[0] != '\0' ? name : "small");
    if (config == NULL) return 0;  // the device says so when it is opened
    uint64_t threads = 1;
    for (uint32_t d = 0; d < run->range.dimensions && run->range.local[0] != 0; d++)
        threads *= run->range.local[d];
    uint64_t rows = (threads + config->threads - 1) / config->threads * (config->threads / config->lanes);
    uint64_t most = config->vgpr_rows / rows;
    return most < 1 || most > 255 ? 0 : (unsigned)most;
}

static int run_main(int argc, char **argv) {
    struct run run;
    int result = parse_options(argc, argv, &run);
    if (result != EXIT_OK) return result;
    struct code_object object;
    const struct load_options load = {.compiler_options = run.compiler_options, .registers = registers_for(&run)};
    if (!load_program("run", run.file, &load, &object)) return EXIT_FAILED;
    const struct code_kernel *kernel = choose_kernel(&run, &object);
    char name[1024], message[1024];
    snprintf(name, sizeof name, "%s%s%s%s%s%s%s", run.device, run.wave != NULL ? ",wave=" : "",
             run.wave != NULL ? run.wave : "", run.timeline != NULL ? ",timeline=" : "",
             run.timeline != NULL ? run.timeline : "", run.seed != NULL ? ",seed=" : "",
             run.seed != NULL ? run.seed : "");
    struct tandem_device *device = NULL;
    bool good = kernel != NULL;
    if (good && tandem_open(name, &device, message, sizeof message) != TANDEM_OK) {
        complain("run", "%s", message);
        good = false;
    }
    if (good) {
        good = run_kernel(&run, device, &object, kernel);
        if (run.stats) print_run_stats(device);
        struct tandem_statistics s;
        tandem_get_statistics(device, &s);
        enum tandem_status status = tandem_close(device);
        if (status != TANDEM_OK) good = false;
        printf("%s: %s warp-instructions=%llu thread-instructions=%llu events=%llu mismatches=%llu cycles=%llu\n",
               run.device, good ? "PASS" : "FAIL", (unsigned long long)s.warp_instructions,
               (unsigned long long)s.thread_instructions, (unsigned long long)s.events,
               (unsigned long long)s.mismatches, (unsigned long long)s.cycles);
    }
    code_object_free(&object);
    return good ? EXIT_OK : EXIT_FAILED;
}

const struct command command_run = {"run", "run a kernel on a device", help, run_main};
