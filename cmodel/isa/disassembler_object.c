// Whole code objects as text that assembles back to the same.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disassembler.h"
#include "disassembler_internal.h"
#include "isa_syntax.h"
#include "printf_format.h"
#include "save_handler.h"

// The target of a word inside its kernel [first, end], or SIZE_MAX. A word that prints as .word has none.
static size_t target_of(const struct code_object *object, size_t index, size_t first, size_t end) {
    uint64_t word = object->text[index];
    const struct isa_syntax *syntax = isa_syntax_of(isa_opcode(word));
    if (syntax == NULL || (word & ~isa_syntax_used_bits(syntax, word)) != 0) return SIZE_MAX;
    int64_t target;
    if (strchr(syntax->operands, OPERAND_ABSOLUTE) != NULL) {
        target = isa_imm(word);
    } else if (strchr(syntax->operands, OPERAND_RELATIVE) != NULL ||
               (strchr(syntax->operands, OPERAND_OPTIONAL_RELATIVE) != NULL && isa_imm(word) != 0)) {
        target = (int64_t)index + 1 + (int32_t)isa_imm(word);
    } else {
        return SIZE_MAX;
    }
    return target >= (int64_t)first && target <= (int64_t)end ? (size_t)target : SIZE_MAX;
}

// The text in quotes, which ends its line.
static void print_quoted(FILE *to, const char *text) {
    fputs(" \"", to);
    for (const char *c = text; *c != 0; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte == '\n') {
            fputs("\\n", to);
        } else if (byte < 0x20 || byte > 0x7E || byte == '"' || byte == '\\') {
            fprintf(to, "\\%03o", byte);
        } else {
            fputc(byte, to);
        }
    }
    fputs("\"\n", to);
}

static void print_header(FILE *to, const struct code_kernel *kernel) {
    fprintf(to, ".kernel %s\n.registers %" PRIu32 "\n", kernel->name, kernel->registers);
    if (kernel->shared_rows != 0) fprintf(to, ".shared_rows %" PRIu32 "\n", kernel->shared_rows);
    if (kernel->shared_bytes != 0) fprintf(to, ".shared_bytes %" PRIu32 "\n", kernel->shared_bytes);
    if (kernel->local_bytes != 0) fprintf(to, ".local_bytes %" PRIu32 "\n", kernel->local_bytes);
    if (kernel->spill_bytes != 0) fprintf(to, ".spill_bytes %" PRIu32 "\n", kernel->spill_bytes);
    if (kernel->barriers != 0) fprintf(to, ".barriers %" PRIu32 "\n", kernel->barriers);
    if (kernel->wavefront != 0) fprintf(to, ".wavefront %" PRIu32 "\n", kernel->wavefront);
    fprintf(to, ".constant_bytes %" PRIu32 "\n", kernel->constant_bytes);
    if (kernel->work_queue != 0) fprintf(to, ".work_queue %" PRIu32 "\n", kernel->work_queue);
    if (kernel->non_uniform != 0) fprintf(to, ".non_uniform %" PRIu32 "\n", kernel->non_uniform);
    if (kernel->saves != 0) fputs(".saves 1\n", to);
    if (kernel->reqd_local[0] != 0) {
        fprintf(to, ".reqd_local %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", kernel->reqd_local[0], kernel->reqd_local[1],
                kernel->reqd_local[2]);
    }
    if (kernel->hints[0] != 0) {
        fputs(".hints", to);
        print_quoted(to, kernel->hints);
    }
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const struct code_argument *argument = &kernel->arguments[i];
        fprintf(to, ".arg %s %s %" PRIu32 " %" PRIu32, code_argument_kind_name(argument->kind),
                argument->name[0] != 0 ? argument->name : "-", argument->size, argument->offset);
        if (argument->type[0] != 0) fprintf(to, " : %s", argument->type);
        fputc('\n', to);
    }
}

// Prints instructions [first, end). marks: one byte an index, set where a label is needed; only for kernels.
static void print_code(FILE *to, const struct code_object *object, size_t first, size_t end, uint8_t *marks) {
    char text[DISASSEMBLY_MAX], label[32];
    if (marks != NULL) {
        memset(marks + first, 0, end - first + 1);
        for (size_t i = first; i < end; i++) {
            size_t target = target_of(object, i, first, end);
            if (target != SIZE_MAX) marks[target] = 1;
        }
    }
    for (size_t i = first; i < end; i++) {
        size_t target = marks != NULL ? target_of(object, i, first, end) : SIZE_MAX;
        if (marks != NULL && marks[i] != 0) fprintf(to, "L%zu:\n", i);
        snprintf(label, sizeof label, "L%zu", target);
        disassemble_word(object->text[i], target != SIZE_MAX ? label : NULL, text);
        fprintf(to, "    %s\n", text);
    }
    if (marks != NULL && marks[end] != 0) fprintf(to, "L%zu:\n", end);
}

static int compare_entries(const void *a, const void *b) {
    const struct code_kernel *left = *(const struct code_kernel *const *)a,
                             *right = *(const struct code_kernel *const *)b;
    return (left->entry > right->entry) - (left->entry < right->entry);
}

static void print_bytes(FILE *to, const char *directive, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        fprintf(to, "%s%u%s", i % 16 == 0 ? directive : ", ", bytes[i], i % 16 == 15 || i + 1 == size ? "\n" : "");
}

static void print_format(FILE *to, const struct code_format *format) {
    const bool string = strcmp(format->types, PRINTF_STRING) == 0;
    fprintf(to, "%s%s%s", string ? ".string" : ".printf", string || format->types[0] == 0 ? "" : " ",
            string ? "" : format->types);
    print_quoted(to, format->text);
}

static void print_object(FILE *to, const struct code_object *object, const struct code_kernel **order, uint8_t *marks) {
    print_bytes(to, ".byte ", object->rodata, object->rodata_size);
    print_bytes(to, ".data ", object->data, object->data_size);
    for (size_t i = 0; i < object->pointers_size; i += 4) {
        uint32_t place = 0;
        for (unsigned k = 0; k < 4; k++)
            place |= (uint32_t)object->pointers[i + k] << 8 * k;
        fprintf(to, ".pointer %u\n", place);
    }
    for (size_t i = 0; i < object->format_count; i++)
        print_format(to, &object->formats[i]);
    for (size_t i = 0; i < object->kernel_count; i++)
        order[i] = &object->kernels[i];
    if (object->kernel_count > 0) qsort(order, object->kernel_count, sizeof(*order), compare_entries);
    size_t at =
        object->kernel_count > 0 && order[0]->entry != 0 ? save_handler_words(object) : 0;  // all before it is printed
    if (at > 0) fputs(".handler\n", to);
    for (size_t i = 0; i < object->kernel_count; i++) {
        size_t first = order[i]->entry / 8, end = first + order[i]->code_size / 8;
        if (first < at) {
            fprintf(to, "// kernel %s: instructions %zu to %zu, shared with the kernel before\n", order[i]->name, first,
                    end);
            continue;
        }
        if (first > at) {
            fputs(".end\n", to);
            print_code(to, object, at, first, NULL);
        }
        print_header(to, order[i]);
        print_code(to, object, first, end, marks);
        at = end;
    }
    if (at < object->text_words) {
        fputs(".end\n", to);
        print_code(to, object, at, object->text_words, NULL);
    }
}

char *disassemble(const struct code_object *object) {
    char *text = NULL;
    size_t size;
    const struct code_kernel **order = calloc(object->kernel_count + 1, sizeof *order);
    uint8_t *marks = calloc(object->text_words + 1, 1);
    FILE *to = order != NULL && marks != NULL ? open_memstream(&text, &size) : NULL;
    if (to != NULL) {
        print_object(to, object, order, marks);
        bool failed = ferror(to) != 0;
        if (fclose(to) != 0 || failed) {
            free(text);
            text = NULL;
        }
    }
    free(order);
    free(marks);
    return text;
}
