// How well threads that went apart meet again: warp instructions that a kernel takes on the model, against an ideal
// made from the paths of its threads (warp_paths.h). Numbers of instructions, the same on every machine; no times.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel_runner.h"
#include "random_numbers.h"
#include "warp_paths.h"

enum { ITEMS = 100, IN_WORDS = 2 * ITEMS, OUT_WORDS = 32 * ITEMS, LOCAL = 32, GLOBAL = 128 };

// Most instructions, in thousandths of the ideal, and most tokens, in thousandths of the instructions, that a kernel
// may take. A little more than what it took when the row was written: what a change of the compiler may cost is decided
// here.
struct shape {
    const char *kernel;
    unsigned most, most_tokens;
};

static void compile(const char *file, const struct compiler_options *options, struct compiler_result *program) {
    char path[256];
    snprintf(path, sizeof path, "tests/kernels/%s", file);
    cr_assert(compiler_compile_file(path, options, program), "%s", program->messages);
}

static void measure(const struct compiler_result *program, const char *kernel, struct warp_paths *paths) {
    static uint32_t in[IN_WORDS];
    char path[] = "/tmp/tandem-reconvergence-XXXXXX", device[128], message[512] = "";
    uint64_t state = 5;
    const int descriptor = mkstemp(path);
    cr_assert_geq(descriptor, 0);
    close(descriptor);
    snprintf(device, sizeof device, "model:small,trace=%s", path);
    struct runner runner;
    cr_assert_eq(tandem_open(device, &runner.device, message, sizeof message), TANDEM_OK, "%s", message);
    cr_assert_eq(tandem_channel_open(runner.device, 16, 0, &runner.channel), TANDEM_OK);
    cr_assert_eq(tandem_module_load(runner.device, program->elf, program->elf_size, &runner.module), TANDEM_OK);
    for (uint32_t k = 0; k < IN_WORDS; k++) {
        in[k] = (uint32_t)random_bits(&state);
    }
    const struct tandem_range range = {.dimensions = 1, .global = {GLOBAL}, .local = {LOCAL}};
    const uint32_t n = ITEMS;
    const tandem_addr from = runner_buffer(&runner, in, sizeof in);
    const tandem_addr to = runner_buffer(&runner, NULL, OUT_WORDS * sizeof(uint32_t));
    const struct tandem_argument arguments[] = {{&from, 4}, {&to, 4}, {&n, 4}};
    runner_launch(&runner, kernel, &range, arguments, 3);
    runner_close(&runner);
    cr_assert(warp_paths_read(path, paths), "%s: the trace cannot be read", kernel);
    remove(path);
}

static void check(const struct compiler_result *program, const struct shape *shape) {
    struct warp_paths paths;
    measure(program, shape->kernel, &paths);
    const uint64_t took = paths.executed * 1000 / paths.ideal, tokens = paths.tokens * 1000 / paths.executed;
    cr_log_info("%s: %llu instructions, ideal %llu, %llu tokens: %llu, %llu\n", shape->kernel,
                (unsigned long long)paths.executed, (unsigned long long)paths.ideal, (unsigned long long)paths.tokens,
                (unsigned long long)took, (unsigned long long)tokens);
    cr_expect_leq(took, shape->most,
                  "%s: %llu warp instructions, the ideal is %llu: %llu thousandths of it, at most %u", shape->kernel,
                  (unsigned long long)paths.executed, (unsigned long long)paths.ideal, (unsigned long long)took,
                  shape->most);
    cr_expect_leq(tokens, shape->most_tokens, "%s: %llu tokens in %llu instructions", shape->kernel,
                  (unsigned long long)paths.tokens, (unsigned long long)paths.executed);
    cr_expect_geq(took, 1000u, "%s: less than the ideal, which then is none", shape->kernel);
}

static void check_all(const char *file, const struct shape *shapes, size_t count) {
    struct compiler_result program;
    compile(file, NULL, &program);
    for (size_t k = 0; k < count; k++)
        check(&program, &shapes[k]);
    compiler_result_free(&program);
}

Test(reconvergence, flow,
     .description = "TD-6 TD-8 TD-14 TD-18 warp instructions of every shape of control flow: near the ideal") {
    static const struct shape shapes[] = {
        {"nested_ifs", 1150, 30},
        {"dense_switch", 1150, 30},
        {"sparse_switch", 1500, 80},
        {"table_switch", 1000, 30},
        {"three_exits", 1080, 10},
        {"break_two_loops", 1060, 20},
        {"greatest_divisor", 1000, 10},
        {"swaps", 1000, 10},
        {"state_machine", 1080, 90},
        {"helpers", 1030, 10},
        {"early_returns", 1050, 60},
        {"sort", 1000, 10},
        // With a YIELD in some loops.
        {"goto_back", 1050, 60},
        {"irreducible", 1080, 60},
        {"into_the_loop", 1010, 110},
        {"collatz", 1010, 110},
        {"binary_search", 1030, 80},
        {"uniform_and_not", 1010, 100},
    };
    check_all("flow.cl", shapes, sizeof shapes / sizeof *shapes);
}

// Tuning takes 20 of 1,532 instructions of work_on_leaving, none of them twice; of switch_out_of_loop it takes 237 of
// 8,419, for 143 tokens more. return_in_loops asks behind its loops whether it is to return, of all threads together: 82
// tokens in 3,667 instructions. Jump threading spared it that (20 tokens at most), at the price of threads that did not
// meet before barriers (compiler/prepare.c).
Test(reconvergence, leaving,
     .description = "TD-6 TD-8 TD-18 warp instructions where threads leave loops in several ways: near the ideal") {
    static const struct shape shapes[] = {
        {"goto_out_of_three", 1080, 30},  {"continue_outer", 1150, 30},  {"work_on_leaving", 1085, 10},
        {"switch_out_of_loop", 1250, 60}, {"return_in_loops", 1090, 90}, {"and_or_chain", 2000, 10},
        {"loops_in_arms", 1010, 20},
    };
    check_all("leaving.cl", shapes, sizeof shapes / sizeof *shapes);
}

Test(reconvergence, switched_off, .description = "without tokens threads do not meet, and the measure sees it") {
    const struct compiler_options options = {.no_tokens = true};
    struct compiler_result program;
    struct warp_paths paths;
    compile("leaving.cl", &options, &program);
    measure(&program, "continue_outer", &paths);
    cr_assert_gt(paths.executed, 2 * paths.ideal);
    cr_assert_eq(paths.tokens, 0);
    compiler_result_free(&program);
}

Test(reconvergence, no_trace, .description = "a trace that is not there, or is none, is refused") {
    struct warp_paths paths;
    cr_assert_not(warp_paths_read("/nonexistent/trace", &paths));
    cr_assert_not(warp_paths_read("tests/kernels/flow.cl", &paths));
}
