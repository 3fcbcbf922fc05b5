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
REFUSED(double_precision, "__kernel void f(__global double *a) {\n    a[1] = a[0] * 2.0;\n}\n",
        "dir/wrong.cl:1:", "double")
REFUSED(half_precision, "__kernel void f(half a, __global int *b) {\n    b[0] = a;\n}\n", "dir/wrong.cl:1:", "half")
REFUSED(long_integers, "__kernel void f(__global long *a) {\n    a[0] = a[1] * a[2] + 1;\n}\n",
        "dir/wrong.cl:2:", "64-bit")
REFUSED(
    too_much_local,
    "__kernel void f(__global int *a) {\n    __local int x[4000];\n    __local int y[6000];\n    x[a[9]] = a[0];\n    "
    "barrier(CLK_LOCAL_MEM_FENCE);\n    y[a[8]] = x[a[7]];\n    a[1] = y[3];\n}\n",
    "dir/wrong.cl:6:5: error: kernel f: too much local memory", "'f.y' takes 24000 bytes", "16000 bytes", "32768")
REFUSED(
    too_much_private,
    "__kernel void f(__global int *a) {\n    int t[400000];\n    for (int i = 0; i < 400000; i++) t[i] = a[i];\n    "
    "a[0] = t[a[50]];\n}\n",
    "dir/wrong.cl:", "too much private memory", "1600000 bytes", "1048576")
REFUSED(printing, "__kernel void f(__global int *a) {\n    a[0] = 1;\n    printf(\"%d\", a[0]);\n}\n",
        "dir/wrong.cl:3:5: error:", "printf")
REFUSED(undefined_function, "int g(int);\n__kernel void f(__global int *a) {\n    a[0] = g(a[1]);\n}\n",
        "dir/wrong.cl:3:", "g is not supported, or nowhere defined")
REFUSED(recursion,
        "int g(int n) { return n < 2 ? n : g(n - 1) + g(n - 2); }\n__kernel void f(__global int *a) {\n    a[0] = "
        "g(a[1]);\n}\n",
        "dir/wrong.cl:", "recursion")
REFUSED(short_atomics, "__kernel void f(volatile __global long *a) {\n    __sync_fetch_and_add(a, 1);\n}\n",
        "dir/wrong.cl:2:", "64")
REFUSED(program_variable, "__global int counter = 0;\n__kernel void f(__global int *a) { a[0] = counter; }\n",
        "dir/wrong.cl:", "error:")
REFUSED(inline_assembly, "__kernel void f(__global int *a) {\n    __asm__(\"nop\");\n}\n",
        "dir/wrong.cl:2:", "inline assembly")
REFUSED(mixed_pointers,
        "__constant int t[4] = {1, 2, 3, 4};\n__kernel void f(__global int *a, __constant int *b) {\n    __constant "
        "int *p = a[0] > 3 ? b : t;\n    a[1] = p[a[2] & 3];\n}\n",
        "dir/wrong.cl:", "different memories")
REFUSED(images, "__kernel void f(image2d_t a) {}\n", "dir/wrong.cl:1:", "error:")

Test(compiler_errors, several_places, .description = "every wrong place of a kernel gets its own line") {
    refused_with(NULL,
                 "__kernel void f(__global int *a) {\n    __asm__(\"nop\");\n    printf(\"%d\", "
                 "a[1]);\n}\n__kernel void g(__global int *a) {\n\n    __asm__(\"nop\");\n}\n",
                 "wrong.cl:2:", "wrong.cl:3:", "kernel g", "wrong.cl:7:", NULL);
}

Test(compiler_errors, too_many_registers,
     .description = "a kernel with too many live values is refused, with the number") {
    char *source = malloc(65536);
    cr_assert_not_null(source);
    int at = sprintf(source, "__kernel void f(__global uint *a, uint n) {\n");
    for (int k = 0; k < 300; k++)
        at += sprintf(source + at, "uint v%d = a[%d];\n", k, k);
    at += sprintf(source + at, "for (uint i = 0; i < n; i++) {\n");
    for (int k = 0; k < 300; k++)
        at += sprintf(source + at, "v%d = v%d * 3u + a[i + v%d];\n", k, (k + 1) % 300, (k + 7) % 300);
    at += sprintf(source + at, "}\n");
    for (int k = 0; k < 300; k++)
        at += sprintf(source + at, "a[%d] = v%d;\n", k + 300, k);
    sprintf(source + at, "}\n");
    refused_with(NULL, source, "dir/wrong.cl:1:1: error: kernel f needs ", "registers at once, a thread has 255", NULL);
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
    cr_assert_not_null(strstr(result.messages, "endless.cl: error: the compilation took longer than 1 s"), "%s",
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
