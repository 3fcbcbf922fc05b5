// What the compiler refuses: each with a message that says what and where, and never with a crash.
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"

// Compiles text that must not compile; the messages must have all of these parts (NULL-terminated).
static void refused_with(const struct compiler_options *options, const char *source, ...) {
    struct compiler_result result;
    cr_assert(!compiler_compile(source, strlen(source), "dir/wrong.cl", options, &result),
              "compiled, but must not:\n%s", source);
    cr_assert_null(result.elf);
    cr_assert_not_null(result.messages);
    va_list parts;
    va_start(parts, source);
    for (const char *part = va_arg(parts, const char *); part != NULL; part = va_arg(parts, const char *))
        cr_assert_not_null(strstr(result.messages, part), "'%s' is not in:\n%s", part, result.messages);
    va_end(parts);
    compiler_result_free(&result);
}

#define REFUSED(test, source, ...)                                               \
    Test(compiler_errors, test, .description = "refused with a place: " #test) { \
        refused_with(NULL, source, __VA_ARGS__, NULL);                           \
    }

REFUSED(syntax, "__kernel void f(__global int *a) {\n    a[0] = ;\n}\n",
        "dir/wrong.cl:2:12: error: expected expression")
REFUSED(unknown_name, "__kernel void f(__global int *a) {\n  a[0] = b;\n}\n", "dir/wrong.cl:2:10: error:", "'b'")
REFUSED(no_kernel, "int f(int a) { return a + 1; }\n", "dir/wrong.cl: error:", "no kernel in the source")
REFUSED(empty_source, "", "dir/wrong.cl: error:", "no kernel in the source")
REFUSED(binary_rubbish,
        "\x7f"
        "ELF\x01\x02\x03\xff\xfe\n",
        "dir/wrong.cl:1:", "error:")
REFUSED(half_precision, "__kernel void f(half a, __global int *b) {\n    b[0] = a;\n}\n", "dir/wrong.cl:1:", "half")
REFUSED(half_literal, "__kernel void f(__global float *a) {\n    a[0] = 1.0h;\n}\n", "dir/wrong.cl:2:", "half")
REFUSED(half_disabled,
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n"
        "__kernel void f(__global half *a) {\n    half b = a[0];\n    a[1] = b;\n}\n",
        "dir/wrong.cl:4:", "half")
#define HALFS(statement)                                                                                         \
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n__kernel void f(__global half *a, half4 v, float4 w) {\n   " \
    " " statement ";\n}\n"
REFUSED(half_modulo, HALFS("a[0] = a[1] % a[2]"), "dir/wrong.cl:3:", "invalid operands")
REFUSED(half_saturated, HALFS("a[0] = convert_half_sat(a[1])"), "dir/wrong.cl:3:", "convert_half_sat")
REFUSED(half_of_float_vector, HALFS("v = w; a[0] = v.x"), "dir/wrong.cl:3:", "float4")
REFUSED(half_lengths, HALFS("a[0] = fmax(v, w).x"), "dir/wrong.cl:3:", "fmax")
REFUSED(half_printed_alone, HALFS("printf(\"%hf\", v.x)"), "'%hf': there is no floating point of this length")
REFUSED(half_printed_as_float, HALFS("printf(\"%v4f\", v)"), "'%v4f' does not fit argument 1", "half")
REFUSED(float_printed_as_half, HALFS("printf(\"%v4hf\", w)"), "'%v4hf' does not fit argument 1", "float")
REFUSED(half_printed_short, HALFS("printf(\"%v2hf\", v)"), "'%v2hf' does not fit argument 1", "<4 x half>")
REFUSED(longer_integers,
        "__kernel void f(__global ulong *a) {\n    a[0] = (ulong)((unsigned __int128)a[1] * a[2] >> 70);\n}\n",
        "dir/wrong.cl:2:", "__int128")
REFUSED(
    too_much_local,
    "__kernel void f(__global int *a) {\n    __local int x[8000];\n    __local int y[12000];\n    x[a[9]] = a[0];\n    "
    "barrier(CLK_LOCAL_MEM_FENCE);\n    y[a[8]] = x[a[7]];\n    a[1] = y[3];\n}\n",
    "dir/wrong.cl:6:5: error: kernel f: too much local memory", "'f.y' takes 48000 bytes", "32000 bytes", "65536")
REFUSED(
    too_much_private,
    "__kernel void f(__global int *a) {\n    int t[400000];\n    for (int i = 0; i < 400000; i++) t[i] = a[i];\n    "
    "a[0] = t[a[50]];\n}\n",
    "dir/wrong.cl:", "too much private memory", "1600000 bytes", "1048576")
#define PRINTS(call) "__kernel void f(__global int *a, float4 v) {\n    a[0] = 1;\n    " call ";\n}\n"
#define REFUSED_PRINTF(test, call, ...) REFUSED(test, PRINTS(call), "dir/wrong.cl:3:5: error: printf: ", __VA_ARGS__)
REFUSED_PRINTF(printf_unknown, "printf(\"%d %y\\n\", 1, 2)", "'%y': there is no conversion 'y'")
REFUSED_PRINTF(printf_n, "printf(\"%n\", a)", "there is no conversion 'n'")
REFUSED_PRINTF(printf_ends, "printf(\"%5\")", "'%5' ends before its conversion")
REFUSED_PRINTF(printf_too_few, "printf(\"%d %d\", a[1])", "'%d' has no argument", "more than the 1 given")
REFUSED_PRINTF(printf_float_for_int, "printf(\"%d\", v.x)", "'%d' does not fit argument 1, which is of type float")
REFUSED_PRINTF(printf_int_for_float, "printf(\"%s %f\", \"a\", a[0])", "'%f' does not fit argument 2", "i32")
REFUSED_PRINTF(printf_long_for_float, "printf(\"%f\", (long)a[0])", "'%f' does not fit argument 1", "i64")
REFUSED_PRINTF(printf_long_for_string, "printf(\"%s\", (long)a[0])", "'%s' does not fit argument 1", "i64")
REFUSED_PRINTF(printf_scalar_for_vector, "printf(\"%v4hlf\", v.x)", "'%v4hlf' does not fit argument 1")
REFUSED_PRINTF(printf_vector_for_scalar, "printf(\"%f\", v)", "'%f' does not fit argument 1", "<4 x float>")
REFUSED_PRINTF(printf_other_vector, "printf(\"%v3hlf\", v)", "'%v3hlf' does not fit argument 1", "<4 x float>")
REFUSED_PRINTF(printf_other_length, "printf(\"%v4hd\", convert_int4(v))", "'%v4hd' does not fit", "<4 x i32>")
REFUSED_PRINTF(printf_no_vector, "printf(\"%v5d\", 1)", "a vector has 2, 3, 4, 8 or 16 elements")
REFUSED_PRINTF(printf_vector_string, "printf(\"%v2s\", \"a\")", "'%v2s': s takes no vector and no length")
REFUSED_PRINTF(printf_hl_scalar, "printf(\"%hld\", 1)", "'%hld': the length hl is for vectors only")
REFUSED_PRINTF(printf_half, "printf(\"%hf\", v.x)", "'%hf': there is no floating point of this length")
REFUSED_PRINTF(printf_double, "printf(\"%v4lf\", v)", "'%v4lf' does not fit argument 1, which is of type <4 x float>")
REFUSED_PRINTF(printf_star, "printf(\"%*d\", 5, a[0])", "'*' as a width is not supported")
REFUSED_PRINTF(printf_star_behind, "printf(\"%.*f\", 5, v.x)", "'*' as a precision is not supported")
REFUSED_PRINTF(printf_wide, "printf(\"%9999999999d\", a[0])", "a width or precision is above 4095")
REFUSED_PRINTF(printf_llld, "printf(\"%llld\", (long)a[0])", "there is no conversion 'l'")
REFUSED_PRINTF(printf_string_in_memory, "printf(\"%s\", (__constant char *)a[0])",
               "argument 1: %s takes a string that is known while compiling")
REFUSED_PRINTF(printf_format_in_memory, "printf((__constant char *)a[0])", "its format must be known while compiling")
REFUSED(undefined_function, "int g(int);\n__kernel void f(__global int *a) {\n    a[0] = g(a[1]);\n}\n",
        "dir/wrong.cl:3:", "g is not supported, or nowhere defined")
REFUSED(unknown_builtin, "__kernel void f(__global float *a) {\n    a[0] = sinus(a[1]);\n}\n",
        "dir/wrong.cl:2:12: error:", "'sinus'")
REFUSED(builtin_argument_types, "__kernel void f(__global float *a) {\n    a[0] = sin(a);\n}\n",
        "dir/wrong.cl:2:12: error:", "sin")
REFUSED(builtin_argument_count, "__kernel void f(__global int *a) {\n    a[0] = clamp(a[1], a[2]);\n}\n",
        "dir/wrong.cl:2:12: error:", "clamp")
REFUSED(function_argument_count,
        "int g(int x) { return x; }\n__kernel void f(__global int *a) {\n    a[0] = g(1, 2);\n}\n",
        "dir/wrong.cl:3:17: error:", "too many arguments")
REFUSED(function_argument_space,
        "int g(int *x) { return *x; }\n__kernel void f(__global int *a) {\n    a[0] = g(a);\n}\n",
        "dir/wrong.cl:3:14: error:", "address space")
REFUSED(kernel_returns, "__kernel int f(__global int *a) {\n    return a[0];\n}\n",
        "dir/wrong.cl:1:14: error:", "kernel must have void return type")
REFUSED(kernel_private_pointer, "__kernel void f(int *a) {\n    a[0] = 1;\n}\n",
        "dir/wrong.cl:1:22: error:", "address space")
REFUSED(missing_include, "#include \"nowhere.h\"\n__kernel void f(__global int *a) { a[0] = 1; }\n",
        "dir/wrong.cl:1:10: fatal error:", "'nowhere.h' file not found")
REFUSED(barrier_arguments, "__kernel void f(__global int *a) {\n    barrier();\n}\n",
        "dir/wrong.cl:2:13: error:", "too few arguments")
REFUSED(recursion,
        "int g(int n) {\n    return n < 2 ? n : g(n - 1) + 1;\n}\n__kernel void f(__global int *a) {\n    a[0] = "
        "g(a[1]);\n}\n",
        "dir/wrong.cl:2:24: error: recursion is not supported: g calls g")
REFUSED(
    recursion_through_others,
    "int h(int n);\nint g(int n) {\n    return h(n - 1) * 2;\n}\nint k(int n) { return g(n); }\nint h(int n) {\n    "
    "return n < 2 ? n : k(n - 1);\n}\n__kernel void f(__global int *a) {\n    a[0] = g(a[1]);\n}\n",
    "dir/wrong.cl:5:23: error: recursion is not supported: g calls h calls k calls g")
REFUSED(call_through_pointer,
        "int g(int n) { return n + 1; }\nint h(int n) { return n + 2; }\n__kernel void f(__global int *a) {\n    int "
        "(*p)(int) = a[0] ? g : h;\n    a[1] = p(a[2]);\n}\n",
        "dir/wrong.cl:4:", "error: ", "pointer")
REFUSED(short_atomics, "__kernel void f(volatile __global short *a) {\n    __sync_fetch_and_add(a, 1);\n}\n",
        "dir/wrong.cl:2:", "16-bit")
REFUSED(inline_assembly, "__kernel void f(__global int *a) {\n    __asm__(\"nop\");\n}\n",
        "dir/wrong.cl:2:", "inline assembly")
REFUSED(mixed_pointers,
        "__constant int t[4] = {1, 2, 3, 4};\n__kernel void f(__global int *a, __constant int *b) {\n    __constant "
        "int *p = a[0] > 3 ? b : t;\n    a[1] = p[a[2] & 3];\n}\n",
        "dir/wrong.cl:", "different memories")
REFUSED(pipes, "__kernel void f(__read_only pipe int a) {}\n", "dir/wrong.cl:1:", "error:")

Test(compiler_errors, variable_of_pointers,
     .description = "variables of the program that begin as addresses of constants") {
    const struct compiler_options options = {.clang_options = "-cl-std=CL2.0"};
    refused_with(
        &options,
        "__constant int x = 3;\n__constant int *__global p = &x;\n__kernel void f(__global int *a, __constant int "
        "*b) {\n    a[0] = *p;\n    p = b;\n}\n",
        "dir/wrong.cl:4:", "'p' has contents that are not supported", NULL);
}

Test(compiler_errors, several_places, .description = "every wrong place of a kernel gets its own line") {
    refused_with(NULL,
                 "int h(int); __kernel void f(__global int *a) {\n    __asm__(\"nop\");\n    a[0] = "
                 "h(a[1]);\n}\n__kernel void g(__global int *a) {\n\n    __asm__(\"nop\");\n}\n",
                 "wrong.cl:2:", "wrong.cl:3:", "kernel g", "wrong.cl:7:", NULL);
}

// A kernel with `count` values that live over a loop.
static char *crowded_source(int count) {
    char *source = malloc(262144);
    cr_assert_not_null(source);
    int at = sprintf(source, "__kernel void f(__global const uint *restrict a, __global uint *restrict b, uint n) {\n");
    for (int k = 0; k < count; k++)
        at += sprintf(source + at, "uint v%d = a[%d];\n", k, k);
    at += sprintf(source + at, "for (uint i = 0; i < n; i++) {\n");
    for (int k = 0; k < count; k++)
        at += sprintf(source + at, "v%d = v%d * 3u + a[i + v%d];\n", k, (k + 1) % count, (k + 7) % count);
    at += sprintf(source + at, "}\n");
    for (int k = 0; k < count; k++)
        at += sprintf(source + at, "b[%d] = v%d;\n", k, k);
    sprintf(source + at, "}\n");
    return source;
}

Test(compiler_errors, too_many_registers,
     .description = "a limit that not even spilling can keep is refused, with the numbers") {
    const struct compiler_options one = {.register_limit = 1};
    char *source = crowded_source(40);
    refused_with(&one, source, "dir/wrong.cl:1:1: error: kernel f needs ", "registers at once", "a thread has 1", NULL);
    free(source);
}

// What the code object says of the only kernel of a source.
static struct code_kernel compiled_kernel(const char *source, const struct compiler_options *options) {
    struct compiler_result result;
    struct code_object object;
    char error[256];
    cr_assert(compiler_compile(source, strlen(source), "c.cl", options, &result), "%s", result.messages);
    cr_assert(code_object_read(result.elf, result.elf_size, &object, error, sizeof error), "%s", error);
    struct code_kernel kernel = object.kernels[0];
    kernel.arguments = NULL;
    code_object_free(&object);
    compiler_result_free(&result);
    return kernel;
}

Test(compiler_errors, spilling_is_told, .description = "registers, spilled and private bytes in the code object") {
    const struct compiler_options sixteen = {.register_limit = 16};
    char *few = crowded_source(40), *many = crowded_source(280);
    const struct code_kernel free_choice = compiled_kernel(few, NULL), limited = compiled_kernel(few, &sixteen),
                             large = compiled_kernel(many, NULL);
    cr_assert(free_choice.registers > 40 && free_choice.spill_bytes == 0 && free_choice.local_bytes == 0,
              "%u registers, %u bytes spilled", free_choice.registers, free_choice.spill_bytes);
    cr_assert(limited.registers <= 16 && limited.spill_bytes >= 4 * 24 && limited.local_bytes >= limited.spill_bytes &&
                  limited.local_bytes % 16 == 0,
              "%u registers, %u bytes spilled of %u", limited.registers, limited.spill_bytes, limited.local_bytes);
    cr_assert(large.registers <= 255 && large.spill_bytes > 0, "%u registers, %u bytes spilled", large.registers,
              large.spill_bytes);
    free(few);
    free(many);
}

Test(compiler_errors, group_size_bounds_registers,
     .description = "with reqd_work_group_size a kernel takes no more registers than let its group be resident") {
    static const struct {
        const char *size, *target;
        uint32_t fitting;
    } cases[] = {{"(64, 1, 1)", NULL, 1024 / (2 * 4)},
                 {"(8, 8, 2)", "small", 1024 / (4 * 4)},
                 {"(33, 1, 1)", "nano", 512 / (2 * 8)},
                 {"(1, 1, 1)", "nano", 512 / 8},
                 {"(256, 1, 1)", "full", 2048 / (4 * 2)}};
    char *crowded = crowded_source(60), source[16384];
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct compiler_options options = {.subvector = {.target = cases[k].target}};
        snprintf(source, sizeof source, "__attribute__((reqd_work_group_size%s)) %s", cases[k].size, crowded);
        const struct code_kernel kernel = compiled_kernel(source, &options);
        const uint32_t most = cases[k].fitting < 255 ? cases[k].fitting : 255;
        cr_assert(kernel.registers <= most, "%s: %u registers", cases[k].size, kernel.registers);
        if (most < 60) cr_assert_gt(kernel.spill_bytes, 0, "%s: no bytes spilled", cases[k].size);
        if (most >= 128) cr_assert_eq(kernel.spill_bytes, 0, "%s: %u spilled", cases[k].size, kernel.spill_bytes);
    }
    // A group that the configuration has too few warps for is refused at the launch, not here.
    snprintf(source, sizeof source, "__attribute__((reqd_work_group_size(1024, 1, 1))) %s", crowded);
    cr_assert_eq(compiled_kernel(source, NULL).spill_bytes, 0);
    free(crowded);
}

// Hundreds of branches one after the other and inside each other, a switch of hundreds of cases.
Test(compiler_errors, large_programs, .description = "a program of thousands of blocks compiles") {
    char *source = malloc(262144);
    cr_assert_not_null(source);
    int at = sprintf(source, "__kernel void f(__global uint *a, uint n) {\nuint x = a[get_global_id(0)];\n");
    for (int k = 0; k < 200; k++)
        at += sprintf(source + at, "if (x & %uu) { x = x * %du + a[%d]; } else if (x > %du) x ^= %du;\n",
                      1u << (k % 31), 2 * k + 3, k, k * 77, k);
    for (int k = 0; k < 120; k++)
        at += sprintf(source + at, "if (a[x & %du] > %du) { x += a[%d];\n", k + 7, k, k);
    for (int k = 0; k < 120; k++)
        at += sprintf(source + at, "} else x ^= %du;\n", k);
    at += sprintf(source + at, "for (uint r = 0; r < n; r++) switch (x %% 399u) {\n");
    for (int k = 0; k < 300; k++)
        at += sprintf(source + at, "case %d: x = x * %du ^ a[x & %du]; %s\n", k, 2 * k + 3, k,
                      k % 5 != 0 ? "break;" : "");
    sprintf(source + at, "default: x++; }\na[get_global_id(0)] = x;\n}\n");
    const struct code_kernel kernel = compiled_kernel(source, NULL);
    cr_assert(kernel.code_size / 8 > 4000 && kernel.registers < 32, "%u instructions, %u registers",
              kernel.code_size / 8, kernel.registers);
    free(source);
}

Test(compiler_errors, options,
     .description = "options that are unknown, or that would change what comes out, are refused") {
    const char *good = "__kernel void f(__global int *a) { a[0] = X; }\n";
    const struct compiler_options output = {.clang_options = "-o /tmp/x"}, assembly = {.clang_options = "-S"},
                                  half = {.clang_options = "-DX=1 -D"}, none = {.clang = "/nowhere/clang"},
                                  library = {.clang_options = "-DX=(int)clz(3u)", .libclc = "/nowhere/x.bc"};
    refused_with(&output, good, "'-o'", NULL);
    refused_with(&assembly, good, "'-S'", NULL);
    refused_with(&half, good, "'-D'", "needs a value", NULL);
    refused_with(&none, good, "cannot run the front end '/nowhere/clang'", NULL);
    refused_with(&library, good, "cannot read the OpenCL library /nowhere/x.bc", NULL);
    refused_with(NULL, good, "wrong.cl:1:43: error:", "'X'", NULL);
}

Test(compiler_errors, missing_file, .description = "a file that is not there is refused by name") {
    struct compiler_result result;
    cr_assert(!compiler_compile_file("tests/kernels/nowhere.cl", NULL, &result));
    cr_assert_not_null(strstr(result.messages, "tests/kernels/nowhere.cl"));
    compiler_result_free(&result);
    cr_assert(!compiler_compile_file("tests/kernels", NULL, &result));
    cr_assert_not_null(strstr(result.messages, "tests/kernels: error:"));
    compiler_result_free(&result);
}

Test(compiler_errors, time_limit, .description = "a compilation that takes too long is stopped") {
    // Ten to the ninth assignments, by macros.
    const char *source =
        "#define A(x) x x x x x x x x x x\n"
        "__kernel void f(__global int *a) {\n"
        "A(A(A(A(A(A(A(A(A(a[0] += 1;)))))))))\n"
        "}\n";
    const struct compiler_options options = {.time_limit = 1};
    struct compiler_result result;
    cr_assert(!compiler_compile(source, strlen(source), "endless.cl", &options, &result));
    cr_assert_not_null(
        strstr(result.messages, "endless.cl: error: the compilation took longer than 1 s of processor time"), "%s",
        result.messages);
    compiler_result_free(&result);
}

Test(compiler_errors, warnings, .description = "warnings come with a result") {
    const char *source = "#warning look here\n__kernel void f(__global int *a) { a[0] = 1; }\n";
    struct compiler_result result;
    cr_assert(compiler_compile(source, strlen(source), "w.cl", NULL, &result), "%s", result.messages);
    cr_assert_not_null(strstr(result.messages, "w.cl:1:2: warning: look here"), "%s", result.messages);
    compiler_result_free(&result);
}

Test(compiler_errors, contents,
     .description = "the code object tells names, arguments, sizes, lines and the required local size") {
    const char *source =
        "__constant int t[3] = {1, 2, 3};\n"
        "__kernel __attribute__((reqd_work_group_size(8, 4, 1)))\n"
        "void first(__global int *a, uchar b, __constant uint *c, uint4 d) {\n"
        "    a[get_global_id(0)] = b + c[1] + d.y;\n"
        "}\n"
        "__kernel void second(__global int *a) {\n"
        "    a[0] = t[a[1]];\n"
        "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "}\n";
    struct compiler_result result;
    struct code_object object;
    char error[256];
    cr_assert(compiler_compile(source, strlen(source), "c.cl", NULL, &result), "%s", result.messages);
    cr_assert(code_object_read(result.elf, result.elf_size, &object, error, sizeof error), "%s", error);
    const struct code_kernel *first = code_object_find(&object, "first"), *second = code_object_find(&object, "second");
    cr_assert(first != NULL && second != NULL && object.kernel_count == 2);
    cr_assert_eq(first->argument_count, 4);
    const struct {
        const char *name;
        enum code_argument_kind kind;
        uint32_t offset, size;
    } expected[4] = {{"a", ARG_GLOBAL, 0x40, 4},
                     {"b", ARG_VALUE, 0x44, 1},
                     {"c", ARG_CONSTANT, 0x48, 4},
                     {"d", ARG_VALUE, 0x50, 16}};
    for (int k = 0; k < 4; k++) {
        const struct code_argument *argument = &first->arguments[k];
        cr_assert_str_eq(argument->name, expected[k].name);
        cr_assert_eq(argument->kind, expected[k].kind);
        cr_assert_eq(argument->offset, expected[k].offset, "%s at %u", argument->name, argument->offset);
        cr_assert_eq(argument->size, expected[k].size);
    }
    cr_assert_eq(first->constant_bytes, 0x60);
    cr_assert(first->reqd_local[0] == 8 && first->reqd_local[1] == 4 && first->reqd_local[2] == 1);
    cr_assert_eq(first->barriers, 0);
    cr_assert_eq(second->barriers, 1);
    cr_assert_eq(second->reqd_local[0], 0);
    cr_assert_gt(first->registers, 2);
    cr_assert_lt(first->registers, 20);
    cr_assert_eq(object.rodata_size, 12);
    cr_assert_eq(object.rodata[8], 3);
    cr_assert_not_null(object.lines);
    bool line_4 = false, line_7 = false;
    for (size_t k = 0; k < object.text_words; k++) {
        line_4 |= object.lines[k] == 4 && k * 8 < first->entry + first->code_size && k * 8 >= first->entry;
        line_7 |= object.lines[k] == 7 && k * 8 < second->entry + second->code_size && k * 8 >= second->entry;
    }
    cr_assert(line_4 && line_7);
    code_object_free(&object);
    compiler_result_free(&result);
}
