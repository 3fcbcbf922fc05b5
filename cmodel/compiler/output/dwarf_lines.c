// .debug_line: the line table of the code object as DWARF has it.
#include "compiler/output/dwarf_bytes.h"

enum {
    CONTENT_PATH = 1,
    CONTENT_DIRECTORY = 2,
    FORM_STRING = 0x08,
    FORM_UDATA = 0x0f,
    OPCODE_BASE = 13,
    LINE_COPY = 1,
    LINE_ADVANCE_PC = 2,
    LINE_ADVANCE_LINE = 3,
    EXTENDED_END = 1,
    EXTENDED_ADDRESS = 2,
    INSTRUCTION_BYTES = 8
};

static void put_header(struct text *to, const char *file) {
    static const uint8_t operands[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    put_u16(to, 5);
    put_u8(to, 4);  // bytes of an address
    put_u8(to, 0);
    const size_t length = to->size;
    put_u32(to, 0);
    put_u8(to, INSTRUCTION_BYTES);
    put_u8(to, 1);
    put_u8(to, 1);  // statements
    put_u8(to, 1);  // the lowest step of a line, how many: no short forms are used
    put_u8(to, 1);
    put_u8(to, OPCODE_BASE);
    text_add(to, (const char *)operands, sizeof operands);
    put_u8(to, 1);
    put_uleb(to, CONTENT_PATH);
    put_uleb(to, FORM_STRING);
    put_uleb(to, 1);
    text_add(to, ".", 2);
    put_u8(to, 2);
    put_uleb(to, CONTENT_PATH);
    put_uleb(to, FORM_STRING);
    put_uleb(to, CONTENT_DIRECTORY);
    put_uleb(to, FORM_UDATA);
    put_uleb(to, 2);  // the file twice: the first is that of the unit, names begin at 1 for older readers
    for (unsigned k = 0; k < 2; k++) {
        text_add(to, file, strlen(file) + 1);
        put_uleb(to, 0);
    }
    fix_u32(to, length, (uint32_t)(to->size - length - 4));
}

void dwarf_lines(struct text *to, const struct code_object *object, const char *file) {
    const size_t start = to->size;
    put_u32(to, 0);
    put_header(to, file);
    put_u8(to, 0);
    put_uleb(to, 5);
    put_u8(to, EXTENDED_ADDRESS);
    put_u32(to, 0);
    uint32_t line = 1;
    size_t at = 0;
    for (size_t k = 0; k < object->text_words; k++) {
        if (k > 0 && object->lines[k] == object->lines[k - 1]) continue;
        if (k > at) {
            put_u8(to, LINE_ADVANCE_PC);
            put_uleb(to, (uint32_t)(k - at));
            at = k;
        }
        put_u8(to, LINE_ADVANCE_LINE);
        put_sleb(to, (int32_t)(object->lines[k] - line));
        line = object->lines[k];
        put_u8(to, LINE_COPY);
    }
    put_u8(to, LINE_ADVANCE_PC);
    put_uleb(to, (uint32_t)(object->text_words - at));
    put_u8(to, 0);
    put_uleb(to, 1);
    put_u8(to, EXTENDED_END);
    fix_u32(to, start, (uint32_t)(to->size - start - 4));
}
