// Programs that come as LLVM bitcode: compiled like their text, refused with one line when they are damaged.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"

static void refused(const char *bitcode, size_t size, const char *part) {
    struct compiler_result result;
    cr_assert(!compiler_compile(bitcode, size, "dir/wrong.bc", NULL, &result), "compiled, but must not");
    cr_assert_null(result.elf);
    cr_assert_not_null(strstr(result.messages, "dir/wrong.bc: error: "), "%s", result.messages);
    cr_assert_not_null(strstr(result.messages, part), "'%s' is not in: %s", part, result.messages);
    cr_assert_eq(strchr(result.messages, '\n') + 1, result.messages + strlen(result.messages), "more than a line: %s",
                 result.messages);
    compiler_result_free(&result);
}

// What the front end makes of a text. The caller frees.
static char *front_end(const char *target, const char *text, size_t *size) {
    char command[512];
    snprintf(command, sizeof command,
             "echo '%s' | clang-19 -x cl -target %s -cl-std=CL1.2 -Xclang -disable-llvm-passes -cl-kernel-arg-info "
             "-emit-llvm -c - -o -",
             text, target);
    FILE *from = popen(command, "r");
    cr_assert_not_null(from);
    char *bitcode = malloc(1 << 20);
    cr_assert_not_null(bitcode);
    *size = fread(bitcode, 1, 1 << 20, from);
    cr_assert_eq(pclose(from), 0);
    return bitcode;
}

static const char text[] = "__kernel void f(__global int *a) { a[get_global_id(0)] += 3; }";

Test(compiler_bitcode, whole, .description = "bitcode is compiled like the text it was made of") {
    size_t size = 0;
    char *bitcode = front_end("spir", text, &size);
    struct compiler_result result;
    struct code_object object;
    char error[256] = "";
    cr_assert(compiler_compile(bitcode, size, "f.bc", NULL, &result), "%s", result.messages);
    cr_assert(code_object_read(result.elf, result.elf_size, &object, error, sizeof error), "%s", error);
    cr_assert_eq(object.kernel_count, 1);
    cr_assert_str_eq(object.kernels[0].name, "f");
    cr_assert_eq(object.kernels[0].argument_count, 1);
    code_object_free(&object);
    compiler_result_free(&result);
    free(bitcode);
}

Test(compiler_bitcode, rubbish, .description = "rubbish behind the magic number is refused with one line") {
    static const char rubbish[] = "BC\xC0\xDE is what it begins with, and then there is nothing of that kind";
    refused(rubbish, sizeof rubbish, "bitcode");
    refused(rubbish, 4, "bitcode");
}

Test(compiler_bitcode, cut, .description = "bitcode that ends too early is refused with one line") {
    size_t size = 0;
    char *bitcode = front_end("spir", text, &size);
    for (size_t part = 1; part < 6; part++)
        refused(bitcode, size * part / 6 & ~(size_t)3, "bitcode");
    free(bitcode);
}

Test(compiler_bitcode, other_target, .description = "bitcode for another target is refused by its name") {
    size_t size = 0;
    char *bitcode = front_end("spir64", text, &size);
    refused(bitcode, size, "'spir64'");
    free(bitcode);
}

Test(compiler_bitcode, names, .description = "control characters in a name of bitcode do not break a message's line") {
    static const char lost[] = "int lost_here(int x); __kernel void f(__global int *a) { a[0] = lost_here(a[1]); }";
    size_t size = 0;
    char *bitcode = front_end("spir", lost, &size), *name = memmem(bitcode, size, "lost_here", 9);
    cr_assert_not_null(name);
    name[4] = '\n';
    name[5] = '\x1B';
    refused(bitcode, size, "the function lost??ere is not supported");
    free(bitcode);
}
