// The assembler and the disassembler, against words encoded by hand and against each other over every opcode.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/isa.h"
#include "isa/assembler.h"
#include "isa/disassembler.h"
#include "isa/save_handler.h"
#include "random_numbers.h"

#define ROUNDS 400

// Words worked out by hand from the table's picture of a word.
static const struct {
    const char *text;
    uint64_t word;
} by_hand[] = {
    {"NOP", 0x0000000000000701},
    {"EXIT", 0x0000000000000702},
    {"@P0 EXIT", 0x0000000000000002},
    {"@!P3 BAR", 0x0000000000000B03},
    {"@!PT NOP", 0x0000000000000F01},
    {"MOV R1, R2", 0x0000000200001710},
    {"MOV RZ, 5", 0x00000005000FF790},
    {"MOV R254, -1", 0xFFFFFFFF000FE790},
    {"IADD R1, R2, R3", 0x0000000300201711},
    {"IADD R1, R2, -4", 0xFFFFFFFC00201791},
    {"IADD R1, RZ, 0x12345678", 0x123456780FF01791},
    {"ISETP.UGE P5, R7, R8", 0x00000008D0705720},
    {"ISETP.EQ PT, R7, 9", 0x00000009007077A0},
    {"SEL R1, R2, R3, !P4", 0x00000003C0201721},
    {"SEL R1, R2, 3, P4", 0x00000003402017A1},
    {"IMAD R1, R2, R3, R4", 0x0000040300201730},
    {"PSETP.XOR P1, !P2, PT", 0x0000000720A01738},
    {"PSETP.AND P1, P2, !P3", 0x0000000B00201738},
    {"P2R R9", 0x0000000000009739},
    {"R2P R9, 0x7F", 0x0000007F009007BA},
    {"S2R R3, SR_TID_X", 0x00000000000037BB},
    {"S2R R3, SR_CLOCK_HI", 0x00000011000037BB},
    {"ATOMG.ADD R1, [R2 - 4], R3", 0xFFFC000300201760},
    {"ATOMG.CAS RZ, [R2 + 8], R3, R4", 0x00080403902FF760},
    {"ATOM.ADD R1, [R2 - 4], R3", 0xFFFC000300201762},
    {"LD.S8 R1, [R2 - 33554432]", 0xFE000000102017E8},
    {"ST.32 [R2], R1", 0x00000000402017E9},
    {"LDG.32 R1, [R2 + 16]", 0x00000010402017E0},
    {"LDG.U8 R1, [R2]", 0x00000000002017E0},
    {"LDG.128 R4, [RZ + 64]", 0x000000406FF047E0},
    {"STG.U16 [R2 - 2], R1", 0xFFFFFFFE202017E1},
    {"LDC.32 R1, c[0][RZ + 64]", 0x000000404FF017E4},
    {"LDC.64 R2, c[3][R5 + 65535]", 0x0003FFFF505027E4},
    {"YIELD.ALWAYS", 0x00000000000007EB},
    {"YIELD.NTH 7", 0x00000007100007EB},
    {"BRA.NTH -4", 0xFFFFFFFC200007FD},
    {"@!P1 BRA.TURN +2", 0x00000002100009FD},
    {"TRAP +2", 0x00000002000007FB},
    {"TRET", 0x0000000000000706},
    {"TPOP", 0x0000000000000707},
    {"@P3 TPUSH.RET", 0x0000000050000308},
    {"TREASON.NONE", 0x0000000000000709},
    {"SRD R1, TOKEN_LO", 0x000000820000173E},
    {"R2S TPC, R3", 0x000000000038073D},
    {"SSY +5", 0x00000005000007F0},
    {"SYNC", 0x00000000000007F7},
    {"BRK -2", 0xFFFFFFFE000007F8},
    {"CAL R20, +3", 0x00000003000147F5},
    {"JCAL RZ, 100", 0x00000064000FF7F6},
    {"RET R20", 0x00000000014007FA},
    {"@P2 BRA -1", 0xFFFFFFFF000002FD},
    {"JMP 4096", 0x00001000000007FE},
    {"SMOV S3, S4", 0x000000040000373C},
    {"SMOV S3, 12", 0x0000000C000037BC},
    {"R2S S3, R4", 0x000000000040373D},
    {"SRD R3, S4", 0x000000040000373E},
    {"VOTE S2", 0x000000000000273F},
    {"LAUNCH.WAIT R7", 0x0000000010700766},
    {"LAUNCH R7", 0x0000000000700766},
    {"I2F.URTP R1, R2", 0x0000000260001746},
    {"F2I.RTZ R1, R2", 0x0000000210001745},
    {"FRND.RTN R1, 5", 0x00000005300017C7},
    {"FSETP.UNE P2, R3, R4", 0x00000004E0302744},
    {"FFMA R1, R2, R3, R4", 0x0000040300201734},
};
#define BY_HAND (sizeof by_hand / sizeof by_hand[0])

Test(isa, words_by_hand, .description = "assembler and disassembler agree with words encoded by hand") {
    for (size_t i = 0; i < BY_HAND; i++) {
        uint64_t word = 0;
        char error[256] = "", text[DISASSEMBLY_MAX];
        cr_expect(assemble_instruction(by_hand[i].text, &word, error, sizeof error), "%s: %s", by_hand[i].text, error);
        cr_expect(word == by_hand[i].word, "%s: 0x%016" PRIX64 ", expected 0x%016" PRIX64, by_hand[i].text, word,
                  by_hand[i].word);
        disassemble_instruction(by_hand[i].word, text);
        cr_expect_str_eq(text, by_hand[i].text);
    }
}

Test(isa, accessors, .description = "the generated accessors and encoders agree with the word's picture") {
    uint64_t word = isa_encode_reg(OP_ATOMG, 3, true, 0x12, 0x34, 0x9, 0x56, 0x78, -2);
    cr_expect_eq(word, 0xFFFE785693412B60u);
    cr_expect_eq(isa_opcode(word), (uint32_t)OP_ATOMG);
    cr_expect_eq(isa_guard(word), 3u);
    cr_expect(isa_guard_neg(word));
    cr_expect_eq(isa_rd(word), 0x12u);
    cr_expect_eq(isa_ra(word), 0x34u);
    cr_expect_eq(isa_mod(word), 9u);
    cr_expect_eq(isa_rb(word), 0x56u);
    cr_expect_eq(isa_rc(word), 0x78u);
    cr_expect_eq(isa_ext(word), -2);
    cr_expect_eq(isa_imm(isa_encode_imm(OP_MOV_I, 7, false, 1, 0, 0, 0xDEADBEEF)), 0xDEADBEEFu);
    cr_expect_eq(isa_encode_imm(0x1FF, 0xF, false, 0x1FF, 0x100, 0x1F, 0), 0x00000000F00FF7FFu,
                 "too large fields are cut");
}

// Text and back must give the word; returns whether it was said as an instruction.
static bool round_trip(uint64_t word) {
    char text[DISASSEMBLY_MAX], error[256] = "", line[DISASSEMBLY_MAX + 32];
    disassemble_instruction(word, text);
    cr_assert_lt(strlen(text), DISASSEMBLY_MAX - 1, "cut off: %s", text);
    struct code_object object;
    int length = snprintf(line, sizeof line, ".kernel k\n%s\n", text);
    cr_assert(assemble(line, (size_t)length, "t", &object, error, sizeof error), "%s (0x%016" PRIX64 "): %s", text,
              word, error);
    cr_assert_eq(object.text_words, 1u);
    uint64_t again = object.text[0];
    code_object_free(&object);
    cr_assert(again == word, "0x%016" PRIX64 " -> %s -> 0x%016" PRIX64, word, text, again);
    return strncmp(text, ".word", 5) != 0;
}

Test(isa, round_trip_every_opcode,
     .description = "random words of each of the 256 opcodes come back; illegal ones as .word") {
    uint64_t state = 1;
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        unsigned said = 0;
        for (unsigned i = 0; i < ROUNDS; i++) {
            uint64_t word = (random_bits(&state) & ~0xFFull) | opcode;
            // Fields with random holes, so that unused ones are often zero and small numbers frequent.
            for (unsigned shift = 8; shift < 64; shift += 4) {
                if ((random_bits(&state) & 3) != 0) word &= ~(0xFull << shift);
            }
            if (i % 8 == 0) word &= 0xFFF00 | 0xFull << 28 | 0xFF;
            bool instruction = round_trip(word);
            said += instruction;
            if (!isa_legal(word) && (isa_table[opcode].mnemonic == NULL || isa_table[opcode].built)) {
                cr_assert(!instruction, "0x%016" PRIX64 " is illegal but said as an instruction", word);
            }
        }
        if (isa_table[opcode].mnemonic == NULL) {
            cr_expect_eq(said, 0u, "opcode 0x%02X", opcode);
        } else {
            cr_expect_gt(said, 0u, "opcode 0x%02X (%s) was never said as an instruction", opcode,
                         isa_table[opcode].mnemonic);
        }
    }
}

Test(isa, every_name_of_a_number, .description = "each suffix and special register comes back") {
    static const struct {
        unsigned op;
        const char *const *names;
    } tables[] = {{OP_ISETP, isa_cmp_names}, {OP_LDG, isa_size_names},   {OP_STG, isa_size_names},
                  {OP_LDC, isa_size_names},  {OP_ATOMG, isa_atom_names}, {OP_YIELD, isa_yield_names},
                  {OP_BRA, isa_bra_names}};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        for (unsigned mod = 0; mod < 16; mod++) {
            cr_expect_eq(round_trip(isa_encode_imm(tables[t].op, 7, false, 0, 0, mod, 0)), tables[t].names[mod] != NULL,
                         "%s mod %u", isa_table[tables[t].op].mnemonic, mod);
        }
    }
    for (unsigned special = 0; special < 300; special++) {
        bool known = special < 256 && isa_special_names[special] != NULL;
        uint64_t word = isa_encode_imm(OP_S2R, 7, false, 1, 0, 0, special);
        cr_expect_eq(round_trip(word), known, "special %u", special);
        cr_expect_eq(isa_legal(word), known, "special %u", special);
    }
}

Test(isa, legal_words, .description = "unknown, unbuilt and misused words are illegal, all others legal") {
    cr_expect(!isa_legal(0));
    cr_expect(!isa_legal(0x7FF), "unknown opcode 0xFF");
    for (unsigned size = 0; size < 16; size++) {
        cr_expect_eq(isa_legal(isa_encode_imm(OP_LDL, 7, false, 0, 0, size, 0)), size <= SIZE_32);
        cr_expect_eq(isa_legal(isa_encode_imm(OP_STL, 7, false, 0, 0, size, 0)), size <= SIZE_32);
        cr_expect_eq(isa_legal(isa_encode_imm(OP_LD, 7, false, 0, 0, size, 0)), size <= SIZE_32);
        cr_expect_eq(isa_legal(isa_encode_imm(OP_ST, 7, false, 0, 0, size, 0)), size <= SIZE_32);
        cr_expect_eq(isa_legal(isa_encode_imm(OP_LDG, 7, false, 0, 0, size, 0)), size <= SIZE_128);
    }
    cr_expect(isa_legal(isa_encode_reg(OP_F2I, 7, false, 0, 0, CVT_URTN, 0, 0, 0)));
    cr_expect(!isa_legal(isa_encode_reg(OP_F2I, 7, false, 0, 0, CVT_URTN + 1, 0, 0, 0)));
    cr_expect(!isa_legal(isa_encode_reg(OP_I2F, 7, false, 0, 0, 15, 0, 0, 0)));
    cr_expect(isa_legal(isa_encode_imm(OP_FRND_I, 7, false, 0, 0, ROUND_RTN, 0)));
    cr_expect(!isa_legal(isa_encode_imm(OP_FRND_I, 7, false, 0, 0, ROUND_RTN + 1, 0)));
    cr_expect(isa_legal(isa_encode_reg(OP_FSETP, 7, false, 0, 0, FCMP_TRUE, 0, 0, 0)));
    cr_expect(isa_legal(isa_encode_reg(OP_ISETP, 7, false, 0, 0, CMP_UGE, 0, 0, 0)));
    cr_expect(!isa_legal(isa_encode_reg(OP_ISETP, 7, false, 0, 0, 6, 0, 0, 0)));
    cr_expect(!isa_legal(isa_encode_imm(OP_LDG, 7, false, 0, 0, 7, 0)));
    cr_expect(!isa_legal(isa_encode_reg(OP_ATOMG, 7, false, 0, 0, 13, 0, 0, 0)));
    cr_expect(!isa_legal(isa_encode_reg(OP_PSETP, 7, false, 0, 0, 3, 0, 0, 0)));
    cr_expect(isa_legal(isa_encode_imm(OP_YIELD, 7, false, 0, 0, YIELD_ALWAYS, 0)));
    cr_expect(isa_legal(isa_encode_imm(OP_YIELD, 7, false, 0, 0, YIELD_RANDOM, 4)));
    cr_expect(!isa_legal(isa_encode_imm(OP_YIELD, 7, false, 0, 0, 3, 4)));
    cr_expect(isa_legal(isa_encode_reg(OP_IADD, 7, false, 0, 0, 5, 0, 9, 1)), "unused fields do not matter");
}

static struct code_object good(const char *source) {
    struct code_object object;
    char error[256] = "";
    cr_assert(assemble(source, strlen(source), "t.s", &object, error, sizeof error), "%s", error);
    return object;
}

Test(assembler, a_program, .description = "directives, labels, comments, arguments, constants, line table") {
    struct code_object object = good(
        ".kernel first   // the first\n"
        ".wavefront 32\n"
        ".arg global out : __global uint *\n"
        ".arg value n 1\n"
        ".arg value v 16\n"
        "start: top:\n"
        "  ssy done      # join\n"
        "  isetp.ult p0, r1, 10 ; lower case is the same\n"
        "  @!P0 BRA done\n"
        "  BRA start\n"
        "done: SYNC\n"
        "  LDG.128 R4, [R1]\n"
        "  JMP top\n"
        "  EXIT\n"
        ".kernel second\n"
        ".registers 9\n"
        ".shared_bytes 128\n"
        ".reqd_local 8 4 1\n"
        "top: JMP top\n"
        ".word 0xFFFFFFFFFFFFFFFF\n"
        "EXIT\n"
        ".byte 1, -1, 0x7f\n"
        ".int 0x01020304\n");
    cr_assert_eq(object.kernel_count, 2u);
    const struct code_kernel *first = code_object_find(&object, "first"), *second = code_object_find(&object, "second");
    cr_assert_not_null(first);
    cr_assert_not_null(second);
    cr_expect_eq(first->entry, 0u);
    cr_expect_eq(first->code_size, 64u);
    cr_expect_eq(first->registers, 8u, "R4..R7 by the wide load");
    cr_expect_eq(first->wavefront, 32u);
    cr_assert_eq(first->argument_count, 3u);
    cr_expect_eq(first->arguments[0].offset, 0x40u);
    cr_expect_str_eq(first->arguments[0].type, "__global uint *");
    cr_expect_eq(first->arguments[1].offset, 0x44u);
    cr_expect_eq(first->arguments[2].offset, 0x50u);
    cr_expect_eq(first->constant_bytes, 0x60u);
    cr_expect_eq(second->entry, 64u);
    cr_expect_eq(second->registers, 9u);
    cr_expect_eq(second->shared_bytes, 128u);
    cr_expect_eq(second->reqd_local[1], 4u);
    cr_expect_eq(second->constant_bytes, 64u);
    cr_expect_eq(isa_imm(object.text[0]), 3u, "SSY done");
    cr_expect_eq(isa_imm(object.text[2]), 1u, "BRA done");
    cr_expect_eq(isa_imm(object.text[3]), (uint32_t)-4, "BRA start");
    cr_expect_eq(isa_imm(object.text[6]), 0u, "JMP top of the first kernel");
    cr_expect_eq(isa_imm(object.text[8]), 8u, "JMP top of the second kernel");
    cr_expect_eq(object.text[9], UINT64_MAX);
    cr_expect_eq(object.lines[0], 7u);
    cr_expect_eq(object.lines[10], 21u);
    cr_expect_str_eq(object.file, "t.s");
    static const uint8_t rodata[] = {1, 0xFF, 0x7F, 4, 3, 2, 1};
    cr_assert_eq(object.rodata_size, sizeof rodata);
    cr_expect_arr_eq(object.rodata, rodata, sizeof rodata);
    code_object_free(&object);
}

Test(assembler, disassembly_of_an_object, .description = "the text of a whole object assembles to the same object") {
    struct code_object object = good(
        ".kernel a\n.arg global in : __global uchar *\n.arg local scratch\n.arg value - 3\n.constant_bytes 200\n"
        "SSY l\n@P0 BRA l\nl: SYNC\nCAL R1, f\nEXIT\nf: RET R1\nBRA +100\nBRA end\nend:\n"
        ".end\nNOP\n.word 77\n"
        ".printf i4fs \"%#x; %v4hlf // \\\"%s\\\"\\n\" # the first\n.string \"\\\\\\377\\t\"\n.printf \"\"\n"
        ".kernel b\n.barriers 1\n.local_bytes 4\n.shared_rows 2\n.reqd_local 1 2 3\n"
        ".hints \"vec_type_hint(\\042float\\042) # b\"\nJMP x\nx: EXIT\n.byte 9, 8, 7\n"
        ".data 0, 0, 0, 0, 2, 0, 0, 0\n.pointer 4, 0\n");
    cr_assert_eq(object.format_count, 3u);
    cr_expect_str_eq(object.formats[0].types, "i4fs");
    cr_expect_str_eq(object.formats[0].text, "%#x; %v4hlf // \"%s\"\n");
    cr_expect_str_eq(object.formats[1].types, "=");
    cr_expect_str_eq(object.formats[1].text, "\\\377\t");
    cr_expect_str_eq(object.formats[2].types, "");
    char *text = disassemble(&object);
    cr_assert_not_null(text);
    struct code_object again = good(text);
    cr_assert_eq(again.text_words, object.text_words);
    cr_expect_arr_eq(again.text, object.text, object.text_words * 8);
    cr_assert_eq(again.kernel_count, object.kernel_count);
    cr_expect_eq(again.rodata_size, 3u);
    static const uint8_t pointers[] = {4, 0, 0, 0, 0, 0, 0, 0};
    cr_assert(again.data_size == 8 && again.data[4] == 2 && again.pointers_size == sizeof pointers);
    cr_expect_arr_eq(again.pointers, pointers, sizeof pointers);
    cr_expect_str_eq(object.kernels[1].hints, "vec_type_hint(\"float\") # b");
    cr_assert_eq(again.format_count, 3u);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_str_eq(again.formats[i].types, object.formats[i].types);
        cr_expect_str_eq(again.formats[i].text, object.formats[i].text);
    }
    for (size_t i = 0; i < object.kernel_count; i++) {
        struct code_kernel one = object.kernels[i], two = again.kernels[i];
        cr_assert_eq(one.argument_count, two.argument_count);
        for (size_t a = 0; a < one.argument_count; a++) {
            cr_expect_eq(memcmp(&one.arguments[a], &two.arguments[a], sizeof one.arguments[a]), 0, "argument %zu", a);
        }
        one.arguments = two.arguments = NULL;
        cr_expect_eq(memcmp(&one, &two, sizeof one), 0, "kernel %s", object.kernels[i].name);
    }
    cr_expect_not_null(strstr(text, "    @P0 BRA L2\n"), "%s", text);
    cr_expect_not_null(strstr(text, "    BRA +100\n"), "%s", text);
    free(text);
    code_object_free(&object);
    code_object_free(&again);
}

#define SAVING(more) ".handler\n.kernel k\n.registers 16\n.local_bytes 48\n.saves 1\n" more "EXIT\n"

Test(assembler, handler, .description = "TU-12 the handler stands in front of kernels that save, and says so itself") {
    struct code_object object = good(SAVING("JMP l\nl: NOP\n"));
    size_t count;
    uint64_t *words = save_handler_make(&count);
    cr_assert_not_null(words);
    cr_assert_eq(object.text_words, count + 3);
    cr_expect_arr_eq(object.text, words, count * 8);
    cr_expect_eq(save_handler_words(&object), count);
    cr_expect_eq(object.kernels[0].entry, 8 * count);
    cr_expect_eq(object.kernels[0].saves, 1u);
    cr_expect_eq(isa_imm(object.text[count]), count + 1);
    char *text = disassemble(&object);
    cr_assert_not_null(text);
    cr_expect_eq(strncmp(text, ".handler\n.kernel k\n", 19), 0, "%s", text);
    struct code_object again = good(text);
    cr_expect_eq(again.text_words, object.text_words);
    cr_expect_eq(again.kernels[0].saves, 1u);
    free(text);
    code_object_free(&again);
    // It is told from other code by every word.
    object.text[count - 1] ^= UINT64_C(1) << 40;
    cr_expect_eq(save_handler_words(&object), 0u);
    // All of it runs in a trap, where these would fault.
    for (size_t i = 0; i < count; i++) {
        const uint32_t opcode = isa_opcode(words[i]);
        cr_expect(opcode != OP_EXIT && opcode != OP_BAR && opcode != OP_LAUNCH && opcode != OP_TRAP, "word %zu", i);
    }
    free(words);
    code_object_free(&object);
    // Of 2 warps of 32 threads: 16 bytes, 20 registers and 112 - 48 bytes of local memory of each; 3 tokens; 5 bytes in 16.
    cr_expect_eq(save_record_bytes(2, 32, 20, 112, 3, 5), 32u + 16 + 2 * (128 + 48 + 32 * (16 + 80 + 64)));
    cr_expect_eq(save_registers(3), 12u);
    cr_expect_eq(save_registers(12), 12u);
    cr_expect_eq(save_registers(13), 16u);
}

static const struct {
    const char *source, *error;
} bad_sources[] = {
    {".kernel k\n.handler\n", "t.s:2: .handler must stand before the first .kernel and instruction"},
    {".end\nNOP\n.handler\n", "t.s:3: .handler must stand before the first .kernel and instruction"},
    {".handler 1\n", "t.s:1: '1' is more than this line can have"},
    {".handler\nEXIT\n", "t.s:2: an instruction before the first .kernel"},
    {".saves 1\n", "t.s:1: .saves stands outside a kernel"},
    {SAVING(".saves 2\n"), "t.s:6: a number 2 is outside 0..1"},
    {SAVING(".registers 18\n"), "t.s:7: kernel k: registers 18; a kernel that saves has a multiple of 4, 12 or more"},
    {SAVING(".registers 8\n"), "t.s:7: kernel k: registers 8; a kernel that saves has a multiple of 4, 12 or more"},
    {SAVING(".local_bytes 32\n"),
     "t.s:7: kernel k: local_bytes 32; of a kernel that saves the first 48 are the handler's"},
    {SAVING(".shared_rows 2\n"), "t.s:7: kernel k: saves, and has shared_rows"},
    {".kernel k\n.registers 12\n.local_bytes 48\n.saves 1\nEXIT\n",
     "t.s:5: kernel k: saves, and stands at the beginning of .text, where the handler has to be"},
    {"EXIT\n", "t.s:1: an instruction before the first .kernel"},
    {".kernel k\n.hints vec\n", "t.s:2: expected a text in quotes"},
    {".hints \"a\"\n", "t.s:1: .hints stands outside a kernel"},
    {".kernel k\nFROB R1\n", "t.s:2: unknown instruction 'FROB'"},
    {".kernel k\n\n  IADD R1, R2\n", "t.s:3: expected ',', found the end of the line"},
    {".kernel k\nIADD R1, R2, R3, R4\n", "t.s:2: ',' is more than this line can have"},
    {".kernel k\nIADD R255, R2, R3\n", "t.s:2: expected a register (R0..R254, RZ), found 'R255'"},
    {".kernel k\nIADD R01, R2, R3\n", "t.s:2: expected a register (R0..R254, RZ), found 'R01'"},
    {".kernel k\nMOV R1, 0x100000000\n", "t.s:2: a 32-bit number 0x100000000 is outside -2147483648..4294967295"},
    {".kernel k\nMOV R1, -2147483649\n", "t.s:2: a 32-bit number -2147483649 is outside -2147483648..4294967295"},
    {".kernel k\nMOV R1, 12z\n", "t.s:2: '12z' is not a number"},
    {".kernel k\nMOV R1, 0x\n", "t.s:2: '0x' is not a number"},
    {".kernel k\nMOV R1, 99999999999999999999\n",
     "t.s:2: a 32-bit number 99999999999999999999 is outside -2147483648..4294967295"},
    {".kernel k\nIMAD R1, R2, R3, 4\n", "t.s:2: expected a register (R0..R254, RZ), found '4'"},
    {".kernel k\nISETP P0, R1, 5\n", "t.s:2: ISETP needs a suffix (ISETP.EQ, ..)"},
    {".kernel k\nISETP.XX P0, R1, 5\n", "t.s:2: ISETP has no suffix '.XX'"},
    {".kernel k\nEXIT.NOW\n", "t.s:2: EXIT takes no suffix, found '.NOW'"},
    {".kernel k\nISETP.EQ P7, R1, 5\n", "t.s:2: expected a predicate (P0..P6, PT), found 'P7'"},
    {".kernel k\n@Q0 EXIT\n", "t.s:2: expected a predicate (P0..P6, PT), found 'Q0'"},
    {".kernel k\n@P0\n", "t.s:2: expected an instruction, found the end of the line"},
    {".kernel k\nLDG.32 R1, R2\n", "t.s:2: expected '[', found 'R2'"},
    {".kernel k\nLDG.32 R1, [R2 + 4\n", "t.s:2: expected ']', found the end of the line"},
    {".kernel k\nATOMG.ADD R1, [R2 + 32768], R3\n", "t.s:2: an offset 32768 is outside -32768..32767"},
    {".kernel k\nLD.64 R2, [R4]\n", "t.s:2: LD takes 8, 16 or 32 bits: local memory is word by word"},
    {".kernel k\nST.128 [R4], R0\n", "t.s:2: ST takes 8, 16 or 32 bits: local memory is word by word"},
    {".kernel k\nATOMG.CAS R1, [R2], R3\n", "t.s:2: expected ',', found the end of the line"},
    {".kernel k\nLDC.32 R1, c[16][0]\n", "t.s:2: a constant bank 16 is outside 0..15"},
    {".kernel k\nLDC.32 R1, c[0][65536]\n", "t.s:2: an offset 65536 is outside 0..65535"},
    {".kernel k\nLDC.32 R1, [R2]\n", "t.s:2: expected c[bank][offset], found '[R2'"},
    {".kernel k\nS2R R1, SR_NONE\n", "t.s:2: expected a special register (SR_TID_X, ..), found 'SR_NONE'"},
    {".kernel k\nR2P R1, 128\n", "t.s:2: a mask of predicates 128 is outside 0..127"},
    {".kernel k\nBRA 5\n", "t.s:2: expected a label or a distance (+N, -N), found '5'"},
    {".kernel k\nBRA nowhere\nEXIT\n", "t.s:2: no label 'nowhere' in kernel k"},
    {".kernel a\nx: EXIT\n.kernel b\nBRA x\n", "t.s:4: no label 'x' in kernel b"},
    {".kernel k\nx: NOP\nx: NOP\n", "t.s:3: label 'x' stands in line 2 already"},
    {".kernel k\n1: NOP\n", "t.s:2: a label cannot begin with a digit: '1'"},
    {"x: NOP\n", "t.s:1: label 'x' stands outside a kernel"},
    {".kernel k\nEXIT\n.kernel k\n", "t.s:3: kernel k stands twice"},
    {".kernel k\n.kernel l\n", "t.s:2: kernel k has no instructions"},
    {".kernel\n", "t.s:1: expected .kernel NAME"},
    {".registers 5\n", "t.s:1: .registers stands outside a kernel"},
    {".kernel k\n.registers 0\n", "t.s:2: a number 0 is outside 1..255"},
    {".kernel k\n.registers\n", "t.s:2: expected a number, found the end of the line"},
    {".kernel k\n.frob 1\n", "t.s:2: unknown directive '.frob'"},
    {".kernel k\n.arg pointer p\n",
     "t.s:2: 'pointer' is not a kind of argument: value, global, constant, local, image, sampler or pipe"},
    {".kernel k\n.arg global p 8\nEXIT\n",
     "t.s:3: kernel k: argument 0: an address has 4 bytes and stands at a multiple of 4"},
    {".kernel k\n.arg value a 4 64\n.arg value b 4 66\nEXIT\n",
     "t.s:4: kernel k: argument 1: offset 66 overlaps what is before it (up to 68)"},
    {".kernel k\n.word -1\n", "t.s:2: expected .word and a 64-bit number"},
    {".kernel k\n.word 0x10000000000000000\n", "t.s:2: expected .word and a 64-bit number"},
    {".byte 256\n", "t.s:1: a number 256 is outside -128..255"},
    {".printf i \"%d\n", "t.s:1: the text has no end"},
    {".printf i\n", "t.s:1: expected a text in quotes"},
    {".string \"\\q\"\n", "t.s:1: an unknown escape in a text"},
    {".string \"\\000\"\n", "t.s:1: an unknown escape in a text"},
    {".string \"a\" b\n", "t.s:1: 'b' is more than this line can have"},
    {".printf f \"%d\"\n", "t.s:1: format 0 of printf: '%d' has no fitting type"},
    {".printf \"%\\n\"\n",
     "t.s:1: format 0 of printf: '%?': there is no conversion '?'; there are d i o u x X c s p f F e E g G a A and %"},
    {".kernel k\n\x01\n", "t.s:2: expected an instruction, found '?'"},
};

Test(assembler, errors, .description = "each kind of bad line is refused with file, line and what is wrong") {
    for (size_t i = 0; i < sizeof bad_sources / sizeof bad_sources[0]; i++) {
        struct code_object object;
        char error[256] = "";
        cr_expect(!assemble(bad_sources[i].source, strlen(bad_sources[i].source), "t.s", &object, error, sizeof error),
                  "%s", bad_sources[i].source);
        cr_expect_str_eq(error, bad_sources[i].error);
        cr_expect_null(object.text);
        cr_expect_null(object.kernels);
    }
}

Test(assembler, long_names, .description = "names that are too long are refused, not cut") {
    char source[700] = ".kernel ", error[256] = "";
    memset(source + 8, 'n', 600);
    struct code_object object;
    cr_expect(!assemble(source, strlen(source), "t.s", &object, error, sizeof error));
    cr_expect_not_null(strstr(error, "t.s:1: "));
    cr_expect(!assemble_file("/does/not/exist.s", &object, error, sizeof error));
    cr_expect_str_eq(error, "/does/not/exist.s: cannot be opened: No such file or directory");
}

Test(assembler, any_bytes, .description = "random text never crashes the assembler") {
    static const char alphabet[] = "R1P0[]+-,.:@!# ;/\n\nIADD BRA .kernel k\n.arg value LDG.32 c0x9_\t";
    uint64_t state = 7;
    for (unsigned round = 0; round < 3000; round++) {
        char source[200], error[64];
        size_t size = random_bits(&state) % sizeof source;
        for (size_t i = 0; i < size; i++) {
            uint64_t r = random_bits(&state);
            source[i] = r % 50 == 0 ? (char)(r >> 8) : alphabet[(r >> 8) % (sizeof alphabet - 1)];
        }
        struct code_object object;
        if (assemble(source, size, "t.s", &object, error, sizeof error)) code_object_free(&object);
    }
}
