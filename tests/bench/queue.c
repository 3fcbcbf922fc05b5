// What work queues cost: additions by many warps at once, launches made in three ways. Figures, never a verdict.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/atomics.h"
#include "compiler/compiler.h"
#include "compiler/library/work_queue.h"
#include "driver/tandem.h"
#include "gen/config.h"
#include "isa/assembler.h"
#include "rtl_device.h"

static const char help[] =
    "usage: queue-bench [OPTION]...\n"
    "Prints, for each device, cycles and atomics of additions to a PPU-owned work queue as 1 to 64 warps add, and "
    "cycles "
    "of launches\n"
    "made by the CPU's channel, by threads (enqueue_kernel) and as child tasks (LAUNCH).\n"
    "  --device NAME   rtl:nano or model:full,seed=7 and so on; can be given again (default: rtl: of each "
    "configuration)\n"
    "  --only WHAT     additions, full (additions to a ring that is far too small), launches, or chains (launches that "
    "wait\n"
    "                  for others)\n"
    "  --kernels DIR   where queue_bench.cl and queue_launches.cl are (default tests/kernels)\n";

enum { DEVICES_MOST = 16, STEPS = 7, PIECES = 256, SMALL_RING = 16, EACH_SMALL = 4, LAUNCHES = 64 };

struct bench {
    struct tandem_device *device;
    struct tandem_channel *channel;
    struct tandem_module *module;
    const struct ppu_config *config;
    char trace[64];
    tandem_addr stamps;
};

static bool good(struct tandem_device *device, enum tandem_status status) {
    if (status == TANDEM_OK) return true;
    fprintf(stderr, "queue-bench: %s: %s\n", tandem_status_name(status), tandem_message(device));
    return false;
}

static bool open_bench(struct bench *b, const char *name, const struct compiler_result *program, bool traced,
                       const struct tandem_work_queue *queue) {
    char full[600], message[512] = "";
    struct tandem_info info;
    *b = (struct bench){.trace = "/tmp/tandem-queue-XXXXXX"};
    const int descriptor = traced ? mkstemp(b->trace) : -1;
    if (traced && descriptor < 0) {
        perror("queue-bench: a file in /tmp");
        return false;
    }
    if (!traced) b->trace[0] = '\0';
    if (traced) close(descriptor);
    snprintf(full, sizeof full, "%.500s%s%s%s", name, traced ? strchr(name, ':') != NULL ? "," : ":," : "",
             traced ? "trace=" : "", b->trace);
    if (tandem_open(full, &b->device, message, sizeof message) != TANDEM_OK) {
        fprintf(stderr, "queue-bench: %s\n", message);
        return false;
    }
    tandem_get_info(b->device, &info);
    b->config = ppu_config_find(info.config);
    return good(b->device, tandem_module_load(b->device, program->elf, program->elf_size, &b->module)) &&
           good(b->device, tandem_channel_open(b->device, 128, 0, &b->channel)) &&
           (queue == NULL || good(b->device, tandem_work_queue_open(b->channel, queue)));
}

// The trace is whole when the device is closed.
static bool close_bench(struct bench *b) {
    if (b->channel != NULL) (void)tandem_channel_close(b->channel);
    if (b->module != NULL) tandem_module_unload(b->module);
    const bool closed = b->device == NULL || tandem_close(b->device) == TANDEM_OK;
    if (!closed) fprintf(stderr, "queue-bench: closing: model and RTL differ\n");
    *b = (struct bench){0};
    return closed;
}

static bool new_words(struct bench *b, const uint32_t *words, uint32_t count, tandem_addr *at) {
    return good(b->device, tandem_alloc(b->device, 4 * (size_t)count, 32, at)) &&
           good(b->device, tandem_write(b->device, *at, words, 4 * (size_t)count));
}

// ---- additions ----
struct additions {
    uint32_t took, in, first, last, arrived, failed;  // as queue_bench.cl has them
};

static bool add(struct bench *b, uint32_t warps, uint32_t each, uint32_t mode, struct additions *result) {
    const uint32_t resident = b->config->warps * b->config->sms, together = warps < resident ? warps : resident;
    const struct additions zero = {.first = UINT32_MAX};
    tandem_addr sums = 0;
    if (!new_words(b, (const uint32_t *)&zero, sizeof zero / 4, &sums)) return false;
    const struct tandem_range range = {.dimensions = 1, .global = {warps}, .local = {1}};
    const struct tandem_argument arguments[] = {{&sums, 4}, {&each, 4}, {&mode, 4}, {&together, 4}};
    return good(b->device, tandem_launch(b->channel, b->module, "adders", &range, arguments, 4)) &&
           good(b->device, tandem_finish(b->channel, 0)) &&
           good(b->device, tandem_read(b->device, sums, result, sizeof *result)) &&
           good(b->device, tandem_free(b->device, sums));
}

static double per(uint64_t a, uint64_t b) {
    return b == 0 ? 0 : (double)a / (double)b;
}

// Runs `rounds` launches and counts their atomics; whole: to the end of all work.
static bool count_additions(const char *name, const struct compiler_result *program,
                            const struct tandem_work_queue *queue, const uint32_t (*rounds)[3], size_t count,
                            bool whole, struct additions *sums, struct atomics *atomics, uint32_t *resident) {
    struct bench b;
    struct tandem_work_queue_state state = {0};
    struct work_queue record = {0};
    bool done = open_bench(&b, name, program, true, queue) &&
                good(b.device, tandem_work_queue_state(b.channel, &state)) &&
                good(b.device, tandem_read(b.device, state.record, &record, sizeof record));
    if (done) *resident = b.config->warps * b.config->sms;
    for (size_t k = 0; done && k < count; k++)
        done = add(&b, rounds[k][0], rounds[k][1], rounds[k][2], &sums[k]);
    char trace[sizeof b.trace];
    memcpy(trace, b.trace, sizeof trace);
    done = close_bench(&b) && done;
    if (done && !atomics_count(trace, &state, record.places, PIECES, whole, atomics, count)) {
        fprintf(stderr, "queue-bench: %s: the trace does not have all launches\n", name);
        done = false;
    }
    if (trace[0] != '\0') remove(trace);
    return done;
}

static bool measure_additions(const char *name, const struct compiler_result *program) {
    const struct tandem_work_queue queue = {.entries = 256, .pieces = PIECES, .keep_passed = true};
    // The first launch warms the instruction cache up: not shown.
    static const uint32_t rounds[STEPS + 1][3] = {{1, 1, WORK_FAIL},  {1, 1, WORK_FAIL}, {2, 1, WORK_FAIL},
                                                  {4, 1, WORK_FAIL},  {8, 1, WORK_FAIL}, {16, 1, WORK_FAIL},
                                                  {32, 1, WORK_FAIL}, {64, 1, WORK_FAIL}};
    struct additions sums[STEPS + 1];
    struct atomics atomics[STEPS + 1];
    uint32_t resident = 1;
    if (!count_additions(name, program, &queue, rounds, STEPS + 1, false, sums, atomics, &resident)) return false;
    printf(
        "  a thread of each warp adds one launch to a queue with room (at once: warps that the device holds; the "
        "others\n"
        "  follow when these have ended, so that making the launch is in the cycles between two additions):\n");
    printf(
        "    warps at once  cycles/addition  cycles between  atomics on soft GP_PUT  atomics in all  "
        "retries/addition\n");
    for (size_t k = 1; k <= STEPS; k++) {
        const uint32_t warps = rounds[k][0], in = sums[k].in;
        const struct atomics *a = &atomics[k];
        printf("    %5u %7u  %15.0f  %14.0f  %22.2f  %14.2f  %16.2f\n", warps, warps < resident ? warps : resident,
               per(sums[k].took, in), per(sums[k].last - sums[k].first, in), per(a->soft_put, in),
               per(a->soft_put + a->places + a->other, in), per(a->soft_put + a->places - 2ull * in, in));
    }
    return true;
}

static bool measure_full(const char *name, const struct compiler_result *program) {
    static const char *const modes[] = {"waits", "is told", "parks"};
    static const uint32_t rounds[4][3] = {
        {1, 1, WORK_FAIL}, {64, EACH_SMALL, WORK_WAIT}, {64, EACH_SMALL, WORK_FAIL}, {64, EACH_SMALL, WORK_PARK}};
    const struct tandem_work_queue queue = {.entries = SMALL_RING, .pieces = PIECES, .keep_passed = true};
    struct additions sums[4];
    struct atomics atomics[4];
    uint32_t resident = 1;
    if (!count_additions(name, program, &queue, rounds, 4, true, sums, atomics, &resident)) return false;
    printf("  64 warps, %d additions each, a ring of %d entries; who finds no room ..:\n", EACH_SMALL, SMALL_RING);
    printf("            got in  out of memory  cycles/addition  atomics on soft GP_PUT, each that got in\n");
    for (size_t k = 1; k < 4; k++)
        printf("    %-8s %5u  %13u  %15.0f  %22.2f\n", modes[k - 1], sums[k].in, sums[k].failed,
               per(sums[k].took, 64 * EACH_SMALL - sums[k].failed), per(atomics[k].soft_put, sums[k].in));
    return true;
}

// ---- launches ----
static const char plain[] =
    ".kernel nothing\n.registers 4\n    EXIT\n"
    // Each thread launches `each` tasks whose numbers stand in a list, one behind the other.
    ".kernel children\n.registers 8\n.arg global tmds\n.arg value each\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n    S2R R0, SR_TID_X\n    IMUL R0, R0, R2\n"
    "    SHL R0, R0, 2\n    IADD R1, R1, R0\n"
    "again:\n    ISETP.EQ P0, R2, 0\n    @P0 EXIT\n    LDG.32 R4, [R1]\n    LAUNCH R4\n    IADD R1, R1, 4\n"
    "    ISUB R2, R2, 1\n    BRA again\n"
    ".kernel one_by_one\n.registers 8\n.arg global tmds\n.arg value each\n"
    "    LDC.32 R1, c[0][RZ + 0x40]\n    LDC.32 R2, c[0][RZ + 0x44]\n"
    "again:\n    ISETP.EQ P0, R2, 0\n    @P0 EXIT\n    LDG.32 R4, [R1]\n    LAUNCH.WAIT R4\n    IADD R1, R1, 4\n"
    "    ISUB R2, R2, 1\n    BRA again\n";

static bool assemble_plain(struct compiler_result *program) {
    struct code_object object;
    char error[256] = "";
    *program = (struct compiler_result){0};
    const bool made = assemble(plain, sizeof plain - 1, "queue-bench", &object, error, sizeof error) &&
                      code_object_write(&object, &program->elf, &program->elf_size, error, sizeof error);
    if (made) code_object_free(&object);
    if (!made) fprintf(stderr, "queue-bench: %s\n", error);
    return made;
}

struct launched {
    uint64_t cycles;
    double seconds;
};

// By the channel's own time stamps: one in front of the launches, timed_finish() puts one behind their end.
static bool time_begin(struct bench *b) {
    return good(b->device, tandem_alloc(b->device, 32, 16, &b->stamps)) &&
           good(b->device, tandem_time_stamp(b->channel, b->stamps));
}

static bool timed_finish(struct bench *b, struct launched *to) {
    struct tandem_statistics before, after;
    uint64_t stamps[4];
    tandem_get_statistics(b->device, &before);
    if (!good(b->device, tandem_wfi(b->channel)) || !good(b->device, tandem_time_stamp(b->channel, b->stamps + 16)) ||
        !good(b->device, tandem_finish(b->channel, 0)) ||
        !good(b->device, tandem_read(b->device, b->stamps, stamps, sizeof stamps)) ||
        !good(b->device, tandem_free(b->device, b->stamps)))
        return false;
    tandem_get_statistics(b->device, &after);
    *to = (struct launched){(stamps[3] - stamps[1]) / b->config->ns_per_cycle, after.seconds - before.seconds};
    return true;
}

static void show(const struct bench *b, const char *what, const struct launched *with, const struct launched *without) {
    const double cycles = (double)(with->cycles - without->cycles) / LAUNCHES;
    printf("    %-53s %7.0f %12.0f %12.0f\n", what, cycles, 1e9 / (cycles * b->config->ns_per_cycle),
           LAUNCHES / (with->seconds - without->seconds));
}

// All launches stand in the channel behind an acquire, so that the CPU's own time is not in it.
static bool by_channel(struct bench *b, uint32_t launches, struct launched *to) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const uint32_t zero = 0, open = 1;
    tandem_addr gate = 0;
    bool done = new_words(b, &zero, 1, &gate) && good(b->device, tandem_semaphore_acquire(b->channel, gate, 1)) &&
                time_begin(b) && good(b->device, tandem_submit(b->channel));
    for (uint32_t k = 0; done && k < launches; k++)
        done = good(b->device, tandem_launch(b->channel, b->module, "nothing", &one, NULL, 0)) &&
               good(b->device, tandem_submit(b->channel));
    return done && good(b->device, tandem_write(b->device, gate, &open, 4)) && timed_finish(b, to) &&
           good(b->device, tandem_free(b->device, gate));
}

static bool by_children(struct bench *b, const char *kernel, uint32_t threads, uint32_t each, struct launched *to) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}},
                              all = {.dimensions = 1, .global = {threads}, .local = {threads}};
    const struct tandem_scheduling scheduling = {0, false};
    tandem_addr tmds[LAUNCHES] = {0}, list = 0;
    uint32_t numbers[LAUNCHES] = {0};
    const struct tandem_argument arguments[] = {{&list, 4}, {&each, 4}};
    bool done = true;
    for (uint32_t k = 0; done && k < threads * each; k++) {
        done =
            good(b->device, tandem_task_build(b->channel, b->module, "nothing", &one, &scheduling, NULL, 0, &tmds[k]));
        numbers[k] = tmds[k] >> 8;
    }
    done = done && new_words(b, numbers, LAUNCHES, &list) && time_begin(b) &&
           good(b->device, tandem_launch(b->channel, b->module, kernel, &all, arguments, 2)) && timed_finish(b, to);
    for (uint32_t k = 0; done && k < threads * each; k++)
        done = good(b->device, tandem_free(b->device, tmds[k]));
    return done && good(b->device, tandem_free(b->device, list));
}

// Each starts when the one before has ended (TU-15). All but the first stand parked before time begins.
static bool by_dependences(struct bench *b, uint32_t launches, struct launched *to) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    const struct tandem_scheduling scheduling = {0, false};
    struct tandem_dependence all[LAUNCHES];
    tandem_addr tmds[LAUNCHES + 1] = {0};
    bool done = true;
    for (uint32_t k = 0; done && k <= launches; k++)
        done =
            good(b->device, tandem_task_build(b->channel, b->module, "nothing", &one, &scheduling, NULL, 0, &tmds[k]));
    for (uint32_t k = 0; done && k < launches; k++)
        all[k] = (struct tandem_dependence){tmds[k], tmds[k + 1]};
    done = done && good(b->device, tandem_task_dependences(b->channel, all, launches));
    for (uint32_t k = 1; done && k <= launches; k++)
        done = good(b->device, tandem_task_launch(b->channel, b->module, tmds[k]));
    done = done && good(b->device, tandem_finish(b->channel, 0)) && time_begin(b) &&
           good(b->device, tandem_task_launch(b->channel, b->module, tmds[0])) && timed_finish(b, to);
    for (uint32_t k = 0; done && k <= launches; k++)
        done = good(b->device, tandem_free(b->device, tmds[k]));
    return done;
}

// Each is launched by the CPU when it has seen the end of the one before.
static bool by_hand(struct bench *b, uint32_t launches, struct launched *to) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    struct tandem_statistics before, after;
    bool done = time_begin(b);
    tandem_get_statistics(b->device, &before);
    for (uint32_t k = 0; done && k < launches; k++)
        done = good(b->device, tandem_launch(b->channel, b->module, "nothing", &one, NULL, 0)) &&
               good(b->device, tandem_finish(b->channel, 0));
    done = done && timed_finish(b, to);
    tandem_get_statistics(b->device, &after);
    to->seconds = after.seconds - before.seconds;
    return done;
}

static bool by_threads(struct bench *b, const char *kernel, uint32_t threads, uint32_t each, struct launched *to) {
    const uint32_t warp = threads < b->config->threads ? threads : b->config->threads;
    const struct tandem_range all = {.dimensions = 1, .global = {threads}, .local = {warp}};
    uint32_t failed = 0;
    tandem_addr at = 0;
    if (!new_words(b, &failed, 1, &at)) return false;
    const struct tandem_argument arguments[] = {{&at, 4}, {&each, 4}};
    const bool done = time_begin(b) &&
                      good(b->device, tandem_launch(b->channel, b->module, kernel, &all, arguments, 2)) &&
                      timed_finish(b, to) && good(b->device, tandem_read(b->device, at, &failed, 4)) &&
                      good(b->device, tandem_free(b->device, at));
    if (done && failed != 0) fprintf(stderr, "queue-bench: %u launches by threads found no room\n", failed);
    return done && failed == 0;
}

static bool measure_launches(const char *name, const struct compiler_result *compiled) {
    struct compiler_result assembled;
    struct bench b;
    struct launched none, some;
    if (!assemble_plain(&assembled)) return false;
    bool done = open_bench(&b, name, &assembled, false, NULL);
    if (done) {
        printf("  %d launches of one thread without work; a second: at %u ns a cycle, and of this simulation:\n",
               LAUNCHES, b.config->ns_per_cycle);
        printf("    %-53s %7s %12s %12s\n", "made ..", "cycles", "launches/s", "simulated/s");
    }
    done = done && by_channel(&b, 1, &none) && by_channel(&b, 0, &none) && by_channel(&b, LAUNCHES, &some);
    if (done) show(&b, "by the CPU's channel, an entry each", &some, &none);
    done = done && by_children(&b, "children", 1, 1, &none) && by_children(&b, "children", 1, 0, &none) &&
           by_children(&b, "children", 1, LAUNCHES, &some);
    if (done) show(&b, "as child tasks by one thread (LAUNCH)", &some, &none);
    done = done && by_children(&b, "children", 32, LAUNCHES / 32, &some);
    if (done) show(&b, "as child tasks by 32 threads of a warp", &some, &none);
    done = done && by_children(&b, "one_by_one", 1, 1, &none) && by_children(&b, "one_by_one", 1, 0, &none) &&
           by_children(&b, "one_by_one", 1, LAUNCHES, &some);
    if (done) show(&b, "as child tasks one by one (LAUNCH.WAIT)", &some, &none);
    done = done && by_dependences(&b, 0, &none) && by_dependences(&b, LAUNCHES, &some);
    if (done) show(&b, "each by the end of the one before (dependences)", &some, &none);
    done = done && by_hand(&b, 0, &none) && by_hand(&b, LAUNCHES, &some);
    if (done) show(&b, "each by the CPU, after the end of the one before", &some, &none);
    done = close_bench(&b) && done;
    compiler_result_free(&assembled);
    done = done && open_bench(&b, name, compiled, false, NULL);
    // 64 threads are two warps where a warp has 32.
    static const struct {
        uint32_t threads;
        const char *what;
    } rows[] = {{1, "in the PPU-owned queue by one thread (enqueue_kernel)"},
                {8, "in the PPU-owned queue by 8 threads of a warp"},
                {32, "in the PPU-owned queue by 32 threads of a warp"},
                {64, "in the PPU-owned queue by 64 threads"}};
    done = done && by_threads(&b, "launches", 1, 1, &none);
    for (size_t k = 0; done && k < sizeof rows / sizeof rows[0]; k++) {
        done = by_threads(&b, "launches", rows[k].threads, 0, &none) &&
               by_threads(&b, "launches", rows[k].threads, LAUNCHES / rows[k].threads, &some);
        if (done) show(&b, rows[k].what, &some, &none);
    }
    return close_bench(&b) && done;
}

// ---- chains ----
// Each launch asks the CPU for the next, which looks and launches it.
static bool by_asking(struct bench *b, uint32_t launches, struct launched *to) {
    const struct tandem_range one = {.dimensions = 1, .global = {1}, .local = {1}};
    uint32_t asked = launches;
    tandem_addr at = 0;
    struct tandem_statistics before, after;
    bool done = new_words(b, &asked, 1, &at) && time_begin(b);
    tandem_get_statistics(b->device, &before);
    while (done && asked != 0) {
        const uint32_t left = asked - 1;
        const struct tandem_argument arguments[] = {{&at, 4}, {&left, 4}};
        done = good(b->device, tandem_launch(b->channel, b->module, "handed_back", &one, arguments, 2)) &&
               good(b->device, tandem_finish(b->channel, 0)) && good(b->device, tandem_read(b->device, at, &asked, 4));
    }
    done = done && timed_finish(b, to);
    tandem_get_statistics(b->device, &after);
    to->seconds = after.seconds - before.seconds;
    return done && good(b->device, tandem_free(b->device, at));
}

// Launches that wait for others: by a list of events, by events of a fan, by the parent's end; and over the CPU, with a link.
static bool measure_chains(const char *name, const struct compiler_result *compiled) {
    static const struct {
        const char *kernel;
        uint32_t threads;
        const char *what;
    } rows[] = {{"chained", 1, "each waits for the one before, one thread"},
                {"chained", 8, "each waits for the one before, 8 threads of a warp"},
                {"chained", 32, "each waits for the one before, 32 threads of a warp"},
                {"fanned", 1, "all wait for one event, one thread"},
                {"fanned", 32, "those of a thread wait for one event, 32 threads"},
                {"nested", 1, "each is launched by the one before"},
                {"nested_behind", 1, "each by the one before, starts at its end"}};
    char linked[600];
    struct bench b;
    struct launched none, some;
    snprintf(linked, sizeof linked, "%.500s%s", name, strstr(name, "link=") == NULL ? ",link=1000" : "");
    bool done = open_bench(&b, linked, compiled, false, NULL);
    if (done) printf("  %d launches that depend on each other, a link of 1000 ns to the CPU:\n", LAUNCHES);
    done = done && by_threads(&b, "launches", 1, 1, &none);
    for (size_t k = 0; done && k < sizeof rows / sizeof rows[0]; k++) {
        done = by_threads(&b, rows[k].kernel, rows[k].threads, LAUNCHES / rows[k].threads, &some) &&  // warms up
               by_threads(&b, rows[k].kernel, rows[k].threads, 0, &none) &&
               by_threads(&b, rows[k].kernel, rows[k].threads, LAUNCHES / rows[k].threads, &some);
        if (done) show(&b, rows[k].what, &some, &none);
    }
    done = done && by_asking(&b, 1, &none) && by_asking(&b, 0, &none) && by_asking(&b, LAUNCHES, &some);
    if (done) show(&b, "each handed back to the CPU", &some, &none);
    return close_bench(&b) && done;
}

// ---- the command line ----
struct options {
    const char *devices[DEVICES_MOST], *only, *kernels;
    size_t device_count;
};

static bool parse(int argc, char **argv, struct options *o) {
    *o = (struct options){.kernels = "tests/kernels"};
    for (int i = 1; i < argc; i++) {
        const bool device = strcmp(argv[i], "--device") == 0, only = strcmp(argv[i], "--only") == 0;
        if (!device && !only && strcmp(argv[i], "--kernels") != 0) {
            fprintf(stderr, "queue-bench: %s: unknown; see queue-bench --help\n", argv[i]);
            return false;
        }
        if (i + 1 == argc) {
            fprintf(stderr, "queue-bench: %s needs a value; see queue-bench --help\n", argv[i]);
            return false;
        }
        const char *value = argv[++i];
        if (device && o->device_count == DEVICES_MOST) {
            fprintf(stderr, "queue-bench: at most %d devices\n", DEVICES_MOST);
            return false;
        }
        if (device) {
            o->devices[o->device_count++] = value;
        } else if (only) {
            o->only = value;
        } else {
            o->kernels = value;
        }
    }
    if (o->only != NULL && strcmp(o->only, "additions") != 0 && strcmp(o->only, "full") != 0 &&
        strcmp(o->only, "launches") != 0 && strcmp(o->only, "chains") != 0) {
        fprintf(stderr, "queue-bench: --only %s: say additions, full, launches or chains\n", o->only);
        return false;
    }
    return true;
}

static bool wanted(const struct options *o, const char *what) {
    return o->only == NULL || strcmp(o->only, what) == 0;
}

// adders: compiled so that all warps are resident at once, because they wait for each other. launchers: as a program is.
static bool measure(const struct options *o, const char *device, const struct compiler_result *adders,
                    const struct compiler_result *launchers) {
    printf("work queue, %s:\n", device);
    return (!wanted(o, "additions") || measure_additions(device, adders)) &&
           (!wanted(o, "full") || measure_full(device, adders)) &&
           (!wanted(o, "launches") || measure_launches(device, launchers)) &&
           (!wanted(o, "chains") || measure_chains(device, launchers));
}

static bool compile(const struct options *o, const char *file, unsigned register_limit,
                    struct compiler_result *program) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", o->kernels, file);
    const struct compiler_options options = {.clang_options = "-cl-std=CL2.0", .register_limit = register_limit};
    if (compiler_compile_file(path, &options, program)) return true;
    fprintf(stderr, "queue-bench: %s\n", program->messages != NULL ? program->messages : "no memory");
    return false;
}

int main(int argc, char **argv) {
    struct options o;
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    if (!parse(argc, argv, &o)) return 2;
    struct compiler_result adders = {0}, launchers = {0};
    bool done = compile(&o, "queue_bench.cl", 32, &adders) && compile(&o, "queue_launches.cl", 0, &launchers);
    for (unsigned c = 0; done && o.device_count == 0 && c < PPU_CONFIG_COUNT; c++) {
        char name[64];
        if (rtl_ops_find(ppu_config_names[c]) == NULL) continue;  // not built
        snprintf(name, sizeof name, "rtl:%s", ppu_config_names[c]);
        done = measure(&o, name, &adders, &launchers);
    }
    for (size_t k = 0; done && k < o.device_count; k++)
        done = measure(&o, o.devices[k], &adders, &launchers);
    compiler_result_free(&adders);
    compiler_result_free(&launchers);
    return done ? 0 : 1;
}
