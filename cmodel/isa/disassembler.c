// The disassembler, from the same syntax table as the assembler.
#include "disassembler.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_syntax.h"
#include "save_handler.h"
#include "printf_format.h"

#define IMMEDIATE_BIT 0x80u

struct writer {
    char *to;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *writer, const char *format, ...) {
    size_t room = DISASSEMBLY_MAX - writer->length;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(writer->to + writer->length, room, format, arguments);
    va_end(arguments);
    if (length > 0) writer->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void put_register(struct writer *writer, uint32_t number) {
    if (number == ISA_RZ) {
        put(writer, "RZ");
    } else {
        put(writer, "R%" PRIu32, number);
    }
}

static void put_scalar(struct writer *writer, uint32_t number) {
    if (isa_scalar_names[number] != NULL) {
        put(writer, "%s", isa_scalar_names[number]);
    } else {
        put(writer, "S%" PRIu32, number);
    }
}

static void put_predicate(struct writer *writer, uint32_t number) {
    if ((number & 8) != 0) put(writer, "!");
    if ((number & 7) == ISA_PT) {
        put(writer, "PT");
    } else {
        put(writer, "P%" PRIu32, number & 7);
    }
}

// Small numbers as people count, others as bits.
static void put_imm(struct writer *writer, uint32_t value) {
    int32_t number = (int32_t)value;
    if (number >= -65536 && number < 65536) {
        put(writer, "%" PRId32, number);
    } else {
        put(writer, "0x%" PRIX32, value);
    }
}

static void put_memory(struct writer *writer, uint32_t ra, int32_t offset) {
    put(writer, "[");
    put_register(writer, ra);
    if (offset != 0)
        put(writer, " %c %" PRId64, offset < 0 ? '-' : '+', offset < 0 ? -(int64_t)offset : (int64_t)offset);
    put(writer, "]");
}

static void put_target(struct writer *writer, uint32_t imm, bool absolute, const char *label) {
    if (label != NULL) {
        put(writer, "%s", label);
    } else if (absolute) {
        put(writer, "%" PRIu32, imm);
    } else {
        put(writer, "%+" PRId32, (int32_t)imm);
    }
}

static void put_operand(struct writer *writer, enum isa_operand operand, uint64_t word, const char *label) {
    bool immediate = (word & IMMEDIATE_BIT) != 0;
    switch (operand) {
        case OPERAND_RD: put_register(writer, isa_rd(word)); break;
        case OPERAND_RA: put_register(writer, isa_ra(word)); break;
        case OPERAND_RB: put_register(writer, isa_rb(word)); break;
        case OPERAND_RC:
        case OPERAND_RC_OF_CAS: put_register(writer, isa_rc(word)); break;
        case OPERAND_SD: put_scalar(writer, isa_rd(word)); break;
        case OPERAND_SB: put_scalar(writer, isa_rb(word)); break;
        case OPERAND_B:
            if (immediate) {
                put_imm(writer, isa_imm(word));
            } else {
                put_register(writer, isa_rb(word));
            }
            break;
        case OPERAND_SB_OR_IMM:
            if (immediate) {
                put_imm(writer, isa_imm(word));
            } else {
                put_scalar(writer, isa_rb(word));
            }
            break;
        case OPERAND_PD: put_predicate(writer, isa_rd(word)); break;
        case OPERAND_PA: put_predicate(writer, isa_ra(word)); break;
        case OPERAND_PB: put_predicate(writer, isa_rb(word)); break;
        case OPERAND_PM: put_predicate(writer, isa_mod(word)); break;
        case OPERAND_CARRY: put_predicate(writer, isa_mod(word) & 7u); break;
        case OPERAND_RB_OR_EXT:
            if (isa_rb(word) == ISA_RZ) {
                put(writer, "%u", (unsigned)isa_ext(word) & 0xFFFFu);
            } else {
                put_register(writer, isa_rb(word));
            }
            break;
        case OPERAND_IMM7: put(writer, "0x%02" PRIX32, isa_imm(word)); break;
        case OPERAND_OPTIONAL_IMM: put(writer, "%" PRIu32, isa_imm(word)); break;
        case OPERAND_SPECIAL: put(writer, "SR_%s", isa_special_names[isa_imm(word)]); break;
        case OPERAND_MEMORY: put_memory(writer, isa_ra(word), (int32_t)isa_imm(word)); break;
        case OPERAND_MEMORY_EXT: put_memory(writer, isa_ra(word), isa_ext(word)); break;
        case OPERAND_CONSTANT:
            put(writer, "c[%" PRIu32 "]", isa_imm(word) >> 16 & 0xF);
            put_memory(writer, isa_ra(word), (int32_t)(isa_imm(word) & 0xFFFF));
            break;
        case OPERAND_RELATIVE:
        case OPERAND_OPTIONAL_RELATIVE: put_target(writer, isa_imm(word), false, label); break;
        case OPERAND_ABSOLUTE: put_target(writer, isa_imm(word), true, label); break;
    }
}

// Guard, mnemonic and operands. False when the word has a number without a name.
static bool put_instruction(struct writer *writer, const struct isa_syntax *syntax, uint64_t word, const char *label) {
    const char *suffix = syntax->mods != NULL ? syntax->mods[isa_mod(word)] : NULL;
    if (isa_opcode(word) == OP_BRA && isa_mod(word) == BRA_PLAIN) suffix = NULL;  // a plain branch has none
    if (syntax->mods != NULL && suffix == NULL && (int)isa_mod(word) != syntax->mod_default) return false;
    if (isa_word_by_word(isa_opcode(word)) && isa_mod(word) > SIZE_32) return false;
    if (strchr(syntax->operands, OPERAND_SPECIAL) != NULL &&
        (isa_imm(word) > 255 || isa_special_names[isa_imm(word)] == NULL)) {
        return false;
    }
    if (isa_guard(word) != ISA_PT || isa_guard_neg(word)) {
        put(writer, "@");
        put_predicate(writer, isa_guard(word) | (isa_guard_neg(word) ? 8u : 0u));
        put(writer, " ");
    }
    put(writer, "%s%s%s", isa_table[isa_opcode(word)].mnemonic, suffix != NULL ? "." : "",
        suffix != NULL ? suffix : "");
    const char *separator = " ";
    for (const char *at = syntax->operands; *at != 0; at++) {
        enum isa_operand operand = (enum isa_operand) * at;
        if (operand == OPERAND_RC_OF_CAS && isa_mod(word) != ATOM_CAS) continue;
        if ((operand == OPERAND_OPTIONAL_IMM || operand == OPERAND_OPTIONAL_RELATIVE) && isa_imm(word) == 0) continue;
        put(writer, "%s", separator);
        put_operand(writer, operand, word, label);
        separator = ", ";
    }
    return true;
}

static void write_word(uint64_t word, const char *label, char to[DISASSEMBLY_MAX]) {
    struct writer writer = {.to = to};
    const struct isa_syntax *syntax = isa_syntax_of(isa_opcode(word));
    to[0] = 0;
    if (syntax == NULL) {
        put(&writer, ".word 0x%016" PRIX64 "  // unknown opcode 0x%02" PRIX32, word, isa_opcode(word));
        return;
    }
    uint64_t used = isa_syntax_used_bits(syntax, word);
    if ((word & ~used) == 0 && put_instruction(&writer, syntax, word, label)) return;
    writer.length = 0;
    put(&writer, ".word 0x%016" PRIX64 "  // ", word);
    size_t comment = writer.length;
    if (put_instruction(&writer, syntax, word & used, label)) {
        put(&writer, ", with unused bits set");
    } else {
        writer.length = comment;
        put(&writer, "%s with a number that has no name", isa_table[isa_opcode(word)].mnemonic);
    }
}

void disassemble_instruction(uint64_t word, char to[DISASSEMBLY_MAX]) {
    write_word(word, NULL, to);
}

// ---- code objects ----

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
        write_word(object->text[i], target != SIZE_MAX ? label : NULL, text);
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
    size_t at = object->kernel_count > 0 && order[0]->entry != 0 ? save_handler_words(object) : 0;  // all before it is printed
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
